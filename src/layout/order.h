/* Reading order: lines to blocks; what the blocks are. */
#ifndef PL_LAYOUT_ORDER_H
#define PL_LAYOUT_ORDER_H

#include "base/arena.h"
#include "page/result.h"

/* Fills regions->blocks with lines[0..n) in reading order; glyph_px, slope and single_column of
 * `regions` are set. Everything new lies in the arena. false when memory is short. */
PL_MUST_USE bool pl_order_lines(struct pl_arena *arena, const struct pl_line *lines, uint32_t n,
                                struct pl_regions *regions);

/* The same after recognition, by the lines that have words: what was no text (parts of pictures,
 * dirt) no longer parts columns. The others are in regions->unread from then on. */
PL_MUST_USE bool pl_order_again(struct pl_arena *arena, struct pl_regions *regions);

/* unread.c, for pl_order_again(): moves the lines without words from the blocks, which may become
 * empty, to regions->unread and their ink to unread_px. false when memory is short. */
PL_MUST_USE bool pl_unread_part(struct pl_arena *arena, struct pl_regions *regions);

/* Tells what each block is, and makes headings blocks of their own. Last of all, with everything
 * new in the arena. false when memory is short. */
PL_MUST_USE bool pl_blocks_name(struct pl_arena *arena, struct pl_regions *regions);

/* Where lines that run up or down share their place with upright ones, the better read ones keep
 * their text: after recognition, before pl_order_again(). */
void pl_turned_settle(struct pl_regions *regions);

#endif
