/* SPDX-License-Identifier: BSD-2-Clause */
#include "recognize/signs.h"

#include <string.h>

#include "recognize/language/codes.h"
#include "recognize/recognize_tuning.def"

#define MAX_BYTES 128 /* of a word that may be one of a sign */

/* A word in the letters of one script. */
struct spelt {
    char text[2 * MAX_BYTES + 1];
    size_t letters;
};

/* Puts a word into a script. Returns false where it has letters of others, or figures. */
static bool spell(const char *text, enum pl_script script, struct spelt *ret)
{
    if (strlen(text) > MAX_BYTES || strpbrk(text, "0123456789"))
        return false;
    ret->letters = pl_script_count(text, ~0u).all;
    return pl_script_put(text, script, ret->text);
}

static size_t all_words(const struct pl_line *line)
{
    return line->n_words + line->n_doubted;
}

/* Whether a word list has the words of a line as a script writes them, one letter by itself aside.
 */
static bool has_words(const struct pl_lexicon *words, const struct pl_line *line,
                      enum pl_script script)
{
    struct spelt w;
    bool all = true;
    for (size_t i = 0; i < all_words(line) && all; i++)
        all = spell(line->words[i].text, script, &w) &&
              (w.letters < 2 || pl_lexicon_has(words, w.text));
    return all;
}

/* Tells whether any language of a script has the words of a line. */
static platen_status is_known(const struct pl_decoder *d, const struct pl_line *line,
                              enum pl_script script, bool *ret, struct platen_error *err)
{
    const struct pl_scorer *names = &d->text.identifier->s;
    platen_status s = PLATEN_OK;
    *ret = false;
    for (size_t i = 0; i < names->n && !s && !*ret; i++) {
        const struct pl_language *l = NULL;
        const char *tag = pl_language_of_code(names->names[i], strlen(names->names[i]));
        if (tag && pl_script_of_language(tag) == script)
            s = pl_decoder_language(d, tag, &l, err);
        *ret = !s && l && l->words && has_words(l->words, line, script);
    }
    return s;
}

static size_t figures_of(const char *text)
{
    size_t n = 0;
    for (; *text; text++)
        n += *text >= '0' && *text <= '9';
    return n;
}

/* Whether a word is of letters, most of them: a figure may be a letter of another script. */
static bool is_of_letters(const char *text)
{
    const size_t letters = pl_script_count(text, ~0u).all;
    return letters >= SIGN_LETTERS && letters > 2 * figures_of(text);
}

bool pl_sign_may_be(const struct pl_decoder *first, const struct pl_line *line)
{
    const struct pl_language *l = first->text.language;
    bool any = false;
    if (!first->text.identifier || !l || !l->words)
        return false;
    for (size_t i = 0; i < all_words(line) && !any; i++)
        any = is_of_letters(line->words[i].text) && !pl_lexicon_has(l->words, line->words[i].text);
    return any;
}

/* Whether all words of a line may be in a script, with letters enough to tell. */
static bool may_be_in(const struct pl_line *line, enum pl_script script)
{
    size_t letters = 0;
    struct spelt w;
    for (size_t i = 0; i < all_words(line); i++) {
        if (!spell(line->words[i].text, script, &w))
            return false;
        letters += w.letters;
    }
    return letters >= SIGN_LETTERS;
}

/* Whether two readings are the same words once they are in one script. */
static bool are_alike(const struct pl_line *a, const struct pl_line *b, enum pl_script script)
{
    struct spelt x, y;
    bool same = all_words(a) == all_words(b);
    for (size_t i = 0; same && i < all_words(a); i++)
        same = spell(a->words[i].text, script, &x) && spell(b->words[i].text, script, &y) &&
               !strcmp(x.text, y.text);
    return same;
}

/* Takes the words of `line` into a script, to *ret. */
static platen_status put_words(struct pl_arena *arena, const struct pl_line *line,
                               enum pl_script script, struct pl_line *ret, struct platen_error *err)
{
    struct pl_word *words = PL_NEW(arena, struct pl_word, all_words(line));
    struct spelt w;
    bool room = words != NULL;
    for (size_t i = 0; room && i < all_words(line); i++) {
        words[i] = line->words[i];
        spell(line->words[i].text, script, &w);
        words[i].text = pl_arena_strndup(arena, w.text, strlen(w.text));
        room = words[i].text != NULL;
    }
    *ret = *line;
    ret->words = words;
    ret->text = room ? pl_words_join(arena, words, ret->n_words) : NULL;
    return ret->text ? PLATEN_OK : pl_fail_nomem(err, all_words(line), "the words of a line");
}

/* Keeps the words of a line that was doubted as a whole. */
static void trust(struct pl_line *line)
{
    line->n_words = line->n_doubted;
    line->n_doubted = 0;
}

/* Tells whether a line is a sign in a script by the words of languages, where nothing else does:
 * `alike` tells that both models saw the same letters. */
static platen_status ask_languages(const struct pl_decoder *first, enum pl_script script,
                                   const struct pl_line *line, const struct pl_line *reading,
                                   bool alike, bool *ret, struct platen_error *err)
{
    bool latin = may_be_in(reading, PL_SCRIPT_LATIN);
    *ret = false;
    if (latin && !alike)
        return PLATEN_OK;
    platen_status s = is_known(first, reading, script, ret, err);
    if (!s && *ret && latin) {
        s = is_known(first, line, PL_SCRIPT_LATIN, &latin, err);
        *ret = !latin;
    }
    return s;
}

/* Tells whether what is read of a line is a sign in a script, and whether its words are known. */
static platen_status is_sign(const struct pl_decoder *first, enum pl_script script,
                             const struct pl_line *line, const struct pl_line *reading, bool alike,
                             bool *ret, bool *ret_known, struct platen_error *err)
{
    *ret = *ret_known = false;
    if (!may_be_in(reading, script) || !(alike || reading->conf >= REREAD_CONF_WON))
        return PLATEN_OK;
    const bool told = first->expected_scripts == (unsigned)script ||
                      (reading->conf >= REREAD_UNSURE && !may_be_in(reading, PL_SCRIPT_LATIN));
    platen_status s = PLATEN_OK;
    if (!told || reading->n_doubted)
        s = ask_languages(first, script, line, reading, alike, ret_known, err);
    *ret = !s && (told || *ret_known);
    return s;
}

platen_status pl_sign_settle(struct pl_arena *arena, const struct pl_decoder *first,
                             unsigned scripts, const struct pl_line *line, struct pl_line *reading,
                             bool *ret_is, struct platen_error *err)
{
    static const enum pl_script all[] = {PL_SCRIPT_CYRILLIC, PL_SCRIPT_GREEK};
    const unsigned among = first->expected_scripts ? first->expected_scripts & scripts : scripts;
    platen_status s = PLATEN_OK;
    bool known = false;
    *ret_is = false;
    for (size_t i = 0; i < PL_ARRAY_LEN(all) && !s && !*ret_is; i++) {
        const bool alike = are_alike(line, reading, all[i]);
        if (among & all[i] && first->text.identifier)
            s = is_sign(first, all[i], line, reading, alike, ret_is, &known, err);
        if (!s && *ret_is && known && !alike && !reading->n_words)
            trust(reading);
        if (!s && *ret_is)
            s = put_words(arena, alike ? line : reading, all[i], reading, err);
    }
    return s;
}
