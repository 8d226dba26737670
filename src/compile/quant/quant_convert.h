/* SPDX-License-Identifier: BSD-2-Clause */
/* A network that is being turned into bytes: what the files of this folder share. */
#ifndef PL_COMPILE_QUANT_QUANT_CONVERT_H
#define PL_COMPILE_QUANT_QUANT_CONVERT_H

#include "nn/op/quant/op_quant.h"
#include "compile/quant.h"
#include "compile/quant/quant_pack.h"

/* The bytes that stand for a value of floats. */
struct pl_q_value {
    uint32_t value; /* PL_IR_NONE: there are none */
    struct pl_q_scale s;
    size_t channels, stored;
    bool channels_first; /* in the floats; the bytes have them last */
};

/* The kinds of nodes, by what they become. */
enum pl_q_kind {
    PL_Q_FLOAT,
    PL_Q_CONV, /* products by constants: always in bytes */
    PL_Q_TRANSPOSED,
    PL_Q_MATMUL,
    PL_Q_RECURRENT, /* of these two what they hold alone */
    PL_Q_EMBEDDING,
    PL_Q_UNARY, /* of one value alone: a table, in bytes where its input is */
    PL_Q_ADD,   /* and so are these */
    PL_Q_GATE,
    PL_Q_POOL,
    PL_Q_AVERAGE,
    PL_Q_CONCAT,
    PL_Q_RESIZE,
    PL_Q_VIEW, /* the same bytes with an axis less: in bytes between others that are */
};

struct pl_q_graph {
    struct pl_ir *g;
    const struct pl_quant_options *o;
    bool only_told; /* nothing was measured: what the graph tells alone goes to bytes */
    struct pl_range *ranges;
    struct pl_q_value *bytes;  /* of a value of floats */
    bool *has_floats;          /* a node that was made writes it, or nobody has to */
    bool *done;                /* nodes that went into another one */
    uint8_t *kind;             /* of nodes */
    uint32_t *first, *readers; /* nodes that read value v: readers[first[v]] .. [first[v + 1]] */
    bool *is_output;
    size_t n_old, max_values;
    struct pl_ir_node *made;
    size_t n_made, max_made;
    struct pl_arena scratch;
    struct pl_kernels kernels;
    struct platen_error *err;
};

/* A node being made. */
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
/* The scale and the zero point of the bytes of the result. */
void pl_q_set_result(struct pl_q_node *m, struct pl_q_scale s);
/* The attribute of another node, if it has it. */
void pl_q_copy(struct pl_q_node *m, const struct pl_ir_node *from, const char *name);
/* Adds the node, which writes `out`. */
PL_MUST_USE platen_status pl_q_add(struct pl_q_graph *q, struct pl_q_node *m, uint32_t out);

/* ---- values ---- */

/* Named "name" and `what`. */
PL_MUST_USE platen_status pl_q_new_const(struct pl_q_graph *q, const char *name, const char *what,
                                         enum pl_dtype type, size_t n, const void *data,
                                         uint32_t *ret);
/* A new value of bytes for the floats of `of`; bytes[of] is set. */
PL_MUST_USE platen_status pl_q_new_bytes(struct pl_q_graph *q, uint32_t of, struct pl_q_value v,
                                         uint32_t *ret);
/* The constant behind input i, or NULL. */
const struct pl_tensor *pl_q_const(const struct pl_q_graph *q, const struct pl_ir_node *n,
                                   uint32_t i);
/* The floats of a value are there from now on. */
PL_MUST_USE platen_status pl_q_floats(struct pl_q_graph *q, uint32_t value);
/* The bytes of a value, made of its floats if need be. `tight`: one to four channels are stored as
 * they are, not as 16. */
PL_MUST_USE platen_status pl_q_bytes_of(struct pl_q_graph *q, uint32_t value, bool channels_first,
                                        bool tight, struct pl_q_value *ret);
/* Tells whether the meaning that bytes of the value would have is known. */
static inline bool pl_q_known(const struct pl_q_graph *q, uint32_t value)
{
    return q->ranges[value].known || q->ranges[value].is_fixed;
}
/* Tells whether the node may have its weights in bytes: where the graph alone tells what is in
 * bytes, it has to tell it of them. */
bool pl_q_may_have_bytes(const struct pl_q_graph *q, const struct pl_ir_node *n);
/* The steps of the weights behind input 1, if the graph tells them: of `out` outputs. */
void pl_q_take_steps(const struct pl_q_graph *q, const struct pl_ir_node *n,
                     struct pl_q_weights *w);
/* Takes the scales of values that the graph tells. */
void pl_q_take_fixed(struct pl_q_graph *q);
/* Returns the only node that reads the value, or PL_IR_NONE. */
uint32_t pl_q_only_reader(const struct pl_q_graph *q, uint32_t value);
/* The scale that the bytes of a value get. */
struct pl_q_scale pl_q_scale_for(const struct pl_q_graph *q, uint32_t value);

/* The value whose floats, rounded to the grid, are those of `value`: that one, or what is there
 * before limits that the grid implies. */
PL_MUST_USE platen_status pl_q_unlimited(struct pl_q_graph *q, uint32_t value,
                                         struct pl_q_scale grid, uint32_t *ret);

/* Unary nodes behind each other, as one table. */
#define PL_Q_MAX_CHAIN 16

struct pl_q_chain {
    uint32_t from, to; /* values before and behind */
    uint32_t node[PL_Q_MAX_CHAIN];
    int n, skipped; /* nodes; those at the front that only limit what rounding limits, too */
    bool has_table;
    struct pl_q_scale s; /* of the bytes that the table reads */
    uint8_t table[256];
};
/* Follows the nodes behind `value`, which nothing else reads, as far as they are unary; they are
 * done when something behind them reads bytes. Else the chain is empty. */
PL_MUST_USE platen_status pl_q_follow(struct pl_q_graph *q, uint32_t value, struct pl_q_chain *ret);
/* Follows the nodes from a unary node on, which reads bytes that are there. */
PL_MUST_USE platen_status pl_q_follow_node(struct pl_q_graph *q, uint32_t node,
                                           struct pl_q_chain *ret);
/* Tells whether some reader of the value takes bytes. */
bool pl_q_wanted(const struct pl_q_graph *q, uint32_t value);

/* layers.c: nodes of each kind; *ret_made tells whether it went to bytes. */
enum pl_q_kind pl_q_classify(const struct pl_q_graph *q, const struct pl_ir_node *n);
PL_MUST_USE platen_status pl_q_make(struct pl_q_graph *q, const struct pl_ir_node *n,
                                    enum pl_q_kind kind, bool *ret_made);

#endif
