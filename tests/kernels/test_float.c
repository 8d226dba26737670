/* SPDX-License-Identifier: BSD-2-Clause */
#include <math.h>
#include <string.h>

#include "tests/kernels/tester.h"

/* Floats around zero, with zeros, or the extremes of what activations bring. */
static void fill(struct kt *t, float *p, size_t n, int pattern)
{
    for (size_t i = 0; i < n; i++) {
        const float v = (float)(int32_t)kt_random(t) / 1e9f;
        p[i] = pattern == KT_ZEROS  ? 0
               : pattern == KT_ONES ? ldexpf(v, (int)(kt_random(t) % 40) - 20)
                                    : v;
    }
}

/* |got - want| within so many roundings of the largest sum on the way. */
static void close_to(struct kt *t, double got, double want, double bound, const char *what,
                     size_t a, size_t b)
{
    if (!(fabs(got - want) <= bound))
        kt_fail(t, "%s %zu, %zu is %.9g, not %.9g", what, a, b, got, want);
}

/* A step from row to row of B of 0 is one of about n. */
static void gemm(struct kt *t, size_t m, size_t n, size_t k, size_t step, size_t runs,
                 enum kt_side side, int pattern)
{
    const size_t panels = (m + PL_SGEMM_ROWS - 1) / PL_SGEMM_ROWS * PL_SGEMM_ROWS;
    const size_t b_run = kt_random(t) % (n + 2), c_run = n + kt_random(t) % 2;
    const size_t wide_b = (runs - 1) * b_run + n, wide_c = (runs - 1) * c_run + n;
    const size_t b_step = step ? step : n + kt_random(t) % 3, c_step = wide_c + kt_random(t) % 3;
    const bool overlap = !step && kt_random(t) % 2; /* rows of B are told one by one, and overlap */
    const size_t kb = k ? (overlap ? k - 1 : (k - 1) * b_step) + wide_b : 0;
    const size_t mc = (m - 1) * c_step + wide_c;
    size_t at[200];
    float *a = kt_buf(0, panels * k * 4, side), *b = kt_buf(1, kb * 4, side);
    float *want = kt_buf(2, mc * 4, side), *got = kt_buf(3, mc * 4, side);
    float *row = kt_buf(4, m * 4, side), *column = kt_buf(5, n * 4, side);
    struct pl_sgemm g = {.m = m,
                         .n = n,
                         .k = k,
                         .a = a,
                         .b = b,
                         .b_step = b_step,
                         .c = want,
                         .c_step = c_step,
                         .runs = runs,
                         .b_run = b_run,
                         .c_run = c_run};
    for (size_t l = 0; l < k; l++)
        at[l] = overlap ? k - 1 - l : l * b_step;
    g.b_at = overlap ? at : NULL;
    fill(t, a, panels * k, pattern);
    fill(t, b, kb, pattern);
    fill(t, row, m, pattern);
    fill(t, column, n, pattern);
    memset(want, 0x55, mc * 4);
    memset(got, 0x55, mc * 4);
    const uint32_t bias = kt_random(t) % (runs > 1 ? 2 : 3);
    g.row_bias = bias == 1 ? row : NULL;
    g.col_bias = bias == 2 ? column : NULL;
    t->ref->sgemm(&g);
    g.c = got;
    t->k->sgemm(&g);
    kt_equal(t, want, got, mc * 4, "rows, columns", m, n);
    for (size_t i = 0; i < m; i++)
        for (size_t w = 0; w < runs * n; w++) {
            const size_t r = w / n, j = w % n;
            double sum = bias == 1 ? (double)row[i] : bias == 2 ? (double)column[j] : 0;
            double most = fabs(sum);
            for (size_t l = 0; l < k; l++) {
                const double p =
                    (double)a[(i / 8 * k + l) * 8 + i % 8] * (double)b[at[l] + r * b_run + j];
                sum += p;
                most += fabs(p);
            }
            close_to(t, (double)got[i * c_step + r * c_run + j], sum, most * (double)(k + 1) * 6e-8,
                     "element", i, j);
        }
}

/* A factor, of which two make a little more or less than half the last place of in_doubt(). */
static float half_place(struct kt *t, bool normal)
{
    return ldexpf(kt_random(t) % 2 ? 1 + 0x1p-16f : 1 - 0x1p-16f, normal ? -12 : -75);
}

