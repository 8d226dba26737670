/* SPDX-License-Identifier: BSD-2-Clause */
#include "layout/vertical.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "layout/layout_tuning.def"

#define MARK_BYTES 3 /* of a mark of columns in UTF-8 */

/* Returns the distance from a row to the next one below it, in px; infinite where there is none. */
static double step_down(const struct pl_regions *page, const struct pl_line *row)
{
    double least = HUGE_VAL;
    for (size_t b = 0; b < page->n_blocks; b++)
        for (size_t i = 0; i < page->blocks[b].n_lines; i++) {
            const struct pl_line *below = &page->blocks[b].lines[i];
            const double step = below->box.y1 - row->box.y1;
            if (!below->quarters && 2 * step > page->glyph_px && below->box.x0 < row->box.x1 &&
                below->box.x1 > row->box.x0)
                least = fmin(least, step);
        }
    return least;
}

/* How many characters of a page stand closer to those above and below them than to those beside
 * them, of `all`. */
struct vertical_votes {
    double down, all;
};

/* Returns about how many characters have room in a width. */
static double chars_in(const struct pl_regions *page, int width)
{
    return fmax(rint(width / page->glyph_px), 1);
}

/* Counts the characters of a row. One that stands alone was taken for a word by those who looked
 * for gaps. */
static void count_row(const struct pl_regions *page, const struct pl_line *row,
                      struct vertical_votes *votes)
{
    const double down = step_down(page, row);
    const bool touch = down <= VERTICAL_STEP * page->glyph_px;
    for (size_t i = 0; i < row->n_gaps; i++) {
        const struct pl_rect *word = &row->gaps[i], *next = word + 1;
        const double chars = chars_in(page, pl_rect_width(*word));
        const bool apart = i + 1 == row->n_gaps || next->x0 - word->x0 > VERTICAL_LEAD * down;
        votes->all += chars;
        votes->down += chars < 2 && touch && apart ? 1 : 0;
    }
}

bool pl_vertical_suspect(const struct pl_regions *rows)
{
    struct vertical_votes votes = {0, 0};
    for (size_t b = 0; b < rows->n_blocks && rows->glyph_px > 0; b++)
        for (size_t i = 0; i < rows->blocks[b].n_lines; i++) {
            const struct pl_line *line = &rows->blocks[b].lines[i];
            const double chars = chars_in(rows, pl_rect_width(line->box));
            votes.down += line->quarters ? chars : 0;
            votes.all += line->quarters ? chars : 0;
            if (!line->quarters)
                count_row(rows, line, &votes);
        }
    return votes.down >= VERTICAL_CHARS && 2 * votes.down > votes.all;
}

/* Characters of a line, also of words that are not trusted. */
struct char_count {
    size_t wide, other;
};

static struct char_count count_chars(const struct pl_line *line)
{
    struct char_count count = {0, 0};
    for (size_t w = 0; w < line->n_words + line->n_doubted; w++) {
        uint32_t c;
        for (const char *p = line->words[w].text; *p; pl_is_wide(c) ? count.wide++ : count.other++)
            p += pl_utf8_get(p, strlen(p), &c);
    }
    return count;
}

/* Returns whether the line is in a script of wide characters: other marks may be as many. */
static bool is_wide_text(struct char_count count)
{
    return count.wide > 0 && count.wide >= count.other;
}

bool pl_vertical_is_read(const struct pl_regions *columns)
{
    double wide = 0, all = 0, sure = 0;
    for (size_t b = 0; b < columns->n_blocks; b++)
        for (size_t i = 0; i < columns->blocks[b].n_lines; i++) {
            const struct pl_line *line = &columns->blocks[b].lines[i];
            const struct char_count count = count_chars(line);
            const double chars = (double)count.wide + (double)count.other;
            wide += line->quarters || !is_wide_text(count) ? 0 : chars;
            sure += chars * (double)line->conf;
            all += chars;
        }
    return 2 * wide > all && sure >= VERTICAL_SURE * all;
}

/* Returns the mark of a column that looks like `c` when it lies on its left side; else `c`. Stops
 * and commas stand in the upper right corner of their place. */
static uint32_t mark_of(uint32_t c)
{
    switch (c) {
    case 0xB0: /* degree sign */
        return 0x3002;
    case '\'':
    case 0x2018: /* single quotes */
    case 0x2019:
        return 0xFF0C;
    case '`':
    case 0xB4:   /* acute accent */
    case 0x4E36: /* the stroke `dot` */
        return 0x3001;
    default:
        return c;
    }
}

/* Returns whether `c` is a figure or a letter of ASCII: a mark between two of these is their own.
 */
static bool is_latin(uint32_t c)
{
    const uint32_t small = c | 0x20; /* of a letter */
    return (c >= '0' && c <= '9') || (small >= 'a' && small <= 'z');
}

/* Replaces *text by a copy with the marks of columns. */
static bool set_marks(struct pl_arena *arena, const char **text)
{
    const size_t room = strlen(*text) * MARK_BYTES + 1;
    char *copy = PL_NEW(arena, char, room), *to = copy;
    uint32_t c, before = 0;
    if (!copy)
        return false;
    for (const char *p = *text; *p; before = c) {
        p += pl_utf8_get(p, strlen(p), &c);
        to += pl_utf8_put(to, is_latin(before) && is_latin((uint8_t)*p) ? c : mark_of(c));
    }
    *to = '\0';
    *text = copy;
    return true;
}

bool pl_vertical_set_marks(struct pl_arena *arena, struct pl_regions *columns)
{
    for (size_t b = 0; b < columns->n_blocks; b++)
        for (size_t i = 0; i < columns->blocks[b].n_lines; i++) {
            struct pl_line *line = &columns->blocks[b].lines[i];
            if (line->quarters || !line->text || !is_wide_text(count_chars(line)))
                continue;
            for (size_t w = 0; w < line->n_words + line->n_doubted; w++)
                if (!set_marks(arena, &line->words[w].text))
                    return false;
            if (!set_marks(arena, &line->text))
                return false;
        }
    return true;
}

/* Returns whether all lines of the block stand upright on the page. */
static bool is_upright(const struct pl_block *block)
{
    for (size_t i = 0; i < block->n_lines; i++)
        if (block->lines[i].quarters)
            return false;
    return true;
}

/* Puts the blocks of rows that stand above all columns first: they were turned lines of the picture
 * in which the columns were found, and came last. */
static void put_heads_first(struct pl_regions *page)
{
    int top = page->height;
    size_t n = 0;
    for (size_t i = 0; i < page->n_blocks; i++)
        if (!is_upright(&page->blocks[i]))
            top = PL_MIN(top, page->blocks[i].box.y0);
    for (size_t i = 0; i < page->n_blocks; i++) {
        const struct pl_block block = page->blocks[i];
        if (!is_upright(&block) || block.box.y1 > top)
            continue;
        memmove(&page->blocks[n + 1], &page->blocks[n], (i - n) * sizeof(block));
        page->blocks[n++] = block;
    }
}

bool pl_vertical_set_back(struct pl_arena *arena, struct pl_regions *columns)
{
    if (!pl_regions_turn_right(arena, columns))
        return false;
    put_heads_first(columns);
    return true;
}
