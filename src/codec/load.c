/* SPDX-License-Identifier: BSD-2-Clause */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "codec/cell.h"
#include "codec/render/renderer.h"
#include "codec/types.h"
#include "config.h"
#if PL_HAVE_HEIF
#include "codec/heif/heif_library.h"
#endif
#if PL_HAVE_PDF
#include "codec/pdf/qpdf_library.h"
#endif

/* Whether a scan may be read without what is drawn over it. */
static bool may_read_scan(const struct pl_load_options *opt)
{
    return !opt->anew && opt->pdf_text != PLATEN_PDF_TEXT_FORCE;
}

/* Without a program that renders it no page is read as it is seen. */
static struct pl_load_options settle_reading(const struct pl_load_options *opt)
{
    struct pl_load_options o = *opt;
    o.scan_alone = o.scan_alone || (may_read_scan(opt) && !pl_renderer_has(PL_RENDER_PDF));
    return o;
}

static platen_status sniff(const uint8_t *data, size_t n, const struct pl_file_type **ret,
                           struct platen_error *err)
{
    if (!n)
        return pl_fail(err, PLATEN_ERR_FORMAT, "empty file");
    const struct pl_file_type *t = pl_file_type_of(data, n);
    if (!t) {
        char hex[3 * 8 + 1] = "";
        for (size_t i = 0; i < PL_MIN(n, (size_t)8); i++) {
            const char digits[] = "0123456789abcdef";
            memcpy(hex + 3 * i, (char[4]){' ', digits[data[i] >> 4], digits[data[i] & 15], 0}, 4);
        }
        return pl_fail(err, PLATEN_ERR_FORMAT, "unknown format: first bytes%s", hex);
    }
    if (!t->decode)
        return pl_fail(err, t->status, "%s: %s", t->name, t->hint);
    *ret = t;
    return PLATEN_OK;
}

static platen_status type_of(const struct pl_source *src, const struct pl_file_type **ret,
                             struct platen_error *err)
{
    if (!src->opt->raster)
        return sniff(src->data, src->n, ret, err);
    *ret = &pl_raster_type;
    return PLATEN_OK;
}

/* Whether a process of its own decodes the file. What has no library is decoded here. */
static bool is_for_cell(const struct pl_file_type *t)
{
    return pl_cells_take(t->library) && t->decode != pl_pnm_decode && t != &pl_raster_type;
}

void pl_image_load_libraries(unsigned which)
{
    struct platen_error told_later;
    (void)which, (void)told_later;
#if PL_HAVE_PDF
    if (which & PL_LIBRARY_PDF)
        (void)!pl_qpdf_load(&told_later);
#endif
#if PL_HAVE_HEIF
    if (which & PL_LIBRARY_HEIF)
        (void)!pl_heif_load(&told_later);
#endif
}

platen_status pl_image_files_may_come(struct platen_error *err)
{
    if (pl_cells_take(true))
        return pl_cells_meet(PL_LIBRARIES_ALL, err);
    pl_image_load_libraries(PL_LIBRARIES_ALL);
    return PLATEN_OK;
}

bool pl_image_known(const uint8_t *data, size_t n)
{
    const struct pl_file_type *t = n ? pl_file_type_of(data, n) : NULL;
    return t && t->decode;
}

bool pl_image_may_be_several(const uint8_t *data, size_t n)
{
    const struct pl_file_type *t = n ? pl_file_type_of(data, n) : NULL;
    return t && t->decode && (t->pages || t->end || t->ends);
}

bool pl_image_begins(const uint8_t *data, size_t n)
{
    const struct pl_file_type *t = n ? pl_file_type_of(data, n) : NULL;
    return t && t->decode && !pl_file_type_is_guess(t, data, n);
}

/* What an image of the picture takes at most, as its header says; 0 where none here reads that. */
static size_t room_of(const struct pl_source *src, const struct pl_file_type *f)
{
    struct pl_image_info i;
    if (!f->own_header || f->probe(src, &i, NULL) ||
        pl_limits_check(src->opt, (uint64_t)i.width, (uint64_t)i.height, NULL))
        return 0;
    return pl_image_most_bytes(i.width, i.height,
                               src->opt->gray || i.channels <= 2 ? PL_GRAY8 : PL_RGB8);
}

