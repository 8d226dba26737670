/* SPDX-License-Identifier: BSD-2-Clause */
/* Figures that were read as letters: a nought that stands alone as O, the old figures of 100 as
 * IOO. Nothing in the word tells, but the numbers above and below it do. */
#include <string.h>

#include "layout/layout_tuning.def"
#include "layout/steps.h"

static const char letters[] = "OoIl|", as_figures[] = "00111";

/* What the word above or below another one says of it. */
enum witness { NONE, NUMBER, DOUBTFUL, OTHER };

static enum witness witness_of(const struct pl_word *w)
{
    size_t figures = 0, alike = 0;
    for (const char *c = w->text; *c; c++) {
        if (*c >= '0' && *c <= '9')
            figures++;
        else if (strchr(letters, *c))
            alike++;
        else if ((unsigned char)*c < 0x80 && !strchr(".,:-+/()%$", *c))
            return OTHER;
    }
    return alike ? DOUBTFUL : figures ? NUMBER : OTHER;
}

/* Returns whether all characters of a doubtful word are figures or look like some. */
static bool may_be_figures(const struct pl_word *w)
{
    return strspn(w->text, "OoIl|0123456789") == strlen(w->text) && witness_of(w) == DOUBTFUL;
}

/* The nearest words above and below one, and whether any stands beside it. */
struct surroundings {
    const struct pl_word *above, *below;
    bool beside;
};

static void look_at(const struct pl_word *w, const struct pl_word *other, struct surroundings *ret)
{
    const struct pl_rect a = w->box, b = other->box;
    const int high = pl_rect_height(a), reach = (int)(FIGURES_REACH * high),
              common = PL_MIN(a.x1, b.x1) - PL_MAX(a.x0, b.x0), middle = (b.y0 + b.y1) / 2;
    if (middle > a.y0 && middle < a.y1) {
        ret->beside |= PL_MAX(b.x0 - a.x1, a.x0 - b.x1) < (int)(FIGURES_ALONE * high);
    } else if (2 * common > PL_MIN(pl_rect_width(a), pl_rect_width(b))) {
        if (b.y1 <= (a.y0 + a.y1) / 2 && a.y0 - b.y1 < reach &&
            (!ret->above || b.y1 > ret->above->box.y1))
            ret->above = other;
        if (b.y0 >= (a.y0 + a.y1) / 2 && b.y0 - a.y1 < reach &&
            (!ret->below || b.y0 < ret->below->box.y0))
            ret->below = other;
    }
}

static struct surroundings surroundings_of(const struct pl_regions *r, const struct pl_word *w)
{
    struct surroundings s = {0};
    for (size_t b = 0; b < r->n_blocks; b++)
        for (size_t i = 0; i < r->blocks[b].n_lines; i++) {
            const struct pl_line *l = &r->blocks[b].lines[i];
            for (size_t k = 0; k < l->n_words && !l->quarters; k++)
                if (&l->words[k] != w)
                    look_at(w, &l->words[k], &s);
        }
    return s;
}

/* Returns whether a number stands above or below a word that may be one, and nothing else that is
 * surely none. A single letter must stand alone: I is a word. */
static bool is_in_column(const struct pl_regions *r, const struct pl_word *w)
{
    const struct surroundings s = surroundings_of(r, w);
    const enum witness above = s.above ? witness_of(s.above) : NONE,
                       below = s.below ? witness_of(s.below) : NONE;
    return (above == NUMBER || below == NUMBER) && above != OTHER && below != OTHER &&
           (w->n_chars > 1 || !s.beside);
}

static bool make_figures(struct pl_arena *arena, struct pl_line *l, struct pl_word *w)
{
    char *text = PL_NEW(arena, char, strlen(w->text) + 1);
    if (!text)
        return false;
    strcpy(text, w->text);
    for (char *c = text; *c; c++)
        if (strchr(letters, *c))
            *c = as_figures[strchr(letters, *c) - letters];
    w->text = text;
    l->text = pl_words_join(arena, l->words, l->n_words);
    return l->text;
}

bool pl_figures_settle(struct pl_arena *arena, struct pl_regions *r)
{
    bool again = true;
    while (again) { /* a number that was found tells of its neighbours in turn */
        again = false;
        for (size_t b = 0; b < r->n_blocks; b++)
            for (size_t i = 0; i < r->blocks[b].n_lines; i++) {
                struct pl_line *l = &r->blocks[b].lines[i];
                for (size_t k = 0; k < l->n_words && !l->quarters; k++) {
                    if (!may_be_figures(&l->words[k]) || !is_in_column(r, &l->words[k]))
                        continue;
                    if (!make_figures(arena, l, &l->words[k]))
                        return false;
                    again = true;
                }
            }
    }
    return true;
}
