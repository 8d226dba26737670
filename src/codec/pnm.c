/* SPDX-License-Identifier: BSD-2-Clause */
/* Netpbm pictures P1 to P6, read and written. (stb_image reads neither bits nor text, and does not
 * notice where a file ends.) */
#include <string.h>

#include "base/byte_order.h"
#include "codec/decode.h"

struct header {
    int kind; /* 1..6 as in the magic */
    uint64_t width, height, max;
    size_t raster; /* where the samples begin */
};

static bool is_space(uint8_t c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* The next number of the header or of a text raster, comments skipped. *at stays behind its last
 * digit. False at the end of the data, at a wrong character, and beyond 2^32 - 1. */
static bool number(const uint8_t *data, size_t n, size_t *at, uint64_t *ret)
{
    size_t i = *at;
    while (i < n && (is_space(data[i]) || data[i] == '#'))
        if (data[i++] == '#')
            while (i < n && data[i] != '\n' && data[i] != '\r')
                i++;
    uint64_t v = 0;
    size_t first = i;
    for (; i < n && data[i] >= '0' && data[i] <= '9' && v <= UINT32_MAX; i++)
        v = v * 10 + (uint64_t)(data[i] - '0');
    *at = i;
    *ret = v;
    return i > first && v <= UINT32_MAX;
}

static platen_status broken(size_t n, size_t at, const char *what, struct platen_error *err)
{
    if (at >= n)
        return pl_fail(err, PLATEN_ERR_FORMAT, "truncated at byte %zu in the %s", n, what);
    return pl_fail(err, PLATEN_ERR_FORMAT, "wrong %s of a pnm, at byte %zu", what, at);
}

static platen_status read_header(const uint8_t *data, size_t n, struct header *ret,
                                 struct platen_error *err)
{
    struct header h = {.kind = data[1] - '0', .max = 1};
    size_t at = 2;
    bool ok = number(data, n, &at, &h.width) && number(data, n, &at, &h.height);
    if (ok && h.kind != 1 && h.kind != 4)
        ok = number(data, n, &at, &h.max) && h.max >= 1 && h.max <= 65535;
    if (!ok || at >= n || !is_space(data[at]))
        return broken(n, at, "header", err);
    h.raster = at + 1;
    *ret = h;
    return PLATEN_OK;
}

static int channels_of(const struct header *h)
{
    return h->kind == 3 || h->kind == 6 ? 3 : 1;
}

static uint8_t to_8(uint64_t v, uint64_t max)
{
    return (uint8_t)((v * 255 + max / 2) / max);
}

/* Rows of bytes and of big-endian 16-bit samples; the caller has checked the length. */
static void raw_row(const struct header *h, const uint8_t *from, size_t samples, uint8_t *to)
{
    for (size_t i = 0; i < samples; i++) {
        uint64_t v = h->max > 255 ? (uint64_t)from[2 * i] << 8 | from[2 * i + 1] : from[i];
        to[i] = to_8(PL_MIN(v, h->max), h->max);
    }
}

static void bit_row(const uint8_t *from, size_t n, uint8_t *to)
{
    for (size_t x = 0; x < n; x++)
        to[x] = from[x / 8] >> (7 - x % 8) & 1 ? 0 : 255;
}

/* A row of numbers in text; the digits of a P1 need no space between them. */
static bool text_row(const struct pl_source *src, const struct header *h, size_t *at,
                     size_t samples, uint8_t *to)
{
    for (size_t i = 0; i < samples; i++) {
        uint64_t v;
        if (h->kind == 1) {
            while (*at < src->n && is_space(src->data[*at]))
                ++*at;
            if (*at >= src->n || (src->data[*at] != '0' && src->data[*at] != '1'))
                return false;
            to[i] = src->data[(*at)++] == '1' ? 0 : 255;
        } else {
            if (!number(src->data, src->n, at, &v) || v > h->max)
                return false;
            to[i] = to_8(v, h->max);
        }
    }
    return true;
}

/* Bytes of a row; for text the least there can be. */
static uint64_t row_bytes(const struct header *h)
{
    uint64_t samples = h->width * (uint64_t)channels_of(h);
    return h->kind == 4 ? (samples + 7) / 8 : h->kind > 4 && h->max > 255 ? 2 * samples : samples;
}

/* Puts the first `rows` rows, as far as they can be read; *ret is how many. */
static platen_status read_rows(const struct pl_source *src, const struct header *h, int rows,
                               uint8_t *row, struct pl_image *im, int *ret,
                               struct platen_error *err)
{
    size_t at = h->raster, samples = (size_t)h->width * (size_t)channels_of(h);
    for (int y = 0; y < rows; y++) {
        const uint8_t *from = src->data + at;
        *ret = y;
        if (h->kind <= 3 && !text_row(src, h, &at, samples, row))
            return broken(src->n, at, "raster", err);
        if (h->kind == 4)
            bit_row(from, samples, row);
        else if (h->kind > 4)
            raw_row(h, from, samples, row);
        if (h->kind > 3)
            at += (size_t)row_bytes(h);
        pl_rows_put(src->env, im, y, row, channels_of(h));
    }
    *ret = rows;
    return rows < im->height ? broken(src->n, src->n, "raster", err) : PLATEN_OK;
}

platen_status pl_pnm_decode(const struct pl_source *src, struct pl_decoded *ret,
                            struct platen_error *err)
{
    struct header h = {0};
    struct platen_error why;
    int rows = 0;
    platen_status s = read_header(src->data, src->n, &h, err);
    if (!s)
        s = pl_limits_check(src->opt, h.width, h.height, err);
    if (s)
        return s;
    struct pl_damage damage = {0};
    const uint64_t come = PL_MIN((src->n - h.raster) / row_bytes(&h), h.height);
    if (come < h.height) {
        s = broken(src->n, src->n, "raster", &why);
        s = pl_damage_settle(s, &why, come, h.height, &damage, err);
    }
    if (s)
        return s;
    pl_auto_image im = {0};
    s = pl_rows_init(src, (int)h.width, (int)h.height, channels_of(&h), &im, err);
    if (s)
        return s;
    size_t bytes = (size_t)h.width * (size_t)channels_of(&h);
    uint8_t *row = pl_bufpool_get(src->env->bufs, bytes);
    s = row ? read_rows(src, &h, (int)come, row, &im, &rows, &why)
            : pl_fail_nomem(&why, bytes, "a row");
    pl_bufpool_put(src->env->bufs, row, bytes);
    if (s)
        s = pl_damage_settle(s, &why, (uint64_t)rows, h.height, &damage, err);
    if (s)
        return s;
    pl_rows_whiten(&im, rows, im.height);
    im.bilevel = h.max == 1 && im.format == PL_GRAY8 && channels_of(&h) == 1;
    *ret = (struct pl_decoded){.image = pl_image_ref(&im), .turn = 1, .damage = damage};
    return PLATEN_OK;
}

platen_status pl_pnm_probe(const struct pl_source *src, struct pl_image_info *ret,
                           struct platen_error *err)
{
    struct header h = {0};
    platen_status s = read_header(src->data, src->n, &h, err);
    if (s)
        return s;
    if (!h.width || !h.height || h.width > INT32_MAX || h.height > INT32_MAX)
        return broken(src->n, 2, "size", err);
    *ret = (struct pl_image_info){"pnm", (int)h.width, (int)h.height, channels_of(&h), 0};
    return PLATEN_OK;
}

void pl_bits_pack(uint8_t *dst, const uint8_t *src, size_t n, uint8_t flip)
{
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        uint64_t px;
        memcpy(&px, src + i, 8);
        px = pl_from_little64(px) >> 7 & 0x0101010101010101;
        /* moves the bit of each byte to its place in the highest one */
        dst[i / 8] = (uint8_t)(px * 0x8040201008040201 >> 56) ^ flip;
    }
    if (i == n)
        return;
    unsigned bits = 0;
    for (size_t b = 0; i + b < n; b++)
        bits |= ((src[i + b] ^ (unsigned)flip) & 0x80u) >> b;
    dst[i / 8] = (uint8_t)bits;
}

platen_status pl_pnm_encode(const struct pl_image *im, struct pl_str *out, struct platen_error *err)
{
    int kind = im->bilevel ? 4 : im->format == PL_GRAY8 ? 5 : 6;
    size_t bytes = (size_t)im->width * (size_t)im->format;
    uint8_t bits[512];
    pl_str_printf(out, "P%d\n%d %d\n%s", kind, im->width, im->height, im->bilevel ? "" : "255\n");
    for (int y = 0; y < im->height && !out->failed; y++) {
        const uint8_t *row = pl_image_row(im, y);
        for (size_t x = 0; im->bilevel && x < bytes; x += 8 * sizeof(bits)) {
            size_t n = PL_MIN(bytes - x, 8 * sizeof(bits));
            pl_bits_pack(bits, row + x, n, 0xff);
            pl_str_add(out, (const char *)bits, (n + 7) / 8);
        }
        if (!im->bilevel)
            pl_str_add(out, (const char *)row, bytes);
    }
    return out->failed ? pl_fail_nomem(err, out->len + bytes, "encoding a pnm") : PLATEN_OK;
}
