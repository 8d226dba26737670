/* SPDX-License-Identifier: BSD-2-Clause */
/* Two facing pages on one picture, parted between them. What tells a double page: it is wide, but
 * neither half is; and there is a gutter in its middle, either dark from top to bottom, as the fold
 * of a book (fold.c), or without print and far wider than every other gap between columns. What
 * lies around the book (sheets.c) does not count. Where less than all of that is found, the page
 * stays whole: a page cut in two by mistake is lost to its reader.
 */
#include <string.h>

#include "preprocess/binarize/ink.h"
#include "preprocess/geometry/sheets.h"
#include "preprocess/ops.h"
#include "preprocess/geometry/geometry_tuning.def"
#include "preprocess/binarize/binarize_tuning.def"

#define NARROWEST_PX 256

/* What a column of pixels holds. */
enum { PRINT = 1, LARGE = 2 };

/* Returns whether a piece of ink lies beside the pages: it may be a frame around them. */
static bool is_around(const struct pl_page_image *page, const struct pl_component *c)
{
    if (page->sheet.any_around &&
        (c->box.x0 == 0 || c->box.y0 == 0 || c->box.x1 == page->image.width ||
         c->box.y1 == page->image.height))
        return true;
    const double x = 0.5 * (c->box.x0 + c->box.x1), y = 0.5 * (c->box.y0 + c->box.y1);
    return pl_sheet_is_around(&page->sheet, pl_affine_apply(&page->to_input, x, y));
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
static platen_status mark_columns(const struct pl_env *env, const struct pl_page_image *page,
                                  const struct pl_ink *ink, uint8_t *columns,
                                  struct platen_error *err)
{
    pl_auto_ink_map map = {0};
    platen_status s = pl_ink_map_init(env, ink, &map, err);
    for (size_t i = 0; !s && i < ink->cs.n; i++) {
        const struct pl_component *c = &ink->cs.comps[i];
        int side = PL_MAX(pl_rect_width(c->box), pl_rect_height(c->box)), mark = 0;
        if (is_around(page, c))
            continue;
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

/* Returns the middle of the gutter in columns of pages that are `width` px wide; 0 where they have
 * none. */
static int middle_of_gutter(const uint8_t *columns, int width)
{
    int next, margin;
    struct gap g = widest_gap(columns, width, &next, &margin);
    int gap = g.x1 - g.x0;
    return gap >= width * GUTTER_WIDTH && GUTTER_LEAD * next <= gap &&
                   gap >= margin * GUTTER_MARGINS && g.x0 < width * (0.5 - GUTTER_HOLDS) &&
                   g.x1 > width * (0.5 + GUTTER_HOLDS)
               ? middle_of_free(columns, g, width)
               : 0;
}

/* The middle of a gutter without print; 0 where there is none. */
static platen_status find_gap(const struct pl_env *env, const struct pl_page_image *page,
                              const struct pl_ink *ink, int *ret_x, struct platen_error *err)
{
    const size_t width = (size_t)ink->bits.width;
    uint8_t *columns = pl_bufpool_get(env->bufs, width);
    *ret_x = 0;
    if (!columns)
        return pl_fail_nomem(err, width, "the columns of a page");
    memset(columns, 0, width);
    platen_status s = mark_columns(env, page, ink, columns, err);
    if (!s)
        *ret_x = middle_of_gutter(columns, (int)width);
    pl_bufpool_put(env->bufs, columns, width);
    return s;
}

/* Both sides of x hold print. */
static bool print_beside(const struct pl_page_image *page, const struct pl_ink *ink, int x)
{
    int letter = pl_ink_letter_height(ink), left = 0, right = 0;
    for (size_t i = 0; i < ink->cs.n; i++) {
        struct pl_rect b = ink->cs.comps[i].box;
        int h = pl_rect_height(b), w = pl_rect_width(b);
        if (100 * h < LETTER_LOW_PERCENT * letter || 100 * h > LETTER_HIGH_PERCENT * letter ||
            w > LETTER_ASPECT * h || is_around(page, &ink->cs.comps[i]))
            continue;
        left += b.x1 <= x;
        right += b.x0 >= x;
    }
    return left >= SPLIT_LETTERS && right >= SPLIT_LETTERS;
}

/* Returns the column of the fold at half of the picture's height; 0 where it shows none. */
static int column_of_fold(const struct pl_page_image *page)
{
    struct pl_point fold[2];
    if (!pl_sheet_fold(&page->sheet, &page->to_input, fold))
        return 0;
    const int x = (int)(0.5 * (fold[0].x + fold[1].x));
    return x > 0 && x < page->image.width ? x : 0;
}

/* Where the pages are to be cut, which fill the picture but for its corners; 0: nowhere. */
static platen_status find_gutter(const struct pl_env *env, struct pl_page_image *page, int *ret_x,
                                 struct platen_error *err)
{
    const struct pl_ink *ink;
    double aspect = (double)page->image.width / page->image.height;
    int x = column_of_fold(page);
    *ret_x = 0;
    if (!x && (page->image.width < NARROWEST_PX || aspect < SPLIT_MIN_ASPECT ||
               aspect > SPLIT_MAX_ASPECT))
        return PLATEN_OK;
    platen_status s = pl_ink_of(env, page, &ink, err);
    if (!s && !x)
        s = find_gap(env, page, ink, &x, err);
    if (!s && x && print_beside(page, ink, x))
        *ret_x = x;
    return s;
}

/* The same of a picture with what lies around the pages, whose grain would pass for print. */
static platen_status find_gutter_within(const struct pl_env *env, struct pl_page_image *page,
                                        int *ret_x, struct platen_error *err)
{
    platen_status s = pl_sheet_find(env, page, err);
    if (s || !page->sheet.any_around)
        return s ? s : find_gutter(env, page, ret_x, err);
    const struct pl_rect box = pl_sheet_box(page);
    struct pl_page_image book = {.image = pl_image_ref(&page->image),
                                 .gray = pl_image_ref(&page->gray),
                                 .sheet = page->sheet,
                                 .to_input = page->to_input};
    s = pl_page_crop(env, &book, box, err);
    s = s ? s : find_gutter(env, &book, ret_x, err);
    *ret_x += !s && *ret_x ? box.x0 : 0;
    pl_page_image_done(&book);
    return s;
}

static platen_status split_divide(const struct pl_env *env, struct pl_page_image *page,
                                  const void *args, struct pl_page_image *ret_second,
                                  struct platen_error *err)
{
    (void)args;
    int x = 0;
    platen_status s = find_gutter_within(env, page, &x, err);
    if (s || !x)
        return s;
    struct pl_page_image second = {.image = pl_image_ref(&page->image),
                                   .gray = pl_image_ref(&page->gray),
                                   .sheet = page->sheet,
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
