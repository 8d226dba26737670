/* SPDX-License-Identifier: BSD-2-Clause */
/* The images of a PDF (ISO 32000-1, 7.4, 8.6, 8.9): undoes their filters and makes grey or RGB
 * pixels of their samples. */
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "codec/deflate.h"
#include "codec/pdf/jbig2.h"
#include "codec/palette.h"
#include "codec/pdf/pdf_color.h"
#include "image/resample.h"
#include "config.h"

static qpdf_oh key(const struct pdf_image *m, const char *name)
{
    return pl_qpdf.oh_get_key(m->pdf, m->dict, name);
}

/* The names that the standard has, in short and in full, by which decoding is chosen. */
static const char *filter_name(const char *name)
{
    static const char *const all[] = {"/FlateDecode",   "/LZWDecode",      "/RunLengthDecode",
                                      "/ASCII85Decode", "/ASCIIHexDecode", "/CCITTFaxDecode",
                                      "/DCTDecode",     "/JPXDecode",      "/JBIG2Decode"};
    static const char *const brief[] = {"/Fl", "/LZW", "/RL", "/A85", "/AHx", "/CCF", "/DCT"};
    for (size_t i = 0; i < PL_ARRAY_LEN(all); i++)
        if (!strcmp(name, all[i]) || (i < PL_ARRAY_LEN(brief) && !strcmp(name, brief[i])))
            return all[i];
    return NULL;
}

static platen_status read_filters(struct pdf_image *m, struct platen_error *err)
{
    qpdf_data pdf = m->pdf;
    qpdf_oh f = key(m, "/Filter"), parms = key(m, "/DecodeParms");
    const bool list = pl_qpdf.oh_is_array(pdf, f);
    const int n = list ? pl_qpdf.oh_get_array_n_items(pdf, f) : pl_qpdf.oh_is_name(pdf, f);
    if (n > MAX_FILTERS)
        return pl_fail(err, PLATEN_ERR_LIMIT, "an image of the page has %d filters", n);
    m->parms = parms;
    for (int i = 0; i < n; i++) {
        qpdf_oh one = list ? pl_qpdf.oh_get_array_item(pdf, f, i) : f;
        const char *name = pl_qpdf.oh_is_name(pdf, one) ? pl_qpdf.oh_get_name(pdf, one) : "";
        m->filters[i] = filter_name(name);
        if (!m->filters[i])
            return pl_fail(err, PLATEN_ERR_UNSUPPORTED,
                           "an image of the page has the unknown filter '%.40s'", name);
        if (pl_qpdf.oh_is_array(pdf, parms))
            m->parms = pl_qpdf.oh_get_array_item(pdf, parms, i);
    }
    m->n_filters = n;
    return PLATEN_OK;
}

bool pl_pdf_last_filter_is(const struct pdf_image *m, const char *name)
{
    return m->n_filters && !strcmp(m->filters[m->n_filters - 1], name);
}

/* Returns whether the data of the image has its own size and colours. */
static bool is_file(const struct pdf_image *m)
{
    return pl_pdf_last_filter_is(m, "/DCTDecode") || pl_pdf_last_filter_is(m, "/JPXDecode");
}

/* Returns the bytes that a pixel takes on its way; for JPEG 2000 as the table of file types has
 * them, of four components where only its file tells how many there are. A JPEG claims what it
 * takes itself. Samples stand twice: packed and unpacked, or as qpdf unpacked them and in the copy
 * that it hands out.
 */
static int raw_bytes_of(const struct pdf_image *m, bool has_space)
{
    if (pl_pdf_last_filter_is(m, "/JPXDecode"))
        return 2 + 5 * (has_space ? m->n_samples : 4);
    if (pl_pdf_last_filter_is(m, "/DCTDecode"))
        return 0;
    return pl_pdf_last_filter_is(m, "/JBIG2Decode") ? 2 : 2 * ((m->n_samples * m->bits + 7) / 8);
}

