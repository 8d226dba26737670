/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines that run up or down may share their place with upright lines: detection finds both, and
 * what was read tells which of them is text. */
#include "layout/steps.h"
#include "layout/layout_tuning.def"

/* What one side says: the turned line, or all upright lines in its place. */
struct rival {
    size_t lines, chars;
    double conf; /* sum over the characters */
};

static void add_rival(struct rival *r, const struct pl_line *line)
{
    r->lines += line->n_words > 0;
    for (size_t i = 0; i < line->n_words; i++) {
        r->chars += line->words[i].n_chars;
        r->conf += (double)line->words[i].conf * (double)line->words[i].n_chars;
    }
}

/* Returns whether the line is upright and has its middle in `box`. */
static bool is_inside(const struct pl_line *line, struct pl_rect box)
{
    int x = (line->box.x0 + line->box.x1) / 2, y = (line->box.y0 + line->box.y1) / 2;
    return !line->quarters && x >= box.x0 && x < box.x1 && y >= box.y0 && y < box.y1;
}

static void drop_text(struct pl_line *line)
{
    line->n_words = line->n_doubted = 0;
    line->text = "";
    line->outdone = true;
}

/* Returns whether what upright lines say is better. Lines of hardly more than one character each
 * are rather the characters of the turned line: they must be surer than it. */
static bool upright_wins(const struct rival *upright, const struct rival *turned)
{
    const bool single = (double)upright->chars <= RIVAL_SINGLE * (double)upright->lines;
    const double lead = single ? -RIVAL_LEAD : RIVAL_LEAD;
    return upright->chars && (double)upright->chars >= RIVAL_SHARE * (double)turned->chars &&
           upright->conf * (double)turned->chars >=
               (turned->conf - lead * (double)turned->chars) * (double)upright->chars;
}

/* Settles one line that runs up or down. */
static void settle_line(struct pl_regions *r, struct pl_line *turned)
{
    struct pl_rect box = pl_line_page_box(r, turned);
    struct rival own = {0}, upright = {0};
    add_rival(&own, turned);
    for (size_t b = 0; b < r->n_blocks; b++)
        for (size_t i = 0; i < r->blocks[b].n_lines; i++)
            if (is_inside(&r->blocks[b].lines[i], box))
                add_rival(&upright, &r->blocks[b].lines[i]);
    if (upright_wins(&upright, &own)) {
        drop_text(turned);
        turned->outdone = !turned->ink_px; /* what no upright line holds is lost with it */
        return;
    }
    if (!own.chars)
        return;
    for (size_t b = 0; b < r->n_blocks; b++)
        for (size_t i = 0; i < r->blocks[b].n_lines; i++)
            if (is_inside(&r->blocks[b].lines[i], box))
                drop_text(&r->blocks[b].lines[i]);
}

void pl_turned_settle(struct pl_regions *r)
{
    for (size_t b = 0; b < r->n_blocks; b++)
        for (size_t i = 0; i < r->blocks[b].n_lines; i++)
            if (r->blocks[b].lines[i].quarters)
                settle_line(r, &r->blocks[b].lines[i]);
}
