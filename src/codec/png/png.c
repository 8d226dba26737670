/* SPDX-License-Identifier: BSD-2-Clause */
#include <png.h>
#include <setjmp.h>
#include <string.h>

#include "base/byte_order.h"
#include "base/mem.h"
#include "codec/exif.h"
#include "codec/palette.h"
#include "codec/png/png.h"

/* Of the picture data that libpng takes at once: its own default. */
#define PIECE_BYTES ((size_t)8192)

/* All state lives here, so that nothing is lost in a longjmp. */
struct png_reader {
    const struct pl_source *src;
    size_t pos;
    struct platen_error err;
    platen_status status; /* of the first message, which is in err */
    bool out_of_memory;
    png_structp png;
    png_infop info;
    struct pl_decoded out;
    struct pl_exif exif;
    png_uint_32 width, height;
    int channels; /* of the rows that libpng gives; 1 for palette indices */
    int passes;   /* 7 when interlaced, else 1 */
    png_uint_32 whole_rows;
    uint8_t *rows; /* one row, or all when interlaced; NULL when they go straight to the image */
    size_t rows_bytes, stride;
    bool palette;
    struct pl_palette colors;
};

static void *png_take(png_structp png, png_alloc_size_t n)
{
    struct png_reader *r = png_get_mem_ptr(png);
    void *p = pl_realloc_codec(NULL, n);
    r->out_of_memory |= !p;
    return p;
}

static void png_give(png_structp png PL_UNUSED, void *p)
{
    pl_free(p);
}

static void on_error(png_structp png, const char *message)
{
    struct png_reader *r = png_get_error_ptr(png);
    if (r->out_of_memory)
        r->status = pl_fail_nomem(&r->err, r->src->n, "decoding a png");
    else if (!r->status)
        r->status = pl_fail_codec(&r->err, PLATEN_ERR_FORMAT, message, r->pos);
    png_longjmp(png, 1);
}

/* Warnings are about ancillary chunks, which do not change the pixels, or a checksum of the others.
 */
static void on_warning(png_structp png, const char *message)
{
    struct png_reader *r = png_get_error_ptr(png);
    const bool critical = !(png_get_io_chunk_type(png) >> 24 & 0x20);
    if (!r->status && critical && strstr(message, "CRC error"))
        r->status = pl_fail_codec(&r->err, PLATEN_ERR_FORMAT, message, r->pos);
}

static void on_read(png_structp png, uint8_t *to, size_t n)
{
    struct png_reader *r = png_get_io_ptr(png);
    if (n > r->src->n - r->pos) {
        uint32_t type = png_get_io_chunk_type(png);
        char name[5] = {(char)(type >> 24), (char)(type >> 16), (char)(type >> 8), (char)type, 0};
        r->status = pl_fail(&r->err, PLATEN_ERR_FORMAT, "truncated at byte %zu%s%s", r->src->n,
                            type ? " in chunk " : "", name);
        png_error(png, "truncated");
    }
    memcpy(to, r->src->data + r->pos, n);
    r->pos += n;
    /* libpng asks for picture data in pieces of this size, and uses none of a piece that lacks its
     * end: where the file is cut off, they end with it */
    png_set_compression_buffer_size(png, PL_MIN(PL_MAX(r->src->n - r->pos, 1), PIECE_BYTES));
}

/* Called for eXIf, for what is skipped, and for chunks that libpng does not know. 1 = taken, and
 * not kept; 0 = pixels may depend on it, so that libpng refuses the file. */
static int on_chunk(png_structp png, png_unknown_chunkp chunk)
{
    struct png_reader *r = png_get_user_chunk_ptr(png);
    if (!memcmp(chunk->name, "eXIf", 4))
        r->exif = pl_exif_parse(chunk->data, chunk->size);
    return (chunk->name[0] & 0x20) != 0;
}

/* The only setjmp of this file: runs `step` and says whether it came to its end. */
static bool guarded(struct png_reader *r, void (*step)(struct png_reader *r))
{
    if (setjmp(png_jmpbuf(r->png)))
        return false;
    step(r);
    return true;
}

static platen_status open_reader(struct png_reader *r)
{
    r->png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, r, on_error, on_warning, r, png_take,
                                      png_give);
    r->info = r->png ? png_create_info_struct(r->png) : NULL;
    if (!r->info)
        return pl_fail_nomem(&r->err, r->src->n, "decoding a png");
    png_set_read_fn(r->png, r, on_read);
    return PLATEN_OK;
}

