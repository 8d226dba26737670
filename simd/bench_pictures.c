/* SPDX-License-Identifier: BSD-2-Clause */
/* One case for each kernel of pictures: arguments as the operations of platen give them. */
#include "simd/kernel_bench.h"

#define EACH_ROW(d, y) for (size_t y = 0; y < (d)->height; y++)

static uint8_t *out_row(const struct pl_bench_data *d, size_t y)
{
    return (uint8_t *)d->out + y * d->width;
}

static float *out_reals(const struct pl_bench_data *d, size_t y)
{
    return (float *)d->out + y * d->width;
}

static const uint8_t *row(const struct pl_bench_data *d, size_t y)
{
    return d->px + y * d->width;
}

size_t pl_bench_gray_rgb(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    EACH_ROW(d, y) k->gray_rgb(out_row(d, y), d->px + 3 * y * d->width, d->width);
    return pl_bench_area(d);
}

size_t pl_bench_gray_rgba(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    EACH_ROW(d, y) k->gray_rgba(out_row(d, y), d->px + 4 * y * d->width, d->width);
    return pl_bench_area(d);
}

size_t pl_bench_rgb_rgba(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    EACH_ROW(d, y)
    k->rgb_rgba((uint8_t *)d->out + 3 * y * d->width, d->px + 4 * y * d->width, d->width);
    return pl_bench_area(d);
}

size_t pl_bench_invert_u8(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    EACH_ROW(d, y) k->invert_u8(out_row(d, y), row(d, y), d->width);
    return pl_bench_area(d);
}

size_t pl_bench_threshold_u8(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    EACH_ROW(d, y) k->threshold_u8(out_row(d, y), row(d, y), d->width, 128);
    return pl_bench_area(d);
}

size_t pl_bench_hist_u8(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    uint32_t hist[256] = {0};
    k->hist_u8(hist, d->px, d->width, d->width, d->height);
    return pl_bench_area(d);
}

/* The packed bits of row y are where a picture of 1 bpp would have them, and the same in px. */
static const uint8_t *bits_row(const struct pl_bench_data *d, size_t y)
{
    return d->px + y * ((d->width + 7) / 8);
}

size_t pl_bench_threshold_bits(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    EACH_ROW(d, y)
    k->threshold_bits((uint8_t *)d->out + y * ((d->width + 7) / 8), row(d, y), d->width, 128);
    return pl_bench_area(d);
}

size_t pl_bench_unpack_bits(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    EACH_ROW(d, y) k->unpack_bits(out_row(d, y), bits_row(d, y), d->width, 255, 0);
    return pl_bench_area(d);
}

size_t pl_bench_count_bits(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    size_t *ret = d->out;
    EACH_ROW(d, y) ret[y] = k->count_bits(bits_row(d, y), d->width);
    return pl_bench_area(d);
}

size_t pl_bench_colsum_bits(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    EACH_ROW(d, y) k->colsum_bits(d->out, bits_row(d, y), d->width);
    return pl_bench_area(d);
}

size_t pl_bench_sum_u8(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    uint64_t *ret = d->out;
    EACH_ROW(d, y) ret[y] = k->sum_u8(row(d, y), d->width);
    return pl_bench_area(d);
}

size_t pl_bench_dilate_bits(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    EACH_ROW(d, y) k->dilate_bits(d->out, bits_row(d, y), d->width, 7, 7);
    return pl_bench_area(d);
}

size_t pl_bench_erode_bits(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    EACH_ROW(d, y) k->erode_bits(d->out, bits_row(d, y), d->width, 7, 7);
    return pl_bench_area(d);
}

#define NEIGHBOURS(d, y) row(d, y), row(d, y + 1), row(d, y + 2), row(d, y + 3), row(d, y + 4)

size_t pl_bench_or_u8(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    EACH_ROW(d, y)
    {
        const uint8_t *rows[] = {NEIGHBOURS(d, y)};
        k->or_u8(out_row(d, y), rows, 2, d->width);
    }
    return pl_bench_area(d);
}

size_t pl_bench_and_u8(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    EACH_ROW(d, y)
    {
        const uint8_t *rows[] = {NEIGHBOURS(d, y)};
        k->and_u8(out_row(d, y), rows, 2, d->width);
    }
    return pl_bench_area(d);
}

size_t pl_bench_max_u8(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    EACH_ROW(d, y)
    {
        const uint8_t *rows[] = {NEIGHBOURS(d, y)};
        k->max_u8(out_row(d, y), rows, 2, d->width);
    }
    return pl_bench_area(d);
}

size_t pl_bench_min_u8(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    EACH_ROW(d, y)
    {
        const uint8_t *rows[] = {NEIGHBOURS(d, y)};
        k->min_u8(out_row(d, y), rows, 2, d->width);
    }
    return pl_bench_area(d);
}

size_t pl_bench_median3_row(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    EACH_ROW(d, y)
    {
        const uint8_t *rows[] = {NEIGHBOURS(d, y)};
        k->median3_row(out_row(d, y), rows, d->width);
    }
    return pl_bench_area(d);
}

