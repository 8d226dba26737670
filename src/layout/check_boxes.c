/* SPDX-License-Identifier: BSD-2-Clause */
/* Check boxes: recognition has no such letter, and reads a square as nothing, as brackets or as a
 * letter. Detection saw the squares; here those that stand beside words become words. So do the
 * circles from which one is chosen, also where a row has nothing but these. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "layout/layout_tuning.def"
#include "layout/line_words.h"
#include "layout/steps.h"

#define EMPTY_BOX "\xE2\x98\x90"   /* U+2610 */
#define TICKED_BOX "\xE2\x98\x92"  /* U+2612 */
#define OPEN_CIRCLE "\xE2\x97\x8B" /* U+25CB */
#define FULL_CIRCLE "\xE2\x97\x8F" /* U+25CF */
#define ROW_OF_CIRCLES 1e6         /* px: farther than any word, nearer than a line of its own */

/* Returns whether a word that was read where the square is says what is there: it is a word of
 * which the square is a letter, or stands in the frame and was read surely. What is in an empty
 * frame is the frame. */
static bool says_what_is_there(const struct pl_word *w, const struct pl_square *square)
{
    if (square->holds_letter)
        return false;
    if (!pl_stands_in(w->box, square->box))
        return 4 * pl_area_of(pl_rect_intersect(w->box, square->box)) > pl_area_of(square->box);
    if (w->n_chars > BOX_CHARS)
        return true;
    if (square->round) /* it is read as O, 0, a bullet, ... */
        return w->n_chars > 1;
    return square->mark >= BOX_TICKED && w->conf >= BOX_READ && !strpbrk(w->text, "Xx");
}

/* A line to which a square may belong. */
struct home {
    struct pl_block *block;
    struct pl_line *line;
    double far; /* px from the square to the nearest word of the line */
};

/* Returns whether the square is a circle of a grid, of which some stand beside letters or around
 * them: all text in its row is what is chosen from. */
static bool is_of_grid(const struct pl_square *s)
{
    return s->round && s->plain;
}

/* Returns whether the square is level with the words of a line and about as high as their letters,
 * which a circle of a grid need not be. */
static bool is_in_row(const struct pl_line *l, const struct pl_square *s)
{
    const double x = l->xheight_px, h = pl_rect_height(s->box),
                 up = pl_line_y(l, 0.5 * (s->box.x0 + s->box.x1)) - 0.5 * (s->box.y0 + s->box.y1);
    return fabs(up - 0.5 * x) <= BOX_LEVEL * x &&
           (is_of_grid(s) || (h >= BOX_LEAST * x && h <= BOX_HEIGHT * x));
}

static bool is_circle(const struct pl_word *w)
{
    return !strcmp(w->text, OPEN_CIRCLE) || !strcmp(w->text, FULL_CIRCLE);
}

/* Returns whether a word is one letter of which the middle is in a circle. */
static bool is_letter_in(const struct pl_word *w, struct pl_rect circle)
{
    const int middle = w->box.x0 + w->box.x1, up = w->box.y0 + w->box.y1;
    return w->n_chars == 1 && middle > 2 * circle.x0 && middle < 2 * circle.x1 &&
           up > 2 * circle.y0 && up < 2 * circle.y1;
}

/* Returns how far the nearest word of a line is from the square, in px; INFINITY where there is
 * none near, and -INFINITY where the square was read as a word of the line among others. A line
 * that was made of the square alone is farther than any that has words near, and than one that a
 * circle of the row begins. */
static double far_from(const struct pl_line *l, const struct pl_square *s)
{
    const struct pl_rect square = s->box;
    const size_t n = l->n_words + l->n_doubted;
    double far = INFINITY;
    bool made_of = !n && pl_stands_in(l->box, square);
    for (size_t w = 0; w < n; w++) {
        const struct pl_rect box = l->words[w].box;
        if (s->holds_letter ? is_letter_in(&l->words[w], square) : pl_stands_in(box, square))
            made_of = true;
        else if (w < l->n_words)
            far = PL_MIN(far, PL_MAX(box.x0 - square.x1, square.x0 - box.x1));
    }
    if (made_of)
        return isinf(far) && !s->holds_letter ? DBL_MAX : -INFINITY;
    if (!is_in_row(l, s))
        return INFINITY;
    if (is_of_grid(s))
        return far;
    if (s->round && n && is_circle(&l->words[0]))
        return PL_MIN(far, ROW_OF_CIRCLES);
    return far <= BOX_BESIDE * l->xheight_px ? far : INFINITY;
}