platen_status pl_pdf_image_open(qpdf_data pdf, qpdf_oh stream, struct pdf_image *ret,
                                struct platen_error *err)
{
    struct pdf_image *m = ret;
    *m = (struct pdf_image){.pdf = pdf, .stream = stream, .dict = pl_qpdf.oh_get_dict(pdf, stream)};
    platen_status s = read_filters(m, err);
    if (s)
        return s;
    m->info.mask = pl_pdf_is_true(pdf, m->dict, "/ImageMask");
    m->info.width = pl_pdf_int(pdf, m->dict, "/Width", 0);
    m->info.height = pl_pdf_int(pdf, m->dict, "/Height", 0);
    m->bits = m->info.mask ? 1 : pl_pdf_int(pdf, m->dict, "/BitsPerComponent", is_file(m) ? 8 : 1);
    qpdf_oh cs = key(m, "/ColorSpace");
    if (m->info.width < 1 || m->info.height < 1)
        return pl_fail(err, PLATEN_ERR_FORMAT, "damaged pdf: an image without a size");
    if (m->bits != 1 && m->bits != 2 && m->bits != 4 && m->bits != 8 && m->bits != 16)
        return pl_fail(err, PLATEN_ERR_FORMAT, "damaged pdf: an image of %d bits a sample",
                       m->bits);
    if (m->info.mask ||
        (is_file(m) && !pl_qpdf.oh_is_name(pdf, cs) && !pl_qpdf.oh_is_array(pdf, cs)))
        pl_pdf_set_samples(m, SAMPLES_GRAY, 1);
    else
        s = pl_pdf_read_color_space(m, cs, false, err);
    if (!s)
        pl_pdf_read_decode(m);
    m->info.raw_bytes =
        raw_bytes_of(m, pl_qpdf.oh_is_name(pdf, cs) || pl_qpdf.oh_is_array(pdf, cs));
    m->info.channels = m->samples == SAMPLES_GRAY || m->samples == SAMPLES_TINT ? 1 : 3;
    return s;
}

platen_status pl_pdf_image_probe(qpdf_data pdf, qpdf_oh image, struct pl_pdf_image_info *ret,
                                 struct platen_error *err)
{
    struct pdf_image m;
    platen_status s = pl_pdf_image_open(pdf, image, &m, err);
    *ret = m.info;
    return s;
}

platen_status pl_pdf_image_bytes(struct pdf_image *m, uint8_t **ret, size_t *ret_n,
                                 struct platen_error *err)
{
    qpdf_data pdf = m->pdf;
    platen_status s = pl_pdf_stream(pdf, m->stream, qpdf_dl_none, ret, ret_n, err);
    if (s || m->n_filters < 2)
        return s;
    pl_pdf_must_close();
    qpdf_oh copy = pl_qpdf.oh_new_stream(pdf), filters = pl_qpdf.oh_new_array(pdf);
    for (int i = 0; i + 1 < m->n_filters; i++)
        pl_qpdf.oh_append_item(pdf, filters, pl_qpdf.oh_new_name(pdf, m->filters[i]));
    pl_qpdf.oh_replace_stream_data(pdf, copy, *ret, *ret_n, filters, pl_qpdf.oh_new_null(pdf));
    pl_free(*ret);
    return pl_pdf_stream(pdf, copy, qpdf_dl_specialized, ret, ret_n, err);
}

platen_status pl_pdf_image_shared(const struct pdf_image *m, uint8_t **ret, size_t *ret_n,
                                  struct platen_error *err)
{
    qpdf_oh globals = pl_qpdf.oh_get_key_if_dict(m->pdf, m->parms, "/JBIG2Globals");
    *ret = NULL;
    *ret_n = 0;
    return pl_qpdf.oh_is_stream(m->pdf, globals)
               ? pl_pdf_stream(m->pdf, globals, qpdf_dl_specialized, ret, ret_n, err)
               : PLATEN_OK;
}

/* ---- images that are files of another format ---- */