/* In double, its sum with such a product ends between two floats, and not where it should. */
static float in_doubt(struct kt *t, bool normal)
{
    const int places = (int)(kt_random(t) % (1 << 23));
    return normal ? ldexpf((float)(places + (1 << 23)), -23) : ldexpf((float)places, -149);
}

static void gemm_in_doubt(struct kt *t, size_t n, size_t k, bool normal)
{
    enum { M = 11, PANELS = 16 };
    float *a = kt_buf(0, PANELS * k * 4, 0), *b = kt_buf(1, n * k * 4, 0);
    float *want = kt_buf(2, M * n * 4, 0), *got = kt_buf(3, M * n * 4, 0);
    float *column = kt_buf(4, n * 4, 0);
    const struct pl_sgemm g = {.m = M,
                               .n = n,
                               .k = k,
                               .a = a,
                               .b = b,
                               .b_step = n,
                               .c = got,
                               .c_step = n,
                               .col_bias = column};
    for (size_t i = 0; i < PANELS * k; i++)
        a[i] = half_place(t, normal);
    for (size_t i = 0; i < n * k; i++)
        b[i] = half_place(t, normal);
    for (size_t j = 0; j < n; j++)
        column[j] = in_doubt(t, normal);
    for (size_t i = 0; i < M * n; i++) {
        want[i] = column[i % n];
        for (size_t l = 0; l < k; l++)
            want[i] = fmaf(a[(i / n / 8 * k + l) * 8 + i / n % 8], b[l * n + i % n], want[i]);
    }
    t->k->sgemm(&g);
    kt_equal(t, want, got, M * n * 4, "rounded twice: columns, depth", n, k);
}

void pl_test_sgemm(struct kt *t)
{
    for (size_t n = 1; n < 40; n += 3)
        for (size_t k = 1; k < 4; k++) {
            gemm_in_doubt(t, n, k, true);
            gemm_in_doubt(t, n, k, false);
        }

    static const size_t depths[] = {0, 1, 2, 5, 33};
    size_t n;
    for (size_t i = 0; (n = kt_size(i)) != SIZE_MAX; i++)
        for (size_t m = 1; n && m <= 35 && (n < 130 || m < 3); m += m < 9 ? 1 : 13)
            gemm(t, m, n, depths[kt_random(t) % 5], 0, 1, kt_random(t) % 2,
                 (int)(kt_random(t) % KT_PATTERNS));
    for (size_t m = 1; m < 150; m += 7) /* one column */
        gemm(t, m, 1, 40, 0, 1, kt_random(t) % 2, KT_RANDOM);
    for (size_t k = 1; k < 200; k += 19) /* rows of B in the same sets of a cache */
        gemm(t, 64 + kt_random(t) % 9, 1 + kt_random(t) % 512, k, 512, 1, kt_random(t) % 2,
             KT_RANDOM);
    for (n = 1; n < 20; n++)
        for (size_t runs = 2; runs < 200; runs *= 3)
            gemm(t, 1 + kt_random(t) % 75, n, kt_random(t) % 200, 0, runs, kt_random(t) % 2,
                 KT_RANDOM);
}

/* Taps as a stride leaves them, or, `slides`, as rows. */
static void plane(struct kt *t, size_t width, size_t height, bool slides, enum kt_side side,
                  int pattern)
{
    enum { TAPS = 12 };
    static const size_t across[] = {1, 2, 3, 4, 6, 12};
    const size_t wide = across[kt_random(t) % 6], below = slides ? 0 : kt_random(t) % 3;
    const size_t step = width + wide - 1 + kt_random(t) % 3;
    const size_t n = (height + (TAPS / wide - 1) * (below + 1) - 1) * step + width + wide - 1;
    float *src = kt_buf(0, n * 4, side), *weights = kt_buf(1, TAPS * 4, side);
    float *want = kt_buf(2, width * height * 4, side), *got = kt_buf(3, width * height * 4, side);
    size_t *tap = kt_buf(4, TAPS * sizeof(*tap), side);
    fill(t, src, n, pattern);
    fill(t, weights, TAPS, pattern);
    for (size_t i = 0; i < TAPS; i++)
        tap[i] = i / wide * (below + 1) * step + i % wide;
    const struct pl_sdw d = {.src = src,
                             .weights = weights,
                             .tap = tap,
                             .n_taps = TAPS,
                             .across = slides ? wide : 0,
                             .row_step = step,
                             .width = width,
                             .height = height,
                             .bias = 0.25f};
    t->ref->sdw(want, &d);
    t->k->sdw(got, &d);
    kt_equal(t, want, got, width * height * 4, "width, height", width, height);
    for (size_t i = 0; i < width * height; i++) {
        double sum = (double)d.bias, most = fabs(sum);
        for (size_t k = 0; k < TAPS; k++) {
            const double p =
                (double)weights[k] * (double)src[i / width * step + i % width + tap[k]];
            sum += p;
            most += fabs(p);
        }
        close_to(t, (double)got[i], sum, most * TAPS * 6e-8, "pixel", i, width);
    }
}

