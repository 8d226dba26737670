/* The samples of a warped row that need no test of the border. */
#ifndef PL_SIMD_WARP_SPAN_H
#define PL_SIMD_WARP_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A step beyond 64 pixels overflows the 32-bit lanes of a group of sixteen. */
#define PL_WARP_MAX_STEP ((int64_t)64 << 16)

/* Narrows [*lo, *hi) to the i for which 0 <= (start + i * step) >> 16 <= last. */
static inline void pl_warp_clip(int64_t start, int64_t step, int64_t last, int64_t *lo, int64_t *hi)
{
    int64_t top = ((last + 1) << 16) - 1; /* start + i * step must lie in [0, top] */
    if (step < 0) {                       /* mirror: i of the negated walk */
        start = top - start;
        step = -step;
    }
    if (step == 0) {
        if (start < 0 || start > top)
            *hi = *lo;
        return;
    }
    int64_t from = start >= 0 ? 0 : (-start + step - 1) / step;
    int64_t to = start > top ? 0 : (top - start) / step + 1;
    *lo = from > *lo ? from : *lo;
    *hi = to < *hi ? to : *hi;
}

/* The i in [*ret_lo, *ret_hi) whose four neighbours lie inside and whose rows may be read four
 * bytes from the left neighbour on. False when there are none. */
static inline bool pl_warp_span(size_t n, int32_t width, int32_t height, size_t stride_bytes,
                                int64_t x, int64_t y, int64_t dx, int64_t dy, size_t *ret_lo,
                                size_t *ret_hi)
{
    int64_t lo = 0, hi = (int64_t)n;
    if (dx > PL_WARP_MAX_STEP || dx < -PL_WARP_MAX_STEP || dy > PL_WARP_MAX_STEP ||
        dy < -PL_WARP_MAX_STEP || width < 4 || height < 2 || stride_bytes > 1 << 20)
        return false;
    pl_warp_clip(x, dx, width - 4, &lo, &hi);
    pl_warp_clip(y, dy, height - 2, &lo, &hi);
    *ret_lo = (size_t)lo;
    *ret_hi = (size_t)hi;
    return lo < hi;
}

#endif
