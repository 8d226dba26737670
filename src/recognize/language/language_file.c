/* SPDX-License-Identifier: BSD-2-Clause */
/* Language models as files: version 1.0 of the container (platen-model.5). */
#include <string.h>

#include "base/fmath.h"
#include "base/mem.h"
#include "recognize/language/language.h"
#include "recognize/language/scripts.h"
#include "recognize/language/language_tuning.def"

#define MAJOR 1 /* version of the file */
#define MOST_GAIN 10

/* Takes in the code point of symbol i. Those of ASCII come first, the others ascend. */
static bool take_symbol(struct pl_language *l, size_t i, uint32_t c)
{
    const bool ascii = c < 128;
    const bool in_order =
        ascii ? i == l->first_point && l->symbol_of[c] == l->s.n - 1 : i && c > l->points[i - 1];
    if ((i == 0) != (c == ' ') || !in_order)
        return false;
    if (ascii)
        l->symbol_of[c] = (uint8_t)i;
    l->first_point += ascii;
    l->points[i] = c;
    l->letter[i] = pl_script_of(c) != PL_SCRIPT_NONE;
    return true;
}

static platen_status read_symbols(struct pl_language *l, struct platen_error *err)
{
    const struct pl_scorer *t = &l->s;
    const uint8_t other = (uint8_t)(t->n - 1);
    memset(l->symbol_of, other, sizeof(l->symbol_of));
    for (size_t i = 0; i < other; i++) {
        uint32_t c;
        const size_t n = strlen(t->names[i]);
        if (pl_utf8_get(t->names[i], n, &c) != n || !take_symbol(l, i, c))
            return pl_fail(err, PLATEN_ERR_FORMAT,
                           "symbol %zu is no character of its own, or not in order", i);
    }
    for (size_t i = 0; i < t->n; i++) {
        const uint8_t small =
            i < other ? pl_language_symbol(l, pl_small_letter(l->points[i])) : other;
        l->small[i] = small == other ? (uint8_t)i : small;
    }
    return PLATEN_OK;
}

/* Tells how many of the letters of a text are beyond ASCII, by what the model expects before it has
 * seen any. */
static void count_marked(struct pl_language *l)
{
    double all = 0, marked = 0;
    for (size_t i = 0; i + 1 < l->s.n; i++) {
        const double p = l->letter[i] ? (double)pl_expf(l->s.bias[i] - l->s.bias[0]) : 0;
        all += p;
        marked += l->points[i] >= 128 ? p : 0;
    }
    l->few_marked = marked > 0 && marked <= MARKED_COMMON * all;
}

/* Reads section WORD, where there is one, and what its words gain. */
static platen_status read_words(struct pl_language *l, struct platen_error *err)
{
    const struct pl_nn_range *words = &l->s.section[PL_SCORER_WORDS];
    const char *told = pl_container_value(l->s.meta, l->s.n_meta, "word_gain");
    double gain = 0;
    if (!words->data)
        return PLATEN_OK;
    if (!told || !pl_parse_double(told, strlen(told), &gain) || !(gain >= 0 && gain <= MOST_GAIN))
        return pl_fail(err, PLATEN_ERR_FORMAT, "metadata key 'word_gain' is missing or not 0 to %d",
                       MOST_GAIN);
    l->word_gain = (float)gain;
    return pl_lexicon_map(words->data, words->size, &l->words, err);
}

platen_status pl_language_open_memory(const void *data, size_t n, struct pl_language **ret,
                                      struct platen_error *err)
{
    pl_auto(language) l = pl_alloc_zero(1, sizeof(*l));
    if (!l)
        return pl_fail_nomem(err, sizeof(*l), "a language model");
    platen_status s = pl_scorer_read(data, n, MAJOR, true, &l->s, err);
    s = s ? s : read_symbols(l, err);
    s = s ? s : read_words(l, err);
    if (s)
        return s;
    count_marked(l);
    *ret = pl_steal(l);
    return PLATEN_OK;
}

platen_status pl_language_open(const char *path, struct pl_language **ret, struct platen_error *err)
{
    struct pl_map map = {0};
    struct pl_language *l = NULL;
    platen_status s = pl_map_read(path, PL_CONTAINER_MAX_BYTES, &map, err);
    s = s ? s : pl_language_open_memory(map.data, map.size, &l, err);
    if (s) {
        pl_map_close(&map);
        return pl_fail_prefix(err, s, "unable to open model '%s': ", path);
    }
    l->s.map = map;
    *ret = l;
    return PLATEN_OK;
}

void pl_language_free(struct pl_language *l)
{
    if (!l)
        return;
    pl_lexicon_free(l->words);
    pl_scorer_done(&l->s);
    pl_free(l);
}

const char *pl_language_tag(const struct pl_language *l)
{
    return pl_container_value(l->s.meta, l->s.n_meta, "language");
}

void pl_language_describe(const struct pl_language *l, struct pl_str *out)
{
    struct pl_str what = {0};
    pl_str_printf(&what, "language model: %zu characters, guessed from %d contexts", l->s.n,
                  PL_LANGUAGE_CONTEXTS);
    if (l->words)
        pl_str_printf(&what, "; words of %zu edges", pl_lexicon_edges(l->words));
    pl_scorer_describe(&l->s, what.failed ? "" : what.s, out);
    pl_str_done(&what);
}
