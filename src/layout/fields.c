/* SPDX-License-Identifier: BSD-2-Clause */
/* Fields of a form beside each other: an upright rule parts what is read, even where the lines on
 * both sides of it are level. */
#include <string.h>

#include "detect/order/order.h"
#include "layout/tables.h"

/* Returns whether a block is fields of a form: they alone make a table of one row
 * (pl_laying_end()). */
static bool has_fields(const struct pl_block *b)
{
    return b->table && b->table->n_rows == 1;
}

/* Appends the text of the table's cells to blocks[0..*n), each in reading order by itself. */
static bool put_cells(struct pl_arena *arena, const struct pl_regions *regions,
                      const struct pl_table *t, struct pl_block *blocks, size_t *n)
{
    for (size_t i = 0; i < t->n_cells; i++) {
        struct pl_regions cell = *regions;
        if (!pl_order_lines(arena, t->cells[i].lines, (uint32_t)t->cells[i].n_lines, &cell))
            return false;
        memcpy(blocks + *n, cell.blocks, cell.n_blocks * sizeof(*blocks));
        *n += cell.n_blocks;
    }
    return true;
}

bool pl_fields_part(struct pl_arena *arena, struct pl_regions *regions)
{
    size_t room = 0, n = 0;
    for (size_t i = 0; i < regions->n_blocks; i++) {
        const struct pl_block *b = &regions->blocks[i];
        room++;
        for (size_t k = 0; has_fields(b) && k < b->n_lines; k++)
            room += pl_line_count_words(&b->lines[k]) + 1;
    }
    struct pl_block *blocks = PL_NEW(arena, struct pl_block, room);
    if (!blocks)
        return false;
    for (size_t i = 0; i < regions->n_blocks; i++)
        if (!has_fields(&regions->blocks[i]))
            blocks[n++] = regions->blocks[i];
        else if (!put_cells(arena, regions, regions->blocks[i].table, blocks, &n))
            return false;
    regions->blocks = blocks;
    regions->n_blocks = n;
    return true;
}
