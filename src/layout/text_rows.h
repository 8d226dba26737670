/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows of text, and what they may be by themselves: headings, running heads and feet, captions.
 * kinds.c makes blocks of them. */
#ifndef PL_LAYOUT_TEXT_ROWS_H
#define PL_LAYOUT_TEXT_ROWS_H

#include "base/arena.h"
#include "page/result.h"

/* Lines of a block beside each other (pl_same_row()). */
struct pl_text_row {
    struct pl_line *lines;
    size_t n;
    int top, bottom;
    bool heading;
};

/* What the rows of a page have in common. */
struct pl_text_page {
    const struct pl_regions *regions;
    double xheight, pitch; /* usual ones */
    double stroke;         /* usual length of strokes, in heights of small letters */
    struct pl_rect box;    /* of all text */
    size_t n_rows;
    bool capitals, bold; /* so few rows are in them that they tell headings */
    struct pl_text_row *rows;
};

/* Fills `rows`, which has room for one a line, with the rows of a block. Returns how many; 0 for a
 * block of turned lines. */
size_t pl_text_rows_of(const struct pl_block *b, struct pl_text_row *rows);

/* Measures the usual size of letters and their strokes, by words, and the usual distance of rows.
 * p->regions, which have so many lines and words, and p->rows, with room for as many rows as lines,
 * are set. Returns false when memory is short. */
PL_MUST_USE bool pl_text_page_measure(struct pl_arena *arena, struct pl_text_page *p,
                                      size_t n_lines, size_t n_words);

/* Returns whether row i of rows[0..n), those of a block, is a heading or the next row of one: by
 * its size, by capitals or by bold letters. `heading` of the rows before it is set. */
bool pl_text_row_is_heading(const struct pl_text_page *p, const struct pl_text_row *rows, size_t i,
                            size_t n);

/* Returns how many rows at the start of a block are the page's head, or at its end the foot. */
size_t pl_text_rows_margin(const struct pl_text_page *p, const struct pl_text_row *rows, size_t n,
                           bool foot);

/* Returns whether the rows begin like "Table 3" or "Fig. 2a. The ...", but not "Table 3 shows ...".
 */
bool pl_text_rows_are_caption(const struct pl_text_row *rows, size_t n);

/* Returns how many parts the number has with which the text, or NULL, begins: 2 of "3.1 Scope"; 0 =
 * it has none. */
int pl_section_parts(const char *s);

/* levels.c: joins headings that go on in the next one, and tells the level of each
 * (pl_block.level). Returns false when memory is short. */
PL_MUST_USE bool pl_headings_rank(struct pl_arena *arena, const struct pl_text_page *p,
                                  struct pl_regions *r);

#endif
