/* SPDX-License-Identifier: BSD-2-Clause */
/* Blocks that are parted before kinds.c names them, or afterwards: text beside text, heads of
 * letters, lists beside themselves, cards, fields of forms. Functions that return bool return false
 * when memory is short, unless they say otherwise. */
#ifndef PL_LAYOUT_BLOCKS_H
#define PL_LAYOUT_BLOCKS_H

#include "base/arena.h"
#include "page/result.h"

/* ---- cards.c: cards beside and below each other ---- */

/* Makes a block of each card where blocks below each other are rows of cards. Everything new lies
 * in the arena. */
PL_MUST_USE bool pl_cards_part(struct pl_arena *arena, struct pl_regions *regions);

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

#endif