void pl_test_sdw(struct kt *t)
{
    size_t width;
    for (size_t i = 0; (width = kt_size(i)) != SIZE_MAX; i++)
        for (size_t height = 1; width && height < 8; height += 1 + kt_random(t) % 3)
            for (int slides = 0; slides < 2; slides++)
                plane(t, width, height, slides, kt_random(t) % 2,
                      (int)(kt_random(t) % KT_PATTERNS));
}

/* n tiles, in rows of `width`. */
static void tiles_in(struct kt *t, size_t n, size_t width, enum kt_side side, int pattern)
{
    const size_t step = n + kt_random(t) % 3, part = n + width + kt_random(t) % 3;
    const size_t pixels = 23 * part + n, bytes = (35 * step + n) * sizeof(float);
    float *src = kt_buf(0, pixels * sizeof(*src), side);
    float *want = kt_buf(1, bytes, side), *got = kt_buf(2, bytes, side);
    fill(t, src, pixels, pattern);
    memset(want, 0, bytes);
    memset(got, 0, bytes);
    t->ref->winograd_in(want, step, src, part, width, n);
    t->k->winograd_in(got, step, src, part, width, n);
    kt_equal(t, want, got, bytes, "tiles, step", n, step);
}

static void tiles_out(struct kt *t, size_t width, enum kt_side side, int pattern)
{
    const size_t n = (width + 3) / 4, step = n + kt_random(t) % 3, rows = 1 + kt_random(t) % 4;
    const size_t to = width + kt_random(t) % 3, bytes = ((rows - 1) * to + width) * sizeof(float);
    float *src = kt_buf(0, (35 * step + n) * sizeof(*src), side);
    float *want = kt_buf(1, bytes, side), *got = kt_buf(2, bytes, side);
    fill(t, src, 35 * step + n, pattern);
    memset(want, 0, bytes);
    memset(got, 0, bytes);
    t->ref->winograd_out(want, to, rows, width, src, step, 0.25f);
    t->k->winograd_out(got, to, rows, width, src, step, 0.25f);
    kt_equal(t, want, got, bytes, "columns, rows", width, rows);
}

void pl_test_winograd_in(struct kt *t)
{
    size_t n;
    for (size_t i = 0; (n = kt_size(i)) != SIZE_MAX; i++)
        for (int pattern = 0; n && pattern < KT_PATTERNS; pattern++)
            tiles_in(t, n, 1 + kt_random(t) % n, kt_random(t) % 2, pattern);
}

/* The taps transformed by hand: number `at` of G g G'. */
static double transformed_tap(const float taps[9], size_t at)
{
    const double h = sqrt(0.5), a = -2.0 / 3, b = 1.0 / 6;
    const double g[6][3] = {{1, 0, 0},
                            {a, a * h, a / 2},
                            {a, -a * h, a / 2},
                            {b, 2 * b * h, 2 * b},
                            {b, -2 * b * h, 2 * b},
                            {0, 0, 1}};
    double w = 0;
    for (size_t i = 0; i < 9; i++)
        w += g[at / 6][i / 3] * g[at % 6][i % 3] * (double)taps[i];
    return w;
}

