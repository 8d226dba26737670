/* SPDX-License-Identifier: BSD-2-Clause */
#include "recognize/language/lexicon.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/text.h"
#include "recognize/language/automaton.h"
#include "recognize/language/scripts.h"

struct pl_lexicon {
    const uint32_t *edges; /* its own, or those of a file */
    size_t n;
    uint32_t root;
    uint32_t *own; /* NULL where they are a file's */
};

/* The words of a user's list while it is read. */
struct list {
    struct pl_arena arena;
    const char **words; /* in small letters */
    size_t n;
};

/* Writes s[0..n) in small letters to ret, which has room for as many bytes, since a small letter
 * is never longer than its capital. Returns the bytes; 0 where s is not UTF-8 or holds a blank
 * or a control character. */
static size_t fold(const char *s, size_t n, char *ret)
{
    size_t len = 0;
    for (size_t i = 0, k; i < n; i += k) {
        uint32_t c;
        k = pl_utf8_get(s + i, n - i, &c);
        if (!k || c <= 0x20 || c == 0x7f || c == 0xa0)
            return 0;
        len += pl_utf8_put(ret + len, pl_small_letter(c));
    }
    return len;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static platen_status add_word(struct list *l, const char *s, size_t n, size_t number,
                              struct platen_error *err)
{
    char small[PL_LEXICON_MAX_WORD_BYTES];
    while (n && is_blank(s[0]))
        s++, n--;
    while (n && is_blank(s[n - 1]))
        n--;
    if (!n)
        return PLATEN_OK;
    if (n > PL_LEXICON_MAX_WORD_BYTES)
        return pl_fail(err, PLATEN_ERR_LIMIT, "line %zu: a word of more than %d bytes", number,
                       PL_LEXICON_MAX_WORD_BYTES);
    size_t len = fold(s, n, small);
    if (!len)
        return pl_fail(err, PLATEN_ERR_FORMAT,
                       "line %zu: not UTF-8, or a blank or control character within a word",
                       number);
    l->words[l->n] = pl_arena_strndup(&l->arena, small, len);
    return l->words[l->n++] ? PLATEN_OK : pl_fail_nomem(err, len, "a word");
}

static int compare_words(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static size_t count_lines(const char *p, size_t n)
{
    size_t lines = 1;
    for (size_t i = 0; i < n; i++)
        lines += p[i] == '\n';
    return lines;
}

static platen_status read_words(struct list *l, const char *p, const char *end,
                                struct platen_error *err)
{
    l->words = pl_alloc(count_lines(p, (size_t)(end - p)), sizeof(*l->words));
    if (!l->words)
        return pl_fail_nomem(err, (size_t)(end - p), "a dictionary");
    p += pl_utf8_mark(p, (size_t)(end - p));
    for (size_t number = 1; p < end; number++) {
        const char *nl = memchr(p, '\n', (size_t)(end - p));
        platen_status s = add_word(l, p, (size_t)((nl ? nl : end) - p), number, err);
        if (s)
            return s;
        p = nl ? nl + 1 : end;
    }
    if (l->n)
        qsort(l->words, l->n, sizeof(*l->words), compare_words);
    return PLATEN_OK;
}

platen_status pl_lexicon_parse(const void *text, size_t n, struct pl_lexicon **ret,
                               struct platen_error *err)
{
    struct list list = {.n = 0};
    struct pl_automaton built = {.n = 0};
    if (n > PL_LEXICON_MAX_BYTES)
        return pl_fail(err, PLATEN_ERR_LIMIT, "longer than %zu bytes", PL_LEXICON_MAX_BYTES);
    pl_auto(lexicon) l = pl_alloc_zero(1, sizeof(*l));
    if (!l)
        return pl_fail_nomem(err, sizeof(*l), "a dictionary");
    pl_arena_init(&list.arena);
    platen_status s = read_words(&list, text, (const char *)text + n, err);
    s = s ? s : pl_automaton_build(list.words, list.n, PL_LEXICON_MAX_WORD_BYTES, &built, err);
    pl_free(list.words);
    pl_arena_done(&list.arena);
    l->edges = l->own = built.edges;
    l->n = built.n;
    l->root = built.root;
    if (!s)
        *ret = pl_steal(l);
    return s;
}

platen_status pl_lexicon_map(const uint8_t *data, size_t n, struct pl_lexicon **ret,
                             struct platen_error *err)
{
    const uint32_t *v = (const uint32_t *)(const void *)data;
    const size_t edges = n / sizeof(*v) - (n >= sizeof(*v));
    if (n % sizeof(*v) || !edges || edges > PL_EDGES_MAX)
        return pl_fail(err, PLATEN_ERR_FORMAT, "section 'WORD' is no root and 1 to %zu edges",
                       PL_EDGES_MAX);
    bool sound = v[0] < edges && v[edges] & PL_EDGE_LAST;
    for (size_t i = 1; i <= edges; i++)
        sound = sound && v[i] >> PL_EDGE_NEXT < edges;
    if (!sound)
        return pl_fail(err, PLATEN_ERR_FORMAT, "section 'WORD' has an edge that leads nowhere");
    struct pl_lexicon *l = pl_alloc_zero(1, sizeof(*l));
    if (!l)
        return pl_fail_nomem(err, sizeof(*l), "a list of words");
    *l = (struct pl_lexicon){.edges = v + 1, .n = edges, .root = v[0]};
    *ret = l;
    return PLATEN_OK;
}

platen_status pl_lexicon_open(const char *path, struct pl_lexicon **ret, struct platen_error *err)
{
    struct pl_map map = {0};
    platen_status s = pl_map_read(path, PL_LEXICON_MAX_BYTES, &map, err);
    if (!s)
        s = pl_lexicon_parse(map.data, map.size, ret, err);
    pl_map_close(&map);
    return s ? pl_fail_prefix(err, s, "unable to read the words of '%s': ", path) : PLATEN_OK;
}

void pl_lexicon_free(struct pl_lexicon *l)
{
    if (!l)
        return;
    pl_free(l->own);
    pl_free(l);
}

size_t pl_lexicon_edges(const struct pl_lexicon *l)
{
    return l->n;
}

struct pl_spelling pl_lexicon_start(const struct pl_lexicon *l)
{
    return (struct pl_spelling){l->root, false};
}

bool pl_lexicon_spell(const struct pl_lexicon *l, struct pl_spelling *s, const char *symbol)
{
    char small[32];
    size_t n = strlen(symbol);
    struct pl_spelling at = *s;
    n = n < sizeof(small) ? fold(symbol, n, small) : 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t k = at.node;
        if (!k)
            return false;
        while ((l->edges[k] & PL_EDGE_BYTE) != (uint8_t)small[i])
            if (l->edges[k++] & PL_EDGE_LAST)
                return false;
        at.node = l->edges[k] >> PL_EDGE_NEXT;
        at.word = l->edges[k] & PL_EDGE_WORD;
    }
    if (n)
        *s = at;
    return n > 0;
}

bool pl_lexicon_has(const struct pl_lexicon *l, const char *word)
{
    struct pl_spelling s = pl_lexicon_start(l);
    uint32_t c;
    for (size_t n = strlen(word), k; n; word += k, n -= k) {
        char symbol[8] = {0};
        k = pl_utf8_get(word, n, &c);
        if (!k)
            return false;
        memcpy(symbol, word, k);
        if (pl_script_of(c) != PL_SCRIPT_NONE && !pl_lexicon_spell(l, &s, symbol))
            return false;
    }
    return s.word;
}
