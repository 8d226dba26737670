/* SPDX-License-Identifier: BSD-2-Clause */
/* Initials: the big letters before the first row of a chapter, once both are read. */
#include "layout/steps.h"

#include <math.h>
#include <string.h>

#include "recognize/decoder.h"

/* Characters behind the initial that tell whether a blank follows it. */
#define LOOK_AHEAD 12

/* Returns the capital that was read; 0 where it was something else. Big letters have no small ones
 * beside them to be told from, and figures start no chapter. */
static char capital_of(const struct pl_line *line)
{
    char c = line->n_words == 1 && line->words[0].n_chars == 1 ? line->words[0].text[0] : 0;
    if (c == '0')
        return 'O';
    if (c == '1' || c == 'l' || c == '|')
        return 'I';
    if (c >= 'a' && c <= 'z')
        return (char)(c - 'a' + 'A');
    return c >= 'A' && c <= 'Z' ? c : 0;
}

/* Logarithm of the probability of a line that starts with the capital, a blank or none, and text.
 */
static double likelihood(const struct pl_kernels *k, const struct pl_language *l, char capital,
                         bool blank, const char *text)
{
    char start[LOOK_AHEAD + 2] = {capital, ' '};
    size_t n = blank ? 2 : 1, chars = strnlen(text, LOOK_AHEAD);
    memcpy(start + n, text, chars);
    return pl_language_likelihood(l, k, start, n + chars);
}

static bool is_word(const struct pl_kernels *k, const struct pl_language *l, char capital,
                    const char *text)
{
    return l && likelihood(k, l, capital, true, text) > likelihood(k, l, capital, false, text);
}

/* Returns `capital`, a blank where `blank` is set, and text, as one text in the arena; NULL when
 * memory is short. */
static const char *prefixed(struct pl_arena *arena, char capital, bool blank, const char *text)
{
    size_t n = strlen(text);
    char *s = PL_NEW(arena, char, n + 3);
    if (!s)
        return NULL;
    s[0] = capital;
    s[1] = ' ';
    memcpy(s + 1 + blank, text, n + 1);
    return s;
}

/* Makes the initial a part of word w, the first of its row. */
static bool grow_word(struct pl_arena *arena, char capital, const struct pl_word *initial,
                      struct pl_word *w)
{
    float *conf = PL_NEW(arena, float, w->n_chars + 1);
    const char *text = prefixed(arena, capital, false, w->text);
    if (!conf || !text)
        return false;
    double logs = (double)w->n_chars * log(PL_MAX((double)w->conf, 1e-6)) +
                  log(PL_MAX((double)initial->conf, 1e-6));
    conf[0] = initial->char_conf[0];
    memcpy(conf + 1, w->char_conf, w->n_chars * sizeof(*conf));
    *w = (struct pl_word){.box = pl_rect_union(initial->box, w->box),
                          .text = text,
                          .conf = (float)exp(logs / (double)(w->n_chars + 1)),
                          .char_conf = conf,
                          .n_chars = w->n_chars + 1};
    return true;
}

/* Makes the initial a word of its own before those of the row. */
static bool add_word(struct pl_arena *arena, char capital, const struct pl_word *initial,
                     struct pl_line *row)
{
    size_t n = row->n_words + row->n_doubted;
    struct pl_word *words = PL_NEW(arena, struct pl_word, n + 1);
    const char *text = prefixed(arena, capital, false, "");
    if (!words || !text)
        return false;
    memcpy(words + 1, row->words, n * sizeof(*words));
    words[0] = *initial;
    words[0].text = text;
    row->words = words;
    row->n_words++;
    return true;
}

static bool join_initial(struct pl_arena *arena, const struct pl_kernels *k,
                         const struct pl_language *l, const struct pl_line *initial,
                         struct pl_line *row)
{
    char capital = capital_of(initial);
    bool blank = is_word(k, l, capital, row->text);
    const char *text = prefixed(arena, capital, blank, row->text);
    struct pl_rect box = pl_rect_union(initial->box, row->box);
    if (!text || !(blank ? add_word(arena, capital, initial->words, row)
                         : grow_word(arena, capital, initial->words, row->words)))
        return false;
    row->text = text;
    row->ink_px += initial->ink_px;
    pl_line_set_box(row, box);
    return true;
}

/* Returns whether b is the row before which initial a stands. */
static bool is_row_of(const struct pl_line *a, const struct pl_line *b)
{
    return !b->initial && b->n_words && !b->quarters && b->box.x0 > a->box.x0 &&
           fabs(a->base_y + a->slope * (b->box.x0 - a->box.x0) - b->base_y) < b->glyph_px;
}

static bool join_block(struct pl_arena *arena, const struct pl_kernels *k,
                       const struct pl_language *l, struct pl_block *b)
{
    size_t kept = 0;
    for (size_t i = 0; i < b->n_lines; i++) {
        struct pl_line *line = &b->lines[i], *row = line + 1;
        bool read = line->initial && capital_of(line);
        if (read && i + 1 < b->n_lines && is_row_of(line, row)) {
            if (!join_initial(arena, k, l, line, row))
                return false;
            continue;
        }
        if (line->initial && !read) {
            line->n_words = 0;
            line->text = "";
        }
        line->initial = false;
        b->lines[kept++] = *line;
    }
    b->n_lines = kept;
    return true;
}

bool pl_initials_join(struct pl_arena *arena, const struct pl_kernels *k,
                      const struct pl_language *language, struct pl_regions *regions)
{
    for (size_t b = 0; b < regions->n_blocks; b++)
        if (!join_block(arena, k, language, &regions->blocks[b]))
            return false;
    return true;
}