static bool is_all(const struct pl_image *im, uint8_t value)
{
    const size_t bytes = (size_t)im->width * (size_t)im->format;
    for (int y = 0; y < im->height; y++) {
        const uint8_t *row = pl_image_row(im, y);
        if (row[0] != value || memcmp(row, row + 1, bytes - 1) != 0)
            return false;
    }
    return true;
}

/* White letters on a ground that is seen through, as of subtitles and signs, are decoded once more,
 * over black: over white there is nothing. So is a picture of which nothing can be seen. A page of
 * a PDF has no transparency of its own. */
static platen_status show_white(const struct pl_source *src, const struct pl_file_type *f,
                                struct pl_decoded *ret, struct platen_error *err)
{
    struct pl_image_info info;
    if (f->library == PL_LIBRARY_PDF || !ret->image.px || !is_all(&ret->image, 255) ||
        f->probe(src, &info, NULL) || info.channels % 2)
        return PLATEN_OK;
    struct pl_env env = *src->env;
    struct pl_source again = *src;
    env.on_black = true;
    again.env = &env;
    pl_image_done(&ret->image);
    platen_status s = f->decode(&again, ret, err);
    if (!s && is_all(&ret->image, 0))
        pl_rows_whiten(&ret->image, 0, ret->image.height);
    return s;
}

platen_status pl_image_decode(const struct pl_source *src, struct pl_decoded *ret,
                              struct platen_error *err)
{
    const struct pl_file_type *f = NULL;
    *ret = (struct pl_decoded){0};
    platen_status s = type_of(src, &f, err);
    if (s)
        return s;
    if (src->opt->page > 1 && !f->pages)
        return pl_fail(err, PLATEN_ERR_FORMAT, "no page %d: the %s has 1", src->opt->page, f->name);
    if (is_for_cell(f))
        return pl_cells_decode(src, room_of(src, f), ret, err);
    s = f->decode(src, ret, err);
    s = s ? s : show_white(src, f, ret, err);
    s = s ? s : pl_image_turn(src->env, &ret->image, ret->turn, err);
    if (s)
        pl_image_done(&ret->image);
    return s;
}

/* Tells of further pictures that are not read: animations, and a PNM with one behind its first, as
 * programs make that write several pages in one stream. NULL where there are none. */
static const char *flaw_of_more(const struct pl_source *src)
{
    const struct pl_file_type *t = src->n ? pl_file_type_of(src->data, src->n) : NULL;
    if (!t) /* it is no file; or it became shorter meanwhile: pl_map_check() */
        return NULL;
    if (t->moves && t->moves(src->data, src->n))
        return PL_FLAW_MOVES;
    return t->decode == pl_pnm_decode && pl_image_ends_itself(src->data, src->n) &&
                   pl_image_next(src->data, src->n) < src->n
               ? PL_FLAW_MORE
               : NULL;
}

/* Tells what is wrong with the file. The text becomes clean as that of an error does: it may come
 * from a cell. */
static void tell_flaw(const struct pl_source *src, const struct pl_decoded *d, struct pl_flaw *ret)
{
    const struct pl_damage *m = &d->damage;
    const char *flaw = d->flaw ? d->flaw : flaw_of_more(src);
    struct platen_error told = {.text = ""};
    if (m->why[0])
        (void)!pl_fail(&told, PLATEN_ERR_FORMAT, "%.180s; %llu of %llu rows were read", m->why,
                       (unsigned long long)m->rows, (unsigned long long)m->height);
    *ret = (struct pl_flaw){.damaged = m->why[0]};
    snprintf(ret->text, sizeof(ret->text), "%s%s%s", told.text, told.text[0] && flaw ? "; " : "",
             flaw ? flaw : "");
    if (m->why[0] && m->rows < m->height)
        ret->lost_share = 1 - (double)m->rows / (double)m->height;
}

/* Has a program render the page, where there is one for it; else it fails as it did. */
static platen_status render(const struct pl_source *src, platen_status s, struct pl_decoded *d,
                            struct platen_error *err)
{
    const struct pl_file_type *t = pl_file_type_of(src->data, src->n);
    const enum pl_render_kind kind =
        t && t->decode == pl_djvu_decode ? PL_RENDER_DJVU : PL_RENDER_PDF;
    if (!pl_renderer_has(kind))
        return s;
    s = pl_renderer_load(kind, src, d->drawn_dpi, &d->image, err);
    if (s)
        return s;
    const double page_px =
        d->told.width_in * d->drawn_dpi; /* pdftoppm passes over units of pages */
    if (page_px > 0 && fabs(d->image.width - page_px) >= 2)
        d->drawn_dpi = d->image.width / d->told.width_in;
    d->image.dpi_x = d->image.dpi_y = (float)d->drawn_dpi;
    d->image.bilevel = pl_rows_bilevel(&d->image);
    return PLATEN_OK;
}

