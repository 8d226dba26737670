/* SPDX-License-Identifier: BSD-2-Clause */
/* Dashes in cells in which nothing was read: a level stroke is a dash where it stands in a row and
 * a column of the text. The other lines are in their order by then: that of a form changes where a
 * stroke parts its columns. */
#include <limits.h>
#include <string.h>

#include "layout/layout_tuning.def"
#include "layout/steps.h"

/* Returns whether a line in which nothing was read is a level stroke, as long as a dash. */
static bool is_stroke(const struct pl_regions *r, const struct pl_line *l)
{
    const int width = pl_rect_width(l->box), height = pl_rect_height(l->box);
    return !l->n_doubted && !l->quarters && width >= DASH_LONG * height &&
           width <= LONE_SIZE * r->text_height_px && (double)l->ink_px >= DASH_INK * width * height;
}

/* Where a stroke would stand among the lines. */
struct stroke_place {
    size_t block, line; /* the line before which it is read */
    int gap_px;         /* to the nearest line in its row, INT_MAX where there is none */
    size_t n_level;     /* lines in its row */
    bool column;        /* it stands close above or below a line */
};

/* Returns whether the middle of the stroke is in the middle half of a line's height. */
static bool is_level(const struct pl_line *stroke, const struct pl_line *l)
{
    const int quarter = pl_rect_height(l->box) / 4, middle = stroke->box.y0 + stroke->box.y1;
    return middle > 2 * (l->box.y0 + quarter) && middle < 2 * (l->box.y1 - quarter);
}

static bool is_in_column(const struct pl_regions *r, const struct pl_line *stroke,
                         const struct pl_line *l)
{
    const int middle = stroke->box.x0 + stroke->box.x1;
    const int gap = PL_MAX(l->box.y0 - stroke->box.y1, stroke->box.y0 - l->box.y1);
    return middle > 2 * l->box.x0 && middle < 2 * l->box.x1 && gap >= 0 &&
           gap <= LONE_NEAR * r->text_height_px;
}

/* Tells of line i of block b what it is to the stroke. */
static void look_at(const struct pl_regions *r, const struct pl_line *stroke, size_t b, size_t i,
                    struct stroke_place *ret)
{
    const struct pl_line *l = &r->blocks[b].lines[i];
    const int gap = PL_MAX(l->box.x0 - stroke->box.x1, stroke->box.x0 - l->box.x1);
    if (l->quarters)
        return;
    ret->column |= is_in_column(r, stroke, l);
    if (!is_level(stroke, l))
        return;
    ret->n_level++;
    if (gap >= ret->gap_px)
        return;
    ret->gap_px = gap;
    ret->block = b;
    ret->line = i + (l->box.x0 < stroke->box.x0);
}

/* Returns whether a stroke stands alone in a cell: above or below one of its column, and level with
 * two other cells of its row, none of them as close as words are. */
static bool find_place(const struct pl_regions *r, const struct pl_line *stroke,
                       struct stroke_place *ret)
{
    *ret = (struct stroke_place){.gap_px = INT_MAX};
    for (size_t b = 0; b < r->n_blocks; b++)
        for (size_t i = 0; i < r->blocks[b].n_lines; i++)
            look_at(r, stroke, b, i, ret);
    return ret->column && ret->n_level > 1 && ret->gap_px >= COLUMN_GAP * r->glyph_px;
}

/* Puts the line of a stroke, with "-" for its word, in its place. */
static bool put_dash(struct pl_arena *arena, struct pl_regions *r, const struct pl_line *stroke,
                     const struct stroke_place *place)
{
    struct pl_block *b = &r->blocks[place->block];
    struct pl_line *lines = PL_NEW(arena, struct pl_line, b->n_lines + 1);
    struct pl_word *word = PL_NEW(arena, struct pl_word, 1);
    float *conf = PL_NEW(arena, float, 1);
    if (!lines || !word || !conf)
        return false;
    memcpy(lines, b->lines, place->line * sizeof(*lines));
    memcpy(lines + place->line + 1, b->lines + place->line,
           (b->n_lines - place->line) * sizeof(*lines));
    *conf = (float)LONE_CONF;
    *word = (struct pl_word){stroke->box, "-", *conf, conf, 1};
    struct pl_line *l = &lines[place->line];
    *l = *stroke;
    l->words = word;
    l->n_words = 1;
    l->conf = *conf;
    l->text = word->text;
    b->lines = lines;
    b->n_lines++;
    b->box = pl_rect_union(b->box, stroke->box);
    return true;
}

bool pl_lone_strokes_keep(struct pl_arena *arena, struct pl_regions *r)
{
    size_t kept = 0;
    for (size_t i = 0; i < r->n_unread; i++) {
        const struct pl_line *l = &r->unread[i];
        struct stroke_place place;
        if (!is_stroke(r, l) || !find_place(r, l, &place)) {
            r->unread[kept++] = *l;
            continue;
        }
        if (!put_dash(arena, r, l, &place))
            return false;
        const uint64_t ink_px = PL_MIN((uint64_t)l->ink_px, r->unread_px);
        r->unread_px -= ink_px;
        r->ink_in_lines_px += ink_px;
    }
    r->n_unread = kept;
    return true;
}
