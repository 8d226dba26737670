/* SPDX-License-Identifier: BSD-2-Clause */
/* A network that is being turned into bytes: what the files of this folder share. */
#ifndef PL_COMPILE_QUANT_QUANT_CONVERT_H
#define PL_COMPILE_QUANT_QUANT_CONVERT_H

#include "nn/op/quant/op_quant.h"
#include "compile/quant.h"
#include "compile/quant/quant_pack.h"

/* The bytes that stand for a value of floats. */
struct pl_q_value {
    uint32_t value; /* The value of bytes; PL_IR_NONE while there is none. */
    struct pl_q_scale s;
    size_t channels, stored; /* A pixel has `channels` bytes, and takes `stored` with its fill. */
    bool channels_first;     /* The floats have their channels second; the bytes have them last. */
};

/* The kinds of nodes, by what they become. */
enum pl_q_kind {
    PL_Q_FLOAT, /* The node stays as it is. */
    /* Products by constants compute in bytes always. */
    PL_Q_CONV,
    PL_Q_TRANSPOSED,
    PL_Q_MATMUL,
    /* These have their matrix or table in bytes, and read and write floats. */
    PL_Q_RECURRENT,
    PL_Q_EMBEDDING,
    /* The others compute in bytes where what they read is there in bytes. A unary node becomes a
     * table of 256 bytes. */
    PL_Q_UNARY,
    PL_Q_ADD,
    PL_Q_GATE,
    PL_Q_POOL,
    PL_Q_AVERAGE,
    PL_Q_CONCAT,
    PL_Q_RESIZE,
    PL_Q_VIEW, /* A view has the same bytes in another shape, between two nodes in bytes. */
};

struct pl_q_graph {
    struct pl_ir *g;
    const struct pl_quant_options *o;
    bool only_told; /* Nothing was measured: only what the graph tells of goes to bytes. */
    /* Lists by number of a value. */
    struct pl_range *ranges;
    struct pl_q_value *bytes; /* The bytes that stand for a value of floats. */
    bool *has_floats;         /* A node that was made writes its floats, or they are given. */
    bool *is_output;
    uint32_t *first, *readers; /* Value v is read by readers[first[v]] .. [first[v + 1] - 1]. */
    /* Lists by number of an old node. */
    bool *done;               /* It went into another node. */
    uint8_t *kind;            /* Its enum pl_q_kind. */
    size_t n_old, max_values; /* The graph had n_old values, and has room for max_values. */
    struct pl_ir_node *made;  /* The new nodes. */
    size_t n_made, max_made;
    struct pl_arena scratch;
    struct pl_kernels kernels;
    struct platen_error *err;
};

/* A node while it is made, with its lists. */
struct pl_q_node {
    struct pl_ir_node n;
    struct pl_attr attrs[20];
    uint32_t in[8];
};

/* ---- nodes ---- */

/* Returns the place of the next node that is made. */
PL_MUST_USE platen_status pl_q_next_node(struct pl_q_graph *q, struct pl_ir_node **ret);
void pl_q_begin(struct pl_q_node *m, const char *name, int op);
void pl_q_in(struct pl_q_node *m, uint32_t value);
void pl_q_set_int(struct pl_q_node *m, const char *name, int64_t v);
void pl_q_set_float(struct pl_q_node *m, const char *name, float v);
/* Sets the scale and the zero point of the bytes of the result. */
void pl_q_set_result(struct pl_q_node *m, struct pl_q_scale s);
/* Copies an attribute of another node, if that has it. */
void pl_q_copy(struct pl_q_node *m, const struct pl_ir_node *from, const char *name);
/* Adds the node, which writes `out`. */
PL_MUST_USE platen_status pl_q_add(struct pl_q_graph *q, struct pl_q_node *m, uint32_t out);

/* ---- values ---- */

/* Adds a constant whose name is that of a node with `what` behind it. */
PL_MUST_USE platen_status pl_q_new_const(struct pl_q_graph *q, const char *name, const char *what,
                                         enum pl_dtype type, size_t n, const void *data,
                                         uint32_t *ret);
