/* SPDX-License-Identifier: BSD-2-Clause */
/* How a warped row falls into parts: what needs no test of the border, and what is border alone. */
#ifndef PL_SIMD_WARP_SPAN_H
#define PL_SIMD_WARP_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "simd/pixel_scalar.h"

/* A row is flat when its samples follow the source pixels one by one, leaving that rhythm and the
 * source row no more often than every seventh sample: turns up to 7.6 degrees. */
#define PL_WARP_FLAT_STEP 9362

/* The arguments of warp_row. */
struct pl_warp {
    const uint8_t *src;
    size_t stride;
    int32_t width, height;
    int64_t x, y, dx, dy;
    uint8_t border;
};

/* Samples [from, to), all neighbours inside. */
typedef void pl_warp_inside_fn(const struct pl_warp *w, uint8_t *dst, size_t from, size_t to);

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

/* The i of [*lo, *hi) with a neighbour inside; the others are border. */
static inline void pl_warp_touching(const struct pl_warp *w, int64_t *lo, int64_t *hi)
{
    pl_warp_clip(w->x + 65536, w->dx, w->width, lo, hi);
    pl_warp_clip(w->y + 65536, w->dy, w->height, lo, hi);
    if (*lo >= *hi)
        *lo = *hi = 0;
}

/* The i of [*lo, *hi) whose four neighbours lie inside; an empty range at *hi when there are none.
 */
static inline void pl_warp_inside(const struct pl_warp *w, int64_t *lo, int64_t *hi)
{
    int64_t end = *hi;
    bool room = w->width >= 2 && w->height >= 2;
    if (room) {
        pl_warp_clip(w->x, w->dx, w->width - 2, lo, hi);
        pl_warp_clip(w->y, w->dy, w->height - 2, lo, hi);
    }
    if (!room || *lo >= *hi)
        *lo = *hi = end;
}

/* Samples [from, to) by the scalar body. */
static inline void pl_warp_plain(const struct pl_warp *w, uint8_t *dst, size_t from, size_t to)
{
    pl_warp_row_scalar(dst + from, to - from, w->src, w->stride, w->width, w->height,
                       w->x + (int64_t)from * w->dx, w->y + (int64_t)from * w->dy, w->dx, w->dy,
                       w->border);
}

static inline void pl_warp_parts(const struct pl_warp *w, uint8_t *dst, size_t n,
                                 pl_warp_inside_fn *inside)
{
    int64_t first = 0, end = (int64_t)n;
    pl_warp_touching(w, &first, &end);
    int64_t lo = first, hi = end;
    pl_warp_inside(w, &lo, &hi);
    memset(dst, w->border, (size_t)first);
    pl_warp_plain(w, dst, (size_t)first, (size_t)lo);
    inside(w, dst, (size_t)lo, (size_t)hi);
    pl_warp_plain(w, dst, (size_t)hi, (size_t)end);
    memset(dst + end, w->border, n - (size_t)end);
}

static inline int64_t pl_warp_magnitude(int64_t v)
{
    return v < 0 ? -v : v;
}

static inline bool pl_warp_is_flat(const struct pl_warp *w)
{
    return pl_warp_magnitude(w->dx - 65536) + pl_warp_magnitude(w->dy) <= PL_WARP_FLAT_STEP;
}

/* Steps of a coordinate within its cell of 16 bits. */
struct pl_warp_cell {
    int64_t step;
    uint64_t inverse; /* of the step's magnitude, in 1 / 2^32, rounded up */
};

static inline struct pl_warp_cell pl_warp_cell(int64_t step)
{
    uint64_t size = (uint64_t)pl_warp_magnitude(step);
    return (struct pl_warp_cell){step, size ? (UINT64_C(1) << 32) / size + 1 : 0};
}

/* How often the step, of less than 16 bits, can be added to `at` before its whole part changes,
 * plus one; at most limit. The product is the exact quotient: its error is below 2^-16, and the
 * quotient is further than that from the next integer. */
static inline size_t pl_warp_steady(int64_t at, const struct pl_warp_cell *c, size_t limit)
{
    uint64_t fraction = (uint64_t)at & 65535;
    if (c->step == 0)
        return limit;
    size_t run = ((c->step > 0 ? 65535 - fraction : fraction) * c->inverse >> 32) + 1;
    return run < limit ? run : limit;
}

#endif
