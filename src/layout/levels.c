/* SPDX-License-Identifier: BSD-2-Clause */
/* The levels of headings. Each page tells those of its own, by what all pages of a document have in
 * common: the numbers of its sections, and the size of headings beside that of its text. */
#include <math.h>
#include <string.h>

#include "layout/line_words.h"
#include "layout/text_rows.h"
#include "layout/layout_tuning.def"

/* Returns the size of a heading: that of its largest row. */
static double size_of(const struct pl_block *b)
{
    double size = 0;
    for (size_t i = 0; i < b->n_lines; i++)
        size = fmax(size, pl_line_small_px(&b->lines[i]));
    return size;
}

static bool is_larger(double a, double b)
{
    return a > LEVEL_LARGER * b;
}

/* Returns whether the first heading of a page is its title: it is large, and stands in the middle
 * above all other text. */
static bool is_title(const struct pl_text_page *p, const struct pl_block *b)
{
    const double before = b->box.x0 - p->box.x0, behind = p->box.x1 - b->box.x1;
    for (size_t i = 0; i < p->regions->n_blocks; i++) {
        const struct pl_block *other = &p->regions->blocks[i];
        if (other->kind != PL_BLOCK_HEADER && other->box.y0 < b->box.y0)
            return false;
    }
    return size_of(b) >= HEADING_LARGE * p->xheight && before > CENTRED * p->xheight &&
           fabs(before - behind) <= 2 * CENTRED * p->xheight;
}

static int level_by_size(const struct pl_text_page *p, const struct pl_block *b)
{
    const double size = size_of(b) / p->xheight;
    if (size >= LEVEL_TITLE || is_title(p, b))
        return 1;
    return size >= LEVEL_SECTION ? 2 : 3;
}

/* Gives a heading without a number its level among those with one: that of the one closest in size
 * where they are alike, and one above those that are smaller. */
static void fit_numbered(const struct pl_regions *r, struct pl_block *b)
{
    const double own = size_of(b);
    double closest = LEVEL_LARGER;
    int alike = 0;
    for (size_t i = 0; i < r->n_blocks; i++) {
        const struct pl_block *other = &r->blocks[i];
        if (other->kind != PL_BLOCK_HEADING || !pl_section_parts(other->lines->text))
            continue;
        const double size = size_of(other), apart = fmax(own, size) / fmin(own, size);
        if (is_larger(own, size))
            b->level = PL_MAX(1, PL_MIN(b->level, other->level - 1));
        if (apart <= closest && (!alike || apart < closest)) {
            closest = apart;
            alike = other->level;
        }
    }
    b->level = alike ? alike : b->level;
}

/* Puts a heading without a number below those that are clearly larger. Returns whether its level
 * changed. */
static bool sink(const struct pl_regions *r, struct pl_block *b)
{
    int level = b->level;
    for (size_t i = 0; i < r->n_blocks; i++)
        if (r->blocks[i].kind == PL_BLOCK_HEADING && is_larger(size_of(&r->blocks[i]), size_of(b)))
            level = PL_MAX(level, PL_MIN(r->blocks[i].level + 1, PL_MOST_LEVELS));
    const bool changed = level != b->level;
    b->level = level;
    return changed;
}

/* Returns the width of the widest block of text below or above a heading. */
static int column_width(const struct pl_regions *r, const struct pl_block *heading)
{
    int width = 0;
    for (size_t i = 0; i < r->n_blocks; i++) {
        const struct pl_block *b = &r->blocks[i];
        if (b->box.x0 < heading->box.x1 && b->box.x1 > heading->box.x0)
            width = PL_MAX(width, pl_rect_width(b->box));
    }
    return width;
}

/* Returns whether heading b goes on from the one before it: it is of its size and right below it,
 * and its first word had no room there. */
static bool goes_on(const struct pl_regions *r, const struct pl_block *a, const struct pl_block *b)
{
    const struct pl_line *line = &a->lines[a->n_lines - 1], *next = b->lines;
    const double size = pl_line_small_px(line), blank = BLANK_WIDTH * line->glyph_px;
    if (a->kind != PL_BLOCK_HEADING || b->kind != PL_BLOCK_HEADING || !next->n_words ||
        pl_section_parts(b->lines->text) || is_larger(size_of(a), size_of(b)) ||
        is_larger(size_of(b), size_of(a)))
        return false;
    return next->base_y > line->base_y && next->base_y - line->base_y <= HEADING_STEP * size &&
           pl_rect_width(line->box) + blank + pl_rect_width(next->words[0].box) >
               HEADING_FULL * column_width(r, a);
}

/* Makes one block of two. Returns false when memory is short. */
static bool join_headings(struct pl_arena *arena, struct pl_block *a, const struct pl_block *b)
{
    struct pl_line *lines = PL_NEW(arena, struct pl_line, a->n_lines + b->n_lines);
    if (!lines)
        return false;
    memcpy(lines, a->lines, a->n_lines * sizeof(*lines));
    memcpy(lines + a->n_lines, b->lines, b->n_lines * sizeof(*lines));
    a->lines = lines;
    a->n_lines += b->n_lines;
    a->box = pl_rect_union(a->box, b->box);
    return true;
}

bool pl_headings_rank(struct pl_arena *arena, const struct pl_text_page *p, struct pl_regions *r)
{
    size_t n = 0;
    for (size_t i = 0; i < r->n_blocks; i++) {
        if (!n || !goes_on(r, &r->blocks[n - 1], &r->blocks[i]))
            r->blocks[n++] = r->blocks[i];
        else if (!join_headings(arena, &r->blocks[n - 1], &r->blocks[i]))
            return false;
    }
    r->n_blocks = n;
    for (size_t i = 0; i < n; i++)
        if (r->blocks[i].kind == PL_BLOCK_HEADING)
            r->blocks[i].level =
                pl_section_parts(r->blocks[i].lines->text)
                    ? PL_MIN(pl_section_parts(r->blocks[i].lines->text) + 1, PL_MOST_LEVELS)
                    : level_by_size(p, &r->blocks[i]);
    for (size_t i = 0; i < n; i++)
        if (r->blocks[i].kind == PL_BLOCK_HEADING && !pl_section_parts(r->blocks[i].lines->text))
            fit_numbered(r, &r->blocks[i]);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < n; i++)
            if (r->blocks[i].kind == PL_BLOCK_HEADING &&
                !pl_section_parts(r->blocks[i].lines->text))
                changed |= sink(r, &r->blocks[i]);
    }
    return true;
}