/* A convolution of 3 x 3 by the two kernels. */
static void convolve_by_tiles(struct kt *t)
{
    enum { N = 19, PITCH = 4 * N + 2 };
    float *x = kt_buf(0, 6 * PITCH * sizeof(*x), 0), *m = kt_buf(1, 36 * N * sizeof(*m), 0);
    float *got = kt_buf(2, 16 * N * sizeof(*got), 0), taps[9], parted[4 * 6 * 2 * N] = {0};
    fill(t, x, (size_t)6 * PITCH, KT_RANDOM);
    for (size_t i = 0; i < 9; i++)
        taps[i] = (float)(kt_random(t) % 17) - 8;
    for (size_t i = 0; i < (size_t)36 * N; i++) {
        const size_t r = i / N / 6, c = i / N % 6;
        parted[(r % 4 * 6 + c) * 2 * N + r / 4 * N + i % N] = x[r * PITCH + 4 * (i % N) + c];
    }
    t->k->winograd_in(m, N, parted, (size_t)2 * N, N, N);
    for (size_t i = 0; i < (size_t)36 * N; i++)
        m[i] *= (float)transformed_tap(taps, i / N);
    t->k->winograd_out(got, (size_t)4 * N, 4, (size_t)4 * N, m, N, 0.25f);
    for (size_t at = 0; at < (size_t)16 * N; at++) {
        double sum = 0.25, most = 1;
        for (size_t i = 0; i < 9; i++) {
            const double p =
                (double)taps[i] * (double)x[(at / (4 * N) + i / 3) * PITCH + at % (4 * N) + i % 3];
            sum += p;
            most += fabs(p);
        }
        close_to(t, (double)got[at], sum, most * 1e-5, "output", at, N);
    }
}

void pl_test_winograd_out(struct kt *t)
{
    size_t width;
    for (size_t i = 0; (width = kt_size(i)) != SIZE_MAX; i++)
        for (int pattern = 0; width && pattern < KT_PATTERNS; pattern++)
            tiles_out(t, width, kt_random(t) % 2, pattern);
    convolve_by_tiles(t);
}

/* A NaN, zeros of both signs and -infinity are among the numbers. */
static void max_taps(struct kt *t, size_t n, enum kt_side side, int pattern, size_t stride)
{
    static const float odd[] = {0.0f, -0.0f, NAN, -INFINITY};
    const size_t taps = kt_random(t) % 4, step = 1 + kt_random(t) % (n + 3);
    const size_t count = (n - 1) * stride + 1 + (taps ? taps - 1 : 0) * step;
    float *src = kt_buf(0, count * sizeof(*src), side);
    float *want = kt_buf(1, n * sizeof(*want), side), *got = kt_buf(2, n * sizeof(*got), side);
    fill(t, src, count, pattern);
    for (size_t i = 0; i < count; i += 1 + kt_random(t) % 8)
        src[i] = odd[kt_random(t) % 4];
    t->ref->max_taps_f32(want, src, n, stride, taps, step);
    t->k->max_taps_f32(got, src, n, stride, taps, step);
    kt_equal(t, want, got, n * sizeof(*want), "numbers, stride", n, stride);
}

void pl_test_max_taps_f32(struct kt *t)
{
    static const float src[] = {3, -1, 4, NAN, -5, 9, 2, 6};
    float got[2];
    size_t n;
    t->k->max_taps_f32(got, src, 2, 1, 2, 4);
    if (got[0] != 3 || got[1] != 9)
        kt_fail(t, "the largest are %g and %g, not 3 and 9", (double)got[0], (double)got[1]);
    t->k->max_taps_f32(got, src, 2, 2, 2, 1);
    if (got[0] != 3 || !isnan(got[1]))
        kt_fail(t, "3 and a NaN are %g and %g", (double)got[0], (double)got[1]);
    for (size_t i = 0; (n = kt_size(i)) != SIZE_MAX; i++)
        for (int pattern = 0; n && pattern < KT_PATTERNS; pattern++)
            for (size_t stride = 1; stride < 4; stride++)
                max_taps(t, n, kt_random(t) % 2, pattern, stride);
}

static double act(enum pl_act act, double x, double a, double b)
{
    switch (act) {
    case PL_ACT_RELU:
        return fmax(x, 0);
    case PL_ACT_CLIP:
        return fmin(fmax(x, a), b);
    case PL_ACT_HARD_SIGMOID:
        return fmin(fmax(a * x + b, 0), 1);
    case PL_ACT_HARD_SWISH:
        return x * fmin(fmax(a * x + b, 0), 1);
    case PL_ACT_LEAKY_RELU:
        return x < 0 ? a * x : x;
    case PL_ACT_SIGMOID:
        return 1 / (1 + exp(-x));
    case PL_ACT_SWISH:
        return x / (1 + exp(-a * x));
    case PL_ACT_TANH:
        return tanh(x);
    case PL_ACT_ERF:
        return erf(x);
    case PL_ACT_GELU:
        return x / 2 * (1 + erf(x * M_SQRT1_2));
    case PL_ACT_NONE:
        return x;
    default:
        return exp(fmin(fmax(x, -87), 88));
    }
}