/* Finds the line that the square belongs to. Returns false where there is none, or a word, sure or
 * not, says what is there. */
static bool find_home(const struct pl_regions *r, const struct pl_square *square, struct home *ret)
{
    *ret = (struct home){.far = INFINITY};
    for (size_t b = 0; b < r->n_blocks; b++)
        for (size_t i = 0; i < r->blocks[b].n_lines; i++) {
            struct pl_line *l = &r->blocks[b].lines[i];
            if (l->quarters || l->outdone)
                continue;
            for (size_t w = 0; w < l->n_words + l->n_doubted; w++)
                if (says_what_is_there(&l->words[w], square))
                    return false;
            const double far = far_from(l, square);
            if (far < ret->far)
                *ret = (struct home){&r->blocks[b], l, far};
        }
    return ret->line;
}

static bool word_of(struct pl_arena *arena, const struct pl_square *square, struct pl_word *ret)
{
    /* half as sure where the mark is as strong as it must be for a tick */
    const double sure = PL_MIN(0.5 + 0.5 * fabs(square->mark - BOX_TICKED) / BOX_TICKED, 1);
    float *conf = PL_NEW(arena, float, 1);
    if (!conf)
        return false;
    *conf = (float)(sure * square->sides);
    const bool ticked = square->mark >= BOX_TICKED;
    *ret = (struct pl_word){.box = square->box,
                            .text = square->round ? (ticked ? FULL_CIRCLE : OPEN_CIRCLE)
                                                  : (ticked ? TICKED_BOX : EMPTY_BOX),
                            .conf = *conf,
                            .char_conf = conf,
                            .n_chars = 1};
    return true;
}

/* Lets the letter in a circle begin there, and so follow it. */
static void put_within(struct pl_line *l, struct pl_rect circle)
{
    for (size_t i = 0; i < l->n_words; i++) {
        struct pl_rect *b = &l->words[i].box;
        if (is_letter_in(&l->words[i], circle))
            *b = (struct pl_rect){PL_MAX(b->x0, circle.x0), b->y0, PL_MIN(b->x1, circle.x1), b->y1};
    }
}

/* Makes a check box of the square. Returns false when memory is short. */
static bool tell_box(struct pl_arena *arena, struct pl_regions *r, const struct pl_square *square,
                     const struct home *home)
{
    for (size_t b = 0; b < r->n_blocks; b++)
        for (size_t i = 0; i < r->blocks[b].n_lines; i++) {
            struct pl_line *l = &r->blocks[b].lines[i];
            const size_t before = l->n_words, all = before + l->n_doubted;
            if (l->quarters)
                continue;
            if (square->holds_letter)
                put_within(l, square->box);
            else
                pl_words_drop(l, square->box);
            if (l->n_words < before && !(l->text = pl_words_join(arena, l->words, l->n_words)))
                return false;
            if (l != home->line && !l->n_words && !l->n_doubted)
                l->outdone |= all || pl_stands_in(l->box, square->box);
        }
    struct pl_word box;
    if (!word_of(arena, square, &box))
        return false;
    home->line->conf = home->line->n_words ? home->line->conf : box.conf;
    return pl_words_add(arena, home->block, home->line, &box, 1);
}

bool pl_check_boxes_tell(struct pl_arena *arena, struct pl_regions *r)
{
    struct home home;
    for (int full = 0; full < 2;
         full++) /* open circles, which are read as letters, make the rows */
        for (size_t i = 0; i < r->n_squares; i++) {
            const struct pl_square *s = &r->squares[i];
            if ((s->round && s->mark >= BOX_TICKED) == full && find_home(r, s, &home) &&
                !tell_box(arena, r, s, &home))
                return false;
        }
    return true;
}
