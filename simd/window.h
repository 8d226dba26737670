/* SPDX-License-Identifier: BSD-2-Clause */
/* Window sums along a row, for the local thresholds: sliding, and by prefix sums for the vector
 * levels.
 */
#ifndef PL_SIMD_WINDOW_H
#define PL_SIMD_WINDOW_H

#include <stddef.h>
#include <stdint.h>

/* Sums v[max(0, i - r) .. min(n - 1, i + r)] as i rises by one from 0. */
struct pl_slide {
    size_t lo, hi; /* columns inside: [lo, hi) */
    uint32_t total;
};

static inline void pl_slide_to(struct pl_slide *s, const uint32_t *v, size_t n, size_t i,
                               uint32_t r)
{
    size_t lo = i > r ? i - r : 0, hi = n - i > r + (size_t)1 ? i + r + 1 : n;
    for (; s->hi < hi; s->hi++)
        s->total += v[s->hi];
    for (; s->lo < lo; s->lo++)
        s->total -= v[s->lo];
}

#define PL_WINDOW_BLOCK 2048 /* output columns at a time */
#define PL_WINDOW_MAX_R 256  /* a larger radius goes to the scalar body */
#define PL_WINDOW_PREFIX (PL_WINDOW_BLOCK + 2 * PL_WINDOW_MAX_R + 1)

#endif
