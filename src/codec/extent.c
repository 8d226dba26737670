/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds where a picture ends, as far as its format tells without decoding it. */
#include <string.h>

#include "base/byte_order.h"
#include "codec/boxes.h"
#include "codec/decode.h"
#include "codec/jpeg_marks.h"

/* Returns the place behind the chunk of a PNG that begins at `at`; 0 where it is not whole. */
static size_t behind_chunk(const uint8_t *d, size_t n, size_t at)
{
    if (n < 12 || at > n - 12)
        return 0;
    const uint64_t bytes = (uint64_t)pl_be32(d + at) + 12;
    return bytes <= n - at ? at + (size_t)bytes : 0;
}

size_t pl_png_end(const uint8_t *d, size_t n)
{
    for (size_t at = 8, next; (next = behind_chunk(d, n, at)) > 0; at = next)
        if (!memcmp(d + at + 4, "IEND", 4))
            return next;
    return n;
}

bool pl_png_moves(const uint8_t *d, size_t n)
{
    for (size_t at = 8, next; (next = behind_chunk(d, n, at)) > 0; at = next) {
        if (!memcmp(d + at + 4, "acTL", 4)) /* the number of pictures comes first in it */
            return pl_be32(d + at + 8) > 1;
        if (!memcmp(d + at + 4, "IDAT", 4))
            break;
    }
    return false;
}

/* A file that says that it holds several pictures is one all the same. */
size_t pl_jpeg_end(const uint8_t *d, size_t n)
{
    struct pl_jpeg_marks m = pl_jpeg_all_marks(d, n);
    return m.end && !m.several ? m.end : n;
}

/* Returns the place behind blocks each of which begins with its length; the last one is empty. */
static size_t skip_blocks(const uint8_t *d, size_t n, size_t at)
{
    while (at < n && d[at])
        at += 1u + d[at];
    return at < n ? at + 1 : n;
}

static size_t color_bytes(uint8_t flags)
{
    return flags & 0x80 ? (size_t)6 << (flags & 7) : 0;
}

/* Returns the end of a GIF, and how many pictures it has. */
static size_t walk_gif(const uint8_t *d, size_t n, size_t *ret_pictures)
{
    size_t at = n >= 13 ? 13 + color_bytes(d[10]) : n;
    *ret_pictures = 0;
    while (at < n) {
        if (d[at] == 0x3b)
            return at + 1;
        if (d[at] == 0x21) {
            at = n - at > 2 ? skip_blocks(d, n, at + 2) : n;
        } else if (d[at] == 0x2c && n - at > 10) {
            at = skip_blocks(d, n, at + 11 + color_bytes(d[at + 9]));
            ++*ret_pictures;
        } else {
            break;
        }
    }
    return n;
}

size_t pl_gif_end(const uint8_t *d, size_t n)
{
    size_t pictures;
    return walk_gif(d, n, &pictures);
}

bool pl_gif_moves(const uint8_t *d, size_t n)
{
    size_t pictures;
    walk_gif(d, n, &pictures);
    return pictures > 1;
}

size_t pl_bmp_end(const uint8_t *d, size_t n)
{
    uint32_t bytes = pl_le32(d + 2);
    return bytes >= 26 && bytes < n ? bytes : n;
}

size_t pl_webp_end(const uint8_t *d, size_t n)
{
    size_t bytes = (size_t)pl_le32(d + 4) + 8;
    bytes += bytes & 1;
    return bytes < n ? bytes : n;
}

/* Reads the next number of a PNM header, behind blanks and comments; 0 where there is none. */
static uint64_t pnm_number(const uint8_t *d, size_t n, size_t *at)
{
    uint64_t v = 0;
    while (*at < n && (strchr(" \t\n\v\f\r", d[*at]) || d[*at] == '#') && d[*at]) {
        if (d[*at] == '#')
            while (*at < n && d[*at] != '\n')
                ++*at;
        *at += *at < n;
    }
    for (; *at < n && d[*at] >= '0' && d[*at] <= '9' && v < 1u << 30; ++*at)
        v = v * 10 + (d[*at] - '0');
    return v;
}

