/* SPDX-License-Identifier: BSD-2-Clause */
#include "layout/hyphens.h"

#include <string.h>

#include "layout/flow.h"
#include "layout/letters.h"
#include "recognize/language/language.h"
#include "recognize/language/lexicon.h"
#include "layout/layout_tuning.def"

/* Bytes of a word on each side of a hyphen that are looked at. */
#define HALF_WORD 24

/* A word in two halves: what stands before its hyphen, back to the hyphen before that if it has
 * more, and what stands behind it up to the next one. */
struct halves {
    const char *first, *second;
    size_t n_first, n_second;
    bool several; /* the word has another hyphen beside one of them */
};

static bool is_alnum(char c)
{
    return pl_is_letter(c) || (c >= '0' && c <= '9');
}

/* Writes the halves with `between` between them; returns how many bytes that are. */
static size_t put_halves(const struct halves *h, const char *between, char text[2 * HALF_WORD + 2])
{
    const size_t n = strlen(between);
    memcpy(text, h->first, h->n_first);
    memcpy(text + h->n_first, between, n);
    memcpy(text + h->n_first + n, h->second, h->n_second);
    return h->n_first + n + h->n_second;
}

/* Returns whether the text has the word with no letter beside it. */
static bool has_word(const char *text, const char *word, size_t n)
{
    for (const char *s = text; *s; s++)
        if (!strncmp(s, word, n) && (s == text || !pl_is_letter(s[-1])) && !pl_is_letter(s[n]))
            return true;
    return false;
}

static bool is_on_page(const struct pl_regions *page, const char *word, size_t n)
{
    for (size_t b = 0; b < page->n_blocks; b++)
        for (size_t i = 0; i < page->blocks[b].n_lines; i++)
            if (page->blocks[b].lines[i].text && has_word(page->blocks[b].lines[i].text, word, n))
                return true;
    return false;
}

/* Returns whether the language knows the word; no word has letters that it does not know. */
static bool is_known(const struct pl_language *l, const char *word, size_t n)
{
    struct pl_spelling s;
    if (!l->words)
        return false;
    s = pl_lexicon_start(l->words);
    for (size_t i = 0, end; i < n; i = end) {
        char symbol[HALF_WORD + 1];
        for (end = i + 1; end < n && (word[end] & 0xC0) == 0x80; end++)
            continue;
        memcpy(symbol, word + i, end - i);
        symbol[end - i] = '\0';
        if (!pl_lexicon_spell(l->words, &s, symbol))
            return false;
    }
    return s.word;
}

/* Returns whether both halves are English words, the first longer than prefixes unless the word has
 * more hyphens. In many other languages such a compound is written as one word. */
static bool are_words(const struct pl_language *l, const struct halves *h)
{
    const char *tag = pl_language_tag(l);
    return tag && !strncmp(tag, "en", 2) && (h->several || h->n_first >= HYPHEN_WORD) &&
           is_known(l, h->first, h->n_first) && is_known(l, h->second, h->n_second);
}

/* Returns whether the word is likelier to be written without its hyphen: it stands so on the page,
 * or its language knows it; else the model tells. Two words that each stand alone are one only
 * where the model holds that for clearly likelier: it has seen few hyphens. */
static bool is_soft(const struct pl_hyphens *p, const struct halves *h)
{
    char with[2 * HALF_WORD + 2], without[2 * HALF_WORD + 2];
    const size_t n_with = put_halves(h, "-", with), n_without = put_halves(h, "", without);
    if (is_on_page(p->page, without, n_without))
        return true;
    if (is_on_page(p->page, with, n_with))
        return false;
    if (!p->language || is_known(p->language, without, n_without))
        return true;
    return pl_language_likelihood(p->language, p->k, without, n_without) >
           pl_language_likelihood(p->language, p->k, with, n_with) +
               (are_words(p->language, h) ? HYPHEN_LEAD : 0);
}

/* Finds the halves around the hyphen at `end`, within their line and the next one. */
static struct halves halves_at(const char *line, const char *end, const char *next)
{
    const char *first = end;
    size_t n = 0;
    while (first > line && pl_is_letter(first[-1]) && end - first < HALF_WORD)
        first--;
    while (pl_is_letter(next[n]) && n < HALF_WORD)
        n++;
    return (struct halves){first, next, (size_t)(end - first), n,
                           (first > line && first[-1] == '-') || next[n] == '-'};
}

enum pl_join pl_hyphens_join(const struct pl_hyphens *h, const char *line, const char *next)
{
    const char *end = line + strlen(line) - 1;
    if (pl_unspaced_joins(line, next))
        return PL_JOIN_WORD;
    if (end <= line || *end != '-' || !is_alnum(end[-1]) || !is_alnum(*next))
        return PL_JOIN_BLANK;
    const struct halves word = halves_at(line, end, next);
    const bool goes_on = (*next >= 'a' && *next <= 'z') || *next & 0x80;
    return goes_on && word.n_first && is_soft(h, &word) ? PL_JOIN_HYPHEN : PL_JOIN_WORD;
}
