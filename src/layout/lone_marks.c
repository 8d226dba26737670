/* SPDX-License-Identifier: BSD-2-Clause */
/* Marks that stand alone: a brace on a line of code, a dash in a cell. Recognition doubts lines of
 * marks, since drawings are often read so; where such a mark stands in the rows and columns of the
 * text it is one. */
#include <math.h>
#include <string.h>

#include "layout/layout_tuning.def"
#include "layout/steps.h"

static bool is_read(const struct pl_line *l)
{
    return l->n_words && !l->quarters;
}

/* Returns the confidence that a mark must have at least that stands alone in tables and in code;
 * infinity for another word. Drawings are read as other marks, too. */
static double least_of_mark(const char *text)
{
    static const char *const dashes[] = {"-", "\xE2\x80\x93", "\xE2\x80\x94"}, *const others[] = {
                                                                                   "{",  "}",
                                                                                   ";",  "};",
                                                                                   "/*", "*/"};
    for (size_t i = 0; i < PL_ARRAY_LEN(dashes); i++)
        if (!strcmp(text, dashes[i]))
            return LONE_DASH_CONF;
    for (size_t i = 0; i < PL_ARRAY_LEN(others); i++)
        if (!strcmp(text, others[i]))
            return LONE_CONF;
    return INFINITY;
}

static bool is_mark(const struct pl_word *w)
{
    return (double)w->conf >= least_of_mark(w->text);
}

/* Returns whether the line is one doubted word that is a mark, as large as marks of the page. */
static bool is_lone_mark(const struct pl_regions *r, const struct pl_line *l)
{
    const struct pl_word *w = l->words;
    return !l->n_words && l->n_doubted == 1 && !l->quarters && !l->outdone && is_mark(w) &&
           pl_rect_height(l->box) <= LONE_SIZE * r->text_height_px &&
           pl_rect_width(l->box) <= LONE_SIZE * r->text_height_px;
}

/* Returns whether a read line stands in the row of the mark. */
static bool is_beside(const struct pl_line *mark, const struct pl_line *l)
{
    const int middle = (mark->box.y0 + mark->box.y1) / 2;
    return middle > l->box.y0 && middle < l->box.y1;
}

/* Returns whether the middle of the mark is above or below a read line near it. */
static bool is_in_column(const struct pl_regions *r, const struct pl_line *mark,
                         const struct pl_line *l)
{
    const int middle = (mark->box.x0 + mark->box.x1) / 2;
    const int gap = PL_MAX(l->box.y0 - mark->box.y1, mark->box.y0 - l->box.y1);
    return middle > l->box.x0 && middle < l->box.x1 && gap >= 0 &&
           gap <= LONE_NEAR * r->text_height_px;
}

static bool is_aligned(const struct pl_regions *r, const struct pl_line *mark,
                       const struct pl_line *l)
{
    return fabs((double)mark->box.x0 - l->box.x0) <= LONE_ALIGNED * r->text_height_px;
}

/* Returns whether the mark stands where the text around it would have a mark: under or over other
 * text, and in a row of cells or where lines begin. */
static bool is_in_text(const struct pl_regions *r, const struct pl_line *mark)
{
    bool beside = false, column = false, begins = false;
    for (size_t b = 0; b < r->n_blocks; b++)
        for (size_t i = 0; i < r->blocks[b].n_lines; i++) {
            const struct pl_line *l = &r->blocks[b].lines[i];
            if (!is_read(l))
                continue;
            const bool near = is_in_column(r, mark, l);
            beside = beside || is_beside(mark, l);
            column = column || near;
            begins = begins || (near && is_aligned(r, mark, l));
        }
    return begins || (column && beside);
}

void pl_lone_marks_keep(struct pl_regions *r)
{
    for (size_t b = 0; b < r->n_blocks; b++)
        for (size_t i = 0; i < r->blocks[b].n_lines; i++) {
            struct pl_line *l = &r->blocks[b].lines[i];
            if (!is_lone_mark(r, l) || !is_in_text(r, l))
                continue;
            l->n_words = 1;
            l->n_doubted = 0;
            l->text = l->words->text;
        }
}
