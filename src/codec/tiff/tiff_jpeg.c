/* SPDX-License-Identifier: BSD-2-Clause */
#include "codec/tiff/tiff_jpeg.h"

#include <string.h>

#include "base/attr.h"
#include "codec/jpeg_marks.h"

#define JPEG_NEW 7
#define MAX_RESTART 65535 /* units between restarts */
#define UNIT_PX 8         /* side of a block of samples */

enum { GRAY_0_BLACK = 1, RGB = 2, YCBCR = 6 };

/* Bytes in the file. */
struct tiff_piece {
    const uint8_t *data;
    size_t n;
};

/* The strips of a page, or its one tile. */
struct strips {
    const struct pl_tiff_file *file;
    struct pl_tiff_field offsets, bytes;
    struct tiff_piece tables; /* without the marks of begin and end */
    int width, height;
    uint64_t rows; /* of each strip but the last one */
    size_t n;
    size_t restart; /* units of a strip; 0 = there is one strip */
    bool rgb;       /* no YCbCr */
    bool says_rgb;  /* it has the mark of that */
};

static bool find_piece(const struct pl_tiff_file *f, uint64_t at, uint64_t n,
                       struct tiff_piece *ret)
{
    if (at > f->n || n > f->n - at)
        return false;
    *ret = (struct tiff_piece){f->data + at, (size_t)n};
    return true;
}

/* A strip, which must begin as a JPEG does. */
static bool find_strip(const struct strips *s, size_t i, struct tiff_piece *ret)
{
    return find_piece(s->file, pl_tiff_value(s->file, &s->offsets, i),
                      pl_tiff_value(s->file, &s->bytes, i), ret) &&
           ret->n > 2 && ret->data[0] == 0xff && ret->data[1] == 0xd8;
}

/* The tables that stand apart: a JPEG without a picture. */
static bool find_tables(const struct pl_tiff_file *f, const struct pl_tiff_directory *d,
                        struct tiff_piece *ret)
{
    const struct pl_tiff_field field = pl_tiff_find_field(f, d, PL_TIFF_JPEG_TABLES);
    *ret = (struct tiff_piece){NULL, 0};
    if (!field.count)
        return true;
    if (!find_piece(f, field.at, field.count * pl_tiff_value_bytes(field.type), ret))
        return false;
    const struct pl_jpeg_marks m = pl_jpeg_all_marks(ret->data, ret->n);
    if (m.end < 4 || m.components || m.restarts || m.adobe || ret->data[0] != 0xff ||
        ret->data[1] != 0xd8)
        return false;
    *ret = (struct tiff_piece){ret->data + 2, m.end - 4};
    return true;
}

static bool read_strips(const struct pl_tiff_file *f, const struct pl_tiff_directory *d,
                        struct strips *ret)
{
    const uint64_t width = pl_tiff_number(f, d, PL_TIFF_WIDTH),
                   height = pl_tiff_number(f, d, PL_TIFF_HEIGHT),
                   rows = pl_tiff_number(f, d, PL_TIFF_STRIP_ROWS);
    const bool tiled = pl_tiff_find_field(f, d, PL_TIFF_TILE_OFFSETS).count;
    *ret = (struct strips){
        .file = f,
        .offsets = pl_tiff_find_field(f, d, tiled ? PL_TIFF_TILE_OFFSETS : PL_TIFF_STRIP_OFFSETS),
        .bytes = pl_tiff_find_field(f, d, tiled ? PL_TIFF_TILE_BYTES : PL_TIFF_STRIP_BYTES),
        .width = (int)PL_MIN(width, (uint64_t)INT32_MAX),
        .height = (int)PL_MIN(height, (uint64_t)INT32_MAX),
        .rows = rows && rows < height && !tiled ? rows : height,
        .rgb = pl_tiff_number(f, d, PL_TIFF_PHOTOMETRIC) == RGB};
    ret->n = (size_t)ret->offsets.count;
    return height && ret->offsets.count == ret->bytes.count &&
           ret->n == (height - 1) / ret->rows + 1 && find_tables(f, d, &ret->tables);
}

/* How many units of coded data the rows of a strip are; 0 where they are no whole number of them.
 */
static size_t units_of(const struct strips *s, const uint8_t *frame, int components)
{
    unsigned h = 1, v = 1;
    for (int i = 0; i < components && components > 1;
         i++) { /* a single component is not interleaved */
        const uint8_t sampling = frame[2 + 8 + 3 * i + 1];
        h = PL_MAX(h, (unsigned)sampling >> 4);
        v = PL_MAX(v, (unsigned)sampling & 15);
    }
    const size_t across = ((size_t)s->width + UNIT_PX * h - 1) / (UNIT_PX * h);
    return s->rows % (UNIT_PX * v) ? 0 : across * (size_t)(s->rows / (UNIT_PX * v));
}

/* Whether two heads are the same but for the height of the picture. */
static bool same_heads(const struct tiff_piece *a, const struct tiff_piece *b,
                       const struct pl_jpeg_marks *m)
{
    const size_t height = m->frame + 5, behind = height + 2;
    return !memcmp(a->data, b->data, height) &&
           !memcmp(a->data + behind, b->data + behind, m->scan - behind);
}

/* Whether strip i goes on where the one before it ends. Strips of more bytes than `left`, those of
 * the file, lie over each other, and do not. */
