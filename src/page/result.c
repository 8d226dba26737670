/* SPDX-License-Identifier: BSD-2-Clause */
#include "page/result.h"

#include <assert.h>
#include <math.h>
#include <string.h>

double pl_fold_x(const struct pl_regions *r, double y)
{
    const struct pl_point a = r->fold[0], b = r->fold[1];
    assert(r->folded && b.y > a.y);
    return a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y);
}

bool pl_same_row(const struct pl_line *a, const struct pl_line *b)
{
    int overlap = PL_MIN(a->box.y1, b->box.y1) - PL_MAX(a->box.y0, b->box.y0);
    int lower = PL_MIN(pl_rect_height(a->box), pl_rect_height(b->box));
    return !a->quarters && !b->quarters && 2 * overlap > lower;
}

const char *pl_words_join(struct pl_arena *arena, const struct pl_word *words, size_t n)
{
    size_t bytes = 1;
    for (size_t i = 0; i < n; i++)
        bytes += strlen(words[i].text) + 1;
    char *text = PL_NEW(arena, char, bytes), *end = text;
    for (size_t i = 0; text && i < n; i++) {
        const size_t k = strlen(words[i].text);
        if (i)
            *end++ = ' ';
        memcpy(end, words[i].text, k);
        end += k;
    }
    if (text)
        *end = '\0';
    return text;
}

float pl_words_conf(const struct pl_word *words, size_t n)
{
    double sum = 0, chars = 0;
    for (size_t i = 0; i < n; i++) {
        sum += (double)words[i].n_chars * log(fmax((double)words[i].conf, 1e-9));
        chars += (double)words[i].n_chars;
    }
    return chars > 0 ? (float)exp(sum / chars) : 0;
}

void pl_line_set_box(struct pl_line *line, struct pl_rect box)
{
    line->base_y += (box.x0 - line->box.x0) * line->slope;
    line->box = box;
}

struct pl_affine pl_line_to_page(const struct pl_regions *r, const struct pl_line *line)
{
    assert(line->quarters >= 0 && line->quarters < 4);
    double w = r->width, h = r->height;
    const struct pl_affine m[] = {
        PL_AFFINE_IDENTITY, {0, 1, 0, -1, 0, h}, {-1, 0, w, 0, -1, h}, {0, -1, w, 1, 0, 0}};
    return m[line->quarters];
}

struct pl_rect pl_line_page_box(const struct pl_regions *r, const struct pl_line *line)
{
    struct pl_affine m = pl_line_to_page(r, line);
    struct pl_quad q = pl_quad_of_rect(line->box, &m);
    return line->quarters ? pl_quad_bounds(&q, r->width, r->height) : line->box;
}

static struct pl_rect turn_over(struct pl_rect r, int width, int height)
{
    return (struct pl_rect){width - r.x1, height - r.y1, width - r.x0, height - r.y0};
}

bool pl_line_turn_over(struct pl_arena *arena, struct pl_line *line, int width, int height)
{
    struct pl_rect *gaps = PL_NEW(arena, struct pl_rect, line->n_gaps);
    struct pl_curve *curve = line->curve ? PL_NEW(arena, struct pl_curve, 1) : NULL;
    if (!gaps || (line->curve && !curve))
        return false;
    if (curve)
        *curve = pl_curve_turn_over(line->curve, width);
    for (size_t i = 0; i < line->n_gaps; i++)
        gaps[i] = turn_over(line->gaps[line->n_gaps - 1 - i], width, height);
    double right = line->base_y + line->slope * pl_rect_width(line->box);
    line->base_y = height - right + line->ascent_px - line->descent_px;
    line->curve = curve;
    line->box = turn_over(line->box, width, height);
    line->gaps = gaps;
    line->quarters = (line->quarters + 2) % 4;
    return true;
}

static struct pl_rect turn_right(struct pl_rect r, int height)
{
    return (struct pl_rect){height - r.y1, r.x0, height - r.y0, r.x1};
}

/* Lines stay in the picture in which they are described: it is the new one, turned less. */
static void turn_lines_right(struct pl_line *lines, size_t n)
{
    for (size_t i = 0; i < n; i++)
        lines[i].quarters = (lines[i].quarters + 3) % 4;
}

static void turn_block_right(struct pl_block *block, int height)
{
    block->box = turn_right(block->box, height);
    turn_lines_right(block->lines, block->n_lines);
    for (size_t i = 0; block->table && i < block->table->n_cells; i++)
        block->table->cells[i].box = turn_right(block->table->cells[i].box, height);
}

bool pl_regions_turn_right(struct pl_arena *arena, struct pl_regions *r)
{
    const int height = r->height;
    struct pl_rule *rules = PL_NEW(arena, struct pl_rule, r->n_rules);
    struct pl_rect *unexplained = PL_NEW(arena, struct pl_rect, r->n_unexplained);
    struct pl_square *squares = PL_NEW(arena, struct pl_square, r->n_squares);
    if (!rules || !unexplained || !squares)
        return false;
    for (size_t i = 0; i < r->n_blocks; i++)
        turn_block_right(&r->blocks[i], height);
    turn_lines_right(r->unread, r->n_unread);
    for (size_t i = 0; i < r->n_rules; i++)
        rules[i] = (struct pl_rule){turn_right(r->rules[i].box, height), !r->rules[i].upright};
    for (size_t i = 0; i < r->n_unexplained; i++)
        unexplained[i] = turn_right(r->unexplained[i], height);
    for (size_t i = 0; i < r->n_squares; i++) {
        squares[i] = r->squares[i];
        squares[i].box = turn_right(squares[i].box, height);
    }
    r->rules = rules;
    r->squares = squares;
    r->unexplained = unexplained;
    r->height = r->width;
    r->width = height;
    return true;
}

double pl_regions_conf(const struct pl_regions *r)
{
    double sum = 0, n = 0;
    for (size_t b = 0; b < r->n_blocks; b++)
        for (size_t i = 0; i < r->blocks[b].n_lines; i++) {
            const struct pl_line *l = &r->blocks[b].lines[i];
            for (size_t w = 0; w < l->n_words; w++) {
                sum += (double)l->words[w].conf * (double)l->words[w].n_chars;
                n += (double)l->words[w].n_chars;
            }
        }
    return n > 0 ? sum / n : -1;
}
