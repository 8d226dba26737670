/* SPDX-License-Identifier: BSD-2-Clause */
/* Floats of 16 bits (IEEE 754 binary16). */
#ifndef PL_BASE_HALF_H
#define PL_BASE_HALF_H

#include <stdint.h>
#include <string.h>

/* Subnormals, infinities and NaN included; exact. */
static inline float pl_f16_to_f32(uint16_t h)
{
    uint32_t sign = (uint32_t)(h & 0x8000) << 16, e = (h >> 10) & 31, m = h & 0x3ff, bits;
    float f;
    if (e == 0) { /* m * 2^-24 is exact */
        f = (float)m * 0x1p-24f;
        memcpy(&bits, &f, 4);
        bits |= sign;
    } else {
        bits = sign | (e == 31 ? 0x7f800000u : (e + 112) << 23) | m << 13;
    }
    memcpy(&f, &bits, 4);
    return f;
}

#endif
