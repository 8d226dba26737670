/* SPDX-License-Identifier: BSD-2-Clause */
#include <libdeflate.h>
#include <string.h>

#include "base/byte_order.h"
#include "base/map.h"
#include "codec/deflate.h"
#include "codec/exif.h"
#include "codec/palette.h"
#include "codec/png/png.h"

/* Rows pass from kernel to kernel while they are in the cache: in strips of about so many bytes,
 * and of waves (png_unfilter) of so many rows. */
#define STRIP_BYTES ((size_t)1 << 18)
#define WAVE_ROWS ((size_t)16)
/* Of the file, from which on it does not stay in memory. */
#define PIECE_BYTES ((size_t)1 << 20)

enum { GRAY = 0, RGB = 2, INDEXED = 3, GRAY_ALPHA = 4, RGB_ALPHA = 6 }; /* colour types */

struct plain {
    const struct pl_source *src;
    uint32_t width, height;
    int depth, type, channels;
    size_t row_bytes, unpacked_bytes; /* the latter with the filter bytes */
    size_t first, last, packed_bytes; /* of the IDAT chunks: where they are, and their data */
    const uint8_t *palette, *alpha, *phys, *exif; /* data of these chunks; NULL = none */
    uint32_t n_palette, n_alpha, n_exif;
    bool ended;       /* IEND was there */
    size_t forgotten; /* the file up to here (pl_map_forget()) */
    bool in_place;    /* what is unpacked is the picture */
    bool packs;       /* the bytes of the picture are those of pl_bits */
    size_t strip_rows;
    struct pl_inflate *z; /* NULL: unpacked as a whole */
    size_t chunk, at;     /* the IDAT chunk whose data goes in next, and how far it has */
};

/* False when it is no picture for this way. */
static bool take_header(struct plain *p, const uint8_t *d, uint32_t len)
{
    static const int channels[7] = {1, 0, 3, 1, 2, 0, 4};
    if (len != 13 || d[9] > 6 || !channels[d[9]] || d[10] || d[11] || d[12])
        return false;
    p->width = pl_be32(d);
    p->height = pl_be32(d + 4);
    p->depth = d[8];
    p->type = d[9];
    p->channels = channels[p->type];
    if ((p->depth != 8 && (p->depth != 1 || p->type != GRAY)) ||
        pl_limits_check(p->src->opt, p->width, p->height, NULL) ||
        pl_bytes_check(p->src->n, p->width, p->height, PL_PNG_MAX_PIXELS_PER_BYTE, NULL))
        return false;
    p->row_bytes = ((size_t)p->width * (size_t)(p->channels * p->depth) + 7) / 8;
    p->unpacked_bytes = (p->row_bytes + 1) * p->height; /* both sides are below 2^24 */
    return true;
}

static bool take_data(struct plain *p, size_t at, uint32_t len)
{
    if (p->type == INDEXED && !p->palette)
        return false;
    if (!p->first)
        p->first = at;
    else if (p->last != at)
        return false; /* another chunk lies between */
    p->last = at + 12 + len;
    p->packed_bytes += len;
    /* as many as stored blocks need; libpng's limit is no lower */
    return p->packed_bytes <= p->unpacked_bytes + 6 + 5 * (p->unpacked_bytes / 32566 + 1);
}

/* A chunk that may come once, before the picture data. */
static bool take_once(const struct plain *p, const uint8_t **ret, const uint8_t *d)
{
    if (*ret || p->first)
        return false;
    *ret = d;
    return true;
}

static bool take_chunk(struct plain *p, size_t at, const char name[4], const uint8_t *d,
                       uint32_t len)
{
    if (!memcmp(name, "IDAT", 4))
        return take_data(p, at, len);
    if (len > PL_PNG_MAX_CHUNK_BYTES)
        return false;
    if (!memcmp(name, "PLTE", 4)) {
        p->n_palette = len / 3;
        return p->type != GRAY && p->type != GRAY_ALPHA && len && len <= 768 && len % 3 == 0 &&
               take_once(p, &p->palette, d);
    }
    if (!memcmp(name, "tRNS", 4)) {
        p->n_alpha = len;
        return p->type == INDEXED && p->palette && len && len <= p->n_palette &&
               take_once(p, &p->alpha, d);
    }
    if (!memcmp(name, "pHYs", 4))
        return len == 9 && take_once(p, &p->phys, d);
    if (!memcmp(name, "eXIf", 4)) {
        p->n_exif = len;
        return take_once(p, &p->exif, d);
    }
    if (!memcmp(name, "IEND", 4)) {
        p->ended = true;
        return p->first && !len;
    }
    return name[0] & 0x20; /* ancillary: nothing that changes pixels */
}

