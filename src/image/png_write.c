#include <math.h>
#include <png.h>
#include <setjmp.h>

#include "base/mem.h"
#include "image/decode.h"

struct writer {
    const struct pl_image *im;
    struct pl_str *out;
    png_structp png;
    png_infop info;
    uint8_t *packed; /* one row of bits */
    struct platen_error *err;
    bool out_of_memory;
    platen_status status;
};

static void *png_take(png_structp png, png_alloc_size_t n)
{
    struct writer *w = png_get_mem_ptr(png);
    void *p = pl_alloc(n, 1);
    w->out_of_memory |= !p;
    return p;
}

static void png_give(png_structp png PL_UNUSED, void *p)
{
    pl_free(p);
}

static void on_error(png_structp png, const char *message)
{
    struct writer *w = png_get_error_ptr(png);
    if (w->out_of_memory)
        w->status = pl_fail_nomem(w->err, w->out->len, "encoding a png");
    else
        w->status = pl_fail(w->err, PLATEN_ERR_INTERNAL, "libpng: %s", message);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png PL_UNUSED, const char *message PL_UNUSED)
{
}

static void on_write(png_structp png, uint8_t *data, size_t n)
{
    struct writer *w = png_get_io_ptr(png);
    pl_str_add(w->out, (const char *)data, n);
    w->out_of_memory |= w->out->failed;
    if (w->out->failed)
        png_error(png, "out of memory");
}

static void on_flush(png_structp png PL_UNUSED)
{
}

/* The only setjmp of this file: runs `step` and says whether it came to its end. */
static bool guarded(struct writer *w, void (*step)(struct writer *w))
{
    if (setjmp(png_jmpbuf(w->png)))
        return false;
    step(w);
    return true;
}

/* Level 1: higher levels cost ten times as much for a few percent. Filters make bits longer. */
static void write_header(struct writer *w)
{
    const struct pl_image *im = w->im;
    int type = im->format == PL_GRAY8 ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_RGB;
    png_set_write_fn(w->png, w, on_write, on_flush);
    png_set_user_limits(w->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_compression_level(w->png, 1);
    png_set_compression_buffer_size(w->png, 1 << 16);
    png_set_filter(w->png, PNG_FILTER_TYPE_BASE, im->bilevel ? PNG_FILTER_NONE : PNG_FILTER_UP);
    png_set_IHDR(w->png, w->info, (png_uint_32)im->width, (png_uint_32)im->height,
                 im->bilevel ? 1 : 8, type, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    if (im->dpi_x > 0 && im->dpi_y > 0 && im->dpi_x < 1e6f && im->dpi_y < 1e6f)
        png_set_pHYs(w->png, w->info, (png_uint_32)lround(im->dpi_x / 0.0254),
                     (png_uint_32)lround(im->dpi_y / 0.0254), PNG_RESOLUTION_METER);
    png_write_info(w->png, w->info);
}

static void write_rows(struct writer *w)
{
    const struct pl_image *im = w->im;
    for (int y = 0; y < im->height; y++) {
        const uint8_t *row = pl_image_row(im, y);
        if (im->bilevel) {
            pl_bits_pack(w->packed, row, (size_t)im->width, 0x00);
            row = w->packed;
        }
        png_write_row(w->png, row);
    }
    png_write_end(w->png, NULL);
}

static platen_status encode(struct writer *w)
{
    const struct pl_image *im = w->im;
    w->png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, w, on_error, on_warning, w, png_take,
                                       png_give);
    w->info = w->png ? png_create_info_struct(w->png) : NULL;
    w->packed = im->bilevel ? pl_alloc(((size_t)im->width + 7) / 8, 1) : NULL;
    if (!w->info || (im->bilevel && !w->packed))
        return pl_fail_nomem(w->err, (size_t)im->width, "encoding a png");
    return guarded(w, write_header) && guarded(w, write_rows) ? PLATEN_OK : w->status;
}

platen_status pl_png_encode(const struct pl_image *im, struct pl_str *out, struct platen_error *err)
{
    struct writer w = {.im = im, .out = out, .err = err};
    platen_status s = encode(&w);
    png_destroy_write_struct(&w.png, &w.info);
    pl_free(w.packed);
    return s;
}
