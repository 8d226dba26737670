/* SPDX-License-Identifier: BSD-2-Clause */
#include "recognize/language/page_language.h"

#include <math.h>
#include <string.h>

#include "recognize/language/codes.h"
#include "recognize/language/scripts.h"
#include "recognize/words.h"
#include "recognize/language/language_tuning.def"

#define UNDETERMINED "und"
#define MAX_WORD 64 /* characters of a word that are looked at */

struct language_verdict {
    const char *tag; /* the likeliest name but "und"; NULL where hardly any word is of a language */
    float probability; /* of it among all but "und" */
    float own; /* of the language of text that nobody can tell, the same way; 1 where it is any */
    float misread; /* of all scripts that are not read, the same way */
    bool expected; /* somebody said that text in it comes */
};

/* Returns whether the name is that of a language, and not "und" or "und-Cyrl". */
static bool is_language(const char *tag)
{
    return strncmp(tag, UNDETERMINED, strlen(UNDETERMINED)) != 0;
}

/* The script of the name "und-Cyrl"; NULL of others. */
static const char *script_of(const char *tag)
{
    const size_t n = strlen(UNDETERMINED "-");
    return strncmp(tag, UNDETERMINED "-", n) ? NULL : tag + n;
}

/* Makes names that are not expected less likely, where there are some that are. */
static void heed_expected(const struct pl_decoder *d, float *p)
{
    const struct pl_scorer *s = &d->text.identifier->s;
    float all = 0;
    for (size_t i = 0; i < s->n && d->n_expected; i++) {
        p[i] *= d->expected[i] || !is_language(s->names[i]) ? 1 : UNEXPECTED;
        all += p[i];
    }
    for (size_t i = 0; i < s->n && all > 0; i++)
        p[i] /= all;
}

/* Codes and figures stand on pages of any language, and so does what is read where most letters may
 * not be. */
static struct language_verdict judge(const struct pl_decoder *d, const struct pl_kernels *k,
                                     const struct pl_traits *t)
{
    const struct pl_scorer *s = &d->text.identifier->s;
    const char *own = d->tag;
    float p[PL_IDENTIFIER_MAX_LANGUAGES], rest = 1;
    struct language_verdict v = {.own = own ? 0 : 1};
    if (d->lacks_letters)
        return (struct language_verdict){.own = 1};
    pl_identifier_judge(d->text.identifier, k, t, p);
    heed_expected(d, p);
    for (size_t i = 0; i < s->n; i++)
        if (!strcmp(s->names[i], UNDETERMINED))
            rest = fmaxf(rest - p[i], 0);
    for (size_t i = 0; i < s->n && rest > LANGUAGE_REST; i++) {
        const float share = p[i] / rest;
        v.misread += script_of(s->names[i]) ? share : 0;
        if (own && !strcmp(s->names[i], own))
            v.own = share;
        if (strcmp(s->names[i], UNDETERMINED) && share > v.probability) {
            v.tag = s->names[i];
            v.probability = share;
            v.expected = d->n_expected && d->expected[i];
        }
    }
    return v.tag ? v : (struct language_verdict){.own = 1};
}

/* The language of a text of so many letters, where it is one and likely enough to be told; else
 * NULL. Of a few letters that are surely not in the decoder's own language it is told earlier,
 * since a near relative reads them better than that one, and so is one that is expected. */
static const char *told_language(const struct language_verdict *v, size_t letters)
{
    const float sure_of_few = v->expected || v->own < ASKED_OWN ? TOLD_OTHER_SURE : TOLD_SURE;
    const float sure = letters >= TOLD_PAGE_LETTERS ? TOLD_PAGE_SURE : sure_of_few;
    const bool is_told = v->tag && letters >= TOLD_LETTERS && is_language(v->tag);
    return is_told && v->probability >= sure ? v->tag : NULL;
}

/* The language of the page to `regions`, or the script for which it was refused. Returns whether
 * the text may be in the language of the language model where none is told. */
