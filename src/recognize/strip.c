/* SPDX-License-Identifier: BSD-2-Clause */
#include "recognize/strip.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "image/range.h"
#include "image/resample.h"
#include "image/shear.h"
#include "recognize/recognize_tuning.def"

struct extent {
    int x0, x1;      /* page columns of the whole line with its sides */
    double top, low; /* rows at column x0, margins included */
    const struct pl_line *line;
};

static bool line_extent(const struct pl_line *l, int page_width, struct extent *e)
{
    double ascent = l->ascent_px, descent = l->descent_px;
    double left = pl_line_y(l, l->box.x0), base = left;
    if (!(ascent + descent >= 1)) { /* no usable baseline: the box itself */
        ascent = pl_rect_height(l->box);
        descent = 0;
        base = l->box.y1;
    }
    double height = ascent + descent, side = fmax(2, STRIP_SIDE * height);
    e->line = l;
    e->x0 = (int)fmax(floor(l->box.x0 - side), 0);
    e->x1 = (int)fmin(ceil(l->box.x1 + side), page_width);
    base += pl_line_y(l, e->x0) - left;
    e->top = base - ascent - PL_STRIP_MARGIN * height;
    e->low = base + descent + PL_STRIP_MARGIN * height;
    return e->x1 > e->x0;
}

/* Ends the piece at the last gap between two words up to `limit`, or at `limit`. */
static void break_at(const struct pl_line *l, int limit, struct pl_strip_cut *c)
{
    c->x1 = limit;
    for (size_t i = 1; i < l->n_gaps; i++) {
        int x = l->gaps[i - 1].x1 + (l->gaps[i].x0 - l->gaps[i - 1].x1) / 2;
        if (x > limit)
            break;
        if (x > c->x0 && l->gaps[i].x0 > l->gaps[i - 1].x1) {
            c->x1 = x;
            c->in_gap = true;
        }
    }
}

static bool is_level(const struct pl_strip_cut *c)
{
    return c->slope == 0 && !c->curve;
}

/* Sets the rows of the piece. Returns false where it lies outside the page. */
static bool set_rows(const struct extent *e, int page_height, struct pl_strip_cut *c)
{
    const struct pl_line *l = e->line;
    double shift = pl_line_y(l, c->x0) - pl_line_y(l, e->x0), width = c->x1 - c->x0;
    c->curve = l->curve;
    c->slope = l->slope;
    if (!l->curve && fabs(l->slope) * width <= 0.5)
        c->slope = 0;
    if (is_level(c))
        shift += l->slope * width / 2;
    double y0 = rint(e->top + shift), y1 = rint(e->low + shift);
    if (is_level(c)) { /* a plain view ends with the page */
        y0 = fmax(y0, 0);
        y1 = fmin(y1, page_height);
    }
    if (!(y0 > -1e6 && y1 < 1e9 && y1 > y0))
        return false;
    c->y0 = (int)y0;
    c->y1 = (int)y1;
    return true;
}

bool pl_strip_next(const struct pl_line *l, int page_width, int page_height,
                   const struct pl_line_model *model, int from, struct pl_strip_cut *ret)
{
    struct extent e;
    if (!line_extent(l, page_width, &e))
        return false;
    bool first = from <= l->box.x0;
    struct pl_strip_cut c = {.x0 = first ? e.x0 : from, .x1 = e.x1};
    double rows = fmax(rint(e.low) - rint(e.top), 1);
    double most = fmax(floor(PL_STRIP_MAX_COLUMNS * rows / model->height), 1);
    if (c.x0 >= e.x1)
        return false;
    if (c.x1 - c.x0 > most)
        break_at(l, c.x0 + (int)most, &c);
    if (!set_rows(&e, page_height, &c))
        return false;
    double columns = rint((double)(c.x1 - c.x0) * model->height / (c.y1 - c.y0));
    c.columns = (int)PL_CLAMP(columns, model->stride, 2 * PL_STRIP_MAX_COLUMNS);
    *ret = c;
    return true;
}

