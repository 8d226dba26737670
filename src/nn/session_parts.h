/* SPDX-License-Identifier: BSD-2-Clause */
/* A session as session.c, session_plan.c and session_run.c see it. */
#ifndef PL_NN_SESSION_PARTS_H
#define PL_NN_SESSION_PARTS_H

#include "nn/operators.h"
#include "nn/plan.h"
#include "nn/session.h"

#define PL_SESSION_MAX_PLACES 4096 /* values in the block: finding their places takes n squared */

/* The place of the data of a value. */
enum pl_session_home {
    HOME_NONE,    /* nowhere: no node wrote the value, and the caller did not give it */
    HOME_FIXED,   /* a constant, an input, or computed while planning */
    HOME_BLOCK,   /* its own place in the block */
    HOME_SHARED,  /* in the place of another value: of which it is a copy, which it overwrites, or
                     in which several lie one behind the other */
    HOME_DYNAMIC, /* its own buffer, of a size that only the run tells */
};

struct pl_session_value {
    struct pl_tensor t;
    enum pl_session_home home;
    uint32_t root; /* the value whose place this is */
    size_t part;   /* where it begins in that place, a multiple of PL_PLAN_ALIGN */
    uint32_t last; /* of a root: the node that reads it, or a value in its place, last */
    size_t offset; /* of a root */
    void *buffer;  /* HOME_DYNAMIC: kept from run to run */
    size_t capacity;
};

/* An input of floats that the caller gives as bytes: see pl_session_take_bytes(). */
struct pl_byte_input {
    bool given;  /* it comes as bytes */
    bool direct; /* nodes read the bytes, and no floats are made */
    float scale;
    int32_t zero;
    float *floats;
    size_t room;
};

struct pl_session {
    const struct pl_ir *g;
    const struct pl_kernels *kernels;
    struct pl_arena arena;   /* what lives as long as the session */
    struct pl_arena scratch; /* of the node being planned or run */
    struct pl_arena known;   /* values that are computed while planning */
    struct pl_session_value *values;
    uint32_t *last;        /* by value: the node that reads it last; PL_IR_NONE = it is kept */
    bool *done;            /* by node: it ran while planning */
    bool *empty;           /* by node: all of its outputs are empty */
    bool *steady;          /* by node: before a run it can look at constants of the graph alone */
    bool *pairs;           /* by node: it runs together with the next (op_conv_pair.c) */
    void **kept;           /* by node: what a steady one keeps from run to run */
    const void **prepared; /* by node: its block of the graph's, once it has one */
    const struct pl_tensor **in; /* of the node being planned or run */
    struct pl_tensor **out;
    struct pl_place *places; /* of the values in the block */
    const struct pl_place **work;
    size_t n_places;
    const struct pl_joints *joints;
    struct pl_byte_input *byte_inputs; /* by input of the graph */
    struct pl_tensor *shapes;          /* of the inputs that the plan is for */
    bool planned;
    uint32_t n_static; /* nodes before the first whose shapes wait for numbers */
    uint8_t *block;
    size_t block_bytes, block_capacity; /* of the plan; of the buffer */
    size_t block_touched;               /* bytes that plans have used since they were given back */
    size_t live_bytes, max_bytes;       /* of values that are alive together: now, and at most */
    size_t known_left;  /* bytes that values computed while planning may still take */
    size_t stored_left; /* the same for weights that are decoded while planning */
    size_t constant_bytes;
    struct pl_executor *executor; /* of the graph, as the session was made; or NULL */
    void *elsewhere;              /* what it keeps for this session */
};

/* ---- session.c ---- */

/* The call of node `at` on the values as they are now; valid until the next one. */
struct pl_call pl_session_call(struct pl_session *s, uint32_t at, struct platen_error *err);
/* The calls of nodes `at` and `at` + 1 side by side, of at most PL_PAIR_IN inputs and one output
 * each. */
#define PL_PAIR_IN 4
struct pl_session_two {
    struct pl_call call[2];
    const struct pl_tensor *in[2][PL_PAIR_IN];
    struct pl_tensor *out[2];
};
/* Fills `ret`, which the calls point into. */
void pl_session_two_calls(struct pl_session *s, uint32_t at, struct pl_session_two *ret,
                          struct platen_error *err);
/* PLATEN_ERR_ARG, with the name of the value, where an input of the node has none. */
PL_MUST_USE platen_status pl_session_check_inputs(const struct pl_session *s,
                                                  const struct pl_ir_node *n,
                                                  struct platen_error *err);
/* Tells whether all outputs of the node of the last pl_session_call() are empty: then there is
 * nothing to compute, and no body has to loop over the other sizes of an empty tensor. */
bool pl_session_writes_nothing(const struct pl_session *s, const struct pl_ir_node *n);
/* Tells whether node n copies input 0 to the place where it lies, by a plan that holds. A copy of
 * what lies outside the block has a place of its own, be that a part of another value's. */
bool pl_session_copied_in_place(const struct pl_session *s, const struct pl_ir_node *n);

/* ---- session_plan.c ---- */

/* Plans for inputs of the shapes of in[0..g->n_inputs): shapes, what can be computed now, and the
 * layout of the block. */
PL_MUST_USE platen_status pl_session_plan(struct pl_session *s, const struct pl_tensor *in,
                                          struct platen_error *err);

#endif
