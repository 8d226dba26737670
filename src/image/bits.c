/* SPDX-License-Identifier: BSD-2-Clause */
#include "image/bits.h"

#include <assert.h>
#include <string.h>

#include "base/byte_order.h"

platen_status pl_bits_init(const struct pl_env *env, int width, int height, struct pl_bits *ret,
                           struct platen_error *err)
{
    struct pl_bits bits = {.width = width, .height = height};
    platen_status s =
        pl_image_init(env, (int)(((unsigned)width + 7) / 8), height, PL_GRAY8, &bits.bytes, err);
    if (!s)
        *ret = bits;
    return s;
}

platen_status pl_bits_blank(const struct pl_env *env, int width, int height, struct pl_bits *ret,
                            struct platen_error *err)
{
    platen_status s = pl_bits_init(env, width, height, ret, err);
    for (int y = 0; !s && y < height; y++)
        memset(pl_bits_row(ret, y), 0, (size_t)ret->bytes.width);
    return s;
}

platen_status pl_bits_from_image(const struct pl_env *env, const struct pl_image *im, uint8_t t,
                                 struct pl_bits *ret, struct platen_error *err)
{
    assert(im->format == PL_GRAY8);
    platen_status s = pl_bits_init(env, im->width, im->height, ret, err);
    for (int y = 0; !s && y < im->height; y++)
        env->k->threshold_bits(pl_bits_row(ret, y), pl_image_row(im, y), (size_t)im->width, t);
    return s;
}

platen_status pl_bits_to_image(const struct pl_env *env, const struct pl_bits *bits,
                               struct pl_image *ret, struct platen_error *err)
{
    platen_status s = pl_image_init(env, bits->width, bits->height, PL_GRAY8, ret, err);
    if (s)
        return s;
    ret->bilevel = true;
    for (int y = 0; y < bits->height; y++)
        env->k->unpack_bits(pl_image_row(ret, y), pl_bits_row(bits, y), (size_t)bits->width, 255,
                            0);
    return PLATEN_OK;
}

/* How many bits of a word are set. A function of the compiler's library would do it byte by byte.
 */
