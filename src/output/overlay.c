/* SPDX-License-Identifier: BSD-2-Clause */
/* The page picture in colour with what was found drawn over it. */
#include <math.h>
#include <string.h>

#include "codec/codec.h"
#include "output/emitters.h"

struct pen {
    struct pl_image im; /* RGB, borrowed */
    int width_px;
    struct pl_affine to_page; /* from the pixels in which a line is described */
};

struct color {
    uint8_t r, g, b;
};

static const struct color block_color = {30, 90, 220}, line_color = {20, 150, 60},
                          word_color = {240, 150, 20}, baseline_color = {220, 30, 40},
                          leftover_color = {200, 40, 200};

static void fill(const struct pen *p, struct pl_rect r, struct color c)
{
    r = pl_rect_intersect(r, (struct pl_rect){0, 0, p->im.width, p->im.height});
    for (int y = r.y0; y < r.y1; y++) {
        uint8_t *px = pl_image_row(&p->im, y) + 3 * (size_t)PL_MAX(r.x0, 0);
        for (int x = r.x0; x < r.x1; x++, px += 3)
            memcpy(px, &c, 3);
    }
}

/* The frame lies just outside r, so that what is in r stays visible. */
static void frame(const struct pen *p, struct pl_rect r, int width_px, struct color c)
{
    struct pl_quad q = pl_quad_of_rect(r, &p->to_page);
    int w = width_px;
    r = pl_quad_bounds(&q, p->im.width, p->im.height);
    fill(p, (struct pl_rect){r.x0 - w, r.y0 - w, r.x1 + w, r.y0}, c);
    fill(p, (struct pl_rect){r.x0 - w, r.y1, r.x1 + w, r.y1 + w}, c);
    fill(p, (struct pl_rect){r.x0 - w, r.y0, r.x0, r.y1}, c);
    fill(p, (struct pl_rect){r.x1, r.y0, r.x1 + w, r.y1}, c);
}

static void draw_baseline(const struct pen *p, const struct pl_line *l)
{
    for (int x = l->box.x0; x < l->box.x1; x++) {
        double y = rint(pl_line_y(l, x));
        struct pl_rect r = {x, (int)y, x + 1, (int)y + p->width_px};
        struct pl_quad q = pl_quad_of_rect(r, &p->to_page);
        fill(p, pl_quad_bounds(&q, p->im.width, p->im.height), baseline_color);
    }
}

static void draw_line(const struct pen *p, const struct pl_line *l)
{
    frame(p, l->box, p->width_px, line_color);
    for (size_t i = 0; i < l->n_words; i++)
        frame(p, l->words[i].box, p->width_px, word_color);
    for (size_t i = l->n_words; i < l->n_words + l->n_doubted; i++)
        frame(p, l->words[i].box, p->width_px, leftover_color);
    if (!l->words)
        for (size_t i = 0; i < l->n_gaps; i++)
            frame(p, l->gaps[i], p->width_px, word_color);
    draw_baseline(p, l);
}

static void draw_unread(struct pen *p, const struct pl_regions *r)
{
    for (size_t i = 0; i < r->n_unread; i++) {
        p->to_page = pl_line_to_page(r, &r->unread[i]);
        frame(p, r->unread[i].box, p->width_px, leftover_color);
    }
}

static void draw(struct pen *p, const struct pl_regions *r)
{
    for (size_t i = 0; i < r->n_unexplained; i++)
        frame(p, r->unexplained[i], 2 * p->width_px, leftover_color);
    draw_unread(p, r);
    for (size_t i = 0; i < r->n_blocks; i++) {
        p->to_page = PL_AFFINE_IDENTITY;
        frame(p, r->blocks[i].box, 2 * p->width_px, block_color);
        for (size_t j = 0; j < r->blocks[i].n_lines; j++) {
            p->to_page = pl_line_to_page(r, &r->blocks[i].lines[j]);
            draw_line(p, &r->blocks[i].lines[j]);
        }
    }
}

static platen_status color_copy(const struct pl_env *env, const struct pl_image *im,
                                struct pl_image *ret, struct platen_error *err)
{
    platen_status s = pl_image_init(env, im->width, im->height, PL_RGB8, ret, err);
    if (s)
        return s;
    ret->dpi_x = im->dpi_x;
    ret->dpi_y = im->dpi_y;
    for (int y = 0; y < im->height; y++) {
        const uint8_t *src = pl_image_row(im, y);
        uint8_t *dst = pl_image_row(ret, y);
        if (im->format == PL_RGB8)
            memcpy(dst, src, 3 * (size_t)im->width);
        else
            for (int x = 0; x < im->width; x++)
                memset(dst + 3 * (size_t)x, src[x], 3);
    }
    return PLATEN_OK;
}

static platen_status overlay_emit(const struct pl_env *env, const struct pl_page_result *page,
                                  struct pl_str *out, struct platen_error *err)
{
    pl_auto_image im = {0};
    platen_status s = color_copy(env, &page->image->image, &im, err);
    if (s)
        return s;
    struct pen p = {im, 1 + PL_MIN(im.width, im.height) / 1600, PL_AFFINE_IDENTITY};
    draw(&p, page->regions);
    return pl_png_encode(&im, out, err);
}

const struct pl_emitter pl_emit_overlay = {
    .name = "overlay",
    .extension = "overlay.png",
    .media_type = "image/png",
    .help = "the page picture with blocks (blue), lines (green), words (orange), baselines (red) "
            "and what is left over or was not read (violet) drawn",
    .needs = PLATEN_STAGE_DETECT,
    .binary = true,
    .single = true,
    .emit = overlay_emit,
};
