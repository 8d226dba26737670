/* SPDX-License-Identifier: BSD-2-Clause */
#include "recognize/language/lexicon.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/text.h"

struct pl_lexicon {
    struct pl_arena arena;
    const char **words; /* in small letters, sorted by bytes */
    uint32_t n;
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

static platen_status add_word(struct pl_lexicon *l, const char *s, size_t n, size_t number,
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

platen_status pl_lexicon_parse(const void *text, size_t n, struct pl_lexicon **ret,
                               struct platen_error *err)
{
    const char *p = text, *end = p + n;
    if (n > PL_LEXICON_MAX_BYTES)
        return pl_fail(err, PLATEN_ERR_LIMIT, "longer than %zu bytes", PL_LEXICON_MAX_BYTES);
    pl_auto(lexicon) l = pl_alloc_zero(1, sizeof(*l));
    if (!l)
        return pl_fail_nomem(err, sizeof(*l), "a dictionary");
    pl_arena_init(&l->arena);
    l->words = pl_alloc(count_lines(p, n), sizeof(*l->words));
    if (!l->words)
        return pl_fail_nomem(err, n, "a dictionary");
    p += pl_utf8_mark(p, n);
    for (size_t number = 1; p < end; number++) {
        const char *nl = memchr(p, '\n', (size_t)(end - p));
        platen_status s = add_word(l, p, (size_t)((nl ? nl : end) - p), number, err);
        if (s)
            return s;
        p = nl ? nl + 1 : end;
    }
    if (l->n)
        qsort(l->words, l->n, sizeof(*l->words), compare_words);
    *ret = pl_steal(l);
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
    pl_arena_done(&l->arena);
    pl_free(l->words);
    pl_free(l);
}

struct pl_spelling pl_lexicon_start(const struct pl_lexicon *l)
{
    return (struct pl_spelling){0, l->n, 0};
}

/* Returns the first of words s->first..s->end-1 whose bytes behind the spelling are not below
 * `next` or, with `after`, are above everything that begins with it. */
static uint32_t bound(const struct pl_lexicon *l, const struct pl_spelling *s, const char *next,
                      size_t n, bool after)
{
    uint32_t lo = s->first, hi = s->end;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        int order = strncmp(l->words[mid] + s->bytes, next, n);
        if (order < 0 || (after && order == 0))
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

bool pl_lexicon_spell(const struct pl_lexicon *l, struct pl_spelling *s, const char *symbol)
{
    char small[32];
    size_t n = strlen(symbol);
    n = n < sizeof(small) ? fold(symbol, n, small) : 0;
    if (!n || s->first == s->end)
        return false;
    uint32_t first = bound(l, s, small, n, false), end = bound(l, s, small, n, true);
    if (first == end)
        return false;
    *s = (struct pl_spelling){first, end, s->bytes + (uint32_t)n};
    return true;
}

bool pl_lexicon_complete(const struct pl_lexicon *l, const struct pl_spelling *s)
{
    return s->bytes && s->first < s->end && !l->words[s->first][s->bytes];
}
