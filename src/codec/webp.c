/* SPDX-License-Identifier: BSD-2-Clause */
/* WebP through libwebp: still pictures. */
#include <string.h>
#include <webp/decode.h>

#include "base/byte_order.h"
#include "base/mem.h"
#include "codec/decode.h"
#include "codec/exif.h"

static platen_status fail_webp(VP8StatusCode code, size_t n, struct platen_error *err)
{
    switch (code) {
    case VP8_STATUS_OUT_OF_MEMORY:
        return pl_fail_nomem(err, n, "decoding a webp");
    case VP8_STATUS_NOT_ENOUGH_DATA:
    case VP8_STATUS_SUSPENDED:
        return pl_fail(err, PLATEN_ERR_FORMAT, "truncated at byte %zu of the webp", n);
    case VP8_STATUS_UNSUPPORTED_FEATURE:
        return pl_fail(err, PLATEN_ERR_UNSUPPORTED, "webp of an unknown kind");
    default:
        return pl_fail(err, PLATEN_ERR_FORMAT, "damaged webp");
    }
}

static platen_status read_features(const uint8_t *data, size_t n, WebPBitstreamFeatures *ret,
                                   struct platen_error *err)
{
    VP8StatusCode code = WebPGetFeatures(data, n, ret);
    if (code != VP8_STATUS_OK)
        return fail_webp(code, n, err);
    return PLATEN_OK;
}

#define CHUNK_HEAD 8  /* name and length */
#define FRAME_HEAD 16 /* of a picture of an animation, before its own chunks */

#define FILE_HEAD 12

/* Finds the next chunk of that name from *at on; returns its data, or NULL. *ret_n is as much of
 * them as there is, and *at where the chunk ends. */
static const uint8_t *find_chunk(const uint8_t *data, size_t n, const char *name, size_t *at,
                                 size_t *ret_n)
{
    while (*at <= n && n - *at >= CHUNK_HEAD) {
        const uint8_t *d = data + *at + CHUNK_HEAD;
        const size_t left = n - *at - CHUNK_HEAD, len = pl_le32(d - 4);
        *ret_n = PL_MIN(len, left);
        *at = len < left ? *at + CHUNK_HEAD + len + (len & 1) : n;
        if (!memcmp(d - CHUNK_HEAD, name, 4))
            return d;
    }
    return NULL;
}

static size_t le24(const uint8_t *p)
{
    return p[0] | (size_t)p[1] << 8 | (size_t)p[2] << 16;
}

/* The first picture of a file: all of it, or a part of an animation's canvas. */
struct webp_picture {
    const uint8_t *data;
    size_t n;
    WebPBitstreamFeatures f; /* its own */
    int x, y;                /* on the canvas */
};

static platen_status find_picture(const struct pl_source *src, const WebPBitstreamFeatures *canvas,
                                  struct webp_picture *ret, struct platen_error *err)
{
    *ret = (struct webp_picture){.data = src->data, .n = src->n, .f = *canvas};
    if (!canvas->has_animation)
        return PLATEN_OK;
    size_t at = FILE_HEAD, n = 0;
    const uint8_t *frame = find_chunk(src->data, src->n, "ANMF", &at, &n);
    if (!frame || n <= FRAME_HEAD)
        return fail_webp(VP8_STATUS_NOT_ENOUGH_DATA, src->n, err);
    ret->data = frame + FRAME_HEAD;
    ret->n = n - FRAME_HEAD;
    const size_t x = 2 * le24(frame), y = 2 * le24(frame + 3);
    platen_status s = read_features(ret->data, ret->n, &ret->f, err);
    if (!s && (ret->f.has_animation || x + (size_t)ret->f.width > (size_t)canvas->width ||
               y + (size_t)ret->f.height > (size_t)canvas->height))
        s = fail_webp(VP8_STATUS_BITSTREAM_ERROR, src->n, err);
    ret->x = (int)x;
    ret->y = (int)y;
    return s;
}

bool pl_webp_moves(const uint8_t *data, size_t n)
{
    size_t at = FILE_HEAD, bytes;
    return find_chunk(data, n, "ANMF", &at, &bytes) && find_chunk(data, n, "ANMF", &at, &bytes);
}

