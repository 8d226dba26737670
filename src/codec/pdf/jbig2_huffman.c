/* SPDX-License-Identifier: BSD-2-Clause */
#include "codec/pdf/jbig2_huffman.h"

#include <assert.h>

#include "base/mem.h"
#include "base/status.h"

/* What stands in the place of a number of bits: the lines of all numbers below `low`, of all from
 * `low` on, and of "out of band". */
enum { BELOW = 33, ABOVE, OUT_OF_BAND };
#define FAR_BITS 32

/* The numbers low .. low + (1 << bits) - 1, whose word has `length` bits and is followed by `bits`
 * more. */
struct pl_jb_line {
    uint8_t length, bits;
    int64_t low;
};

/* Tables B.1 to B.15, one after the other: each ends with a line of no word. */
static const struct pl_jb_line standard[] = {
    {1, 4, 0},        {2, 8, 16},          {3, 16, 272},        {3, ABOVE, 65808},
    {0, 0, 0},        {1, 0, 0},           {2, 0, 1},           {3, 0, 2},
    {4, 3, 3},        {5, 6, 11},          {6, ABOVE, 75},      {6, OUT_OF_BAND, 0},
    {0, 0, 0},        {8, 8, -256},        {1, 0, 0},           {2, 0, 1},
    {3, 0, 2},        {4, 3, 3},           {5, 6, 11},          {8, BELOW, -257},
    {7, ABOVE, 75},   {6, OUT_OF_BAND, 0}, {0, 0, 0},           {1, 0, 1},
    {2, 0, 2},        {3, 0, 3},           {4, 3, 4},           {5, 6, 12},
    {5, ABOVE, 76},   {0, 0, 0},           {7, 8, -255},        {1, 0, 1},
    {2, 0, 2},        {3, 0, 3},           {4, 3, 4},           {5, 6, 12},
    {7, BELOW, -256}, {6, ABOVE, 76},      {0, 0, 0},           {5, 10, -2048},
    {4, 9, -1024},    {4, 8, -512},        {4, 7, -256},        {5, 6, -128},
    {5, 5, -64},      {4, 5, -32},         {2, 7, 0},           {3, 7, 128},
    {3, 8, 256},      {4, 9, 512},         {4, 10, 1024},       {6, BELOW, -2049},
    {6, ABOVE, 2048}, {0, 0, 0},           {4, 9, -1024},       {3, 8, -512},
    {4, 7, -256},     {5, 6, -128},        {5, 5, -64},         {4, 5, -32},
    {4, 5, 0},        {5, 5, 32},          {5, 6, 64},          {4, 7, 128},
    {3, 8, 256},      {3, 9, 512},         {3, 10, 1024},       {5, BELOW, -1025},
    {5, ABOVE, 2048}, {0, 0, 0},           {8, 3, -15},         {9, 1, -7},
    {8, 1, -5},       {9, 0, -3},          {7, 0, -2},          {4, 0, -1},
    {2, 1, 0},        {5, 0, 2},           {6, 0, 3},           {3, 4, 4},
    {6, 1, 20},       {4, 4, 22},          {4, 5, 38},          {5, 6, 70},
    {5, 7, 134},      {6, 7, 262},         {7, 8, 390},         {6, 10, 646},
    {9, BELOW, -16},  {9, ABOVE, 1670},    {2, OUT_OF_BAND, 0}, {0, 0, 0},
    {8, 4, -31},      {9, 2, -15},         {8, 2, -11},         {9, 1, -7},
    {7, 1, -5},       {4, 1, -3},          {3, 1, -1},          {3, 1, 1},
    {5, 1, 3},        {6, 1, 5},           {3, 5, 7},           {6, 2, 39},
    {4, 5, 43},       {4, 6, 75},          {5, 7, 139},         {5, 8, 267},
    {6, 8, 523},      {7, 9, 779},         {6, 11, 1291},       {9, BELOW, -32},
    {9, ABOVE, 3339}, {2, OUT_OF_BAND, 0}, {0, 0, 0},           {7, 4, -21},
    {8, 0, -5},       {7, 0, -4},          {5, 0, -3},          {2, 2, -2},
    {5, 0, 2},        {6, 0, 3},           {7, 0, 4},           {8, 0, 5},
    {2, 6, 6},        {5, 5, 70},          {6, 5, 102},         {6, 6, 134},
    {6, 7, 198},      {6, 8, 326},         {6, 9, 582},         {6, 10, 1094},
    {7, 11, 2118},    {8, BELOW, -22},     {8, ABOVE, 4166},    {2, OUT_OF_BAND, 0},
    {0, 0, 0},        {1, 0, 1},           {2, 1, 2},           {4, 0, 4},
    {4, 1, 5},        {5, 1, 7},           {5, 2, 9},           {6, 2, 13},
    {7, 2, 17},       {7, 3, 21},          {7, 4, 29},          {7, 5, 45},
    {7, 6, 77},       {7, ABOVE, 141},     {0, 0, 0},           {1, 0, 1},
    {2, 0, 2},        {3, 1, 3},           {5, 0, 5},           {5, 1, 6},
    {6, 1, 8},        {7, 0, 10},          {7, 1, 11},          {7, 2, 13},
    {7, 3, 17},       {7, 4, 25},          {8, 5, 41},          {8, ABOVE, 73},
    {0, 0, 0},        {1, 0, 1},           {3, 0, 2},           {4, 0, 3},
    {5, 0, 4},        {4, 1, 5},           {3, 3, 7},           {6, 1, 15},
    {6, 2, 17},       {6, 3, 21},          {6, 4, 29},          {6, 5, 45},
    {7, 6, 77},       {7, ABOVE, 141},     {0, 0, 0},           {3, 0, -2},
    {3, 0, -1},       {1, 0, 0},           {3, 0, 1},           {3, 0, 2},
    {0, 0, 0},        {7, 4, -24},         {6, 2, -8},          {5, 1, -4},
    {4, 0, -2},       {3, 0, -1},          {1, 0, 0},           {3, 0, 1},
    {4, 0, 2},        {5, 1, 3},           {6, 2, 5},           {7, 4, 9},
    {7, BELOW, -25},  {7, ABOVE, 25},      {0, 0, 0},
};
#define MAX_LINES 32
#define MAX_OWN_LINES 65536

