/* SPDX-License-Identifier: BSD-2-Clause */
/* Marks that stand alone: a brace on a line of code, a dash or a tick in a cell, brackets to
 * tick. Recognition doubts lines of marks, since drawings are often read so; where such a mark
 * stands in the rows and columns of the text it is one. */
#include <math.h>
#include <string.h>

#include "layout/layout_tuning.def"
#include "layout/steps.h"

static bool is_read(const struct pl_line *l)
{
    return l->n_words && !l->quarters;
}

/* What a mark may be that stands alone; drawings are read as other marks, too. */
enum mark {
    NO_MARK,
    CELL, /* of a table: a dash, a tick */
    CODE, /* of a line of code */
    SIGN, /* before or behind text: empty brackets to tick, a sum's currency, a bullet */
};

static enum mark mark_of(const char *text)
{
    static const struct {
        const char *text;
        enum mark mark;
    } marks[] = {{"-", CELL},
                 {"\xE2\x80\x93", CELL},
                 {"\xE2\x80\x94", CELL},
                 {"\xE2\x9C\x93", CELL},
                 {"{", CODE},
                 {"}", CODE},
                 {";", CODE},
                 {"};", CODE},
                 {"/*", CODE},
                 {"*/", CODE},
                 {"(", SIGN},
                 {")", SIGN},
                 {"()", SIGN},
                 {"[", SIGN},
                 {"]", SIGN},
                 {"[]", SIGN},
                 {"$", SIGN},
                 {"\xE2\x80\xA2", SIGN}};
    for (size_t i = 0; i < PL_ARRAY_LEN(marks); i++)
        if (!strcmp(text, marks[i].text))
            return marks[i].mark;
    return NO_MARK;
}

/* Returns the confidence with which a mark that stands alone must have been read at least. */
static double least_of(enum mark mark)
{
    return mark == CELL ? LONE_DASH_CONF : mark == CODE ? LONE_CONF : LONE_SIGN_CONF;
}

/* Returns what all doubted words of a line are that has no other, if they are as large as marks of
 * the page; of marks but signs there is one. */
static enum mark mark_of_line(const struct pl_regions *r, const struct pl_line *l)
{
    if (l->n_words || !l->n_doubted || l->quarters || l->outdone)
        return NO_MARK;
    const enum mark mark = mark_of(l->words[0].text);
    const double most = LONE_SIZE * r->text_height_px;
    bool same = mark == SIGN || (l->n_doubted == 1 && pl_rect_width(l->box) <= most);
    for (size_t i = 0; i < l->n_doubted; i++) {
        const struct pl_word *w = &l->words[i];
        same = same && mark_of(w->text) == mark && (double)w->conf >= least_of(mark) &&
               pl_rect_width(w->box) <= most;
    }
    return same && pl_rect_height(l->box) <= most ? mark : NO_MARK;
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

/* Returns whether the mark stands close before or behind a read line, in its row. */
static bool is_at_text(const struct pl_regions *r, const struct pl_line *mark)
{
    for (size_t b = 0; b < r->n_blocks; b++)
        for (size_t i = 0; i < r->blocks[b].n_lines; i++) {
            const struct pl_line *l = &r->blocks[b].lines[i];
            const int gap = PL_MAX(l->box.x0 - mark->box.x1, mark->box.x0 - l->box.x1);
            if (is_read(l) && is_beside(mark, l) && gap >= 0 &&
                gap <= LONE_BESIDE * r->text_height_px)
                return true;
        }
    return false;
}

bool pl_lone_marks_keep(struct pl_arena *arena, struct pl_regions *r)
{
    for (size_t b = 0; b < r->n_blocks; b++)
        for (size_t i = 0; i < r->blocks[b].n_lines; i++) {
            struct pl_line *l = &r->blocks[b].lines[i];
            const enum mark mark = mark_of_line(r, l);
            if (!mark || !(is_in_text(r, l) || (mark == SIGN && is_at_text(r, l))))
                continue;
            l->n_words = l->n_doubted;
            l->n_doubted = 0;
            l->text = pl_words_join(arena, l->words, l->n_words);
            if (!l->text)
                return false;
        }
    return true;
}
