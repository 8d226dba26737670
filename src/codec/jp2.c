/* SPDX-License-Identifier: BSD-2-Clause */
/* JPEG 2000 through OpenJPEG: files (.jp2) and bare code streams. */
#include <openjpeg.h>
#include <string.h>

#include "base/mem.h"
#include "codec/decode.h"

struct jp2_reader {
    const uint8_t *data;
    size_t n, pos;
    opj_stream_t *stream;
    opj_codec_t *codec;
    opj_image_t *image;
    struct platen_error *err;
    platen_status status;
    enum pl_alpha alpha;
    bool four_inks;
};

static OPJ_SIZE_T on_read(void *to, OPJ_SIZE_T n, void *ctx)
{
    struct jp2_reader *r = ctx;
    size_t k = PL_MIN(n, r->n - r->pos);
    memcpy(to, r->data + r->pos, k);
    r->pos += k;
    return k ? k : (OPJ_SIZE_T)-1;
}

static OPJ_OFF_T on_skip(OPJ_OFF_T n, void *ctx)
{
    struct jp2_reader *r = ctx;
    if (n < 0 || (uint64_t)n > r->n - r->pos)
        return -1;
    r->pos += (size_t)n;
    return n;
}

static OPJ_BOOL on_seek(OPJ_OFF_T to, void *ctx)
{
    struct jp2_reader *r = ctx;
    if (to < 0 || (uint64_t)to > r->n)
        return OPJ_FALSE;
    r->pos = (size_t)to;
    return OPJ_TRUE;
}

/* The first message is the cause. */
static void on_error(const char *message, void *ctx)
{
    struct jp2_reader *r = ctx;
    if (!r->status)
        r->status = pl_fail(r->err, PLATEN_ERR_FORMAT, "damaged jpeg 2000: %.*s",
                            (int)PL_MIN(strcspn(message, "\n"), (size_t)160), message);
}

static platen_status fail_jp2(struct jp2_reader *r)
{
    if (!r->status)
        r->status = pl_fail(r->err, PLATEN_ERR_FORMAT, "damaged jpeg 2000");
    return r->status;
}

static platen_status open_reader(struct jp2_reader *r)
{
    opj_dparameters_t parameters;
    bool boxed = r->n > 4 && r->data[0] == 0; /* the length of the first box */
    r->stream = opj_stream_create(1 << 16, OPJ_TRUE);
    r->codec = opj_create_decompress(boxed ? OPJ_CODEC_JP2 : OPJ_CODEC_J2K);
    if (!r->stream || !r->codec)
        return pl_fail_nomem(r->err, r->n, "decoding a jpeg 2000");
    opj_stream_set_user_data(r->stream, r, NULL);
    opj_stream_set_user_data_length(r->stream, r->n);
    opj_stream_set_read_function(r->stream, on_read);
    opj_stream_set_skip_function(r->stream, on_skip);
    opj_stream_set_seek_function(r->stream, on_seek);
    opj_set_error_handler(r->codec, on_error, r);
    opj_set_default_decoder_parameters(&parameters);
    if (!opj_setup_decoder(r->codec, &parameters) ||
        !opj_read_header(r->stream, r->codec, &r->image) || !r->image || r->status)
        return fail_jp2(r);
    return PLATEN_OK;
}

static void close_reader(struct jp2_reader *r)
{
    opj_image_destroy(r->image);
    opj_destroy_codec(r->codec);
    opj_stream_destroy(r->stream);
}

/* How the components make a picture. */
struct layout {
    /* The first so many components: 1 grey, 2 grey + alpha, 3 RGB, 4 RGB + alpha or inks. */
    int channels;
    bool ycc, inks;
};

static platen_status find_layout(const struct jp2_reader *r, struct layout *ret)
{
    const opj_image_t *im = r->image;
    int n = (int)PL_MIN(im->numcomps, 5u), colors = n >= 3 ? 3 : 1;
    if (r->four_inks && n >= 4) {
        *ret = (struct layout){.channels = 4, .inks = true};
        return PLATEN_OK;
    }
    if (!n || im->color_space == OPJ_CLRSPC_CMYK || im->color_space == OPJ_CLRSPC_EYCC)
        return pl_fail(r->err, PLATEN_ERR_UNSUPPORTED,
                       "jpeg 2000 of %u components, colour space %d", im->numcomps,
                       im->color_space);
    bool alpha = n > colors && r->alpha != PL_ALPHA_NONE &&
                 (im->comps[colors].alpha || r->alpha == PL_ALPHA_NEXT);
    bool halved = colors == 3 && (im->comps[1].dx > im->comps[0].dx);
    *ret = (struct layout){.channels = colors + alpha,
                           .ycc = colors == 3 && (im->color_space == OPJ_CLRSPC_SYCC || halved)};
    return PLATEN_OK;
}

