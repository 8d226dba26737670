/* SPDX-License-Identifier: BSD-2-Clause */
/* fma(a, b, c): a * b + c, rounded once, for levels whose processors may have no such instruction.
 * The product of two floats is exact in double; the sum is rounded to odd there, so that rounding
 * it to float a second time does no harm (Boldo and Melquiond, IEEE Transactions on Computers 57,
 * 2008). */
#ifndef PL_SIMD_FMA_H
#define PL_SIMD_FMA_H

#include <stdint.h>
#include <string.h>

static inline float pl_fma(float a, float b, float c)
{
#if defined(PL_PLAIN_ISA) && defined(__FP_FAST_FMAF) /* a compiler may take the instruction */
    return __builtin_fmaf(a, b, c);
#else
    const double p = (double)a * (double)b, s = p + (double)c;
    const double part = s - p, e = (p - (s - part)) + ((double)c - part);
    uint64_t bits;
    double odd;
    memcpy(&bits, &s, sizeof(bits));
    if ((e > 0 || e < 0) && !(bits & 1)) /* neither holds for the e of an infinite s */
        bits += (e > 0) == (s > 0) ? 1 : UINT64_MAX;
    memcpy(&odd, &bits, sizeof(odd));
    return (float)odd;
#endif
}

#endif
