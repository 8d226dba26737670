/* SPDX-License-Identifier: BSD-2-Clause */
#include "compile/compare.h"

#include <math.h>

void pl_error_add_one(struct pl_error_sums *e, double got, double want)
{
    const double d = got == want || (isnan(got) && isnan(want)) ? 0 : fabs(got - want);
    const double size = isfinite(want) ? fabs(want) : 0;
    e->n++;
    /* a NaN is the largest error of all */
    e->max_error = isnan(d) ? INFINITY : d > e->max_error ? d : e->max_error;
    e->max_wanted = size > e->max_wanted ? size : e->max_wanted;
    e->noise += isnan(d) ? INFINITY : d * d;
    e->signal += size * size;
}

static void add_mask(struct pl_error_sums *e, const struct pl_tensor *got,
                     const struct pl_tensor *want)
{
    e->is_no_mask = e->is_no_mask || !e->is_float || want->rank != 4 || want->dims[1] != 1 ||
                    want->dims[2] < 2 || want->dims[3] < 2;
    for (size_t i = 0; !e->is_no_mask && i < pl_tensor_count(want); i++) {
        const double v = pl_tensor_f64(want, i);
        const bool marked = v > PL_MASK_LEVEL, found = pl_tensor_f64(got, i) > PL_MASK_LEVEL;
        e->is_no_mask = !(v >= 0 && v <= 1);
        e->both += marked && found;
        e->either += marked || found;
    }
}

platen_status pl_error_add(struct pl_error_sums *e, const struct pl_tensor *got,
                           const struct pl_tensor *want, struct platen_error *err)
{
    if (!pl_tensor_same_shape(got, want))
        return pl_fail(err, PLATEN_ERR_ARG, "the shapes differ");
    e->is_float = pl_dtype_is_float(want->type);
    for (size_t i = 0; i < pl_tensor_count(want); i++)
        pl_error_add_one(e, pl_tensor_f64(got, i), pl_tensor_f64(want, i));
    add_mask(e, got, want);
    return PLATEN_OK;
}

double pl_error_mse(const struct pl_error_sums *e)
{
    return e->n > 0 ? e->noise / e->n : 0;
}

double pl_error_sqnr_db(const struct pl_error_sums *e)
{
    if (!(e->noise > 0))
        return PL_SQNR_MAX_DB;
    if (!(e->signal > 0))
        return 0;
    return fmin(10 * log10(e->signal / e->noise), PL_SQNR_MAX_DB);
}

double pl_error_mask_iou(const struct pl_error_sums *e)
{
    return e->is_no_mask || !(e->either > 0) ? NAN : e->both / e->either;
}
