/* SPDX-License-Identifier: BSD-2-Clause */
#include "codec/pdf/jbig2_bitmap.h"

#include <string.h>

#include "base/mem.h"
#include "base/status.h"

#define MAX_SIDE (1 << 24)
#define ROWS_ABOVE 2 /* of white, for the templates */

uint32_t pl_jb_take(struct pl_jb_bytes *b, int bytes)
{
    uint32_t v = 0;
    if (b->end - b->at < bytes) {
        b->over = true;
        b->at = b->end;
        return 0;
    }
    while (bytes--)
        v = v << 8 | *b->at++;
    return v;
}

platen_status pl_jb_damaged(struct pl_jb_budget *budget, const char *what)
{
    return pl_fail(budget->err, PLATEN_ERR_FORMAT, "damaged jbig2: %s", what);
}

static platen_status check_sides(struct pl_jb_budget *budget, int64_t width, int64_t height)
{
    if (width >= 0 && height >= 0 && width <= MAX_SIDE && height <= MAX_SIDE)
        return PLATEN_OK;
    return pl_fail(budget->err, PLATEN_ERR_FORMAT, "damaged jbig2: a bitmap of %lld x %lld",
                   (long long)width, (long long)height);
}

static platen_status spend(struct pl_jb_budget *budget, int64_t width, int64_t height)
{
    const uint64_t px = (uint64_t)width * (uint64_t)height;
    if (px > budget->px)
        return pl_fail(budget->err, PLATEN_ERR_LIMIT,
                       "the jbig2 picture is made of more pixels than such a page needs");
    budget->px -= px;
    return PLATEN_OK;
}

platen_status pl_jb_spend(struct pl_jb_budget *budget, uint64_t things)
{
    return spend(budget, PL_JB_THING_PX, (int64_t)PL_MIN(things, (uint64_t)MAX_SIDE));
}

platen_status pl_jb_bitmap_init(struct pl_jb_budget *budget, int64_t width, int64_t height,
                                struct pl_jb_bitmap *ret)
{
    platen_status s = check_sides(budget, width, height);
    s = s ? s : spend(budget, width + 2 * PL_JB_MARGIN, height + ROWS_ABOVE);
    if (s)
        return s;
    struct pl_jb_bitmap b = {.width = (int)width, .height = (int)height};
    b.stride = b.width + 2 * PL_JB_MARGIN;
    const size_t rows = (size_t)b.height + ROWS_ABOVE;
    b.block = pl_alloc_zero(rows, (size_t)b.stride);
    if (!b.block)
        return pl_fail_nomem(budget->err, rows * (size_t)b.stride, "a bitmap of a jbig2 picture");
    b.px = b.block + ROWS_ABOVE * b.stride + PL_JB_MARGIN;
    *ret = b;
    return PLATEN_OK;
}

void pl_jb_bitmap_done(struct pl_jb_bitmap *b)
{
    pl_free(b->block);
    *b = (struct pl_jb_bitmap){0};
}

static void draw_row(uint8_t *restrict to, const uint8_t *restrict from, int64_t n,
                     enum pl_jb_operator op)
{
    switch (op) { /* a loop for each, which compilers make wide */
    case PL_JB_OR:
        for (int64_t i = 0; i < n; i++)
            to[i] |= from[i];
        break;
    case PL_JB_AND:
        for (int64_t i = 0; i < n; i++)
            to[i] &= from[i];
        break;
    case PL_JB_XOR:
        for (int64_t i = 0; i < n; i++)
            to[i] ^= from[i];
        break;
    case PL_JB_XNOR:
        for (int64_t i = 0; i < n; i++)
            to[i] = to[i] == from[i];
        break;
    case PL_JB_REPLACE:
        memcpy(to, from, (size_t)n);
        break;
    }
}

platen_status pl_jb_draw(struct pl_jb_budget *budget, const struct pl_jb_bitmap *from, int64_t x,
                         int64_t y, enum pl_jb_operator op, struct pl_jb_bitmap *to)
{
    const int64_t x0 = x < 0 ? -x : 0,
                  x1 = from->width + x > to->width ? to->width - x : from->width,
                  y0 = y < 0 ? -y : 0,
                  y1 = from->height + y > to->height ? to->height - y : from->height;
    if (x1 <= x0 || y1 <= y0)
        return PLATEN_OK;
    platen_status s = spend(budget, x1 - x0, y1 - y0);
    for (int64_t v = y0; !s && v < y1; v++)
        draw_row(to->px + (v + y) * to->stride + (x + x0), from->px + v * from->stride + x0,
                 x1 - x0, op);
    return s;
}

void pl_jb_blacken(struct pl_jb_bitmap *b)
{
    for (int y = 0; y < b->height; y++)
        memset(b->px + (ptrdiff_t)y * b->stride, 1, (size_t)b->width);
}

/* ---- MMR ---- */

#define END_MARK 0x001001 /* EOFB: twice the end of a line */
#define END_MARK_BITS 24

/* Returns how many bytes there are up to the first mark that ends a picture, with the bits that
 * fill its last byte; n where there is none. No code of a line holds these bits. */
