/* SPDX-License-Identifier: BSD-2-Clause */
/* Fields of a form beside each other: an upright rule parts what is read, even where the lines on
 * both sides of it are level. */
#include <string.h>

#include "detect/order/order.h"
#include "layout/blocks.h"
#include "layout/line_words.h"

/* Returns whether a block is fields of a form: they alone make a table of one row
 * (pl_laying_end()). */
static bool has_fields(const struct pl_block *b)
{
    return b->table && b->table->n_rows == 1;
}

/* Appends what is in a field to blocks[0..*n), in reading order. */
static void put_field(const struct pl_form_field *f, const struct pl_regions *text,
                      struct pl_block *blocks, size_t *n)
{
    if (!f->n_label) {
        memcpy(blocks + *n, text->blocks, text->n_blocks * sizeof(*blocks));
        *n += text->n_blocks;
        return;
    }
    struct pl_block *b = &blocks[(*n)++];
    *b = text->blocks[0];
    b->n_lines = f->n;
    b->n_label = f->n_label;
    for (size_t i = 1; i < text->n_blocks; i++)
        b->box = pl_rect_union(b->box, text->blocks[i].box);
}

/* Appends the text of the table's cells to blocks[0..*n), each in reading order by itself. */
static bool put_cells(struct pl_arena *arena, const struct pl_regions *regions,
                      const struct pl_table *t, struct pl_block *blocks, size_t *n)
{
    struct pl_form_field *fields = PL_NEW(arena, struct pl_form_field, t->n_cells);
    struct pl_regions *texts = PL_NEW(arena, struct pl_regions, t->n_cells);
    size_t filled = 0;
    if (!fields || !texts)
        return false;
    for (size_t i = 0; i < t->n_cells; i++) {
        const struct pl_cell *c = &t->cells[i];
        if (!c->n_lines)
            continue;
        texts[filled] = *regions;
        if (!pl_order_lines(arena, c->lines, (uint32_t)c->n_lines, &texts[filled]))
            return false;
        struct pl_form_field *f = &fields[filled];
        *f = (struct pl_form_field){.box = c->box, .lines = texts[filled].blocks->lines};
        for (size_t k = 0; k < texts[filled].n_blocks; k++)
            f->n += texts[filled].blocks[k].n_lines; /* they follow each other */
        filled++;
    }
    pl_field_labels_tell(fields, filled);
    for (size_t i = 0; i < filled; i++)
        put_field(&fields[i], &texts[i], blocks, n);
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
