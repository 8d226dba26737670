/* SPDX-License-Identifier: BSD-2-Clause */
#include "codec/pdf/jbig2_symbols.h"

#include <string.h>

#include "base/mem.h"
#include "base/status.h"
#include "codec/pdf/jbig2_text.h"

void pl_jb_symbols_done(struct pl_jb_symbols *s)
{
    for (uint32_t i = 0; s->own && i < s->n; i++)
        pl_jb_bitmap_done(&s->v[i]);
    if (s->own)
        pl_free(s->kept);
    pl_free(s->v);
    *s = (struct pl_jb_symbols){0};
}

void pl_jb_take_at(struct pl_jb_bytes *b, struct pl_jb_generic *g)
{
    const int n = g->template == PL_JB_EXTENDED ? PL_JB_ADAPTIVE_BYTES : g->template ? 2 : 8;
    for (int i = 0; i < n; i++)
        g->at[i] = (int8_t)pl_jb_take(b, 1);
}

/* The kinds of numbers. SIZE is that of bitmaps in the Huffman code. Flags choose a table for each
 * but EXPORT. */
enum { HEIGHT, WIDTH, SIZE, AGGREGATE, EXPORT, DICT_INTS };

/* The contexts of bitmaps at the end of a dictionary, and what the next one must have in common
 * with it to go on with them. */
struct pl_jb_kept {
    uint32_t form;
    int8_t at[PL_JB_ADAPTIVE_BYTES], refine_at[4];
    uint8_t contexts[]; /* of the generic code, then of refinement */
};
enum { USES_KEPT = 1 << 8, KEEPS = 1 << 9, FORM = 0x1c03 }; /* of a dictionary's flags */

struct jb_dict {
    struct pl_jb_budget *budget;
    struct pl_jb_generic generic;
    struct pl_jb_text text; /* of symbols that are made of others; it holds the code of all */
    bool aggregate;
    uint32_t flags, n_new, n_exported;
    uint8_t ints[DICT_INTS][512];
    uint8_t generic_contexts[PL_JB_GENERIC_CONTEXTS];
    struct pl_jb_table tables[DICT_INTS];
    struct pl_jb_symbols all; /* those given, and behind them the new ones */
    uint32_t n_in;
};

/* Reads the next number of a kind. Returns false for "out of band". */
static bool take_int(struct jb_dict *d, int kind, int32_t *ret)
{
    if (d->text.bits)
        return pl_jb_huffman_int(d->text.bits, &d->tables[kind], ret);
    return pl_mq_int(d->text.mq, d->ints[kind], ret);
}

static int32_t int_or_zero(struct jb_dict *d, int kind)
{
    int32_t v = 0;
    return take_int(d, kind, &v) ? v : 0;
}

/* Makes the tables that the flags of a dictionary choose, and those of symbols made of others. */
static platen_status make_tables(struct jb_dict *d, struct pl_jb_own_tables *own)
{
    static const struct pl_jb_choice choices[EXPORT] = {[HEIGHT] = {2, 3, 4, 2},
                                                        [WIDTH] = {4, 3, 2, 2},
                                                        [SIZE] = {6, 1, 1, 1},
                                                        [AGGREGATE] = {7, 1, 1, 1}};
    platen_status s = pl_jb_tables_choose(d->budget, choices, EXPORT, d->flags, own, d->tables);
    s = s ? s : pl_jb_table_standard(d->budget, 1, &d->tables[EXPORT]);
    return s ? s : pl_jb_text_tables(&d->text, PL_JB_AGGREGATE_TABLES, own, d->budget);
}

static platen_status read_dict_head(struct pl_jb_bytes *data, struct jb_dict *d,
                                    struct pl_jb_bits *bits)
{
    const uint32_t flags = d->flags = pl_jb_take(data, 2);
    d->aggregate = flags >> 1 & 1;
    d->generic.template = (int)(flags >> 10 & 3);
    d->text.refine.template = (int)(flags >> 12 & 1);
    d->text.bits = flags & 1 ? bits : NULL;
    if (!d->text.bits)
        pl_jb_take_at(data, &d->generic);
    for (int i = 0; d->aggregate && !d->text.refine.template && i < 4; i++)
        d->text.refine.at[i] = (int8_t)pl_jb_take(data, 1);
    d->n_exported = pl_jb_take(data, 4);
    d->n_new = pl_jb_take(data, 4);
    if (data->over)
        return pl_jb_damaged(d->budget, "a dictionary without its head");
    if (d->n_new > PL_JB_MAX_SYMBOLS || d->n_exported > PL_JB_MAX_SYMBOLS)
        return pl_fail(d->budget->err, PLATEN_ERR_LIMIT, "a jbig2 dictionary of %lu symbols",
                       (unsigned long)d->n_new + d->n_in);
    return pl_jb_spend(d->budget, (uint64_t)d->n_new + d->n_exported + d->n_in);
}

