/* SPDX-License-Identifier: BSD-2-Clause */
#include "image/morph.h"

#include <assert.h>
#include <string.h>

#define STRIP_ROWS 512
#define MAX_TAPS 4 /* of the kernels */

struct morph;
/* A row of pixels, in s->wide after lead bytes, by the width of the rectangle. */
typedef void widen_fn(const struct morph *m, uint8_t *dst, uint8_t *wide);

/* One erosion or dilation of rows of bytes or of bits. */
struct morph {
    const struct pl_env *env;
    void (*combine)(uint8_t *dst, const uint8_t *const *rows, size_t k, size_t n);
    widen_fn *widen;
    bool largest;
    const struct pl_image *src, *dst; /* as rows of bytes */
    size_t n, row_bytes;              /* pixels and bytes in a row */
    int up, down, left, right;        /* how far the rectangle reaches */
    int strip_rows;
    uint8_t *scratch; /* of each worker */
    size_t worker_bytes;
};

/* What a worker keeps: a row with room for what lies beyond its ends, the combination of the rows
 * from the top of a block on, and those from each row of a block to its end. */
struct scratch {
    uint8_t *wide, *prefix, *rows;
    const uint8_t **suffix;
};

static size_t round_up(size_t bytes)
{
    return (bytes + 63) & ~(size_t)63;
}

/* A row with as many bytes before and behind it as the rectangle may reach. */
static size_t wide_bytes(const struct morph *m)
{
    return (size_t)m->left + m->row_bytes + (size_t)m->right;
}

static size_t block_rows(const struct morph *m)
{
    return (size_t)m->up + (size_t)m->down + 1;
}

static size_t scratch_bytes(const struct morph *m)
{
    size_t h = block_rows(m), blocks = h > MAX_TAPS ? (h + 1) * round_up(m->row_bytes) : 0;
    return round_up(wide_bytes(m)) + blocks + round_up(h * sizeof(uint8_t *));
}

static struct scratch scratch_of(const struct morph *m, int worker)
{
    struct scratch s = {.wide = m->scratch + (size_t)worker * m->worker_bytes};
    s.suffix = (const uint8_t **)(void *)(s.wide + round_up(wide_bytes(m)));
    s.prefix = (uint8_t *)s.suffix + round_up(block_rows(m) * sizeof(uint8_t *));
    s.rows = s.prefix + round_up(m->row_bytes);
    return s;
}

/* By windows of 4, 16, 64... pixels, then of all. Beyond the row is what changes nothing. */
static void widen_pixels(const struct morph *m, uint8_t *dst, uint8_t *wide)
{
    size_t w = (size_t)m->left + (size_t)m->right + 1, c = 1, k = 0;
    const uint8_t *taps[MAX_TAPS];
    int neutral = m->largest ? 0 : 255;
    memset(wide, neutral, (size_t)m->left);
    memset(wide + (size_t)m->left + m->n, neutral, (size_t)m->right);
    for (; MAX_TAPS * c < w; c *= MAX_TAPS) {
        for (size_t j = 0; j < MAX_TAPS; j++)
            taps[j] = wide + j * c;
        m->combine(wide, taps, MAX_TAPS, m->n + w - MAX_TAPS * c);
    }
    for (; k * c < w; k++)
        taps[k] = wide + PL_MIN(k * c, w - c);
    m->combine(dst, taps, k, m->n);
}

/* By windows of 64 pixels, the most that the kernel knows, and of the rest. */
static void widen_bits(const struct morph *m, uint8_t *dst, uint8_t *wide)
{
    const struct pl_kernels *k = m->env->k;
    unsigned left = (unsigned)m->left, right = (unsigned)m->right;
    uint8_t *row = wide + m->left;
    do {
        unsigned l = PL_MIN(left, 63), r = PL_MIN(right, 63 - l);
        uint8_t *to = l == left && r == right ? dst : row;
        (m->largest ? k->dilate_bits : k->erode_bits)(to, row, m->n, l, r);
        left -= l;
        right -= r;
    } while (left + right);
}

