/* SPDX-License-Identifier: BSD-2-Clause */
#include <assert.h>
#include <string.h>

#include "image/image.h"

/* Swaps eight pixels from either end at a time, each eight in the other order. */
static void mirror_gray(uint8_t *row, size_t n)
{
    uint8_t *a = row, *b = row + n;
    for (; b - a >= 16; a += 8, b -= 8) {
        uint64_t first, last;
        memcpy(&first, a, 8);
        memcpy(&last, b - 8, 8);
        first = __builtin_bswap64(first);
        last = __builtin_bswap64(last);
        memcpy(a, &last, 8);
        memcpy(b - 8, &first, 8);
    }
    for (; b - a >= 2; a++, b--) {
        uint8_t t = *a;
        *a = b[-1];
        b[-1] = t;
    }
}

static void mirror_rgb(uint8_t *row, size_t n)
{
    for (uint8_t *a = row, *b = row + (n - 1) * 3; a < b; a += 3, b -= 3) {
        uint8_t t[3];
        memcpy(t, a, 3);
        memcpy(a, b, 3);
        memcpy(b, t, 3);
    }
}

/* Mirrors every row, in place. */
static void mirror(struct pl_image *im)
{
    for (int y = 0; y < im->height; y++)
        (im->format == PL_GRAY8 ? mirror_gray : mirror_rgb)(pl_image_row(im, y), (size_t)im->width);
}

/* Turns the order of the rows around, in place. */
static void flip(struct pl_image *im)
{
    size_t bytes = (size_t)im->width * (size_t)im->format;
    for (int y0 = 0, y1 = im->height - 1; y0 < y1; y0++, y1--) {
        uint8_t *a = pl_image_row(im, y0), *b = pl_image_row(im, y1);
        for (size_t i = 0; i < bytes; i++) {
            uint8_t t = a[i];
            a[i] = b[i];
            b[i] = t;
        }
    }
}

static void transpose_rgb(struct pl_image *dst, const struct pl_image *src)
{
    enum { BLOCK = 16 }; /* destination rows that are in the cache together */
    for (int x0 = 0; x0 < src->width; x0 += BLOCK)
        for (int y = 0; y < src->height; y++) {
            const uint8_t *row = pl_image_row(src, y);
            for (int x = x0; x < PL_MIN(x0 + BLOCK, src->width); x++)
                memcpy(pl_image_row(dst, x) + (size_t)y * 3, row + (size_t)x * 3, 3);
        }
}

static platen_status transpose(const struct pl_env *env, struct pl_image *im,
                               struct platen_error *err)
{
    struct pl_image t;
    platen_status s = pl_image_init(env, im->height, im->width, im->format, &t, err);
    if (s)
        return s;
    if (im->format == PL_GRAY8)
        env->k->transpose_u8(t.px, t.stride_bytes, im->px, im->stride_bytes, (size_t)im->width,
                             (size_t)im->height);
    else
        transpose_rgb(&t, im);
    t.bilevel = im->bilevel;
    t.dpi_x = im->dpi_y;
    t.dpi_y = im->dpi_x;
    pl_image_done(im);
    *im = t;
    return PLATEN_OK;
}

/* Each orientation is a transposition or not, then a mirroring or not, then a flip or not. */
platen_status pl_image_turn(const struct pl_env *env, struct pl_image *im, int turn,
                            struct platen_error *err)
{
    assert(turn >= 1 && turn <= 8);
    assert(turn == 1 || turn >= 5 || !pl_image_is_shared(im)); /* these are done in place */
    if (turn >= 5) {
        platen_status s = transpose(env, im, err);
        if (s)
            return s;
    }
    if (turn == 2 || turn == 3 || turn == 6 || turn == 7)
        mirror(im);
    if (turn == 3 || turn == 4 || turn == 7 || turn == 8)
        flip(im);
    return PLATEN_OK;
}
