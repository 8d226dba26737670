/* SPDX-License-Identifier: BSD-2-Clause */
#include "codec/pdf/jbig2_symbols.h"

#include <string.h>

#include "base/mem.h"
#include "base/status.h"

#define MAX_SYMBOLS (1u << 20)

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

static platen_status no_huffman(struct pl_jb_budget *budget)
{
    return pl_fail(budget->err, PLATEN_ERR_UNSUPPORTED,
                   "the jbig2 picture has symbols in a Huffman code: pdftoppm makes a picture of "
                   "it");
}

void pl_jb_symbols_done(struct pl_jb_symbols *s)
{
    for (uint32_t i = 0; s->own && i < s->n; i++)
        pl_jb_bitmap_done(&s->v[i]);
    pl_free(s->v);
    *s = (struct pl_jb_symbols){0};
}

void pl_jb_take_at(struct pl_jb_bytes *b, struct pl_jb_generic *g)
{
    for (int i = 0; i < (g->template ? 2 : 8); i++)
        g->at[i] = (int8_t)pl_jb_take(b, 1);
}

/* Bits that tell n things apart. */
static int bits_for(uint32_t n)
{
    int bits = 0;
    while (bits < 31 && 1u << bits < n)
        bits++;
    return bits;
}

/* ---- text regions ---- */

enum { IADT, IAFS, IADS, IAIT, IARI, IARDW, IARDH, IARDX, IARDY, TEXT_INTS };

struct jb_text {
    uint32_t instances;
    int strips; /* rows of a strip */
    int corner; /* of a symbol, that its place is of: 0 bottom left, 1 top left, 2 and 3 right */
    bool transposed;
    enum pl_jb_operator op;
    int offset; /* between symbols */
    bool refined;
    struct pl_jb_refine refine;
    int id_bits;
    uint8_t (*ints)[512]; /* TEXT_INTS of them */
    uint8_t *ids;
    uint8_t *refine_contexts;
};

static int32_t int_or_zero(struct pl_mq *mq, uint8_t contexts[512])
{
    int32_t v = 0;
    return pl_mq_int(mq, contexts, &v) ? v : 0;
}

/* A symbol made anew from an old one. */
static platen_status refine_symbol(struct pl_mq *mq, const struct jb_text *t, int64_t dw,
                                   int64_t dh, int64_t dx, int64_t dy,
                                   const struct pl_jb_bitmap *old, struct pl_jb_budget *budget,
                                   struct pl_jb_bitmap *ret)
{
    struct pl_jb_refine r = t->refine;
    platen_status s = pl_jb_bitmap_init(budget, old->width + dw, old->height + dh, ret);
    if (s)
        return s;
    r.from = old;
    r.dx = dx;
    r.dy = dy;
    pl_jb_refine(mq, &r, t->refine_contexts, ret);
    return PLATEN_OK;
}

static platen_status draw_instance(struct pl_mq *mq, const struct jb_text *t,
                                   const struct pl_jb_symbols *in, int64_t strip, int64_t *s_at,
                                   struct pl_jb_budget *budget, struct pl_jb_bitmap *to)
{
    const int64_t row = strip + (t->strips == 1 ? 0 : int_or_zero(mq, t->ints[IAIT]));
    const uint32_t id = pl_mq_id(mq, t->ids, t->id_bits);
    struct pl_jb_bitmap made = {0};
    platen_status s = PLATEN_OK;
    if (id >= in->n)
        return pl_jb_damaged(budget, "a symbol that there is not");
    s = pl_jb_spend(budget, 1);
    const struct pl_jb_bitmap *b = &in->v[id];
    if (!s && t->refined && int_or_zero(mq, t->ints[IARI])) {
        const int64_t dw = int_or_zero(mq, t->ints[IARDW]), dh = int_or_zero(mq, t->ints[IARDH]),
                      dx = int_or_zero(mq, t->ints[IARDX]), dy = int_or_zero(mq, t->ints[IARDY]);
        s = refine_symbol(mq, t, dw, dh, (dw >> 1) + dx, (dh >> 1) + dy, b, budget, &made);
        b = &made;
    }
    const bool right = t->corner >= 2, bottom = t->corner == 0 || t->corner == 2;
    const int64_t length = (t->transposed ? b->height : b->width) - 1;
    const bool before = t->transposed ? bottom : right; /* its place is of its far end */
    if (before)
        *s_at += length;
    const int64_t x = (t->transposed ? row : *s_at) - (right ? b->width - 1 : 0),
                  y = (t->transposed ? *s_at : row) - (bottom ? b->height - 1 : 0);
    s = s ? s : pl_jb_draw(budget, b, x, y, t->op, to);
    if (!before)
        *s_at += length;
    pl_jb_bitmap_done(&made);
    return s;
}