/* Row y of the result, of k rows of which the rectangle's height is made up. */
static void write_row(const struct morph *m, const struct scratch *s, int y,
                      const uint8_t *const *rows, size_t k)
{
    uint8_t *dst = pl_image_row(m->dst, y);
    if (m->left + m->right == 0) {
        m->combine(dst, rows, k, m->row_bytes);
    } else {
        m->combine(s->wide + m->left, rows, k, m->row_bytes);
        m->widen(m, dst, s->wide);
    }
}

static const uint8_t *row_or_null(const struct morph *m, int64_t y)
{
    return y < 0 || y >= m->src->height ? NULL : pl_image_row(m->src, (int)y);
}

/* Appends a row unless it is NULL. */
static size_t add_row(const uint8_t **rows, size_t k, const uint8_t *row)
{
    if (row)
        rows[k++] = row;
    return k;
}

static void low_strip(const struct morph *m, const struct scratch *s, int y0, int y1)
{
    for (int y = y0; y < y1; y++) {
        const uint8_t *rows[MAX_TAPS];
        size_t k = 0;
        for (int64_t r = (int64_t)y - m->up; r <= (int64_t)y + m->down; r++)
            k = add_row(rows, k, row_or_null(m, r));
        write_row(m, s, y, rows, k);
    }
}

/* suffix[j]: the rows top + j .. top + h - 1 that there are, or NULL. */
static void make_suffixes(const struct morph *m, const struct scratch *s, int64_t top)
{
    const uint8_t *below = NULL;
    for (size_t j = block_rows(m); j-- > 0;) {
        const uint8_t *row = row_or_null(m, top + (int64_t)j);
        if (row && below) {
            uint8_t *both = s->rows + j * round_up(m->row_bytes);
            m->combine(both, (const uint8_t *[]){row, below}, 2, m->row_bytes);
            row = both;
        }
        below = s->suffix[j] = row ? row : below;
    }
}

/* At most h rows of the result: each window is the end of one block of h rows and the beginning of
 * the next. */
static void high_block(const struct morph *m, const struct scratch *s, int y0, int y1)
{
    int64_t top = (int64_t)y0 - m->up, next = top + (int64_t)block_rows(m);
    const uint8_t *prefix = NULL;
    make_suffixes(m, s, top);
    for (int y = y0; y < y1; y++) {
        const uint8_t *rows[MAX_TAPS];
        write_row(m, s, y, rows, add_row(rows, add_row(rows, 0, s->suffix[y - y0]), prefix));
        const uint8_t *row = row_or_null(m, next + y - y0);
        if (row && prefix) {
            m->combine(s->prefix, (const uint8_t *[]){prefix, row}, 2, m->row_bytes);
            prefix = s->prefix;
        } else if (row) {
            prefix = row;
        }
    }
}

static void morph_strip(void *ctx, int worker, size_t strip)
{
    const struct morph *m = ctx;
    struct scratch s = scratch_of(m, worker);
    int h = (int)block_rows(m), y0 = (int)strip * m->strip_rows;
    int y1 = PL_MIN(y0 + m->strip_rows, m->src->height);
    if (h <= MAX_TAPS)
        low_strip(m, &s, y0, y1);
    else
        for (int y = y0; y < y1; y += h)
            high_block(m, &s, y, PL_MIN(y + h, y1));
}

/* A rectangle need not reach beyond the far end of the picture. */
static void set_reach(struct morph *m, int width, int height)
{
    assert(width > 0 && height > 0);
    int columns = (int)(m->n - 1), rows = m->src->height - 1;
    m->left = PL_MIN(m->largest ? (width - 1) / 2 : width / 2, columns);
    m->right = PL_MIN(m->largest ? width / 2 : (width - 1) / 2, columns);
    m->up = PL_MIN(m->largest ? (height - 1) / 2 : height / 2, rows);
    m->down = PL_MIN(m->largest ? height / 2 : (height - 1) / 2, rows);
    m->strip_rows = (int)PL_MAX((size_t)STRIP_ROWS, 4 * block_rows(m));
}

