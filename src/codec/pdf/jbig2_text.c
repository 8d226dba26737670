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

/* Returns a number of a kind that is so many bits in the Huffman code. */
static int64_t take_plain(const struct pl_jb_text *t, int kind, int n)
{
    int32_t v = 0;
    if (t->bits)
        return (int64_t)pl_jb_take_bits(t->bits, n);
    return pl_mq_int(t->mq, t->ints[kind], &v) ? v : 0;
}

/* Returns the row of the strip on which a symbol stands. */
static int64_t take_row(const struct pl_jb_text *t)
{
    return t->log_strips ? take_plain(t, PL_JB_IT, t->log_strips) : 0;
}

static uint32_t take_id(const struct pl_jb_text *t)
{
    if (!t->bits)
        return pl_mq_id(t->mq, t->ids, t->id_bits);
    return t->id_table.things ? pl_jb_huffman_thing(t->bits, &t->id_table)
                              : pl_jb_take_bits(t->bits, t->id_bits);
}

/* Begins the arithmetic code of a refined symbol within a Huffman code, and passes over it there
 * (6.4.11). */
static platen_status begin_refined(const struct pl_jb_text *t, struct pl_jb_budget *budget)
{
    struct pl_jb_bytes *data = t->bits->from;
    const int32_t n = int_or_zero(t, PL_JB_RSIZE);
    pl_jb_align(t->bits);
    if (data->over || n < 0 || n > data->end - data->at)
        return pl_jb_damaged(budget, "a refined symbol of more bytes than there are");
    pl_mq_init(t->mq, data->at, (size_t)n);
    data->at += n;
    return PLATEN_OK;
}

/* Decodes a symbol of this size from `old`, which lies at (dx, dy) on it. */
static platen_status refine(const struct pl_jb_text *t, const struct pl_jb_bitmap *old,
                            int64_t width, int64_t height, int64_t dx, int64_t dy,
                            struct pl_jb_budget *budget, struct pl_jb_bitmap *ret)
{
    struct pl_jb_refine r = t->refine;
    platen_status s = t->bits ? begin_refined(t, budget) : PLATEN_OK;
    s = s ? s : pl_jb_bitmap_init(budget, width, height, ret);
    if (s)
        return s;
    r.from = old;
    r.dx = dx;
    r.dy = dy;
    pl_jb_refine(t->mq, &r, t->refine_contexts, ret);
    return PLATEN_OK;
}

platen_status pl_jb_text_refine_one(const struct pl_jb_text *t, const struct pl_jb_symbols *in,
                                    int64_t width, int64_t height, struct pl_jb_budget *budget,
                                    struct pl_jb_bitmap *ret)
{
    const uint32_t id = take_id(t);
    const int32_t dx = int_or_zero(t, PL_JB_RDX), dy = int_or_zero(t, PL_JB_RDY);
    if (id >= in->n)
        return pl_jb_damaged(budget, "a symbol that there is not");
    return refine(t, &in->v[id], width, height, dx, dy, budget, ret);
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
    if (!s && t->refined && take_plain(t, PL_JB_RI, 1)) {
        const int64_t dw = int_or_zero(t, PL_JB_RDW), dh = int_or_zero(t, PL_JB_RDH),
                      dx = int_or_zero(t, PL_JB_RDX), dy = int_or_zero(t, PL_JB_RDY);
        s = refine(t, b, b->width + dw, b->height + dh, (dw >> 1) + dx, (dh >> 1) + dy, budget,
                   &made);
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

platen_status pl_jb_text_tables(struct pl_jb_text *t, uint32_t flags, struct pl_jb_own_tables *own,
                                struct pl_jb_budget *budget)
{
    static const struct pl_jb_choice choices[PL_JB_TEXT_TABLES] = {
        [PL_JB_FS] = {0, 3, 6, 2},    [PL_JB_DS] = {2, 3, 8, 3},    [PL_JB_DT] = {4, 3, 11, 3},
        [PL_JB_RDW] = {6, 3, 14, 2},  [PL_JB_RDH] = {8, 3, 14, 2},  [PL_JB_RDX] = {10, 3, 14, 2},
        [PL_JB_RDY] = {12, 3, 14, 2}, [PL_JB_RSIZE] = {14, 1, 1, 1}};
    return pl_jb_tables_choose(budget, choices, PL_JB_TEXT_TABLES, flags, own, t->tables);
}

platen_status pl_jb_read_text(struct pl_jb_bytes *data, struct pl_jb_given *in,
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
                           .id_bits = pl_jb_bits_for(in->symbols.n),
                           .bits = flags & 1 ? &bits : NULL};
    for (int i = 0; t.refined && !t.refine.template && i < 4; i++)
        t.refine.at[i] = (int8_t)pl_jb_take(data, 1);
    t.instances = pl_jb_take(data, 4);
    if (data->over)
        return pl_jb_damaged(budget, "a text region without its head");
    if (flags >> 9 & 1)
        pl_jb_blacken(to);
    pl_mq_init(&mq, data->at, (size_t)(data->end - data->at));
    platen_status s = pl_jb_text_contexts(&t, budget);
    if (!s && t.bits)
        s = pl_jb_text_tables(&t, tables, &in->tables, budget);
    if (!s && t.bits)
        s = pl_jb_huffman_symbols(&bits, in->symbols.n, budget, &t.id_table);
    s = s ? s : pl_jb_text_draw(&t, &in->symbols, budget, to);
    pl_jb_text_done(&t);
    return s;
}
