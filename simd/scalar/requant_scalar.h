/* SPDX-License-Identifier: BSD-2-Clause */
/* How the scalar kernels turn a sum into a byte: the law of struct pl_requant. */
#ifndef PL_SIMD_REQUANT_SCALAR_H
#define PL_SIMD_REQUANT_SCALAR_H

#include <string.h>

#include "simd/qgemm.h"

/* Round to nearest even for |f| < 2^22: the sum's last place is 1, so the addition itself rounds.
 */
static inline int32_t round_even(float f)
{
    float shifted = f + 12582912.0f; /* 1.5 * 2^23 */
    int32_t bits;
    memcpy(&bits, &shifted, sizeof(bits));
    return bits - 0x4b400000;
}

/* From the limits on: what becomes of f. */
static inline uint8_t limit(float f, int32_t zero)
{
    const float hi = (float)(255 - zero), lo = (float)-zero;
    f = f < hi ? f : hi;
    f = f > lo ? f : lo;
    return (uint8_t)(round_even(f) + zero);
}

static inline uint8_t requantize(int32_t acc, float scale, const struct pl_requant *q, size_t px,
                                 size_t c)
{
    float f = (float)acc * scale;
    if (q->residual) {
        int32_t r = q->residual[px * q->residual_step + c] - q->residual_zero;
        f = f + (float)r * q->residual_scale;
    }
    return limit(f, q->zero);
}

#endif
