/* SPDX-License-Identifier: BSD-2-Clause */
#include "image/range.h"

#include <assert.h>

#include "base/attr.h"

#define MIN_RANGE 24.0

uint8_t pl_gray_rank(const uint32_t hist[256], uint64_t k)
{
    uint64_t below = 0;
    for (int v = 0; v < 255; v++)
        if ((below += hist[v]) > k)
            return (uint8_t)v;
    return 255;
}

void pl_gray_range(const uint32_t hist[256], uint64_t n, double *ret_lo, double *ret_hi)
{
    assert(n > 0);
    /* as floating-point numbers, since the training does so */
    double lo = pl_gray_rank(hist, (uint64_t)(.01 * (double)n));
    double hi = pl_gray_rank(hist, PL_MIN(n - 1, (uint64_t)(.97 * (double)n)));
    if (hi - lo < MIN_RANGE) {
        double middle = (lo + hi) / 2;
        lo = middle - MIN_RANGE / 2;
        hi = middle + MIN_RANGE / 2;
    }
    *ret_lo = lo;
    *ret_hi = hi;
}