static bool settle_page(const struct pl_decoder *d, const struct pl_kernels *k,
                        const struct pl_page_line *lines, size_t n, struct pl_regions *regions)
{
    struct pl_traits all = {.pieces = 0};
    double sureness = 0;
    for (size_t i = 0; i < n; i++)
        if (lines[i].traits) {
            pl_traits_add(&all, lines[i].traits);
            sureness += (double)lines[i].sureness * lines[i].traits->letters;
        }
    const struct language_verdict v = judge(d, k, &all);
    if (!v.tag || all.letters < TOLD_LETTERS)
        return true;
    regions->language = told_language(&v, all.letters);
    if (all.letters >= MISREAD_LETTERS && v.misread >= MISREAD_SURE &&
        sureness <= (double)MISREAD_MOST * all.letters)
        regions->misread = script_of(v.tag);
    return v.own >= ASKED_OWN || !is_language(v.tag) || v.probability < ASKED_OTHER;
}

static bool same_language(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

/* The language of a line that is surely in one; else NULL. */
static const char *language_of_line(const struct pl_decoder *d, const struct pl_kernels *k,
                                    const struct pl_page_line *at)
{
    if (!at->traits || at->traits->letters < OTHER_LETTERS)
        return NULL;
    const struct language_verdict v = judge(d, k, at->traits);
    return v.tag && is_language(v.tag) && v.probability >= OTHER_SURE ? v.tag : NULL;
}

/* A line tells its language where that is not the page's. */
static void tell_line(const struct pl_regions *regions, const char *tag, struct pl_line *line)
{
    line->language = same_language(tag, regions->language) ? NULL : tag;
}

platen_status pl_language_settle(const struct pl_decoder *d, const struct pl_kernels *k,
                                 struct pl_page_line *lines, size_t n, struct pl_regions *regions,
                                 struct platen_error *err)
{
    platen_status s = PLATEN_OK;
    regions->language = regions->misread = NULL;
    const bool own = !d->text.identifier || settle_page(d, k, lines, n, regions);
    for (size_t i = 0; i < n && !s; i++) {
        const bool tells = d->text.identifier && !regions->misread;
        tell_line(regions, tells ? language_of_line(d, k, &lines[i]) : NULL, lines[i].line);
        const char *other = lines[i].line->language, *tag = other ? other : regions->language;
        if (tag || own)
            s = pl_decoder_language(d, tag, &lines[i].language, err);
    }
    return s;
}

/* Tells in what language the lines of each script are together: ret[PL_SCRIPT_GREEK] of those in
 * Greek letters, and so on. */
static void tell_by_scripts(const struct pl_decoder *first, const struct pl_kernels *k,
                            const struct pl_page_line *lines, size_t n, const char **ret)
{
    static const enum pl_script scripts[] = {PL_SCRIPT_LATIN, PL_SCRIPT_CYRILLIC, PL_SCRIPT_GREEK};
    for (size_t j = 0; j < PL_ARRAY_LEN(scripts); j++) {
        struct pl_traits all = {.pieces = 0};
        for (size_t i = 0; i < n; i++)
            if (lines[i].traits && pl_traits_script(lines[i].traits) == scripts[j])
                pl_traits_add(&all, lines[i].traits);
        const struct language_verdict v = judge(first, k, &all);
        ret[scripts[j]] = told_language(&v, all.letters);
    }
}

platen_status pl_language_settle_further(const struct pl_decoder *first, const struct pl_decoder *d,
                                         const struct pl_kernels *k, struct pl_page_line *lines,
                                         size_t n, struct platen_error *err)
{
    const char *common[PL_SCRIPT_GREEK + 1] = {NULL};
    platen_status s = PLATEN_OK;
    if (d->text.identifier && first->text.identifier)
        tell_by_scripts(first, k, lines, n, common);
    for (size_t i = 0; i < n && !s; i++) {
        struct pl_page_line *at = &lines[i];
        const char *tag = pl_line_language(at->page->regions, at->line); /* told before */
        if (!tag || !pl_line_model_tells(d->model, tag)) {
            const char *own = d->text.identifier ? language_of_line(d, k, at) : NULL;
            tag = own || !at->traits ? own : common[pl_traits_script(at->traits)];
            tell_line(at->page->regions, tag, at->line);
        }
        at->language = d->text.language;
        if (!at->language && tag)
            s = pl_decoder_language(first, tag, &at->language, err);
    }
    return s;
}

static void add_word(const struct pl_decoder *d, const struct pl_kernels *k, const char *text,
                     struct pl_traits *t)
{
    uint32_t points[MAX_WORD];
    size_t n = 0, left = strlen(text), step;
    for (; n < MAX_WORD && left && (step = pl_utf8_get(text, left, &points[n])) > 0; n++) {
        text += step;
        left -= step;
    }
    pl_identifier_add(d->text.identifier, k, points, n, t);
}

/* Adds the words of a line that were read with less than `below`, doubted ones among them. */
static void add_unsure(const struct pl_decoder *d, const struct pl_kernels *k,
                       const struct pl_line *line, float below, struct pl_traits *t)
{
    for (size_t i = 0; i < line->n_words + line->n_doubted; i++)
        if (line->words[i].conf < below)
            add_word(d, k, line->words[i].text, t);
}

/* Adds all words of a line; to *beyond those with letters of scripts that the decoder does not
 * have. */
static void add_words(const struct pl_decoder *d, const struct pl_kernels *k,
                      const struct pl_line *line, struct pl_traits *t, struct pl_traits *beyond)
{
    for (size_t i = 0; i < line->n_words + line->n_doubted; i++) {
        const char *text = line->words[i].text;
        add_word(d, k, text, t);
        if (pl_script_count(text, ~d->scripts).certain)
            add_word(d, k, text, beyond);
    }
}

/* The script whose misread text a name of the identifier stands for. */
static enum pl_script misread_script(const char *tag)
{
    const char *script = script_of(tag);
    return !script                   ? PL_SCRIPT_NONE
           : !strcmp(script, "Cyrl") ? PL_SCRIPT_CYRILLIC
           : !strcmp(script, "Grek") ? PL_SCRIPT_GREEK
                                     : PL_SCRIPT_OTHER;
}

float pl_language_misread(const struct pl_decoder *d, const struct pl_kernels *k,
                          const struct pl_line *line, float below, unsigned scripts)
{
    const struct pl_identifier *id = d->text.identifier;
    struct pl_traits t = {.pieces = 0};
    float p[PL_IDENTIFIER_MAX_LANGUAGES], sum = 0;
    if (!id)
        return 1;
    if (d->lacks_letters)
        return 0;
    add_unsure(d, k, line, below, &t);
    pl_identifier_judge(id, k, &t, p);
    for (size_t i = 0; i < id->s.n; i++)
        if (misread_script(id->s.names[i]) & scripts)
            sum += p[i];
    return sum;
}

/* The letters of a line in one of the scripts, as it was read in the end. */
static size_t letters_of(const struct pl_line *line, unsigned scripts)
{
    size_t n = 0;
    for (size_t i = 0; i < line->n_words + line->n_doubted; i++)
        n += pl_script_count(line->words[i].text, scripts).of;
    return n;
}

/* Whether a line may be in a language: half of its letters are of its script. */
static bool may_be_in(const struct pl_line *line, const char *tag)
{
    return 2 * letters_of(line, pl_script_of_language(tag)) >= letters_of(line, ~0u);
}

/* Takes the language of most letters for that of the page where lines tell theirs: what the first
 * model makes of a script that it does not read tells nothing, or another one. Of a page that tells
 * none it is that of two lines and more that do. */
static void settle_by_lines(const struct pl_decoder *d, struct pl_regions *regions)
{
    const struct pl_scorer *s = d->text.identifier ? &d->text.identifier->s : NULL;
    size_t of[PL_IDENTIFIER_MAX_LANGUAGES] = {0}, all = 0, told = 0, best = 0;
    for (size_t b = 0; b < regions->n_blocks && s; b++)
        for (size_t i = 0; i < regions->blocks[b].n_lines; i++) {
            const struct pl_line *line = &regions->blocks[b].lines[i];
            const char *tag = pl_line_language(regions, line);
            const size_t n = letters_of(line, ~0u);
            all += n;
            told += tag ? n : 0;
            for (size_t k = 0; k < s->n && tag; k++)
                of[k] += same_language(s->names[k], tag) ? n : 0;
        }
    for (size_t k = 0; s && k < s->n; k++)
        best = of[k] > of[best] ? k : best;
    const bool most = 2 * of[best] >= all && of[best] >= TOLD_LETTERS;
    const bool alone = !regions->language && of[best] >= 2 * OTHER_LETTERS && 2 * of[best] >= told;
    if (!s || !(most || alone))
        return;
    for (size_t b = 0; b < regions->n_blocks; b++)
        for (size_t i = 0; i < regions->blocks[b].n_lines; i++) {
            struct pl_line *line = &regions->blocks[b].lines[i];
            const char *old = regions->language;
            if (!line->language && old && may_be_in(line, old))
                line->language = old;
            if (same_language(line->language, s->names[best]))
                line->language = NULL;
        }
    regions->language = s->names[best];
}

static platen_status refuse(struct pl_arena *arena, struct pl_regions *regions,
                            struct platen_error *err)
{
    platen_status s = PLATEN_OK;
    for (size_t b = 0; b < regions->n_blocks; b++)
        for (size_t i = 0; i < regions->blocks[b].n_lines && !s; i++)
            s = pl_words_refuse(arena, &regions->blocks[b].lines[i], err);
    return s;
}

/* Whether a word may tell that a text is in a language: it is no name, number or short form. */
static bool may_be_known(const char *text)
{
    uint32_t c = 0;
    const size_t letters = pl_script_count(text, ~0u).all;
    return letters >= KNOWN_LETTERS && pl_utf8_get(text, strlen(text), &c) &&
           pl_small_letter(c) == c && pl_script_of(c) != PL_SCRIPT_NONE;
}

/* Tells no language where hardly any word is one of that which was told: it is a near relative of
 * one that nobody taught. */
static platen_status doubt_unknown(const struct pl_decoder *d, struct pl_regions *regions,
                                   struct platen_error *err)
{
    const struct pl_language *l = NULL;
    size_t n = 0, known = 0;
    platen_status s = PLATEN_OK;
    if (regions->language)
        s = pl_decoder_language(d, regions->language, &l, err);
    if (s || !l || !l->words)
        return s;
    for (size_t b = 0; b < regions->n_blocks; b++)
        for (size_t i = 0; i < regions->blocks[b].n_lines; i++) {
            const struct pl_line *line = &regions->blocks[b].lines[i];
            for (size_t w = 0; w < line->n_words && !line->language; w++) {
                const bool counts = may_be_known(line->words[w].text);
                n += counts;
                known += counts && pl_lexicon_has(l->words, line->words[w].text);
            }
        }
    if (n >= KNOWN_WORDS && (double)known < KNOWN_SHARE * (double)n)
        regions->language = NULL;
    return s;
}

static size_t chars_of(const struct pl_word *words, size_t n)
{
    size_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += words[i].n_chars;
    return sum;
}

/* Whether hardly anything that was read of a page is trusted: it is in a script that is not read,
 * or no text. */
static bool is_hardly_trusted(const struct pl_regions *regions)
{
    size_t all = 0, trusted = 0;
    for (size_t b = 0; b < regions->n_blocks; b++)
        for (size_t i = 0; i < regions->blocks[b].n_lines; i++) {
            const struct pl_line *line = &regions->blocks[b].lines[i];
            trusted += chars_of(line->words, line->n_words);
            all += chars_of(line->words, line->n_words + line->n_doubted);
        }
    return all >= TRUSTED_OF && (double)trusted < TRUSTED_SHARE * (double)all;
}

/* Tells no language of such a page, and keeps no scraps of lines that are not trusted. */
static platen_status drop_scraps(struct pl_arena *arena, struct pl_regions *regions,
                                 struct platen_error *err)
{
    platen_status s = PLATEN_OK;
    regions->language = NULL;
    for (size_t b = 0; b < regions->n_blocks; b++)
        for (size_t i = 0; i < regions->blocks[b].n_lines && !s; i++) {
            struct pl_line *line = &regions->blocks[b].lines[i];
            line->language = NULL;
            if (line->n_words && line->n_doubted)
                s = pl_words_refuse(arena, line, err);
        }
    return s;
}

/* Tells the language of a misread page, if it was read after all. */
static void judge_anew(const struct pl_decoder *d, const struct pl_kernels *k,
                       struct pl_regions *regions)
{
    struct pl_traits all = {.pieces = 0}, beyond = {.pieces = 0};
    bool by_lines = false; /* some tell theirs, as a further model read them */
    for (size_t b = 0; b < regions->n_blocks; b++)
        for (size_t i = 0; i < regions->blocks[b].n_lines; i++) {
            by_lines = by_lines || regions->blocks[b].lines[i].language;
            add_words(d, k, &regions->blocks[b].lines[i], &all, &beyond);
        }
    const struct language_verdict v = judge(d, k, beyond.letters >= TOLD_LETTERS ? &beyond : &all);
    if (v.tag && is_language(v.tag)) {
        regions->misread = NULL;
        regions->language = !by_lines && v.probability >= TOLD_PAGE_SURE ? v.tag : NULL;
    }
    for (size_t b = 0; b < regions->n_blocks; b++)
        for (size_t i = 0; i < regions->blocks[b].n_lines; i++) {
            struct pl_line *line = &regions->blocks[b].lines[i];
            tell_line(regions, regions->misread ? NULL : line->language, line);
        }
}

/* Whether most of what was read of a line is not trusted. */
static bool is_doubted(const struct pl_line *line)
{
    return chars_of(line->words + line->n_words, line->n_doubted) >
           chars_of(line->words, line->n_words);
}

/* Tells the script of lines that are not trusted, beside others that are: no scraps of them stay.
 */
static platen_status tell_other_script(const struct pl_decoder *d, const struct pl_kernels *k,
                                       struct pl_arena *arena, struct pl_regions *regions,
                                       struct platen_error *err)
{
    struct pl_traits all = {.pieces = 0}, beyond = {.pieces = 0};
    platen_status s = PLATEN_OK;
    for (size_t b = 0; b < regions->n_blocks; b++)
        for (size_t i = 0; i < regions->blocks[b].n_lines; i++)
            if (is_doubted(&regions->blocks[b].lines[i]))
                add_words(d, k, &regions->blocks[b].lines[i], &all, &beyond);
    const struct language_verdict v = judge(d, k, &all);
    if (all.letters < PART_LETTERS || v.misread < MISREAD_SURE ||
        !(regions->misread = script_of(v.tag)))
        return s;
    for (size_t b = 0; b < regions->n_blocks; b++)
        for (size_t i = 0; i < regions->blocks[b].n_lines && !s; i++) {
            struct pl_line *line = &regions->blocks[b].lines[i];
            if (line->n_words && is_doubted(line))
                s = pl_words_refuse(arena, line, err);
        }
    return s;
}

platen_status pl_language_conclude(const struct pl_decoder *d, const struct pl_kernels *k,
                                   float min_conf, struct pl_arena *arena,
                                   struct pl_regions *regions, struct platen_error *err)
{
    if (regions->misread)
        judge_anew(d, k, regions);
    if (regions->misread)
        return min_conf > 0 ? refuse(arena, regions, err) : PLATEN_OK;
    if (is_hardly_trusted(regions))
        return drop_scraps(arena, regions, err);
    settle_by_lines(d, regions);
    platen_status s = doubt_unknown(d, regions, err);
    return s || !d->text.identifier || !(min_conf > 0)
               ? s
               : tell_other_script(d, k, arena, regions, err);
}
