/* SPDX-License-Identifier: BSD-2-Clause */
#include "codec/pdf/jbig2_text.h"

#include <assert.h>

#include "base/mem.h"
#include "base/status.h"

/* Reads the next number of a kind that both codes have. Returns false for "out of band". */
static bool take_int(const struct pl_jb_text *t, int kind, int32_t *ret)
{
    assert(kind < PL_JB_TEXT_TABLES);
    if (t->bits)
        return pl_jb_huffman_int(t->bits, &t->tables[kind], ret);
    return pl_mq_int(t->mq, t->ints[kind], ret);
}

static int32_t int_or_zero(const struct pl_jb_text *t, int kind)
{
    int32_t v = 0;
    return take_int(t, kind, &v) ? v : 0;
}

/* The same, of a kind that the arithmetic code alone has. */
static int32_t mq_int_or_zero(const struct pl_jb_text *t, int kind)
{
    int32_t v = 0;
    return pl_mq_int(t->mq, t->ints[kind], &v) ? v : 0;
}

/* Returns the row of the strip on which a symbol stands. */
static int64_t take_row(const struct pl_jb_text *t)
{
    if (!t->log_strips)
        return 0;
    return t->bits ? (int64_t)pl_jb_take_bits(t->bits, t->log_strips) : mq_int_or_zero(t, PL_JB_IT);
}

static uint32_t take_id(const struct pl_jb_text *t)
{
    return t->bits ? pl_jb_huffman_thing(t->bits, &t->id_table)
                   : pl_mq_id(t->mq, t->ids, t->id_bits);
}

platen_status pl_jb_text_refine(const struct pl_jb_text *t, int64_t dw, int64_t dh, int64_t dx,
                                int64_t dy, const struct pl_jb_bitmap *old,
                                struct pl_jb_budget *budget, struct pl_jb_bitmap *ret)
{
    struct pl_jb_refine r = t->refine;
    platen_status s = pl_jb_bitmap_init(budget, old->width + dw, old->height + dh, ret);
    if (s)
        return s;
    r.from = old;
    r.dx = dx;
    r.dy = dy;
    pl_jb_refine(t->mq, &r, t->refine_contexts, ret);
    return PLATEN_OK;
}

/* Draws the next symbol of a strip. *s_at is the place along the strip, and moves over the symbol.
 */