static platen_status decode_scan(const struct pl_source *src, struct pl_decoded *ret,
                                 struct platen_error *err)
{
    struct pl_load_options opt = *src->opt;
    struct pl_source again = *src;
    opt.scan_alone = true;
    opt.probed_pixels = opt.probed_bytes = 0; /* those of the page as it is rendered */
    again.opt = &opt;
    return pl_image_decode(&again, ret, err);
}

platen_status pl_image_load(const struct pl_env *env, const uint8_t *data, size_t n,
                            const struct pl_load_options *opt, struct pl_image *ret,
                            struct platen_error *err)
{
    const struct pl_load_options how = settle_reading(opt);
    const struct pl_source src = {.env = env, .data = data, .n = n, .opt = &how};
    struct pl_decoded d;
    platen_status s = pl_image_decode(&src, &d, err);
    const bool drawn = s && d.drawn && !d.over;
    if (s && d.drawn)
        s = render(&src, s, &d, err);
    if (s && d.over && s != PLATEN_ERR_CANCELED && may_read_scan(opt))
        s = decode_scan(&src, &d, err);
    if (!s && opt->ret_told) {
        *opt->ret_told = d.told;
        opt->ret_told->drawn = drawn;
    }
    if (!s && !opt->ret_flaw && d.damage.why[0]) {
        pl_image_done(&d.image);
        s = pl_fail(err, PLATEN_ERR_FORMAT, "%s", d.damage.why);
    }
    if (!s && opt->ret_flaw)
        tell_flaw(&src, &d, opt->ret_flaw);
    if (!s)
        *ret = d.image;
    return s;
}

platen_status pl_image_renderer_start(const char *program, bool sandbox, struct platen_error *err)
{
    return pl_renderer_start(program, sandbox, err);
}

void pl_image_renderer_stop(void)
{
    pl_renderer_stop();
}

bool pl_image_is_pdf(const uint8_t *data, size_t n)
{
    const struct pl_file_type *t = n ? pl_file_type_of(data, n) : NULL;
    return t && t->library == PL_LIBRARY_PDF;
}

bool pl_image_may_be_drawn(const uint8_t *data, size_t n)
{
    const struct pl_file_type *t = n ? pl_file_type_of(data, n) : NULL;
    return t && (t->decode == pl_djvu_decode || t->library == PL_LIBRARY_PDF);
}

platen_status pl_image_probe_settled(const uint8_t *data, size_t n,
                                     const struct pl_load_options *opt, struct pl_image_info *ret,
                                     struct platen_error *err)
{
    const struct pl_source src = {.data = data, .n = n, .opt = opt};
    const struct pl_file_type *f = NULL;
    platen_status s = type_of(&src, &f, err);
    if (!s && pl_cells_take(f->library) && !f->own_header)
        return pl_cells_probe(data, n, opt, ret, err);
    return s ? s : f->probe(&src, ret, err);
}

platen_status pl_image_probe(const uint8_t *data, size_t n, const struct pl_load_options *opt,
                             struct pl_image_info *ret, struct platen_error *err)
{
    const struct pl_load_options how =
        settle_reading(opt ? opt : &(const struct pl_load_options){.page = 1});
    return pl_image_probe_settled(data, n, &how, ret, err);
}

unsigned pl_image_decode_bytes_per_px(const uint8_t *data, size_t n, int channels)
{
    const struct pl_file_type *f = n ? pl_file_type_of(data, n) : NULL;
    return f ? f->memory.pixel + f->memory.channel * (unsigned)channels : 0;
}

uint64_t pl_image_cell_bytes(const uint8_t *data, size_t n, uint64_t pixels, int channels,
                             uint64_t decode_bytes)
{
    const struct pl_file_type *f = n ? pl_file_type_of(data, n) : NULL;
    if (!f || !is_for_cell(f))
        return 0;
    const unsigned decoder =
        PL_MAX(pl_image_decode_bytes_per_px(data, n, channels), (unsigned)channels);
    return n + pixels * (unsigned)channels + PL_MAX(pixels * decoder, decode_bytes);
}

