/* What a file is, by its first bytes, and the steps that all decoders share. */
#include <string.h>

#include "image/decoders.h"

platen_status pl_check_size(uint64_t width, uint64_t height, uint64_t max_pixels,
                            struct platen_error *err)
{
    const uint64_t max_side = INT32_MAX / 8;
    if (!width || !height)
        return pl_fail(err, PLATEN_ERR_FORMAT, "a picture of %llu x %llu pixels",
                       (unsigned long long)width, (unsigned long long)height);
    if (width > max_side || height > max_side || width > max_pixels / height)
        return pl_fail(err, PLATEN_ERR_LIMIT, "%llu x %llu pixels are more than the limit of %llu",
                       (unsigned long long)width, (unsigned long long)height,
                       (unsigned long long)max_pixels);
    return PLATEN_OK;
}

static uint8_t over_white(unsigned v, unsigned alpha)
{
    return (uint8_t)((v * alpha + 255 * (255 - alpha) + 127) / 255);
}

/* Drops the alpha channel of n pixels in place; returns the channels that remain. */
static int flatten_alpha(uint8_t *p, int channels, size_t n)
{
    size_t c = (size_t)channels, colors = c - 1;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < colors; j++)
            p[i * colors + j] = over_white(p[i * c + j], p[i * c + colors]);
    return channels - 1;
}

void pl_convert_row(const struct pl_kernels *k, uint8_t *dst, enum pl_format format, uint8_t *src,
                    int channels, size_t width)
{
    if (channels % 2 == 0)
        channels = flatten_alpha(src, channels, width);
    if (channels == (int)format) {
        memcpy(dst, src, width * (size_t)channels);
    } else if (format == PL_GRAY8) {
        k->gray_rgb(dst, src, width);
    } else {
        for (size_t i = 0; i < width; i++)
            memset(dst + 3 * i, src[i], 3);
    }
}

/* Orientation o shows the stored pixel (x, y) at: 2 mirrored, 3 half a turn, 4 flipped, 5
 * transposed, 6 turned clockwise, 7 transposed over the other diagonal, 8 turned counter-clockwise.
 */
platen_status pl_orient(const struct pl_env *env, struct pl_image *im, int o,
                        struct platen_error *err)
{
    bool swap = o >= 5;
    int w = im->width, h = im->height;
    pl_auto_image out = {0};
    platen_status s = pl_image_init(env, swap ? h : w, swap ? w : h, im->format, &out, err);
    if (s)
        return s;
    bool mirror_x = o == 2 || o == 3 || o == 6 || o == 7; /* of the result's columns */
    bool mirror_y = o == 3 || o == 4 || o == 7 || o == 8; /* of the result's rows */
    size_t bytes = (size_t)im->format;
    for (int y = 0; y < out.height; y++) {
        int v = mirror_y ? out.height - 1 - y : y;
        uint8_t *dst = pl_image_row(&out, y);
        for (int x = 0; x < out.width; x++) {
            int u = mirror_x ? out.width - 1 - x : x;
            const uint8_t *src = pl_image_row(im, swap ? u : v) + (size_t)(swap ? v : u) * bytes;
            memcpy(dst + (size_t)x * bytes, src, bytes);
        }
    }
    out.bilevel = im->bilevel;
    out.dpi_x = swap ? im->dpi_y : im->dpi_x;
    out.dpi_y = swap ? im->dpi_x : im->dpi_y;
    pl_image_done(im);
    *im = out;
    out = (struct pl_image){0};
    return PLATEN_OK;
}

static bool starts(const uint8_t *data, size_t n, size_t at, const char *magic, size_t len)
{
    return n >= at + len && !memcmp(data + at, magic, len);
}

/* Formats that are known but not read, so that the message can name them. */
static const char *refused_format(const uint8_t *data, size_t n)
{
    if (starts(data, n, 0, "II*\0", 4) || starts(data, n, 0, "MM\0*", 4))
        return "TIFF";
    if (starts(data, n, 0, "RIFF", 4) && starts(data, n, 8, "WEBP", 4))
        return "WebP";
    if (starts(data, n, 0, "\0\0\0\x0cjP  ", 8) || starts(data, n, 0, "\xff\x4f\xff\x51", 4))
        return "JPEG 2000";
    if (starts(data, n, 0, "%PDF-", 5))
        return "PDF";
    if (starts(data, n, 4, "ftyp", 4))
        return "HEIF or AVIF";
    return NULL;
}

struct decoder {
    pl_decode_fn *decode;
    pl_probe_fn *probe;
};

static platen_status choose(const uint8_t *data, size_t n, struct decoder *ret,
                            struct platen_error *err)
{
    if (!n)
        return pl_fail(err, PLATEN_ERR_FORMAT, "empty file");
    const char *refused = refused_format(data, n);
    if (refused)
        return pl_fail(err, PLATEN_ERR_UNSUPPORTED, "%s is not supported", refused);
    if (starts(data, n, 0, "\x89PNG\r\n\x1a\n", 8))
        *ret = (struct decoder){pl_png_decode, pl_png_probe};
    else if (starts(data, n, 0, "\xff\xd8\xff", 3))
        *ret = (struct decoder){pl_jpeg_decode, pl_jpeg_probe};
    else
        *ret = (struct decoder){pl_stb_decode, pl_stb_probe};
    return PLATEN_OK;
}

platen_status pl_image_load(const struct pl_env *env, const uint8_t *data, size_t n,
                            const struct pl_load_options *opt, struct pl_image *ret,
                            struct platen_error *err)
{
    struct decoder d;
    platen_status s = choose(data, n, &d, err);
    return s ? s : d.decode(env, data, n, opt, ret, err);
}

platen_status pl_image_probe(const uint8_t *data, size_t n, struct pl_image_info *ret,
                             struct platen_error *err)
{
    struct decoder d;
    platen_status s = choose(data, n, &d, err);
    return s ? s : d.probe(data, n, ret, err);
}
