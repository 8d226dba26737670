/* SPDX-License-Identifier: BSD-2-Clause */
#include "layout/band_rows.h"

#include "detect/ink/sort.h"
#include "layout/line_words.h"
#include "layout/layout_tuning.def"

bool pl_band_lines_take(struct pl_arena *arena, const struct pl_regions *regions,
                        struct pl_rect box, struct pl_band_lines *ret)
{
    size_t room = 0;
    for (size_t b = 0; b < regions->n_blocks; b++)
        room += regions->blocks[b].n_lines;
    const struct pl_line **all = PL_NEW(arena, const struct pl_line *, room);
    uint32_t *order = PL_NEW(arena, uint32_t, room);
    double *key = PL_NEW(arena, double, room);
    *ret = (struct pl_band_lines){.v = PL_NEW(arena, const struct pl_line *, room),
                                  .next = PL_NEW(arena, size_t, room),
                                  .gap_px = COLUMN_GAP * regions->glyph_px};
    if (!all || !order || !key || !ret->v || !ret->next)
        return false;
    for (size_t b = 0; b < regions->n_blocks; b++)
        for (size_t i = 0; !regions->blocks[b].table && i < regions->blocks[b].n_lines; i++) {
            const struct pl_line *l = &regions->blocks[b].lines[i];
            if (l->quarters || !pl_line_count_words(l) || l->box.x0 >= box.x1 ||
                l->box.x1 <= box.x0 || pl_line_middle_y(l) < box.y0 ||
                pl_line_middle_y(l) >= box.y1)
                continue;
            order[ret->n] = (uint32_t)ret->n;
            key[ret->n] = pl_line_middle_y(l);
            all[ret->n++] = l;
        }
    pl_sort_by_key(order, ret->n, key);
    for (size_t i = 0; i < ret->n; i++)
        ret->v[i] = all[order[i]];
    return true;
}

size_t pl_band_row_end(const struct pl_band_lines *l, size_t i, size_t end)
{
    int bottom = l->v[i]->box.y1;
    while (++i < end && l->v[i]->box.y0 < bottom)
        bottom = PL_MAX(bottom, l->v[i]->box.y1);
    return i;
}

bool pl_band_rows_take(struct pl_arena *arena, const struct pl_band_lines *l,
                       struct pl_band_row **ret, size_t *ret_n)
{
    *ret = PL_NEW(arena, struct pl_band_row, l->n);
    *ret_n = 0;
    if (!*ret)
        return false;
    for (size_t i = 0, end; i < l->n; i = end) {
        end = pl_band_row_end(l, i, l->n);
        struct pl_band_row *row = &(*ret)[(*ret_n)++];
        *row = (struct pl_band_row){i, end, l->v[i]->box.y0, l->v[i]->box.y1};
        for (size_t k = i + 1; k < end; k++) {
            row->top = PL_MIN(row->top, l->v[k]->box.y0);
            row->bottom = PL_MAX(row->bottom, l->v[k]->box.y1);
        }
    }
    return true;
}