uint32_t pl_jb_take_bits(struct pl_jb_bits *b, int n)
{
    uint32_t v = 0;
    for (; n > 0; n--) {
        if (!b->left) {
            b->byte = pl_jb_take(b->from, 1);
            b->left = 8;
        }
        v = v << 1 | (b->byte >> --b->left & 1);
    }
    return v;
}

void pl_jb_align(struct pl_jb_bits *b)
{
    b->left = 0;
}

/* Whether words of these lengths can be told apart: none is the beginning of another one. */
static bool words_differ(const uint8_t *lengths, uint32_t n)
{
    uint64_t taken = 0; /* of all words of PL_JB_CODE_BITS bits */
    for (uint32_t i = 0; i < n; i++)
        taken += lengths[i] ? (uint64_t)1 << (PL_JB_CODE_BITS - lengths[i]) : 0;
    return taken <= (uint64_t)1 << PL_JB_CODE_BITS;
}

/* Makes the code of n things from the lengths of their words; 0 is a thing that does not occur.
 * PLATEN_ERR_FORMAT where there are more words than such lengths allow, _NOMEM. */
static platen_status make_table(struct pl_jb_budget *budget, const uint8_t *lengths, uint32_t n,
                                struct pl_jb_table *ret)
{
    uint32_t at = 0;
    if (!words_differ(lengths, n))
        return pl_jb_damaged(budget, "a Huffman code of more words than can be told apart");
    struct pl_jb_table t = {.things = pl_alloc(PL_MAX(n, 1u), sizeof(*t.things))};
    if (!t.things)
        return pl_fail_nomem(budget->err, n * sizeof(*t.things), "a jbig2 code");
    for (int length = 1; length <= PL_JB_CODE_BITS; length++)
        for (uint32_t i = 0; i < n; i++)
            if (lengths[i] == length) {
                t.things[at++] = i;
                t.count[length]++;
            }
    *ret = t;
    return PLATEN_OK;
}

platen_status pl_jb_table_standard(struct pl_jb_budget *budget, int number, struct pl_jb_table *ret)
{
    const struct pl_jb_line *line = standard;
    uint8_t lengths[MAX_LINES];
    uint32_t n = 0;
    assert(number >= 1 && number <= 15);
    while (--number)
        while ((line++)->length)
            ;
    for (; line[n].length; n++)
        lengths[n] = line[n].length;
    platen_status s = make_table(budget, lengths, n, ret);
    if (!s)
        ret->lines = line;
    return s;
}

