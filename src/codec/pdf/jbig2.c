/* SPDX-License-Identifier: BSD-2-Clause */
#include "codec/pdf/jbig2.h"

#include <string.h>

#include "base/mem.h"
#include "codec/pdf/jbig2_symbols.h"
#include "codec/pdf/jbig2_text.h"

/* Pixels that may be decoded and drawn: for each pixel of the page, for each byte of the stream,
 * and besides. A small picture may come with the symbols of a whole page, which has no more than
 * max_pixels: the last two count up to that. */
#define PX_PER_PX 16
#define PX_PER_BYTE 1024
#define SPARE_PX ((uint64_t)1 << 18)
#define MAX_SEGMENTS 65536
#define REGION_HEAD_BYTES 17
#define GENERIC_HEAD_BYTES (REGION_HEAD_BYTES + 1) /* before the adaptive pixels */

enum type {
    SYMBOLS = 0,
    TEXT = 4, /* 4, 6 and 7: kept for another segment, or drawn, as for all regions */
    PATTERNS = 16,
    HALFTONE = 20,
    GENERIC = 36,
    REFINEMENT = 40,
    PAGE = 48,
    END_OF_PAGE,
    END_OF_STRIPE,
    END_OF_FILE,
    PROFILES,
    TABLE,
    PALETTE,
    EXTENSION = 62,
};

struct jb_segment {
    uint32_t number;
    int type;
    uint32_t first_ref, n_refs; /* in decoder.refs */
    struct pl_jb_bytes data;
    bool cut;                     /* the data end with the stream, before they should */
    bool lost;                    /* it was given up, and so is what refers to it */
    bool rows_at_end;             /* how many rows a region has stands in the last four bytes */
    struct pl_jb_symbols symbols; /* of a dictionary of symbols or patterns */
    struct pl_jb_table table;     /* of numbers in a Huffman code */
    struct pl_jb_bitmap bitmap;   /* of a region that is kept */
};

struct jb_decoder {
    const struct pl_source *src;
    struct platen_error *err;
    struct pl_jb_budget budget;
    struct jb_segment *v;
    size_t n;
    uint32_t *refs;
    size_t n_refs;
    struct pl_jb_bitmap page;
    bool *lost;              /* for each row of the page */
    uint32_t drawn;          /* where the lowest region ends */
    struct platen_error why; /* the first damage */
};

static void lose_rows(struct jb_decoder *d, uint64_t from, uint64_t end)
{
    for (uint64_t y = from; y < PL_MIN(end, (uint64_t)d->page.height); y++)
        d->lost[y] = true;
}

static bool is_region(int type)
{
    const int kind = type & ~3;
    return (type & 3) != 1 &&
           (kind == TEXT || kind == HALFTONE || kind == GENERIC || kind == REFINEMENT);
}

/* ---- segment headers (7.2) ---- */

static platen_status add_ref(struct jb_decoder *d, uint32_t number)
{
    if (d->n_refs % 256 == 0) {
        uint32_t *refs = pl_realloc(d->refs, d->n_refs + 256, sizeof(*refs));
        if (!refs)
            return pl_fail_nomem(d->err, (d->n_refs + 256) * sizeof(*refs), "a jbig2 picture");
        d->refs = refs;
    }
    d->refs[d->n_refs++] = number;
    return PLATEN_OK;
}

static platen_status read_refs(struct jb_decoder *d, struct pl_jb_bytes *b, struct jb_segment *seg)
{
    uint32_t count = pl_jb_take(b, 1);
    const int size = seg->number <= 256 ? 1 : seg->number <= 65536 ? 2 : 4;
    if (count >> 5 == 7) {
        b->at--;
        count = pl_jb_take(b, 4) & 0x1fffffff;
        for (uint32_t i = 0; !b->over && i < (count + 8) / 8; i++)
            (void)pl_jb_take(b, 1);
    } else {
        count >>= 5;
    }
    seg->first_ref = (uint32_t)d->n_refs;
    platen_status s = PLATEN_OK;
    for (seg->n_refs = 0; !s && !b->over && seg->n_refs < count; seg->n_refs++)
        s = add_ref(d, pl_jb_take(b, size));
    return s;
}

