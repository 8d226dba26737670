/* PNG writing: settings that do not cost seconds a page (bilevel: 1 bit, no filter; else the "up"
 * filter; zlib level 1). */
#include <png.h>

#include <math.h>
#include <setjmp.h>
#include <string.h>

#include "base/mem.h"
#include "image/codec.h"

struct writer {
    png_structp png;
    png_infop info;
    const struct pl_image *im;
    struct pl_str *out;
    uint8_t *packed; /* one 1-bit row */
};

static void on_error(png_structp png, png_const_charp text)
{
    (void)text;
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp text)
{
    (void)png;
    (void)text;
}

static void on_write(png_structp png, png_bytep data, size_t n)
{
    struct writer *w = png_get_io_ptr(png);
    pl_str_add(w->out, (const char *)data, n);
    if (w->out->failed)
        png_error(png, "out of memory");
}

static void on_flush(png_structp png)
{
    (void)png;
}

static png_voidp png_alloc(png_structp png, png_alloc_size_t n)
{
    (void)png;
    return pl_alloc(n, 1);
}

static void png_release(png_structp png, png_voidp p)
{
    (void)png;
    pl_free(p);
}

/* 0 (ink) and 255 (paper) to bits, most significant first. */
static void pack_row(uint8_t *bits, const uint8_t *src, size_t n)
{
    memset(bits, 0, (n + 7) / 8);
    for (size_t i = 0; i < n; i++)
        bits[i / 8] |= (uint8_t)((src[i] >> 7) << (7 - i % 8));
}

static void write_picture(struct writer *w)
{
    const struct pl_image *im = w->im;
    png_set_write_fn(w->png, w, on_write, on_flush);
    png_set_IHDR(w->png, w->info, (png_uint_32)im->width, (png_uint_32)im->height,
                 im->bilevel ? 1 : 8,
                 im->format == PL_RGB8 ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_GRAY,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (im->dpi_x > 0 && im->dpi_y > 0)
        png_set_pHYs(w->png, w->info, (png_uint_32)lrintf(im->dpi_x / 0.0254f),
                     (png_uint_32)lrintf(im->dpi_y / 0.0254f), PNG_RESOLUTION_METER);
    png_set_compression_level(w->png, 1);
    png_set_filter(w->png, PNG_FILTER_TYPE_BASE, im->bilevel ? PNG_FILTER_NONE : PNG_FILTER_UP);
    png_write_info(w->png, w->info);
    for (int y = 0; y < im->height; y++) {
        if (im->bilevel)
            pack_row(w->packed, pl_image_row(im, y), (size_t)im->width);
        png_write_row(w->png, im->bilevel ? w->packed : pl_image_row(im, y));
    }
    png_write_end(w->png, NULL);
}

static bool guarded(struct writer *w, void (*step)(struct writer *))
{
    if (setjmp(png_jmpbuf(w->png)))
        return false;
    step(w);
    return true;
}

platen_status pl_png_encode(const struct pl_image *im, struct pl_str *out, struct platen_error *err)
{
    struct writer w = {.im = im, .out = out};
    w.packed = pl_alloc(((size_t)im->width + 7) / 8, 1);
    w.png = w.packed ? png_create_write_struct_2(PNG_LIBPNG_VER_STRING, NULL, on_error, on_warning,
                                                 NULL, png_alloc, png_release)
                     : NULL;
    w.info = w.png ? png_create_info_struct(w.png) : NULL;
    bool ok = w.info && guarded(&w, write_picture);
    png_destroy_write_struct(&w.png, &w.info);
    pl_free(w.packed);
    return ok ? PLATEN_OK : pl_fail(err, PLATEN_ERR_NOMEM, "out of memory in the PNG encoder");
}
