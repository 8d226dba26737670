/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks and statistics for normalizations. */
#ifndef PL_NN_OP_OP_NORM_H
#define PL_NN_OP_OP_NORM_H

#include "nn/operators.h"

/* Wants every input to be float32. */
PL_MUST_USE platen_status pl_norm_need_f32(const struct pl_call *c);
/* Wants input i, where it is given, to have n elements. */
PL_MUST_USE platen_status pl_norm_need_count(const struct pl_call *c, uint32_t i, int64_t n);

#endif