static bool goes_on(const struct strips *s, size_t i, const struct tiff_piece *first,
                    const struct pl_jpeg_marks *m, size_t *left)
{
    struct tiff_piece strip;
    if (!find_strip(s, i, &strip) || strip.n > *left)
        return false;
    *left -= strip.n;
    const struct pl_jpeg_marks own = pl_jpeg_all_marks(strip.data, strip.n);
    const uint64_t rows = i + 1 < s->n ? s->rows : (uint64_t)s->height - i * s->rows;
    return own.end && own.scans == 1 && own.scan == m->scan && own.frame == m->frame &&
           (uint64_t)own.height == rows && same_heads(first, &strip, m);
}

/* Whether the strips make one JPEG. */
static bool make_one(struct strips *s, uint64_t samples)
{
    struct tiff_piece first;
    if (!find_strip(s, 0, &first))
        return false;
    const struct pl_jpeg_marks m = pl_jpeg_all_marks(first.data, first.n);
    s->says_rgb = m.adobe == 1;
    if (!m.end || !m.scan || m.arithmetic || m.width != s->width || (uint64_t)m.height != s->rows ||
        (uint64_t)m.components != samples || m.frame + 10 + 3 * samples > m.scan)
        return false;
    if (s->n == 1)
        return true;
    s->restart = units_of(s, first.data + m.frame, m.components);
    if (!s->restart || s->restart > MAX_RESTART || m.restarts || !m.baseline || m.scans != 1)
        return false;
    size_t left = s->file->n;
    for (size_t i = 1; i < s->n; i++)
        if (!goes_on(s, i, &first, &m, &left))
            return false;
    return true;
}

static void add_bytes(struct pl_str *out, size_t *total, const void *data, size_t n)
{
    *total += n;
    if (out && n)
        pl_str_add(out, data, n);
}

/* The head of the first strip, with the height of all, behind what all share. */
static void put_head(const struct strips *s, struct pl_str *out, size_t *total)
{
    /* Adobe's marker: version 100, no flags, no transform */
    static const uint8_t rgb[] = {0xff, 0xee, 0,   14, 'A', 'd', 'o', 'b',
                                  'e',  0,    100, 0,  0,   0,   0,   0};
    struct tiff_piece first;
    const uint8_t height[] = {(uint8_t)(s->height >> 8), (uint8_t)s->height};
    const uint8_t interval[] = {0xff, 0xdd, 0, 4, (uint8_t)(s->restart >> 8), (uint8_t)s->restart};
    if (!find_strip(s, 0, &first))
        return;
    const struct pl_jpeg_marks m = pl_jpeg_header_marks(first.data, first.n);
    const size_t behind = m.frame + 5 + sizeof(height);
    add_bytes(out, total, "\xff\xd8", 2);
    add_bytes(out, total, rgb, s->rgb && !s->says_rgb ? sizeof(rgb) : 0);
    add_bytes(out, total, s->tables.data, s->tables.n);
    add_bytes(out, total, interval, s->restart ? sizeof(interval) : 0);
    add_bytes(out, total, first.data + 2, m.frame + 3);
    add_bytes(out, total, height, sizeof(height));
    add_bytes(out, total, first.data + behind, m.scan - behind);
}

/* Appends the JPEG to `out`, unless that is NULL; returns its bytes. */
static size_t put_jpeg(const struct strips *s, struct pl_str *out)
{
    size_t total = 0;
    put_head(s, out, &total);
    for (size_t i = 0; i < s->n; i++) {
        struct tiff_piece strip;
        const uint8_t mark[] = {0xff, i + 1 < s->n ? (uint8_t)(0xd0 + i % 8) : 0xd9};
        if (!find_strip(s, i, &strip))
            break;
        const struct pl_jpeg_marks m = pl_jpeg_all_marks(strip.data, strip.n);
        add_bytes(out, &total, strip.data + m.scan, m.end - 2 - m.scan);
        add_bytes(out, &total, mark, sizeof(mark));
    }
    return total;
}

bool pl_tiff_jpeg_stored(const struct pl_tiff_file *f, uint64_t at,
                         const struct pl_tiff_directory *d, struct pl_stored *ret)
{
    const uint64_t photometric = pl_tiff_number(f, d, PL_TIFF_PHOTOMETRIC),
                   samples = PL_MAX(pl_tiff_number(f, d, PL_TIFF_SAMPLES), (uint64_t)1),
                   turn = pl_tiff_number(f, d, PL_TIFF_ORIENTATION);
    struct strips s;
    if (pl_tiff_number(f, d, PL_TIFF_COMPRESSION) != JPEG_NEW ||
        pl_tiff_number(f, d, PL_TIFF_BITS) != 8 || pl_tiff_number(f, d, PL_TIFF_PLANAR) == 2 ||
        !(samples == 1 ? photometric == GRAY_0_BLACK
                       : samples == 3 && (photometric == RGB || photometric == YCBCR)) ||
        !read_strips(f, d, &s) || !make_one(&s, samples))
        return false;
    *ret = (struct pl_stored){.form = PL_STORED_TIFF_JPEG,
                              .width = s.width,
                              .height = s.height,
                              .turn = turn >= 1 && turn <= 8 ? (int)turn : 1,
                              .channels = (int)samples,
                              .bits = 8,
                              .directory = at,
                              .data = f->data,
                              .n = f->n,
                              .bytes = put_jpeg(&s, NULL)};
    return true;
}

void pl_tiff_put_jpeg(const struct pl_stored *p, struct pl_str *out)
{
    struct pl_tiff_file f;
    struct pl_tiff_directory d;
    struct strips s;
    if (pl_tiff_begin(&f, p->data, p->n) && pl_tiff_read_directory(&f, p->directory, &d) &&
        read_strips(&f, &d, &s) && make_one(&s, (uint64_t)p->channels))
        put_jpeg(&s, out);
}