/* Lets go of the memory of the file, which has been read up to `at`. */
static void pass(struct plain *p, size_t at)
{
    if (!p->src->opt->mapped || at < p->forgotten + PIECE_BYTES)
        return;
    pl_map_forget(p->src->data + p->forgotten, at - p->forgotten);
    p->forgotten = at;
}

/* Returns the checksum of n bytes of the file from `at` on. */
static uint32_t checksum(struct plain *p, size_t at, size_t n)
{
    uint32_t crc = 0;
    for (size_t done = 0, piece; done < n; done += piece, pass(p, at + done)) {
        piece = PL_MIN(n - done, PIECE_BYTES);
        crc = libdeflate_crc32(crc, p->src->data + at + done, piece);
    }
    return crc;
}

/* Goes over all chunks, and their checksums. */
static bool scan(struct plain *p)
{
    const uint8_t *data = p->src->data;
    size_t n = p->src->n;
    if (n < 8 || memcmp(data, "\x89PNG\r\n\x1a\n", 8))
        return false;
    for (size_t at = 8; !p->ended;) {
        if (n - at < 12 || pl_be32(data + at) > n - at - 12)
            return false;
        uint32_t len = pl_be32(data + at);
        const uint8_t *name = data + at + 4, *d = name + 4;
        for (int i = 0; i < 4; i++)
            if ((name[i] | 0x20) < 'a' || (name[i] | 0x20) > 'z')
                return false;
        if (checksum(p, at + 4, (size_t)len + 4) != pl_be32(d + len))
            return false;
        bool header = !memcmp(name, "IHDR", 4);
        if (header != (at == 8) ||
            !(header ? take_header(p, d, len) : take_chunk(p, at, (const char *)name, d, len)))
            return false;
        at += 12 + (size_t)len;
    }
    return true;
}

/* zlib refuses distances beyond the window that the stream declares, the others do not: here no
 * distance can be longer. */
static bool window_suffices(const struct plain *p)
{
    size_t at = p->first;
    while (at < p->last && !pl_be32(p->src->data + at))
        at += 12;
    if (at == p->last)
        return false;
    unsigned log2 = (unsigned)(p->src->data[at + 8] >> 4) + 8;
    return log2 >= 15 || (size_t)1 << log2 >= p->unpacked_bytes;
}

/* Returns the bytes of room for the data of all chunks in one piece; 0 where it lies in one chunk.
 */
static size_t joined_bytes(const struct plain *p)
{
    return p->packed_bytes == p->last - p->first - 12 ? 0 : p->packed_bytes;
}

/* Returns the bytes of as many rows, with their filter bytes, as are unpacked at once, and of one
 * more: a copy of the last row of a strip, which converting spoils. */
static size_t rows_bytes(const struct plain *p, bool whole)
{
    return ((whole ? p->height : p->strip_rows) + 1) * (p->row_bytes + 1);
}

/* Returns the memory that unpacking as a whole takes beside the picture, the mapped data included.
 */
static size_t whole_bytes(const struct plain *p)
{
    return p->packed_bytes + joined_bytes(p) + (p->in_place ? 0 : rows_bytes(p, true));
}

static void join_data(const struct plain *p, uint8_t *joined)
{
    for (size_t at = p->first; at < p->last;) {
        uint32_t len = pl_be32(p->src->data + at);
        memcpy(joined, p->src->data + at + 8, len);
        joined += len;
        at += 12 + (size_t)len;
    }
}

/* Unpacks all rows, each behind its filter byte; *ret = false when that fails. */
static platen_status unpack_whole(const struct plain *p, uint8_t *rows, bool *ret,
                                  struct platen_error *err)
{
    struct pl_bufpool *bufs = p->src->env->bufs;
    const uint8_t *packed = p->src->data + p->first + 8;
    size_t bytes = joined_bytes(p);
    uint8_t *joined = bytes ? pl_bufpool_get(bufs, bytes) : NULL;
    if (bytes && !joined)
        return pl_fail_nomem(err, bytes, "the data of a png");
    if (joined)
        join_data(p, joined);
    platen_status s =
        pl_inflate(joined ? joined : packed, p->packed_bytes, rows, p->unpacked_bytes, ret, err);
    pl_bufpool_put(bufs, joined, bytes);
    return s;
}