/* The largest error of an activation of x that gives y. */
static double act_error(enum pl_act kind, double x, double y)
{
    const double exps =
        kind == PL_ACT_EXP || kind == PL_ACT_SIGMOID || kind == PL_ACT_SWISH ? fabs(x) : 0;
    const double least = kind == PL_ACT_GELU || kind == PL_ACT_HARD_SWISH ? fabs(x)
                         : kind == PL_ACT_HARD_SIGMOID                    ? 1
                                                                          : 0;
    return 1e-30 + 5e-7 * fmax(fabs(y), least) + fabs(y) * 1e-7 * exps;
}

/* Activations of n numbers with or without another that is added, and with or without scaling. */
static void activate(struct kt *t, size_t n, enum pl_act kind)
{
    const enum kt_side side = kt_random(t) % 2;
    const bool add = kt_random(t) % 2;
    float *src = kt_buf(0, n * 4, side), *z = kt_buf(3, n * 4, side);
    float *want = kt_buf(1, n * 4, side), *got = kt_buf(2, n * 4, side);
    const struct pl_act_use use = {.act = kind,
                                   .a = 0.2f,
                                   .b = kind == PL_ACT_CLIP ? 1.5f : 0.5f,
                                   .scaled = kt_random(t) % 2,
                                   .factor = -0.75f,
                                   .offset = 0.3f};
    fill(t, src, n, (int)(kt_random(t) % KT_PATTERNS));
    fill(t, z, n, (int)(kt_random(t) % KT_PATTERNS));
    for (size_t k = 0; k < n; k += 3)
        src[k] *= (float)(kt_random(t) % 64);
    t->ref->act_f32(want, src, add ? z : NULL, n, &use);
    t->k->act_f32(got, src, add ? z : NULL, n, &use);
    kt_equal(t, want, got, n * 4, "n, activation", n, (size_t)kind);
    for (size_t k = 0; k < n; k++) {
        const double x = (double)(add ? src[k] + z[k] : src[k]);
        const double y = act(kind, x, (double)use.a, (double)use.b);
        const double scaled = use.scaled ? y * (double)use.factor + (double)use.offset : y;
        close_to(t, (double)got[k], scaled,
                 act_error(kind, x, y) + (use.scaled ? 2e-7 * (fabs(y) + 1) : 0),
                 "activation, element", (size_t)kind, k);
    }
    t->k->act_f32(add ? z : src, src, add ? z : NULL, n, &use);
    kt_equal(t, want, add ? z : src, n * 4, "in place", n, (size_t)kind);
}

void pl_test_act_f32(struct kt *t)
{
    size_t n;
    for (size_t i = 0; (n = kt_size(i)) != SIZE_MAX; i++)
        for (int kind = 0; kind < PL_ACT_COUNT; kind++)
            activate(t, n, kind);
}

/* A row in two parts, the second of which may hold the largest number or small ones alone. */
void pl_test_softmax_part(struct kt *t)
{
    size_t n;
    for (size_t i = 0; (n = kt_size(i)) != SIZE_MAX; i++) {
        const enum kt_side side = kt_random(t) % 2;
        const size_t first = kt_random(t) % (n + 1);
        const float scale = (float)(1 + kt_random(t) % 8) / 4;
        float *src = kt_buf(0, n * 4, side), *want = kt_buf(1, n * 4, side);
        float *got = kt_buf(2, n * 4, side);
        float top[2] = {-3e38f, -3e38f}, sum[2] = {0, 0}, f[2] = {1, 1};
        float largest = -3e38f;
        double total = 0;
        fill(t, src, n, KT_RANDOM);
        for (size_t k = first; k < n; k++)
            src[k] *= (float)(kt_random(t) % 64);
        memcpy(want, src, n * 4);
        memcpy(got, src, n * 4);
        for (int part = 0; part < 2; part++) {
            const size_t at = part ? first : 0, count = part ? n - first : first;
            if (!count)
                continue;
            f[0] = t->ref->softmax_part(want + at, count, scale, &top[0], &sum[0]);
            f[1] = t->k->softmax_part(got + at, count, scale, &top[1], &sum[1]);
            kt_equal(t, &top[0], &top[1], 4, "top of n, part", n, (size_t)part);
            kt_equal(t, &sum[0], &sum[1], 4, "sum of n, part", n, (size_t)part);
            kt_equal(t, &f[0], &f[1], 4, "factor of n, part", n, (size_t)part);
        }
        kt_equal(t, want, got, n * 4, "n", n, first);
        for (size_t k = 0; k < n; k++)
            largest = fmaxf(largest, src[k] * scale);
        for (size_t k = 0; k < n; k++)
            total += exp((double)(src[k] * scale) - (double)largest);
        if (n)
            close_to(t, (double)sum[1], total, 1e-5 * total, "sum", n, first);
        for (size_t k = 0; k < n; k++) {
            const double y = exp((double)(src[k] * scale) - (double)largest);
            close_to(t, (double)got[k] * (k < first && first < n ? (double)f[1] : 1), y,
                     1e-30 + 2e-5 * y, "element", n, k);
        }
    }
}

