/* SPDX-License-Identifier: BSD-2-Clause */
/* PDF: a page that is a scan becomes the picture that covers it, pixel by pixel as it is in the
 * file; one of several pictures (strips, tiles, layers), or of a part of one, is put together in
 * grey. Pages whose text and lines are drawn are refused. */
#include "codec/pdf/pdf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "codec/cell.h"
#include "codec/pdf/pdf_carried.h"
#include "codec/pdf/pdf_layout.h"
#include "codec/render/renderer.h"
#include "image/resample.h"

#define BLANK_DPI 150    /* of a page without content */
#define MIN_SCAN_PX 1650 /* of the longer side of a page of Letter in 150 dpi */
/* A page is put together of pictures that are as large, all in all, as this many of the largest. */
#define MAX_LAYERS 4

struct pdf_document {
    qpdf_data pdf;
    struct platen_error *err;
    struct pl_damage damage; /* of the pictures of a page, all of whose rows are counted */
};

/* ---- one picture of several ---- */

/* Returns the resolution in which the page is put together: that of the finest picture of some
 * size. */
static double composed_dpi(const struct pdf_page_layout *l)
{
    double dpi = 0;
    for (size_t i = 0; i < l->n; i++)
        if (pdf_box_area(l->v[i].seen) >= PL_PDF_MIN_SHARE * pdf_box_area(l->box))
            dpi = fmax(dpi, fmax(l->v[i].dpi_x, l->v[i].dpi_y));
    return dpi > 0 ? dpi : BLANK_DPI;
}

/* Text that is drawn is text of a document that stays, and needs none in its layer. */
static enum pl_pdf_reading reading_of(const struct pl_load_options *opt)
{
    if (opt && opt->scan_alone)
        return PL_PDF_SCAN_ALONE;
    return opt && opt->layer && !opt->pixels ? PL_PDF_BESIDE_TEXT : PL_PDF_AS_SEEN;
}

/* Returns the resolution in which a program renders the page. Over a scan that is the scan's, so
 * that its pixels stay as they are; one with too few of them for text, as the picture behind a page
 * of print may be, gives no measure. Programs make a pixel more of the least part of one. */
static double rendered_dpi(const struct pdf_page_layout *l)
{
    const double side = fmax(l->box.x1 - l->box.x0, l->box.y1 - l->box.y0) / l->units_per_inch;
    const double dpi = l->over ? composed_dpi(l) * (1 - 1e-7) : PL_RENDER_DPI;
    return dpi * side >= MIN_SCAN_PX ? dpi : fmax(dpi, fmin(PL_RENDER_DPI, 2 * MIN_SCAN_PX / side));
}

struct pdf_canvas {
    struct pdf_box box;
    double px_per_unit;
    double width, height; /* px */
};

static struct pdf_canvas canvas_of(const struct pdf_page_layout *l)
{
    struct pdf_canvas c = {.box = l->box, .px_per_unit = composed_dpi(l) / l->units_per_inch};
    struct pdf_box all = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < l->n; i++)
        all = pdf_box_unite(all, l->v[i].seen);
    if (l->n)
        c.box = all;
    c.width = fmax(round((c.box.x1 - c.box.x0) * c.px_per_unit), 1);
    c.height = fmax(round((c.box.y1 - c.box.y0) * c.px_per_unit), 1);
    return c;
}

static uint8_t mix(unsigned over, unsigned below, unsigned alpha)
{
    return (uint8_t)((alpha * over + (255 - alpha) * below + 127) / 255);
}

struct pdf_pixels {
    int x0, y0, x1, y1;
};

/* Draws `from` at (x0, y0), as far as it lies in a part of `to`: an image, or its part that `alpha`
 * (of the same size) shows, and of an image mask what it paints. */
static void draw(const struct pl_image *from, const struct pl_image *alpha, int x0, int y0,
                 bool mask, uint8_t fill, struct pdf_pixels part, struct pl_image *to)
{
    const int xa = PL_MAX(x0, part.x0), xb = PL_MIN(x0 + from->width, part.x1);
    for (int y = PL_MAX(y0, part.y0); y < PL_MIN(y0 + from->height, part.y1); y++) {
        const uint8_t *src = pl_image_row(from, y - y0),
                      *shown = alpha ? pl_image_row(alpha, y - y0) : NULL;
        uint8_t *dst = pl_image_row(to, y);
        for (int x = xa; x < xb; x++) {
            const uint8_t v = src[x - x0];
            dst[x] = mask ? mix(fill, dst[x], 255u - v) : shown ? mix(v, dst[x], shown[x - x0]) : v;
        }
    }
}