/* Gives the next piece of the data to p->z; false when there is none. */
static bool feed(struct plain *p)
{
    if (p->chunk == p->last)
        return false;
    size_t len = pl_be32(p->src->data + p->chunk), n = PL_MIN(len - p->at, PIECE_BYTES);
    size_t from = p->chunk + 8 + p->at;
    pass(p, from);
    pl_inflate_feed(p->z, p->src->data + from, n);
    p->at += n;
    if (p->at == len) {
        p->chunk += 12 + len;
        p->at = 0;
    }
    return true;
}

/* Unpacks the next n rows, each behind its filter. */
static bool unpack(struct plain *p, uint8_t *rows, size_t n)
{
    size_t bytes = n * (p->row_bytes + 1), have = 0;
    bool ok = true;
    for (;;) {
        have += pl_inflate_take(p->z, rows + have, bytes - have, &ok);
        if (!ok || have == bytes)
            return ok;
        if (!feed(p))
            return false;
    }
}

/* Brings the next n rows, unless they were unpacked with all others, to their pixels; false when
 * that fails, or a filter is none. above: the row before them, or NULL. */
static bool bring(struct plain *p, uint8_t *rows, size_t n, const uint8_t *above)
{
    size_t step = p->row_bytes + 1;
    if (p->z && !unpack(p, rows, n))
        return false;
    for (size_t y = 0; y < n; y++)
        if (rows[y * step] > 4)
            return false;
    p->src->env->k->png_unfilter(rows, n, p->row_bytes, (size_t)p->channels, above);
    return true;
}

/* Returns whether the stream ends behind the last row. */
static bool ends(struct plain *p)
{
    uint8_t more;
    bool ok = true;
    if (!p->z)
        return true;
    do {
        if (pl_inflate_take(p->z, &more, 1, &ok) || !ok)
            return false;
    } while (!pl_inflate_ended(p->z) && feed(p));
    return pl_inflate_ended(p->z) && p->chunk == p->last;
}

static void read_palette(const struct plain *p, struct pl_palette *ret)
{
    uint8_t rgba[256 * 4] = {0};
    for (uint32_t i = 0; i < p->n_palette; i++) {
        memcpy(rgba + 4 * i, p->palette + 3 * i, 3);
        rgba[4 * i + 3] = i < p->n_alpha ? p->alpha[i] : 255;
    }
    pl_palette_init(p->src->env, rgba, (int)p->n_palette, ret);
}

/* Returns false when a pixel lies outside the palette. */
static bool indices_fit(const uint8_t *row, size_t n, int n_palette)
{
    unsigned most = 0;
    for (size_t x = 0; x < n; x++)
        most = PL_MAX(most, (unsigned)row[x]);
    return (int)most < n_palette;
}

/* Bits of PNG are 1 for white. */
static void put_bits(const struct plain *p, uint8_t *to, const uint8_t *row)
{
    for (size_t i = 0; i < p->row_bytes; i++)
        to[i] = (uint8_t)~row[i];
    to[p->row_bytes - 1] &= (uint8_t)(0xff << (8 * p->row_bytes - p->width));
}

/* Puts row y of the image from its bytes, which are used up. */
static bool put_row(const struct plain *p, const struct pl_palette *colors, struct pl_image *im,
                    int y, uint8_t *row)
{
    const struct pl_env *env = p->src->env;
    if (p->packs)
        put_bits(p, pl_image_row(im, y), row);
    else if (p->depth == 1)
        env->k->unpack_bits(pl_image_row(im, y), row, p->width, 0, 255);
    else if (p->type != INDEXED)
        pl_rows_put(env, im, y, row, p->channels);
    else if (indices_fit(row, p->width, colors->n))
        pl_palette_row(env, colors, im, y, row);
    else
        return false;
    return true;
}

/* Undoes the filters and converts, strip by strip. rows: rows_bytes() */
static bool convert(struct plain *p, const struct pl_palette *colors, struct pl_image *im,
                    uint8_t *rows)
{
    size_t step = p->row_bytes + 1;
    uint8_t *kept = rows + rows_bytes(p, !p->z) - step, *above = NULL;
    for (size_t y = 0, n; y < p->height; y += n) {
        n = PL_MIN((size_t)p->height - y, p->strip_rows);
        if (!bring(p, rows, n, above))
            return false;
        memcpy(kept, rows + (n - 1) * step + 1, p->row_bytes);
        above = kept;
        for (size_t i = 0; i < n; i++)
            if (!put_row(p, colors, im, (int)(y + i), rows + i * step + 1))
                return false;
        rows += p->z ? 0 : n * step;
    }
    return ends(p);
}