/* The lines of a table that a file brings along, while they are read. */
struct jb_lines {
    struct pl_jb_bits bits;
    int length_bits; /* with which the length of a word is told */
    struct pl_jb_line *v;
    uint8_t *lengths;
    uint32_t n;
};

static platen_status add_line(struct jb_lines *l, uint32_t length, uint32_t bits, int64_t low,
                              struct pl_jb_budget *budget)
{
    if (l->bits.from->over)
        return pl_jb_damaged(budget, "a Huffman table that is cut off");
    if (l->n == MAX_OWN_LINES)
        return pl_fail(budget->err, PLATEN_ERR_LIMIT, "a jbig2 Huffman table of more than %d lines",
                       MAX_OWN_LINES);
    if (length > PL_JB_CODE_BITS || bits > OUT_OF_BAND)
        return pl_jb_damaged(budget, "a Huffman table with numbers of more than 32 bits");
    l->lengths[l->n] = (uint8_t)length;
    l->v[l->n++] = (struct pl_jb_line){(uint8_t)length, (uint8_t)bits, low};
    return PLATEN_OK;
}

/* Reads the lines of the numbers from `low` to `high`, that one not included, and those of all
 * others. */
static platen_status read_lines(struct jb_lines *l, uint32_t flags, int64_t low, int64_t high,
                                struct pl_jb_budget *budget)
{
    const int range_bits = 1 + (int)(flags >> 4 & 7);
    platen_status s = PLATEN_OK;
    int64_t at = low;
    while (!s && at < high) {
        const uint32_t length = pl_jb_take_bits(&l->bits, l->length_bits),
                       bits = pl_jb_take_bits(&l->bits, range_bits);
        s = add_line(l, length, bits > FAR_BITS ? UINT32_MAX : bits, at, budget);
        at += s ? 0 : (int64_t)1 << bits;
    }
    if (!s)
        s = add_line(l, pl_jb_take_bits(&l->bits, l->length_bits), BELOW, low - 1, budget);
    if (!s)
        s = add_line(l, pl_jb_take_bits(&l->bits, l->length_bits), ABOVE, high, budget);
    if (!s && flags & 1)
        s = add_line(l, pl_jb_take_bits(&l->bits, l->length_bits), OUT_OF_BAND, 0, budget);
    return s;
}

platen_status pl_jb_table_read(struct pl_jb_bytes *data, struct pl_jb_budget *budget,
                               struct pl_jb_table *ret)
{
    const uint32_t flags = pl_jb_take(data, 1);
    const int32_t low = (int32_t)pl_jb_take(data, 4), high = (int32_t)pl_jb_take(data, 4);
    struct jb_lines l = {.bits = {.from = data}, .length_bits = 1 + (int)(flags >> 1 & 7)};
    if (data->over || low > high)
        return pl_jb_damaged(budget, "the head of a Huffman table");
    const size_t most = PL_MIN((size_t)(data->end - data->at) * 8 + 1, (size_t)MAX_OWN_LINES);
    platen_status s = pl_jb_spend(budget, most);
    if (s)
        return s;
    l.v = pl_alloc(most, sizeof(*l.v));
    l.lengths = pl_alloc(most, 1);
    if (!l.v || !l.lengths)
        s = pl_fail_nomem(budget->err, most * sizeof(*l.v), "a jbig2 code");
    s = s ? s : read_lines(&l, flags, low, high, budget);
    s = s ? s : make_table(budget, l.lengths, l.n, ret);
    pl_free(l.lengths);
    if (s)
        pl_free(l.v);
    else
        ret->lines = ret->own_lines = l.v;
    return s;
}

static platen_status lend_table(struct pl_jb_budget *budget, struct pl_jb_own_tables *own,
                                struct pl_jb_table *ret)
{
    if (own->taken == own->n)
        return pl_jb_damaged(budget, "a segment that refers to fewer Huffman tables than it uses");
    *ret = *own->v[own->taken++];
    ret->borrowed = true;
    return PLATEN_OK;
}

