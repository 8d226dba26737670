/* SPDX-License-Identifier: BSD-2-Clause */
#include "recognize/language/scripts.h"

#include <string.h>

#include "recognize/language/language_tuning.def"

#define SCRIPTS 3

/* What looks the same in Latin, Cyrillic and Greek; 0 = nothing. */
static const uint16_t alike[][SCRIPTS] = {
    {'A', 0x410, 0x391}, {'B', 0x412, 0x392},  {'C', 0x421, 0},     {'E', 0x415, 0x395},
    {'H', 0x41d, 0x397}, {'I', 0x406, 0x399},  {'J', 0x408, 0},     {'K', 0x41a, 0x39a},
    {'M', 0x41c, 0x39c}, {'N', 0, 0x39d},      {'O', 0x41e, 0x39f}, {'P', 0x420, 0x3a1},
    {'S', 0x405, 0},     {'T', 0x422, 0x3a4},  {'X', 0x425, 0x3a7}, {'Y', 0x423, 0x3a5},
    {'Z', 0, 0x396},     {'a', 0x430, 0},      {'c', 0x441, 0},     {'e', 0x435, 0},
    {'i', 0x456, 0},     {'j', 0x458, 0},      {'o', 0x43e, 0x3bf}, {'p', 0x440, 0x3c1},
    {'s', 0x455, 0},     {'u', 0, 0x3c5},      {'v', 0, 0x3bd},     {'x', 0x445, 0x3c7},
    {'y', 0x443, 0},     {0xcf, 0x407, 0x3aa}, {0xef, 0x457, 0},    {0xcb, 0x401, 0},
    {0xeb, 0x451, 0},    {0xe8, 0x450, 0},     {0xc8, 0x400, 0},    {0, 0x413, 0x393},
    {0, 0x41f, 0x3a0},   {0, 0x424, 0x3a6},    {0, 0x43a, 0x3ba},   {0xf3, 0, 0x3cc},
};

enum pl_script pl_script_of(uint32_t c)
{
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
        (c >= 0xc0 && c <= 0x24f && c != 0xd7 && c != 0xf7) || (c >= 0x1e00 && c <= 0x1eff))
        return PL_SCRIPT_LATIN;
    if (c < 0x370 || (c >= 0x2000 && c <= 0x2bff) || (c >= 0x3000 && c <= 0x303f) ||
        (c >= 0xfe00 && c <= 0xfe6f) || (c >= 0xff00 && c <= 0xff20) || c == 0x37e || c == 0x387)
        return PL_SCRIPT_NONE;
    if (c <= 0x3ff || (c >= 0x1f00 && c <= 0x1fff))
        return PL_SCRIPT_GREEK;
    return c <= 0x52f ? PL_SCRIPT_CYRILLIC : PL_SCRIPT_OTHER;
}

/* The letters that look like this one, or NULL. */
static const uint16_t *row_of(uint32_t c)
{
    for (size_t i = 0; c && i < PL_ARRAY_LEN(alike); i++)
        if (alike[i][0] == c || alike[i][1] == c || alike[i][2] == c)
            return alike[i];
    return NULL;
}

/* The scripts that a letter may be of; NONE of what is no letter. */
static unsigned possible(uint32_t c)
{
    const uint16_t *row = row_of(c);
    unsigned ret = 0;
    for (int i = 0; row && i < SCRIPTS; i++)
        ret |= row[i] ? 1u << i : 0;
    return row ? ret : pl_script_of(c);
}

struct pl_script_count pl_script_count(const char *text, unsigned scripts)
{
    struct pl_script_count ret = {0, 0, 0};
    uint32_t c;
    for (size_t n = strlen(text), k; n && (k = pl_utf8_get(text, n, &c)) > 0; text += k, n -= k) {
        const enum pl_script script = pl_script_of(c);
        const size_t width = script == PL_SCRIPT_NONE ? 0 : pl_is_wide(c) ? 2 : 1;
        ret.all += width;
        ret.of += script & scripts ? width : 0;
        ret.certain += script & scripts && possible(c) == (unsigned)script ? width : 0;
    }
    return ret;
}

/* The letters of a text, or of several. */
struct letters {
    unsigned all;               /* scripts that each of them may be of; every bit without letters */
    unsigned seen;              /* scripts that they were read in */
    size_t n, certain[SCRIPTS]; /* letters; those that one script alone has */
    bool roman;                 /* all may be of a Roman number */
    bool small;                 /* the text begins with a small letter */
    bool code;                  /* it is a letter with figures, or ends in one capital (Type-A) */
};

static struct letters letters_of(const char *text)
{
    struct letters l = {.all = ~0u, .roman = true};
    uint32_t c, last = 0;
    bool ends_in_one = false, figures = false, begins = false;
    for (size_t n = strlen(text), k; n && (k = pl_utf8_get(text, n, &c)) > 0; text += k, n -= k) {
        const unsigned may = possible(c);
        const bool parts = c == ',' && n > k; /* another number follows */
        begins = !parts && (begins || (may && !figures));
        figures = !parts && (figures || (c >= '0' && c <= '9'));
        if (may)
            ends_in_one = last == '-' && l.n && pl_small_letter(c) != c;
        l.small = l.n ? l.small : may && pl_small_letter(c) == c;
        last = c;
        if (!may)
            continue;
        l.n++;
        l.all &= may;
        l.seen |= (unsigned)pl_script_of(c);
        l.roman = l.roman && (c == 'I' || c == 'X');
        for (int i = 0; i < SCRIPTS; i++)
            l.certain[i] += may == 1u << i;
    }
    l.code = ends_in_one || (begins && figures);
    return l;
}