/* Decodes a symbol that is made of one or several others (6.5.8.2). */
static platen_status read_aggregate(struct jb_dict *d, int64_t width, int64_t height,
                                    struct pl_jb_bitmap *ret)
{
    struct pl_jb_text *t = &d->text;
    const int32_t n = int_or_zero(d, AGGREGATE);
    if (n == 1)
        return pl_jb_text_refine_one(t, &d->all, width, height, d->budget, ret);
    platen_status s = pl_jb_bitmap_init(d->budget, width, height, ret);
    t->instances = n > 0 ? (uint32_t)n : 0;
    return s ? s : pl_jb_text_draw(t, &d->all, d->budget, ret);
}

/* Decodes the next symbol. Of one in a Huffman code that is not made of others, only the width is
 * known yet, and noted. */
static platen_status read_symbol(struct jb_dict *d, int64_t width, int64_t height)
{
    struct pl_jb_bitmap *to = &d->all.v[d->all.n];
    if (d->aggregate)
        return read_aggregate(d, width, height, to);
    if (d->text.bits) {
        to->width = (int)PL_MIN(width, (int64_t)INT32_MAX);
        return width < 0 ? pl_jb_damaged(d->budget, "a symbol of no width") : PLATEN_OK;
    }
    platen_status s = pl_jb_bitmap_init(d->budget, width, height, to);
    if (!s)
        (void)pl_jb_generic(d->text.mq, &d->generic, d->generic_contexts, to);
    return s;
}

/* Reads the rows of a bitmap as they are, eight pixels a byte. */
static void read_plain(struct pl_jb_bytes *data, struct pl_jb_bitmap *to)
{
    for (int y = 0; y < to->height; y++) {
        struct pl_jb_bits bits = {.from = data};
        for (int x = 0; x < to->width && !data->over; x++)
            to->px[(ptrdiff_t)y * to->stride + x] = (uint8_t)pl_jb_take_bits(&bits, 1);
    }
}

/* Reads the symbols from `first` on, whose widths are known, from the bitmap in which they stand
 * beside each other (6.5.9). */
static platen_status read_class_bitmap(struct jb_dict *d, uint32_t first, int64_t height)
{
    struct pl_jb_bytes *data = d->text.bits->from;
    struct pl_jb_bitmap all = {0};
    int64_t width = 0, x = 0;
    const int32_t bytes = int_or_zero(d, SIZE);
    pl_jb_align(d->text.bits);
    for (uint32_t i = first; i < d->all.n; i++)
        width += d->all.v[i].width;
    if (data->over || bytes < 0 || bytes > data->end - data->at)
        return pl_jb_damaged(d->budget, "symbols of more bytes than there are");
    platen_status s = pl_jb_bitmap_init(d->budget, width, height, &all);
    struct pl_jb_bytes mmr = {.at = data->at, .end = data->at + bytes};
    if (!s && bytes)
        s = pl_jb_read_mmr(d->budget, &mmr, &all);
    else if (!s)
        read_plain(data, &all);
    data->at += bytes;
    for (uint32_t i = first; !s && i < d->all.n; i++) {
        struct pl_jb_bitmap *to = &d->all.v[i];
        width = to->width;
        s = pl_jb_bitmap_init(d->budget, width, height, to);
        s = s ? s : pl_jb_draw(d->budget, &all, -x, 0, PL_JB_REPLACE, to);
        x += width;
    }
    pl_jb_bitmap_done(&all);
    return s;
}