static platen_status morph_image(struct morph *m, int width, int height, struct platen_error *err)
{
    set_reach(m, width, height);
    size_t workers = m->env->pool ? (size_t)pl_pool_workers(m->env->pool) : 1;
    m->worker_bytes = scratch_bytes(m);
    size_t bytes = workers * m->worker_bytes;
    m->scratch = pl_bufpool_get(m->env->bufs, bytes);
    if (!m->scratch)
        return pl_fail_nomem(err, bytes, "rows of a morphological operation");
    size_t rows = (size_t)m->src->height, each = (size_t)m->strip_rows;
    pl_pool_for(m->env->pool, (rows + each - 1) / each, morph_strip, m);
    pl_bufpool_put(m->env->bufs, m->scratch, bytes);
    return PLATEN_OK;
}

static platen_status one_image(const struct pl_env *env, const struct pl_image *im, bool largest,
                               int width, int height, struct pl_image *ret,
                               struct platen_error *err)
{
    assert(im->format == PL_GRAY8);
    pl_auto_image out = {0};
    platen_status s = pl_image_init(env, im->width, im->height, PL_GRAY8, &out, err);
    if (s)
        return s;
    out.bilevel = im->bilevel;
    out.dpi_x = im->dpi_x;
    out.dpi_y = im->dpi_y;
    size_t n = (size_t)im->width;
    struct morph m = {.env = env,
                      .combine = largest ? env->k->max_u8 : env->k->min_u8,
                      .widen = widen_pixels,
                      .largest = largest,
                      .src = im,
                      .dst = &out,
                      .n = n,
                      .row_bytes = n};
    s = morph_image(&m, width, height, err);
    if (!s)
        *ret = pl_image_ref(&out);
    return s;
}

static platen_status one_bits(const struct pl_env *env, const struct pl_bits *bits, bool largest,
                              int width, int height, struct pl_bits *ret, struct platen_error *err)
{
    pl_auto_bits out = {0};
    platen_status s = pl_bits_init(env, bits->width, bits->height, &out, err);
    if (s)
        return s;
    struct morph m = {.env = env,
                      .combine = largest ? env->k->or_u8 : env->k->and_u8,
                      .widen = widen_bits,
                      .largest = largest,
                      .src = &bits->bytes,
                      .dst = &out.bytes,
                      .n = (size_t)bits->width,
                      .row_bytes = ((size_t)bits->width + 7) / 8};
    s = morph_image(&m, width, height, err);
    if (s)
        return s;
    *ret = out;
    out = (struct pl_bits){0}; /* given away */
    return PLATEN_OK;
}

platen_status pl_morph_image(const struct pl_env *env, const struct pl_image *im,
                             enum pl_morph what, int width, int height, struct pl_image *ret,
                             struct platen_error *err)
{
    bool first = what == PL_DILATE || what == PL_CLOSE;
    if (what == PL_DILATE || what == PL_ERODE)
        return one_image(env, im, first, width, height, ret, err);
    pl_auto_image half = {0};
    platen_status s = one_image(env, im, first, width, height, &half, err);
    return s ? s : one_image(env, &half, !first, width, height, ret, err);
}

platen_status pl_morph_bits(const struct pl_env *env, const struct pl_bits *bits,
                            enum pl_morph what, int width, int height, struct pl_bits *ret,
                            struct platen_error *err)
{
    bool first = what == PL_DILATE || what == PL_CLOSE;
    if (what == PL_DILATE || what == PL_ERODE)
        return one_bits(env, bits, first, width, height, ret, err);
    pl_auto_bits half = {0};
    platen_status s = one_bits(env, bits, first, width, height, &half, err);
    return s ? s : one_bits(env, &half, !first, width, height, ret, err);
}
