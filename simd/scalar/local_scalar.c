/* SPDX-License-Identifier: BSD-2-Clause */
/* The law of the local thresholds. */
#include "simd/local_scalar.h"

#include <math.h>

#include "simd/window.h"

/* The window around each column in turn. */
struct column_window {
    struct pl_slide s, q;
    float inverse, mean, squares;
};

static void window_to(struct column_window *w, const uint32_t *sum, const uint32_t *sumsq, size_t n,
                      size_t i, uint32_t r, uint32_t rows)
{
    pl_slide_to(&w->s, sum, n, i, r);
    pl_slide_to(&w->q, sumsq, n, i, r);
    w->inverse = 1 / (float)(rows * (uint32_t)(w->s.hi - w->s.lo));
    w->mean = (float)w->s.total * w->inverse;
    w->squares = (float)w->q.total * w->inverse;
}

static float variance(const struct column_window *w)
{
    float var = w->squares - w->mean * w->mean;
    return var > 0 ? var : 0;
}

void pl_sauvola_row_scalar(uint8_t *out, const uint8_t *src, const uint32_t *sum,
                           const uint32_t *sumsq, size_t n, uint32_t r, uint32_t rows, float k,
                           float dynamic)
{
    struct column_window w = {0};
    float base = 1 - k, slope = k / dynamic;
    for (size_t i = 0; i < n; i++) {
        window_to(&w, sum, sumsq, n, i, r, rows);
        float t = w.mean * (base + sqrtf(variance(&w)) * slope);
        out[i] = (float)src[i] > t ? 255 : 0;
    }
}

void pl_wolf_row_scalar(uint8_t *out, const uint8_t *src, const uint32_t *sum,
                        const uint32_t *sumsq, size_t n, uint32_t r, uint32_t rows, float k,
                        float darkest, float max_dev)
{
    struct column_window w = {0};
    float slope = k / max_dev;
    for (size_t i = 0; i < n; i++) {
        window_to(&w, sum, sumsq, n, i, r, rows);
        float t = w.mean - (w.mean - darkest) * (k - sqrtf(variance(&w)) * slope);
        out[i] = (float)src[i] > t ? 255 : 0;
    }
}

float pl_maxvar_row_scalar(const uint32_t *sum, const uint32_t *sumsq, size_t n, uint32_t r,
                           uint32_t rows)
{
    struct column_window w = {0};
    float largest = 0;
    for (size_t i = 0; i < n; i++) {
        window_to(&w, sum, sumsq, n, i, r, rows);
        float var = variance(&w);
        largest = var > largest ? var : largest;
    }
    return largest;
}

void pl_nick_row_scalar(uint8_t *out, const uint8_t *src, const uint32_t *sum,
                        const uint32_t *sumsq, size_t n, uint32_t r, uint32_t rows, float k)
{
    struct column_window w = {0};
    for (size_t i = 0; i < n; i++) {
        window_to(&w, sum, sumsq, n, i, r, rows);
        float spread = w.squares - w.mean * w.mean * w.inverse;
        float t = w.mean + sqrtf(spread > 0 ? spread : 0) * k;
        out[i] = (float)src[i] > t ? 255 : 0;
    }
}

void pl_mean_row_scalar(uint8_t *out, const uint8_t *src, const uint32_t *sum, size_t n, uint32_t r,
                        uint32_t rows, int32_t c)
{
    struct pl_slide s = {0};
    for (size_t i = 0; i < n; i++) {
        pl_slide_to(&s, sum, n, i, r);
        int32_t area = (int32_t)(rows * (uint32_t)(s.hi - s.lo));
        out[i] = (src[i] + c) * area > (int32_t)s.total ? 255 : 0;
    }
}

void pl_local_init_scalar(struct pl_kernels *k);
void pl_local_init_scalar(struct pl_kernels *k)
{
    k->sauvola_row = pl_sauvola_row_scalar;
    k->wolf_row = pl_wolf_row_scalar;
    k->maxvar_row = pl_maxvar_row_scalar;
    k->nick_row = pl_nick_row_scalar;
    k->mean_row = pl_mean_row_scalar;
}
