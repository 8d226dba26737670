/* SPDX-License-Identifier: BSD-2-Clause */
/* From a network of floats to one that computes in bytes: the ranges of its values are measured on
 * sets of inputs, products by constant weights and what lies between them become operators on bytes
 * (nn/op/quant/op_quant.h). */
#ifndef PL_COMPILE_QUANT_H
#define PL_COMPILE_QUANT_H

#include "compile/compare.h"
#include "nn/ir.h"
#include "simd/kernels.h"

/* The meaning of bytes: q stands for (q - zero) * scale. */
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
    bool per_tensor; /* The weights of a layer share one scale; else each channel has its own. */
    bool narrow; /* Weights are made narrow or paired (simd/qgemm.h) where that is little worse. */
    /* A range holds this percentage of the values; 0 = the range that gives the least error. */
    double percentile;
    const char *keep_float; /* Names of nodes that stay in floats, parted by commas; or NULL. */
    /* What the graph itself says, which goes before what is measured. */
    const struct pl_quant_fixed *fixed;
    size_t n_fixed;
};

/* Inputs of a network: n sets of g->n_inputs tensors each. */
struct pl_quant_sets {
    const struct pl_tensor *in;
    size_t n;
    bool shapes_only; /* Nothing is measured on the numbers of the tensors. */
};

/* The range and the shape of a value of floats, as they were measured. */
struct pl_range {
    bool known; /* The range lo <= 0 <= hi was measured; the shape always is. */
    double lo, hi;
    bool is_fixed; /* The graph says what its bytes mean, in `fixed`. */
    struct pl_q_scale fixed;
    int rank;                  /* 0 when the value does not hold floats. */
    int64_t dims[PL_MAX_RANK]; /* The largest size of each axis in all sets. */
};

/* Runs g on the sets and fills ret[0..g->n_values). */
PL_MUST_USE platen_status pl_quant_ranges(const struct pl_ir *g, const struct pl_kernels *k,
                                          const struct pl_quant_sets *sets, double percentile,
                                          struct pl_range *ret, struct platen_error *err);

/* Makes g, a graph that was quantised elsewhere, compute in floats: QuantizeLinear and
 * DequantizeLinear by constant scales, QLinearConv and QLinearMatMul are taken out. What they say
 * of values is in *ret, which lies in the graph's memory. *ret_n is 0, and g unchanged, when the
 * graph says nothing, or something that our bytes cannot follow. */
PL_MUST_USE platen_status pl_quant_explicit(struct pl_ir *g, struct pl_quant_fixed **ret,
                                            size_t *ret_n, struct platen_error *err);

/* Makes g compute in bytes. All passes but `fuse`, which may follow, ran before. PLATEN_ERR_ARG for
 * a name in o->keep_float that no node has. */
PL_MUST_USE platen_status pl_quantize(struct pl_ir *g, const struct pl_kernels *k,
                                      const struct pl_quant_options *o,
                                      const struct pl_quant_sets *sets, struct platen_error *err);

/* Stores the constant weights of g, a network of floats behind all its passes, as float16: files
 * get smaller, results are those of the rounded weights. Tables that FusedEmbedding alone reads
 * stay float16 when they are read. */
PL_MUST_USE platen_status pl_quant_store(struct pl_ir *g, struct platen_error *err);

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
