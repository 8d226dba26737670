/* SPDX-License-Identifier: BSD-2-Clause */
/* Our PNG beside libpng's simplified interface.
 *
 * Allowed: that interface stops behind the last row, where ours reads on to IEND; it corrects
 * colours by chunks of their space, which are renamed here for both; and it takes pixels outside
 * the palette. A compressed stream of a form that zlib refuses ("invalid ...") is taken by ours
 * alone where its checksum holds (src/codec/png/png.h). Of interlaced samples of 16 bits that
 * interface gives wrong pixels since a buffer overflow was mended in it (libpng's issue 853): they
 * are not compared. */
#include <png.h>

#include "diff_check.h"
#include "codec/png/png.h"
#include "png_bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* Chunks of the colour space, and EXIF, for which libpng believes the length that the file gives,
 * up to 2 GB, become some that nobody knows. */
static bool rename_chunks(uint8_t *p, size_t n)
{
    static const char names[][5] = {"gAMA", "cHRM", "iCCP", "sRGB", "sBIT", "eXIf"};
    for (size_t at = 8; n - at >= 12;) {
        size_t len =
            (size_t)p[at] << 24 | (size_t)p[at + 1] << 16 | (size_t)p[at + 2] << 8 | p[at + 3];
        for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
            if (!memcmp(p + at + 4, names[i], 4))
                memcpy(p + at + 4, "teSt", 4);
        if (len > n - at - 12)
            return len <= 1 << 20;
        at += len + 12;
    }
    return true;
}

static void put_over_white(uint8_t *rgb, const uint8_t *rgba, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < 3; c++)
            rgb[3 * i + c] = over_white(rgba[4 * i + c], rgba[4 * i + 3]);
}

static void read_other(png_image *png, struct other *o)
{
    size_t pixels = (size_t)png->width * png->height;
    uint8_t *rgba = malloc(pixels * 4), *rgb = malloc(pixels * 3);
    png->format = PNG_FORMAT_RGBA;
    png->flags |= PNG_IMAGE_FLAG_16BIT_sRGB;
    if (rgba && rgb && png_image_finish_read(png, NULL, rgba, 0, NULL)) {
        put_over_white(rgb, rgba, pixels);
        o->rgb = rgb;
    } else {
        free(rgb);
    }
    free(rgba);
}

/* Whether samples have 16 bits and rows are interlaced, by the header of a PNG. */
static bool is_deep_interlaced(const uint8_t *data, size_t n)
{
    return n > 28 && data[24] == 16 && data[28] == 1;
}

/* Whether a plain reader of libpng gets to the end, and stays within the palette. */
static bool is_whole(const uint8_t *data, size_t n)
{
    struct pl_kernels k;
    pl_kernels_init(&k, PL_ISA_SCALAR);
    struct pl_env env = {.k = &k, .bufs = pl_bufpool_new()};
    struct pl_load_options opt = {.max_pixels = MAX_PIXELS};
    struct pl_source src = {.env = &env, .data = data, .n = n, .opt = &opt};
    struct pl_decoded d = {0};
    bool ok = env.bufs && !pl_png_decode_any(&src, &d, NULL) && !d.damage.why[0];
    pl_image_done(&d.image);
    pl_bufpool_free(env.bufs);
    return ok;
}

static void compare(const uint8_t *data, size_t n)
{
    png_image png = {.version = PNG_IMAGE_VERSION};
    struct other o = {0};
    if (png_image_begin_read_from_memory(&png, data, n)) {
        if ((uint64_t)png.width * png.height > MAX_PIXELS) {
            png_image_free(&png);
            return;
        }
        o.width = (int)png.width;
        o.height = (int)png.height;
        read_other(&png, &o);
    }
    snprintf(o.why, sizeof(o.why), "%s", png.message);
    o.forgiving = !is_whole(data, n);
    o.stricter = strstr(o.why, "IDAT: invalid ") != NULL;
    o.unlike = is_deep_interlaced(data, n);
    png_image_free(&png);
    compare_decoders(pl_png_decode, data, n, &o);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    uint8_t *copy = n >= 8 ? malloc(n) : NULL;
    if (!copy)
        return 0;
    memcpy(copy, data, n);
    if (rename_chunks(copy, n)) {
        fix_png(copy, n);
        compare(copy, n);
    }
    free(copy);
    return 0;
}
