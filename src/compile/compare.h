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
    bool is_no_mask;              /* Some tensor of references was no map of numbers from 0 to 1. */
    double both, either; /* Elements that both, that one at least have above PL_MASK_LEVEL. */
};

/* What a map of the probability of text marks: the threshold of operation `db`. */
#define PL_MASK_LEVEL 0.3

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

/* Of a map of probabilities, [n, 1, rows, columns], the share of what either marks that both mark
 * (intersection over union); NAN where this is no such map, or nothing is marked. */
double pl_error_mask_iou(const struct pl_error_sums *e);

#endif
