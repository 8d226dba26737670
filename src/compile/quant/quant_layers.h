/* SPDX-License-Identifier: BSD-2-Clause */
/* Layers of each kind: which nodes they cover, and how those go to bytes. */
#ifndef PL_COMPILE_QUANT_QUANT_LAYERS_H
#define PL_COMPILE_QUANT_QUANT_LAYERS_H

#include <string.h>

#include "compile/quant/quant_convert.h"

/* Returns the measured range of input i, or NULL when the input is left out. */
static inline const struct pl_range *pl_q_range(const struct pl_q_graph *q,
                                                const struct pl_ir_node *n, uint32_t i)
{
    return i < n->n_in && n->in[i] != PL_IR_NONE ? &q->ranges[n->in[i]] : NULL;
}

/* Tells whether the constant is there and holds floats. */
static inline bool pl_q_is_floats(const struct pl_tensor *t)
{
    return t && t->type == PL_F32;
}

/* Returns number i of an attribute that lists integers, or `otherwise` where that has none. */
static inline int64_t pl_q_list_at(const struct pl_ir_node *n, const char *name, uint32_t i,
                                   int64_t otherwise)
{
    const struct pl_attr *a = pl_ir_attr(n, name);
    return a && i < a->n ? a->v.ints[i] : otherwise;
}

static inline bool pl_q_same_dims(const struct pl_range *a, const struct pl_range *b)
{
    return a->rank == b->rank && !memcmp(a->dims, b->dims, (size_t)a->rank * sizeof(*a->dims));
}

/* Returns the number of pixels of a value [n, channels, ...]. */
static inline int64_t pl_q_area(const struct pl_range *r)
{
    int64_t n = 1;
    for (int i = 2; i < r->rank; i++)
        n *= r->dims[i];
    return n;
}

/* Makes the nodes of bytes for n; *ret_made tells whether it did. */
typedef platen_status pl_q_make_fn(struct pl_q_graph *q, const struct pl_ir_node *n,
                                   bool *ret_made);

/* product.c: products by constants */
/* Adds packed matrices, biases and multipliers as the next inputs of a node. */
PL_MUST_USE platen_status pl_q_add_packed(struct pl_q_graph *q, struct pl_q_node *m,
                                          const struct pl_q_packed *p);
bool pl_q_fits_conv(const struct pl_q_graph *q, const struct pl_ir_node *n);
bool pl_q_fits_transposed(const struct pl_q_graph *q, const struct pl_ir_node *n);
bool pl_q_fits_matmul(const struct pl_q_graph *q, const struct pl_ir_node *n);
PL_MUST_USE platen_status pl_q_make_product(struct pl_q_graph *q, const struct pl_ir_node *n,
                                            enum pl_q_kind kind, bool *ret_made);

/* recurrent.c: the steps of recurrent layers */
bool pl_q_fits_recurrent(const struct pl_q_graph *q, const struct pl_ir_node *n);
pl_q_make_fn pl_q_make_recurrent;

/* embedding.c: tables that are looked up */
bool pl_q_fits_embedding(const struct pl_q_graph *q, const struct pl_ir_node *n);
pl_q_make_fn pl_q_make_embedding;

/* map.c: byte by byte */
bool pl_q_is_unary(const struct pl_q_graph *q, const struct pl_ir_node *n);
bool pl_q_is_gate(const struct pl_q_graph *q, const struct pl_ir_node *n);
pl_q_make_fn pl_q_make_unary, pl_q_make_sum, pl_q_make_gate, pl_q_make_concat;

/* window.c: pixel by pixel */
bool pl_q_fits_pool(const struct pl_q_graph *q, const struct pl_ir_node *n);
bool pl_q_is_average(const struct pl_q_graph *q, const struct pl_ir_node *n);
bool pl_q_fits_resize(const struct pl_q_graph *q, const struct pl_ir_node *n);
bool pl_q_fits_view(const struct pl_q_graph *q, const struct pl_ir_node *n);
pl_q_make_fn pl_q_make_pool, pl_q_make_average, pl_q_make_resize, pl_q_make_view;

#endif