/* Finds the length of a generic region that was not known when it was begun: behind its head comes
 * a mark, and four bytes (7.2.7). */
static platen_status find_length(struct jb_decoder *d, const struct pl_jb_bytes *b,
                                 struct jb_segment *seg, uint32_t *ret)
{
    const size_t left = (size_t)(b->end - b->at);
    if (seg->type != (GENERIC | 2))
        return pl_jb_damaged(&d->budget, "a segment of unknown length that is no generic region");
    const bool mmr = left >= GENERIC_HEAD_BYTES && b->at[GENERIC_HEAD_BYTES - 1] & 1;
    const uint8_t mark[2] = {mmr ? 0 : 0xff, mmr ? 0 : 0xac};
    for (size_t n = GENERIC_HEAD_BYTES; n + sizeof(mark) + 4 <= left; n++)
        if (!memcmp(b->at + n, mark, sizeof(mark))) {
            seg->rows_at_end = true;
            *ret = (uint32_t)PL_MIN(n + sizeof(mark) + 4, (size_t)UINT32_MAX);
            return PLATEN_OK;
        }
    return pl_jb_damaged(&d->budget, "a region of unknown length without an end");
}

static platen_status read_header(struct jb_decoder *d, struct pl_jb_bytes *b,
                                 struct jb_segment *seg)
{
    seg->number = pl_jb_take(b, 4);
    const uint32_t flags = pl_jb_take(b, 1);
    seg->type = (int)(flags & 63);
    platen_status s = b->over ? pl_jb_damaged(&d->budget, "cut off") : read_refs(d, b, seg);
    if (s)
        return s;
    (void)pl_jb_take(b, flags >> 6 & 1 ? 4 : 1); /* the page: there is one in a stream of PDF */
    uint32_t n = pl_jb_take(b, 4);
    if (b->over)
        return pl_jb_damaged(&d->budget, "cut off");
    if (n == UINT32_MAX)
        s = find_length(d, b, seg, &n);
    if (s)
        return s;
    const size_t left = (size_t)(b->end - b->at);
    seg->cut = n > left;
    if (seg->cut)
        (void)!pl_fail(d->err, PLATEN_ERR_FORMAT,
                       "damaged jbig2: a segment of %lu bytes where %zu are left", (unsigned long)n,
                       left);
    n = (uint32_t)PL_MIN(n, left);
    seg->data = (struct pl_jb_bytes){.at = b->at, .end = b->at + n};
    b->at += n;
    return PLATEN_OK;
}

/* ---- what segments refer to ---- */

static platen_status find_segment(struct jb_decoder *d, uint32_t number,
                                  const struct jb_segment **ret)
{
    platen_status s = pl_jb_spend(&d->budget, 1 + d->n / PL_JB_THING_PX);
    if (s)
        return s;
    for (size_t i = d->n; i--;)
        if (d->v[i].number == number) {
            *ret = &d->v[i];
            return d->v[i].lost ? pl_fail(d->err, PLATEN_ERR_FORMAT,
                                          "damaged jbig2: a segment refers to number %lu, which is "
                                          "damaged",
                                          (unsigned long)number)
                                : PLATEN_OK;
        }
    return pl_fail(d->err, PLATEN_ERR_FORMAT,
                   "damaged jbig2: a segment refers to number %lu, which there is not before it",
                   (unsigned long)number);
}

/* Counts what dictionaries of that type and tables have to which the segment refers. */
static platen_status count_given(struct jb_decoder *d, const struct jb_segment *seg, int type,
                                 size_t *ret_symbols, size_t *ret_tables)
{
    const struct jb_segment *from = NULL;
    platen_status s = PLATEN_OK;
    *ret_symbols = *ret_tables = 0;
    for (uint32_t i = 0; i < seg->n_refs; i++) {
        s = find_segment(d, d->refs[seg->first_ref + i], &from);
        if (s)
            return s;
        *ret_symbols += from->type == type ? from->symbols.n : 0;
        *ret_tables += from->type == TABLE;
        if (*ret_symbols > PL_JB_MAX_SYMBOLS)
            return pl_fail(d->err, PLATEN_ERR_LIMIT, "more than %u symbols for a jbig2 segment",
                           PL_JB_MAX_SYMBOLS);
    }
    return pl_jb_spend(&d->budget, *ret_symbols);
}