static size_t mmr_bytes(const uint8_t *data, size_t n)
{
    uint32_t last = UINT32_MAX;
    for (size_t i = 0; i < n; i++)
        for (int bit = 7; bit >= 0; bit--) {
            last = last << 1 | (data[i] >> bit & 1);
            if ((last & ((1u << END_MARK_BITS) - 1)) == END_MARK)
                return i + 1;
        }
    return n;
}

platen_status pl_jb_read_mmr(struct pl_jb_budget *budget, struct pl_jb_bytes *from,
                             struct pl_jb_bitmap *to)
{
    const size_t n = mmr_bytes(from->at, (size_t)(from->end - from->at));
    const struct pl_source fax = {
        .env = budget->src->env, .data = from->at, .n = n, .opt = budget->src->opt};
    struct pl_decoded fax_page = {0};
    struct pl_image *im = &fax_page.image;
    from->at += n;
    if (!to->width || !to->height)
        return PLATEN_OK;
    platen_status s = pl_fax_decode(&fax, -1, false, to->width, to->height, &fax_page, budget->err);
    if (!s && fax_page.damage.why[0])
        s = pl_fail(budget->err, PLATEN_ERR_FORMAT, "%s", fax_page.damage.why);
    for (int y = 0; !s && y < to->height; y++)
        for (int x = 0; x < to->width; x++)
            to->px[(ptrdiff_t)y * to->stride + x] = !pl_image_row(im, y)[x];
    pl_image_done(im);
    return s;
}

/* ---- generic regions ---- */

/* Pixels of a template in the order of the context's bits, the lowest first: x, y; an `at` of n > 0
 * stands for the n-th adaptive pixel (figures 3 to 6). */
struct jb_place {
    int8_t x, y, at;
};

static const struct {
    int n, typical; /* pixels; the context of "this row is like the one above" */
    struct jb_place at[16];
} templates[PL_JB_EXTENDED + 1] = {
    {16,
     0x9b25,
     {{-1, 0, 0},
      {-2, 0, 0},
      {-3, 0, 0},
      {-4, 0, 0},
      {0, 0, 1},
      {2, -1, 0},
      {1, -1, 0},
      {0, -1, 0},
      {-1, -1, 0},
      {-2, -1, 0},
      {0, 0, 2},
      {0, 0, 3},
      {1, -2, 0},
      {0, -2, 0},
      {-1, -2, 0},
      {0, 0, 4}}},
    {13,
     0x0795,
     {{-1, 0, 0},
      {-2, 0, 0},
      {-3, 0, 0},
      {0, 0, 1},
      {2, -1, 0},
      {1, -1, 0},
      {0, -1, 0},
      {-1, -1, 0},
      {-2, -1, 0},
      {2, -2, 0},
      {1, -2, 0},
      {0, -2, 0},
      {-1, -2, 0}}},
    {10,
     0x00e5,
     {{-1, 0, 0},
      {-2, 0, 0},
      {0, 0, 1},
      {1, -1, 0},
      {0, -1, 0},
      {-1, -1, 0},
      {-2, -1, 0},
      {1, -2, 0},
      {0, -2, 0},
      {-1, -2, 0}}},
    {10,
     0x0195,
     {{-1, 0, 0},
      {-2, 0, 0},
      {-3, 0, 0},
      {-4, 0, 0},
      {0, 0, 1},
      {1, -1, 0},
      {0, -1, 0},
      {-1, -1, 0},
      {-2, -1, 0},
      {-3, -1, 0}}},
    {16, /* in the order of template 0, whose pixels the adaptive ones are where nothing is said */
     0x9b25,
     {{-1, 0, 0},
      {0, 0, 1},
      {0, 0, 7},
      {0, 0, 8},
      {0, 0, 10},
      {0, 0, 6},
      {1, -1, 0},
      {0, -1, 0},
      {-1, -1, 0},
      {0, 0, 3},
      {0, 0, 12},
      {0, 0, 9},
      {0, 0, 5},
      {0, 0, 2},
      {0, 0, 4},
      {0, 0, 11}}},
};

struct jb_generic {
    const struct pl_jb_generic *g;
    uint8_t *contexts;
    struct pl_jb_bitmap *to;
    int n;
    struct jb_place at[16];
    bool near; /* every pixel of the template lies within the margins */
    ptrdiff_t offset[16];
};

static void resolve(struct jb_generic *w)
{
    w->n = templates[w->g->template].n;
    w->near = true;
    for (int i = 0; i < w->n; i++) {
        struct jb_place p = templates[w->g->template].at[i];
        if (p.at)
            p = (struct jb_place){w->g->at[2 * p.at - 2], w->g->at[2 * p.at - 1], 0};
        w->at[i] = p;
        w->near = w->near && p.y >= -2 && p.y <= 0 && p.x >= -PL_JB_MARGIN && p.x <= PL_JB_MARGIN;
        w->offset[i] = (ptrdiff_t)p.y * w->to->stride + p.x;
    }
}

