/* SPDX-License-Identifier: BSD-2-Clause */
/* The page picture as stage one left it. */
#include "config.h"
#include "codec/codec.h"
#include "output/emitters.h"

static platen_status emit_png(const struct pl_env *env PL_UNUSED, const struct pl_page_result *page,
                              struct pl_str *out, struct platen_error *err)
{
    return pl_png_encode(&page->image->image, out, err);
}

static platen_status emit_pnm(const struct pl_env *env PL_UNUSED, const struct pl_page_result *page,
                              struct pl_str *out, struct platen_error *err)
{
    return pl_pnm_encode(&page->image->image, out, err);
}

const struct pl_emitter pl_emit_png = {
    .name = "png",
    .extension = "png",
    .media_type = "image/png",
    .help = "the page picture after stage one",
    .needs = PLATEN_STAGE_PREPROCESS,
    .binary = true,
    .single = true,
    .emit = emit_png,
};

#if PL_HAVE_TIFF
static platen_status emit_tiff(const struct pl_env *env PL_UNUSED,
                               const struct pl_page_result *page, struct pl_str *out,
                               struct platen_error *err)
{
    return pl_tiff_encode(&page->image->image, out, err);
}

/* Bytes of the page that was held back, of which only the first one keeps its head, and of the one
 * behind it that the next directory may stand at an even place. */
static size_t held_bytes(const struct pl_stream *st)
{
    return st->held.len + st->held.len % 2 - (st->held.len && st->at ? PL_TIFF_HEAD : 0);
}

/* Writes that page, now that it is known where the next one's directory is, or, with 0, that there
 * is none. */
static void let_go(struct pl_stream *st, uint32_t next, struct pl_str *out)
{
    const size_t n = held_bytes(st), odd = st->held.len % 2;
    if (!n)
        return;
    pl_tiff_set_place((uint8_t *)st->held.s + st->held_next, next);
    pl_str_add(out, st->held.s + st->held.len - (n - odd), n - odd);
    if (odd)
        pl_str_putc(out, 0);
    st->at += n;
    pl_str_done(&st->held);
}

/* Puts the pages behind each other. One page is held back: it tells the place of the next one. */
static platen_status join_tiff(struct pl_stream *st, const struct pl_str *page, struct pl_str *out,
                               struct platen_error *err)
{
    const uint64_t at = st->at + held_bytes(st);
    struct pl_str own = {0};
    uint32_t place = 0;
    size_t next = 0;
    platen_status s = PLATEN_OK;
    if (page) {
        pl_str_add(&own, page->s, page->len);
        s = own.failed ? pl_fail_nomem(err, page->len, "a page")
                       : pl_tiff_move((uint8_t *)own.s, own.len, at ? at - PL_TIFF_HEAD : 0, &place,
                                      &next, err);
    }
    if (s) {
        pl_str_done(&own);
        return s;
    }
    let_go(st, place, out);
    st->held = own;
    st->held_next = next;
    return pl_emit_finish(out, err);
}

const struct pl_emitter pl_emit_tiff = {
    .name = "tiff",
    .extension = "tif",
    .media_type = "image/tiff",
    .help = "the page pictures after stage one, black and white as fax group 4; one file takes all",
    .needs = PLATEN_STAGE_PREPROCESS,
    .binary = true,
    .document = true,
    .emit = emit_tiff,
    .join = join_tiff,
};
#endif

const struct pl_emitter pl_emit_pnm = {
    .name = "pnm",
    .extension = "pnm",
    .media_type = "image/x-portable-anymap",
    .help = "the page picture after stage one, uncompressed (PBM, PGM or PPM)",
    .needs = PLATEN_STAGE_PREPROCESS,
    .binary = true,
    .single = true,
    .emit = emit_pnm,
};
