/* SPDX-License-Identifier: BSD-2-Clause */
/* Patterns and halftones of JBIG2 (ITU-T T.88, 6.6 and 6.7). */
#include "codec/pdf/jbig2_symbols.h"

#include "base/mem.h"
#include "base/status.h"

static uint8_t *generic_contexts(struct pl_jb_budget *budget, platen_status *ret)
{
    uint8_t *c = pl_alloc_zero(PL_JB_GENERIC_CONTEXTS, 1);
    if (!c)
        *ret =
            pl_fail_nomem(budget->err, PL_JB_GENERIC_CONTEXTS, "the contexts of a jbig2 picture");
    return c;
}

platen_status pl_jb_read_patterns(struct pl_jb_bytes *data, struct pl_jb_budget *budget,
                                  struct pl_jb_symbols *ret)
{
    const uint32_t flags = pl_jb_take(data, 1), width = pl_jb_take(data, 1),
                   height = pl_jb_take(data, 1), most = pl_jb_take(data, 4);
    struct pl_jb_generic g = {.template = (int)(flags >> 1 & 3),
                              .at = {(int8_t) - (int)width, 0, -3, -1, 2, -2, -2, -2}};
    struct pl_jb_bitmap all = {0};
    struct pl_mq mq;
    if (data->over || !width || !height || most >= PL_JB_MAX_SYMBOLS)
        return pl_jb_damaged(budget, "a dictionary of patterns");
    platen_status s = pl_jb_spend(budget, most + 1);
    s = s ? s : pl_jb_bitmap_init(budget, (int64_t)width * (most + 1), height, &all);
    uint8_t *contexts = s ? NULL : generic_contexts(budget, &s);
    *ret = (struct pl_jb_symbols){.v = pl_alloc_zero(most + 1, sizeof(*ret->v)), .own = true};
    if (!s && !ret->v)
        s = pl_fail_nomem(budget->err, (most + 1) * sizeof(*ret->v), "jbig2 patterns");
    pl_mq_init(&mq, data->at, (size_t)(data->end - data->at));
    if (!s && flags & 1)
        s = pl_jb_read_mmr(budget, data, &all);
    else if (!s)
        (void)pl_jb_generic(&mq, &g, contexts, &all);
    for (; !s && ret->n <= most; ret->n++) {
        s = pl_jb_bitmap_init(budget, width, height, &ret->v[ret->n]);
        s = s ? s
              : pl_jb_draw(budget, &all, -(int64_t)ret->n * width, 0, PL_JB_REPLACE,
                           &ret->v[ret->n]);
    }
    pl_free(contexts);
    pl_jb_bitmap_done(&all);
    return s;
}

struct jb_halftone {
    const struct pl_jb_symbols *patterns;
    struct pl_jb_generic generic;
    uint32_t width, height; /* of the grid */
    int32_t x, y;
    uint32_t step_x, step_y;
    enum pl_jb_operator op;
    bool mmr;
};

/* Where the corner of a pattern lies: column n of row m. */
static void place_at(const struct jb_halftone *h, int64_t m, int64_t n, int64_t *ret_x,
                     int64_t *ret_y)
{
    *ret_x = (h->x + m * h->step_y + n * h->step_x) >> 8;
    *ret_y = (h->y + m * h->step_x - n * h->step_y) >> 8;
}

/* Blackens the places whose patterns lie outside of the region, and have no values (6.6.5.1). */
static void find_skipped(const struct jb_halftone *h, const struct pl_jb_bitmap *to,
                         struct pl_jb_bitmap *skip)
{
    const struct pl_jb_bitmap *pattern = &h->patterns->v[0];
    int64_t x, y;
    for (int m = 0; m < skip->height; m++)
        for (int n = 0; n < skip->width; n++) {
            place_at(h, m, n, &x, &y);
            skip->px[(ptrdiff_t)m * skip->stride + n] = x + pattern->width <= 0 || x >= to->width ||
                                                        y + pattern->height <= 0 || y >= to->height;
        }
}

