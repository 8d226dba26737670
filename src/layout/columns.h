/* SPDX-License-Identifier: BSD-2-Clause */
/* Columns of words: where white parts them over many rows, and which of them each kind of rows has.
 * Functions that return bool return false when memory is short, unless they say otherwise. */
#ifndef PL_LAYOUT_COLUMNS_H
#define PL_LAYOUT_COLUMNS_H

#include "base/arena.h"
#include "layout/grid.h"

/* ---- profile.c: white between columns of words ---- */

/* Returns whether one of two boxes stands under the other: their left or right edges or their
 * middles differ by no more than tolerance_px. */
bool pl_stands_under(struct pl_rect a, struct pl_rect b, double tolerance_px);

/* Sorts boxes by their left edges, and those with the same by their right ones. */
void pl_boxes_sort_left(struct pl_rect *v, size_t n);

/* The most runs of words of a row that are looked at. */
#define PL_MAX_RUNS 32

/* A run is words of a line with no white between them as wide as gap_px, or `gap` times its glyphs.
 * Appends the runs of the
 * words first..end - 1 to runs[0..n), up to PL_MAX_RUNS; returns how many there are then. */
size_t pl_line_runs(const struct pl_line *l, size_t first, size_t end, double gap_px, double gap,
                    struct pl_rect *runs, size_t n);

/* Where runs of many rows begin and end. */
struct pl_profile {
    double *start, *end;
    size_t n;
    int n_rows;
};

/* `room` runs may be added. */
PL_MUST_USE bool pl_profile_init(struct pl_arena *arena, size_t room, struct pl_profile *ret);
/* Adds a row, if it has two runs at least. */
void pl_profile_add(struct pl_profile *p, const struct pl_rect *runs, size_t n);
/* Fills `edges` with the middles of what is white in nearly all rows, at most `most`; returns how
 * many. */
int pl_profile_edges(struct pl_profile *p, int most, double *edges);

/* Words of a row of text, from left to right. White as wide as gap_px parts two columns, and so
 * does any between names of which each has a line under it. */
struct pl_words_row {
    struct pl_rect words[PL_MAX_RUNS];
    bool ends_name[PL_MAX_RUNS]; /* a line below ends at the word, or one begins at the next */
    bool is_label[PL_MAX_RUNS];  /* the word ends in a colon */
    size_t n;
    double gap_px;
};
/* Moves the n_edges edges between x0 and x1, but the narrow ones: where a row of several runs has
 * one across an edge that begins in the white of the other rows, the edge comes to stand in the
 * white that is left, so that the run is in a column in which its row has no other. */
void pl_profile_settle_edges(const struct pl_words_row *rows, size_t n, double x0, double x1,
                             const bool *narrow, double *edges, int n_edges);
/* Returns the least white within a whole row that tells of columns: gap_px, or less where it is
 * clearly wider than the row's usual blank. */
double pl_words_row_wide_px(const struct pl_words_row *row);
/* Tells where names end in a row by the level rules close below it, at height y. */
void pl_words_row_underlines(const struct pl_regions *regions, double y, struct pl_words_row *row);
/* Fills `edges` with the places where two columns meet that are no wider apart than words: most
 * rows have a blank there, and one, as the head does, has white as between columns, or all words
 * end and begin there that stand beside it, however long they are; or several have a blank, most of
 * these with a label before it. Words that end and begin at a place tell nothing where glyph_px,
 * their size, is 0. At most `most`; returns how many. `p`, which has room for all words, is written
 * anew. */
int pl_profile_close_edges(struct pl_profile *p, const struct pl_words_row *rows, size_t n_rows,
                           double glyph_px, int most, double *edges);

/* ---- row_kinds.c: rows of several kinds in turn, with columns of their own ---- */

/* The most kinds of rows in one table. */
#define PL_ROW_KINDS 8

/* Tells the kinds of rows: kind[i] is that of row i, UINT8_MAX where it is of none that has several
 * rows; *ret_n is their number. */
PL_MUST_USE bool pl_row_kinds_tell(struct pl_arena *arena, const struct pl_words_row *rows,
                                   size_t n, double tolerance_px, uint8_t *kind, int *ret_n);

/* Where columns meet, from left to right. Across a narrow edge most rows have no more than a blank.
 */
struct pl_column_edges {
    double x[PL_GRID_MAX_COLUMNS];
    bool narrow[PL_GRID_MAX_COLUMNS];
    int n;
};
/* The rows of one kind, and their columns. */
struct pl_kind_rows {
    const struct pl_words_row **rows;
    size_t n;
    struct pl_column_edges columns;
};
/* Returns which of n kinds has the most columns. */
int pl_kinds_most(const struct pl_kind_rows *kinds, int n);
/* The edges of all kinds, from left to right: which of them hold in rows of a kind, and which of
 * these are narrow there. */
struct pl_kind_columns {
    double x[PL_GRID_MAX_COLUMNS];
    int n;
    bool holds[PL_ROW_KINDS][PL_GRID_MAX_COLUMNS], narrow[PL_ROW_KINDS][PL_GRID_MAX_COLUMNS];
    int most; /* the kind with the most columns */
};
/* Joins the edges of n kinds, up to as many as a grid may have. Those of two kinds are one where
 * rows of both have white between them, or at least blank_px of it in one place. Where a kind has
 * no text, the edges of the kind with the most columns hold, too. */
PL_MUST_USE bool pl_kind_columns_join(struct pl_arena *arena, const struct pl_kind_rows *kinds,
                                      int n, double blank_px, struct pl_kind_columns *ret);

#endif
