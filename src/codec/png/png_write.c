/* SPDX-License-Identifier: BSD-2-Clause */
/* PNG, written through libdeflate: bits without filters, which only make them longer; grey and
 * colour with each row minus the one above. */
#include <libdeflate.h>
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "codec/decode.h"
#include "codec/deflate.h"

/* Of data in one chunk. */
#define MAX_CHUNK ((size_t)1 << 30)

static void put_be32(uint8_t *p, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        p[i] = (uint8_t)(v >> (24 - 8 * i));
}

static void add_chunk(struct pl_str *out, const char name[4], const uint8_t *data, size_t n)
{
    uint8_t word[4];
    put_be32(word, (uint32_t)n);
    pl_str_add(out, (const char *)word, 4);
    pl_str_add(out, name, 4);
    pl_str_add(out, (const char *)data, n);
    uint32_t crc = libdeflate_crc32(0, name, 4);
    put_be32(word, n ? libdeflate_crc32(crc, data, n) : crc);
    pl_str_add(out, (const char *)word, 4);
}

static void add_header(const struct pl_image *im, struct pl_str *out)
{
    uint8_t d[13] = {0};
    put_be32(d, (uint32_t)im->width);
    put_be32(d + 4, (uint32_t)im->height);
    d[8] = im->bilevel ? 1 : 8;
    d[9] = im->format == PL_GRAY8 ? 0 : 2;
    pl_str_add(out, "\x89PNG\r\n\x1a\n", 8);
    add_chunk(out, "IHDR", d, sizeof(d));
    if (!(im->dpi_x > 0 && im->dpi_y > 0 && im->dpi_x < 1e6f && im->dpi_y < 1e6f))
        return;
    uint8_t phys[9] = {[8] = 1}; /* pixels per metre */
    put_be32(phys, (uint32_t)lround(im->dpi_x / 0.0254));
    put_be32(phys + 4, (uint32_t)lround(im->dpi_y / 0.0254));
    add_chunk(out, "pHYs", phys, sizeof(phys));
}

/* Rows with their filter bytes. */
static void filter_rows(const struct pl_image *im, size_t row_bytes, uint8_t *to)
{
    for (int y = 0; y < im->height; y++, to += row_bytes + 1) {
        const uint8_t *row = pl_image_row(im, y), *above = y ? pl_image_row(im, y - 1) : NULL;
        to[0] = above && !im->bilevel ? 2 : 0;
        if (im->bilevel)
            pl_bits_pack(to + 1, row, (size_t)im->width, 0x00);
        else if (!above)
            memcpy(to + 1, row, row_bytes);
        else
            for (size_t i = 0; i < row_bytes; i++)
                to[1 + i] = (uint8_t)(row[i] - above[i]);
    }
}

platen_status pl_png_encode(const struct pl_image *im, struct pl_str *out, struct platen_error *err)
{
    size_t row_bytes =
        im->bilevel ? ((size_t)im->width + 7) / 8 : (size_t)im->width * (size_t)im->format;
    size_t bytes = (row_bytes + 1) * (size_t)im->height;
    struct pl_str packed = {0};
    uint8_t *rows = pl_alloc(bytes, 1);
    if (!rows)
        return pl_fail_nomem(err, bytes, "the rows of a png");
    filter_rows(im, row_bytes, rows);
    platen_status s = pl_deflate(rows, bytes, &packed, err);
    pl_free(rows);
    if (!s) {
        add_header(im, out);
        for (size_t at = 0; at < packed.len; at += MAX_CHUNK)
            add_chunk(out, "IDAT", (const uint8_t *)packed.s + at,
                      PL_MIN(packed.len - at, MAX_CHUNK));
        add_chunk(out, "IEND", NULL, 0);
        if (out->failed)
            s = pl_fail_nomem(err, out->len, "encoding a png");
    }
    pl_str_done(&packed);
    return s;
}