static platen_status draw_patterns(const struct jb_halftone *h, const struct pl_jb_bitmap *gray,
                                   const uint32_t *values, struct pl_jb_budget *budget,
                                   struct pl_jb_bitmap *to)
{
    platen_status s = PLATEN_OK;
    for (int64_t m = 0; !s && m < gray->height; m++)
        for (int64_t n = 0; !s && n < gray->width; n++) {
            const uint32_t v = values[m * gray->width + n];
            int64_t x, y;
            place_at(h, m, n, &x, &y);
            s = pl_jb_spend(budget, 1);
            s = s ? s
                  : pl_jb_draw(budget, &h->patterns->v[v < h->patterns->n ? v : h->patterns->n - 1],
                               x, y, h->op, to);
        }
    return s;
}

/* Decodes the planes of grey, the highest first, which are in Gray code (annex C.5), and draws
 * the patterns. */
static platen_status read_gray(struct pl_jb_bytes *data, const struct jb_halftone *h,
                               struct pl_jb_budget *budget, struct pl_jb_bitmap *to)
{
    struct pl_jb_bitmap plane = {0};
    struct pl_mq mq;
    platen_status s = PLATEN_OK;
    uint8_t *contexts = generic_contexts(budget, &s);
    const size_t n = (size_t)h->width * h->height;
    if (!s)
        s = pl_jb_bitmap_init(budget, h->width, h->height, &plane);
    uint32_t *values = s ? NULL : pl_alloc_zero(n, sizeof(*values));
    if (!s && !values)
        s = pl_fail_nomem(budget->err, n * sizeof(*values), "a jbig2 halftone");
    pl_mq_init(&mq, data->at, (size_t)(data->end - data->at));
    for (int bit = pl_jb_bits_for(h->patterns->n) - 1; !s && bit >= 0; bit--) {
        struct pl_jb_bitmap next = {0};
        s = pl_jb_bitmap_init(budget, h->width, h->height, &next);
        if (!s && h->mmr)
            s = pl_jb_read_mmr(budget, data, &next);
        else if (!s)
            (void)pl_jb_generic(&mq, &h->generic, contexts, &next);
        s = s ? s : pl_jb_draw(budget, &next, 0, 0, PL_JB_XOR, &plane);
        for (size_t i = 0; !s && i < n; i++)
            values[i] |=
                (uint32_t)pl_jb_get(&plane, (int64_t)(i % h->width), (int64_t)(i / h->width))
                << bit;
        pl_jb_bitmap_done(&next);
    }
    s = s ? s : draw_patterns(h, &plane, values, budget, to);
    pl_free(values);
    pl_free(contexts);
    pl_jb_bitmap_done(&plane);
    return s;
}

platen_status pl_jb_read_halftone(struct pl_jb_bytes *data, const struct pl_jb_symbols *patterns,
                                  struct pl_jb_budget *budget, struct pl_jb_bitmap *to)
{
    const uint32_t flags = pl_jb_take(data, 1);
    const int template = (int)(flags >> 1 & 3);
    struct jb_halftone h = {
        .patterns = patterns,
        .generic = {.template = template, .at = {template <= 1 ? 3 : 2, -1, -3, -1, 2, -2, -2, -2}},
        .op = (enum pl_jb_operator)PL_MIN(flags >> 4 & 7, (uint32_t)PL_JB_REPLACE),
        .mmr = flags & 1};
    h.width = pl_jb_take(data, 4);
    h.height = pl_jb_take(data, 4);
    h.x = (int32_t)pl_jb_take(data, 4);
    h.y = (int32_t)pl_jb_take(data, 4);
    h.step_x = pl_jb_take(data, 2);
    h.step_y = pl_jb_take(data, 2);
    if (data->over || !patterns->n || !h.width || !h.height)
        return pl_jb_damaged(budget, "a halftone");
    if (flags >> 7 & 1)
        pl_jb_blacken(to);
    if (!(flags >> 3 & 1) || h.mmr)
        return read_gray(data, &h, budget, to);
    struct pl_jb_bitmap skip = {0};
    platen_status s = pl_jb_bitmap_init(budget, h.width, h.height, &skip);
    if (!s) {
        find_skipped(&h, to, &skip);
        h.generic.skip = &skip;
        s = read_gray(data, &h, budget, to);
    }
    pl_jb_bitmap_done(&skip);
    return s;
}
