/* SPDX-License-Identifier: BSD-2-Clause */
/* The ways to find tables: by rules (pl_tables_ruled() of steps.h), by bands between rules or
 * white, and by words that stand under each other. Functions that return bool return false when
 * memory is short, unless they say otherwise. */
#ifndef PL_LAYOUT_TABLES_H
#define PL_LAYOUT_TABLES_H

#include "base/arena.h"
#include "layout/grid.h"

/* ---- rows and columns of text in a grid of rules ---- */

/* Edges of a grid of rules, and those of rows and columns of text between them. An edge of a column
 * of text holds in rows from[i] to to[i] - 1. */
struct pl_edges {
    int n_rows, n_columns;
    double x[PL_GRID_MAX_COLUMNS + 1], y[PL_GRID_MAX_ROWS + 1];
    bool drawn_x[PL_GRID_MAX_COLUMNS + 1], drawn_y[PL_GRID_MAX_ROWS + 1]; /* by a rule */
    bool narrow_x[PL_GRID_MAX_COLUMNS + 1]; /* of text, where most rows have no more than a blank */
    int from[PL_GRID_MAX_COLUMNS + 1], to[PL_GRID_MAX_COLUMNS + 1];
    int n_head;  /* as in struct pl_table_grid */
    int n_below; /* of the rows: text below the rules, the last ones */
};

/* ruled_rows.c: adds edges of rows where several rows of text stand between two level rules.
 * lines[0..n) lie in the grid. */
PL_MUST_USE bool pl_ruled_rows_part(struct pl_arena *arena, double glyph_px,
                                    const struct pl_line *const *lines, size_t n,
                                    struct pl_edges *edges);
/* What the text of bands tells of them. */
struct pl_band_rows {
    bool whole;  /* hardly any cell has white in a row of text that is as wide as between columns */
    bool run_on; /* they are rows of a table, and not groups of rows or a list of numbered items:
                    text goes on in its column where a line was full, or each band has one row of
                    text in several columns and others in the first one */
    bool prose;  /* they are columns of prose, of which paragraphs happen to be level */
};
/* Tells of the bands of *edges. */
PL_MUST_USE bool pl_ruled_rows_judge(struct pl_arena *arena, double glyph_px,
                                     const struct pl_line *const *lines, size_t n,
                                     const struct pl_edges *edges, struct pl_band_rows *ret);
/* What is between two level rules, if it may be fields of a form. */
struct pl_field_row {
    bool labelled;    /* they are: each has a label in smaller type above what was filled in */
    long first, last; /* numbers of the columns; 0 where these do not go on by one each */
};
/* Tells of the row between the two level rules of `edges`. */
PL_MUST_USE bool pl_ruled_rows_fields(struct pl_arena *arena, const struct pl_line *const *lines,
                                      size_t n, const struct pl_edges *edges,
                                      struct pl_field_row *ret);

/* ruled_columns.c: adds edges of columns where the words of such rows, or of rows that rules part,
 * stand in columns. `grid` tells which places these edges have parted. */
PL_MUST_USE bool pl_ruled_columns_part(struct pl_arena *arena, double glyph_px,
                                       const struct pl_line *const *lines, size_t n,
                                       const struct pl_table_grid *grid, struct pl_edges *edges);

/* ruled_sums.c: adds rows of text close below the rules that have values under those of the
 * columns. Appends their lines to lines[0..*n), of the table, which has room for all of the page.
 */
void pl_ruled_sums_add(const struct pl_regions *regions, const struct pl_line **lines, size_t *n,
                       struct pl_edges *edges);

/* ---- bands: rows of a table that may have several rows of text ---- */

/* bands.c: finds the first table of those that stand between level rules alone, rules[0..n), n > 1,
 * from top to bottom, which begin and end at the same places. Fills *ret with its edges, to which
 * pl_ruled_rows_part() is to be applied; ret->n_columns is 0 where there is none. *ret_used tells
 * how many of the rules were looked at: the next table may begin at rules[*ret_used]. */
PL_MUST_USE bool pl_bands_ruled(struct pl_arena *arena, const struct pl_regions *regions,
                                const struct pl_rule *const *rules, size_t n, struct pl_edges *ret,
                                size_t *ret_used);

/* bands.c: finds the first table of bands that white alone parts, in the same way. The page was
 * looked at down to height *y, and is to regions->height in the end. */
PL_MUST_USE bool pl_bands_spaced(struct pl_arena *arena, const struct pl_regions *regions, int *y,
                                 struct pl_edges *ret);

/* centred.c: finds the first table without rules of which the cells are set in the middle of their
 * row's height, some with several rows of text, others with one; in the same way. */
PL_MUST_USE bool pl_bands_centred(struct pl_arena *arena, const struct pl_regions *regions, int *y,
                                  struct pl_edges *ret);

/* band_head.c: adds to *e the row above its rules that names the columns, if there is one: rows of
 * text that stand in several columns, and are no further above the rules, and each other, than they
 * are high. What stands in the first column alone may be a title. body[0..n_body) are the lines of
 * the table; the edges of its columns are moved to white that the names share with them. */
PL_MUST_USE bool pl_bands_add_head(struct pl_arena *arena, const struct pl_regions *regions,
                                   const struct pl_line *const *body, size_t n_body,
                                   struct pl_edges *e);

/* ---- tables by words ---- */

/* aligned.c: makes a table of the block where the words of its rows stand under each other in
 * columns. *ret_made tells whether it did: a table has at least `least_cells` cells that stand
 * under others, with the first of each row. */
PL_MUST_USE bool pl_table_aligned(struct pl_arena *arena, const struct pl_regions *regions,
                                  double xheight_px, size_t least_cells, struct pl_block *block,
                                  bool *ret_made);

struct pl_text_row;
/* text_around.c: tells how many of rows[0..n), of a block of which a table was made, are a text
 * above the table's own rows, and how many are one below: no more than all but one. */
void pl_table_find_text(const struct pl_block *table, const struct pl_text_row *rows, size_t n,
                        double xheight_px, size_t *ret_before, size_t *ret_behind);

/* name_columns.c: makes one column, of a table that may be made anew, of each that has a name alone
 * and of the one beside it that has its values alone. */
PL_MUST_USE bool pl_table_join_names(struct pl_arena *arena, const struct pl_regions *regions,
                                     struct pl_block *block);

/* head_rows.c: returns whether the text of a cell is figures, without a letter, and no year. */
bool pl_cell_is_number(const struct pl_cell *c);
/* head_rows.c: makes one row, which names the columns, of the rows at the top of a table that do so
 * together, and one of each row and those below it in which its text goes on. */
PL_MUST_USE bool pl_table_join_rows(struct pl_arena *arena, const struct pl_regions *regions,
                                    struct pl_block *block);

/* ---- tables that stand in several blocks ---- */

/* A page whose blocks are named. `regions` still has the blocks from which they were made. */
struct pl_table_stack {
    const struct pl_regions *regions;
    double xheight_px, pitch_px; /* usual ones */
};
/* below.c: makes one block of those below each other, blocks[0..*n) in reading order, that are one
 * table and not each by itself. Its lines are new. */
PL_MUST_USE bool pl_blocks_below(struct pl_arena *arena, const struct pl_table_stack *s,
                                 struct pl_block *blocks, size_t *n);
/* stacked.c: joins tables that words make with heads over them, sums below, and each other, where
 * they stand in the same columns: blocks[0..*n), in reading order, may become fewer. */
PL_MUST_USE bool pl_tables_stack(struct pl_arena *arena, const struct pl_table_stack *s,
                                 struct pl_block *blocks, size_t *n);

#endif
