/* SPDX-License-Identifier: BSD-2-Clause */
/* Light text on a dark page or in dark boxes, made dark on light. */
#include <string.h>

#include "preprocess/ops.h"
#include "preprocess/clean/polarity.h"
#include "preprocess/clean/reverse.h"
#include "preprocess/geometry/sheets.h"

#define GROUND_STEP 4

struct invert_args {
    enum { AUTO, ALWAYS, NEVER } mode;
};

static const struct pl_param params[] = {
    {.name = "mode",
     PL_PARAM(struct invert_args, mode),
     .choices =
         (const char *const[]){[AUTO] = "auto", [ALWAYS] = "always", [NEVER] = "never", NULL},
     .help = "auto: the page if most of it is light text on dark, and dark boxes with light text"},
};

/* A picture of its own with the parts inverted that lie in boxes[0..n). */
static platen_status invert(const struct pl_env *env, const struct pl_rect *boxes, size_t n,
                            struct pl_image *im, struct platen_error *err)
{
    pl_auto_image out = {0};
    size_t px_bytes = (size_t)im->format;
    platen_status s = pl_image_init(env, im->width, im->height, im->format, &out, err);
    if (s)
        return s;
    for (int y = 0; y < im->height; y++)
        memcpy(pl_image_row(&out, y), pl_image_row(im, y), (size_t)im->width * px_bytes);
    for (size_t i = 0; i < n; i++)
        for (int y = boxes[i].y0; y < boxes[i].y1; y++) {
            uint8_t *p = pl_image_row(&out, y) + (size_t)boxes[i].x0 * px_bytes;
            env->k->invert_u8(p, p, (size_t)pl_rect_width(boxes[i]) * px_bytes);
        }
    out.bilevel = im->bilevel;
    out.dpi_x = im->dpi_x;
    out.dpi_y = im->dpi_y;
    pl_image_done(im);
    *im = pl_image_ref(&out);
    return PLATEN_OK;
}

static platen_status invert_page(const struct pl_env *env, const struct pl_rect *boxes, size_t n,
                                 struct pl_page_image *page, struct platen_error *err)
{
    if (!n)
        return PLATEN_OK;
    pl_page_image_forget_ink(page);
    platen_status s = invert(env, boxes, n, &page->image, err);
    return !s && page->gray.store ? invert(env, boxes, n, &page->gray, err) : s;
}

/* Returns whether at most half of a picture is lighter than `level`; every fourth row tells. */
static bool is_mostly_dark(const struct pl_env *env, const struct pl_image *gray, uint8_t level)
{
    const size_t rows = ((size_t)gray->height + GROUND_STEP - 1) / GROUND_STEP;
    uint32_t hist[256] = {0};
    uint64_t light = 0;
    env->k->hist_u8(hist, gray->px, GROUND_STEP * gray->stride_bytes, (size_t)gray->width, rows);
    for (int v = level + 1; v < 256; v++)
        light += hist[v];
    return 2 * light <= rows * (uint64_t)gray->width;
}

/* Returns whether the page is light text on dark; what lies around its sheet does not tell. A light
 * page may have most of its text in dark boxes. */
static bool is_dark(const struct pl_env *env, const struct pl_page_image *page,
                    const struct pl_image *gray)
{
    pl_auto_image sheet = pl_image_view(gray, pl_sheet_box(page));
    const struct pl_polarity p = pl_polarity(env, &sheet);
    return p.vote > 0 && is_mostly_dark(env, &sheet, p.light_level);
}

/* The page was dark, and what had been seen as its sheet was not. */
static platen_status invert_whole(const struct pl_env *env, struct pl_page_image *page,
                                  struct platen_error *err)
{
    const struct pl_rect whole = {0, 0, page->image.width, page->image.height};
    page->sheet = (struct pl_sheet){0};
    return invert_page(env, &whole, 1, page, err);
}

static platen_status invert_run(const struct pl_env *env, struct pl_page_image *page,
                                const void *args, struct platen_error *err)
{
    const struct invert_args *a = args;
    if (a->mode == NEVER)
        return PLATEN_OK;
    if (a->mode == ALWAYS)
        return invert_whole(env, page, err);
    struct pl_reverse reverse;
    pl_auto_image gray = {0};
    platen_status s = pl_page_image_gray(env, page, &gray, err);
    s = s ? s : pl_sheet_find(env, page, err);
    if (!s && is_dark(env, page, &gray)) {
        s = invert_whole(env, page, err);
        pl_image_done(&gray);
        s = s ? s : pl_page_image_gray(env, page, &gray, err);
    }
    s = s ? s : pl_sheet_find(env, page, err);
    s = s ? s : pl_reverse_find(env, &gray, &reverse, err);
    return s ? s : invert_page(env, reverse.box, reverse.n, page, err);
}

const struct pl_preprocess_op pl_op_invert = {
    .info = {"invert", "turns light text on dark into dark on light",
             PL_TAKES(params, struct invert_args)},
    .color = true,
    .px_bytes = 6,
    .run = invert_run,
};