static int px_of(double units, const struct pdf_canvas *c)
{
    const double far = 1 << 28; /* px, beyond any picture */
    return (int)lround(PL_CLAMP(units * c->px_per_unit, -far, far));
}

static struct pdf_pixels pixels_of(struct pdf_box b, const struct pdf_canvas *c)
{
    return (struct pdf_pixels){px_of(b.x0 - c->box.x0, c), px_of(c->box.y1 - b.y1, c),
                               px_of(b.x1 - c->box.x0, c), px_of(c->box.y1 - b.y0, c)};
}

/* Counts the rows of a picture of the page, and tells the first damage. */
static void count_rows(struct pdf_document *d, const struct pl_damage *one, int height)
{
    struct pl_damage *all = &d->damage;
    all->height += (uint64_t)height;
    all->rows += one->why[0] ? one->rows : (uint64_t)height;
    if (one->why[0] && !all->why[0])
        memcpy(all->why, one->why, sizeof(all->why));
}

/* Gives the image in grey, turned as it stands on the page. */
static platen_status load_gray(struct pdf_document *d, qpdf_oh image, int turn,
                               const struct pl_source *src, struct pl_image *ret)
{
    struct pl_load_options opt = *src->opt;
    opt.gray = true;
    const struct pl_source gray = {.env = src->env, .data = src->data, .n = src->n, .opt = &opt};
    struct pl_decoded one;
    platen_status s = pl_pdf_image_load(d->pdf, image, &gray, &one, d->err);
    if (s)
        return s;
    count_rows(d, &one.damage, one.image.height);
    *ret = one.image;
    return pl_image_turn(src->env, ret, turn, d->err);
}

/* Gives how much of an image is to be seen, from 0 to 255, turned like it. */
static platen_status load_alpha(struct pdf_document *d, const struct pdf_mask *m, int turn,
                                const struct pl_source *src, struct pl_image *ret)
{
    platen_status s = load_gray(d, m->image, turn, src, ret);
    for (int y = 0; !s && m->stencil && y < ret->height; y++) {
        uint8_t *row = pl_image_row(ret, y);
        src->env->k->invert_u8(row, row, (size_t)ret->width);
    }
    return s;
}

/* Replaces *im by one of that size, unless no side differs by more than `slack` pixels. */
static platen_status fit(const struct pl_source *src, int width, int height, int slack,
                         struct pl_image *im, struct platen_error *err)
{
    if (abs(width - im->width) <= slack && abs(height - im->height) <= slack)
        return PLATEN_OK;
    struct pl_image scaled = {0};
    platen_status s = pl_limits_check(src->opt, (uint64_t)width, (uint64_t)height, err);
    s = s ? s : pl_resample(src->env, im, width, height, &scaled, err);
    if (s)
        return s;
    pl_image_done(im);
    *im = scaled;
    return PLATEN_OK;
}

static platen_status draw_placed(struct pdf_document *d, const struct pdf_placed *p,
                                 const struct pdf_canvas *c, const struct pl_source *src,
                                 struct pl_image *to)
{
    pl_auto_image im = {0}, alpha = {0};
    platen_status s = load_gray(d, p->paint->image, p->turn, src, &im);
    s = s || !p->mask.any ? s : load_alpha(d, &p->mask, p->turn, src, &alpha);
    const struct pdf_pixels all = pixels_of(p->box, c), seen = pixels_of(p->seen, c),
                            part = {PL_MAX(seen.x0, 0), PL_MAX(seen.y0, 0),
                                    PL_MIN(seen.x1, to->width), PL_MIN(seen.y1, to->height)};
    if (s || all.x1 <= all.x0 || all.y1 <= all.y0)
        return s;
    s = fit(src, all.x1 - all.x0, all.y1 - all.y0, 1, &im, d->err);
    s = s || !p->mask.any ? s : fit(src, im.width, im.height, 0, &alpha, d->err);
    if (!s)
        draw(&im, p->mask.any ? &alpha : NULL, all.x0, all.y0, p->info.mask, p->paint->fill, part,
             to);
    return s;
}

