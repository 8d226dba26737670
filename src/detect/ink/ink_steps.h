/* SPDX-License-Identifier: BSD-2-Clause */
/* The steps that make lines of ink, in the order in which they run. All that return bool are false
 * when memory is short: pl_survey_nomem() reports it. */
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

/* The items of rows of that pitch; ink_parts.c. */
bool pl_rows_build(struct pl_survey *survey, const double *y, uint32_t n, double pitch,
                   struct pl_rows *ret);
/* The row of y, clamped to the rows there are. */
uint32_t pl_rows_of(const struct pl_rows *r, double y);

/* The blobs of survey->comps. */
bool pl_blobs_build(struct pl_survey *survey);
/* Sets kinds by the page's size of text. */
void pl_blobs_classify(struct pl_survey *survey);
/* Whether it has the strokes of a word whose letters touch each other. */
bool pl_blob_is_word(const struct pl_blob *b);

/* Joins blobs that are each other's nearest neighbour of similar height into groups; chain.c. */
bool pl_chains_build(struct pl_found *found);
/* Sets survey.size, slope and bend from the chains. */
bool pl_text_height(struct pl_found *found);

/* Fits one group or all, from its members. */
void pl_fit_group(const struct pl_found *found, struct pl_group *g, double *scratch);
bool pl_fit_groups(struct pl_found *found);
/* How the baseline of a long group bows that was fitted to a straight line; false where it does not
 * tell. */
bool pl_fit_bend(const struct pl_found *found, const struct pl_group *g, double *scratch,
                 double *ret);

/* Makes groups, members and boxes anew from blob.group = root[], any numbers < n_roots;
 * group.c. */
bool pl_groups_rebuild(struct pl_found *found, uint32_t n_roots);
/* Enters every group in the cells that its band crosses, from `up` of its sizes above the baseline
 * to `down` below it, widened by `side` of its sizes at both ends. */
bool pl_grid_build(struct pl_found *found, double up, double down, double side,
                   struct pl_grid *ret);
/* The groups at (x, y): ret_item[0..n); returns n. */
uint32_t pl_grid_at(const struct pl_grid *g, double x, double y, const uint32_t **ret_item);

/* Whether the white between two groups of a row goes on above and below between other
 * text, as between columns; columns.c. */
bool pl_gap_is_gutter(const struct pl_found *found, const struct pl_grid *grid, uint32_t left,
                      uint32_t right);

/* Joins pieces of one line to lines; `columns` = false joins over any gap. merge_rows.c. */
bool pl_groups_merge(struct pl_found *found, bool columns);
/* Gives dots, accents, punctuation and broken parts to the line in whose band they lie; attach.c.
 */
bool pl_groups_attach(struct pl_found *found);
/* Drops groups that are no text; their blobs become free. */
bool pl_groups_prune(struct pl_found *found);

/* All steps from blobs to groups that are text lines; text_lines.c. */
bool pl_groups_find(struct pl_found *found, bool columns);
/* Makes room for n more lines in found->others. */
bool pl_others_reserve(struct pl_found *found, size_t n);
/* A line of one blob, which lies in a row of print or beside it and is set like that. `box`, a copy
 * of the blob's, stays with the line. */
struct pl_line pl_line_in_row(const struct pl_blob *b, struct pl_rect *box,
                              const struct pl_group *row);

/* The group as a line with its words; word_gaps.c. */
bool pl_line_emit(struct pl_found *found, const struct pl_group *g, struct pl_line *ret);

#endif