platen_status pl_jb_tables_choose(struct pl_jb_budget *budget, const struct pl_jb_choice *choices,
                                  int n, uint32_t flags, struct pl_jb_own_tables *own,
                                  struct pl_jb_table *ret)
{
    platen_status s = PLATEN_OK;
    for (int i = 0; !s && i < n; i++) {
        const struct pl_jb_choice *c = &choices[i];
        const uint32_t choice = flags >> c->shift & c->mask;
        if (choice == c->mask)
            s = lend_table(budget, own, &ret[i]);
        else if (choice >= c->n)
            s = pl_jb_damaged(budget, "a Huffman table that the standard has not");
        else
            s = pl_jb_table_standard(budget, c->first + (int)choice, &ret[i]);
    }
    return s;
}

void pl_jb_table_done(struct pl_jb_table *t)
{
    if (!t->borrowed) {
        pl_free(t->things);
        pl_free(t->own_lines);
    }
    *t = (struct pl_jb_table){.things = NULL};
}

/* The words of a length are numbers that follow each other, and the first one of each length
 * follows from those before. */
uint32_t pl_jb_huffman_thing(struct pl_jb_bits *b, const struct pl_jb_table *t)
{
    uint64_t word = 0, first = 0;
    uint32_t at = 0;
    for (int length = 1; length <= PL_JB_CODE_BITS && !b->from->over; length++) {
        word = word << 1 | pl_jb_take_bits(b, 1);
        first = (first + (length > 1 ? t->count[length - 1] : 0)) << 1;
        if (word >= first && word - first < t->count[length])
            return t->things[at + (word - first)];
        at += t->count[length];
    }
    b->from->over = true;
    return 0;
}

bool pl_jb_huffman_int(struct pl_jb_bits *b, const struct pl_jb_table *t, int32_t *ret)
{
    const struct pl_jb_line *line = &t->lines[pl_jb_huffman_thing(b, t)];
    if (b->from->over || line->bits == OUT_OF_BAND)
        return false;
    int64_t v = line->low;
    if (line->bits == BELOW)
        v -= pl_jb_take_bits(b, FAR_BITS);
    else
        v += pl_jb_take_bits(b, line->bits == ABOVE ? FAR_BITS : line->bits);
    *ret = (int32_t)PL_MAX(PL_MIN(v, (int64_t)INT32_MAX), -(int64_t)INT32_MAX);
    return true;
}

/* The words for lengths of words: 0 to 31, the length before once more, and no word. */
enum { REPEAT_LAST = 32, REPEAT_NONE, REPEAT_NONE_LONG, LENGTH_WORDS };

/* Reads the lengths of n words, runs of which may be told together. */
static platen_status read_lengths(struct pl_jb_bits *b, const struct pl_jb_table *t, uint32_t n,
                                  struct pl_jb_budget *budget, uint8_t *lengths)
{
    for (uint32_t i = 0; i < n;) {
        const uint32_t word = pl_jb_huffman_thing(b, t);
        uint32_t run = 1;
        uint8_t length = 0;
        if (word < REPEAT_LAST)
            length = (uint8_t)word;
        else if (word == REPEAT_LAST)
            run = 3 + pl_jb_take_bits(b, 2);
        else if (word == REPEAT_NONE)
            run = 3 + pl_jb_take_bits(b, 3);
        else
            run = 11 + pl_jb_take_bits(b, 7);
        if (b->from->over || run > n - i || (word == REPEAT_LAST && !i))
            return pl_jb_damaged(budget, "a code of symbols");
        if (word == REPEAT_LAST)
            length = lengths[i - 1];
        while (run--)
            lengths[i++] = length;
    }
    return PLATEN_OK;
}

platen_status pl_jb_huffman_symbols(struct pl_jb_bits *b, uint32_t n, struct pl_jb_budget *budget,
                                    struct pl_jb_table *ret)
{
    uint8_t of_lengths[LENGTH_WORDS];
    struct pl_jb_table t = {.things = NULL};
    for (int i = 0; i < LENGTH_WORDS; i++)
        of_lengths[i] = (uint8_t)pl_jb_take_bits(b, 4);
    platen_status s = make_table(budget, of_lengths, LENGTH_WORDS, &t);
    uint8_t *lengths = s ? NULL : pl_alloc(PL_MAX(n, 1u), 1);
    if (!s && !lengths)
        s = pl_fail_nomem(budget->err, n, "a jbig2 code");
    s = s ? s : read_lengths(b, &t, n, budget, lengths);
    s = s ? s : make_table(budget, lengths, n, ret);
    pl_jb_align(b);
    pl_free(lengths);
    pl_jb_table_done(&t);
    return s;
}