/* Decodes a row whose template of n pixels lies within the margins. A constant n lets the compiler
 * write the pixels out, which takes a fifth off the time of a page. */
static inline void near_row(const struct jb_generic *w, struct pl_mq *mq, uint8_t *row, const int n)
{
    for (int x = 0; x < w->to->width; x++) {
        unsigned context = 0;
#pragma GCC unroll 16
        for (int i = 0; i < n; i++)
            context |= (unsigned)row[x + w->offset[i]] << i;
        row[x] = (uint8_t)pl_mq_bit(mq, &w->contexts[context]);
    }
}

static void far_row(const struct jb_generic *w, struct pl_mq *mq, int y, uint8_t *row)
{
    for (int x = 0; x < w->to->width; x++) {
        unsigned context = 0;
        if (w->g->skip && pl_jb_get(w->g->skip, x, y))
            continue;
        for (int i = 0; i < w->n; i++)
            context |= (unsigned)pl_jb_get(w->to, x + w->at[i].x, y + w->at[i].y) << i;
        row[x] = (uint8_t)pl_mq_bit(mq, &w->contexts[context]);
    }
}

static void generic_row(const struct jb_generic *w, struct pl_mq *mq, int y)
{
    uint8_t *row = w->to->px + (ptrdiff_t)y * w->to->stride;
    if (!w->near || w->g->skip)
        far_row(w, mq, y, row);
    else if (w->n == 16)
        near_row(w, mq, row, 16);
    else if (w->n == 13)
        near_row(w, mq, row, 13);
    else
        near_row(w, mq, row, 10);
}

int pl_jb_generic(struct pl_mq *mq, const struct pl_jb_generic *g, uint8_t *contexts,
                  struct pl_jb_bitmap *to)
{
    struct jb_generic w = {.g = g, .contexts = contexts, .to = to};
    bool like_above = false;
    int rows = 0;
    resolve(&w);
    for (int y = 0; y < to->height; y++) {
        if (g->typical && pl_mq_bit(mq, &contexts[templates[g->template].typical]))
            like_above = !like_above;
        if (!like_above)
            generic_row(&w, mq, y);
        else if (to->width)
            memcpy(to->px + (ptrdiff_t)y * to->stride, to->px + (ptrdiff_t)(y - 1) * to->stride,
                   (size_t)to->width);
        rows = mq->at < mq->end ? y + 1 : rows;
    }
    return rows;
}

/* ---- refinement ---- */

/* As above (figures 12 and 13); the first four are of the new bitmap, the others of the old one. */
static const struct jb_place old_and_new[2][13] = {
    {{-1, 0, 0},
     {1, -1, 0},
     {0, -1, 0},
     {0, 0, 1},
     {1, 1, 0},
     {0, 1, 0},
     {-1, 1, 0},
     {1, 0, 0},
     {0, 0, 0},
     {-1, 0, 0},
     {1, -1, 0},
     {0, -1, 0},
     {0, 0, 2}},
    {{-1, 0, 0},
     {1, -1, 0},
     {0, -1, 0},
     {-1, -1, 0},
     {1, 1, 0},
     {0, 1, 0},
     {1, 0, 0},
     {0, 0, 0},
     {-1, 0, 0},
     {0, -1, 0}},
};

/* Returns the colour that all nine pixels around a place of the old bitmap have; -1 where they
 * differ. */
static int even_color(const struct pl_jb_bitmap *b, int64_t x, int64_t y)
{
    const int c = pl_jb_get(b, x, y);
    for (int i = 0; i < 9; i++)
        if (pl_jb_get(b, x + i % 3 - 1, y + i / 3 - 1) != c)
            return -1;
    return c;
}

void pl_jb_refine(struct pl_mq *mq, const struct pl_jb_refine *r, uint8_t *contexts,
                  struct pl_jb_bitmap *to)
{
    const int n = r->template ? 10 : 13, typical = r->template ? 0x080 : 0x100;
    struct jb_place at[13];
    bool predict = false;
    for (int i = 0; i < n; i++) {
        at[i] = old_and_new[r->template][i];
        if (at[i].at)
            at[i] = (struct jb_place){r->at[2 * at[i].at - 2], r->at[2 * at[i].at - 1], 0};
    }
    for (int y = 0; y < to->height; y++) {
        if (r->typical && pl_mq_bit(mq, &contexts[typical]))
            predict = !predict;
        for (int x = 0; x < to->width; x++) {
            const int64_t u = x - r->dx, v = y - r->dy;
            const int same = predict ? even_color(r->from, u, v) : -1;
            unsigned context = 0;
            for (int i = 0; same < 0 && i < n; i++)
                context |= (unsigned)(i < 4 ? pl_jb_get(to, x + at[i].x, y + at[i].y)
                                            : pl_jb_get(r->from, u + at[i].x, v + at[i].y))
                           << i;
            to->px[(ptrdiff_t)y * to->stride + x] =
                (uint8_t)(same < 0 ? pl_mq_bit(mq, &contexts[context]) : same);
        }
    }
}