/* Draws the symbols of a text region, strip by strip (6.4.5). */
static platen_status decode_text(struct pl_mq *mq, const struct jb_text *t,
                                 const struct pl_jb_symbols *in, struct pl_jb_budget *budget,
                                 struct pl_jb_bitmap *to)
{
    int64_t strip = -(int64_t)int_or_zero(mq, t->ints[IADT]) * t->strips, first = 0, at = 0;
    platen_status s = PLATEN_OK;
    for (uint32_t n = 0; !s && n < t->instances;) {
        int32_t step;
        strip += (int64_t)int_or_zero(mq, t->ints[IADT]) * t->strips;
        first += int_or_zero(mq, t->ints[IAFS]);
        at = first;
        do {
            s = draw_instance(mq, t, in, strip, &at, budget, to);
            n++;
            if (!pl_mq_int(mq, t->ints[IADS], &step))
                break;
            at += step + t->offset;
        } while (!s && n < t->instances);
    }
    return s;
}

static platen_status text_contexts(struct jb_text *t, struct pl_jb_budget *budget)
{
    const size_t n = TEXT_INTS * 512 + ((size_t)1 << t->id_bits) + PL_JB_REFINE_CONTEXTS;
    uint8_t *block = pl_alloc_zero(n, 1);
    if (!block)
        return pl_fail_nomem(budget->err, n, "the contexts of a jbig2 picture");
    t->ints = (uint8_t(*)[512])block;
    t->refine_contexts = block + TEXT_INTS * 512;
    t->ids = t->refine_contexts + PL_JB_REFINE_CONTEXTS;
    return PLATEN_OK;
}

platen_status pl_jb_read_text(struct pl_jb_bytes *data, const struct pl_jb_symbols *in,
                              struct pl_jb_budget *budget, struct pl_jb_bitmap *to)
{
    const uint32_t flags = pl_jb_take(data, 2);
    struct jb_text t = {.strips = 1 << (flags >> 2 & 3),
                        .corner = (int)(flags >> 4 & 3),
                        .transposed = flags >> 6 & 1,
                        .op = (enum pl_jb_operator)(flags >> 7 & 3),
                        .offset = (int)(flags >> 10 & 31) - (flags >> 14 & 1 ? 32 : 0),
                        .refined = flags >> 1 & 1,
                        .refine = {.template = (int)(flags >> 15 & 1)},
                        .id_bits = bits_for(in->n)};
    if (flags & 1)
        return no_huffman(budget);
    for (int i = 0; t.refined && !t.refine.template && i < 4; i++)
        t.refine.at[i] = (int8_t)pl_jb_take(data, 1);
    t.instances = pl_jb_take(data, 4);
    if (data->over)
        return pl_jb_damaged(budget, "a text region without its head");
    for (int y = 0; flags >> 9 & 1 && y < to->height; y++)
        memset(to->px + (ptrdiff_t)y * to->stride, 1, (size_t)to->width);
    platen_status s = text_contexts(&t, budget);
    if (s)
        return s;
    struct pl_mq mq;
    pl_mq_init(&mq, data->at, (size_t)(data->end - data->at));
    s = decode_text(&mq, &t, in, budget, to);
    pl_free(t.ints);
    return s;
}