/* Returns whether the label is one line of text. */
static bool is_label(const char *s, size_t n)
{
    uint32_t c;
    for (size_t k; n; s += k, n -= k) {
        k = pl_utf8_get(s, n, &c);
        if (!k || c < 0x20 || (c >= 0x7f && c < 0xa0))
            return false;
    }
    return true;
}

/* Returns whether there is a sound label for each page: what comes from a cell may be anything. */
static bool labels_are_sane(const struct pl_pages *p)
{
    const char *s = p->labels, *end = s + p->label_bytes;
    for (int i = 0; i < p->n; i++) {
        const char *stop = s < end ? memchr(s, 0, (size_t)(end - s)) : NULL;
        if (!stop || stop - s >= PL_PAGE_LABEL_BYTES || !is_label(s, (size_t)(stop - s)))
            return false;
        s = stop + 1;
    }
    return s == end;
}

platen_status pl_image_pages(const uint8_t *data, size_t n, struct pl_pages *ret,
                             struct platen_error *err)
{
    const struct pl_file_type *f = NULL;
    *ret = (struct pl_pages){.n = 1};
    platen_status s = sniff(data, n, &f, err);
    if (s || !f->pages)
        return s;
    s = f->library ? pl_cells_meet(f->library, err) : PLATEN_OK;
    if (s)
        return s;
    s = pl_cells_take(f->library) && !f->own_header ? pl_cells_pages(data, n, ret, err)
                                                    : f->pages(data, n, ret, err);
    if (s) {
        pl_pages_done(ret);
        ret->n = 1;
    } else if (ret->labels && !labels_are_sane(ret)) {
        pl_free(ret->labels);
        ret->labels = NULL;
        ret->label_bytes = 0;
    }
    return s;
}

void pl_pages_done(struct pl_pages *p)
{
    pl_free(p->labels);
    pl_free(p->at);
    *p = (struct pl_pages){0};
}

/* Returns the place at `at` or behind blanks there at which another picture begins; n where none
 * does. */
static size_t begin_behind(const uint8_t *data, size_t n, size_t at)
{
    while (at < n && data[at] && strchr(" \t\r\n", data[at]))
        at++;
    return at < n && pl_image_begins(data + at, n - at) ? at : n;
}

/* The same of a format that has several places at which it may end. A PDF, which may begin behind
 * other bytes, must begin right there. */
static size_t begin_behind_any(const struct pl_file_type *t, const uint8_t *data, size_t n)
{
    static const char pdf[] = "%PDF-";
    for (size_t end = 0, at; (end = t->ends(data, n, end)) < n;) {
        at = begin_behind(data, n, end);
        if (at < n && (!pl_image_is_pdf(data + at, n - at) ||
                       (n - at > sizeof(pdf) && !memcmp(data + at, pdf, sizeof(pdf) - 1))))
            return at;
    }
    return n;
}

size_t pl_image_next(const uint8_t *data, size_t n)
{
    const struct pl_file_type *t = n ? pl_file_type_of(data, n) : NULL;
    if (t && t->ends)
        return begin_behind_any(t, data, n);
    return begin_behind(data, n, t && t->end ? t->end(data, n) : n);
}

/* Numbers of a plain PNM may go on behind the bytes that are there, and a TIFF may be anywhere. */
bool pl_image_ends_itself(const uint8_t *data, size_t n)
{
    const struct pl_file_type *t = n ? pl_file_type_of(data, n) : NULL;
    return t && t->end && !t->pages && (t->decode != pl_pnm_decode || data[1] >= '4');
}

size_t pl_image_whole(const uint8_t *data, size_t n, size_t seen)
{
    static const char jpeg_end[] = {'\xff', '\xd9'};
    const struct pl_file_type *t = pl_file_type_of(data, n);
    const size_t from = seen ? seen - 1 : 0;
    if (!t || !t->end)
        return 0;
    if (t->decode == pl_jpeg_decode && !memmem(data + from, n - from, jpeg_end, sizeof(jpeg_end)))
        return 0;
    const size_t end = t->end(data, n + 1); /* which gives n + 1 where it finds none */
    return end <= n ? end : 0;
}
