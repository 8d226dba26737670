/* SPDX-License-Identifier: BSD-2-Clause */
#include "output/pdf/pdf_picture.h"

#include <assert.h>
#include <string.h>

#include "codec/cell.h"
#include "codec/stored.h"
#include "config.h"
#include "output/pdf/pdf_stream.h"

/* A picture as a stream: the entries of its dictionary that tell how it is packed, and the bytes.
 */
struct packed_picture {
    struct pl_str entries, data;
};

static void packed_done(struct packed_picture *p)
{
    pl_str_done(&p->entries);
    pl_str_done(&p->data);
}

static void put_head(struct pl_str *out, int width, int height)
{
    pl_str_printf(out, "<< /Type /XObject /Subtype /Image /Width %d /Height %d ", width, height);
}

static void put_device_color(struct pl_str *out, int channels, int bits)
{
    pl_str_printf(out, "/ColorSpace /Device%s /BitsPerComponent %d ",
                  channels == 1   ? "Gray"
                  : channels == 3 ? "RGB"
                                  : "CMYK",
                  bits);
}

static void put_fax_filter(struct pl_str *out, int k, int width, int height)
{
    pl_str_printf(out, "/Filter /CCITTFaxDecode /DecodeParms << /K %d /Columns %d /Rows %d ", k,
                  width, height);
}

/* ---- as it is stored ---- */

static void put_palette(const struct pl_stored *p, struct pl_str *out)
{
    pl_str_printf(out, "/ColorSpace [/Indexed /DeviceRGB %d <", p->n_colors - 1);
    for (int i = 0; i < 3 * p->n_colors; i++)
        pl_str_printf(out, "%02x", p->palette[i]);
    pl_str_printf(out, ">] /BitsPerComponent %d ", p->bits);
}

/* Of samples that are turned around. */
static void put_decode(const struct pl_stored *p, struct pl_str *out)
{
    pl_str_puts(out, "/Decode [");
    for (int i = 0; i < p->channels; i++)
        pl_str_puts(out, i ? " 1 0" : "1 0");
    pl_str_puts(out, "] ");
}

/* The end of the data is not asked for, which some writers leave out. */
static void put_stored_fax(const struct pl_stored *p, struct pl_str *out)
{
    put_fax_filter(out, p->k, p->width, p->height);
    pl_str_puts(out, "/EndOfBlock false ");
    if (p->black_is_1)
        pl_str_puts(out, "/BlackIs1 true ");
    if (p->aligned)
        pl_str_puts(out, "/EncodedByteAlign true ");
    if (p->ends_told)
        pl_str_puts(out, "/EndOfLine true ");
    pl_str_puts(out, ">> ");
}

static void put_stored_entries(const struct pl_stored *p, struct pl_str *out)
{
    if (p->palette)
        put_palette(p, out);
    else
        put_device_color(out, p->channels, p->bits);
    if (p->inverted)
        put_decode(p, out);
    switch (p->form) {
    case PL_STORED_NONE:
        assert(false);
        break;
    case PL_STORED_JPEG:
    case PL_STORED_TIFF_JPEG:
        pl_str_puts(out, "/Filter /DCTDecode ");
        if (p->color_transform)
            pl_str_printf(out, "/DecodeParms << /ColorTransform %d >> ", p->color_transform - 1);
        break;
    case PL_STORED_JPEG2000:
        pl_str_puts(out, "/Filter /JPXDecode ");
        break;
    case PL_STORED_FAX:
        put_stored_fax(p, out);
        break;
    case PL_STORED_JBIG2: /* what it shares is named when it has a number */
        pl_str_puts(out, "/Filter /JBIG2Decode ");
        break;
    case PL_STORED_PNG:
        pl_str_printf(out,
                      "/Filter /FlateDecode /DecodeParms << /Predictor 15 /Colors %d "
                      "/BitsPerComponent %d /Columns %d >> ",
                      p->channels, p->bits, p->width);
    }
}

static void put_stored(const struct pl_stored *p, struct pl_str *out)
{
    put_head(out, p->width, p->height);
    put_stored_entries(p, out);
    pl_pdf_begin_stream(out, p->bytes);
    pl_stored_put(p, out);
    pl_pdf_end_stream(out);
}

/* ---- packed ---- */