static platen_status draw_instance(const struct pl_jb_text *t, const struct pl_jb_symbols *in,
                                   int64_t strip, int64_t *s_at, struct pl_jb_budget *budget,
                                   struct pl_jb_bitmap *to)
{
    const int64_t row = strip + take_row(t);
    const uint32_t id = take_id(t);
    struct pl_jb_bitmap made = {0};
    if (id >= in->n)
        return pl_jb_damaged(budget, "a symbol that there is not");
    if (t->bits && t->bits->from->over)
        return pl_jb_damaged(budget, "a text region in a Huffman code");
    platen_status s = pl_jb_spend(budget, 1);
    const struct pl_jb_bitmap *b = &in->v[id];
    if (!s && t->refined && mq_int_or_zero(t, PL_JB_RI)) {
        const int64_t dw = mq_int_or_zero(t, PL_JB_RDW), dh = mq_int_or_zero(t, PL_JB_RDH),
                      dx = mq_int_or_zero(t, PL_JB_RDX), dy = mq_int_or_zero(t, PL_JB_RDY);
        s = pl_jb_text_refine(t, dw, dh, (dw >> 1) + dx, (dh >> 1) + dy, b, budget, &made);
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

platen_status pl_jb_text_draw(const struct pl_jb_text *t, const struct pl_jb_symbols *in,
                              struct pl_jb_budget *budget, struct pl_jb_bitmap *to)
{
    const int64_t rows = 1 << t->log_strips;
    int64_t strip = -int_or_zero(t, PL_JB_DT) * rows, first = 0, at = 0;
    platen_status s = PLATEN_OK;
    for (uint32_t n = 0; !s && n < t->instances;) {
        int32_t step;
        strip += int_or_zero(t, PL_JB_DT) * rows;
        first += int_or_zero(t, PL_JB_FS);
        at = first;
        do {
            s = draw_instance(t, in, strip, &at, budget, to);
            n++;
            if (!take_int(t, PL_JB_DS, &step))
                break;
            at += (int64_t)step + t->offset;
        } while (!s && n < t->instances);
    }
    return s;
}

platen_status pl_jb_text_contexts(struct pl_jb_text *t, struct pl_jb_budget *budget)
{
    const size_t n = PL_JB_TEXT_INTS * 512 + ((size_t)1 << t->id_bits) + PL_JB_REFINE_CONTEXTS;
    uint8_t *block = pl_alloc_zero(n, 1);
    if (!block)
        return pl_fail_nomem(budget->err, n, "the contexts of a jbig2 picture");
    t->ints = (uint8_t(*)[512])block;
    t->refine_contexts = block + PL_JB_TEXT_INTS * 512;
    t->ids = t->refine_contexts + PL_JB_REFINE_CONTEXTS;
    return PLATEN_OK;
}

void pl_jb_text_done(struct pl_jb_text *t)
{
    pl_free(t->ints);
    for (int i = 0; i < PL_JB_TEXT_TABLES; i++)
        pl_jb_table_done(&t->tables[i]);
    pl_jb_table_done(&t->id_table);
}

/* Makes the tables that the flags of a text region name (7.4.3.1.2), for pl_jb_text_done(). */
static platen_status name_tables(struct pl_jb_text *t, uint32_t flags, struct pl_jb_budget *budget)
{
    static const struct {
        int shift, first, n; /* of a choice among n tables, from B.`first` on */
    } choices[PL_JB_TEXT_TABLES] = {
        [PL_JB_FS] = {0, 6, 2}, [PL_JB_DS] = {2, 8, 3}, [PL_JB_DT] = {4, 11, 3}};
    platen_status s = PLATEN_OK;
    for (int i = 0; !s && i < PL_JB_TEXT_TABLES; i++) {
        const int choice = (int)(flags >> choices[i].shift & 3);
        if (choice >= choices[i].n)
            return pl_fail(budget->err, PLATEN_ERR_UNSUPPORTED,
                           "the jbig2 picture has Huffman tables of its own");
        s = pl_jb_table_standard(budget, choices[i].first + choice, &t->tables[i]);
    }
    return s;
}

platen_status pl_jb_read_text(struct pl_jb_bytes *data, const struct pl_jb_symbols *in,
                              struct pl_jb_budget *budget, struct pl_jb_bitmap *to)
{
    const uint32_t flags = pl_jb_take(data, 2), tables = flags & 1 ? pl_jb_take(data, 2) : 0;
    struct pl_jb_bits bits = {.from = data};
    struct pl_mq mq;
    struct pl_jb_text t = {.log_strips = (int)(flags >> 2 & 3),
                           .corner = (int)(flags >> 4 & 3),
                           .transposed = flags >> 6 & 1,
                           .op = (enum pl_jb_operator)(flags >> 7 & 3),
                           .offset = (int)(flags >> 10 & 31) - (flags >> 14 & 1 ? 32 : 0),
                           .refined = flags >> 1 & 1,
                           .refine = {.template = (int)(flags >> 15 & 1)},
                           .mq = &mq,
                           .id_bits = pl_jb_bits_for(in->n),
                           .bits = flags & 1 ? &bits : NULL};
    for (int i = 0; t.refined && !t.refine.template && i < 4; i++)
        t.refine.at[i] = (int8_t)pl_jb_take(data, 1);
    t.instances = pl_jb_take(data, 4);
    if (data->over)
        return pl_jb_damaged(budget, "a text region without its head");
    if (t.bits && t.refined)
        return pl_fail(budget->err, PLATEN_ERR_UNSUPPORTED,
                       "the jbig2 picture has refined symbols in a Huffman code");
    if (flags >> 9 & 1)
        pl_jb_blacken(to);
    pl_mq_init(&mq, data->at, (size_t)(data->end - data->at));
    platen_status s = t.bits ? name_tables(&t, tables, budget) : pl_jb_text_contexts(&t, budget);
    if (!s && t.bits)
        s = pl_jb_huffman_symbols(&bits, in->n, budget, &t.id_table);
    s = s ? s : pl_jb_text_draw(&t, in, budget, to);
    pl_jb_text_done(&t);
    return s;
}
