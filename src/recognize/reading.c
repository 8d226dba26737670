/* SPDX-License-Identifier: BSD-2-Clause */
/* The pictures of a page whose lines are being read. */
#include "recognize/recognize.h"

#include <string.h>

#include "image/range.h"

#define HALO_PX 1 /* around a box: grey of its sides */
#define RING 0.7  /* radii: what is around a letter lies beyond */

static platen_status own_picture(struct pl_image *im, const struct pl_env *env,
                                 struct platen_error *err)
{
    struct pl_image own;
    platen_status s = pl_image_init(env, im->width, im->height, im->format, &own, err);
    if (s)
        return s;
    own.bilevel = im->bilevel;
    own.dpi_x = im->dpi_x;
    own.dpi_y = im->dpi_y;
    for (int y = 0; y < im->height; y++)
        memcpy(pl_image_row(&own, y), pl_image_row(im, y), (size_t)im->width);
    pl_image_done(im);
    *im = own;
    return PLATEN_OK;
}

/* Returns the part of the picture in which the box and `px` more on each side lie. */
static struct pl_rect around(const struct pl_image *im, struct pl_rect box, int px)
{
    const struct pl_rect wide = {box.x0 - px, box.y0 - px, box.x1 + px, box.y1 + px},
                         all = {0, 0, im->width, im->height};
    return pl_rect_intersect(wide, all);
}

/* Returns the median of the pixels around a box. */
static uint8_t paper_around(const struct pl_image *im, struct pl_rect box)
{
    const struct pl_rect inner = around(im, box, HALO_PX), outer = around(im, box, HALO_PX + 1);
    uint32_t hist[256] = {0};
    uint64_t n = 0;
    for (int y = outer.y0; y < outer.y1; y++)
        for (int x = outer.x0; x < outer.x1; x++) {
            const bool inside = y >= inner.y0 && y < inner.y1 && x >= inner.x0 && x < inner.x1;
            hist[pl_image_row(im, y)[x]] += !inside;
            n += !inside;
        }
    return n ? pl_gray_rank(hist, n / 2) : 255;
}

static void paint_over(struct pl_image *im, struct pl_rect box)
{
    const struct pl_rect inner = around(im, box, HALO_PX);
    const uint8_t paper = paper_around(im, box);
    for (int y = inner.y0; y < inner.y1; y++)
        memset(pl_image_row(im, y) + inner.x0, paper, (size_t)pl_rect_width(inner));
}

/* Paints a ring over, and leaves what is in it. */
static void paint_ring_over(struct pl_image *im, struct pl_rect box)
{
    const struct pl_rect inner = around(im, box, HALO_PX);
    const double w = pl_rect_width(box), h = pl_rect_height(box), x0 = 0.5 * (box.x0 + box.x1),
                 y0 = 0.5 * (box.y0 + box.y1);
    const uint8_t paper = paper_around(im, box);
    for (int y = inner.y0; y < inner.y1; y++)
        for (int x = inner.x0; x < inner.x1; x++) {
            const double dx = (x + 0.5 - x0) / (0.5 * w), dy = (y + 0.5 - y0) / (0.5 * h);
            if (dx * dx + dy * dy >= RING * RING)
                pl_image_row(im, y)[x] = paper;
        }
}

platen_status pl_reading_hide_boxes(struct pl_reading *r, const struct pl_env *env,
                                    struct platen_error *err)
{
    const struct pl_regions *regions = r->regions;
    bool owned = false;
    for (size_t i = 0; i < regions->n_squares; i++) {
        if (!regions->squares[i].plain)
            continue;
        platen_status s = owned ? PLATEN_OK : own_picture(&r->turned[0], env, err);
        if (s)
            return s;
        owned = true;
        if (regions->squares[i].holds_letter)
            paint_ring_over(&r->turned[0], regions->squares[i].box);
        else
            paint_over(&r->turned[0], regions->squares[i].box);
    }
    return PLATEN_OK;
}

void pl_reading_done(struct pl_reading *r)
{
    for (size_t i = 0; i < PL_ARRAY_LEN(r->turned); i++)
        pl_image_done(&r->turned[i]);
}

const struct pl_image *pl_reading_picture(const struct pl_reading *r, const struct pl_line *line)
{
    return &r->turned[line->quarters];
}