size_t pl_bench_binomial5_row(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    EACH_ROW(d, y)
    {
        const uint8_t *rows[] = {NEIGHBOURS(d, y)};
        k->binomial5_row(out_row(d, y), rows, d->width);
    }
    return pl_bench_area(d);
}

size_t pl_bench_norm_u8_f32(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    EACH_ROW(d, y) k->norm_u8_f32(out_reals(d, y), row(d, y), d->width, 200.f, 1 / 60.f);
    return pl_bench_area(d);
}

size_t pl_bench_lut_u8(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    uint8_t lut[256];
    for (size_t i = 0; i < 256; i++)
        lut[i] = (uint8_t)(i * i >> 8);
    EACH_ROW(d, y) k->lut_u8(out_row(d, y), row(d, y), d->width, lut);
    return pl_bench_area(d);
}

size_t pl_bench_gain_row(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    const uint16_t *gains = (const uint16_t *)d->sum;
    EACH_ROW(d, y) k->gain_row(out_row(d, y), row(d, y), d->width, gains, gains + d->width, 9000);
    return pl_bench_area(d);
}

size_t pl_bench_colsum_u8(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    uint32_t *sum = d->out, *sumsq = sum + d->width;
    EACH_ROW(d, y) k->colsum_u8(sum, sumsq, row(d, y + d->height), row(d, y), d->width);
    return pl_bench_area(d);
}

size_t pl_bench_sauvola_row(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    EACH_ROW(d, y)
    k->sauvola_row(out_row(d, y), row(d, y), d->sum, d->sumsq, d->width, PL_BENCH_WINDOW / 2,
                   PL_BENCH_WINDOW, 0.3f, 128.f);
    return pl_bench_area(d);
}

size_t pl_bench_wolf_row(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    EACH_ROW(d, y)
    k->wolf_row(out_row(d, y), row(d, y), d->sum, d->sumsq, d->width, PL_BENCH_WINDOW / 2,
                PL_BENCH_WINDOW, 0.5f, 40.f, 100.f);
    return pl_bench_area(d);
}

size_t pl_bench_maxvar_row(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    float *ret = d->out;
    EACH_ROW(d, y)
    ret[y] = k->maxvar_row(d->sum, d->sumsq, d->width, PL_BENCH_WINDOW / 2, PL_BENCH_WINDOW);
    return pl_bench_area(d);
}

size_t pl_bench_nick_row(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    EACH_ROW(d, y)
    k->nick_row(out_row(d, y), row(d, y), d->sum, d->sumsq, d->width, PL_BENCH_WINDOW / 2,
                PL_BENCH_WINDOW, -0.2f);
    return pl_bench_area(d);
}

size_t pl_bench_mean_row(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    EACH_ROW(d, y)
    k->mean_row(out_row(d, y), row(d, y), d->sum, d->width, PL_BENCH_WINDOW / 2, PL_BENCH_WINDOW,
                10);
    return pl_bench_area(d);
}

size_t pl_bench_resize_rows(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    static const int16_t weights[4] = {2048, 6144, 6144, 2048};
    EACH_ROW(d, y)
    {
        const uint8_t *rows[4] = {row(d, y), row(d, y + 1), row(d, y + 2), row(d, y + 3)};
        k->resize_rows(out_row(d, y), rows, weights, 4, d->width);
    }
    return pl_bench_area(d);
}

size_t pl_bench_halve_rows(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    EACH_ROW(d, y) k->halve_rows(out_row(d, y), row(d, y), row(d, y + 1), d->width / 2);
    return d->width / 2 * d->height;
}

/* Rows of at most 1275 pixels: half the width of a page. */
size_t pl_bench_resize_cols(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    enum { TAPS = 4, MAX = 1275 };
    static const int16_t taps[TAPS] = {2048, 6144, 6144, 2048};
    int32_t start[MAX];
    int16_t weights[MAX * TAPS];
    size_t n = (d->width - TAPS) / 2 + 1;
    for (size_t i = 0; i < n; i++) {
        start[i] = (int32_t)(2 * i);
        for (size_t j = 0; j < TAPS; j++)
            weights[i * TAPS + j] = taps[j];
    }
    EACH_ROW(d, y) k->resize_cols(out_row(d, y), row(d, y), start, weights, TAPS, n);
    return n * d->height;
}

/* A turn by half a degree, as deskewing asks for. */
size_t pl_bench_warp_row(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    const int64_t cosine = 65534, sine = 572;
    EACH_ROW(d, y)
    k->warp_row(out_row(d, y), d->width, d->px, d->width, (int32_t)d->width, (int32_t)d->height,
                -(int64_t)y * sine, (int64_t)y * cosine, cosine, sine, 255);
    return pl_bench_area(d);
}

size_t pl_bench_transpose_u8(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    k->transpose_u8(d->out, d->height, d->px, d->width, d->width, d->height);
    return pl_bench_area(d);
}

/* Paeth in every row, of grey: the dearest filter, and the most frequent in scans. */
size_t pl_bench_png_unfilter(const struct pl_kernels *k, const struct pl_bench_data *d)
{
    EACH_ROW(d, y)((uint8_t *)d->out)[y * (d->width + 1)] = 4;
    k->png_unfilter(d->out, d->height, d->width, 1, NULL);
    return pl_bench_area(d);
}