static void add_given(const struct jb_segment *from, int type, struct pl_jb_given *to)
{
    if (from->type == TABLE)
        to->tables.v[to->tables.n++] = &from->table;
    if (from->type != type)
        return;
    if (from->symbols.n)
        memcpy(to->symbols.v + to->symbols.n, from->symbols.v,
               from->symbols.n * sizeof(*to->symbols.v));
    to->symbols.n += from->symbols.n;
    to->symbols.kept = from->symbols.kept;
}

static void given_done(struct pl_jb_given *g)
{
    pl_jb_symbols_done(&g->symbols);
    pl_free(g->tables.v);
}

/* Lists what a segment is given by those that it refers to: of dictionaries, those of that type. */
static platen_status gather(struct jb_decoder *d, const struct jb_segment *seg, int type,
                            struct pl_jb_given *ret)
{
    const struct jb_segment *from = NULL;
    size_t n, n_tables;
    *ret = (struct pl_jb_given){.symbols = {0}};
    platen_status s = count_given(d, seg, type, &n, &n_tables);
    if (s)
        return s;
    ret->symbols.v = pl_alloc(PL_MAX(n, (size_t)1), sizeof(*ret->symbols.v));
    ret->tables.v = pl_alloc(PL_MAX(n_tables, (size_t)1), sizeof(*ret->tables.v));
    if (!ret->symbols.v || !ret->tables.v)
        return pl_fail_nomem(d->err, n * sizeof(*ret->symbols.v), "jbig2 symbols");
    for (uint32_t i = 0; !s && i < seg->n_refs; i++) {
        s = find_segment(d, d->refs[seg->first_ref + i], &from);
        if (!s)
            add_given(from, type, ret);
    }
    return s;
}

/* ---- regions ---- */

struct jb_region {
    uint32_t width, height, x, y;
    enum pl_jb_operator op;
    bool colored;
};

/* Reads the head of a region (7.4.1). */
static struct jb_region read_region(struct pl_jb_bytes *b)
{
    struct jb_region r;
    r.width = pl_jb_take(b, 4);
    r.height = pl_jb_take(b, 4);
    r.x = pl_jb_take(b, 4);
    r.y = pl_jb_take(b, 4);
    const uint32_t flags = pl_jb_take(b, 1), op = flags & 7;
    r.colored = flags >> 3 & 1;
    r.op = op < PL_JB_REPLACE ? (enum pl_jb_operator)op : PL_JB_REPLACE;
    return r;
}

/* *ret_rows: how many came, of a region that is cut off. */
static platen_status read_generic(struct jb_decoder *d, struct pl_jb_bytes *b,
                                  struct pl_jb_bitmap *to, int *ret_rows)
{
    const uint32_t flags = pl_jb_take(b, 1);
    struct pl_jb_generic g = {.template = (int)(flags >> 1 & 3), .typical = flags >> 3 & 1};
    struct pl_mq mq;
    if (flags & 1)
        return pl_jb_read_mmr(&d->budget, b, to);
    if (!g.template && flags >> 4 & 1)
        g.template = PL_JB_EXTENDED;
    pl_jb_take_at(b, &g);
    if (b->over)
        return pl_jb_damaged(&d->budget, "a region without its head");
    uint8_t *contexts = pl_alloc_zero(PL_JB_GENERIC_CONTEXTS, 1);
    if (!contexts)
        return pl_fail_nomem(d->err, PL_JB_GENERIC_CONTEXTS, "the contexts of a jbig2 picture");
    pl_mq_init(&mq, b->at, (size_t)(b->end - b->at));
    *ret_rows = pl_jb_generic(&mq, &g, contexts, to);
    pl_free(contexts);
    return PLATEN_OK;
}

