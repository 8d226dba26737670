/* SPDX-License-Identifier: BSD-2-Clause */
#include "codec/png/png_chunks.h"

#include <string.h>

#include "base/byte_order.h"
#include "codec/types.h"

#define SIGN_BYTES 8
#define FRAME_BYTES 12 /* of a chunk beside its data: length, type, checksum */
#define HEADER_BYTES 13

enum { GRAY = 0, RGB = 2, INDEXED = 3 }; /* types of colour; the others have alpha */

struct png_chunk {
    const uint8_t *type, *data;
    size_t n, at; /* of the data; where the chunk behind it begins */
};

/* Reads the chunk at ret->at; returns false where none is whole. */
static bool next_chunk(const uint8_t *d, size_t n, struct png_chunk *ret)
{
    const size_t at = ret->at;
    if (at > n || n - at < FRAME_BYTES || pl_be32(d + at) > n - at - FRAME_BYTES)
        return false;
    *ret = (struct png_chunk){d + at + 4, d + at + 8, pl_be32(d + at),
                              at + pl_be32(d + at) + FRAME_BYTES};
    return true;
}

static bool is(const struct png_chunk *c, const char *type)
{
    return !memcmp(c->type, type, 4);
}

/* Takes the header; returns whether rows stand one behind the other, without alpha. */
static bool read_header(const struct png_chunk *c, struct pl_stored *ret, int *ret_type)
{
    if (!is(c, "IHDR") || c->n != HEADER_BYTES || pl_be32(c->data) > INT32_MAX ||
        pl_be32(c->data + 4) > INT32_MAX)
        return false;
    const bool interlaced = c->data[12];
    *ret_type = c->data[9];
    ret->form = PL_STORED_PNG;
    ret->width = (int)pl_be32(c->data);
    ret->height = (int)pl_be32(c->data + 4);
    ret->bits = c->data[8];
    ret->channels = *ret_type == RGB ? 3 : 1;
    if (interlaced || (*ret_type == INDEXED && ret->bits > 8))
        return false;
    return *ret_type == GRAY || *ret_type == RGB || *ret_type == INDEXED;
}

static void take_palette(const struct png_chunk *c, struct pl_stored *ret)
{
    ret->palette = c->data;
    ret->n_colors = (int)PL_MIN(c->n / 3, (size_t)1 << ret->bits);
}

/* A picture with a transparent colour, or one that EXIF may turn, is not stored as it is shown. */
bool pl_png_stored(const struct pl_source *src, struct pl_stored *ret)
{
    struct png_chunk c = {.at = SIGN_BYTES};
    int type;
    if (!next_chunk(src->data, src->n, &c) || !read_header(&c, ret, &type))
        return false;
    ret->data = src->data + c.at;
    ret->n = src->n - c.at;
    while (next_chunk(src->data, src->n, &c) && !is(&c, "IEND")) {
        if (is(&c, "tRNS") || is(&c, "eXIf"))
            return false;
        if (is(&c, "PLTE") && type == INDEXED)
            take_palette(&c, ret);
        ret->bytes += is(&c, "IDAT") ? c.n : 0;
    }
    return ret->bytes && (type != INDEXED || ret->n_colors);
}

void pl_png_put_data(const struct pl_stored *p, struct pl_str *out)
{
    struct png_chunk c = {.at = 0};
    while (next_chunk(p->data, p->n, &c) && !is(&c, "IEND"))
        if (is(&c, "IDAT"))
            pl_str_add(out, (const char *)c.data, c.n);
}