/* Decodes the new symbols, height by height (6.5.5). */
static platen_status read_classes(struct jb_dict *d)
{
    int64_t height = 0;
    platen_status s = PLATEN_OK;
    while (!s && d->all.n < d->n_in + d->n_new) {
        const uint32_t first = d->all.n;
        int64_t width = 0;
        int32_t step;
        s = pl_jb_spend(d->budget, 1);
        height += int_or_zero(d, HEIGHT);
        if (d->text.bits && d->text.bits->from->over)
            return pl_jb_damaged(d->budget, "a dictionary in a Huffman code that is cut off");
        while (!s && take_int(d, WIDTH, &step)) {
            if (d->all.n == d->n_in + d->n_new)
                return pl_jb_damaged(d->budget, "more symbols than were told");
            width += step;
            s = read_symbol(d, width, height);
            d->all.n++;
        }
        if (!s && d->text.bits && !d->aggregate)
            s = read_class_bitmap(d, first, height);
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

/* Copies the symbols that are exported. Lengths of runs of symbols that are not, and that are, tell
 * them in turn (6.5.10). */
static platen_status export_symbols(struct jb_dict *d, struct pl_jb_symbols *ret)
{
    platen_status s = PLATEN_OK;
    bool exported = false;
    int empty = 0;
    *ret = (struct pl_jb_symbols){.v = pl_alloc_zero(d->n_exported, sizeof(*ret->v)), .own = true};
    if (!ret->v)
        return pl_fail_nomem(d->budget->err, d->n_exported * sizeof(*ret->v), "jbig2 symbols");
    for (uint32_t i = 0; !s && i < d->all.n; exported = !exported) {
        const int32_t run = int_or_zero(d, EXPORT);
        empty = run ? 0 : empty + 1;
        if (run < 0 || (uint32_t)run > d->all.n - i || empty > 4)
            return pl_jb_damaged(d->budget, "a list of exported symbols");
        for (int32_t k = 0; !s && k < run; k++, i++)
            s = exported ? copy_symbol(d, i, ret) : PLATEN_OK;
    }
    return s;
}

/* How many contexts the templates of a dictionary have. */
static size_t count_generic(const struct jb_dict *d)
{
    static const int bits[] = {16, 13, 10, 10};
    return (size_t)1 << bits[d->generic.template];
}

static size_t count_refine(const struct jb_dict *d)
{
    return d->aggregate ? (size_t)1 << (d->text.refine.template ? 10 : 13) : 0;
}

/* Goes on with the contexts that the last dictionary before kept (7.4.2.2). */
static platen_status use_kept(struct jb_dict *d, const struct pl_jb_kept *kept)
{
    if (!kept)
        return pl_jb_damaged(d->budget, "a dictionary goes on with contexts that none kept");
    if (kept->form != (d->flags & FORM) || memcmp(kept->at, d->generic.at, sizeof(kept->at)) != 0 ||
        memcmp(kept->refine_at, d->text.refine.at, sizeof(kept->refine_at)) != 0)
        return pl_jb_damaged(d->budget, "a dictionary goes on with contexts of another template");
    memcpy(d->generic_contexts, kept->contexts, count_generic(d));
    memcpy(d->text.refine_contexts, kept->contexts + count_generic(d), count_refine(d));
    return PLATEN_OK;
}

static platen_status keep(const struct jb_dict *d, struct pl_jb_symbols *ret)
{
    const size_t n = sizeof(struct pl_jb_kept) + count_generic(d) + count_refine(d);
    platen_status s = pl_jb_spend(d->budget, n / PL_JB_THING_PX);
    struct pl_jb_kept *kept = s ? NULL : pl_alloc(n, 1);
    if (!s && !kept)
        s = pl_fail_nomem(d->budget->err, n, "the contexts of a jbig2 picture");
    if (s)
        return s;
    kept->form = d->flags & FORM;
    memcpy(kept->at, d->generic.at, sizeof(kept->at));
    memcpy(kept->refine_at, d->text.refine.at, sizeof(kept->refine_at));
    memcpy(kept->contexts, d->generic_contexts, count_generic(d));
    memcpy(kept->contexts + count_generic(d), d->text.refine_contexts, count_refine(d));
    ret->kept = kept;
    return PLATEN_OK;
}

/* Decodes what follows the head. */
static platen_status read_dict(struct pl_jb_bytes *data, struct pl_jb_given *in, struct jb_dict *d,
                               struct pl_jb_symbols *ret)
{
    const size_t n = (size_t)d->n_in + d->n_new;
    struct pl_mq mq;
    d->all.v = pl_alloc_zero(n, sizeof(*d->all.v));
    if (!d->all.v)
        return pl_fail_nomem(d->budget->err, n * sizeof(*d->all.v), "jbig2 symbols");
    if (d->n_in)
        memcpy(d->all.v, in->symbols.v, d->n_in * sizeof(*d->all.v));
    d->all.n = d->n_in;
    pl_mq_init(&mq, data->at, (size_t)(data->end - data->at));
    d->text.mq = &mq;
    d->text.corner = 1;
    d->text.refined = true;
    d->text.id_bits = pl_jb_bits_for((uint32_t)n);
    platen_status s = pl_jb_text_contexts(&d->text, d->budget);
    if (!s && d->text.bits)
        s = make_tables(d, &in->tables);
    if (!s && d->flags & USES_KEPT)
        s = use_kept(d, in->symbols.kept);
    s = s ? s : read_classes(d);
    s = s ? s : export_symbols(d, ret);
    return !s && d->flags & KEEPS ? keep(d, ret) : s;
}

platen_status pl_jb_read_symbols(struct pl_jb_bytes *data, struct pl_jb_given *in,
                                 struct pl_jb_budget *budget, struct pl_jb_symbols *ret)
{
    struct pl_jb_bits bits = {.from = data};
    struct jb_dict *d = pl_alloc_zero(1, sizeof(*d));
    if (!d)
        return pl_fail_nomem(budget->err, sizeof(*d), "a jbig2 dictionary");
    d->budget = budget;
    d->n_in = in->symbols.n;
    platen_status s = read_dict_head(data, d, &bits);
    s = s ? s : read_dict(data, in, d, ret);
    for (uint32_t i = d->n_in; d->all.v && i < d->all.n; i++)
        pl_jb_bitmap_done(&d->all.v[i]);
    for (int i = 0; i < DICT_INTS; i++)
        pl_jb_table_done(&d->tables[i]);
    pl_free(d->all.v);
    pl_jb_text_done(&d->text);
    pl_free(d);
    return s;
}