/* Decodes a refinement of a region that was kept, or else of the page (7.4.7). */
static platen_status read_refinement(struct jb_decoder *d, const struct jb_segment *seg,
                                     struct pl_jb_bytes *b, const struct jb_region *at,
                                     struct pl_jb_bitmap *to)
{
    const uint32_t flags = pl_jb_take(b, 1);
    struct pl_jb_refine r = {.template = (int)(flags & 1), .typical = flags >> 1 & 1};
    struct pl_mq mq;
    for (int i = 0; !r.template && i < 4; i++)
        r.at[i] = (int8_t)pl_jb_take(b, 1);
    const struct jb_segment *from = NULL, *ref = NULL;
    for (uint32_t i = 0; !from && i < seg->n_refs; i++) {
        platen_status s = find_segment(d, d->refs[seg->first_ref + i], &ref);
        if (s)
            return s;
        from = ref->bitmap.px ? ref : NULL;
    }
    r.from = from ? &from->bitmap : &d->page;
    r.dx = from ? 0 : -(int64_t)at->x;
    r.dy = from ? 0 : -(int64_t)at->y;
    if (b->over || !r.from->px)
        return pl_jb_damaged(&d->budget, "a refinement of nothing");
    uint8_t *contexts = pl_alloc_zero(PL_JB_REFINE_CONTEXTS, 1);
    if (!contexts)
        return pl_fail_nomem(d->err, PL_JB_REFINE_CONTEXTS, "the contexts of a jbig2 picture");
    pl_mq_init(&mq, b->at, (size_t)(b->end - b->at));
    pl_jb_refine(&mq, &r, contexts, to);
    pl_free(contexts);
    return PLATEN_OK;
}

static platen_status read_pixels(struct jb_decoder *d, const struct jb_segment *seg,
                                 struct pl_jb_bytes *b, const struct jb_region *at,
                                 struct pl_jb_bitmap *to, int *ret_rows)
{
    const int kind = seg->type & ~3;
    struct pl_jb_given in;
    if (kind == GENERIC)
        return read_generic(d, b, to, ret_rows);
    if (seg->cut)
        return PLATEN_ERR_FORMAT;
    if (kind == REFINEMENT)
        return read_refinement(d, seg, b, at, to);
    platen_status s = gather(d, seg, kind == TEXT ? SYMBOLS : PATTERNS, &in);
    if (!s)
        s = kind == TEXT ? pl_jb_read_text(b, &in, &d->budget, to)
                         : pl_jb_read_halftone(b, &in.symbols, &d->budget, to);
    given_done(&in);
    return s;
}

/* Takes the rows of a region from behind its bytes: it may have ended earlier than its head says.
 */
static void take_rows(struct pl_jb_bytes *b, struct jb_region *at)
{
    struct pl_jb_bytes rows = {.at = b->end - 4, .end = b->end};
    b->end = rows.at;
    const uint32_t n = pl_jb_take(&rows, 4);
    at->height = PL_MIN(n, at->height);
}

static void note_damage(struct jb_decoder *d)
{
    if (!d->why.code)
        d->why = *d->err;
}

