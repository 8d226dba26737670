/* SPDX-License-Identifier: BSD-2-Clause */
/* Kernels of the pixel family beside plain loops: the scalar bodies as they are (-O2, no vectors)
 * and compiled once more at -O3 for each ISA, and memcpy. In L1 and in L2; times scalar, the
 * quickest quarter of the rounds. bench/plain/run builds and runs it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/figures.h"
#include "simd/kernels.h"

#define WIDTH 2048
#define ROUNDS 25
#define SLICE 400000 /* pixels */

#define LEVELS(X) X(sse42) X(avx2) X(avx512)
#define DECLARE(isa)                                                                               \
    void pl_plain_init_##isa(struct pl_kernels *k);                                                \
    void pl_pixel_init_##isa(struct pl_kernels *k);                                                \
    void pl_filter_init_##isa(struct pl_kernels *k);
LEVELS(DECLARE)
void pl_pixel_init_scalar(struct pl_kernels *k);
void pl_pixel_init_avx512vnni(struct pl_kernels *k);

static uint8_t *src, *out;
static uint8_t *flat, *page; /* of one grey; four of five neighbours equal, and words */

typedef void row_fn(const struct pl_kernels *k, int y);

static uint8_t *out_row(int y)
{
    return out + (size_t)y * WIDTH;
}

static float *out_reals(int y)
{
    return (float *)(void *)out + (size_t)y * WIDTH;
}

static const uint8_t *row(int y)
{
    return src + (size_t)y * WIDTH;
}

#define ROW(name) static void name(const struct pl_kernels *k, int y)
ROW(gray_rgb)
{
    k->gray_rgb(out_row(y), src + (size_t)(3 * y) * WIDTH, WIDTH);
}
ROW(gray_rgba)
{
    k->gray_rgba(out_row(y), src + (size_t)(4 * y) * WIDTH, WIDTH);
}
ROW(invert_u8)
{
    k->invert_u8(out_row(y), row(y), WIDTH);
}
ROW(threshold_u8)
{
    k->threshold_u8(out_row(y), row(y), WIDTH, 128);
}
/* Two rows at a time. */
static void hist_of(const struct pl_kernels *k, const uint8_t *picture, int y)
{
    if (y % 2 == 0)
        k->hist_u8((uint32_t *)(void *)out, picture + (size_t)y * WIDTH, WIDTH, WIDTH, 2);
}
ROW(hist_u8_noise)
{
    hist_of(k, src, y);
}
ROW(hist_u8_flat)
{
    hist_of(k, flat, y);
}
ROW(hist_u8_page)
{
    hist_of(k, page, y);
}
ROW(norm_u8_f32)
{
    k->norm_u8_f32(out_reals(y), row(y), WIDTH, 200.f, 1 / 60.f);
}
ROW(colsum_u8)
{
    uint32_t *sum = (uint32_t *)(void *)out;
    k->colsum_u8(sum, sum + WIDTH, row(y), row(y + 1), WIDTH);
}
ROW(resize_rows)
{
    static const int16_t weights[4] = {2048, 6144, 6144, 2048};
    const uint8_t *rows[4] = {row(y), row(y + 1), row(y + 2), row(y + 3)};
    k->resize_rows(out_row(y), rows, weights, 4, WIDTH);
}
ROW(copy)
{
    (void)k;
    memcpy(out_row(y), row(y), WIDTH);
}

static const struct {
    const char *name;
    row_fn *run;
} cases[] = {
#define CASE(name)                                                                                 \
    {                                                                                              \
#name, name                                                                                \
    }
    CASE(gray_rgb),      CASE(gray_rgba),    CASE(invert_u8),    CASE(threshold_u8),
    CASE(hist_u8_noise), CASE(hist_u8_flat), CASE(hist_u8_page), CASE(norm_u8_f32),
    CASE(colsum_u8),     CASE(resize_rows),  CASE(copy),
};

/* ns per pixel. */
static double slice(row_fn *run, const struct pl_kernels *k, int rows)
{
    size_t n = 0;
    double start = cpu_seconds();
    for (; n < SLICE; n += (size_t)rows * WIDTH)
        for (int y = 0; y < rows; y++)
            run(k, y);
    return (cpu_seconds() - start) * 1e9 / (double)n;
}

enum { SCALAR, PLAIN_SSE42, PLAIN_AVX2, PLAIN_AVX512, SSE42, AVX2, AVX512, AVX512VNNI, ENTRANTS };

static void compare(const char *name, row_fn *run, const struct pl_kernels k[ENTRANTS], int rows)
{
    double ns[ENTRANTS][ROUNDS], scalar = 0;
    for (int r = 0; r < ROUNDS; r++)
        for (int i = 0; i < ENTRANTS; i++)
            ns[i][r] = slice(run, &k[i], rows);
    printf("| %s | %s |", name, rows == 2 ? "L1" : "L2");
    for (int i = 0; i < ENTRANTS; i++) {
        sort_figures(ns[i], ROUNDS);
        double t = ns[i][ROUNDS / 4];
        scalar = i ? scalar : t;
        printf(i ? " %.1f |" : " %.4f |", i ? scalar / t : t);
    }
    printf("\n");
    fflush(stdout);
}

int main(void)
{
    enum { BYTES = 1 << 20 };
    struct pl_kernels k[ENTRANTS];
    src = aligned_alloc(64, BYTES);
    out = aligned_alloc(64, BYTES);
    flat = aligned_alloc(64, BYTES);
    page = aligned_alloc(64, BYTES);
    if (!src || !out || !flat || !page)
        return 1;
    for (size_t i = 0; i < BYTES; i++)
        src[i] = (uint8_t)(rand() >> 8);
    memset(flat, 255, BYTES);
    for (size_t i = 0; i < BYTES; i++)
        page[i] = (uint8_t)((i / WIDTH % 10 < 4 && i / 7 % 3 == 0 ? 40 : 240) +
                            (src[i] < 224 ? 15 : src[i] & 15));
    for (int i = 0; i < ENTRANTS; i++)
        pl_pixel_init_scalar(&k[i]);
    pl_plain_init_sse42(&k[PLAIN_SSE42]);
    pl_plain_init_avx2(&k[PLAIN_AVX2]);
    pl_plain_init_avx512(&k[PLAIN_AVX512]);
#define INSTALL(isa)                                                                               \
    pl_pixel_init_##isa(&k[i]);                                                                    \
    pl_filter_init_##isa(&k[i]);
    for (int i = SSE42; i < ENTRANTS; i++) {
        INSTALL(sse42)
        if (i >= AVX2) {
            INSTALL(avx2)
        }
        if (i >= AVX512) {
            INSTALL(avx512)
        }
        if (i == AVX512VNNI)
            pl_pixel_init_avx512vnni(&k[i]);
    }
    printf(
        "| kernel | in | scalar ns | -O3 sse42 | -O3 avx2 | -O3 avx512 | sse42 | avx2 | avx512 | "
        "avx512vnni |\n|---|---|---|---|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        compare(cases[i].name, cases[i].run, k, 2);
        compare(cases[i].name, cases[i].run, k, 32);
    }
    return 0;
}