/* Columns whose rows come in two parts, with numbers between them that belong to nobody. */
static void softmax_of_columns(struct kt *t, size_t rows, size_t n)
{
    const enum kt_side side = kt_random(t) % 2;
    const size_t step = n + kt_random(t) % 3, first = kt_random(t) % (rows + 1);
    const size_t bytes = ((rows - 1) * step + n) * 4;
    float *src = kt_buf(0, bytes, side), *want = kt_buf(1, bytes, side);
    float *got = kt_buf(2, bytes, side), *state[2][3];
    fill(t, src, bytes / 4, KT_RANDOM);
    for (size_t k = first * step; k < bytes / 4; k++)
        src[k] *= (float)(kt_random(t) % 64);
    memcpy(want, src, bytes);
    memcpy(got, src, bytes);
    for (int i = 0; i < 3; i++) {
        state[0][i] = (float *)kt_buf(3, 3 * n * 4, side) + (size_t)i * n;
        state[1][i] = kt_buf(4 + i, n * 4, side);
        for (size_t k = 0; k < n; k++)
            state[0][i][k] = state[1][i][k] = i ? 0 : -3e38f;
    }
    for (int part = 0; part < 2; part++) {
        const size_t at = part ? first * step : 0, count = part ? rows - first : first;
        if (!count)
            continue;
        t->ref->softmax_columns(want + at, step, count, n, state[0][0], state[0][1], state[0][2]);
        t->k->softmax_columns(got + at, step, count, n, state[1][0], state[1][1], state[1][2]);
        for (size_t k = 0; k < 3; k++)
            kt_equal(t, state[0][k], state[1][k], n * 4, "top, sum or factor, n", k, n);
    }
    kt_equal(t, want, got, bytes, "rows, n", rows, n);
    for (size_t i = 0; i < n; i++) {
        double largest = -3e38, total = 0;
        for (size_t r = 0; r < rows; r++)
            largest = fmax(largest, (double)src[r * step + i]);
        for (size_t r = 0; r < rows; r++) {
            const double y = exp((double)src[r * step + i] - largest);
            total += y;
            close_to(t,
                     (double)got[r * step + i] *
                         (r < first && first < rows ? (double)state[1][2][i] : 1),
                     y, 1e-30 + 2e-5 * y, "row, column", r, i);
        }
        close_to(t, (double)state[1][1][i], total, 1e-5 * total, "sum, rows", i, rows);
    }
}

void pl_test_softmax_columns(struct kt *t)
{
    size_t n;
    for (size_t i = 0; (n = kt_size(i)) != SIZE_MAX; i++)
        if (n)
            softmax_of_columns(t, 1 + kt_random(t) % 40, n);
}

void pl_test_moments_f32(struct kt *t)
{
    size_t n;
    for (size_t i = 0; (n = kt_size(i)) != SIZE_MAX; i++) {
        double want[2] = {0}, got[2] = {0}, sum = 0, most = 0, squares = 0;
        float *x = kt_buf(0, n * 4, kt_random(t) % 2);
        fill(t, x, n, i % 3);
        if (!n)
            continue;
        t->ref->moments_f32(&want[0], &want[1], x, n);
        t->k->moments_f32(&got[0], &got[1], x, n);
        kt_equal(t, want, got, sizeof(want), "n", n, 0);
        for (size_t k = 0; k < n; k++) {
            sum += (double)x[k];
            most += fabs((double)x[k]);
        }
        for (size_t k = 0; k < n; k++)
            squares += ((double)x[k] - got[0]) * ((double)x[k] - got[0]);
        close_to(t, got[0], sum / (double)n, 1e-13 * most, "mean", n, 0);
        close_to(t, got[1], squares / (double)n, 1e-12 * squares, "variance", n, 0);
    }
}

