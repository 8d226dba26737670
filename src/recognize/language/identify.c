/* SPDX-License-Identifier: BSD-2-Clause */
#include "recognize/language/identify.h"

#include <string.h>

#include "base/fmath.h"
#include "base/mem.h"

#define MAJOR 3 /* version of the file */
/* Characters of a piece at most, and of a word that count. */
#define ORDERS 4
#define LONGEST 40
/* The characters of a tag. */
#define TAG "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-"
/* Rows of a word: at each of its characters and its two ends up to ORDERS, and its shape. */
#define MAX_ROWS ((LONGEST + 2) * ORDERS + 1)

platen_status pl_identifier_open_memory(const void *data, size_t n, struct pl_identifier **ret,
                                        struct platen_error *err)
{
    pl_auto(identifier) id = pl_alloc_zero(1, sizeof(*id));
    if (!id)
        return pl_fail_nomem(err, sizeof(*id), "a language identifier");
    platen_status s = pl_scorer_read(data, n, MAJOR, false, &id->s, err);
    if (!s && id->s.width > PL_IDENTIFIER_MAX_WIDTH)
        s = pl_fail(err, PLATEN_ERR_LIMIT, "rows of more than %d numbers", PL_IDENTIFIER_MAX_WIDTH);
    for (size_t i = 0; i < id->s.n && !s; i++)
        if (strspn(id->s.names[i], TAG) != strlen(id->s.names[i]))
            s = pl_fail(err, PLATEN_ERR_FORMAT, "name %zu is not a tag of letters and '-'", i);
    if (!s)
        *ret = pl_steal(id);
    return s;
}

platen_status pl_identifier_open(const char *path, struct pl_identifier **ret,
                                 struct platen_error *err)
{
    struct pl_map map = {0};
    struct pl_identifier *id = NULL;
    platen_status s = pl_map_read(path, PL_CONTAINER_MAX_BYTES, &map, err);
    s = s ? s : pl_identifier_open_memory(map.data, map.size, &id, err);
    if (s) {
        pl_map_close(&map);
        return pl_fail_prefix(err, s, "unable to open model '%s': ", path);
    }
    id->s.map = map;
    *ret = id;
    return PLATEN_OK;
}

void pl_identifier_free(struct pl_identifier *id)
{
    if (!id)
        return;
    pl_scorer_done(&id->s);
    pl_free(id);
}

void pl_identifier_describe(const struct pl_identifier *id, struct pl_str *out)
{
    struct pl_str what = {0};
    pl_str_puts(&what, "language identifier:");
    for (size_t i = 0; i < id->s.n; i++)
        pl_str_printf(&what, " %s", id->s.names[i]);
    pl_scorer_describe(&id->s, what.failed ? "" : what.s, out);
    pl_str_done(&what);
}

/* Returns whether a code point is of a script of letters: up to Greek Extended. */
static bool is_letter(uint32_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= 0xc0 && c < 0x2000 && c != 0xd7 && c != 0xf7);
}

static bool is_digit(uint32_t c)
{
    return c >= '0' && c <= '9';
}

/* The row of a word's shape: what its characters are, equal neighbours once. */
static uint32_t shape_row(const struct pl_scorer *s, const uint32_t *word, size_t n)
{
    enum { NONE, DIGIT, CAPITAL, SMALL } last = NONE, kind;
    uint32_t h = 0;
    for (size_t i = 0; i < n; i++, last = kind) {
        kind = is_digit(word[i]) ? DIGIT : pl_small_letter(word[i]) != word[i] ? CAPITAL : SMALL;
        h = kind == last ? h : pl_scorer_mix(h, kind);
    }
    return pl_scorer_row(s, h + ORDERS + 1);
}