/* PNG's picture data are rows with a predictor, deflated: FlateDecode reads them as they are. */
static platen_status pack_deflated(const struct pl_image *im, struct packed_picture *ret,
                                   struct platen_error *err)
{
    struct pl_str png = {0};
    struct pl_stored stored;
    platen_status s = pl_png_encode(im, &png, err);
    const bool found = !s && pl_image_stored(NULL, (const uint8_t *)png.s, png.len, NULL, &stored);
    if (found) {
        put_stored_entries(&stored, &ret->entries);
        pl_stored_put(&stored, &ret->data);
    }
    assert(s || found);
    pl_str_done(&png);
    return s;
}

#if PL_HAVE_TIFF
static platen_status pack_fax(const struct pl_image *im, struct packed_picture *ret,
                              struct platen_error *err)
{
    put_device_color(&ret->entries, 1, 1);
    put_fax_filter(&ret->entries, -1, im->width, im->height);
    pl_str_puts(&ret->entries, ">> ");
    return pl_fax_encode(im, &ret->data, err);
}
#endif

/* Packs the pixels of black and white as fax where that takes less than `most` bytes; else `ret`
 * stays empty. */
static platen_status try_fax(const struct pl_image *im, size_t most, struct packed_picture *ret,
                             struct platen_error *err)
{
#if PL_HAVE_TIFF
    platen_status s = im->bilevel ? pack_fax(im, ret, err) : PLATEN_OK;
    if (!s && ret->data.len >= most)
        packed_done(ret);
    return s;
#else
    (void)im, (void)most, (void)ret, (void)err;
    return PLATEN_OK;
#endif
}

/* Packs the pixels in the way that takes fewer bytes: line art as fax, halftones deflated. */
static platen_status pack(const struct pl_image *im, struct packed_picture *ret,
                          struct platen_error *err)
{
    struct packed_picture deflated = {0};
    platen_status s = pack_deflated(im, &deflated, err);
    s = s ? s : try_fax(im, deflated.data.len, ret, err);
    if (!s && !ret->data.len) {
        *ret = deflated;
        deflated = (struct packed_picture){0};
    }
    packed_done(&deflated);
    return s;
}

static platen_status load(const struct pl_env *env, const struct pl_page_result *page,
                          struct pl_image *ret, struct platen_error *err)
{
    struct pl_flaw told; /* when the page was read */
    const struct pl_load_options opt = {.max_pixels = page->max_pixels,
                                        .page = page->page,
                                        .page_at = page->page_at,
                                        .pdf_text = page->pdf_text,
                                        .raster = page->raster,
                                        .ret_flaw = &told};
    return pl_image_load(env, page->source, page->source_bytes, &opt, ret, err);
}

/* Appends the picture packed; or, where `stored` is given and takes fewer bytes, nothing, and
 * *ret_any is false. */
static platen_status put_pixels(const struct pl_image *im, const struct pl_stored *stored,
                                struct pl_str *out, bool *ret_any, struct platen_error *err)
{
    struct packed_picture p = {0};
    platen_status s = stored ? try_fax(im, stored->bytes, &p, err) : pack(im, &p, err);
    if (!s && (p.entries.failed || p.data.failed))
        s = pl_fail_nomem(err, p.data.len, "a picture");
    *ret_any = !stored || p.data.len;
    if (!s && *ret_any) {
        put_head(out, im->width, im->height);
        pl_str_add(out, p.entries.s, p.entries.len);
        pl_pdf_put_stream(out, p.data.len ? p.data.s : "", p.data.len);
    }
    packed_done(&p);
    return s;
}

/* Appends the picture packed, turned as it is to be seen; or as `stored` has it where that is given
 * and takes fewer bytes. *ret_turned tells whether it was turned. */
static platen_status put_packed(const struct pl_env *env, const struct pl_page_result *page,
                                const struct pl_stored *stored, struct pl_str *out,
                                bool *ret_turned, struct platen_error *err)
{
    pl_auto_image im = {0};
    platen_status s = load(env, page, &im, err);
    s = s ? s : put_pixels(&im, stored, out, ret_turned, err);
    if (!s && !*ret_turned)
        put_stored(stored, out);
    return s;
}

/* A JPEG in a code that readers of PDF know. */
static platen_status put_recoded(const struct pl_env *env, const struct pl_page_result *page,
                                 const struct pl_stored *jpeg, struct pl_str *out,
                                 struct platen_error *err)
{
    struct pl_str recoded = {0};
    platen_status s = pl_jpeg_recode(env, page->source, page->source_bytes, &recoded, err);
    if (!s) {
        put_head(out, jpeg->width, jpeg->height);
        put_stored_entries(jpeg, out);
        pl_pdf_put_stream(out, recoded.s, recoded.len);
    }
    pl_str_done(&recoded);
    return s;
}