/* The one script of a set, or of the most letters that are certain; NONE where it is open. */
static unsigned decided(const struct letters *l)
{
    int best = 0;
    if (l->n && l->all && !(l->all & (l->all - 1)))
        return l->all;
    for (int i = 1; i < SCRIPTS; i++)
        best = l->certain[i] > l->certain[best] ? i : best;
    for (int i = 0; i < SCRIPTS; i++)
        if (i != best && l->certain[i] == l->certain[best])
            return PL_SCRIPT_NONE;
    return 1u << best;
}

static void add_letters(struct letters *sum, const struct letters *more)
{
    sum->n += more->n;
    sum->seen |= more->seen;
    for (int i = 0; i < SCRIPTS; i++)
        sum->certain[i] += more->certain[i];
}

/* The letters of a text, and those of its words that begin with a small one: names and codes of
 * other scripts begin with capitals. */
struct text_letters {
    struct letters all, small;
};

static void add_line(struct text_letters *sum, const struct pl_line *line)
{
    for (size_t i = 0; i < line->n_words + line->n_doubted; i++) {
        const struct letters l = letters_of(line->words[i].text);
        add_letters(&sum->all, &l);
        if (l.small)
            add_letters(&sum->small, &l);
    }
}

/* The script of words that begin with small letters, or of others, beside this text. */
static unsigned script_beside(const struct text_letters *t, bool small)
{
    const unsigned told = small ? decided(&t->small) : PL_SCRIPT_NONE;
    return told ? told : decided(&t->all);
}

/* Whether one Greek or Cyrillic letter stands among letters that were read in the page's script, as
 * signs of formulas and units do: a megohm, a difference of temperatures. */
static bool has_sign(const struct letters *l, unsigned script, unsigned page)
{
    const size_t n = l->certain[script == PL_SCRIPT_CYRILLIC ? 1 : 2];
    return script != PL_SCRIPT_LATIN && script != page && (l->seen & page) && n == 1;
}

/* The script that a word is to be in, or NONE where it stays as it is. */
static unsigned script_of_word(const struct pl_word *word, const struct text_letters *in_line,
                               const struct text_letters *in_page, enum pl_script usual)
{
    const struct letters l = letters_of(word->text);
    const unsigned own = decided(&l), line = script_beside(in_line, l.small);
    const unsigned told = script_beside(in_page, l.small), page = told ? told : usual;
    if (own || !l.n || (l.roman && l.seen == PL_SCRIPT_LATIN))
        return has_sign(&l, own, page) ? PL_SCRIPT_NONE : own;
    const bool one = !(l.seen & (l.seen - 1));
    if (l.code && (l.all & PL_SCRIPT_LATIN))
        return PL_SCRIPT_LATIN;
    if (one && l.n > 1 && !l.small && word->conf >= ALIKE_SURE)
        return PL_SCRIPT_NONE;
    return line & l.all ? line : page & l.all;
}

bool pl_script_put(const char *text, enum pl_script script, char *ret)
{
    const int at = script == PL_SCRIPT_LATIN ? 0 : script == PL_SCRIPT_CYRILLIC ? 1 : 2;
    size_t n = strlen(text), used = 0;
    bool all = true;
    uint32_t c;
    for (size_t k; n && (k = pl_utf8_get(text, n, &c)) > 0; text += k, n -= k) {
        const uint16_t *row = row_of(c);
        const uint32_t to = row && row[at] ? row[at] : c;
        const enum pl_script of = pl_script_of(to);
        all = all && (of == PL_SCRIPT_NONE || of == script);
        used += pl_utf8_put(ret + used, to); /* of two bytes at most where it is another letter */
    }
    ret[used] = '\0';
    return all;
}

/* Puts the word into a script; *changed tells whether that took another text. */
static platen_status put_into(struct pl_arena *arena, unsigned script, struct pl_word *word,
                              bool *changed, struct platen_error *err)
{
    const size_t n = 2 * strlen(word->text) + 1;
    char *other = PL_NEW(arena, char, n);
    if (!other)
        return pl_fail_nomem(err, n, "a word");
    pl_script_put(word->text, (enum pl_script)script, other);
    *changed = *changed || strcmp(other, word->text) != 0;
    word->text = other;
    return PLATEN_OK;
}

static platen_status settle_line(struct pl_arena *arena, const struct text_letters *page,
                                 enum pl_script usual, struct pl_line *line,
                                 struct platen_error *err)
{
    struct text_letters l = {.all = {.n = 0}};
    add_line(&l, line);
    bool changed = false;
    platen_status s = PLATEN_OK;
    for (size_t i = 0; i < line->n_words + line->n_doubted && !s; i++) {
        const unsigned script = script_of_word(&line->words[i], &l, page, usual);
        if (script && script != PL_SCRIPT_OTHER)
            s = put_into(arena, script, &line->words[i], &changed, err);
    }
    if (s || !changed)
        return s;
    line->text = pl_words_join(arena, line->words, line->n_words);
    return line->text ? s : pl_fail_nomem(err, line->n_words, "the text of a line");
}

platen_status pl_scripts_settle(struct pl_arena *arena, enum pl_script usual,
                                struct pl_regions *regions, struct platen_error *err)
{
    struct text_letters l = {.all = {.n = 0}};
    platen_status s = PLATEN_OK;
    for (size_t b = 0; b < regions->n_blocks; b++)
        for (size_t i = 0; i < regions->blocks[b].n_lines; i++)
            add_line(&l, &regions->blocks[b].lines[i]);
    if (!(l.all.seen & (l.all.seen - 1)))
        return s;
    for (size_t b = 0; b < regions->n_blocks; b++)
        for (size_t i = 0; i < regions->blocks[b].n_lines && !s; i++)
            s = settle_line(arena, &l, usual, &regions->blocks[b].lines[i], err);
    return s;
}
