/* SPDX-License-Identifier: BSD-2-Clause */
/* Measures how far the results of one network lie from those of another. */
#ifndef PL_COMPILE_COMPARE_H
#define PL_COMPILE_COMPARE_H

#include "base/status.h"
#include "nn/tensor.h"

/* Sums over elements, of any number of tensors. */
struct pl_error_sums {
    double n, noise, signal;      /* elements, squared errors, squared references */
    double max_error, max_wanted; /* largest error, largest reference, without sign */
    bool is_float;                /* the last tensor of references */
};

/* Adds the errors of got against want. Both are NaN, or the same infinity: no error. PLATEN_ERR_ARG
 * when the shapes differ. */
PL_MUST_USE platen_status pl_error_add(struct pl_error_sums *e, const struct pl_tensor *got,
                                       const struct pl_tensor *want, struct platen_error *err);
/* One element. */
void pl_error_add_one(struct pl_error_sums *e, double got, double want);

double pl_error_mse(const struct pl_error_sums *e);
/* Signal to quantisation noise, 10 log10(sum of squared references / sum of squared errors), in dB;
 * 200 where there is no error, or more. */
double pl_error_sqnr_db(const struct pl_error_sums *e);

#define PL_SQNR_MAX_DB 200.0

#endif
