/* SPDX-License-Identifier: BSD-2-Clause */
/* The fold of an open book: dark from its top to its end, between paper that is lighter on both
 * sides. */
#include <stdlib.h>

#include "image/resample.h"
#include "preprocess/geometry/sheets.h"
#include "preprocess/geometry/geometry_tuning.def"

/* The book in little. */
#define CELLS 256 /* across */
#define BANDS 16  /* down */

static int compare_ints(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* The lightest grey of each column of a band: paper between its lines, or the shadow on it. */
static void lightest(const struct pl_image *small, int band, int *ret)
{
    int y0 = small->height * band / BANDS, y1 = small->height * (band + 1) / BANDS;
    for (int x = 0; x < CELLS; x++) {
        ret[x] = 0;
        for (int y = y0; y < y1; y++)
            ret[x] = PL_MAX(ret[x], (int)pl_image_row(small, y)[x]);
    }
}

static int lightest_of(const int *light, int from, int to)
{
    int most = 0;
    for (int x = from; x < to; x++)
        most = PL_MAX(most, light[x]);
    return most;
}

static int darkest_of(const int *light, int from, int to)
{
    int at = from;
    for (int x = from + 1; x < to; x++)
        if (light[x] < light[at])
            at = x;
    return at;
}

/* Finds the darkest of the columns from..to-1 of a band; whether it is a fold's. */
static bool fold_of_band(const int light[CELLS], int from, int to, int *ret_x)
{
    int at = darkest_of(light, from, to);
    int left = lightest_of(light, at - 2 * FOLD_SIDE, at - FOLD_SIDE);
    int right = lightest_of(light, at + FOLD_SIDE, at + 2 * FOLD_SIDE);
    int paper = PL_MIN(left, right), half = (paper + light[at]) / 2, x0 = at, x1 = at;
    while (light[x0 - 1] < half && at - x0 < FOLD_MAX_DARK)
        x0--;
    while (light[x1 + 1] < half && x1 - at < FOLD_MAX_DARK)
        x1++;
    *ret_x = (x0 + x1 + 1) / 2;
    return paper - light[at] > FOLD_DEPTH * paper && x1 - x0 + 1 >= FOLD_MIN_DARK &&
           x1 - x0 + 1 <= FOLD_MAX_DARK;
}

/* The middle one of folds[from..to), which are put in order. */
static int middle_of(int *folds, int from, int to)
{
    qsort(folds + from, (size_t)(to - from), sizeof(*folds), compare_ints);
    return folds[(from + to) / 2];
}

/* Lists the folds of the bands in ret, from top to bottom; returns how many there are. In some
 * bands a picture near the fold may be darker: it is looked for again where most of them have it.
 */
static int folds_of(int light[BANDS][CELLS], int ret[BANDS])
{
    const int first = (int)(CELLS * MIDDLE_FROM), end = (int)(CELLS * MIDDLE_TO);
    int darkest[BANDS], n = 0;
    for (int i = 0; i < BANDS; i++)
        darkest[i] = darkest_of(light[i], first, end);
    const int x = middle_of(darkest, 0, BANDS), from = PL_MAX(x - FOLD_SIDE, first),
              to = PL_MIN(x + FOLD_SIDE + 1, end);
    for (int i = 0; i < BANDS; i++)
        n += fold_of_band(light[i], from, to, &ret[n]);
    return n;
}

/* Where a straight fold through folds[0..n), from top to bottom, enters the book and leaves it. */
static void line_of(int folds[BANDS], int n, double ret[2])
{
    const int third = n / 3;
    const int top = middle_of(folds, 0, third), bottom = middle_of(folds, n - third, n);
    const double lean = (double)(bottom - top) * n / (n - third), x = middle_of(folds, 0, n);
    ret[0] = x - 0.5 * lean;
    ret[1] = x + 0.5 * lean;
}

platen_status pl_fold_find(const struct pl_env *env, const struct pl_image *gray,
                           struct pl_rect book, struct pl_point ret[2], bool *ret_found,
                           struct platen_error *err)
{
    pl_auto_image part = pl_image_view(gray, book), small = {0};
    const int width = pl_rect_width(book), height = pl_rect_height(book);
    int light[BANDS][CELLS], folds[BANDS];
    double x[2];
    *ret_found = false;
    platen_status s = pl_resample(
        env, &part, CELLS, PL_MAX((int)((int64_t)height * CELLS / width), BANDS), &small, err);
    for (int band = 0; !s && band < BANDS; band++)
        lightest(&small, band, light[band]);
    const int n = s ? 0 : folds_of(light, folds);
    if (s || n < FOLD_BANDS)
        return s;
    for (int i = 1; i < n; i++)
        if (abs(folds[i] - folds[i - 1]) > FOLD_LEAN)
            return PLATEN_OK;
    line_of(folds, n, x);
    for (int i = 0; i < 2; i++)
        ret[i] = (struct pl_point){book.x0 + x[i] * width / CELLS, i ? book.y1 : book.y0};
    *ret_found = true;
    return PLATEN_OK;
}
