/* SPDX-License-Identifier: BSD-2-Clause */
#include "recognize/foreign.h"

#include <string.h>

#include "base/text.h"
#include "recognize/language/scripts.h"
#include "recognize/recognize_tuning.def"

/* Returns the word of a reading that has the most of the columns of `word`; NULL where none has
 * any. */
static const struct pl_word *word_in_place(const struct pl_line *reading,
                                           const struct pl_word *word, int *ret_columns)
{
    const struct pl_word *best = NULL;
    *ret_columns = 0;
    for (size_t i = 0; i < reading->n_words + reading->n_doubted; i++) {
        const struct pl_word *w = &reading->words[i];
        const int both = PL_MIN(w->box.x1, word->box.x1) - PL_MAX(w->box.x0, word->box.x0);
        if (both > *ret_columns) {
            *ret_columns = both;
            best = w;
        }
    }
    return best;
}

struct pl_foreign pl_foreign_compare(const struct pl_line *reading, const struct pl_line *other,
                                     unsigned scripts)
{
    struct pl_foreign f = {.letters = 0};
    int columns;
    for (size_t i = 0; i < reading->n_words + reading->n_doubted; i++) {
        const struct pl_word *w = &reading->words[i], *there;
        const struct pl_script_count c = pl_script_count(w->text, scripts);
        f.all += c.all;
        f.certain += c.certain;
        if (!c.of || 2 * c.of < c.all)
            continue;
        there = word_in_place(other, w, &columns);
        f.letters += c.of;
        f.chars += w->n_chars;
        f.conf += w->conf * (float)w->n_chars;
        f.other_conf += there ? there->conf * (float)w->n_chars : 0;
    }
    if (f.chars) {
        f.conf /= (float)f.chars;
        f.other_conf /= (float)f.chars;
    }
    return f;
}

/* Whether a text has a Latin letter beyond ASCII, which models of other scripts do not know. */
static bool has_accents(const char *text)
{
    uint32_t c;
    for (size_t n = strlen(text), k; n && (k = pl_utf8_get(text, n, &c)) > 0; text += k, n -= k)
        if ((c >= 0xC0 && c <= 0x24F && c != 0xD7 && c != 0xF7) || (c >= 0x1E00 && c <= 0x1EFF))
            return true;
    return false;
}

/* Returns the word that stands in the place of `word`, which is of other scripts, and is read there
 * about as surely, with as many characters: one with letters that the model of `word` does not
 * know, or that it took for letters of its scripts. NULL where there is none. */
static const struct pl_word *own_instead(const struct pl_line *other, const struct pl_word *word,
                                         unsigned scripts)
{
    int columns;
    const struct pl_word *there = word_in_place(other, word, &columns);
    const struct pl_script_count all = pl_script_count(word->text, ~0u),
                                 c = pl_script_count(word->text, scripts);
    const bool own = c.certain ? all.certain > 2 * c.certain && !strpbrk(word->text, "0123456789")
                               : all.certain > 0;
    return there && own && (c.of || has_accents(there->text)) && there->n_chars == word->n_chars &&
                   there->conf > word->conf - FOREIGN_SLACK &&
                   2 * columns > pl_rect_width(there->box) && 2 * columns > pl_rect_width(word->box)
               ? there
               : NULL;
}

platen_status pl_foreign_take_own(struct pl_arena *arena, unsigned scripts,
                                  const struct pl_line *other, struct pl_line *reading,
                                  struct platen_error *err)
{
    bool any = false;
    for (size_t i = 0; i < reading->n_words; i++) {
        const struct pl_word *own = own_instead(other, &reading->words[i], scripts);
        any = any || own;
        reading->words[i] = own ? *own : reading->words[i];
    }
    if (!any)
        return PLATEN_OK;
    reading->conf = pl_words_conf(reading->words, reading->n_words + reading->n_doubted);
    reading->text = pl_words_join(arena, reading->words, reading->n_words);
    return reading->text ? PLATEN_OK : pl_fail_nomem(err, reading->n_words, "the text of a line");
}