/* Draws a picture; of one that is too damaged, or its mask, no row came. */
static platen_status draw_or_count(struct pdf_document *d, const struct pdf_placed *p,
                                   const struct pdf_canvas *c, const struct pl_source *src,
                                   struct pl_image *to)
{
    struct platen_error why;
    struct platen_error *const err = d->err;
    const struct pl_damage before = d->damage;
    struct pl_damage none = {.rows = 0};
    d->err = &why;
    platen_status s = draw_placed(d, p, c, src, to);
    d->err = err;
    if (s == PLATEN_ERR_FORMAT) {
        memcpy(none.why, why.text, sizeof(none.why));
        d->damage = before; /* without what was counted before the failure */
        count_rows(d, &none, p->info.height);
        return PLATEN_OK;
    }
    if (s && err)
        *err = why;
    return s;
}

static uint64_t area_px(const struct pl_pdf_image_info *i)
{
    return (uint64_t)i->width * (uint64_t)i->height;
}

/* A page of a few bytes can paint one large picture thousands of times. */
static platen_status check_layers(const struct pdf_page_layout *l, uint64_t max_pixels,
                                  struct platen_error *err)
{
    uint64_t px = 0;
    for (size_t i = 0; i < l->n; i++)
        px += area_px(&l->v[i].info) + area_px(&l->v[i].mask.info);
    return px / MAX_LAYERS <= max_pixels
               ? PLATEN_OK
               : pl_fail(err, PLATEN_ERR_LIMIT,
                         "the images of the page have %llu pixels, more than %d times the limit",
                         (unsigned long long)px, MAX_LAYERS);
}

static void make_white(struct pl_image *im)
{
    for (int y = 0; y < im->height; y++)
        memset(pl_image_row(im, y), 255, (size_t)im->width);
}

static platen_status compose(struct pdf_document *d, const struct pdf_page_layout *l,
                             const struct pl_source *src, struct pl_image *ret)
{
    const struct pdf_canvas c = canvas_of(l);
    if (c.width > PL_IMAGE_MAX_SIDE || c.height > PL_IMAGE_MAX_SIDE)
        return pl_fail(d->err, PLATEN_ERR_LIMIT, "%.0f x %.0f pixels: no side may exceed %d",
                       c.width, c.height, PL_IMAGE_MAX_SIDE);
    platen_status s = pl_limits_check(src->opt, (uint64_t)c.width, (uint64_t)c.height, d->err);
    s = s ? s : check_layers(l, src->opt->max_pixels, d->err);
    s = s ? s : pl_image_init(src->env, (int)c.width, (int)c.height, PL_GRAY8, ret, d->err);
    if (s)
        return s;
    make_white(ret);
    for (size_t i = 0; !s && i < l->n; i++)
        s = draw_or_count(d, &l->v[i], &c, src, ret);
    ret->dpi_x = ret->dpi_y = (float)(c.px_per_unit * l->units_per_inch);
    ret->bilevel = pl_rows_bilevel(ret);
    return s;
}

/* Leaves of the picture what its mask shows, on white paper. */
static platen_status put_on_paper(struct pdf_document *d, const struct pdf_mask *m,
                                  const struct pl_source *src, struct pl_image *im)
{
    pl_auto_image alpha = {0};
    platen_status s = load_alpha(d, m, 1, src, &alpha);
    s = s ? s : fit(src, im->width, im->height, 0, &alpha, d->err);
    for (int y = 0; !s && y < im->height; y++) {
        const uint8_t *shown = pl_image_row(&alpha, y);
        uint8_t *px = pl_image_row(im, y);
        for (int i = 0; i < im->width * (int)im->format; i++)
            px[i] = mix(px[i], 255, shown[i / (int)im->format]);
    }
    im->bilevel = im->bilevel && pl_rows_bilevel(im);
    return s;
}

static platen_status decode_page(struct pdf_document *d, const struct pdf_page_layout *l,
                                 const struct pl_source *src, struct pl_decoded *ret)
{
    platen_status s;
    if (pl_pdf_is_alone(l)) {
        const struct pdf_placed *p = &l->v[0];
        s = pl_pdf_image_load(d->pdf, p->paint->image, src, ret, d->err);
        if (!s)
            count_rows(d, &ret->damage, ret->image.height);
        if (!s && p->mask.any)
            s = put_on_paper(d, &p->mask, src, &ret->image);
        ret->turn = p->turn;
        /* of the rows as they are stored, as EXIF has it */
        ret->image.dpi_x = (float)(p->turn > 4 ? p->dpi_y : p->dpi_x);
        ret->image.dpi_y = (float)(p->turn > 4 ? p->dpi_x : p->dpi_y);
    } else {
        s = compose(d, l, src, &ret->image);
        ret->turn = 1;
    }
    ret->damage = (struct pl_damage){.rows = 0};
    if (!s && d->damage.why[0]) {
        struct platen_error why;
        s = pl_fail(&why, PLATEN_ERR_FORMAT, "%s", d->damage.why);
        s = pl_damage_settle(s, &why, d->damage.rows, d->damage.height, &ret->damage, d->err);
    }
    const bool beside = reading_of(src->opt) == PL_PDF_BESIDE_TEXT;
    if (l->covers || l->whited || (l->marks && !beside))
        ret->flaw = PL_FLAW_OVERDRAWN;
    return s;
}