/* The EXIF chunk of the RIFF container, with or without the prefix that JPEG has. */
static struct pl_exif find_exif(const uint8_t *data, size_t n)
{
    size_t at = FILE_HEAD, len;
    const uint8_t *d = find_chunk(data, n, "EXIF", &at, &len);
    if (!d)
        return (struct pl_exif){.orientation = 1};
    const size_t skip = len >= 6 && !memcmp(d, "Exif\0", 6) ? 6 : 0;
    return pl_exif_parse(d + skip, len - skip);
}

/* Decodes the rows that come before the damage, and returns how many. */
static int rows_before_damage(const struct webp_picture *p, WebPDecoderConfig *config)
{
    int rows = 0;
    WebPIDecoder *d = WebPIDecode(NULL, 0, config);
    if (!d)
        return 0;
    (void)WebPIUpdate(d, p->data, p->n);
    if (!WebPIDecGetRGB(d, &rows, NULL, NULL, NULL))
        rows = 0;
    WebPIDelete(d);
    return rows;
}

static platen_status unpack(const struct webp_picture *p, uint8_t *px, size_t stride, int *ret_rows,
                            struct platen_error *err)
{
    WebPDecoderConfig config;
    if (!WebPInitDecoderConfig(&config))
        return pl_fail(err, PLATEN_ERR_INTERNAL, "libwebp of another version");
    config.output.colorspace = p->f.has_alpha ? MODE_RGBA : MODE_RGB;
    config.output.is_external_memory = 1;
    config.output.u.RGBA =
        (WebPRGBABuffer){.rgba = px, .stride = (int)stride, .size = stride * (size_t)p->f.height};
    VP8StatusCode code = WebPDecode(p->data, p->n, &config);
    *ret_rows = code == VP8_STATUS_OK ? p->f.height : rows_before_damage(p, &config);
    return code == VP8_STATUS_OK ? PLATEN_OK : fail_webp(code, p->n, err);
}

/* Puts the picture on the canvas, which is white. *ret_rows: how many of its rows came. */
static platen_status put_picture(const struct pl_source *src, const struct webp_picture *p,
                                 struct pl_image *im, int *ret_rows, struct platen_error *err)
{
    const int channels = p->f.has_alpha ? 4 : 3;
    const size_t stride = (size_t)p->f.width * (size_t)channels,
                 bytes = stride * (size_t)p->f.height;
    pl_auto_image part =
        pl_image_view(im, (struct pl_rect){p->x, p->y, p->x + p->f.width, p->y + p->f.height});
    uint8_t *px = pl_bufpool_get(src->env->bufs, bytes);
    if (!px)
        return pl_fail_nomem(err, bytes, "the pixels of a webp");
    platen_status s = unpack(p, px, stride, ret_rows, err);
    pl_rows_whiten(im, 0, im->height);
    for (int y = 0; y < *ret_rows; y++)
        pl_rows_put(src->env, &part, y, px + (size_t)y * stride, channels);
    pl_bufpool_put(src->env->bufs, px, bytes);
    return s;
}

platen_status pl_webp_decode(const struct pl_source *src, struct pl_decoded *ret,
                             struct platen_error *err)
{
    WebPBitstreamFeatures f;
    struct webp_picture p;
    struct platen_error why;
    struct pl_damage damage = {.rows = 0};
    int rows = 0;
    platen_status s = read_features(src->data, src->n, &f, err);
    if (!s)
        s = pl_limits_check(src->opt, (uint64_t)f.width, (uint64_t)f.height, err);
    s = s ? s : find_picture(src, &f, &p, err);
    if (s)
        return s;
    pl_auto_image im = {0};
    s = pl_rows_init(src, f.width, f.height, 3, &im, err);
    if (s)
        return s;
    s = put_picture(src, &p, &im, &rows, &why);
    if (s)
        s = pl_damage_settle(s, &why, (uint64_t)rows, (uint64_t)p.f.height, &damage, err);
    if (s)
        return s;
    struct pl_exif e = find_exif(src->data, src->n);
    im.dpi_x = e.dpi_x;
    im.dpi_y = e.dpi_y;
    *ret = (struct pl_decoded){.image = pl_image_ref(&im), .turn = e.orientation, .damage = damage};
    return PLATEN_OK;
}

platen_status pl_webp_probe(const struct pl_source *src, struct pl_image_info *ret,
                            struct platen_error *err)
{
    WebPBitstreamFeatures f;
    platen_status s = read_features(src->data, src->n, &f, err);
    if (!s)
        *ret = (struct pl_image_info){"webp", f.width, f.height, f.has_alpha ? 4 : 3, 0};
    return s;
}
