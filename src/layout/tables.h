/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables: a grid is found, by rules (ruled.c, ruled_*.c) or by words that stand under each other
 * (aligned.c), and lines are laid into it (laying.c). Functions that return bool return false when
 * memory is short, unless they say otherwise. */
#ifndef PL_LAYOUT_TABLES_H
#define PL_LAYOUT_TABLES_H

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

/* Fills *ret with a grid of that size, whose edges are zeros and whose places are all parted. */
PL_MUST_USE bool pl_grid_init(struct pl_arena *arena, int n_rows, int n_columns,
                              struct pl_table_grid *ret);

/* Returns i with edges[i] <= v < edges[i + 1] of n intervals; -1 where v lies beyond them. */
int pl_grid_interval(const double *edges, int n, double v);

/* Rows row0..row1 - 1 of columns column0..column1 - 1, around n places. */
struct pl_place_span {
    int row0, column0, row1, column1, n;
};

/* places.c: the places of a grid, joined to sets. A set is named by its first place. */
struct pl_places {
    const struct pl_table_grid *grid;
    uint32_t *parent;
    struct pl_place_span *spans; /* of sets */
};

/* Joins the places between which nothing stands. */
PL_MUST_USE bool pl_places_join(struct pl_arena *arena, const struct pl_table_grid *g,
                                struct pl_places *ret);
uint32_t pl_places_root(const struct pl_places *p, uint32_t i);
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

/* Words of a line: those that were read, or before that those that were found. */
size_t pl_line_count_words(const struct pl_line *l);
struct pl_rect pl_line_word_box(const struct pl_line *l, size_t i);
/* Returns the height that small letters of a line have, or would have. */
double pl_line_small_px(const struct pl_line *l);

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

/* ---- the two ways to find a grid ---- */

/* Makes tables of what lies in grids of rules, and takes their lines from the other blocks, which
 * are parted at the table. */
PL_MUST_USE bool pl_tables_ruled(struct pl_arena *arena, struct pl_regions *regions);

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

/* bands.c: finds the first table of those that stand between level rules alone, rules[0..n), n > 1,
 * from top to bottom, which begin and end at the same places. Fills *ret with its edges, to which
 * pl_ruled_rows_part() is to be applied; ret->n_columns is 0 where there is none. *ret_used tells
 * how many of the rules were looked at: the next table may begin at rules[*ret_used]. */
PL_MUST_USE bool pl_bands_ruled(struct pl_arena *arena, const struct pl_regions *regions,
                                const struct pl_rule *const *rules, size_t n, struct pl_edges *ret,
                                size_t *ret_used);

/* band_head.c: adds to *e the row above its rules that names the columns, if there is one: rows of
 * text that stand in several columns, and are no further above the rules, and each other, than they
 * are high. What stands in the first column alone may be a title. body[0..n_body) are the lines of
 * the table; the edges of its columns are moved to white that the names share with them. */
PL_MUST_USE bool pl_bands_add_head(struct pl_arena *arena, const struct pl_regions *regions,
                                   const struct pl_line *const *body, size_t n_body,
                                   struct pl_edges *e);

/* Finds the first table of bands that white alone parts, in the same way. The page was looked at
 * down to height *y, and is to regions->height in the end. */
PL_MUST_USE bool pl_bands_spaced(struct pl_arena *arena, const struct pl_regions *regions, int *y,
                                 struct pl_edges *ret);

/* centred.c: finds the first table without rules of which the cells are set in the middle of their
 * row's height, some with several rows of text, others with one; in the same way. */
PL_MUST_USE bool pl_bands_centred(struct pl_arena *arena, const struct pl_regions *regions, int *y,
                                  struct pl_edges *ret);

/* ruled_sums.c: adds rows of text close below the rules that have values under those of the
 * columns. Appends their lines to lines[0..*n), of the table, which has room for all of the page.
 */
void pl_ruled_sums_add(const struct pl_regions *regions, const struct pl_line **lines, size_t *n,
                       struct pl_edges *edges);

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

/* Makes a table of the block where the words of its rows stand under each other in columns.
 * *ret_made tells whether it did: a table has at least `least_cells` cells that stand under others,
 * with the first of each row. */
PL_MUST_USE bool pl_table_aligned(struct pl_arena *arena, const struct pl_regions *regions,
                                  double xheight_px, size_t least_cells, struct pl_block *block,
                                  bool *ret_made);

/* ---- text_around.c: text right above and below a table ---- */

struct pl_text_row;
/* Tells how many of rows[0..n), of a block of which a table was made, are a text above the table's
 * own rows, and how many are one below: no more than all but one. */
