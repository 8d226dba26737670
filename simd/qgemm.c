/* SPDX-License-Identifier: BSD-2-Clause */
#include "simd/qgemm.h"

/* Largest sum, in magnitude, of the positive or of the negative ones of the weights that meet in a
 * 16-bit lane: 0, 1, 4, 5 and 2, 3, 6, 7 of eight inputs of a channel; b is a where there are only
 * four. */
static int widest_lane(const int8_t *a, const int8_t *b)
{
    int widest = 0;
    for (int i = 0; i < 4 * PL_QGEMM_BLOCK; i += 2) {
        int16_t v[4] = {a[i], a[i + 1], a == b ? 0 : b[i], a == b ? 0 : b[i + 1]};
        int16_t positive = 0, negative = 0;
        for (int j = 0; j < 4; j++) {
            positive += v[j] > 0 ? v[j] : 0;
            negative += v[j] < 0 ? v[j] : 0;
        }
        widest = positive > widest ? positive : widest;
        widest = -negative > widest ? -negative : widest;
    }
    return widest;
}

bool pl_qgemm_is_narrow(const int8_t *weights, size_t n_oc, size_t runs, size_t run_bytes)
{
    const size_t group = 4 * PL_QGEMM_BLOCK, n = (n_oc + PL_QGEMM_BLOCK - 1) / PL_QGEMM_BLOCK;
    for (size_t run = 0; run < n * runs; run++)
        for (size_t k = 0; k < run_bytes; k += 8) {
            const int8_t *a = weights, *b = k + 4 < run_bytes ? a + group : a;
            if (widest_lane(a, b) > PL_QGEMM_NARROW)
                return false;
            weights = b + group;
        }
    return true;
}

bool pl_qgemm_is_paired(const int8_t *weights, size_t n_oc, size_t k)
{
    const size_t n = (n_oc + PL_QGEMM_BLOCK - 1) / PL_QGEMM_BLOCK * PL_QGEMM_BLOCK * k;
    int widest = 0;
    for (size_t i = 0; i < n; i += 2) {
        const int a = weights[i], b = weights[i + 1];
        const int positive = (a > 0 ? a : 0) + (b > 0 ? b : 0), sum = a + b;
        const int more = positive - sum; /* of the negative ones */
        widest = positive > widest ? positive : widest;
        widest = more > widest ? more : widest;
    }
    return widest <= PL_QGEMM_NARROW;
}

bool pl_qgemm_has_half_block(const int8_t *weights, size_t n_oc, size_t k)
{
    const size_t blocks = (n_oc + PL_QGEMM_BLOCK - 1) / PL_QGEMM_BLOCK;
    const int8_t *last = weights + (blocks - 1) * PL_QGEMM_BLOCK * k;
    int8_t any = 0;
    for (size_t at = 0; at < k; at += 4)
        for (size_t i = 2 * PL_QGEMM_BLOCK; i < 4 * PL_QGEMM_BLOCK; i++)
            any |= last[at * PL_QGEMM_BLOCK + i];
    return !any;
}
