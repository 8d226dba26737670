/* SPDX-License-Identifier: BSD-2-Clause */
#include <math.h>
#include <string.h>

#include "tests/kernels/tester.h"

static const uint32_t radii[] = {0, 1, 2, 7, 15, 20, 24, 63, 127, 256, 257, 2000};

/* A row of a page and its column sums, as they come from `rows` rows of bytes. */
struct page_row {
    size_t n;
    uint32_t r, rows;
    uint32_t *sum, *sumsq;
    uint8_t *src, *want, *got;
};

static struct page_row make_row(struct kt *t, size_t n, uint32_t r, enum kt_side side)
{
    struct page_row p = {.n = n,
                         .r = r,
                         .rows = 1 + kt_random(t) % 41,
                         .sum = kt_buf(0, n * 4, side),
                         .sumsq = kt_buf(1, n * 4, side),
                         .src = kt_buf(2, n, side),
                         .want = kt_buf(3, n, side),
                         .got = kt_buf(4, n, side)};
    kt_fill(t, p.src, n, KT_RANDOM);
    for (size_t i = 0; i < n; i++) {
        p.sum[i] = p.sumsq[i] = 0;
        uint32_t base = kt_random(t) % 3 * 120;
        for (uint32_t y = 0; y < p.rows; y++) {
            uint32_t v = base + kt_random(t) % 16;
            p.sum[i] += v;
            p.sumsq[i] += v * v;
        }
    }
    return p;
}

/* Mean, mean of squares and area of the window around column x, in reals. */
static double window(const struct page_row *p, size_t x, double *ret_mean, double *ret_squares)
{
    size_t lo = x > p->r ? x - p->r : 0, hi = x + p->r < p->n ? x + p->r : p->n - 1;
    double s = 0, q = 0, area = (double)p->rows * (double)(hi - lo + 1);
    for (size_t u = lo; u <= hi; u++) {
        s += p->sum[u];
        q += p->sumsq[u];
    }
    *ret_mean = s / area;
    *ret_squares = q / area;
    return area;
}

typedef double threshold_fn(double mean, double squares, double area);

/* The published formula in reals; what is nearer to it than the rounding of floats may go both
 * ways. */
static void near_formula(struct kt *t, const struct page_row *p, threshold_fn *f)
{
    for (size_t x = 0; x < p->n; x++) {
        double mean, squares, area = window(p, x, &mean, &squares), v = f(mean, squares, area);
        if (fabs(p->src[x] - v) > .05 && p->got[x] != (p->src[x] > v ? 255 : 0))
            kt_fail(t, "n %zu, radius %u: pixel %zu is %u, its grey %u, the threshold %g", p->n,
                    p->r, x, p->got[x], p->src[x], v);
    }
}

static double deviation(double mean, double squares)
{
    return sqrt(fmax(squares - mean * mean, 0));
}

static double sauvola(double mean, double squares, double area)
{
    (void)area;
    return mean * (1 + 0.3 * (deviation(mean, squares) / 128 - 1));
}

static double wolf(double mean, double squares, double area)
{
    (void)area;
    return (1 - 0.5) * mean + 0.5 * 20 + 0.5 * deviation(mean, squares) / 90 * (mean - 20);
}

static double nick(double mean, double squares, double area)
{
    return mean - 0.2 * sqrt(fmax((squares * area - mean * mean) / area, 0));
}

typedef void row_test(struct kt *t, const struct page_row *p);

/* Every size, radius and side; bodies work in blocks of 1024 columns, so some sizes beyond that. */
static void each_row(struct kt *t, row_test *test)
{
    static const size_t large[] = {1024, 1025, 2600};
    for (size_t i = 0; i < 3 || kt_size(i - 3) != SIZE_MAX; i++)
        for (size_t r = 0; r < sizeof(radii) / sizeof(radii[0]); r++)
            for (int side = 0; side < KT_SIDES; side++) {
                struct page_row p = make_row(t, i < 3 ? large[i] : kt_size(i - 3), radii[r], side);
                test(t, &p);
            }
}

static void sauvola_case(struct kt *t, const struct page_row *p)
{
    t->ref->sauvola_row(p->want, p->src, p->sum, p->sumsq, p->n, p->r, p->rows, 0.3f, 128.f);
    t->k->sauvola_row(p->got, p->src, p->sum, p->sumsq, p->n, p->r, p->rows, 0.3f, 128.f);
    kt_equal(t, p->want, p->got, p->n, "n, radius", p->n, p->r);
    near_formula(t, p, sauvola);
}

void pl_test_sauvola_row(struct kt *t)
{
    each_row(t, sauvola_case);
}

static void wolf_case(struct kt *t, const struct page_row *p)
{
    t->ref->wolf_row(p->want, p->src, p->sum, p->sumsq, p->n, p->r, p->rows, 0.5f, 20.f, 90.f);
    t->k->wolf_row(p->got, p->src, p->sum, p->sumsq, p->n, p->r, p->rows, 0.5f, 20.f, 90.f);
    kt_equal(t, p->want, p->got, p->n, "n, radius", p->n, p->r);
    near_formula(t, p, wolf);
}

void pl_test_wolf_row(struct kt *t)
{
    each_row(t, wolf_case);
}

static void nick_case(struct kt *t, const struct page_row *p)
{
    t->ref->nick_row(p->want, p->src, p->sum, p->sumsq, p->n, p->r, p->rows, -0.2f);
    t->k->nick_row(p->got, p->src, p->sum, p->sumsq, p->n, p->r, p->rows, -0.2f);
    kt_equal(t, p->want, p->got, p->n, "n, radius", p->n, p->r);
    near_formula(t, p, nick);
}

void pl_test_nick_row(struct kt *t)
{
    each_row(t, nick_case);
}

static void maxvar_case(struct kt *t, const struct page_row *p)
{
    float want = t->ref->maxvar_row(p->sum, p->sumsq, p->n, p->r, p->rows);
    float got = t->k->maxvar_row(p->sum, p->sumsq, p->n, p->r, p->rows);
    double largest = 0;
    kt_equal(t, &want, &got, sizeof(want), "n, radius", p->n, p->r);
    for (size_t x = 0; x < p->n; x++) {
        double mean, squares;
        window(p, x, &mean, &squares);
        largest = fmax(largest, squares - mean * mean);
    }
    if (fabs(got - largest) > .05)
        kt_fail(t, "n %zu, radius %u: %g, not %g", p->n, p->r, (double)got, largest);
}

void pl_test_maxvar_row(struct kt *t)
{
    each_row(t, maxvar_case);
}

static void mean_case(struct kt *t, const struct page_row *p)
{
    int c = (int)(kt_random(t) % 511) - 255;
    if (kt_random(t) % 2) { /* the mean is whole, and many pixels lie exactly on it */
        for (size_t x = 0; x < p->n; x++) {
            p->sum[x] = 9 * p->rows;
            p->src[x] = (uint8_t)(5 + kt_random(t) % 9);
        }
        c = (int)(kt_random(t) % 5) - 2;
    }
    for (size_t x = 0; x < p->n; x++) {
        double mean, squares, area = window(p, x, &mean, &squares);
        p->want[x] = (p->src[x] + c) * area > rint(mean * area) ? 255 : 0;
    }
    t->k->mean_row(p->got, p->src, p->sum, p->n, p->r, p->rows, c);
    kt_equal(t, p->want, p->got, p->n, "n, radius", p->n, p->r);
}

void pl_test_mean_row(struct kt *t)
{
    each_row(t, mean_case);
}
