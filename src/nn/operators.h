/* SPDX-License-Identifier: BSD-2-Clause */
/* Operators of imported networks: one line each in ops.def, a shape rule and a body. */
#ifndef PL_NN_OPERATORS_H
#define PL_NN_OPERATORS_H

#include "nn/ir.h"
#include "nn/prepared.h"
#include "simd/kernels.h"

/* Pictures beside each other in one input, whose last axis is `columns` long: before picture i + 1
 * lie `width` columns, from at[i] on, that mean nothing, and mean nothing in any value made of
 * them. All numbers are multiples of the width. */
struct pl_joints {
    const int64_t *at;
    size_t n;
    int64_t width, columns;
};

/* One use of an operator: what it reads and where it writes. */
struct pl_call {
    const struct pl_ir_node *node;
    int opset;
    const struct pl_kernels *kernels;
    uint32_t n_in, n_out;
    const struct pl_tensor *const *in; /* NULL = left out */
    struct pl_tensor *const *out;      /* NULL = not wanted; beyond n_out nothing may be read */
    const struct pl_joints *joints;    /* NULL for one picture */
    const struct pl_call *others; /* of PL_TOGETHER: the body runs these n_others calls of the */
    size_t n_others;              /* same node, in other sessions, with this one */
    struct pl_arena *scratch;     /* for the time of the call */
    struct pl_arena *keeper;      /* for as long as *kept */
    void **kept; /* what pl_call_keep() was given; NULL where nothing can be kept */
    struct pl_prepared *prepared; /* of the graph; NULL where input 1 is no constant of it */
    const void **found;           /* where the session notes the block of the node in it */
    struct platen_error *err;
    bool needs_data; /* set by a shape rule that needs values which are not known yet */
};

typedef platen_status pl_call_fn(struct pl_call *c);

/* Traits: what sessions and readers of files need to know about an operator. */
enum {
    PL_COPIES = 1,     /* output 0 has the bytes of input 0, in which it may lie */
    PL_IN_PLACE = 2,   /* the body reads an element before it writes the one at its place */
    PL_JOINS = 4,      /* pictures beside each other stay apart (struct pl_joints) */
    PL_OF_SHAPES = 8,  /* the body looks at the shapes of its inputs alone */
    PL_TYPE_OF_1 = 16, /* input 1 gives a type alone */
    PL_STORED = 32,    /* makes constants: computed while planning, on a budget of its own */
    PL_INTERNAL = 64,  /* passes make it; no ONNX file may name it */
    PL_TOGETHER = 128, /* one body can run several calls of a node: see pl_session_run_together() */
};

struct pl_op {
    const char *name;
    uint8_t id; /* PL_OP_<name> */
    uint8_t min_in, max_in, max_out, traits;
    const char *attrs; /* "axis:i pads:I": i f s t, and lists I F S */
    pl_call_fn *infer; /* sets type and shape of every output that is wanted */
    pl_call_fn *run;   /* fills their data; may only read its inputs */
    /* both are NULL for a reference operator in a build without model tools */
};

enum {
#define PL_OP(name, min_in, max_in, max_out, traits, attrs, infer, run) PL_OP_##name,
#include "nn/ops.def"
    PL_OP_COUNT
};

#define PL_OP_ANY 255 /* any number of inputs or outputs */

/* Returns the operator of that name in ONNX, or NULL; or the one of a PL_OP_<name>. */
const struct pl_op *pl_op_find(const char *name);
const struct pl_op *pl_op_by_id(int id);
/* Wants the operator to have a body, and inputs, outputs and attributes of the node to be ones that
 * it has. */
PL_MUST_USE platen_status pl_op_check(const struct pl_ir_node *n, struct platen_error *err);

/* The bodies' toolbox. */

static inline const struct pl_tensor *pl_in(const struct pl_call *c, uint32_t i)
{
    return i < c->n_in ? c->in[i] : NULL;
}

static inline struct pl_tensor *pl_out(const struct pl_call *c, uint32_t i)
{
    return i < c->n_out ? c->out[i] : NULL;
}

static inline int pl_call_id(const struct pl_call *c)
{
    return c->node->op->id;
}

/* pl_ir_fail() of the call's node. With PLATEN_ERR_UNSUPPORTED the text is what it does not
 * support. */
PL_MUST_USE platen_status pl_call_fail(const struct pl_call *c, platen_status code, const char *fmt,
                                       ...) PL_PRINTF(3, 4);
