/* SPDX-License-Identifier: BSD-2-Clause */
/* From the characters that were read to the words of a line. */
#ifndef PL_RECOGNIZE_WORDS_H
#define PL_RECOGNIZE_WORDS_H

#include "base/arena.h"
#include "base/status.h"
#include "base/text.h"
#include "page/result.h"
#include "recognize/line_ink.h"

/* A character as read: x0 and x1 bound the steps that saw it, in columns of the page picture. They
 * lie inside its ink more often than around it. */
struct pl_read_char {
    const char *symbol; /* UTF-8; " " parts words */
    double x0, x1;
    float conf;
};

static inline bool pl_read_char_is_space(const struct pl_read_char *c)
{
    return c->symbol[0] == ' ' && !c->symbol[1];
}

static inline double pl_read_char_center(const struct pl_read_char *c)
{
    return (c->x0 + c->x1) / 2;
}

/* Puts c behind chars[0..n), where there is room. Of two apostrophes of different shapes side by
 * side, one mark that was taken for both, the surer one stays. Gives the new number. */
size_t pl_read_char_push(struct pl_read_char *chars, size_t n, struct pl_read_char c);

/* Fills words, n_words, text and conf of `line` from chars[0..n), left to right; everything new
 * lies in `arena`, `scratch` is for passing use; `ink` is that of the line, or NULL where nobody
 * knows. Where letters are of a script from right to left, words and the characters in them come in
 * the order in which they are read (page/bidi.h), and from_right is set. The confidence of a word
 * or line is the geometric mean over its characters. A word's box ends at the widest gap of the ink
 * between its characters and those beside it. Where there is none, it takes its ends from the ink
 * boxes in line->gaps where the word's first or last character lies in one that no neighbour
 * shares, and its rows from the ink boxes that it meets. PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_words_build(struct pl_arena *arena, struct pl_str *scratch,
                                         const struct pl_line_ink *ink, struct pl_read_char *chars,
                                         size_t n, struct pl_line *line, struct platen_error *err);

/* What is left of a line that may be no text. One that was read with less than min_conf, or with a
 * sixth of that doubt where it has no letter or figure, or hardly any but one (drawings are often
 * read so), keeps its words of two and more characters that were read with at most a third of the
 * doubt; the others follow behind these and n_doubted tells how many. With min_conf 0 all stays.
 * The line's confidence stays that of all that was read. PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_words_doubt(struct pl_arena *arena, float min_conf,
                                         struct pl_line *line, struct platen_error *err);

/* Leaves no word of a line: all follow as doubted. PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_words_refuse(struct pl_arena *arena, struct pl_line *line,
                                          struct platen_error *err);
/* Keeps those of the n_words words of a line that stay; the others follow behind these as doubted
 * ones. PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_words_keep(struct pl_arena *arena, const bool *stays,
                                        struct pl_line *line, struct platen_error *err);

#endif