static void read_header(struct png_reader *r)
{
    /* what no pixel depends on is skipped unread: no compressed text can grow in memory */
    static const uint8_t skipped[] = "bKGD\0cHRM\0gAMA\0hIST\0iCCP\0iTXt\0oFFs\0pCAL\0sBIT\0sCAL\0"
                                     "sPLT\0sRGB\0tEXt\0tIME\0zTXt";
    static const uint8_t exif[] = "eXIf";
    png_set_keep_unknown_chunks(r->png, PNG_HANDLE_CHUNK_NEVER, skipped, sizeof(skipped) / 5);
    /* libpng's own reader of this one believes the length that the file gives, up to 2 GB */
    png_set_keep_unknown_chunks(r->png, PNG_HANDLE_CHUNK_ALWAYS, exif, 1);
    png_set_read_user_chunk_fn(r->png, r, on_chunk);
    /* pixels behind a wrong checksum are mostly right, and on_warning() tells it */
    png_set_crc_action(r->png, PNG_CRC_WARN_USE, PNG_CRC_WARN_DISCARD);
    png_set_user_limits(r->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_chunk_malloc_max(r->png, PL_PNG_MAX_CHUNK_BYTES);
    png_read_info(r->png, r->info);
    r->width = png_get_image_width(r->png, r->info);
    r->height = png_get_image_height(r->png, r->info);
}

static void take_palette(struct png_reader *r)
{
    png_colorp colors = NULL;
    uint8_t *alpha = NULL;
    int n = 0, n_alpha = 0;
    png_get_PLTE(r->png, r->info, &colors, &n);
    png_get_tRNS(r->png, r->info, &alpha, &n_alpha, NULL);
    uint8_t rgba[256 * 4] = {0};
    for (int i = 0; i < n; i++) {
        uint8_t a = i < n_alpha ? alpha[i] : 255;
        memcpy(rgba + 4 * i, (uint8_t[4]){colors[i].red, colors[i].green, colors[i].blue, a}, 4);
    }
    pl_palette_init(r->src->env, rgba, n, &r->colors);
    r->palette = true;
    r->out.image.format = r->colors.gray ? PL_GRAY8 : PL_RGB8;
    r->out.image.bilevel = r->colors.bilevel;
}

/* Chooses what libpng does to the rows: 8 bits, palette indices unpacked, transparency as alpha. */
static void choose_rows(struct png_reader *r)
{
    png_structp png = r->png;
    png_infop info = r->info;
    int type = png_get_color_type(png, info), depth = png_get_bit_depth(png, info);
    if (type == PNG_COLOR_TYPE_PALETTE) {
        png_set_packing(png);
        take_palette(r);
    } else {
        if (png_get_valid(png, info, PNG_INFO_tRNS))
            png_set_tRNS_to_alpha(png);
        if (depth < 8)
            png_set_expand_gray_1_2_4_to_8(png);
        png_set_scale_16(png);
        r->out.image.bilevel = depth == 1;
    }
    r->passes = png_set_interlace_handling(png);
    png_read_update_info(png, info);
    r->channels = png_get_channels(png, info);
    r->stride = png_get_rowbytes(png, info);
}

static void take_metadata(struct png_reader *r)
{
    png_uint_32 x = 0, y = 0;
    int unit = 0;
    struct pl_exif e = r->exif;
    r->out.turn = e.orientation;
    if (png_get_pHYs(r->png, r->info, &x, &y, &unit) && unit == PNG_RESOLUTION_METER) {
        e.dpi_x = (float)(x * 0.0254);
        e.dpi_y = (float)(y * 0.0254);
    }
    r->out.image.dpi_x = e.dpi_x;
    r->out.image.dpi_y = e.dpi_y;
}

/* Makes the image, and room for rows where they need converting. */
static platen_status make_rows(struct png_reader *r)
{
    struct pl_image *im = &r->out.image, made;
    int channels = r->palette && im->format == PL_RGB8 ? 3 : r->channels;
    bool bilevel = im->bilevel;
    platen_status s = pl_rows_init(r->src, (int)r->width, (int)r->height, channels, &made, &r->err);
    if (s)
        return s;
    *im = made;
    im->bilevel = bilevel;
    if (!r->palette && r->channels == (int)im->format)
        return PLATEN_OK;
    r->rows_bytes = r->passes > 1 ? r->stride * r->height : r->stride;
    r->rows = pl_bufpool_get(r->src->env->bufs, r->rows_bytes);
    return r->rows ? PLATEN_OK : pl_fail_nomem(&r->err, r->rows_bytes, "rows of a png");
}

static uint8_t *row_at(struct png_reader *r, png_uint_32 y)
{
    if (!r->rows)
        return pl_image_row(&r->out.image, (int)y);
    return r->passes > 1 ? r->rows + y * r->stride : r->rows;
}

static void finish_row(struct png_reader *r, png_uint_32 y)
{
    struct pl_image *im = &r->out.image;
    if (r->palette)
        pl_palette_row(r->src->env, &r->colors, im, (int)y, row_at(r, y));
    else
        pl_rows_put(r->src->env, im, (int)y, row_at(r, y), r->channels);
}

static void read_rows(struct png_reader *r)
{
    for (int pass = 0; pass < r->passes; pass++)
        for (png_uint_32 y = 0; y < r->height; y++) {
            png_read_row(r->png, row_at(r, y), NULL);
            if (r->rows && pass == r->passes - 1)
                finish_row(r, y);
            r->whole_rows = pass == r->passes - 1 ? y + 1 : 0;
        }
    png_read_end(r->png, r->info);
    if (!r->palette)
        return;
    if (png_get_palette_max(r->png, r->info) >= r->colors.n)
        png_error(r->png, "a pixel lies outside the palette");
}

static platen_status decode_png(struct png_reader *r)
{
    platen_status s = open_reader(r);
    if (s)
        return s;
    if (!guarded(r, read_header) || r->status)
        return r->status;
    s = pl_limits_check(r->src->opt, r->width, r->height, &r->err);
    if (!s)
        s = pl_bytes_check(r->src->n, r->width, r->height, PL_PNG_MAX_PIXELS_PER_BYTE, &r->err);
    if (s)
        return s;
    if (!guarded(r, choose_rows))
        return r->status;
    s = make_rows(r);
    if (s)
        return s;
    if (!guarded(r, read_rows))
        pl_rows_whiten(&r->out.image, (int)r->whole_rows, (int)r->height);
    take_metadata(r);
    return r->status ? pl_damage_settle(r->status, &r->err, r->whole_rows, r->height,
                                        &r->out.damage, NULL)
                     : PLATEN_OK;
}

platen_status pl_png_decode_any(const struct pl_source *src, struct pl_decoded *ret,
                                struct platen_error *err)
{
    struct png_reader r = {.src = src, .exif = {.orientation = 1}};
    platen_status s = decode_png(&r);
    png_destroy_read_struct(&r.png, &r.info, NULL);
    pl_bufpool_put(src->env->bufs, r.rows, r.rows_bytes);
    if (s)
        pl_image_done(&r.out.image);
    else
        *ret = r.out;
    if (s && err)
        *err = r.err;
    return s;
}

platen_status pl_png_decode(const struct pl_source *src, struct pl_decoded *ret,
                            struct platen_error *err)
{
    bool done;
    platen_status s = pl_png_decode_plain(src, PL_PNG_SPARE_BYTES, ret, &done, err);
    return s || done ? s : pl_png_decode_any(src, ret, err);
}

platen_status pl_png_probe(const struct pl_source *src, struct pl_image_info *ret,
                           struct platen_error *err)
{
    static const int channels[8] = {1, 0, 3, 3, 2, 0, 4, 0};
    const uint8_t *data = src->data;
    const size_t n = src->n;
    if (n < 33)
        return pl_fail(err, PLATEN_ERR_FORMAT, "truncated at byte %zu in chunk IHDR", n);
    uint32_t w = pl_be32(data + 16), h = pl_be32(data + 20);
    if (memcmp(data + 12, "IHDR", 4) != 0 || data[25] > 7 || !channels[data[25]])
        return pl_fail(err, PLATEN_ERR_FORMAT, "wrong IHDR, at byte 8");
    if (!w || !h || w > INT32_MAX || h > INT32_MAX)
        return pl_fail(err, PLATEN_ERR_FORMAT, "wrong size %u x %u in IHDR, at byte 16", w, h);
    *ret = (struct pl_image_info){"png", (int)w, (int)h, channels[data[25]], 0};
    return PLATEN_OK;
}
