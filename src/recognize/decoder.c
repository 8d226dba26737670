/* SPDX-License-Identifier: BSD-2-Clause */
#include "recognize/decoder.h"

#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "recognize/language/codes.h"
#include "recognize/recognize_tuning.def"

enum pl_char_kind pl_char_kind_of(uint32_t c)
{
    if (c == ' ')
        return PL_CHAR_BLANK;
    if (c >= '0' && c <= '9')
        return PL_CHAR_DIGIT;
    return pl_script_of(c) ? PL_CHAR_LETTER : PL_CHAR_OTHER;
}

/* Reads the next character of a set, or a range as "a-z". A '-' that begins or ends the set
 * stands for itself. */
static bool next_range(const char **p, uint32_t *first, uint32_t *last)
{
    const char *s = *p;
    size_t n = pl_utf8_get(s, strlen(s), first);
    if (!n)
        return false;
    s += n;
    *last = *first;
    if (s[0] == '-' && s[1]) {
        n = pl_utf8_get(s + 1, strlen(s + 1), last);
        s += 1 + n;
    }
    *p = s;
    return n && *first <= *last;
}

/* Forbids the classes that are not in the set, or those that are where it begins with '^'. Blanks
 * between words are always read. */
static platen_status restrict_to(struct pl_decoder *d, const char *set, struct platen_error *err)
{
    const bool others = pl_chars_are_others(set);
    size_t n = 0, letters = 0, left_out = 0;
    for (size_t i = 1; i < d->model->n_classes; i++)
        d->own_classes[i].forbidden = !others && d->classes[i].kind != PL_CHAR_BLANK;
    for (const char *p = set + others; *p;) {
        uint32_t first, last;
        const char *at = p;
        if (!next_range(&p, &first, &last))
            return pl_fail(err, PLATEN_ERR_ARG,
                           "the set of characters is malformed at '%.20s' (a-z means a to z)", at);
        for (size_t i = 1; i < d->model->n_classes; i++) {
            const char *symbol = d->model->alphabet[i];
            uint32_t c;
            if (d->classes[i].kind != PL_CHAR_BLANK && pl_utf8_get(symbol, strlen(symbol), &c) &&
                c >= first && c <= last)
                d->own_classes[i].forbidden = others;
        }
    }
    for (size_t i = 1; i < d->model->n_classes; i++) {
        const struct pl_class *c = &d->classes[i];
        const bool plain = c->kind == PL_CHAR_LETTER && c->code_point < 0x80;
        n += c->kind != PL_CHAR_BLANK && !c->forbidden;
        letters += plain;
        left_out += plain && c->forbidden;
    }
    d->restricted = true;
    d->lacks_letters = 2 * left_out > letters;
    return n ? PLATEN_OK
             : pl_fail(err, PLATEN_ERR_ARG, "the model reads none of the characters '%.60s'", set);
}

/* Takes in what the classes are, and the scripts of which they have the letters: a few are signs of
 * formulas. */
static void describe_classes(struct pl_decoder *d)
{
    size_t letters[PL_SCRIPT_OTHER + 1] = {0};
    for (size_t i = 1; i < d->model->n_classes; i++) {
        struct pl_class *c = &d->own_classes[i];
        c->symbol = d->model->alphabet[i];
        if (!pl_utf8_get(c->symbol, strlen(c->symbol), &c->code_point))
            continue; /* checked when the model was opened */
        c->kind = (uint8_t)pl_char_kind_of(c->code_point);
        letters[pl_script_of(c->code_point)]++;
    }
    for (unsigned script = PL_SCRIPT_LATIN; script <= PL_SCRIPT_OTHER; script *= 2)
        d->scripts |= letters[script] >= SCRIPT_LETTERS ? script : 0;
}

