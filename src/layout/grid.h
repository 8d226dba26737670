/* SPDX-License-Identifier: BSD-2-Clause */
/* The grid of a table: its places, joined to cells, and the lines that are laid into it. Whoever
 * finds a grid (tables.h) makes a table of it by these. Functions that return bool return false
 * when memory is short, unless they say otherwise. */
#ifndef PL_LAYOUT_GRID_H
#define PL_LAYOUT_GRID_H

#include "base/arena.h"
#include "page/result.h"

/* What seems to have more rows or columns is no table. */
#define PL_GRID_MAX_ROWS 512
#define PL_GRID_MAX_COLUMNS 64

/* The grid of a table that is being found. Place (r, c) lies between x[c] and x[c + 1], y[r] and
 * y[r + 1]; its index in `opens_right` and `opens_below` is r * n_columns + c. */
struct pl_table_grid {
    int n_rows, n_columns;
    double *x, *y;
    bool *opens_right; /* nothing parts the place from the one to the right */
    bool *opens_below;
    bool *outside; /* the place is none of the table */
    int n_head;    /* rows that are known to name the columns; 0 = the texts tell */
};

/* ---- places.c: the grid, and its places ---- */

/* Fills *ret with a grid of that size, whose edges are zeros and whose places are all parted. */
PL_MUST_USE bool pl_grid_init(struct pl_arena *arena, int n_rows, int n_columns,
                              struct pl_table_grid *ret);

/* Returns i with edges[i] <= v < edges[i + 1] of n intervals; -1 where v lies beyond them. */
int pl_grid_interval(const double *edges, int n, double v);

/* Rows row0..row1 - 1 of columns column0..column1 - 1, around n places. */
struct pl_place_span {
    int row0, column0, row1, column1, n;
};

/* The places of a grid, joined to sets. A set is named by its first place. */
struct pl_places {
    const struct pl_table_grid *grid;
    uint32_t *parent;            /* base/sets.h */
    struct pl_place_span *spans; /* of sets */
};

/* Joins the places between which nothing stands. */
PL_MUST_USE bool pl_places_join(struct pl_arena *arena, const struct pl_table_grid *g,
                                struct pl_places *ret);
/* Joins all places of the rectangle around each set; returns whether that joined any, and made
 * larger rectangles. */
bool pl_places_fill(const struct pl_places *p);

/* The area of a place that lies around the cells. */
#define PL_NO_AREA UINT32_MAX

/* Gives for each place the area of cells beside each other that it is in. A set of places that is
 * no rectangle and as large as a good part of the grid is no cell, but what lies around them. */
PL_MUST_USE bool pl_grid_areas(struct pl_arena *arena, const struct pl_table_grid *g,
                               uint32_t **ret);

/* Returns the row behind the last of those that have columns in common with row r: the next one is
 * of another table, which stands below. */
int pl_grid_stack_end(const struct pl_table_grid *g, int r);
/* Returns whether in rows first to end - 1 anything parts columns c and c + 1. */
bool pl_grid_edge_used(const struct pl_table_grid *g, int first, int end, int c);

/* ---- laying.c: lines are laid into a grid ---- */

/* Makes words first..end - 1 of the line a line of their own. Words that are doubted stay with the
 * last part, behind whose words they lie. */
PL_MUST_USE bool pl_line_part(struct pl_arena *arena, const struct pl_line *line, size_t first,
                              size_t end, struct pl_line *ret);

struct pl_laying {
    const struct pl_regions *regions;
    const struct pl_table_grid *grid;
    struct pl_cell *cells; /* without lines, sorted */
    uint32_t *owner;       /* of each place: its cell */
    size_t n_cells;
    struct pl_line *lines; /* inside of the grid so far */
    double *cell_of;       /* of each of them, as a key to sort by */
    size_t n_lines;
    size_t n_crossing; /* lines of which the next word is outside: the rules are a drawing's */
    size_t n_close;    /* words that follow one of another cell as in a run */
};

/* `room` lines may be added, or parts of lines. */
PL_MUST_USE bool pl_laying_begin(struct pl_arena *arena, const struct pl_regions *regions,
                                 const struct pl_table_grid *grid, size_t room,
                                 struct pl_laying *ret);
/* Adds a line, in reading order, and parts it where it runs from one cell to the next or out of the
 * grid. `row` is where it stands; -1: its height tells. What lies outside is written to
 * ret_outside, which has room for a part for each word, and counted in *ret_n. */
PL_MUST_USE bool pl_laying_add(struct pl_arena *arena, struct pl_laying *laying,
                               const struct pl_line *line, int row, struct pl_line *ret_outside,
                               size_t *ret_n);
/* Marks rows at both ends of the grid as outside where one cell as wide as the table has all text,
 * or there is none: a title, or what follows the table. Returns whether there are any; the laying
 * is to begin anew then. */
bool pl_laying_trim(const struct pl_laying *laying);
/* Makes a block of kind table of what was added. *ret_made is false, and *ret stays as it is, where
 * that is no table: two rows have text in two cells at least, or the only one has, with several
 * rows of text in a cell: they are fields of a form (fields.c). */
PL_MUST_USE bool pl_laying_end(struct pl_arena *arena, struct pl_laying *laying,
                               struct pl_block *ret, bool *ret_made);
/* Returns whether the first row of cells[0..n), those of a table, names its columns: it has no
 * figures, and below one of its cells most have. */
bool pl_cells_have_head(const struct pl_cell *cells, size_t n);

#endif