static inline unsigned ones(uint64_t w)
{
    w -= w >> 1 & UINT64_C(0x5555555555555555);
    w = (w & UINT64_C(0x3333333333333333)) + (w >> 2 & UINT64_C(0x3333333333333333));
    w = (w + (w >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (unsigned)(w * UINT64_C(0x0101010101010101) >> 56);
}

/* Pixels 64i .. 64i + 63 of a row of `bytes` bytes, the first in the highest bit; past the end it
 * is paper. */
static inline uint64_t load_word(const uint8_t *row, size_t bytes, size_t i)
{
    uint64_t w = 0;
    if (8 * (i + 1) <= bytes)
        memcpy(&w, row + 8 * i, 8);
    else
        memcpy(&w, row + 8 * i, bytes - 8 * i);
    return pl_from_big64(w);
}

/* Word i of the pixels x0..x1-1 of a row, which `bytes` bytes hold; others are paper. */
static inline uint64_t load_part(const uint8_t *row, size_t bytes, size_t i, int x0, int x1)
{
    uint64_t w = load_word(row, bytes, i);
    if (i == 0)
        w &= UINT64_MAX >> x0;
    if (8 * (i + 1) >= bytes)
        w &= UINT64_MAX << (64 * (i + 1) - (size_t)x1);
    return w;
}

uint32_t pl_bits_count(const uint8_t *row, int x0, int x1)
{
    assert(x0 >= 0 && x0 < x1);
    const int first = x0 / 8;
    const size_t bytes = (size_t)((x1 + 7) / 8 - first);
    uint32_t n = 0;
    for (size_t i = 0; 8 * i < bytes; i++)
        n += ones(load_part(row + first, bytes, i, x0 % 8, x1 - 8 * first));
    return n;
}

bool pl_bits_any_between(const uint8_t *row, int x0, int x1)
{
    assert(x0 >= 0 && x0 < x1);
    const int first = x0 / 8, last = (x1 - 1) / 8;
    const unsigned head = 0xffu >> x0 % 8, tail = 0xffu << (7 - (x1 - 1) % 8);
    if (first == last)
        return row[first] & head & tail;
    unsigned any = (row[first] & head) | (row[last] & tail);
    for (int i = first + 1; i < last; i++)
        any |= row[i];
    return any;
}

void pl_bits_copy(uint8_t *dst, const uint8_t *src, int x0, int x1)
{
    if (x0 >= x1)
        return;
    assert(x0 >= 0);
    int first = x0 / 8, last = (x1 - 1) / 8;
    uint8_t head = (uint8_t)(0xff >> x0 % 8), tail = (uint8_t)(0xff << (7 - (x1 - 1) % 8));
    if (first == last)
        head &= tail;
    dst[first] = (uint8_t)((dst[first] & ~head) | (src[first] & head));
    if (first == last)
        return;
    memcpy(dst + first + 1, src + first + 1, (size_t)(last - first - 1));
    dst[last] = (uint8_t)((dst[last] & ~tail) | (src[last] & tail));
}

size_t pl_bits_count_runs(const uint8_t *row, size_t bytes)
{
    size_t total = 0;
    uint64_t before = 0;
    for (size_t i = 0; 8 * i < bytes; i++) {
        const uint64_t w = load_word(row, bytes, i);
        if (w)
            total += ones(w & ~(w >> 1 | before << 63));
        before = w & 1;
    }
    return total;
}

size_t pl_bits_runs(const uint8_t *row, size_t bytes, int y, struct pl_run *out)
{
    size_t found = 0;
    uint64_t before = 0;
    int32_t start = 0, x = 0;
    for (size_t i = 0; 8 * i < bytes; i++, x += 64) {
        uint64_t w = load_word(row, bytes, i), edges = w ^ (w >> 1 | before << 63);
        for (; edges;) {
            int at = __builtin_clzll(edges);
            uint64_t bit = UINT64_C(1) << 63 >> at;
            if (w & bit)
                start = x + at;
            else
                out[found++] = (struct pl_run){start, x + at, y};
            edges ^= bit;
        }
        before = w & 1;
    }
    if (before) /* only when the width is a multiple of 64 */
        out[found++] = (struct pl_run){start, x, y};
    return found;
}

bool pl_bits_any(const struct pl_bits *bits)
{
    uint8_t any = 0;
    for (int y = 0; y < bits->height && !any; y++) {
        const uint8_t *row = pl_bits_row(bits, y);
        for (int i = 0; i < bits->bytes.width; i++)
            any |= row[i];
    }
    return any;
}

void pl_bits_add(const struct pl_bits *to, const struct pl_bits *more)
{
    assert(to->width == more->width && to->height == more->height);
    for (int y = 0; y < to->height; y++) {
        uint8_t *row = pl_bits_row(to, y);
        const uint8_t *add = pl_bits_row(more, y);
        for (int i = 0; i < to->bytes.width; i++)
            row[i] |= add[i];
    }
}

void pl_bits_keep(const struct pl_bits *from, const struct pl_bits *these)
{
    assert(from->width == these->width && from->height == these->height);
    for (int y = 0; y < from->height; y++) {
        uint8_t *row = pl_bits_row(from, y);
        const uint8_t *keep = pl_bits_row(these, y);
        for (int i = 0; i < from->bytes.width; i++)
            row[i] &= keep[i];
    }
}

void pl_bits_drop(const struct pl_bits *from, const struct pl_bits *less)
{
    assert(from->width == less->width && from->height == less->height);
    for (int y = 0; y < from->height; y++) {
        uint8_t *row = pl_bits_row(from, y);
        const uint8_t *drop = pl_bits_row(less, y);
        for (int i = 0; i < from->bytes.width; i++)
            row[i] &= (uint8_t)~drop[i];
    }
}

void pl_bits_done(struct pl_bits *bits)
{
    pl_image_done(&bits->bytes);
    *bits = (struct pl_bits){0};
}
