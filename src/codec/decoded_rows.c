/* SPDX-License-Identifier: BSD-2-Clause */
#include "codec/decode.h"

#include <assert.h>
#include <string.h>

/* Of a damaged picture at least so many percent of the rows must have come. Less holds no text: the
 * upper margin of an A4 page takes 8 percent of it
 * (bench/runs/2026-11-27-pdf-2.md). */
#define MIN_ROWS_PERCENT 10

platen_status pl_damage_settle(platen_status s, const struct platen_error *why, uint64_t rows,
                               uint64_t height, struct pl_damage *ret, struct platen_error *err)
{
    assert(s && rows <= height);
    if (s != PLATEN_ERR_FORMAT || !rows || 100 * rows < MIN_ROWS_PERCENT * height) {
        if (err)
            *err = *why;
        return s;
    }
    *ret = (struct pl_damage){.rows = rows, .height = height};
    memcpy(ret->why, why->text, sizeof(ret->why));
    return PLATEN_OK;
}

void pl_rows_whiten(struct pl_image *im, int y0, int y1)
{
    for (int y = y0; y < y1; y++)
        memset(pl_image_row(im, y), 255, (size_t)im->width * (size_t)im->format);
}

platen_status pl_limits_check(const struct pl_load_options *opt, uint64_t width, uint64_t height,
                              struct platen_error *err)
{
    unsigned long long w = width, h = height, max = opt->max_pixels;
    if (!w || !h)
        return pl_fail(err, PLATEN_ERR_FORMAT, "the picture is empty (%llu x %llu pixels)", w, h);
    if (w > max / h)
        return pl_fail(err, PLATEN_ERR_LIMIT, "%llu x %llu pixels exceed the limit of %llu", w, h,
                       max);
    if (w > PL_IMAGE_MAX_SIDE || h > PL_IMAGE_MAX_SIDE)
        return pl_fail(err, PLATEN_ERR_LIMIT, "%llu x %llu pixels: no side may exceed %d", w, h,
                       PL_IMAGE_MAX_SIDE);
    return PLATEN_OK;
}

platen_status pl_bytes_check(size_t n, uint64_t width, uint64_t height, uint64_t per_byte,
                             struct platen_error *err)
{
    assert(per_byte > 0 && width <= UINT32_MAX && height <= UINT32_MAX);
    /* rows first: width and height are below 2^32, so nothing here overflows */
    if (width * height / per_byte * MIN_ROWS_PERCENT / 100 <= n)
        return PLATEN_OK;
    return pl_fail(err, PLATEN_ERR_FORMAT, "truncated: %zu bytes cannot hold %llu x %llu pixels", n,
                   (unsigned long long)width, (unsigned long long)height);
}

platen_status pl_rows_init(const struct pl_source *src, int width, int height, int channels,
                           struct pl_image *ret, struct platen_error *err)
{
    assert(channels >= 1 && channels <= 4);
    enum pl_format format = channels <= 2 || src->opt->gray ? PL_GRAY8 : PL_RGB8;
    return pl_image_init(src->env, width, height, format, ret, err);
}

void pl_inks_to_rgb(uint8_t *row, size_t n, bool inverted)
{
    for (size_t i = 0; i < n; i++) {
        const uint8_t *cmyk = row + 4 * i;
        unsigned flip = inverted ? 0 : 255, k = cmyk[3] ^ flip;
        for (size_t c = 0; c < 3; c++)
            row[3 * i + c] = (uint8_t)(((cmyk[c] ^ flip) * k + 127) / 255);
    }
}

static uint8_t over(unsigned ground, unsigned c, unsigned a)
{
    return (uint8_t)((c * a + ground * (255u - a) + 127u) / 255u);
}

/* Drops the alpha channel, in place. */
static void flatten(uint8_t *row, size_t n, size_t colors, unsigned ground)
{
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < colors; c++)
            row[i * colors + c] =
                over(ground, row[i * (colors + 1) + c], row[i * (colors + 1) + colors]);
}

/* Whether every alpha of n RGBA pixels is 255. */
static bool is_opaque(const uint8_t *rgba, size_t n)
{
    uint64_t all = UINT64_MAX, pair;
    for (; n >= 2; n -= 2, rgba += 8) {
        memcpy(&pair, rgba, sizeof(pair));
        all &= pair;
    }
    memcpy(&pair, (uint8_t[8]){0, 0, 0, 255, 0, 0, 0, 255}, sizeof(pair));
    return (all & pair) == pair && (!n || rgba[3] == 255);
}

/* A row without transparency, as most are that could have it. */
static void put_opaque(const struct pl_env *env, struct pl_image *im, int y, const uint8_t *rgba)
{
    uint8_t *to = pl_image_row(im, y);
    size_t n = (size_t)im->width;
    if (im->format == PL_GRAY8)
        env->k->gray_rgba(to, rgba, n);
    else
        env->k->rgb_rgba(to, rgba, n);
}

void pl_rows_put(const struct pl_env *env, struct pl_image *im, int y, uint8_t *row, int channels)
{
    assert(channels >= 1 && channels <= 4);
    size_t n = (size_t)im->width, colors = channels <= 2 ? 1 : 3;
    if (channels == 4 && is_opaque(row, n)) {
        put_opaque(env, im, y, row);
        return;
    }
    if (channels == 2 || channels == 4)
        flatten(row, n, colors, env->on_black ? 0 : 255);
    if (colors == 3 && im->format == PL_GRAY8)
        env->k->gray_rgb(pl_image_row(im, y), row, n);
    else
        memcpy(pl_image_row(im, y), row, n * colors);
}

/* Of such a byte all bits are alike. */
bool pl_rows_bilevel(const struct pl_image *im)
{
    const uint64_t low7 = 0x7f7f7f7f7f7f7f7f;
    for (int y = 0; y < im->height; y++) {
        const uint8_t *row = pl_image_row(im, y);
        uint64_t other = 0, v;
        int x = 0;
        for (; x + 8 <= im->width; x += 8) {
            memcpy(&v, row + x, sizeof(v));
            other |= (v ^ v >> 1) & low7;
        }
        for (; x < im->width; x++)
            other |= (uint64_t)((row[x] ^ row[x] >> 1) & 0x7f);
        if (other)
            return false;
    }
    return im->format == PL_GRAY8;
}

platen_status pl_fail_codec(struct platen_error *err, platen_status code, const char *message,
                            size_t at_byte)
{
    /* "Not enough data" -> "not enough data", but "IDAT: ..." stays */
    char first = message[0];
    bool lower = first >= 'A' && first <= 'Z' && message[1] >= 'a' && message[1] <= 'z';
    size_t len = strlen(message);
    if (len && message[len - 1] == '.')
        len--;
    return pl_fail(err, code, "%c%.*s, at byte %zu", lower ? first - 'A' + 'a' : first,
                   len ? (int)(len - 1) : 0, len ? message + 1 : "", at_byte);
}
