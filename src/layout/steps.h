/* SPDX-License-Identifier: BSD-2-Clause */
/* The steps of pl_layout_settle(), in the order in which they run; the last one, which way up the
 * page stands, is told in way_up.h. */
#ifndef PL_LAYOUT_STEPS_H
#define PL_LAYOUT_STEPS_H

#include "base/arena.h"
#include "page/result.h"

struct pl_kernels;
struct pl_language;

/* combs.c: what was read in the cells of a comb, one letter or figure each, becomes one line; an
 * empty cell is a blank. Doubted letters among trusted ones stay, as their cells are known to be
 * filled. A row in which a word does not keep to the cells stays as it was. Returns false when
 * memory is short. */
PL_MUST_USE bool pl_combs_join(struct pl_arena *arena, struct pl_regions *r);

/* check_boxes.c: squares beside words become words of their lines, an empty check box (U+2610) or a
 * ticked one (U+2612), whatever mark stands in it, and take the place of what was read there: the
 * frame as brackets or a letter, or the mark. So do circles to choose from, an open one (U+25CB) or
 * a full one (U+25CF). Returns false when memory is short. */
PL_MUST_USE bool pl_check_boxes_tell(struct pl_arena *arena, struct pl_regions *r);

/* join_initials.c: puts every initial that was read as one letter before the text of its row, as a
 * part of its first word or as a word of its own, whichever is likelier by the language model
 * (without one: a part), and takes it from the lines. An initial that was read otherwise keeps its
 * place and loses its text. Returns false when memory is short. */
PL_MUST_USE bool pl_initials_join(struct pl_arena *arena, const struct pl_kernels *k,
                                  const struct pl_language *language, struct pl_regions *regions);

/* turned_rivals.c: where a line that runs up or down shares its place with upright lines, the side
 * that was read better keeps its text. */
void pl_turned_settle(struct pl_regions *regions);

/* lone_marks.c: keeps the marks of a line without other words where they stand in the rows and
 * columns of the text: a brace on a line of code, a dash in a cell, brackets before an item.
 * Returns false when memory is short. */
PL_MUST_USE bool pl_lone_marks_keep(struct pl_arena *arena, struct pl_regions *regions);

/* figures.c: letters that look like figures, as O and I, are these in words that have no others and
 * stand above or below a number. Returns false when memory is short. */
PL_MUST_USE bool pl_figures_settle(struct pl_arena *arena, struct pl_regions *r);

/* unread.c: moves the lines without words from the blocks to regions->unread, and puts the others
 * in reading order again: what was no text (parts of pictures, dirt) no longer parts columns.
 * Returns false when memory is short. */
PL_MUST_USE bool pl_unread_part(struct pl_arena *arena, struct pl_regions *regions);

/* registers.c: puts a list in the order of the alphabet that goes on in columns beside itself, as
 * the index of a book, in order column by column. Returns false when memory is short. */
PL_MUST_USE bool pl_registers_order(struct pl_arena *arena, struct pl_regions *r);

/* lone_strokes.c: puts lines of regions->unread that are dashes in cells back into the blocks,
 * where they are read "-". Returns false when memory is short. */
PL_MUST_USE bool pl_lone_strokes_keep(struct pl_arena *arena, struct pl_regions *r);

/* ruled.c: makes tables of what lies in grids of rules, and takes their lines from the other
 * blocks, which are parted at the table. */
PL_MUST_USE bool pl_tables_ruled(struct pl_arena *arena, struct pl_regions *regions);

/* program_text.c: makes blocks of the kind code of program text. Returns false when memory is
 * short.
 */
PL_MUST_USE bool pl_program_text_tell(struct pl_arena *arena, struct pl_regions *regions);

/* kinds.c: tells what each block is that is no table yet, makes headings blocks of their own, and
 * tables of blocks whose words stand in columns; fields of forms become blocks of their own
 * (fields.c). Everything new lies in the arena. Returns false
 * when memory is short. */
PL_MUST_USE bool pl_blocks_name(struct pl_arena *arena, struct pl_regions *regions);

/* flow.c: tells of each line how it goes on from the one before it, pl_line.join. Hyphens at the
 * ends of lines belong to their words where the language model holds that for likelier; without one
 * no such hyphen does. */
void pl_flow_tell(const struct pl_kernels *k, const struct pl_language *language,
                  struct pl_regions *regions);

#endif
