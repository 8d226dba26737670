/* SPDX-License-Identifier: BSD-2-Clause */
/* White paper between the letters: what lies farther from ink than the soft edge of a stroke
 * becomes white, and the greys of the ink and of its edges stay for readers that use them. Ink is
 * what binarize finds, and fainter print of the shape of letters: a stamp, thermal print. */
#include "image/morph.h"
#include "preprocess/binarize/ink.h"
#include "preprocess/ops.h"

struct whiten_args {
    int edge_px;
};

static const struct pl_param params[] = {
    {.name = "edge",
     PL_PARAM(struct whiten_args, edge_px),
     .min = 0,
     .max = 20,
     .def = 2,
     .unit = "px",
     .help = "width of the soft edges that stay around ink"},
};

static void add_ink(const struct pl_image *ink, const struct pl_image *more)
{
    for (int y = 0; y < ink->height; y++) {
        uint8_t *to = pl_image_row(ink, y);
        const uint8_t *from = pl_image_row(more, y);
        for (int x = 0; x < ink->width; x++)
            to[x] &= from[x];
    }
}

static platen_status whiten_run(const struct pl_env *env, struct pl_page_image *page,
                                const void *args, struct platen_error *err)
{
    const struct whiten_args *a = args;
    if (page->image.bilevel)
        return PLATEN_OK;
    int side = 2 * a->edge_px + 1;
    pl_auto_image ink = {0}, faint = {0}, near = {0};
    platen_status s = pl_page_make_gray(env, page, err);
    if (!s)
        s = pl_binarize_auto(env, &page->image, PL_AUTO_LEVEL, &ink, err);
    if (!s)
        s = pl_ink_faint(env, &page->image, &faint, err);
    if (s)
        return s;
    add_ink(&ink, &faint);
    s = pl_morph_image(env, &ink, PL_ERODE, side, side, &near, err);
    if (!s)
        s = pl_page_own_pixels(env, page, err);
    if (s)
        return s;
    for (int y = 0; y < near.height; y++) {
        uint8_t *px = pl_image_row(&page->image, y);
        const uint8_t *paper = pl_image_row(&near, y);
        for (int x = 0; x < near.width; x++)
            px[x] |= paper[x]; /* 255 away from ink, 0 near it */
    }
    return PLATEN_OK;
}

const struct pl_preprocess_op pl_op_whiten = {
    .info = {"whiten", "makes paper white, and keeps the greys of ink and its edges (made grey)",
             PL_TAKES(params, struct whiten_args)},
    .px_bytes = 8,
    .run = whiten_run,
};
