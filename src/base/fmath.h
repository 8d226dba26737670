/* SPDX-License-Identifier: BSD-2-Clause */
/* Exponential and logarithm of floats in fixed operations: libm picks its code by the processor,
 * and its last bit with it. Polynomials of Cephes (Moshier), error below 2 ulp. */
#ifndef PL_BASE_FMATH_H
#define PL_BASE_FMATH_H

#include <stdint.h>
#include <string.h>

/* e^x; 0 below -87, e^88 above 88. No NaN. */
static inline float pl_expf(float x)
{
    if (x < -87)
        return 0;
    x = x > 88 ? 88 : x;
    float n = (x * 1.44269504f + 12582912.f) - 12582912.f; /* rounds to an integer */
    float r = x - n * 0.693359375f - n * -2.12194440e-4f;
    float p = 1.9875691500e-4f;
    p = p * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    float y = p * r * r + r + 1;
    int32_t bits;
    memcpy(&bits, &y, sizeof(bits));
    bits += (int32_t)n * (1 << 23);
    memcpy(&y, &bits, sizeof(y));
    return y;
}

/* Natural logarithm of a positive normal number. */
static inline float pl_logf(float x)
{
    int32_t bits;
    memcpy(&bits, &x, sizeof(bits));
    int32_t e = (bits >> 23) - 126;
    bits = (bits & 0x007fffff) | 0x3f000000; /* 0.5 <= m < 1 */
    float m;
    memcpy(&m, &bits, sizeof(m));
    if (m < 0.707106781f) {
        e--;
        m += m;
    }
    m -= 1;
    float p = 7.0376836292e-2f;
    p = p * m - 1.1514610310e-1f;
    p = p * m + 1.1676998740e-1f;
    p = p * m - 1.2420140846e-1f;
    p = p * m + 1.4249322787e-1f;
    p = p * m - 1.6668057665e-1f;
    p = p * m + 2.0000714765e-1f;
    p = p * m - 2.4999993993e-1f;
    p = p * m + 3.3333331174e-1f;
    float z = m * m, y = p * m * z + (float)e * -2.12194440e-4f - 0.5f * z;
    return m + y + (float)e * 0.693359375f;
}

#endif