/* Whether the scan is read below what may hide words of it, as a black box does. */
static bool is_read_below(const struct pdf_page_layout *l)
{
    return !l->drawn && (l->covers || l->whited);
}

/* Whether the page keeps its text in a document that stays, and gets no other. Visible text stands
 * for itself: where it is drawn over a scan, the scan has none, and elsewhere it is all there is.
 * What is hidden must not be found in the text. */
static bool keeps_text(const struct pdf_page_layout *l, enum platen_pdf_text wish)
{
    const bool drawn = l->drawn && !l->over && l->text;
    if (is_read_below(l))
        return true;
    if (wish == PLATEN_PDF_TEXT_REDO)
        return drawn || (l->hidden_text && l->paints.shown.tangled);
    return drawn || l->hidden_text || (wish == PLATEN_PDF_TEXT_SKIP && l->text);
}

/* Returns what is told of the text that the page has, and whether that is why it is not read. */
static const char *text_flaw(const struct pdf_page_layout *l, const struct pl_load_options *opt,
                             bool *ret_skip)
{
    const bool skip = opt->pdf_text == PLATEN_PDF_TEXT_SKIP && (l->text || l->hidden_text);
    const bool keeps = opt->layer && keeps_text(l, opt->pdf_text);
    *ret_skip = skip || (keeps && !opt->pixels);
    if (keeps && is_read_below(l))
        return PL_FLAW_COVERED;
    return keeps ? PL_FLAW_HAS_TEXT : skip ? PL_FLAW_SKIPPED : NULL;
}

/* Makes a white page in the place of one that is not read. */
static platen_status decode_blank(const struct pdf_page_layout *l, const struct pl_source *src,
                                  struct pl_decoded *ret, struct platen_error *err)
{
    const double px = BLANK_DPI / l->units_per_inch;
    const double width = ceil((l->box.x1 - l->box.x0) * px),
                 height = ceil((l->box.y1 - l->box.y0) * px);
    platen_status s =
        pl_limits_check(src->opt, (uint64_t)fmin(width, 1e9), (uint64_t)fmin(height, 1e9), err);
    s = s ? s : pl_image_init(src->env, (int)width, (int)height, PL_GRAY8, &ret->image, err);
    if (s)
        return s;
    make_white(&ret->image);
    ret->image.dpi_x = ret->image.dpi_y = BLANK_DPI;
    ret->image.bilevel = true;
    ret->turn = 1;
    return PLATEN_OK;
}

/* Tells where the picture of the page stands on it, as it is decoded or rendered. */
static void tell_page(const struct pdf_page_layout *l, const struct pl_source *src, qpdf_data pdf,
                      qpdf_oh page, struct pl_page_told *ret)
{
    const double inch = l->units_per_inch;
    const struct pdf_box all = l->box, at = l->drawn             ? all
                                            : pl_pdf_is_alone(l) ? l->v[0].box
                                                                 : canvas_of(l).box;
    *ret = (struct pl_page_told){.scan_alone = !l->drawn && (l->marks || l->whited),
                                 .width_in = (all.x1 - all.x0) / inch,
                                 .height_in = (all.y1 - all.y0) / inch,
                                 .left_in = (at.x0 - all.x0) / inch,
                                 .top_in = (all.y1 - at.y1) / inch};
    if (src->opt->anew)
        ret->lost = pl_pdf_lost(pdf, page);
}