static platen_status run_region(struct jb_decoder *d, struct jb_segment *seg)
{
    struct pl_jb_bytes b = seg->data;
    struct jb_region at = read_region(&b);
    struct pl_jb_bitmap made = {0};
    int rows = 0;
    if (b.over)
        return seg->cut ? PLATEN_ERR_FORMAT
                        : pl_jb_damaged(&d->budget, "a region without its head");
    if (at.colored)
        return pl_fail(d->err, PLATEN_ERR_UNSUPPORTED, "the jbig2 picture has colours");
    if (seg->rows_at_end)
        take_rows(&b, &at);
    platen_status s = pl_jb_bitmap_init(&d->budget, at.width, at.height, &made);
    s = s ? s : read_pixels(d, seg, &b, &at, &made, &rows);
    if (!s && seg->cut) {
        note_damage(d);
        for (int y = rows; y < made.height; y++)
            memset(made.px + (ptrdiff_t)y * made.stride, 0, (size_t)made.width);
        lose_rows(d, (uint64_t)at.y + (uint64_t)rows, (uint64_t)at.y + at.height);
    }
    d->drawn = PL_MAX(d->drawn, (uint32_t)PL_MIN((uint64_t)at.y + at.height, (uint64_t)UINT32_MAX));
    if (!s && !(seg->type & 3)) {
        seg->bitmap = made;
        return s;
    }
    if (!s)
        s = pl_jb_draw(&d->budget, &made, at.x, at.y, at.op, &d->page);
    pl_jb_bitmap_done(&made);
    return s;
}

/* Takes the colour of the page from its head (7.4.8). The size is that of the picture in the
 * PDF, since a page need not tell its height. */
static void run_page(struct jb_decoder *d, const struct jb_segment *seg)
{
    struct pl_jb_bytes b = seg->data;
    b.at += PL_MIN((ptrdiff_t)16, b.end - b.at);
    if (pl_jb_take(&b, 1) >> 2 & 1)
        pl_jb_blacken(&d->page);
}

/* Passes over an extension, unless a page is not whole without it (7.4.16). */
static platen_status run_extension(struct jb_decoder *d, const struct jb_segment *seg)
{
    struct pl_jb_bytes b = seg->data;
    const uint32_t type = pl_jb_take(&b, 4);
    if (type >> 31)
        return pl_fail(d->err, PLATEN_ERR_UNSUPPORTED,
                       "the jbig2 picture needs an extension of type %08lx", (unsigned long)type);
    return PLATEN_OK;
}

static platen_status run_dictionary(struct jb_decoder *d, struct jb_segment *seg)
{
    struct pl_jb_given in;
    struct pl_jb_bytes b = seg->data;
    platen_status s = gather(d, seg, SYMBOLS, &in);
    s = s ? s : pl_jb_read_symbols(&b, &in, &d->budget, &seg->symbols);
    given_done(&in);
    return s;
}

static platen_status run_segment(struct jb_decoder *d, struct jb_segment *seg)
{
    struct pl_jb_bytes b = seg->data;
    switch (seg->type) {
    case SYMBOLS:
        return run_dictionary(d, seg);
    case PATTERNS:
        return pl_jb_read_patterns(&b, &d->budget, &seg->symbols);
    case TABLE:
        return pl_jb_table_read(&b, &d->budget, &seg->table);
    case PAGE:
        run_page(d, seg);
        return PLATEN_OK;
    case END_OF_PAGE:
    case END_OF_STRIPE:
    case END_OF_FILE:
    case PROFILES:
    case PALETTE: /* of regions that are told to have colours, and are refused */
        return PLATEN_OK;
    case EXTENSION:
        return run_extension(d, seg);
    default:
        break;
    }
    if (is_region(seg->type))
        return run_region(d, seg);
    return pl_fail(d->err, PLATEN_ERR_FORMAT,
                   "damaged jbig2: a segment of type %d, which there is not", seg->type);
}

/* Gives up a segment: the rows of a region, or all that refers to a dictionary. What is neither may
 * have been any region; below the lowest one if it is cut off, which the caller sees to. */
static void lose_segment(struct jb_decoder *d, struct jb_segment *seg)
{
    struct pl_jb_bytes b = seg->data;
    note_damage(d);
    seg->lost = true;
    if (seg->type == SYMBOLS || seg->type == PATTERNS || seg->type == TABLE)
        return;
    if (!is_region(seg->type)) {
        if (!seg->cut)
            lose_rows(d, 0, UINT64_MAX);
        return;
    }
    const struct jb_region at = read_region(&b);
    lose_rows(d, b.over ? 0 : at.y, b.over ? UINT64_MAX : (uint64_t)at.y + at.height);
}

/* Runs the segments that can be read. Behind a head that cannot none is found, and what would stand
 * below the lowest region does not come. */