/* Makes indices again of samples of so many bits, which were scaled to 0..255. */
static void unscale(struct pl_image *im, int bits)
{
    const int most = (1 << PL_MIN(bits, 8)) - 1;
    for (int y = 0; y < im->height; y++)
        for (int x = 0; x < im->width * (int)im->format; x++)
            pl_image_row(im, y)[x] = (uint8_t)((pl_image_row(im, y)[x] * most + 127) / 255);
}

/* The file of an image may have so many times the pixels that the document tells: it is decoded as
 * a whole, and the memory of a page is promised by what the document tells. */
#define MAX_UNTOLD 2

/* Gives the picture of the image's file the size that the document tells. Of rows that are too many
 * the last are left out, and those that lack are white, as poppler has it, and MuPDF for JPEG; both
 * make nonsense of another width, so that such a picture is scaled. */
static platen_status fit_to_told(const struct pdf_image *m, const struct pl_source *src,
                                 struct pl_decoded *d, struct platen_error *err)
{
    const int width = m->info.width, height = m->info.height, came = d->image.height;
    struct pl_image made = {0};
    struct platen_error why;
    if (d->image.width != width) {
        pl_auto_image gray = {0};
        platen_status s = pl_image_to_gray(src->env, &d->image, &gray, err);
        s = s ? s : pl_resample(src->env, &gray, width, height, &made, err);
        if (s)
            return s;
    } else if (came < height) {
        platen_status s =
            pl_fail(&why, PLATEN_ERR_FORMAT, "damaged pdf: an image of %d rows where %d are told",
                    came, height);
        s = d->damage.why[0]
                ? PLATEN_OK
                : pl_damage_settle(s, &why, (uint64_t)came, (uint64_t)height, &d->damage, err);
        s = s ? s : pl_image_init(src->env, width, height, d->image.format, &made, err);
        if (s)
            return s;
        for (int y = 0; y < came; y++)
            memcpy(pl_image_row(&made, y), pl_image_row(&d->image, y),
                   (size_t)width * (size_t)made.format);
        pl_rows_whiten(&made, came, height);
        made.bilevel = d->image.bilevel;
    } else {
        d->image.height = height;
        return PLATEN_OK;
    }
    pl_image_done(&d->image);
    d->image = made;
    return PLATEN_OK;
}

static platen_status decode_file(struct pdf_image *m, const struct pl_source *src,
                                 pl_decode_fn *decode, struct pl_decoded *ret,
                                 struct platen_error *err)
{
    struct pl_load_options opt = *src->opt;
    uint8_t *data = NULL;
    size_t n = 0;
    opt.page = 0;
    opt.page_at = 0;
    opt.mapped = false;
    opt.max_pixels =
        PL_MIN(opt.max_pixels, MAX_UNTOLD * (uint64_t)m->info.width * (uint64_t)m->info.height);
    platen_status s = pl_pdf_image_bytes(m, &data, &n, err);
    const bool inks = m->samples == SAMPLES_CMYK;
    const struct pl_source file = {
        .env = src->env,
        .data = data,
        .n = n,
        .opt = &opt,
        .inks = m->curves[0][0] > m->curves[0][255] ? PL_INKS_INVERTED : PL_INKS_PLAIN,
        .four_inks = inks,
        .alpha = pl_pdf_int(m->pdf, m->dict, "/SMaskInData", 0) ? PL_ALPHA_NEXT : PL_ALPHA_NONE};
    if (!s)
        s = decode(&file, ret, err);
    pl_free(data);
    if (s == PLATEN_ERR_LIMIT)
        return pl_fail_prefix(err, s,
                              "an image that the pdf tells to have %d x %d pixels: ", m->info.width,
                              m->info.height);
    if (s)
        return s;
    ret->flaw = NULL; /* a JPEG without its end is whole here */
    if (m->samples == SAMPLES_INDEXED && ret->sample_bits)
        unscale(&ret->image, ret->sample_bits);
    s = inks ? PLATEN_OK : pl_pdf_set_colors(m, src, &ret->image, err);
    return s ? s : fit_to_told(m, src, ret, err);
}