/* Returns the place behind `samples` samples that are written out, as numbers or as single digits.
 */
static size_t skip_samples(const uint8_t *d, size_t n, size_t at, uint64_t samples, bool digits)
{
    for (; samples && at < n; samples--) {
        while (at < n && (d[at] < '0' || d[at] > '9'))
            at++;
        if (digits)
            at += at < n;
        while (!digits && at < n && d[at] >= '0' && d[at] <= '9')
            at++;
    }
    return at;
}

size_t pl_pnm_end(const uint8_t *d, size_t n)
{
    const int kind = d[1] - '0';
    const bool bits = kind == 1 || kind == 4;
    size_t at = 2;
    uint64_t w = pnm_number(d, n, &at), h = pnm_number(d, n, &at);
    uint64_t most = bits ? 1 : pnm_number(d, n, &at), samples;
    if (!w || !h || !most || at >= n || __builtin_mul_overflow(w * (kind % 3 ? 1 : 3), h, &samples))
        return n;
    if (kind < 4)
        return skip_samples(d, n, at, samples, bits);
    uint64_t bytes = bits ? (w + 7) / 8 * h : samples * (most > 255 ? 2 : 1);
    return bytes < n - at - 1 ? at + 1 + (size_t)bytes : n;
}

/* Returns the end of a code stream of JPEG 2000 (ITU-T T.800, annex A), which has no mark of an end
 * in the data of its tiles; n where it is not whole. */
static size_t code_stream_end(const uint8_t *d, size_t n)
{
    enum { TILE = 0xff90, END = 0xffd9, TILE_HEAD = 12 };
    for (size_t at = 2, bytes; at < n && n - at >= 2; at += bytes) {
        const uint32_t mark = pl_be16(d + at);
        const bool tile = mark == TILE;
        if (mark == END)
            return at + 2;
        if (n - at < (tile ? TILE_HEAD : 4))
            break;
        bytes = tile ? pl_be32(d + at + 6) : 2u + pl_be16(d + at + 2);
        if (tile && !bytes) { /* the last one may leave its length out */
            const uint8_t *end = memmem(d + at + TILE_HEAD, n - at - TILE_HEAD, "\xff\xd9", 2);
            return end ? (size_t)(end - d) + 2 : n;
        }
        if (bytes < (tile ? TILE_HEAD : 4) || bytes > n - at)
            break;
    }
    return n;
}

size_t pl_jp2_ends(const uint8_t *d, size_t n, size_t from)
{
    struct pl_box b;
    size_t at = from;
    if (d[0]) /* a bare code stream */
        return from ? n : code_stream_end(d, n);
    if (!pl_box_next(d, n, &at, &b))
        return n;
    const bool last = at == n && pl_box_is(&b, "jp2c"); /* which may leave its length out */
    return last ? (size_t)(b.data - d) + code_stream_end(b.data, b.n) : at;
}

/* What is added to a document later has an end of its own. */
size_t pl_pdf_ends(const uint8_t *d, size_t n, size_t from)
{
    static const char mark[] = "%%EOF";
    const uint8_t *p = memmem(d + from, n - from, mark, sizeof(mark) - 1);
    return p ? (size_t)(p - d) + sizeof(mark) - 1 : n;
}

bool pl_pdf_has_another(const uint8_t *d, size_t n)
{
    static const char head[] = "%PDF-";
    for (size_t end = 0, at; (end = at = pl_pdf_ends(d, n, end)) < n;) {
        while (at < n && d[at] && strchr(" \t\r\n", d[at]))
            at++;
        if (n - at >= sizeof(head) - 1 && !memcmp(d + at, head, sizeof(head) - 1))
            return true;
    }
    return false;
}

size_t pl_djvu_end(const uint8_t *d, size_t n)
{
    const size_t bytes = n >= 12 ? (size_t)pl_be32(d + 8) + 12 : n;
    return bytes < n ? bytes + (bytes & 1) : n;
}