/* ---- symbol dictionaries ---- */

enum { IADH, IADW, IAEX, IAAI, DICT_INTS };

struct jb_dict {
    struct pl_jb_budget *budget;
    struct pl_jb_generic generic;
    struct jb_text text; /* of symbols that are made of others */
    bool aggregate;
    uint32_t n_new, n_exported;
    uint8_t ints[DICT_INTS][512];
    uint8_t generic_contexts[PL_JB_GENERIC_CONTEXTS];
    struct pl_jb_symbols all; /* those given, and behind them the new ones */
    uint32_t n_in;
};

static platen_status read_dict_head(struct pl_jb_bytes *data, struct jb_dict *d)
{
    const uint32_t flags = pl_jb_take(data, 2);
    d->aggregate = flags >> 1 & 1;
    d->generic.template = (int)(flags >> 10 & 3);
    d->text.refine.template = (int)(flags >> 12 & 1);
    if (flags & 1)
        return no_huffman(d->budget);
    if (flags >> 8 & 1)
        return pl_fail(d->budget->err, PLATEN_ERR_UNSUPPORTED,
                       "the jbig2 picture goes on with the contexts of another dictionary");
    pl_jb_take_at(data, &d->generic);
    for (int i = 0; d->aggregate && !d->text.refine.template && i < 4; i++)
        d->text.refine.at[i] = (int8_t)pl_jb_take(data, 1);
    d->n_exported = pl_jb_take(data, 4);
    d->n_new = pl_jb_take(data, 4);
    if (data->over)
        return pl_jb_damaged(d->budget, "a dictionary without its head");
    if (d->n_new > MAX_SYMBOLS || d->n_exported > MAX_SYMBOLS || d->n_in > MAX_SYMBOLS)
        return pl_fail(d->budget->err, PLATEN_ERR_LIMIT, "a jbig2 dictionary of %lu symbols",
                       (unsigned long)d->n_new + d->n_in);
    return pl_jb_spend(d->budget, (uint64_t)d->n_new + d->n_exported + d->n_in);
}

/* A symbol of one or several others (6.5.8.2). */
static platen_status read_aggregate(struct pl_mq *mq, struct jb_dict *d, int64_t width,
                                    int64_t height, struct pl_jb_bitmap *ret)
{
    struct jb_text *t = &d->text;
    const int32_t n = int_or_zero(mq, d->ints[IAAI]);
    if (n != 1) {
        platen_status s = pl_jb_bitmap_init(d->budget, width, height, ret);
        t->instances = n > 0 ? (uint32_t)n : 0;
        return s ? s : decode_text(mq, t, &d->all, d->budget, ret);
    }
    const uint32_t id = pl_mq_id(mq, t->ids, t->id_bits);
    const int32_t dx = int_or_zero(mq, t->ints[IARDX]), dy = int_or_zero(mq, t->ints[IARDY]);
    if (id >= d->all.n)
        return pl_jb_damaged(d->budget, "a symbol that there is not");
    const struct pl_jb_bitmap *old = &d->all.v[id];
    return refine_symbol(mq, t, width - old->width, height - old->height, dx, dy, old, d->budget,
                         ret);
}