/* ---- the picture of a page ---- */

static bool is_same_picture(const struct pl_image *a, const struct pl_image *b)
{
    if (a->width != b->width || a->height != b->height || a->format != b->format)
        return false;
    for (int y = 0; y < a->height; y++)
        if (memcmp(pl_image_row(a, y), pl_image_row(b, y), (size_t)a->width * (size_t)a->format))
            return false;
    return true;
}

/* Finds out whether stage one left every pixel as it is stored. PNG is not asked: packed anew, its
 * pixels take no more bytes. */
static platen_status find_unchanged(const struct pl_env *env, const struct pl_page_result *page,
                                    const struct pl_stored *stored, bool *ret,
                                    struct platen_error *err)
{
    const struct pl_image *im = &page->image->image;
    const bool bits = stored->form == PL_STORED_FAX || stored->form == PL_STORED_JBIG2,
               aside = stored->turn > 4;
    pl_auto_image came = {0};
    *ret = false;
    if (stored->form == PL_STORED_PNG || im->bilevel != bits ||
        (im->format == PL_GRAY8) != (stored->channels == 1) ||
        im->width != (aside ? stored->height : stored->width) ||
        im->height != (aside ? stored->width : stored->height))
        return PLATEN_OK;
    platen_status s = load(env, page, &came, err);
    *ret = !s && is_same_picture(im, &came);
    return s;
}

/* Appends a picture that is stored as PDF has it. *ret_turned tells whether it was turned. */
static platen_status put_found(const struct pl_env *env, const struct pl_page_result *page,
                               const struct pl_stored *stored, struct pl_str *out, bool *ret_turned,
                               struct platen_error *err)
{
    /* black and white that is deflated, in 1 bit or 8, or an older fax is mostly smaller as fax of
     * group 4 */
    if ((stored->form == PL_STORED_PNG && stored->channels == 1) ||
        (stored->form == PL_STORED_FAX && stored->k >= 0))
        return put_packed(env, page, stored, out, ret_turned, err);
    put_stored(stored, out);
    *ret_turned = false;
    return PLATEN_OK;
}

/* Whether the bytes of the picture can stand in the document. Of a damaged file every reader would
 * make something else; and what inks of print look like, the profile of PDF/A does not tell. */
static bool may_copy(const struct pl_page_result *page, const struct pl_stored *stored)
{
    return !page->damaged && !(page->pdfa && stored->channels > 3);
}

/* Whether the picture is a JPEG in a code that readers of PDF do not know. Recoding is decoding:
 * where that has processes of its own, they give the pixels. */
static bool may_recode(const struct pl_page_result *page, const struct pl_stored *stored)
{
    return !page->damaged && stored->form == PL_STORED_JPEG && stored->turn &&
           !pl_cells_take(false);
}

platen_status pl_pdf_put_picture(const struct pl_env *env, const struct pl_page_result *page,
                                 struct pl_str *out, struct pl_pdf_picture *ret,
                                 struct platen_error *err)
{
    const struct pl_load_options opt = {
        .page = page->page, .page_at = page->page_at, .pdf_text = page->pdf_text};
    const size_t start = out->len;
    struct pl_stored stored;
    bool turned = true;
    const bool found = pl_image_stored(env, page->source, page->source_bytes, &opt, &stored);
    bool copied = found && may_copy(page, &stored);
    platen_status s =
        copied && page->clean ? find_unchanged(env, page, &stored, &copied, err) : PLATEN_OK;
    if (!s && copied) {
        s = put_found(env, page, &stored, out, &turned, err);
    } else if (!s && page->clean) {
        bool any;
        s = put_pixels(&page->image->image, NULL, out, &any, err);
    } else if (!s && !found && may_recode(page, &stored)) {
        s = put_recoded(env, page, &stored, out, err);
        turned = false;
    } else if (!s) {
        s = put_packed(env, page, NULL, out, &turned, err);
    }
    *ret = (struct pl_pdf_picture){turned ? 1 : stored.turn, .bytes = out->len - start};
    if (!s && copied && stored.shared) {
        pl_str_puts(out, "<< ");
        pl_pdf_put_stream(out, stored.shared, stored.n_shared);
        ret->shared_bytes = out->len - start - ret->bytes;
    }
    pl_stored_done(&stored);
    return s;
}