static platen_status decode_converted(struct plain *p, struct pl_image *im, bool *ret,
                                      struct platen_error *err)
{
    struct pl_palette colors = {0};
    struct pl_bufpool *bufs = p->src->env->bufs;
    size_t bytes = rows_bytes(p, !p->z);
    if (p->type == INDEXED)
        read_palette(p, &colors);
    const int channels = p->type != INDEXED ? p->channels : colors.gray ? 1 : 3;
    platen_status s =
        p->packs ? pl_image_init(p->src->env, (int)p->row_bytes, (int)p->height, PL_GRAY8, im, err)
                 : pl_rows_init(p->src, (int)p->width, (int)p->height, channels, im, err);
    if (s)
        return s;
    uint8_t *rows = pl_bufpool_get(bufs, bytes);
    if (!rows)
        return pl_fail_nomem(err, bytes, "the rows of a png");
    *ret = true;
    if (!p->z)
        s = unpack_whole(p, rows, ret, err);
    *ret = !s && *ret && convert(p, &colors, im, rows);
    pl_bufpool_put(bufs, rows, bytes);
    im->bilevel = p->type == INDEXED ? colors.bilevel : p->depth == 1;
    return s;
}

static platen_status decode_in_place(struct plain *p, struct pl_image *im, bool *ret,
                                     struct platen_error *err)
{
    platen_status s = pl_image_init_packed(p->src->env, (int)p->width, (int)p->height,
                                           p->type == GRAY ? PL_GRAY8 : PL_RGB8, im, err);
    *ret = !s;
    if (!s && !p->z)
        s = unpack_whole(p, im->px - 1, ret, err);
    for (size_t y = 0, n; !s && *ret && y < p->height; y += n) {
        n = PL_MIN((size_t)p->height - y, p->strip_rows);
        uint8_t *rows = pl_image_row(im, (int)y) - 1;
        *ret = bring(p, rows, n, y ? rows - p->row_bytes : NULL);
    }
    *ret = !s && *ret && ends(p);
    return s;
}

/* Where libpng would not judge otherwise. */
static platen_status decode_plain(struct plain *p, size_t spare_bytes, struct pl_image *im,
                                  bool *ret, struct platen_error *err)
{
    if (!window_suffices(p))
        return PLATEN_OK;
    p->packs = p->src->packs && p->depth == 1 && !p->exif;
    p->in_place = p->depth == 8 && (p->type == GRAY || (p->type == RGB && !p->src->opt->gray));
    p->strip_rows = PL_MAX(STRIP_BYTES / (p->row_bytes + 1) / WAVE_ROWS, 1) * WAVE_ROWS;
    p->chunk = p->first;
    p->forgotten = 0;
    bool whole = whole_bytes(p) <= spare_bytes;
    p->z = whole ? NULL : pl_inflate_new(p->src->env->bufs);
    if (!whole && !p->z)
        return pl_fail_nomem(err, sizeof(*p), "unpacking a png");
    platen_status s =
        p->in_place ? decode_in_place(p, im, ret, err) : decode_converted(p, im, ret, err);
    pl_inflate_free(p->z, p->src->env->bufs);
    return s;
}

static void take_metadata(const struct plain *p, struct pl_decoded *d)
{
    struct pl_exif e = {.orientation = 1};
    if (p->exif)
        e = pl_exif_parse(p->exif, p->n_exif);
    if (p->phys && p->phys[8] == 1) { /* pixels per metre */
        e.dpi_x = (float)(pl_be32(p->phys) * 0.0254);
        e.dpi_y = (float)(pl_be32(p->phys + 4) * 0.0254);
    }
    d->turn = e.orientation;
    d->image.dpi_x = e.dpi_x;
    d->image.dpi_y = e.dpi_y;
}

platen_status pl_png_decode_plain(const struct pl_source *src, size_t spare_bytes,
                                  struct pl_decoded *ret, bool *ret_done, struct platen_error *err)
{
    struct plain p = {.src = src};
    struct pl_decoded d = {0};
    *ret_done = false;
    if (!scan(&p))
        return PLATEN_OK;
    platen_status s = decode_plain(&p, spare_bytes, &d.image, ret_done, err);
    if (!*ret_done) {
        pl_image_done(&d.image);
        return s;
    }
    take_metadata(&p, &d);
    if (p.packs) {
        d.bits = (struct pl_bits){d.image, (int)p.width, (int)p.height};
        d.image = (struct pl_image){0};
    }
    *ret = d;
    return PLATEN_OK;
}