/* Decodes the new symbols, height by height (6.5.5). */
static platen_status read_classes(struct pl_mq *mq, struct jb_dict *d)
{
    int64_t height = 0;
    platen_status s = PLATEN_OK;
    while (!s && d->all.n < d->n_in + d->n_new) {
        int64_t width = 0;
        int32_t step;
        s = pl_jb_spend(d->budget, 1);
        height += int_or_zero(mq, d->ints[IADH]);
        while (!s && pl_mq_int(mq, d->ints[IADW], &step)) {
            if (d->all.n == d->n_in + d->n_new)
                return pl_jb_damaged(d->budget, "more symbols than were told");
            struct pl_jb_bitmap *to = &d->all.v[d->all.n];
            width += step;
            if (d->aggregate) {
                s = read_aggregate(mq, d, width, height, to);
            } else {
                s = pl_jb_bitmap_init(d->budget, width, height, to);
                if (!s)
                    pl_jb_generic(mq, &d->generic, d->generic_contexts, to);
            }
            d->all.n++;
        }
    }
    return s;
}

static platen_status copy_symbol(struct jb_dict *d, uint32_t from, struct pl_jb_symbols *ret)
{
    const struct pl_jb_bitmap *b = &d->all.v[from];
    if (ret->n == d->n_exported)
        return pl_jb_damaged(d->budget, "more symbols than are to be exported");
    platen_status s = pl_jb_bitmap_init(d->budget, b->width, b->height, &ret->v[ret->n]);
    return s ? s : pl_jb_draw(d->budget, b, 0, 0, PL_JB_REPLACE, &ret->v[ret->n++]);
}

/* 6.5.10: lengths of runs of symbols that are not exported, and that are, in turn. */
static platen_status export_symbols(struct pl_mq *mq, struct jb_dict *d, struct pl_jb_symbols *ret)
{
    platen_status s = PLATEN_OK;
    bool exported = false;
    int empty = 0;
    *ret = (struct pl_jb_symbols){.v = pl_alloc_zero(d->n_exported, sizeof(*ret->v)), .own = true};
    if (!ret->v)
        return pl_fail_nomem(d->budget->err, d->n_exported * sizeof(*ret->v), "jbig2 symbols");
    for (uint32_t i = 0; !s && i < d->all.n; exported = !exported) {
        const int32_t run = int_or_zero(mq, d->ints[IAEX]);
        empty = run ? 0 : empty + 1;
        if (run < 0 || (uint32_t)run > d->all.n - i || empty > 4)
            return pl_jb_damaged(d->budget, "a list of exported symbols");
        for (int32_t k = 0; !s && k < run; k++, i++)
            s = exported ? copy_symbol(d, i, ret) : PLATEN_OK;
    }
    return s;
}

platen_status pl_jb_read_symbols(struct pl_jb_bytes *data, const struct pl_jb_symbols *in,
                                 struct pl_jb_budget *budget, struct pl_jb_symbols *ret)
{
    struct pl_mq mq;
    struct jb_dict *d = pl_alloc_zero(1, sizeof(*d));
    if (!d)
        return pl_fail_nomem(budget->err, sizeof(*d), "a jbig2 dictionary");
    d->budget = budget;
    d->n_in = in->n;
    platen_status s = read_dict_head(data, d);
    const size_t n = (size_t)d->n_in + d->n_new;
    d->all.v = s ? NULL : pl_alloc_zero(n, sizeof(*d->all.v));
    if (!s && !d->all.v)
        s = pl_fail_nomem(budget->err, n * sizeof(*d->all.v), "jbig2 symbols");
    d->text.strips = 1;
    d->text.corner = 1;
    d->text.refined = true;
    d->text.id_bits = bits_for((uint32_t)n);
    if (!s)
        s = text_contexts(&d->text, budget);
    if (!s) {
        if (in->n)
            memcpy(d->all.v, in->v, in->n * sizeof(*in->v));
        d->all.n = in->n;
        pl_mq_init(&mq, data->at, (size_t)(data->end - data->at));
        s = read_classes(&mq, d);
        s = s ? s : export_symbols(&mq, d, ret);
    }
    for (uint32_t i = d->n_in; d->all.v && i < d->all.n; i++)
        pl_jb_bitmap_done(&d->all.v[i]);
    pl_free(d->all.v);
    pl_free(d->text.ints);
    pl_free(d);
    return s;
}

/* ---- patterns and halftones ---- */

