/* SPDX-License-Identifier: BSD-2-Clause */
/* WebP through libwebp: still pictures. */
#include <string.h>
#include <webp/decode.h>

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
    if (ret->has_animation)
        return pl_fail(err, PLATEN_ERR_UNSUPPORTED, "animated webp is not supported");
    return PLATEN_OK;
}

/* The EXIF chunk of the RIFF container, with or without the prefix that JPEG has. */
static struct pl_exif find_exif(const uint8_t *data, size_t n)
{
    struct pl_exif none = {.orientation = 1};
    for (size_t at = 12; n - at >= 8;) {
        const uint8_t *d = data + at + 8;
        size_t len = d[-4] | (size_t)d[-3] << 8 | (size_t)d[-2] << 16 | (size_t)d[-1] << 24;
        if (len > n - at - 8)
            return none;
        if (!memcmp(d - 8, "EXIF", 4)) {
            size_t skip = len >= 6 && !memcmp(d, "Exif\0", 6) ? 6 : 0;
            return pl_exif_parse(d + skip, len - skip);
        }
        at += 8 + len + (len & 1 && len < n - at - 8);
    }
    return none;
}

static platen_status unpack(const struct pl_source *src, const WebPBitstreamFeatures *f,
                            uint8_t *px, size_t stride, struct platen_error *err)
{
    WebPDecoderConfig config;
    if (!WebPInitDecoderConfig(&config))
        return pl_fail(err, PLATEN_ERR_INTERNAL, "libwebp of another version");
    config.output.colorspace = f->has_alpha ? MODE_RGBA : MODE_RGB;
    config.output.is_external_memory = 1;
    config.output.u.RGBA =
        (WebPRGBABuffer){.rgba = px, .stride = (int)stride, .size = stride * (size_t)f->height};
    VP8StatusCode code = WebPDecode(src->data, src->n, &config);
    return code == VP8_STATUS_OK ? PLATEN_OK : fail_webp(code, src->n, err);
}

platen_status pl_webp_decode(const struct pl_source *src, struct pl_decoded *ret,
                             struct platen_error *err)
{
    WebPBitstreamFeatures f;
    platen_status s = read_features(src->data, src->n, &f, err);
    if (!s)
        s = pl_limits_check(src->opt, (uint64_t)f.width, (uint64_t)f.height, err);
    if (s)
        return s;
    int channels = f.has_alpha ? 4 : 3;
    size_t stride = (size_t)f.width * (size_t)channels, bytes = stride * (size_t)f.height;
    pl_auto_image im = {0};
    s = pl_rows_init(src, f.width, f.height, channels, &im, err);
    if (s)
        return s;
    uint8_t *px = pl_bufpool_get(src->env->bufs, bytes);
    s = px ? unpack(src, &f, px, stride, err) : pl_fail_nomem(err, bytes, "the pixels of a webp");
    for (int y = 0; !s && y < f.height; y++)
        pl_rows_put(src->env, &im, y, px + (size_t)y * stride, channels);
    pl_bufpool_put(src->env->bufs, px, bytes);
    if (s)
        return s;
    struct pl_exif e = find_exif(src->data, src->n);
    im.dpi_x = e.dpi_x;
    im.dpi_y = e.dpi_y;
    *ret = (struct pl_decoded){.image = pl_image_ref(&im), .turn = e.orientation};
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
