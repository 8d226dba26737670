/* SPDX-License-Identifier: BSD-2-Clause */
#include "recognize/language/language.h"

#include <string.h>

#define WORD_LETTERS 15 /* of the word so far that count */

/* The symbol of a code point beyond ASCII. */
static uint8_t find_beyond(const struct pl_language *l, uint32_t c)
{
    const size_t other = l->s.n - 1;
    size_t low = l->first_point, high = other;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (l->points[middle] < c)
            low = middle + 1;
        else
            high = middle;
    }
    return (uint8_t)(low < other && l->points[low] == c ? low : other);
}

uint8_t pl_language_symbol(const struct pl_language *l, uint32_t c)
{
    if (c >= '0' && c <= '9')
        c = '0';
    if (c == 0x2018 || c == 0x2019)
        c = '\'';
    if (c == 0x201c || c == 0x201d)
        c = '"';
    if (c == 0x2013 || c == 0x2014)
        c = '-';
    return c < 128 ? l->symbol_of[c] : find_beyond(l, c);
}

/* Finds the rows of the seven contexts: of the last one to three characters; and, without regard
 * to case, of the last four to six and of the word so far. */
static void choose_rows(const struct pl_language *l, const uint8_t *history,
                        uint32_t ret[PL_LANGUAGE_CONTEXTS])
{
    const uint8_t *end = history + PL_LANGUAGE_HISTORY;
    uint32_t h = 0;
    for (uint32_t order = 1; order <= 3; order++)
        ret[order - 1] = (h = pl_scorer_mix(h, end[-(int)order])) + order;
    h = 0;
    for (uint32_t order = 1; order <= 6; order++) {
        h = pl_scorer_mix(h, l->small[end[-(int)order]]);
        if (order > 3)
            ret[order - 1] = h + order;
    }
    h = 0;
    for (int back = 1; back <= WORD_LETTERS && l->letter[end[-back]]; back++)
        h = pl_scorer_mix(h, l->small[end[-back]]);
    ret[6] = h + 7;
    for (size_t i = 0; i < PL_LANGUAGE_CONTEXTS; i++)
        ret[i] = pl_scorer_row(&l->s, ret[i]);
}

void pl_language_guess(const struct pl_language *l, const struct pl_kernels *k,
                       const uint8_t history[PL_LANGUAGE_HISTORY],
                       float ret[PL_LANGUAGE_MAX_SYMBOLS])
{
    uint32_t rows[PL_LANGUAGE_CONTEXTS];
    float sum[PL_SCORER_MAX_WIDTH];
    choose_rows(l, history, rows);
    k->embed_sum_u8(sum, l->s.width, l->s.table, rows, PL_LANGUAGE_CONTEXTS);
    pl_scorer_guess(&l->s, k, sum, ret);
}

double pl_language_likelihood(const struct pl_language *l, const struct pl_kernels *k,
                              const char *text, size_t n)
{
    uint8_t history[PL_LANGUAGE_HISTORY] = {0};
    float guess[PL_LANGUAGE_MAX_SYMBOLS];
    double sum = 0;
    for (size_t i = 0, step; i < n; i += step) {
        uint32_t c = 0;
        step = pl_utf8_get(text + i, n - i, &c);
        if (!step)
            break; /* cut in a character */
        const uint8_t s = pl_language_symbol(l, c);
        pl_language_guess(l, k, history, guess);
        sum += (double)guess[s];
        memmove(history, history + 1, PL_LANGUAGE_HISTORY - 1);
        history[PL_LANGUAGE_HISTORY - 1] = s;
    }
    return sum;
}
