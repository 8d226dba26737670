/* SPDX-License-Identifier: BSD-2-Clause */
/* From a network of floats to one that computes in bytes: the ranges of its values are measured on
 * sets of inputs, products by constant weights and what lies between them become operators on bytes
 * (nn/op/quant/op_quant.h). */
#ifndef PL_COMPILE_QUANT_H
#define PL_COMPILE_QUANT_H

#include "compile/compare.h"
#include "nn/ir.h"
#include "simd/kernels.h"

/* A byte q means (q - zero) * scale. */
struct pl_q_scale {
    float scale;
    int32_t zero;
};

/* What a quantised graph says about a value: the meaning of its bytes or, for weights, the step of
 * each output (n_steps is 1 where all outputs share one). */
struct pl_quant_fixed {
    const char *name;
    struct pl_q_scale s;
    const float *steps;
    size_t n_steps;
};

struct pl_quant_options {
    bool per_tensor;        /* one scale for the weights of a layer, not one for each channel */
    bool narrow;            /* weights that pl_qgemm_is_narrow(), where they are not much worse */
    double percentile;      /* of the values that a range holds; 0 = what gives the least error */
    const char *keep_float; /* names of nodes, parted by commas; NULL = none */
    const struct pl_quant_fixed *fixed; /* comes before what is measured */
    size_t n_fixed;
};

/* Inputs of a network: n times g->n_inputs tensors. */
struct pl_quant_sets {
    const struct pl_tensor *in;
    size_t n;
    bool shapes_only; /* the numbers tell nothing */
};

/* The range of a value, as it was measured. */
struct pl_range {
    bool known; /* else the shape alone is */
    bool is_fixed;
    struct pl_q_scale fixed;
    double lo, hi;             /* lo <= 0 <= hi */
    int rank;                  /* 0: not a value of floats */
    int64_t dims[PL_MAX_RANK]; /* the largest ones */
};

/* Runs g on the sets and fills ret[0..g->n_values). */
PL_MUST_USE platen_status pl_quant_ranges(const struct pl_ir *g, const struct pl_kernels *k,
                                          const struct pl_quant_sets *sets, double percentile,
                                          struct pl_range *ret, struct platen_error *err);

/* Takes what a quantised graph says of its values, QuantizeLinear and DequantizeLinear of constant
 * scales and QLinearConv and QLinearMatMul, out of g, which then computes in floats, and gives it
 * in the graph's memory. *ret_n is 0, and g unchanged, where it says nothing or what bytes cannot
 * follow. */
PL_MUST_USE platen_status pl_quant_explicit(struct pl_ir *g, struct pl_quant_fixed **ret,
                                            size_t *ret_n, struct platen_error *err);

/* Turns g, optimised by all passes but `fuse` (which may follow), into bytes. PLATEN_ERR_ARG for a
 * name that no node has. */
PL_MUST_USE platen_status pl_quantize(struct pl_ir *g, const struct pl_kernels *k,
                                      const struct pl_quant_options *o,
                                      const struct pl_quant_sets *sets, struct platen_error *err);

/* Stores the constant weights of g, a network of floats behind all its passes, as float16 or,
 * where that holds them well enough, as four bits (PL_INT4_BLOCK of nn/op/quant/op_quant.h): files
 * get smaller, results are those of the rounded weights. Tables that FusedEmbedding alone reads
 * become float16 in any case, and stay that when they are read. */
PL_MUST_USE platen_status pl_quant_store(struct pl_ir *g, bool int4, struct platen_error *err);

/* A layer that computes in bytes, and its errors against the value of floats that it stands for. */
struct pl_quant_layer {
    const struct pl_ir_node *node;
    struct pl_error_sums sums;
};

/* Runs both networks on the sets and compares each result of bytes in `g` with the value of its
 * name in `floats`: *ret_n layers in the order of the nodes, in the arena. A layer whose value the
 * passes have taken out of `floats` is left out. */
PL_MUST_USE platen_status pl_quant_report(const struct pl_ir *g, const struct pl_ir *floats,
                                          const struct pl_kernels *k,
                                          const struct pl_quant_sets *sets, struct pl_arena *arena,
                                          struct pl_quant_layer **ret, size_t *ret_n,
                                          struct platen_error *err);
/* Writes the figures of the layers, which are those of g, into their nodes. */
void pl_quant_record(struct pl_ir *g, const struct pl_quant_layer *layers, size_t n);

#endif
