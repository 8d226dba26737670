/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines in which recognition read nothing, or nothing that is trusted: rules, drawings, dirt,
 * handwriting. They leave the blocks and are reported as left over, since they may have been text.
 */
#include "detect/order/order.h"
#include "layout/steps.h"

/* Returns the ink of the words of a line that were read but not trusted, by their share of its
 * width.
 */
static uint64_t doubted_px(const struct pl_line *line)
{
    double all = 0, doubted = 0;
    for (size_t i = 0; i < line->n_words + line->n_doubted; i++) {
        double width = pl_rect_width(line->words[i].box);
        all += width;
        doubted += i < line->n_words ? 0 : width;
    }
    return all > 0 ? (uint64_t)((double)line->ink_px * doubted / all) : 0;
}

static bool is_unread(const struct pl_line *line)
{
    return !line->n_words && !line->outdone;
}

static size_t count_unread(const struct pl_regions *r)
{
    size_t n = 0;
    for (size_t b = 0; b < r->n_blocks; b++)
        for (size_t i = 0; i < r->blocks[b].n_lines; i++)
            n += is_unread(&r->blocks[b].lines[i]);
    return n;
}

/* Leaves the lines with words in the block, and appends the others to r->unread. */
static void part_block(struct pl_regions *r, struct pl_block *b)
{
    size_t kept = 0;
    for (size_t i = 0; i < b->n_lines; i++) {
        const struct pl_line *line = &b->lines[i];
        if (line->n_words) {
            r->unread_px += doubted_px(line);
            b->lines[kept++] = *line;
        } else if (is_unread(line)) {
            r->unread_px += line->ink_px;
            r->unread[r->n_unread++] = *line;
        }
    }
    b->n_lines = kept;
}

/* Moves the lines without words from the blocks, which may become empty, to regions->unread and
 * their ink to unread_px. */
static bool take_unread(struct pl_arena *arena, struct pl_regions *regions)
{
    regions->unread = PL_NEW(arena, struct pl_line, count_unread(regions));
    if (!regions->unread)
        return false;
    regions->n_unread = 0;
    regions->unread_px = 0;
    for (size_t b = 0; b < regions->n_blocks; b++)
        part_block(regions, &regions->blocks[b]);
    regions->unread_px = PL_MIN(regions->unread_px, regions->ink_in_lines_px);
    regions->ink_in_lines_px -= regions->unread_px;
    return true;
}

static uint32_t count_lines(const struct pl_regions *regions)
{
    size_t n = 0;
    for (size_t b = 0; b < regions->n_blocks; b++)
        n += regions->blocks[b].n_lines;
    return (uint32_t)n;
}

bool pl_unread_part(struct pl_arena *arena, struct pl_regions *regions)
{
    uint32_t before = count_lines(regions), n = 0;
    if (!take_unread(arena, regions))
        return false;
    struct pl_line *lines = PL_NEW(arena, struct pl_line, before);
    if (!lines)
        return false;
    for (size_t b = 0; b < regions->n_blocks; b++)
        for (size_t i = 0; i < regions->blocks[b].n_lines; i++)
            lines[n++] = regions->blocks[b].lines[i];
    return n == before || pl_order_lines(arena, lines, n, regions);
}
