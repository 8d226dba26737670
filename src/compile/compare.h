/* SPDX-License-Identifier: BSD-2-Clause */
/* Measures how far the results of one network lie from those of another. */
#ifndef PL_COMPILE_COMPARE_H
#define PL_COMPILE_COMPARE_H

#include "base/status.h"
#include "nn/tensor.h"

/* Sums over elements, of any number of tensors. */
struct pl_error_sums {
    double n;                     /* The number of elements. */
    double noise, signal;         /* The sums of squared errors and of squared references. */
    double max_error, max_wanted; /* The largest error and the largest reference, without sign. */
    bool is_float;                /* The last tensor of references held floats. */
};

/* Adds the errors of got against want. Two elements that are both NaN, or the same infinity, have
 * no error. PLATEN_ERR_ARG when the shapes differ. */
PL_MUST_USE platen_status pl_error_add(struct pl_error_sums *e, const struct pl_tensor *got,
                                       const struct pl_tensor *want, struct platen_error *err);
/* Adds the error of one element. */
void pl_error_add_one(struct pl_error_sums *e, double got, double want);

/* Returns the mean of the squared errors. */
double pl_error_mse(const struct pl_error_sums *e);
/* Returns the ratio of signal to quantisation noise, 10 log10(signal / noise), in dB; at most
 * PL_SQNR_MAX_DB, which stands for no error, too. */
double pl_error_sqnr_db(const struct pl_error_sums *e);

#define PL_SQNR_MAX_DB 200.0

#endif