static platen_status decode_fax(struct pdf_image *m, const struct pl_source *src,
                                struct pl_decoded *ret, struct platen_error *err)
{
    qpdf_data pdf = m->pdf;
    const int k = pl_pdf_int(pdf, m->parms, "/K", 0),
              columns = pl_pdf_int(pdf, m->parms, "/Columns", 1728);
    uint8_t *data = NULL;
    size_t n = 0;
    const bool aligned = pl_pdf_is_true(pdf, m->parms, "/EncodedByteAlign");
    if (aligned && k)
        return pl_fail(err, PLATEN_ERR_UNSUPPORTED,
                       "a fax image of the page has rows that end at whole bytes");
    if (columns != m->info.width)
        return pl_fail(err, PLATEN_ERR_FORMAT, "damaged pdf: a fax image %d and %d pixels wide",
                       columns, m->info.width);
    platen_status s = pl_pdf_image_bytes(m, &data, &n, err);
    const struct pl_source fax = {.env = src->env, .data = data, .n = n, .opt = src->opt};
    s = s ? s : pl_fax_decode(&fax, k, aligned, columns, m->info.height, ret, err);
    pl_free(data);
    struct pl_image *im = &ret->image;
    for (int y = 0; !s && pl_pdf_is_true(pdf, m->parms, "/BlackIs1") && y < im->height; y++) {
        uint8_t *row = pl_image_row(im, y);
        src->env->k->invert_u8(row, row, (size_t)im->width);
    }
    return s ? s : pl_pdf_set_bits_colors(m, src, im, err);
}

static platen_status decode_jbig2(struct pdf_image *m, const struct pl_source *src,
                                  struct pl_decoded *ret, struct platen_error *err)
{
    uint8_t *data = NULL, *shared = NULL;
    size_t n = 0, n_shared = 0;
    platen_status s = pl_pdf_image_bytes(m, &data, &n, err);
    s = s ? s : pl_pdf_image_shared(m, &shared, &n_shared, err);
    const struct pl_source stream = {.env = src->env, .data = data, .n = n, .opt = src->opt};
    s = s ? s : pl_jbig2_decode(&stream, shared, n_shared, m->info.width, m->info.height, ret, err);
    pl_free(shared);
    pl_free(data);
    return s ? s : pl_pdf_set_bits_colors(m, src, &ret->image, err);
}

/* ---- images that are samples ---- */

static size_t row_bytes_of(const struct pdf_image *m)
{
    return ((size_t)m->info.width * (size_t)(m->n_samples * m->bits) + 7) / 8;
}

/* Returns the predictor of a lone Flate filter: 0 for none, or PNG's; -1 where it is another
 * one, or is for rows of another form. */
static int simple_predictor(const struct pdf_image *m)
{
    qpdf_data pdf = m->pdf;
    const int p = pl_pdf_int(pdf, m->parms, "/Predictor", 1);
    if (p < 2)
        return 0;
    const bool same = pl_pdf_int(pdf, m->parms, "/Colors", 1) == m->n_samples &&
                      pl_pdf_int(pdf, m->parms, "/BitsPerComponent", 8) == m->bits &&
                      pl_pdf_int(pdf, m->parms, "/Columns", 1) == m->info.width;
    return p >= 10 && same && m->n_samples * m->bits <= 32 ? 1 : -1;
}

/* The rows of an image, unpacked. */
struct raw_rows {
    uint8_t *data;
    size_t rows; /* that came, no more than the image has */
    struct platen_error
        why; /* rows are missing, or may be wrong; its code is 0 where all is well */
};

static void note_end(const struct pdf_image *m, size_t n, size_t all, struct raw_rows *ret)
{
    ret->rows = PL_MIN(n / (all / (size_t)m->info.height), (size_t)m->info.height);
    if (n < all)
        (void)!pl_fail(&ret->why, PLATEN_ERR_FORMAT,
                       "damaged pdf: an image ends at byte %zu of %zu", n, all);
}

