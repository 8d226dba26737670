/* PNG through libpng's row interface. libpng leaves by longjmp: all state lives in struct reader,
 * and setjmp stands alone in guarded(). */
#include <png.h>

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "image/decoders.h"

#define MAX_CHUNK_BYTES ((png_alloc_size_t)8 << 20)

struct reader {
    png_structp png;
    png_infop info;
    const uint8_t *data;
    size_t size, pos;
    char message[160];
    /* from the header */
    png_uint_32 width, height;
    int depth, color, interlaced;
    bool gray_file, bilevel;
    float dpi_x, dpi_y;
    int orientation;
    int channels; /* of the rows as libpng hands them out */
    /* the result */
    const struct pl_env *env;
    struct pl_image *out;
    uint8_t *raw; /* one row, or the whole picture when interlaced */
    size_t row_bytes;
};

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

static void on_error(png_structp png, png_const_charp text)
{
    struct reader *r = png_get_error_ptr(png);
    snprintf(r->message, sizeof(r->message), "%s", text);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp text)
{
    (void)png;
    (void)text;
}

static void on_read(png_structp png, png_bytep dst, size_t n)
{
    struct reader *r = png_get_io_ptr(png);
    if (n > r->size - r->pos) {
        char text[64];
        snprintf(text, sizeof(text), "truncated at byte %zu", r->size);
        png_error(png, text);
    }
    memcpy(dst, r->data + r->pos, n);
    r->pos += n;
}

static bool guarded(struct reader *r, void (*step)(struct reader *))
{
    if (setjmp(png_jmpbuf(r->png)))
        return false;
    step(r);
    return true;
}

static bool open_reader(struct reader *r)
{
    r->png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, r, on_error, on_warning, NULL,
                                      png_alloc, png_release);
    r->info = r->png ? png_create_info_struct(r->png) : NULL;
    return r->info != NULL;
}

/* True when every palette entry is a grey; *ret_bilevel when each is black or white. */
static bool palette_is_gray(struct reader *r, bool *ret_bilevel)
{
    png_colorp palette;
    int n = 0;
    png_get_PLTE(r->png, r->info, &palette, &n);
    bool two = true;
    for (int i = 0; i < n; i++) {
        png_color c = palette[i];
        if (c.red != c.green || c.green != c.blue)
            return false;
        two = two && (c.red == 0 || c.red == 255);
    }
    *ret_bilevel = two;
    return true;
}

static void read_density(struct reader *r)
{
    png_uint_32 x, y;
    int unit;
    if (png_get_pHYs(r->png, r->info, &x, &y, &unit) && unit == PNG_RESOLUTION_METER) {
        r->dpi_x = (float)x * 0.0254f;
        r->dpi_y = (float)y * 0.0254f;
    }
    png_bytep exif;
    png_uint_32 n;
    if (png_get_eXIf_1(r->png, r->info, &n, &exif))
        r->orientation = pl_exif_parse(exif, n).orientation;
}

static void read_header(struct reader *r)
{
    png_set_user_limits(r->png, 0x7fffffff, 0x7fffffff);
    png_set_chunk_malloc_max(r->png, MAX_CHUNK_BYTES);
    png_set_chunk_cache_max(r->png, 64);
    png_set_read_fn(r->png, r, on_read);
    png_read_info(r->png, r->info);
    png_get_IHDR(r->png, r->info, &r->width, &r->height, &r->depth, &r->color, &r->interlaced, NULL,
                 NULL);
    bool alpha = (r->color & PNG_COLOR_MASK_ALPHA) || png_get_valid(r->png, r->info, PNG_INFO_tRNS);
    if (r->color == PNG_COLOR_TYPE_PALETTE) {
        r->gray_file = palette_is_gray(r, &r->bilevel);
        r->bilevel = r->bilevel && r->gray_file && !alpha;
    } else {
        r->gray_file = !(r->color & PNG_COLOR_MASK_COLOR);
        r->bilevel = r->gray_file && r->depth == 1 && !alpha;
    }
    read_density(r);
}

static void set_transforms(struct reader *r)
{
    png_set_expand(r->png); /* palettes, fewer than 8 bits, tRNS */
    png_set_scale_16(r->png);
    png_set_interlace_handling(r->png);
    png_read_update_info(r->png, r->info);
    r->channels = png_get_channels(r->png, r->info);
    r->row_bytes = png_get_rowbytes(r->png, r->info);
}

