/* SPDX-License-Identifier: BSD-2-Clause */
/* Two facing pages on one picture, parted between them. What tells a double page: it is wide, but
 * neither half is; and there is a gutter in its middle, either dark from top to bottom, as the fold
 * of a book, or without print and far wider than every other gap between columns. Where less than
 * all of that is found, the page stays whole: a page cut in two by mistake is lost to its reader.
 */
#include <stdlib.h>

#include "image/resample.h"
#include "preprocess/binarize/ink.h"
#include "preprocess/ops.h"
#include "preprocess/geometry/geometry_tuning.def"
#include "preprocess/binarize/binarize_tuning.def"

/* For the fold, paper and shadow of the page in little. */
#define CELLS 256 /* across */
#define BANDS 16  /* down */

/* What a column of pixels holds. */
enum { PRINT = 1, LARGE = 2 };

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

/* Finds the darkest column in the middle of a band; whether it is a fold's. */
static bool fold_of_band(const int light[CELLS], int *ret_x)
{
    int at = (int)(CELLS * MIDDLE_FROM), end = (int)(CELLS * MIDDLE_TO);
    for (int x = at + 1; x < end; x++)
        if (light[x] < light[at])
            at = x;
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

/* The middle of a fold that is dark from top to bottom; 0 where there is none. */
static platen_status find_fold(const struct pl_env *env, const struct pl_image *gray, int *ret_x,
                               struct platen_error *err)
{
    pl_auto_image small = {0};
    int height = PL_MAX((int)((int64_t)gray->height * CELLS / gray->width), BANDS);
    int light[CELLS], folds[BANDS], n = 0;
    *ret_x = 0;
    platen_status s = pl_resample(env, gray, CELLS, height, &small, err);
    for (int band = 0; !s && band < BANDS; band++) {
        lightest(&small, band, light);
        n += fold_of_band(light, &folds[n]);
    }
    if (s || n < FOLD_BANDS)
        return s;
    for (int i = 1; i < n; i++)
        if (abs(folds[i] - folds[i - 1]) > FOLD_LEAN)
            return PLATEN_OK;
    qsort(folds, (size_t)n, sizeof(*folds), compare_ints);
    *ret_x = (int)((int64_t)folds[n / 2] * gray->width / CELLS);
    return PLATEN_OK;
}

struct gap {
    int x0, x1;
};

/* A dark edge of the scan that says nothing of the gutter: it lies outside of the middle, or is a
 * strip along the top or the bottom. */
static bool is_outer_shadow(const struct pl_ink *ink, const struct pl_component *c)
{
    int width = ink->bits.width, height = ink->bits.height;
    return pl_ink_is_edge_shadow(ink, c) &&
           (c->box.x1 < width * MIDDLE_FROM || c->box.x0 > width * MIDDLE_TO ||
            pl_rect_height(c->box) * STRIP_LOW < height);
}

/* The edge of one of the two sheets, or the line where they meet. */
static bool is_upright_line(const struct pl_ink *ink, const struct pl_component *c)
{
    return pl_rect_height(c->box) * SHEET_EDGE > ink->bits.height &&
           pl_rect_width(c->box) < ink->bits.width * GUTTER_FREE;
}

/* Marks the columns that hold print, and those that hold what is larger; not specks and blots, not
 * dark edges. */
static platen_status mark_columns(const struct pl_env *env, const struct pl_ink *ink,
                                  uint8_t *columns, struct platen_error *err)
{
    pl_auto_ink_map map = {0};
    platen_status s = pl_ink_map_init(env, ink, &map, err);
    for (size_t i = 0; !s && i < ink->cs.n; i++) {
        const struct pl_component *c = &ink->cs.comps[i];
        int side = PL_MAX(pl_rect_width(c->box), pl_rect_height(c->box)), mark = 0;
        if (pl_ink_is_print(&map, c))
            mark = PRINT;
        else if (side > LARGE_SIDE * map.letter_px && !is_outer_shadow(ink, c) &&
                 !is_upright_line(ink, c))
            mark = LARGE;
        for (int x = c->box.x0; mark && x < c->box.x1; x++)
            columns[x] |= (uint8_t)mark;
    }
    return s;
}

/* The widest gap between print of the page, the next one in *ret_next, and the margins in
 * *ret_margin, the narrower one. */
static struct gap widest_gap(const uint8_t *columns, int width, int *ret_next, int *ret_margin)
{
    struct gap best = {0, 0};
    int last = -1, first = -1;
    *ret_next = 0;
    for (int x = 0; x < width; x++) {
        if (!(columns[x] & PRINT))
            continue;
        if (first < 0)
            first = x;
        int gap = last < 0 ? 0 : x - last - 1;
        if (gap > best.x1 - best.x0) {
            *ret_next = best.x1 - best.x0;
            best = (struct gap){last + 1, x};
        } else {
            *ret_next = PL_MAX(*ret_next, gap);
        }
        last = x;
    }
    *ret_margin = PL_MIN(first, width - 1 - last);
    return best;
}

/* The middle of the widest part of a gap that holds nothing large, near the middle of the picture;
 * 0 where that is narrow. */
static int middle_of_free(const uint8_t *columns, struct gap g, int width)
{
    struct gap best = {0, 0};
    for (int x = g.x0, from = g.x0; x <= g.x1; x++) {
        if (x < g.x1 && !columns[x])
            continue;
        if (x - from > best.x1 - best.x0)
            best = (struct gap){from, x};
        from = x + 1;
    }
    int from = PL_MAX(best.x0, (int)(width * CUT_FROM)),
        to = PL_MIN(best.x1, (int)(width * CUT_TO));
    return to - from >= width * GUTTER_FREE ? (from + to) / 2 : 0;
}

/* The middle of a gutter without print; 0 where there is none. */
static platen_status find_gap(const struct pl_env *env, const struct pl_ink *ink, int *ret_x,
                              struct platen_error *err)
{
    int width = ink->bits.width, next, margin;
    uint8_t *columns = pl_bufpool_get(env->bufs, (size_t)width);
    *ret_x = 0;
    if (!columns)
        return pl_fail_nomem(err, (size_t)width, "the columns of a page");
    for (int x = 0; x < width; x++)
        columns[x] = 0;
    platen_status s = mark_columns(env, ink, columns, err);
    if (!s) {
        struct gap g = widest_gap(columns, width, &next, &margin);
        int gap = g.x1 - g.x0;
        if (gap >= width * GUTTER_WIDTH && GUTTER_LEAD * next <= gap &&
            gap >= margin * GUTTER_MARGINS && g.x0 < width * (0.5 - GUTTER_HOLDS) &&
            g.x1 > width * (0.5 + GUTTER_HOLDS))
            *ret_x = middle_of_free(columns, g, width);
    }
    pl_bufpool_put(env->bufs, columns, (size_t)width);
    return s;
}

/* Both sides of x hold print. */
static bool print_beside(const struct pl_ink *ink, int x)
{
    int letter = pl_ink_letter_height(ink), left = 0, right = 0;
    for (size_t i = 0; i < ink->cs.n; i++) {
        struct pl_rect b = ink->cs.comps[i].box;
        int h = pl_rect_height(b), w = pl_rect_width(b);
        if (100 * h < LETTER_LOW_PERCENT * letter || 100 * h > LETTER_HIGH_PERCENT * letter ||
            w > LETTER_ASPECT * h)
            continue;
        left += b.x1 <= x;
        right += b.x0 >= x;
    }
    return left >= SPLIT_LETTERS && right >= SPLIT_LETTERS;
}

/* Where the page is to be cut; 0: nowhere. */
static platen_status find_gutter(const struct pl_env *env, struct pl_page_image *page, int *ret_x,
                                 struct platen_error *err)
{
    const struct pl_ink *ink;
    pl_auto_image gray = {0};
    double aspect = (double)page->image.width / page->image.height;
    int x = 0;
    *ret_x = 0;
    if (page->image.width < CELLS || aspect < SPLIT_MIN_ASPECT || aspect > SPLIT_MAX_ASPECT)
        return PLATEN_OK;
    platen_status s = pl_page_image_gray(env, page, &gray, err);
    if (!s)
        s = find_fold(env, &gray, &x, err);
    if (!s)
        s = pl_ink_of(env, page, &ink, err);
    if (!s && !x)
        s = find_gap(env, ink, &x, err);
    if (!s && x && print_beside(ink, x))
        *ret_x = x;
    return s;
}

static platen_status split_divide(const struct pl_env *env, struct pl_page_image *page,
                                  const void *args, struct pl_page_image *ret_second,
                                  struct platen_error *err)
{
    (void)args;
    int x;
    platen_status s = find_gutter(env, page, &x, err);
    if (s || !x)
        return s;
    struct pl_page_image second = {.image = pl_image_ref(&page->image),
                                   .gray = pl_image_ref(&page->gray),
                                   .to_input = page->to_input,
                                   .angle_deg = page->angle_deg};
    int w = page->image.width, h = page->image.height;
    s = pl_page_crop(env, &second, (struct pl_rect){x, 0, w, h}, err);
    if (!s)
        s = pl_page_crop(env, page, (struct pl_rect){0, 0, x, h}, err);
    if (s)
        pl_page_image_done(&second);
    else
        *ret_second = second;
    return s;
}

/* Alone, where there is nobody to take the second page. */
static platen_status split_run(const struct pl_env *env, struct pl_page_image *page,
                               const void *args, struct platen_error *err)
{
    struct pl_page_image second = {0};
    platen_status s = split_divide(env, page, args, &second, err);
    pl_page_image_done(&second);
    return s;
}

const struct pl_preprocess_op pl_op_split = {
    .info = {.name = "split",
             .help = "makes two pages of a picture of two facing ones; single pages stay whole"},
    .run = split_run,
    .divide = split_divide,
};
