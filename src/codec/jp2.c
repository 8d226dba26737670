/* SPDX-License-Identifier: BSD-2-Clause */
/* JPEG 2000 through OpenJPEG: files (.jp2) and bare code streams. */
#include <openjpeg.h>
#include <string.h>

#include "base/byte_order.h"
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

/* ---- streams that are cut off ---- */

enum { SOT_BYTES = 12, SIZ_BYTES = 40 };

/* Returns where the first mark of a tile (SOT) is in the code stream d[0..n); n where there is
 * none.
 */
static size_t first_tile(const uint8_t *d, size_t n)
{
    size_t at = 2;
    while (at + 4 <= n && d[at] == 0xff && d[at + 1] != 0x90)
        at += 2 + pl_be16(d + at + 2);
    return at + SOT_BYTES <= n && d[at] == 0xff && d[at + 1] == 0x90 ? at : n;
}

/* Returns where the row of tiles begins in which the tile is, by the sizes that follow the mark SIZ
 * (ITU-T T.800, A.5.1). */
static uint64_t tile_top(const uint8_t *siz, uint32_t tile)
{
    const uint64_t width = pl_be32(siz + 6), left = pl_be32(siz + 14), top = pl_be32(siz + 18),
                   tile_width = pl_be32(siz + 22), tile_height = pl_be32(siz + 26);
    const uint64_t across =
        tile_width && width > left ? (width - pl_be32(siz + 30) + tile_width - 1) / tile_width : 1;
    const uint64_t y = pl_be32(siz + 34) + tile / PL_MAX(across, (uint64_t)1) * tile_height;
    return y > top ? y - top : 0;
}

/* Returns how many of `height` rows came of a stream that is cut off in a tile: those above its row
 * of tiles; or all, where it is the only tile and half of its bytes came: in the usual orders what
 * lacks is the finest of the details. `height` too of a stream that is not cut off. */
static uint64_t rows_that_came(const uint8_t *data, size_t n, uint64_t height, bool *ret_cut)
{
    static const uint8_t begin[] = {0xff, 0x4f, 0xff, 0x51};
    const uint8_t *d = memmem(data, n, begin, sizeof(begin));
    *ret_cut = false;
    if (!d || (n -= (size_t)(d - data)) < 4 + SIZ_BYTES)
        return height;
    const uint8_t *siz = d + 2;
    for (size_t at = first_tile(d, n); at + SOT_BYTES <= n && d[at] == 0xff && d[at + 1] == 0x90;) {
        const uint32_t tile = pl_be16(d + at + 4);
        const size_t bytes = pl_be32(d + at + 6);
        if (!bytes || (bytes >= SOT_BYTES && bytes <= n - at)) {
            at = bytes ? at + bytes : n;
            continue;
        }
        *ret_cut = true;
        const bool only =
            pl_be32(siz + 22) >= pl_be32(siz + 6) && pl_be32(siz + 26) >= pl_be32(siz + 10);
        if (d[at + 10]) /* not the first part of its tile */
            return 0;
        return only ? (n - at >= bytes / 2 ? height : 0) : PL_MIN(tile_top(siz, tile), height);
    }
    return height;
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

/* Decides about a stream that is cut off, before it is decoded. */
static platen_status settle(struct jp2_reader *r, uint64_t height, struct pl_damage *ret)
{
    struct platen_error why;
    bool cut;
    const uint64_t rows = rows_that_came(r->data, r->n, height, &cut);
    if (!cut)
        return PLATEN_OK;
    opj_decoder_set_strict_mode(r->codec, OPJ_FALSE);
    platen_status s = pl_fail(&why, PLATEN_ERR_FORMAT, "truncated at byte %zu of the jpeg 2000%s",
                              r->n, rows == height ? ", which is coarser from there on" : "");
    return pl_damage_settle(s, &why, rows, height, ret, r->err);
}

static platen_status decode_jp2(struct jp2_reader *r, const struct pl_source *src,
                                struct pl_image *ret, struct pl_damage *ret_damage)
{
    struct layout l;
    platen_status s = open_reader(r);
    if (s)
        return s;
    uint64_t w = (uint64_t)r->image->x1 - r->image->x0, h = (uint64_t)r->image->y1 - r->image->y0;
    s = pl_limits_check(src->opt, w, h, r->err);
    if (!s)
        s = find_layout(r, &l);
    if (!s)
        s = settle(r, h, ret_damage);
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
    s = s ? s : put_rows(r, src, &l, ret);
    if (!s && ret_damage->why[0])
        pl_rows_whiten(ret, (int)ret_damage->rows, ret->height);
    return s;
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
    struct pl_damage damage = {.rows = 0};
    platen_status s = decode_jp2(&r, src, &im, &damage);
    const int bits = s ? 0 : (int)r.image->comps[0].prec;
    close_reader(&r);
    if (s) {
        pl_image_done(&im);
        return s;
    }
    im.bilevel = pl_rows_bilevel(&im);
    *ret = (struct pl_decoded){.image = im, .turn = 1, .sample_bits = bits, .damage = damage};
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