static void convert(struct reader *r, uint8_t *raw, int y)
{
    pl_convert_row(r->env->k, pl_image_row(r->out, y), r->out->format, raw, r->channels, r->width);
}

static void read_rows(struct reader *r)
{
    int height = (int)r->height;
    if (r->interlaced == PNG_INTERLACE_NONE) {
        for (int y = 0; y < height; y++) {
            png_read_row(r->png, r->raw, NULL);
            convert(r, r->raw, y);
        }
    } else {
        for (int pass = 0; pass < PNG_INTERLACE_ADAM7_PASSES; pass++)
            for (int y = 0; y < height; y++)
                png_read_row(r->png, r->raw + (size_t)y * r->row_bytes, NULL);
        for (int y = 0; y < height; y++)
            convert(r, r->raw + (size_t)y * r->row_bytes, y);
    }
    png_read_end(r->png, NULL);
}

static platen_status failed(struct reader *r, struct platen_error *err)
{
    if (strstr(r->message, "memory"))
        return pl_fail(err, PLATEN_ERR_NOMEM, "out of memory in the PNG decoder");
    return pl_fail(err, PLATEN_ERR_FORMAT, "damaged PNG: %s", r->message);
}

static platen_status decode(struct reader *r, const struct pl_load_options *opt,
                            struct platen_error *err)
{
    if (!guarded(r, read_header))
        return failed(r, err);
    platen_status s = pl_check_size(r->width, r->height, opt->max_pixels, err);
    if (s)
        return s;
    if (!guarded(r, set_transforms))
        return failed(r, err);
    s = pl_image_init(r->env, (int)r->width, (int)r->height,
                      opt->gray || r->gray_file ? PL_GRAY8 : PL_RGB8, r->out, err);
    if (s)
        return s;
    size_t bytes = r->row_bytes * (r->interlaced == PNG_INTERLACE_NONE ? 1 : r->height);
    r->raw = pl_bufpool_get(r->env->bufs, bytes);
    if (!r->raw)
        return pl_fail_nomem(err, bytes, "PNG rows");
    bool ok = guarded(r, read_rows);
    pl_bufpool_put(r->env->bufs, r->raw, bytes);
    if (!ok)
        return failed(r, err);
    r->out->bilevel = r->bilevel;
    r->out->dpi_x = r->dpi_x;
    r->out->dpi_y = r->dpi_y;
    return r->orientation > 1 ? pl_orient(r->env, r->out, r->orientation, err) : PLATEN_OK;
}

platen_status pl_png_decode(const struct pl_env *env, const uint8_t *data, size_t n,
                            const struct pl_load_options *opt, struct pl_image *ret,
                            struct platen_error *err)
{
    pl_auto_image out = {0};
    struct reader r = {.data = data, .size = n, .env = env, .out = &out};
    platen_status s = open_reader(&r)
                          ? decode(&r, opt, err)
                          : pl_fail(err, PLATEN_ERR_NOMEM, "out of memory in the PNG decoder");
    png_destroy_read_struct(&r.png, &r.info, NULL);
    if (!s) {
        *ret = out;
        out = (struct pl_image){0};
    }
    return s;
}

platen_status pl_png_probe(const uint8_t *data, size_t n, struct pl_image_info *ret,
                           struct platen_error *err)
{
    struct reader r = {.data = data, .size = n};
    platen_status s = PLATEN_OK;
    if (!open_reader(&r))
        s = pl_fail(err, PLATEN_ERR_NOMEM, "out of memory in the PNG decoder");
    else if (!guarded(&r, read_header))
        s = failed(&r, err);
    else if (r.width > INT32_MAX || r.height > INT32_MAX)
        s = pl_check_size(r.width, r.height, UINT64_MAX, err);
    else
        *ret = (struct pl_image_info){"png", (int)r.width, (int)r.height,
                                      (r.gray_file ? 1 : 3) + !!(r.color & PNG_COLOR_MASK_ALPHA)};
    png_destroy_read_struct(&r.png, &r.info, NULL);
    return s;
}