/* The rows of a word: of its pieces, blanks before and behind it, and of its shape. */
static size_t choose_rows(const struct pl_scorer *s, const uint32_t *word, size_t n,
                          uint32_t ret[MAX_ROWS])
{
    uint32_t symbols[LONGEST + 2] = {' '};
    size_t rows = 0;
    for (size_t i = 0; i < n; i++)
        symbols[i + 1] = is_digit(word[i]) ? '0' : pl_small_letter(word[i]);
    symbols[n + 1] = ' ';
    for (size_t i = 0; i < n + 2; i++) {
        uint32_t h = 0;
        for (uint32_t order = 1; order <= ORDERS && i + order <= n + 2; order++) {
            h = pl_scorer_mix(h, symbols[i + order - 1]);
            if (order > 1 || symbols[i] != ' ')
                ret[rows++] = pl_scorer_row(s, h + order);
        }
    }
    ret[rows++] = shape_row(s, word, n);
    return rows;
}

static void add_word(const struct pl_identifier *id, const struct pl_kernels *k,
                     const uint32_t *word, size_t n, struct pl_traits *t)
{
    uint32_t rows[MAX_ROWS];
    float sum[PL_IDENTIFIER_MAX_WIDTH];
    const size_t n_rows = choose_rows(&id->s, word, PL_MIN(n, (size_t)LONGEST), rows);
    k->embed_sum_u8(sum, id->s.width, id->s.table, rows, n_rows);
    for (size_t i = 0; i < id->s.width; i++)
        t->sum[i] += sum[i];
    t->pieces += (uint32_t)n_rows;
    for (size_t i = 0; i < n; i++) {
        const enum pl_script script = pl_script_of(word[i]);
        t->letters += is_letter(word[i]);
        t->cyrillic += script == PL_SCRIPT_CYRILLIC;
        t->greek += script == PL_SCRIPT_GREEK;
    }
}

enum pl_script pl_traits_script(const struct pl_traits *t)
{
    if (2 * (t->cyrillic + t->greek) <= t->letters)
        return PL_SCRIPT_LATIN;
    return t->cyrillic > t->greek ? PL_SCRIPT_CYRILLIC : PL_SCRIPT_GREEK;
}

/* Returns the end of the word that begins with the first code point; 0 where none does. */
static size_t word_end(const uint32_t *text, size_t n)
{
    size_t end = 0;
    while (end < n && (is_letter(text[end]) || is_digit(text[end])))
        end++;
    return end;
}

/* Whether a word is of two and more letters, all of them Cyrillic or Greek. */
static bool is_beyond_latin(const uint32_t *word, size_t n)
{
    size_t of = 0;
    for (size_t i = 0; i < n; i++)
        of +=
            pl_script_of(word[i]) == PL_SCRIPT_CYRILLIC || pl_script_of(word[i]) == PL_SCRIPT_GREEK;
    return n > 1 && of == n;
}

void pl_identifier_add(const struct pl_identifier *id, const struct pl_kernels *k,
                       const uint32_t *text, size_t n, struct pl_traits *t)
{
    bool beyond = false;
    for (size_t i = 0, m; i < n && !beyond; i += m + 1) {
        m = word_end(text + i, n - i);
        beyond = is_beyond_latin(text + i, m);
    }
    for (size_t i = 0, m; i < n; i += m + 1) {
        m = word_end(text + i, n - i);
        if (m && (!beyond || is_beyond_latin(text + i, m)))
            add_word(id, k, text + i, m, t);
    }
}

void pl_traits_add(struct pl_traits *to, const struct pl_traits *more)
{
    for (size_t i = 0; i < PL_IDENTIFIER_MAX_WIDTH; i++)
        to->sum[i] += more->sum[i];
    to->pieces += more->pieces;
    to->letters += more->letters;
    to->cyrillic += more->cyrillic;
    to->greek += more->greek;
}

void pl_identifier_judge(const struct pl_identifier *id, const struct pl_kernels *k,
                         const struct pl_traits *t, float ret[PL_IDENTIFIER_MAX_LANGUAGES])
{
    float mean[PL_IDENTIFIER_MAX_WIDTH] = {0};
    for (size_t i = 0; i < id->s.width && t->pieces; i++)
        mean[i] = t->sum[i] / (float)t->pieces;
    pl_scorer_guess(&id->s, k, mean, ret);
    for (size_t i = 0; i < id->s.n; i++)
        ret[i] = t->pieces ? pl_expf(ret[i]) : 1 / (float)id->s.n;
}
