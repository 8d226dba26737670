/* SPDX-License-Identifier: BSD-2-Clause */
#include "recognize/amounts.h"

#include <string.h>

#define DECIMALS 2
#define GROUP 3
/* The network is never surer of a mark: one in so many is another one. */
#define SUREST 1000.0
/* The estimate of the share moves by less than a hundredth after far fewer. */
#define ROUNDS 32

/* An amount, and where in the text of its word it stands: bytes, which are characters of ASCII. */
struct amount {
    struct pl_line *line;
    struct pl_word *word;
    size_t first, end;
    double comma_odds; /* how many times likelier a decimal comma is, as the network saw it */
};

static bool is_figure(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_mark(char c)
{
    return c == '.' || c == ',';
}

static size_t count_figures(const char *text)
{
    size_t n = 0;
    while (is_figure(text[n]))
        n++;
    return n;
}

/* Whether groups of three figures, if a number has_group, and then decimals follow `text`, which is
 * behind its first figures. Sets *end to the bytes of all that. */
static bool has_amount_end(const char *text, bool has_group, size_t *end)
{
    size_t at = 0, n = 0;
    while (is_mark(text[at])) {
        if (at && n != GROUP)
            return false;
        n = count_figures(text + at + 1);
        if (n == GROUP && !has_group)
            return false;
        at += 1 + n;
    }
    *end = at;
    return n == DECIMALS;
}

/* Finds the amount of a word that holds no other number. */
static bool find_amount(const char *text, struct amount *ret)
{
    size_t first = 0, end;
    while (text[first] && !is_figure(text[first]))
        first++;
    const size_t n = count_figures(text + first);
    if (!n || !has_amount_end(text + first + n, n <= GROUP, &end))
        return false;
    ret->first = first;
    ret->end = first + n + end;
    for (const char *rest = text + ret->end; *rest; rest++)
        if (is_figure(*rest))
            return false;
    return true;
}

/* The mark at byte i of the amount's word if there is a decimal comma or a decimal stop; 0 where
 * there is no mark. */
static char mark_at(const struct amount *a, size_t i, bool comma)
{
    const bool decimals = i + 1 + DECIMALS == a->end;
    return is_mark(a->word->text[i]) ? (decimals == comma ? ',' : '.') : '\0';
}

static double comma_odds(const struct amount *a)
{
    const char *text = a->word->text;
    double odds = 1;
    size_t character = 0;
    for (size_t i = 0; i < a->end; i++) {
        if (i >= a->first && is_mark(text[i])) {
            const double conf = (double)a->word->char_conf[character],
                         sure = PL_MIN(conf / PL_MAX(1 - conf, 1 / SUREST), SUREST);
            odds *= text[i] == mark_at(a, i, true) ? sure : 1 / sure;
        }
        character += ((unsigned char)text[i + 1] & 0xc0) != 0x80;
    }
    return odds;
}

/* Collects the amounts of a line into ret, or counts them where that is NULL. */
static size_t amounts_of_line(struct pl_line *line, struct amount *ret)
{
    size_t n = 0;
    for (size_t i = 0; i < line->n_words; i++) {
        struct amount a = {.line = line, .word = &line->words[i]};
        if (!find_amount(a.word->text, &a))
            continue;
        if (ret) {
            ret[n] = a;
            ret[n].comma_odds = comma_odds(&a);
        }
        n++;
    }
    return n;
}

static size_t amounts_of_page(struct pl_regions *regions, struct amount *ret)
{
    size_t n = 0;
    for (size_t b = 0; b < regions->n_blocks; b++)
        for (size_t i = 0; i < regions->blocks[b].n_lines; i++)
            n += amounts_of_line(&regions->blocks[b].lines[i], ret ? ret + n : NULL);
    return n;
}

/* Estimates the share of n amounts that have a decimal comma, as odds; the prior of the share is
 * Jeffreys's, half an amount of either kind. */
static double page_odds(const struct amount *amounts, size_t n)
{
    double odds = 1;
    for (int round = 0; round < ROUNDS; round++) {
        double commas = 0.5, stops = 0.5;
        for (size_t i = 0; i < n; i++) {
            const double stop = 1 / (1 + odds * amounts[i].comma_odds);
            commas += 1 - stop;
            stops += stop;
        }
        odds = commas / stops;
    }
    return odds;
}

/* Writes the marks of an amount with a decimal comma or a decimal stop. */
static platen_status write_marks(struct pl_arena *arena, const struct amount *a, bool comma,
                                 struct platen_error *err)
{
    const char *old = a->word->text;
    const size_t n = strlen(old);
    char *text = pl_arena_strndup(arena, old, n);
    if (!text)
        return pl_fail_nomem(err, n, "a word");
    for (size_t i = a->first; i < a->end; i++)
        if (is_mark(old[i]))
            text[i] = mark_at(a, i, comma);
    if (strcmp(text, old) == 0)
        return PLATEN_OK;
    a->word->text = text;
    a->line->text = pl_words_join(arena, a->line->words, a->line->n_words);
    return a->line->text ? PLATEN_OK : pl_fail_nomem(err, n, "the text of a line");
}

platen_status pl_amounts_settle(struct pl_arena *arena, struct pl_regions *regions,
                                struct platen_error *err)
{
    const size_t n = amounts_of_page(regions, NULL);
    struct amount *amounts = n ? PL_NEW(arena, struct amount, n) : NULL;
    if (n && !amounts)
        return pl_fail_nomem(err, n * sizeof(*amounts), "the amounts of a page");
    amounts_of_page(regions, amounts);
    const double odds = page_odds(amounts, n);
    platen_status s = PLATEN_OK;
    for (size_t i = 0; i < n && !s; i++)
        s = write_marks(arena, &amounts[i], odds * amounts[i].comma_odds > 1, err);
    return s;
}