/* With and without a bias, apart and in place. */
void pl_test_normalize_f32(struct kt *t)
{
    size_t n;
    for (size_t i = 0; (n = kt_size(i)) != SIZE_MAX; i++) {
        const enum kt_side side = kt_random(t) % 2;
        const double mean = 0.3, inv = 1.7;
        float *x = kt_buf(0, n * 4, side), *scale = kt_buf(1, n * 4, side);
        float *bias = kt_buf(2, n * 4, side), *want = kt_buf(3, n * 4, side);
        float *got = kt_buf(4, n * 4, side), *none = NULL;
        fill(t, x, n, i % 3);
        fill(t, scale, n, KT_RANDOM);
        fill(t, bias, n, KT_RANDOM);
        for (int add = 0; add < 2; add++) {
            t->ref->normalize_f32(want, x, n, mean, inv, scale, add ? bias : none);
            t->k->normalize_f32(got, x, n, mean, inv, scale, add ? bias : none);
            kt_equal(t, want, got, n * 4, "n, bias", n, (size_t)add);
        }
        for (size_t k = 0; k < n; k++) {
            const double y = ((double)x[k] - mean) * inv * (double)scale[k];
            close_to(t, (double)got[k], y + (double)bias[k],
                     2e-7 * (fabs(y) + fabs((double)bias[k])) + 1e-30, "element", n, k);
        }
        t->k->normalize_f32(x, x, n, mean, inv, scale, bias);
        kt_equal(t, want, x, n * 4, "in place: n", n, 0);
    }
}

static void axpy_in_doubt(struct kt *t, size_t n, bool normal)
{
    const float a = half_place(t, normal);
    float *src = kt_buf(0, n * 4, 0), *want = kt_buf(2, n * 4, 0), *got = kt_buf(3, n * 4, 0);
    for (size_t i = 0; i < n; i++) {
        src[i] = half_place(t, normal);
        got[i] = in_doubt(t, normal);
        want[i] = fmaf(a, src[i], got[i]);
    }
    t->k->axpy_f32(got, src, n, a);
    kt_equal(t, want, got, n * 4, "rounded twice: n", n, normal);
}

void pl_test_axpy_f32(struct kt *t)
{
    size_t n;
    for (n = 1; n < 40; n++) {
        axpy_in_doubt(t, n, true);
        axpy_in_doubt(t, n, false);
    }
    for (size_t i = 0; (n = kt_size(i)) != SIZE_MAX; i++) {
        const enum kt_side side = kt_random(t) % 2;
        const float a = 0.37f * (float)(kt_random(t) % 9) - 1;
        float *src = kt_buf(0, n * 4, side), *start = kt_buf(1, n * 4, side);
        float *want = kt_buf(2, n * 4, side), *got = kt_buf(3, n * 4, side);
        fill(t, src, n, (int)(kt_random(t) % KT_PATTERNS));
        fill(t, start, n, KT_RANDOM);
        memcpy(want, start, n * 4);
        memcpy(got, start, n * 4);
        t->ref->axpy_f32(want, src, n, a);
        t->k->axpy_f32(got, src, n, a);
        kt_equal(t, want, got, n * 4, "n", n, 0);
        for (size_t k = 0; k < n; k++) {
            const double p = (double)a * (double)src[k];
            close_to(t, (double)got[k], p + (double)start[k], 1e-7 * fabs(p + (double)start[k]),
                     "element", k, n);
        }
    }
}

void pl_test_axpy_f16(struct kt *t)
{
    size_t n;
    for (size_t i = 0; (n = kt_size(i)) != SIZE_MAX; i++) {
        const enum kt_side side = kt_random(t) % 2;
        uint16_t *src = kt_buf(0, n * 2, side);
        float *want = kt_buf(2, n * 4, side), *got = kt_buf(3, n * 4, side);
        for (size_t k = 0; k < n; k++) {
            src[k] = (uint16_t)kt_random(t);
            if ((src[k] & 0x7c00) == 0x7c00 && src[k] & 0x3ff)
                src[k] &= 0xfc00; /* infinities, no NaN */
        }
        memset(want, 0, n * 4);
        memset(got, 0, n * 4);
        t->ref->axpy_f16(want, src, n, 0.5f);
        t->k->axpy_f16(got, src, n, 0.5f);
        kt_equal(t, want, got, n * 4, "n", n, 0);
        for (size_t k = 0; k < n; k++) { /* sign, exponent, fraction: IEEE 754 */
            const int e = src[k] >> 10 & 31, m = src[k] & 1023;
            double v =
                e == 31 ? INFINITY : ldexp(e ? 1024 + m : m, (e ? e : 1) - 26); /* half of it */
            v = src[k] & 0x8000 ? -v : v;
            if ((double)got[k] < v || (double)got[k] > v)
                kt_fail(t, "half of %04x became %g", src[k], (double)got[k]);
        }
    }
}