/* Unpacks no more than the image needs, whatever the stream holds. */
static platen_status inflate_rows(struct pdf_image *m, const struct pl_env *env, int filtered,
                                  struct raw_rows *ret, struct platen_error *err)
{
    const size_t row = row_bytes_of(m) + (size_t)filtered, all = (size_t)m->info.height * row;
    uint8_t *packed = NULL, more;
    size_t n_packed = 0, n = 0;
    bool ok = true;
    platen_status s = pl_pdf_stream(m->pdf, m->stream, qpdf_dl_none, &packed, &n_packed, err);
    if (s)
        return s;
    struct pl_inflate *z = pl_inflate_new(env->bufs);
    ret->data = z && n_packed <= UINT32_MAX ? pl_alloc((size_t)m->info.height, row) : NULL;
    if (ret->data) {
        pl_inflate_feed(z, packed, n_packed);
        for (size_t got = 1; got && ok && n < all; n += got)
            got = pl_inflate_take(z, ret->data + n, PL_MIN(all - n, (size_t)1 << 24), &ok);
        note_end(m, n, all, ret);
        if (ok && n == all)
            (void)pl_inflate_take(z, &more, 1, &ok);
    }
    pl_inflate_free(z, env->bufs);
    pl_free(packed);
    if (!ret->data)
        return pl_fail_nomem(err, all, "an image of a pdf");
    if (!ok && n == all)
        (void)!pl_fail(&ret->why, PLATEN_ERR_FORMAT,
                       "damaged pdf: the checksum of an image is wrong");
    return PLATEN_OK;
}

/* Closes up the rows in place, without the byte that names the filter of each. */
static void undo_filters(const struct pdf_image *m, const struct pl_env *env, struct raw_rows *s)
{
    const size_t row = row_bytes_of(m);
    for (size_t y = 0; y < s->rows; y++)
        if (s->data[y * (row + 1)] > 4) {
            (void)!pl_fail(&s->why, PLATEN_ERR_FORMAT,
                           "damaged pdf: an image with the PNG filter %d", s->data[y * (row + 1)]);
            s->rows = y;
        }
    const int bpp = PL_MAX(m->n_samples * m->bits / 8, 1);
    if (s->rows)
        env->k->png_unfilter(s->data, s->rows, row, (size_t)bpp, NULL);
    for (size_t y = 0; y < s->rows; y++)
        memmove(s->data + y * row, s->data + y * (row + 1) + 1, row);
}

static platen_status unpack_samples(struct pdf_image *m, const struct pl_env *env,
                                    struct raw_rows *ret, struct platen_error *err)
{
    const bool flate = m->n_filters == 1 && pl_pdf_last_filter_is(m, "/FlateDecode");
    const int predictor = flate ? simple_predictor(m) : -1;
    platen_status s = PLATEN_OK;
    size_t n = 0;
    if (predictor < 0) {
        s = pl_pdf_stream(m->pdf, m->stream, m->n_filters ? qpdf_dl_specialized : qpdf_dl_none,
                          &ret->data, &n, err);
        note_end(m, n, row_bytes_of(m) * (size_t)m->info.height, ret);
        return s;
    }
    s = inflate_rows(m, env, predictor, ret, err);
    if (!s && predictor)
        undo_filters(m, env, ret);
    return s;
}

/* Unpacks samples to a byte each: indices as they are, others scaled to 0..255. */
static void spread(const struct pdf_image *m, const uint8_t *from, uint8_t *to)
{
    const int n = m->info.width * m->n_samples, most = (1 << PL_MIN(m->bits, 8)) - 1;
    const int scale = m->samples == SAMPLES_INDEXED ? 1 : 255 / most;
    for (int i = 0; i < n; i++) {
        const int bit = i * m->bits;
        if (m->bits >= 8)
            to[i] = m->bits == 8 ? from[i] : pl_from_16(from[2 * i] * 256u + from[2 * i + 1]);
        else
            to[i] = (uint8_t)((from[bit / 8] >> (8 - m->bits - bit % 8) & most) * scale);
    }
}