/* Puts a row of component c, stretched to `width` pixels, into every `step`-th byte. */
static void put_component(const opj_image_comp_t *c, int y, int height, int width, uint8_t *to,
                          int step)
{
    const OPJ_INT32 *row = c->data + (size_t)((uint64_t)y * c->h / (uint64_t)height) * c->w;
    unsigned prec = PL_MIN(c->prec, 31u), drop = prec > 16 ? prec - 16 : 0;
    int64_t offset = c->sgnd ? (int64_t)1 << (prec - 1) : 0,
            max = ((int64_t)1 << (prec - drop)) - 1;
    for (int x = 0; x < width; x++) {
        int64_t v = ((int64_t)row[(uint64_t)x * c->w / (uint64_t)width] + offset) >> drop;
        v = PL_MIN(PL_MAX(v, 0), max);
        to[(size_t)x * (size_t)step] = (uint8_t)((v * 255 + max / 2) / max);
    }
}

static uint8_t clamp(int v)
{
    return (uint8_t)PL_MIN(PL_MAX(v, 0), 255);
}

/* Converts by full-range BT.601, as sYCC has it, in 16-bit fixed point. */
static void ycc_to_rgb(uint8_t *row, int width, int channels)
{
    for (int x = 0; x < width; x++, row += channels) {
        int y = row[0] * 65536 + 32768, cb = row[1] - 128, cr = row[2] - 128;
        row[0] = clamp((y + 91881 * cr) >> 16);
        row[1] = clamp((y - 22554 * cb - 46802 * cr) >> 16);
        row[2] = clamp((y + 116130 * cb) >> 16);
    }
}

static platen_status check_components(struct jp2_reader *r, const struct layout *l)
{
    for (int i = 0; i < l->channels; i++) {
        const opj_image_comp_t *c = &r->image->comps[i];
        if (!c->data || !c->w || !c->h || !c->prec)
            return fail_jp2(r);
    }
    return PLATEN_OK;
}

static platen_status put_rows(struct jp2_reader *r, const struct pl_source *src,
                              const struct layout *l, struct pl_image *im)
{
    size_t bytes = (size_t)im->width * (size_t)l->channels;
    uint8_t *row = pl_bufpool_get(src->env->bufs, bytes);
    if (!row)
        return pl_fail_nomem(r->err, bytes, "a row of a jpeg 2000");
    for (int y = 0; y < im->height; y++) {
        for (int i = 0; i < l->channels; i++)
            put_component(&r->image->comps[i], y, im->height, im->width, row + i, l->channels);
        if (l->ycc)
            ycc_to_rgb(row, im->width, l->channels);
        if (l->inks)
            pl_inks_to_rgb(row, (size_t)im->width, false);
        pl_rows_put(src->env, im, y, row, l->inks ? 3 : l->channels);
    }
    pl_bufpool_put(src->env->bufs, row, bytes);
    return PLATEN_OK;
}

static platen_status decode_jp2(struct jp2_reader *r, const struct pl_source *src,
                                struct pl_image *ret)
{
    struct layout l;
    platen_status s = open_reader(r);
    if (s)
        return s;
    uint64_t w = (uint64_t)r->image->x1 - r->image->x0, h = (uint64_t)r->image->y1 - r->image->y0;
    s = pl_limits_check(src->opt, w, h, r->err);
    if (!s)
        s = find_layout(r, &l);
    if (s)
        return s;
    if (!opj_decode(r->codec, r->stream, r->image) || r->status ||
        !opj_end_decompress(r->codec, r->stream) || r->status)
        return fail_jp2(r);
    s = find_layout(r, &l); /* a palette may have made three components of one */
    if (!s)
        s = check_components(r, &l);
    if (!s)
        s = pl_rows_init(src, (int)w, (int)h, l.channels, ret, r->err);
    return s ? s : put_rows(r, src, &l, ret);
}

platen_status pl_jp2_decode(const struct pl_source *src, struct pl_decoded *ret,
                            struct platen_error *err)
{
    struct jp2_reader r = {.data = src->data,
                           .n = src->n,
                           .err = err,
                           .alpha = src->alpha,
                           .four_inks = src->four_inks};
    struct pl_image im = {0};
    platen_status s = decode_jp2(&r, src, &im);
    const int bits = s ? 0 : (int)r.image->comps[0].prec;
    close_reader(&r);
    if (s) {
        pl_image_done(&im);
        return s;
    }
    im.bilevel = pl_rows_bilevel(&im);
    *ret = (struct pl_decoded){.image = im, .turn = 1, .sample_bits = bits};
    return PLATEN_OK;
}

platen_status pl_jp2_probe(const struct pl_source *src, struct pl_image_info *ret,
                           struct platen_error *err)
{
    struct jp2_reader r = {.data = src->data, .n = src->n, .err = err};
    struct layout l;
    platen_status s = open_reader(&r);
    if (!s)
        s = find_layout(&r, &l);
    if (!s) {
        uint32_t w = r.image->x1 - r.image->x0, h = r.image->y1 - r.image->y0;
        if (!w || !h || w > INT32_MAX || h > INT32_MAX)
            s = pl_fail(err, PLATEN_ERR_FORMAT, "wrong size %u x %u in the jpeg 2000", w, h);
        else
            *ret = (struct pl_image_info){"jp2", (int)w, (int)h, l.channels, 0};
    }
    close_reader(&r);
    return s;
}
