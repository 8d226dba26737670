/* SPDX-License-Identifier: BSD-2-Clause */
#include "codec/jp2_boxes.h"

#include "base/byte_order.h"
#include "codec/boxes.h"
#include "codec/types.h"

#define SIGN_BYTES 12 /* the first box */
#define SIZE_BYTES 42 /* of a code stream, up to what each component has */

/* Colour spaces that a box of that name numbers. */
enum { SRGB = 16, GRAYSCALE = 17 };

/* Whether the samples are grey or RGB: as the box says, or as components have them that a profile
 * describes. */
static bool is_plain_color(const struct pl_box *b, int channels)
{
    const int method = b->n >= 3 ? b->data[0] : 0;
    const uint32_t space = method == 1 && b->n >= 7 ? pl_be32(b->data + 3) : 0;
    return method == 2 || space == (channels == 1 ? GRAYSCALE : SRGB);
}

/* Whether the header describes the components as they are: no palette, no alpha, one colour space.
 */
static bool is_plain_header(const struct pl_box *header, int channels)
{
    struct pl_box b;
    int colors = 0;
    for (size_t at = 0; pl_box_next(header->data, header->n, &at, &b);) {
        if (pl_box_is(&b, "pclr") || pl_box_is(&b, "cmap") || pl_box_is(&b, "cdef"))
            return false;
        if (pl_box_is(&b, "colr") && (colors++ || !is_plain_color(&b, channels)))
            return false;
    }
    return colors == 1;
}

/* Takes the size; returns whether all samples have their own place and the same depth, and none is
 * signed. */
static bool read_size(const uint8_t *d, size_t n, struct pl_stored *ret)
{
    if (n < SIZE_BYTES + 9 || pl_be32(d) != 0xff4fff51)
        return false;
    const uint32_t x1 = pl_be32(d + 8), y1 = pl_be32(d + 12), x0 = pl_be32(d + 16),
                   y0 = pl_be32(d + 20);
    ret->channels = (int)pl_be16(d + 40);
    if (x1 <= x0 || y1 <= y0 || x1 - x0 > INT32_MAX || y1 - y0 > INT32_MAX ||
        (ret->channels != 1 && ret->channels != 3))
        return false;
    ret->width = (int)(x1 - x0);
    ret->height = (int)(y1 - y0);
    ret->bits = d[SIZE_BYTES] + 1;
    for (int i = 0; i < ret->channels; i++) {
        const uint8_t *c = d + SIZE_BYTES + 3 * i;
        if (c[0] != d[SIZE_BYTES] || c[0] >= 0x80 || c[1] != 1 || c[2] != 1)
            return false;
    }
    return true;
}

static bool read_boxes(const struct pl_source *src, struct pl_stored *ret)
{
    struct pl_box b, header = {0};
    for (size_t at = SIGN_BYTES; pl_box_next(src->data, src->n, &at, &b);) {
        if (pl_box_is(&b, "jp2h"))
            header = b;
        if (pl_box_is(&b, "jp2c"))
            return read_size(b.data, b.n, ret) && header.data &&
                   is_plain_header(&header, ret->channels);
    }
    return false;
}

bool pl_jp2_stored(const struct pl_source *src, struct pl_stored *ret)
{
    ret->form = PL_STORED_JPEG2000;
    ret->boxed = src->n > SIGN_BYTES && !src->data[0];
    ret->data = src->data;
    ret->n = src->n;
    ret->bytes = src->n + (ret->boxed ? 0 : PL_JP2_HEAD_BYTES);
    return ret->boxed ? read_boxes(src, ret) : read_size(src->data, src->n, ret);
}

static void put32(struct pl_str *out, uint32_t v)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        pl_str_putc(out, (char)(v >> shift & 0xff));
}

static void put_box(struct pl_str *out, uint32_t bytes, const char *type)
{
    put32(out, bytes);
    pl_str_puts(out, type);
}

void pl_jp2_put_boxes(const struct pl_stored *p, struct pl_str *out)
{
    put_box(out, 12, "jP  ");
    put32(out, 0x0d0a870a);
    put_box(out, 20, "ftyp");
    pl_str_add(out, "jp2 \0\0\0\0jp2 ", 12);
    put_box(out, 45, "jp2h");
    put_box(out, 22, "ihdr");
    put32(out, (uint32_t)p->height);
    put32(out, (uint32_t)p->width);
    /* components, depth, the only compression there is, and that the colour space is known */
    const char kind[] = {0, (char)p->channels, (char)(p->bits - 1), 7, 0, 0};
    pl_str_add(out, kind, sizeof(kind));
    put_box(out, 15, "colr");
    pl_str_add(out, "\1\0", 3);
    put32(out, p->channels == 1 ? GRAYSCALE : SRGB);
    put_box(out, 0, "jp2c"); /* to the end */
}