static void put_row(const struct pdf_image *m, const struct pl_env *env,
                    const struct pl_palette *pal, const uint8_t *from, uint8_t *scratch,
                    struct pl_image *im, int y)
{
    const size_t n = (size_t)m->info.width;
    if (m->bits == 1 && m->n_samples == 1 && m->samples != SAMPLES_INDEXED) {
        env->k->unpack_bits(pl_image_row(im, y), from, n, m->curves[0][0], m->curves[0][255]);
        return;
    }
    spread(m, from, scratch);
    if (m->samples == SAMPLES_INDEXED) {
        pl_palette_row(env, pal, im, y, scratch);
        return;
    }
    pl_pdf_apply_curves(m, scratch, n, (size_t)m->n_samples);
    if (m->samples == SAMPLES_CMYK)
        pl_inks_to_rgb(scratch, n, false);
    pl_rows_put(env, im, y, scratch, m->info.channels);
}

/* Makes the picture of rows that came, at least one. */
static platen_status put_rows(struct pdf_image *m, const struct pl_source *src,
                              const struct raw_rows *from, struct pl_image *im,
                              struct platen_error *err)
{
    const size_t row = row_bytes_of(m), width = (size_t)m->info.width;
    struct pl_palette pal;
    if (m->samples == SAMPLES_INDEXED)
        pl_palette_init(src->env, m->palette, m->n_palette, &pal);
    const bool gray = m->info.channels == 1 || (m->samples == SAMPLES_INDEXED && pal.gray);
    platen_status s = pl_rows_init(src, m->info.width, m->info.height, gray ? 1 : 3, im, err);
    if (s)
        return s;
    uint8_t *scratch = pl_alloc(width, 4);
    if (!scratch)
        return pl_fail_nomem(err, width * 4, "a row of a pdf's image");
    for (size_t y = 0; y < from->rows; y++)
        put_row(m, src->env, &pal, from->data + y * row, scratch, im, (int)y);
    pl_rows_whiten(im, (int)from->rows, im->height);
    im->bilevel = m->bits == 1 && pl_rows_bilevel(im);
    pl_free(scratch);
    return PLATEN_OK;
}

static platen_status decode_samples(struct pdf_image *m, const struct pl_source *src,
                                    struct pl_decoded *ret, struct platen_error *err)
{
    struct raw_rows all = {.data = NULL};
    platen_status s = unpack_samples(m, src->env, &all, err);
    if (!s && all.why.code)
        s = pl_damage_settle(all.why.code, &all.why, all.rows, (uint64_t)m->info.height,
                             &ret->damage, err);
    s = s ? s : put_rows(m, src, &all, &ret->image, err);
    pl_free(all.data);
    return s;
}

platen_status pl_pdf_image_load(qpdf_data pdf, qpdf_oh image, const struct pl_source *src,
                                struct pl_decoded *ret, struct platen_error *err)
{
    struct pdf_image m;
    *ret = (struct pl_decoded){.turn = 1};
    platen_status s = pl_pdf_image_open(pdf, image, &m, err);
    s = s ? s : pl_limits_check(src->opt, (uint64_t)m.info.width, (uint64_t)m.info.height, err);
    if (s)
        return s;
    if (pl_pdf_last_filter_is(&m, "/DCTDecode"))
        s = decode_file(&m, src, pl_jpeg_decode, ret, err);
#if PL_HAVE_JP2
    else if (pl_pdf_last_filter_is(&m, "/JPXDecode"))
        s = decode_file(&m, src, pl_jp2_decode, ret, err);
#endif
    else if (pl_pdf_last_filter_is(&m, "/CCITTFaxDecode"))
        s = decode_fax(&m, src, ret, err);
    else if (pl_pdf_last_filter_is(&m, "/JBIG2Decode"))
        s = decode_jbig2(&m, src, ret, err);
    else if (pl_pdf_last_filter_is(&m, "/JPXDecode"))
        s = pl_fail(err, PLATEN_ERR_UNSUPPORTED,
                    "an image of the page is JPEG 2000, and this build has no library for it");
    else
        s = decode_samples(&m, src, ret, err);
    if (s)
        pl_image_done(&ret->image);
    return s;
}