static uint8_t *generic_contexts(struct pl_jb_budget *budget, platen_status *ret)
{
    uint8_t *c = pl_alloc_zero(PL_JB_GENERIC_CONTEXTS, 1);
    if (!c)
        *ret =
            pl_fail_nomem(budget->err, PL_JB_GENERIC_CONTEXTS, "the contexts of a jbig2 picture");
    return c;
}

static platen_status no_mmr(struct pl_jb_budget *budget)
{
    return pl_fail(budget->err, PLATEN_ERR_UNSUPPORTED,
                   "the jbig2 picture has patterns in MMR: pdftoppm makes a picture of it");
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
    if (flags & 1)
        return no_mmr(budget);
    if (data->over || !width || !height || most >= MAX_SYMBOLS)
        return pl_jb_damaged(budget, "a dictionary of patterns");
    platen_status s = pl_jb_spend(budget, most + 1);
    s = s ? s : pl_jb_bitmap_init(budget, (int64_t)width * (most + 1), height, &all);
    uint8_t *contexts = s ? NULL : generic_contexts(budget, &s);
    *ret = (struct pl_jb_symbols){.v = pl_alloc_zero(most + 1, sizeof(*ret->v)), .own = true};
    if (!s && !ret->v)
        s = pl_fail_nomem(budget->err, (most + 1) * sizeof(*ret->v), "jbig2 patterns");
    if (!s) {
        pl_mq_init(&mq, data->at, (size_t)(data->end - data->at));
        pl_jb_generic(&mq, &g, contexts, &all);
    }
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
};

static platen_status draw_patterns(const struct jb_halftone *h, const struct pl_jb_bitmap *gray,
                                   const uint32_t *values, struct pl_jb_budget *budget,
                                   struct pl_jb_bitmap *to)
{
    platen_status s = PLATEN_OK;
    for (int64_t m = 0; !s && m < gray->height; m++)
        for (int64_t n = 0; !s && n < gray->width; n++) {
            const uint32_t v = values[m * gray->width + n];
            const int64_t x = (h->x + m * h->step_y + n * h->step_x) >> 8,
                          y = (h->y + m * h->step_x - n * h->step_y) >> 8;
            s = pl_jb_spend(budget, 1);
            s = s ? s
                  : pl_jb_draw(budget, &h->patterns->v[v < h->patterns->n ? v : h->patterns->n - 1],
                               x, y, h->op, to);
        }
    return s;
}

/* Planes of grey, the highest first, in Gray code (annex C.5). */
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
    for (int bit = bits_for(h->patterns->n) - 1; !s && bit >= 0; bit--) {
        struct pl_jb_bitmap next = {0};
        s = pl_jb_bitmap_init(budget, h->width, h->height, &next);
        if (!s)
            pl_jb_generic(&mq, &h->generic, contexts, &next);
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
        .op = (enum pl_jb_operator)PL_MIN(flags >> 4 & 7, (uint32_t)PL_JB_REPLACE)};
    h.width = pl_jb_take(data, 4);
    h.height = pl_jb_take(data, 4);
    h.x = (int32_t)pl_jb_take(data, 4);
    h.y = (int32_t)pl_jb_take(data, 4);
    h.step_x = pl_jb_take(data, 2);
    h.step_y = pl_jb_take(data, 2);
    if (flags & 1)
        return no_mmr(budget);
    if (flags >> 3 & 1)
        return pl_fail(budget->err, PLATEN_ERR_UNSUPPORTED,
                       "the jbig2 picture has a halftone that leaves places out");
    if (data->over || !patterns->n || !h.width || !h.height)
        return pl_jb_damaged(budget, "a halftone");
    for (int y = 0; flags >> 7 & 1 && y < to->height; y++)
        memset(to->px + (ptrdiff_t)y * to->stride, 1, (size_t)to->width);
    return read_gray(data, &h, budget, to);
}