int pl_strip_padded(const struct pl_line_model *model, int columns)
{
    assert(columns > 0);
    int width = model->pad_left + columns + model->pad_right;
    return (width + model->stride - 1) / model->stride * model->stride;
}

/* Returns the median grey under the piece, which is shown for places outside the page. */
static uint8_t paper(const struct pl_env *env, const struct pl_image *gray,
                     const struct pl_strip_cut *c)
{
    uint32_t hist[256] = {0};
    const int y0 = PL_MAX(c->y0, 0), y1 = PL_MIN(c->y1, gray->height);
    const size_t width = (size_t)(c->x1 - c->x0), height = y1 > y0 ? (size_t)(y1 - y0) : 0;
    if (height)
        env->k->hist_u8(hist, pl_image_row(gray, y0) + c->x0, gray->stride_bytes, width, height);
    return pl_gray_rank(hist, (uint64_t)width * height / 2);
}

/* Cuts the piece out at the page's resolution and takes its slope and curve out by shifting
 * columns. */
static platen_status level(const struct pl_env *env, const struct pl_image *gray,
                           const struct pl_strip_cut *c, struct pl_image *ret,
                           struct platen_error *err)
{
    if (is_level(c)) {
        *ret = pl_image_view(gray, (struct pl_rect){c->x0, c->y0, c->x1, c->y1});
        return PLATEN_OK;
    }
    return pl_shear(env, gray, (struct pl_rect){c->x0, c->y0, c->x1, c->y1}, c->slope, c->curve,
                    paper(env, gray, c), ret, err);
}

void pl_strip_levels(const struct pl_line_model *model, const uint32_t hist[256], uint64_t n,
                     uint8_t lut[256])
{
    double lo, hi;
    pl_gray_range(hist, n, &lo, &hi);
    double steps = (double)(1.0f / model->input_scale); /* 160, though 1/160 is no float */
    for (int g = 0; g < 256; g++) {
        double q = floor((hi - g) / (hi - lo) * steps + .5) + model->input_zero;
        lut[g] = (uint8_t)PL_CLAMP(q, 0, 255);
    }
}

static void reverse(uint8_t *row, size_t n)
{
    for (size_t i = 0; i < n / 2; i++) {
        const uint8_t px = row[i];
        row[i] = row[n - 1 - i];
        row[n - 1 - i] = px;
    }
}

static void quantise(const struct pl_env *env, const struct pl_image *im,
                     const struct pl_line_model *model, bool mirrored, uint8_t *dst)
{
    uint32_t hist[256] = {0};
    uint8_t lut[256];
    size_t width = (size_t)im->width, left = (size_t)model->pad_left,
           padded = (size_t)pl_strip_padded(model, im->width);
    env->k->hist_u8(hist, im->px, im->stride_bytes, width, (size_t)im->height);
    pl_strip_levels(model, hist, (uint64_t)width * (uint64_t)im->height, lut);
    for (int y = 0; y < im->height; y++, dst += padded) {
        memset(dst, model->input_zero, left);
        env->k->lut_u8(dst + left, pl_image_row(im, y), width, lut);
        if (mirrored)
            reverse(dst + left, width);
        memset(dst + left + width, model->input_zero, padded - left - width);
    }
}

platen_status pl_strip_make(const struct pl_env *env, const struct pl_image *gray,
                            const struct pl_line_model *model, const struct pl_strip_cut *cut,
                            uint8_t *dst, struct platen_error *err)
{
    pl_auto_image native = {0};
    pl_auto_image scaled = {0};
    platen_status s = level(env, gray, cut, &native, err);
    if (!s)
        s = pl_resample(env, &native, cut->columns, model->height, &scaled, err);
    if (!s)
        quantise(env, &scaled, model, cut->mirrored, dst);
    return s;
}
