/* SPDX-License-Identifier: BSD-2-Clause */
/* The check of what an import is about to write. */
#ifndef PL_MODELS_NETWORK_CHECK_H
#define PL_MODELS_NETWORK_CHECK_H

#include "base/text.h"
#include "compile/quant.h"
#include "nn/graph_file.h"
#include "simd/kernels.h"

struct pl_network_check {
    const char *onnx;
    /* opens the ONNX file as it is imported, its nodes as they stand */
    platen_status (*open)(const void *job, struct pl_network **ret, struct platen_error *err);
    const void *job;
    const struct pl_kernels *kernels;
    struct pl_quant_sets
        sets;              /* n = 0: the check makes inputs itself, for networks of usual size */
    size_t n_values;       /* of the network */
    struct pl_str *result; /* gets one line with the figure, or with why there is none */
};

#define PL_NETWORK_MADE_SIZE 64 /* of an axis that may vary, but the first, for checks */

/* Gives *ret the declared shape of an input, without data. Of the sizes that may vary the first,
 * the number of pictures, is 1, and the others are `size`. Returns false where the shape is not
 * known. */
bool pl_network_input_shape(const struct pl_tensor *declared, int64_t size, struct pl_tensor *ret);
/* Makes one set of inputs of such shapes, of numbers that look random and are the same each time.
 * PLATEN_ERR_ARG where a shape is not known or too large. */
PL_MUST_USE platen_status pl_network_make_inputs(const struct pl_ir *g, int64_t size,
                                                 struct pl_arena *arena, struct pl_quant_sets *ret,
                                                 struct platen_error *err);

/* Runs g and `against` on the sets; sums[i] collects the error of output i. */
PL_MUST_USE platen_status pl_network_compare(const struct pl_ir *g, const struct pl_ir *against,
                                             const struct pl_kernels *k,
                                             const struct pl_quant_sets *sets,
                                             struct pl_error_sums *sums, struct platen_error *err);

/* Opens the model file data[0..n) and compares its results with those of the ONNX file, whose every
 * node is run as it stands. An error where they are too far apart, or where the model file fails on
 * what the ONNX file does; `ctx` is a struct pl_network_check. */
PL_MUST_USE platen_status pl_network_check(void *ctx, const void *data, size_t n,
                                           struct platen_error *err);

#endif
