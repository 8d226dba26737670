/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows of an affine warp: the neighbours of some hundred samples are laid side by side, row by row
 * where the row runs flat and one by one where it does not, then all are blended at once. Included
 * by one file per ISA after
 *   PL_BYTES                       the register's width
 *   v_interleave(pairs, p)         V_SAMPLES pairs p[i], p[i + 1]
 *   v_blend(dst, top, bottom, fx, fy)  V_SAMPLES samples from as many pairs of two rows; the
 *                                  fractions are in 1 / 128, 16 bits each */
#include "simd/warp_span.h"

#define STRIP 512
/* The next rows of the picture will want what lies below what this one reads. */
#define PREFETCH_ROWS 5

struct warp_strip {
    uint8_t top[2 * STRIP + PL_BYTES], bottom[2 * STRIP + PL_BYTES];
};

static inline void pairs_one_by_one(struct warp_strip *s, const struct pl_warp *w, size_t first,
                                    size_t from, size_t to)
{
    int64_t x = w->x + (int64_t)(first + from) * w->dx, y = w->y + (int64_t)(first + from) * w->dy;
    for (size_t i = from; i < to; i++, x += w->dx, y += w->dy) {
        const uint8_t *p = w->src + (size_t)(y >> 16) * w->stride + (size_t)(x >> 16);
        memcpy(s->top + 2 * i, p, 2);
        memcpy(s->bottom + 2 * i, p + w->stride, 2);
    }
}

/* Successive pixels from p on, `room` of which may be read. Whole groups may reach behind n. */
static inline void pairs_in_a_row(struct warp_strip *s, const struct pl_warp *w, const uint8_t *p,
                                  size_t room, size_t at, size_t n)
{
    size_t i = 0;
    for (; i < n && i + V_SAMPLES < room; i += V_SAMPLES) {
        v_interleave(s->top + 2 * (at + i), p + i);
        v_interleave(s->bottom + 2 * (at + i), p + w->stride + i);
    }
    for (; i < n; i++) {
        memcpy(s->top + 2 * (at + i), p + i, 2);
        memcpy(s->bottom + 2 * (at + i), p + w->stride + i, 2);
    }
}

static void flat_pairs(struct warp_strip *s, const struct pl_warp *w, size_t first, size_t n)
{
    struct pl_warp_cell columns = pl_warp_cell(w->dx - 65536), rows = pl_warp_cell(w->dy);
    size_t same_shift = 0; /* samples up to this one leave the same pixels out, or none */
    for (size_t i = 0, run; i < n; i += run) {
        int64_t x = w->x + (int64_t)(first + i) * w->dx, y = w->y + (int64_t)(first + i) * w->dy;
        size_t column = (size_t)(x >> 16);
        if (i == same_shift)
            same_shift = i + pl_warp_steady(x, &columns, n - i);
        run = pl_warp_steady(y, &rows, same_shift - i);
        const uint8_t *p = w->src + (size_t)(y >> 16) * w->stride + column;
        __builtin_prefetch(p + PREFETCH_ROWS * w->stride);
        pairs_in_a_row(s, w, p, (size_t)w->width - column, i, run);
    }
}

/* 0, step, ... modulo 2^16. */
static inline vu16 ramp(int64_t step)
{
    vu16 v;
    for (int i = 0; i < V_SAMPLES; i++)
        v[i] = (uint16_t)(i * step);
    return v;
}

static void blend_strip(const struct warp_strip *s, const struct pl_warp *w, uint8_t *dst,
                        size_t first, size_t n)
{
    vu16 x = ramp(w->dx) + (uint16_t)(w->x + (int64_t)first * w->dx);
    vu16 y = ramp(w->dy) + (uint16_t)(w->y + (int64_t)first * w->dy);
    uint16_t x_step = (uint16_t)(w->dx * V_SAMPLES), y_step = (uint16_t)(w->dy * V_SAMPLES);
    uint8_t rest[V_SAMPLES];
    size_t i = 0;
    for (; i + V_SAMPLES <= n; i += V_SAMPLES, x += x_step, y += y_step)
        v_blend(dst + i, s->top + 2 * i, s->bottom + 2 * i, x >> 9, y >> 9);
    if (i < n) {
        v_blend(rest, s->top + 2 * i, s->bottom + 2 * i, x >> 9, y >> 9);
        memcpy(dst + i, rest, n - i);
    }
}

static void inside(const struct pl_warp *w, uint8_t *dst, size_t from, size_t to)
{
    struct warp_strip s;
    bool flat = pl_warp_is_flat(w);
    for (size_t first = from; first < to; first += STRIP) {
        size_t n = to - first < STRIP ? to - first : STRIP;
        if (flat)
            flat_pairs(&s, w, first, n);
        else
            pairs_one_by_one(&s, w, first, 0, n);
        memset(s.top + 2 * n, 0, PL_BYTES); /* the last group reads beyond n */
        memset(s.bottom + 2 * n, 0, PL_BYTES);
        blend_strip(&s, w, dst + first, first, n);
    }
}

static void warp_row(uint8_t *dst, size_t n, const uint8_t *src, size_t stride_bytes, int32_t width,
                     int32_t height, int64_t x, int64_t y, int64_t dx, int64_t dy, uint8_t border)
{
    struct pl_warp w = {src, stride_bytes, width, height, x, y, dx, dy, border};
    pl_warp_parts(&w, dst, n, inside);
}