/* Adds a value of bytes for the floats of `of`, and notes it in bytes[of]. */
PL_MUST_USE platen_status pl_q_new_bytes(struct pl_q_graph *q, uint32_t of, struct pl_q_value v,
                                         uint32_t *ret);
/* Returns the constant that is input i, or NULL. */
const struct pl_tensor *pl_q_const(const struct pl_q_graph *q, const struct pl_ir_node *n,
                                   uint32_t i);
/* Makes the floats of a value of its bytes, unless they are there. */
PL_MUST_USE platen_status pl_q_floats(struct pl_q_graph *q, uint32_t value);
/* Gives the bytes of a value, made of its floats if need be. With `tight`, pixels of one to four
 * channels take that many bytes instead of 16. */
PL_MUST_USE platen_status pl_q_bytes_of(struct pl_q_graph *q, uint32_t value, bool channels_first,
                                        bool tight, struct pl_q_value *ret);
/* Tells whether the meaning that bytes of the value would have is known. */
static inline bool pl_q_known(const struct pl_q_graph *q, uint32_t value)
{
    return q->ranges[value].known || q->ranges[value].is_fixed;
}
/* Tells whether the node may have its weights in bytes. With only_told the graph must say so. */
bool pl_q_may_have_bytes(const struct pl_q_graph *q, const struct pl_ir_node *n);
/* Fills w->steps with those of the weights that are input 1, if the graph tells them. */
void pl_q_take_steps(const struct pl_q_graph *q, const struct pl_ir_node *n,
                     struct pl_q_weights *w);
/* Fills q->ranges with the scales of values that the graph tells. */
void pl_q_take_fixed(struct pl_q_graph *q);
/* Returns the only node that reads the value, or PL_IR_NONE. */
uint32_t pl_q_only_reader(const struct pl_q_graph *q, uint32_t value);
/* Returns the scale that the bytes of a value get. */
struct pl_q_scale pl_q_scale_for(const struct pl_q_graph *q, uint32_t value);

/* Finds a value whose floats, rounded to the grid, are those of `value`: that value itself, or the
 * one before nodes that only limit it to what the grid holds. */
PL_MUST_USE platen_status pl_q_unlimited(struct pl_q_graph *q, uint32_t value,
                                         struct pl_q_scale grid, uint32_t *ret);

/* Unary nodes behind each other, as one table. */
#define PL_Q_MAX_CHAIN 16

struct pl_q_chain {
    uint32_t from, to; /* The values before the first node and behind the last. */
    uint32_t node[PL_Q_MAX_CHAIN];
    int n, skipped; /* Of n nodes the first ones only limit what rounding limits anyway. */
    bool has_table;
    struct pl_q_scale s; /* The meaning of the bytes that the table reads. */
    uint8_t table[256];
};
/* Follows the nodes behind `value` as far as they are unary and the only readers of what they read.
 * When something behind them reads bytes they are marked as done; else the chain is empty. */
PL_MUST_USE platen_status pl_q_follow(struct pl_q_graph *q, uint32_t value, struct pl_q_chain *ret);
/* Follows the nodes in the same way from a unary node on that reads bytes which are there. */
PL_MUST_USE platen_status pl_q_follow_node(struct pl_q_graph *q, uint32_t node,
                                           struct pl_q_chain *ret);
/* Tells whether some reader of the value takes bytes. */
bool pl_q_wanted(const struct pl_q_graph *q, uint32_t value);

/* layers.c: tells the kind of a node, and makes nodes of bytes for it; *ret_made tells whether it
 * did. */
enum pl_q_kind pl_q_classify(const struct pl_q_graph *q, const struct pl_ir_node *n);
PL_MUST_USE platen_status pl_q_make(struct pl_q_graph *q, const struct pl_ir_node *n,
                                    enum pl_q_kind kind, bool *ret_made);

#endif