PL_MUST_USE platen_status pl_call_unsupported_type(const struct pl_call *c, enum pl_dtype t);
/* n zeroed bytes until the end of the call, or NULL with the error set. */
PL_MUST_USE void *pl_call_scratch(struct pl_call *c, size_t n, size_t size);
/* n elements until the end of the call, with any content, or NULL with the error set. */
PL_MUST_USE void *pl_call_room(struct pl_call *c, size_t n, size_t size);

/* A shape rule may keep what it finds out from attributes and constants: the body of the node and
 * later rules, which see the same attributes and constants, get it back. All that one node keeps
 * has one size. NULL stands for nothing kept. */
static inline const void *pl_call_kept(const struct pl_call *c)
{
    return c->kept ? *c->kept : NULL;
}
PL_MUST_USE platen_status pl_call_keep(const struct pl_call *c, const void *v, size_t n);

/* Returns the block that `fill` makes of input 1 alone, the same for all sessions of the graph and
 * on every level of the processor (pl_prepared_get()). NULL where input 1 is no constant, or cannot
 * be kept: the body makes it anew in each run, or does without. */
PL_MUST_USE const void *pl_call_prepared(struct pl_call *c, size_t bytes, pl_prepare_fn *fill,
                                         const void *ctx);

/* Entry i of a tensor of indices into `dim` elements; negative ones count from the end. */
PL_MUST_USE platen_status pl_call_index(const struct pl_call *c, const struct pl_tensor *t,
                                        size_t i, int64_t dim, size_t *ret);
/* Sets output i, if it is wanted. */
PL_MUST_USE platen_status pl_call_shape(const struct pl_call *c, uint32_t i, enum pl_dtype type,
                                        int rank, const int64_t *dims);
/* Output i like a tensor. */
PL_MUST_USE platen_status pl_call_like(const struct pl_call *c, uint32_t i,
                                       const struct pl_tensor *t);
/* -rank..rank-1 to 0..rank-1. */
PL_MUST_USE platen_status pl_call_axis(const struct pl_call *c, int64_t axis, int rank, int *ret);
/* Wants the data of input i to be there. */
PL_MUST_USE platen_status pl_call_known(struct pl_call *c, uint32_t i);
/* Integers that older opsets keep in an attribute and newer ones in an input (which wins): *ret_n
 * is their number, or -1 when both are left out. */
PL_MUST_USE platen_status pl_call_ints(struct pl_call *c, const char *attr, uint32_t input, int max,
                                       int64_t *ret, int *ret_n);
/* The list attribute, exactly n numbers of it, or n times `otherwise`. */
PL_MUST_USE platen_status pl_call_list(const struct pl_call *c, const char *attr, int n,
                                       int64_t otherwise, int64_t *ret);
/* Float at an attribute or at a scalar input. */
PL_MUST_USE platen_status pl_call_scalar(struct pl_call *c, const char *attr, uint32_t input,
                                         double otherwise, double *ret);

/* The shape of a op b under NumPy's rules. */
PL_MUST_USE platen_status pl_call_broadcast(const struct pl_call *c, const struct pl_tensor *a,
                                            const struct pl_tensor *b, struct pl_tensor *ret);
/* Steps, in elements, with which t is read for the shape of `out`: 0 along repeated axes. */
void pl_broadcast_steps(const struct pl_tensor *t, const struct pl_tensor *out,
                        ptrdiff_t step[PL_MAX_RANK]);

/* Runs `body` with float32 in the place of every float16, bfloat16 and float64 among inputs and
 * outputs. */
PL_MUST_USE platen_status pl_call_as_f32(struct pl_call *c, pl_call_fn *body);

/* Copies a box: element [i0, i1, ...] from src + sum i * src_step to dst + sum i * dst_step, steps
 * in elements of `size` bytes. */
void pl_copy_box(void *dst, const ptrdiff_t *dst_step, const void *src, const ptrdiff_t *src_step,
                 int rank, const int64_t *dims, size_t size);
/* Turns a matrix of elements of four bytes: dst[j * dst_step + i] = src[i * src_step + j] for
 * i < rows, j < columns, steps in elements. */
void pl_turn_words(void *dst, size_t dst_step, const void *src, size_t src_step, size_t rows,
                   size_t columns);
/* Steps of a dense tensor. */
void pl_dense_steps(const struct pl_tensor *t, ptrdiff_t step[PL_MAX_RANK]);
/* Moves the odometer `at` over dims on by one; false when it is over. */
bool pl_odometer(int rank, const int64_t *dims, int64_t *at);

#define PL_OP(name, min_in, max_in, max_out, traits, attrs, infer, run)                            \
    pl_call_fn pl_infer_##infer, pl_run_##run;
#include "nn/ops.def"

#endif