platen_status pl_pdf_decode(const struct pl_source *src, struct pl_decoded *ret,
                            struct platen_error *err)
{
    struct pdf_document d = {.err = err};
    struct pdf_page_layout l = {0};
    qpdf_oh page;
    *ret = (struct pl_decoded){0};
    platen_status s = pl_pdf_open(src->data, src->n, &d.pdf, err);
    s = s ? s : pl_pdf_find_page(d.pdf, src->opt, &page, err);
    const bool found = !s;
    bool skip = false;
    s = s ? s : pl_pdf_layout_read(d.pdf, page, reading_of(src->opt), &l, err);
    const char *flaw = found ? text_flaw(&l, src->opt, &skip) : NULL;
    if (found && !flaw && src->opt->layer && pl_pdf_is_copy(d.pdf, page))
        flaw = PL_FLAW_TWICE;
    if (skip && (!s || l.drawn))
        s = decode_blank(&l, src, ret, err);
    else
        s = s ? s : decode_page(&d, &l, src, ret);
    if (found && l.units_per_inch > 0)
        tell_page(&l, src, d.pdf, page, &ret->told);
    const double drawn_dpi = l.drawn ? rendered_dpi(&l) : PL_RENDER_DPI;
    pl_pdf_layout_done(&l);
    pl_pdf_close(d.pdf, src->opt->page_at);
    if (s)
        pl_image_done(&ret->image);
    ret->drawn = found && s == PLATEN_ERR_UNSUPPORTED;
    ret->over = ret->drawn && l.over;
    ret->drawn_dpi = drawn_dpi;
    ret->flaw = flaw ? flaw : ret->flaw;
    return s;
}

/* Returns the memory that one picture of the page takes while it is drawn: itself and its mask, as
 * they are stored, as grey, turned, and in the size in which the page has them. */
static uint64_t layer_bytes(const struct pdf_placed *p, const struct pdf_canvas *c)
{
    const double scaled = pdf_box_area(p->box) * c->px_per_unit * c->px_per_unit;
    const uint64_t own = area_px(&p->info) * (uint64_t)(p->info.raw_bytes + 2),
                   mask = area_px(&p->mask.info) * (uint64_t)(p->mask.info.raw_bytes + 2);
    return own + mask + 2 * (uint64_t)fmin(scaled, 1e15);
}

/* Returns the memory that the page takes while it is put together. */
static uint64_t composed_bytes(const struct pdf_page_layout *l, const struct pdf_canvas *c)
{
    uint64_t most = 0;
    for (size_t i = 0; i < l->n; i++)
        most = PL_MAX(most, layer_bytes(&l->v[i], c));
    return (uint64_t)(c->width * c->height) + most;
}

/* Returns the memory that the only picture of the page takes. */
static uint64_t alone_bytes(const struct pdf_placed *p)
{
    const uint64_t picture = area_px(&p->info) * (uint64_t)p->info.channels,
                   mask = area_px(&p->mask.info) * (uint64_t)(p->mask.info.raw_bytes + 2);
    return picture + PL_MAX(area_px(&p->info) * (uint64_t)p->info.raw_bytes,
                            p->mask.any ? mask + area_px(&p->info) : 0);
}

/* Returns the size of a page that a program renders. */
static struct pl_image_info rendered_size(const struct pdf_page_layout *l)
{
    const double px = rendered_dpi(l) / l->units_per_inch;
    return (struct pl_image_info){
        "pdf", (int)fmin(ceil((l->box.x1 - l->box.x0) * px), PL_IMAGE_MAX_SIDE),
        (int)fmin(ceil((l->box.y1 - l->box.y0) * px), PL_IMAGE_MAX_SIDE), 3, 0};
}

platen_status pl_pdf_probe(const struct pl_source *src, struct pl_image_info *ret,
                           struct platen_error *err)
{
    struct pdf_document d = {.err = err};
    struct pdf_page_layout l = {0};
    qpdf_oh page;
    platen_status s = pl_pdf_open(src->data, src->n, &d.pdf, err);
    s = s ? s : pl_pdf_find_page(d.pdf, src->opt, &page, err);
    s = s ? s : pl_pdf_layout_read(d.pdf, page, reading_of(src->opt), &l, err);
    if (l.drawn) {
        *ret = rendered_size(&l);
        s = PLATEN_OK;
    } else if (!s && pl_pdf_is_alone(&l)) {
        *ret = (struct pl_image_info){"pdf", l.v[0].info.width, l.v[0].info.height,
                                      l.v[0].info.channels, alone_bytes(&l.v[0])};
    } else if (!s) {
        const struct pdf_canvas c = canvas_of(&l);
        *ret = (struct pl_image_info){"pdf", (int)fmin(c.width, PL_IMAGE_MAX_SIDE),
                                      (int)fmin(c.height, PL_IMAGE_MAX_SIDE), 1,
                                      composed_bytes(&l, &c)};
    }
    pl_pdf_layout_done(&l);
    pl_pdf_close(d.pdf, src->opt && src->opt->page_at);
    return s;
}

