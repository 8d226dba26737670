/* SPDX-License-Identifier: BSD-2-Clause */
#include "recognize/alike.h"

#include <math.h>
#include <string.h>

#include "base/fmath.h"

/* Languages that write ordinals as figures with an o. */
static const char *const with_ordinals[] = {"ca", "es", "fr", "it", "pt"};

/* Units of small quantities: print often sets a figure before them without a space. */
static const char *const units[] = {"cm", "g", "kJ", "kcal", "kg", "km", "mg", "ml", "mm"};

/* A word, and how many of its characters are what. */
struct alike_word {
    const struct pl_decoder *decoder;
    struct pl_ctc_run *runs;
    size_t n, figures, capitals, small_l;
    bool ordinals; /* of its language */
    bool joined;   /* a mark as in 5.20 or 12:30 stands between it and a figure */
};

static const struct pl_class *class_at(const struct alike_word *w, size_t i)
{
    return &w->decoder->classes[w->runs[i].class_id];
}

static bool is_capital(uint32_t c)
{
    return c >= 'A' && c <= 'Z';
}

/* Takes in the word that begins with the first of so many runs; it may be empty. */
static void take_word(struct alike_word *w, size_t runs)
{
    for (; w->n < runs; w->n++) {
        const struct pl_class *c = class_at(w, w->n);
        if (c->kind != PL_CHAR_LETTER && c->kind != PL_CHAR_DIGIT)
            return;
        w->figures += c->kind == PL_CHAR_DIGIT;
        w->capitals += is_capital(c->code_point);
        w->small_l += c->code_point == 'l';
    }
}

static bool is_in_dictionary(const struct alike_word *w)
{
    const struct pl_lexicon *l = w->decoder->lexicon;
    if (!l)
        return false;
    struct pl_spelling s = pl_lexicon_start(l);
    size_t i = 0;
    while (i < w->n && pl_lexicon_spell(l, &s, class_at(w, i)->symbol))
        i++;
    return i == w->n && s.word;
}

/* What character i is where the others are figures; 0 = what it was read as. Codes begin with
 * capitals, but not beside further figures. */
static uint32_t among_figures(const struct alike_word *w, size_t i)
{
    const bool begins = i == 0 && !w->joined, ends = i + 1 == w->n && !w->joined;
    switch (class_at(w, i)->code_point) {
    case 'o':
        return begins || (i + 1 == w->n && w->ordinals) ? 0 : '0';
    case 'O':
        return begins ? 0 : '0';
    case 'I':
        return begins || ends || w->n == 1 ? 0 : '1';
    case 'l':
        return ends ? 0 : '1';
    }
    return 0;
}

/* Whether all characters of a word but the first one are a unit. */
static bool is_before_unit(const struct alike_word *w)
{
    for (size_t u = 0; u < PL_ARRAY_LEN(units); u++) {
        size_t i = 1;
        while (i < w->n && class_at(w, i)->code_point == (uint8_t)units[u][i - 1])
            i++;
        if (w->n > 1 && i == w->n && !units[u][i - 1])
            return true;
    }
    return false;
}

/* What character i is by the others of its word; 0 = what it was read as. */
static uint32_t settled(const struct alike_word *w, size_t i)
{
    if ((w->n > 1 || w->joined) && w->figures == w->n - 1)
        return among_figures(w, i);
    if (class_at(w, i)->code_point == 'O' && i == 0 && is_before_unit(w))
        return '0';
    const bool inside = i > 0 && i + 1 < w->n;
    return inside && w->capitals + w->small_l == w->n && class_at(w, 0)->code_point != 'l' &&
                   class_at(w, w->n - 1)->code_point != 'l' && class_at(w, i)->code_point == 'l'
               ? 'I'
               : 0;
}

/* The class of a character that the network had for possible in one of the steps of a run; 0 where
 * it had not. */