void pl_test_axpy_u8(struct kt *t)
{
    size_t n;
    for (size_t i = 0; (n = kt_size(i)) != SIZE_MAX; i++) {
        const enum kt_side side = kt_random(t) % 2;
        uint8_t *src = kt_buf(0, n, side);
        float *want = kt_buf(2, n * 4, side), *got = kt_buf(3, n * 4, side);
        kt_fill(t, src, n, kt_random(t) % KT_PATTERNS);
        for (size_t k = 0; k < n; k++)
            want[k] = got[k] = 1;
        t->ref->axpy_u8(want, src, n, 0.25f, -3);
        t->k->axpy_u8(got, src, n, 0.25f, -3);
        kt_equal(t, want, got, n * 4, "n", n, 0);
        for (size_t k = 0; k < n; k++) /* exact: quarters */
            close_to(t, (double)got[k], src[k] / 4.0 - 2, 0, "element", k, n);
    }
}

void pl_test_lstm_cell(struct kt *t)
{
    size_t n;
    for (size_t i = 0; (n = kt_size(i)) != SIZE_MAX; i++) {
        const enum kt_side side = kt_random(t) % 2;
        float *x = kt_buf(0, n * 16, side), *start = kt_buf(1, n * 4, side);
        float *h = kt_buf(2, n * 4, side), *c = kt_buf(3, n * 4, side);
        float *h2 = kt_buf(4, n * 4, side), *c2 = kt_buf(5, n * 4, side);
        float *r = kt_buf(6, n * 16, side);
        fill(t, x, 4 * n, (int)(kt_random(t) % KT_PATTERNS));
        fill(t, r, 4 * n, KT_RANDOM);
        fill(t, start, n, KT_RANDOM);
        memcpy(c, start, n * 4);
        memcpy(c2, start, n * 4);
        t->ref->lstm_cell(h, c, x, r, n);
        t->k->lstm_cell(h2, c2, x, r, n);
        kt_equal(t, h, h2, n * 4, "h of n", n, 0);
        kt_equal(t, c, c2, n * 4, "c of n", n, 0);
        for (size_t k = 0; k < n; k++) {
            double gate[4];
            for (size_t g = 0; g < 4; g++)
                gate[g] = (double)(x[g * n + k] + r[g * n + k]);
            const double in = act(PL_ACT_SIGMOID, gate[0], 0, 0);
            const double out = act(PL_ACT_SIGMOID, gate[1], 0, 0);
            const double forget = act(PL_ACT_SIGMOID, gate[2], 0, 0);
            const double cell = forget * (double)start[k] + in * tanh(gate[3]);
            close_to(t, (double)c2[k], cell, 2e-6, "cell", k, n);
            close_to(t, (double)h2[k], out * tanh(cell), 2e-6, "output", k, n);
        }
    }
}

void pl_test_gru_cell(struct kt *t)
{
    size_t n;
    for (size_t i = 0; (n = kt_size(i)) != SIZE_MAX; i++) {
        const enum kt_side side = kt_random(t) % 2;
        float *x = kt_buf(0, n * 12, side), *r = kt_buf(1, n * 12, side);
        float *start = kt_buf(2, n * 4, side);
        float *h = kt_buf(3, n * 4, side), *h2 = kt_buf(4, n * 4, side);
        fill(t, x, 3 * n, (int)(kt_random(t) % KT_PATTERNS));
        fill(t, r, 3 * n, KT_RANDOM);
        fill(t, start, n, KT_RANDOM);
        memcpy(h, start, n * 4);
        memcpy(h2, start, n * 4);
        t->ref->gru_cell(h, x, r, n);
        t->k->gru_cell(h2, x, r, n);
        kt_equal(t, h, h2, n * 4, "h of n", n, 0);
        for (size_t k = 0; k < n; k++) {
            const double z = act(PL_ACT_SIGMOID, (double)(x[k] + r[k]), 0, 0);
            const double reset = act(PL_ACT_SIGMOID, (double)(x[n + k] + r[n + k]), 0, 0);
            const double fresh = tanh((double)x[2 * n + k] + reset * (double)r[2 * n + k]);
            close_to(t, (double)h2[k], (1 - z) * fresh + z * (double)start[k], 4e-6, "output", k,
                     n);
        }
    }
}