/* ---- a layer more on the page ---- */

/* Gives the unit square of a picture, turned as it is read, on the page as it is seen: the picture
 * may stand a little aslant there. */
static struct pl_affine turned_square(const struct pdf_placed *p)
{
    struct pl_affine m = p->to_seen;
    if (p->turn > 4)
        m = (struct pl_affine){m.b, m.a, m.c, m.e, m.d, m.f};
    if (m.a < 0)
        m = (struct pl_affine){-m.a, m.b, m.c + m.a, -m.d, m.e, m.f + m.d};
    if (m.e < 0)
        m = (struct pl_affine){m.a, -m.b, m.c + m.b, m.d, -m.e, m.f + m.e};
    return m;
}

/* Where the picture of the page stands on it, as pl_pdf_decode() or the program that renders made
 * it. */
static void find_place(const struct pdf_page_layout *l, bool rendered,
                       const struct pl_affine *rotation, const struct pl_pdf_update_source *src,
                       struct pl_pdf_place *ret)
{
    struct pdf_box b = rendered ? l->box : canvas_of(l).box;
    const double px = l->units_per_inch / rendered_dpi(l);
    if (rendered && fabs(src->width * px - (b.x1 - b.x0)) < 2 * px) {
        b.x1 = b.x0 + src->width * px; /* its last row and column may be cut */
        b.y0 = b.y1 - src->height * px;
    }
    const struct pl_affine square =
        !rendered && pl_pdf_is_alone(l)
            ? turned_square(&l->v[0])
            : (struct pl_affine){b.x1 - b.x0, 0, b.x0, 0, b.y1 - b.y0, b.y0};
    const double across = hypot(square.a, square.d), up = hypot(square.b, square.e);
    ret->scale_x = across / src->width;
    ret->scale_y = up / src->height;
    /* a rotation is undone by its transpose */
    const struct pl_affine units = {square.a / across, square.b / up, square.c,
                                    square.d / across, square.e / up, square.f},
                           back = {rotation->a, rotation->d, 0, rotation->b, rotation->e, 0};
    ret->to_user = pl_affine_chain(&units, &back);
    ret->keeps_text = keeps_text(l, src->pdf_text);
    ret->n_open = l->paints.n_open;
    ret->n_below = l->paints.n_below;
}

platen_status pl_pdf_read_update(const struct pl_pdf_update_source *src, struct pl_pdf_update *ret,
                                 struct platen_error *err)
{
    if (pl_cells_take(true))
        return pl_cells_read_update(src, ret, err);
    struct pdf_document d = {.err = err};
    struct pdf_page_layout l = {0};
    const struct pl_load_options opt = {.page = PL_MAX(src->page, 1), .page_at = src->page_at};
    qpdf_oh page;
    *ret = (struct pl_pdf_update){.place = {.free_object = 0}};
    platen_status s = pl_pdf_open(src->data, src->n, &d.pdf, err);
    s = s ? s : pl_pdf_find_page(d.pdf, &opt, &page, err);
    if (s || src->carried) {
        s = s ? s : pl_pdf_read_carried(d.pdf, page, opt.page, ret->text, err);
        pl_pdf_close(d.pdf, src->page_at);
        return s;
    }
    s = pl_pdf_layout_read(d.pdf, page, src->scan_alone ? PL_PDF_SCAN_ALONE : PL_PDF_AS_SEEN, &l,
                           err);
    if (!s || l.drawn) {
        const struct pl_affine rotation = pl_pdf_rotation(d.pdf, page);
        qpdf_oh resources = pl_pdf_inherited(d.pdf, page, "/Resources");
        find_place(&l, l.drawn, &rotation, src, &ret->place);
        s = pl_pdf_put_update(d.pdf, page, resources, src, ret, err);
        if (!s && src->pdf_text == PLATEN_PDF_TEXT_REDO && l.hidden_text && !ret->place.keeps_text)
            s = pl_pdf_strip_content(d.pdf, page, resources, l.covered, &ret->text[PL_PDF_STRIPPED],
                                     err);
    }
    pl_pdf_layout_done(&l);
    pl_pdf_close(d.pdf, src->page_at);
    return s;
}
