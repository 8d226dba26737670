/* SPDX-License-Identifier: BSD-2-Clause */
/* Rounding to integers, for the operators on integers with scales. */
#ifndef PL_NN_OP_REFERENCE_REF_QUANT_H
#define PL_NN_OP_REFERENCE_REF_QUANT_H

#include "nn/operators.h"

/* y[i] = v rounded to nearest even, plus zero, limited to the range of y's type. */
void pl_quantize_into(const struct pl_tensor *y, size_t i, double v, int64_t zero);

#endif