static uint32_t possible_class(const struct pl_class *classes, const struct pl_ctc_line *line,
                               const struct pl_ctc_run *run, uint32_t c)
{
    for (size_t t = run->first; t < run->end; t++) {
        if (classes[line->best[t]].code_point == c)
            return line->best[t];
        for (uint32_t i = line->first[t]; i < line->first[t + 1]; i++)
            if (classes[line->rivals[i].class_id].code_point == c)
                return line->rivals[i].class_id;
    }
    return 0;
}

static void exchange(const struct pl_ctc_line *line, struct pl_ctc_run *run, uint32_t by)
{
    for (size_t t = run->first; t < run->end; t++) {
        const float old = pl_expf(pl_ctc_log_ratio(line, t, run->class_id));
        const float both = line->share[t] * (old + pl_expf(pl_ctc_log_ratio(line, t, by)));
        run->conf = fminf(fmaxf(run->conf, both), 1);
    }
    run->class_id = by;
}

static bool has_ordinals(const char *language)
{
    for (size_t i = 0; language && i < PL_ARRAY_LEN(with_ordinals); i++)
        if (!strcmp(language, with_ordinals[i]))
            return true;
    return false;
}

static void settle_word(struct alike_word *w, const struct pl_ctc_line *line)
{
    for (size_t i = 0; i < w->n; i++) {
        const uint32_t c = settled(w, i);
        const uint32_t by = c ? possible_class(w->decoder->classes, line, &w->runs[i], c) : 0;
        if (by)
            exchange(line, &w->runs[i], by);
    }
}

/* Whether blanks or the ends of the line stand on both sides of a run. */
static bool is_alone(const struct pl_class *classes, const struct pl_ctc_run *runs, size_t n,
                     size_t i)
{
    return (!i || classes[runs[i - 1].class_id].kind == PL_CHAR_BLANK) &&
           (i + 1 == n || classes[runs[i + 1].class_id].kind == PL_CHAR_BLANK);
}

static bool is_round(uint32_t c)
{
    return c == '0' || c == 'O' || c == 'o';
}

/* Gives a nought or letter O that stands alone, where nothing tells its height, the confidence of
 * all three together. */
static void believe_round(struct pl_ctc_run *run, const struct pl_class *classes,
                          const struct pl_ctc_line *line)
{
    for (size_t t = run->first; t < run->end; t++) {
        float sum = is_round(classes[line->best[t]].code_point);
        for (uint32_t i = line->first[t]; i < line->first[t + 1]; i++)
            if (is_round(classes[line->rivals[i].class_id].code_point))
                sum += pl_expf(line->rivals[i].log_ratio);
        run->conf = fminf(fmaxf(run->conf, line->share[t] * sum), 1);
    }
}

/* Whether two runs are a figure, and a mark that stands between it and a word of n characters in
 * numbers, times or dates. */
static bool are_joint(const struct pl_class *classes, const struct pl_ctc_run *runs, size_t figure,
                      size_t mark, size_t n)
{
    const uint32_t c = classes[runs[mark].class_id].code_point;
    return classes[runs[figure].class_id].kind == PL_CHAR_DIGIT &&
           (c == '.' || c == ',' || c == ':' || (c == '/' && n > 1)); /* I/O is no number */
}

void pl_alike_settle(const struct pl_decoder *d, const char *language,
                     const struct pl_ctc_line *line, struct pl_ctc_run *runs, size_t n)
{
    const bool ordinals = has_ordinals(language);
    for (size_t first = 0; first < n;) {
        struct alike_word w = {.decoder = d, .runs = runs + first, .ordinals = ordinals};
        take_word(&w, n - first);
        const size_t end = first + w.n;
        w.joined = (end + 1 < n && are_joint(d->classes, runs, end + 1, end, w.n)) ||
                   (first > 1 && are_joint(d->classes, runs, first - 2, first - 1, w.n));
        if (!is_in_dictionary(&w))
            settle_word(&w, line);
        if (w.n == 1 && is_alone(d->classes, runs, n, first) &&
            is_round(class_at(&w, 0)->code_point))
            believe_round(w.runs, d->classes, line);
        first += w.n + 1;
    }
}
