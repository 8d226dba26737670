/* SPDX-License-Identifier: BSD-2-Clause */
/* The steps that make lines of ink, in the order in which they run. A step that returns bool
 * returns false when memory is short, unless it says otherwise: pl_survey_nomem() reports that.
 * Whatever a step makes lies in the survey's arena. */
#ifndef PL_DETECT_INK_INK_STEPS_H
#define PL_DETECT_INK_INK_STEPS_H

#include "detect/ink/survey.h"

/* Items sorted into rows of equal height by y, and by index inside a row. */
struct pl_rows {
    double y0, pitch;
    uint32_t n_rows;
    uint32_t *first; /* n_rows + 1 */
    uint32_t *item;
};

/* Square cells and the groups in each of them. */
struct pl_grid {
    double cell;
    int nx, ny;
    uint32_t *first; /* nx * ny + 1 */
    uint32_t *item;
};

/* Sorts items 0..n-1 by their heights y[] into rows of that pitch; ink_parts.c. */
bool pl_rows_build(struct pl_survey *survey, const double *y, uint32_t n, double pitch,
                   struct pl_rows *ret);
/* Returns the row of height y, or the nearest row there is. */
uint32_t pl_rows_of(const struct pl_rows *r, double y);

/* Makes blobs of survey->comps; blobs.c. */
bool pl_blobs_build(struct pl_survey *survey);
/* Sets the kind of every blob by its shape and survey->size. */
void pl_blobs_classify(struct pl_survey *survey);
/* Returns whether blob i is a letter of a row in large type: two blobs of like height stand beside
 * it, of which one at least is wider than a stroke. The stems and bars of light type are as long
 * and thin as rules beside smaller text. */
bool pl_blob_is_large_letter(const struct pl_survey *survey, uint32_t i);
/* Returns whether the blob has the strokes of a word whose letters touch each other. */
bool pl_blob_is_word(const struct pl_blob *b);

/* Joins blobs that are each other's nearest neighbour of similar height into groups; chain.c. */
bool pl_chains_build(struct pl_found *found);
/* Returns whether the blob fills its box as a dot or a dash does; text_height.c. */
bool pl_blob_is_dot(const struct pl_blob *b);
/* Sets size, slope and bow of the survey from the chains; text_height.c. */
bool pl_text_height(struct pl_found *found);
/* Finds how the rows bow where at least so many pairs of glyphs tell, and fits the groups, which
 * were fitted to straight lines, anew where they do; bow.c. */
bool pl_bow_find(struct pl_found *found, uint32_t least);
/* Returns the curve of a row at that height. */
struct pl_curve pl_bow_row(const struct pl_bow *bow, double height);

/* Chains the blobs of heights from `least` to `most` px, be they specks or graphics beside the text
 * of the page, and gives the rows that are neither bars nor dots in *ret, whose groups are not
 * fitted; with in_none only blobs in no group. Its survey has copies of these blobs, blob i that of
 * (*ret_from)[i], borrows all else, and needs no pl_survey_done(); rows_between.c. */
bool pl_rows_between(struct pl_found *found, double least, double most, bool in_none,
                     struct pl_found *ret, uint32_t **ret_from);

/* Fits every group from its members; fit.c. */
bool pl_fit_groups(struct pl_found *found);
/* Returns whether a blob of a group with glyphs of `size` px tells where the baseline is: a dot, a
 * dash or a bracket does not. */
bool pl_blob_stands(const struct pl_blob *b, double size);
/* Returns whether such a blob stands on the baseline. */
bool pl_fit_stands(const struct pl_blob *b, const struct pl_fit *f);

/* Returns the letter of a group above or below which blob i of the group stands as its mark; NULL
 * where there is none, and of what is left of a level rule; diacritics.c. */
const struct pl_blob *pl_diacritic_letter(const struct pl_found *found, const struct pl_group *g,
                                          uint32_t i);

/* Makes groups, members and boxes anew: blobs whose `group` is the same number, less than n_roots,
 * become one group; group.c. */
bool pl_groups_rebuild(struct pl_found *found, uint32_t n_roots);
/* Enters every group in the cells that its band crosses. The band goes from `up` times the group's
 * glyph height above the baseline to `down` times that below it, and `side` times that beyond both
 * ends; grid.c. */
bool pl_grid_build(struct pl_found *found, double up, double down, double side,
                   struct pl_grid *ret);
/* Gives the groups in the cell of (x, y), (*ret_item)[0..n). Returns n. */
uint32_t pl_grid_at(const struct pl_grid *g, double x, double y, const uint32_t **ret_item);

/* Returns whether the white between two groups of a row goes on above and below between other
 * text, as between columns; columns.c. */
bool pl_gap_is_gutter(const struct pl_found *found, const struct pl_grid *grid, uint32_t left,
                      uint32_t right);

/* Joins groups that are pieces of one line; with columns = false over any gap; merge_rows.c. */
bool pl_groups_merge(struct pl_found *found, bool columns);
/* Gives dots, accents, punctuation and broken parts to the group in whose band they lie; attach.c.
 */
bool pl_groups_attach(struct pl_found *found);
/* Drops groups that are no text: their blobs are in no group then; prune.c. */
bool pl_groups_prune(struct pl_found *found);

/* Takes all steps from blobs to groups that are text lines; text_lines.c. */
bool pl_groups_find(struct pl_found *found, bool columns);
/* Makes room for n more lines in found->others. */
bool pl_others_reserve(struct pl_found *found, size_t n);
/* Returns a line of one blob, which lies in the row of print `row` or beside it: it has the
 * baseline and the heights of that. `box`, a copy of the blob's, is borrowed for the life of the
 * line. */
struct pl_line pl_line_in_row(const struct pl_blob *b, struct pl_rect *box,
                              const struct pl_group *row);

/* Gives the group as a line with its words; word_gaps.c. */
bool pl_line_emit(struct pl_found *found, const struct pl_group *g, struct pl_line *ret);

#endif
