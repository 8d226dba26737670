/* Window sums along a row, for the box kernels: sliding, and by prefix sums for the vector levels.
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

#define PL_WINDOW_BLOCK 1024 /* output columns at a time */
#define PL_WINDOW_MAX_R 256  /* a larger radius goes to the scalar body */
#define PL_WINDOW_PREFIX (PL_WINDOW_BLOCK + 2 * PL_WINDOW_MAX_R + 1)

/* prefix[j] = the sum of v[first - r .. first - r + j - 1], columns outside 0..n-1 counting
 * nothing, modulo 2^32: the window of output first + i is prefix[i + 2 r + 1] - prefix[i]. */
static inline void pl_window_prefix(uint32_t *prefix, const uint32_t *v, size_t n, size_t first,
                                    size_t count, uint32_t r)
{
    size_t m = count + 2 * (size_t)r; /* values that the windows of this block see */
    size_t skip = first < r ? r - first : 0, from = first + skip - r, j = 0;
    uint32_t total = 0;
    for (; j < skip && j < m; j++)
        prefix[j] = 0;
    size_t inside = n - from < m - j ? n - from : m - j;
    for (size_t u = 0; u < inside; u++, j++) {
        prefix[j] = total;
        total += v[from + u];
    }
    for (; j <= m; j++)
        prefix[j] = total;
}

#endif