/* Takes in the languages that are expected. */
static platen_status expect(struct pl_decoder *d, const char *codes, struct platen_error *err)
{
    const struct pl_scorer *names = d->text.identifier ? &d->text.identifier->s : NULL;
    d->tag = NULL;
    for (const char *p = codes; *p;) {
        const size_t n = strcspn(p, "+");
        const char *tag = pl_language_of_code(p, n);
        if (!tag)
            return pl_fail(err, PLATEN_ERR_ARG,
                           "'%.*s' is no language that platen tells (codes of ISO 639, as de or "
                           "deu; several as de+fr)",
                           (int)PL_MIN(n, (size_t)20), p);
        for (size_t i = 0; names && i < names->n; i++)
            if (!d->expected[i] && !strcmp(names->names[i], tag)) {
                d->expected[i] = true;
                d->n_expected++;
            }
        d->first_script = d->first_script ? d->first_script : pl_script_of_language(tag);
        d->expected_scripts |= (unsigned)pl_script_of_language(tag);
        d->tag = d->tag ? d->tag : tag;
        p += n + (p[n] == '+');
    }
    return PLATEN_OK;
}

/* Takes in what is said of languages, where d->text has all models. */
static platen_status heed_languages(struct pl_decoder *d, const char *lang, float weight,
                                    struct platen_error *err)
{
    d->weight = weight;
    if (!(weight > 0))
        d->text = (struct pl_text_models){.identifier = d->text.identifier};
    d->tag = d->text.language ? pl_language_tag(d->text.language) : NULL;
    return lang ? expect(d, lang, err) : PLATEN_OK;
}

platen_status pl_decoder_new(const struct pl_line_model *model, const struct pl_text_models *text,
                             const struct pl_decode_options *o, struct pl_decoder **ret,
                             struct platen_error *err)
{
    pl_auto(decoder) d = pl_alloc_zero(1, sizeof(*d));
    if (!d || !(d->own_classes = pl_alloc_zero(model->n_classes, sizeof(*d->own_classes))))
        return pl_fail_nomem(err, model->n_classes * sizeof(struct pl_class), "the decoder");
    d->model = model;
    d->classes = d->own_classes;
    d->text = *text;
    describe_classes(d);
    platen_status s = heed_languages(d, o->lang, o->language_weight, err);
    if (!s && o->chars)
        s = restrict_to(d, o->chars, err);
    if (!s && o->words && !text->words)
        s = pl_lexicon_open(o->words, &d->own_lexicon, err);
    d->lexicon = text->words ? text->words : d->own_lexicon;
    if (!s)
        *ret = pl_steal(d);
    return s;
}

platen_status pl_decoder_like(const struct pl_decoder *of, const char *lang, float language_weight,
                              struct pl_decoder **ret, struct platen_error *err)
{
    pl_auto(decoder) d = pl_alloc_zero(1, sizeof(*d));
    if (!d)
        return pl_fail_nomem(err, sizeof(*d), "the decoder");
    *d = *of;
    d->own_lexicon = NULL;
    d->own_classes = NULL;
    memset(d->expected, 0, sizeof(d->expected));
    d->n_expected = 0;
    d->expected_scripts = 0;
    d->first_script = PL_SCRIPT_NONE;
    platen_status s = heed_languages(d, lang, language_weight, err);
    if (!s)
        *ret = pl_steal(d);
    return s;
}

void pl_decoder_free(struct pl_decoder *d)
{
    if (!d)
        return;
    pl_lexicon_free(d->own_lexicon);
    pl_free(d->own_classes);
    pl_free(d);
}

platen_status pl_decoder_language(const struct pl_decoder *d, const char *tag,
                                  const struct pl_language **ret, struct platen_error *err)
{
    const char *own = d->text.language ? pl_language_tag(d->text.language) : NULL;
    tag = tag ? tag : d->tag;
    if (tag && d->text.others && !(own && !strcmp(tag, own)))
        return d->text.others->open(d->text.others->ctx, tag, ret, err);
    *ret = tag && own && strcmp(tag, own) ? NULL : d->text.language;
    return PLATEN_OK;
}