static platen_status run_stream(struct jb_decoder *d, const uint8_t *data, size_t n)
{
    struct pl_jb_bytes b = {.at = data, .end = n ? data + n : data};
    platen_status s = PLATEN_OK;
    while (!s && b.at < b.end) {
        struct jb_segment seg = {0};
        if (d->n == MAX_SEGMENTS)
            return pl_fail(d->err, PLATEN_ERR_LIMIT, "a jbig2 picture of more than %d segments",
                           MAX_SEGMENTS);
        struct jb_segment *v = d->n % 64 ? d->v : pl_realloc(d->v, d->n + 64, sizeof(*v));
        if (!v)
            return pl_fail_nomem(d->err, (d->n + 64) * sizeof(*v), "a jbig2 picture");
        d->v = v;
        s = read_header(d, &b, &seg);
        if (s == PLATEN_ERR_FORMAT) {
            note_damage(d);
            lose_rows(d, d->drawn, UINT64_MAX);
            return PLATEN_OK;
        }
        if (!s)
            s = seg.cut && !is_region(seg.type) ? PLATEN_ERR_FORMAT : run_segment(d, &seg);
        if (s == PLATEN_ERR_FORMAT) {
            lose_segment(d, &seg);
            s = PLATEN_OK;
        }
        if (seg.cut) /* nothing comes behind it */
            lose_rows(d, d->drawn, UINT64_MAX);
        d->v[d->n++] = seg;
    }
    return s;
}

static platen_status put_page(struct jb_decoder *d, struct pl_decoded *ret,
                              struct platen_error *err)
{
    struct pl_image *im = &ret->image;
    uint64_t rows = 0;
    platen_status s = PLATEN_OK;
    for (int y = 0; y < d->page.height; y++)
        rows += !d->lost[y];
    if (d->why.code)
        s = pl_damage_settle(d->why.code, &d->why, rows, (uint64_t)d->page.height, &ret->damage,
                             err);
    s = s ? s : pl_image_init(d->src->env, d->page.width, d->page.height, PL_GRAY8, im, err);
    if (s)
        return s;
    for (int y = 0; y < im->height; y++) {
        const uint8_t *from = d->page.px + (ptrdiff_t)y * d->page.stride;
        uint8_t *to = pl_image_row(im, y);
        for (int x = 0; x < im->width; x++)
            to[x] = from[x] && !d->lost[y] ? 0 : 255;
    }
    im->bilevel = true;
    return PLATEN_OK;
}

platen_status pl_jbig2_decode(const struct pl_source *src, const uint8_t *globals, size_t n_globals,
                              int width, int height, struct pl_decoded *ret,
                              struct platen_error *err)
{
    const uint64_t px = (uint64_t)width * (uint64_t)height, bytes = (uint64_t)n_globals + src->n,
                   symbols = PL_MIN(bytes * PX_PER_BYTE + SPARE_PX, src->opt->max_pixels);
    struct platen_error now = {.text = ""};
    struct jb_decoder d = {
        .src = src,
        .err = &now,
        .budget = {px * PX_PER_PX + symbols, src, &now},
        .lost = pl_alloc_zero((size_t)height, sizeof(*d.lost)),
    };
    platen_status s = d.lost ? pl_jb_bitmap_init(&d.budget, width, height, &d.page)
                             : pl_fail_nomem(&now, (size_t)height, "a jbig2 picture");
    s = s ? s : run_stream(&d, globals, n_globals);
    s = s ? s : run_stream(&d, src->data, src->n);
    if (s && err)
        *err = now;
    s = s ? s : put_page(&d, ret, err);
    pl_free(d.lost);
    for (size_t i = 0; i < d.n; i++) {
        pl_jb_symbols_done(&d.v[i].symbols);
        pl_jb_table_done(&d.v[i].table);
        pl_jb_bitmap_done(&d.v[i].bitmap);
    }
    pl_free(d.v);
    pl_free(d.refs);
    pl_jb_bitmap_done(&d.page);
    return s;
}