void pl_table_find_text(const struct pl_block *table, const struct pl_text_row *rows, size_t n,
                        double xheight_px, size_t *ret_before, size_t *ret_behind);

/* ---- head_rows.c: names of columns in several rows of text ---- */

/* Makes one row, which names the columns, of the rows at the top of a table that do so together. */
PL_MUST_USE bool pl_table_join_head(struct pl_arena *arena, const struct pl_regions *regions,
                                    struct pl_block *block);

/* ---- beside.c: text beside text ---- */

#define PL_MAX_SIDES 6

/* Piles of lines beside each other: pile i is v[first[i]] to v[first[i + 1] - 1]. */
struct pl_piles {
    const struct pl_line **v; /* all lines, sorted by their left edges */
    double *end;              /* scratch for all */
    size_t *first, n;
    double white_px, slack_px;
};
/* Finds the piles of a block; into the white between some of them few lines reach. */
PL_MUST_USE bool pl_piles_find(struct pl_arena *arena, const struct pl_block *b, double glyph_px,
                               struct pl_piles *ret);

/* Parts a block where text stands beside text and their rows are not level with each other: fills
 * ret, which has room for PL_MAX_SIDES - 1, with the left edges of what stands beside another,
 * from left to right. */
PL_MUST_USE bool pl_block_find_sides(struct pl_arena *arena, const struct pl_block *b,
                                     double glyph_px, double *ret, size_t *ret_n);

/* ---- heads.c: text beside text in the head or foot of a letter ---- */

/* Returns whether the text of a line tells how to reach somebody: it has an address of the net, or
 * is the number of a telephone, a telefax or a bank account. */
bool pl_line_is_contact(const struct pl_line *l);
/* Does the same as pl_block_find_sides() where the texts of a block are those of such a head, be
 * their rows level or not. */
PL_MUST_USE bool pl_block_find_heads(struct pl_arena *arena, const struct pl_block *b,
                                     double glyph_px, double *ret, size_t *ret_n);

/* ---- repeated.c: lists that go on beside themselves ---- */

/* Parts a block that is a table in which a list goes on in columns beside itself: fills ret, which
 * has room for PL_MAX_SIDES - 1, with where the list goes on, from left to right. These places are
 * equally far from each other, but for slack_px. */
PL_MUST_USE bool pl_table_find_lists(struct pl_arena *arena, const struct pl_block *b,
                                     double slack_px, double *ret, size_t *ret_n);

/* ---- fields.c, field_labels.c: fields of forms ---- */

/* A field of a row of them. */
struct pl_form_field {
    struct pl_rect box; /* of its cell */
    const struct pl_line *lines;
    size_t n;       /* at least 1 */
    size_t n_label; /* lines at the top that are its label; 0 = nobody knows */
};
/* Tells the labels of a row of n fields. */
void pl_field_labels_tell(struct pl_form_field *fields, size_t n);
/* Returns the number with a point behind it that a word is, as fields have: 12 of "12."; 0 where it
 * is none. */
long pl_line_field_number(const struct pl_line *l, size_t word);

/* Puts the text of each cell by itself in the place of each table of one row: a field with a label
 * as one block, other text as blocks. */
PL_MUST_USE bool pl_fields_part(struct pl_arena *arena, struct pl_regions *regions);

/* ---- cards.c: cards beside and below each other ---- */

/* Makes a block of each card where blocks below each other are rows of cards. Everything new lies
 * in the arena. */
PL_MUST_USE bool pl_cards_part(struct pl_arena *arena, struct pl_regions *regions);

/* ---- stacked.c: tables that stand in several blocks ---- */

/* A page whose blocks are named. `regions` still has the blocks from which they were made. */
struct pl_table_stack {
    const struct pl_regions *regions;
    double xheight_px, pitch_px; /* usual ones */
};
/* below.c: makes one block of those below each other, blocks[0..*n) in reading order, that are one
 * table and not each by itself. Its lines are new. */
PL_MUST_USE bool pl_blocks_below(struct pl_arena *arena, const struct pl_table_stack *s,
                                 struct pl_block *blocks, size_t *n);
/* Joins tables that words make with heads over them, sums below, and each other, where they stand
 * in the same columns: blocks[0..*n), in reading order, may become fewer. */
PL_MUST_USE bool pl_tables_stack(struct pl_arena *arena, const struct pl_table_stack *s,
                                 struct pl_block *blocks, size_t *n);

/* flow.c: the bytes of what marks an item: a bullet, a dash, "3.", "[3]" or "(b)", or the raised
 * figure of a note, before a blank or the end of the text; 0 = it begins otherwise. */
size_t pl_marker_bytes(const char *s);

#endif
