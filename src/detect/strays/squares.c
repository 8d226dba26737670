/* SPDX-License-Identifier: BSD-2-Clause */
/* Small squares of ink with four straight sides and paper between these, which may be check boxes:
 * layout tells by the words around them. A filled square is a bullet, and squares side by side are
 * frames of letters. */
#include <stdlib.h>
#include <string.h>

#include "detect/strays/circles.h"
#include "detect/strays/strays.h"
#include "detect/strays/stray_tuning.def"

#define CROSS_STEPS 8 /* down each stroke of a cross */

/* Returns how many rows of r have ink. */
static int count_rows(const struct pl_bits *page, struct pl_rect r)
{
    int n = 0;
    for (int y = r.y0; y < r.y1; y++)
        n += pl_bits_any_between(pl_bits_row(page, y), r.x0, r.x1);
    return n;
}

/* Returns how many columns of r have ink. */
static int count_columns(const struct pl_bits *page, struct pl_rect r)
{
    int n = 0;
    for (int x = r.x0; x < r.x1; x++) {
        int y = r.y0;
        while (y < r.y1 && !pl_bits_ink(page, x, y))
            y++;
        n += y < r.y1;
    }
    return n;
}

/* Returns the least share of the length of a side that has ink within `edge` of the width or height
 * of the box from there. */
static double least_side(const struct pl_bits *page, struct pl_rect b, double edge)
{
    const double w = pl_rect_width(b), h = pl_rect_height(b);
    const int dx = PL_MAX((int)(edge * w + 0.5), 1), dy = PL_MAX((int)(edge * h + 0.5), 1);
    const double left = count_rows(page, (struct pl_rect){b.x0, b.y0, b.x0 + dx, b.y1}) / h;
    if (left < SQUARE_SIDE)
        return left; /* most letters end here */
    const double right = count_rows(page, (struct pl_rect){b.x1 - dx, b.y0, b.x1, b.y1}) / h,
                 top = count_columns(page, (struct pl_rect){b.x0, b.y0, b.x1, b.y0 + dy}) / w,
                 foot = count_columns(page, (struct pl_rect){b.x0, b.y1 - dy, b.x1, b.y1}) / w;
    return PL_MIN(PL_MIN(left, right), PL_MIN(top, foot));
}

/* Returns whether two strokes cross in a box, from corner to corner, with paper on all four sides
 * of the crossing. */
static bool is_crossed(const struct pl_bits *page, struct pl_rect b)
{
    const int w = pl_rect_width(b), h = pl_rect_height(b), near = PL_MAX(w / (2 * CROSS_STEPS), 1),
              x = b.x0 + w / 2, y = b.y0 + h / 2;
    for (int i = 0; i < 2 * CROSS_STEPS; i++) {
        const int down = b.y0 + h / 4 + h * (i / 2) / (2 * CROSS_STEPS),
                  right = w / 4 + w * (i / 2) / (2 * CROSS_STEPS),
                  at = i % 2 ? b.x0 + right : b.x1 - 1 - right;
        if (!count_rows(page, (struct pl_rect){at - near, down, at + near + 1, down + 1}))
            return false;
    }
    return !pl_bits_ink(page, x, y - h / 4) && !pl_bits_ink(page, x, y + h / 4) &&
           !pl_bits_ink(page, x - w / 4, y) && !pl_bits_ink(page, x + w / 4, y);
}

/* Returns the share of the rows in the middle of a box that have ink there. */
static double mark_in(const struct pl_bits *page, struct pl_rect b)
{
    const int dx = pl_rect_width(b) / 4, dy = pl_rect_height(b) / 4;
    const struct pl_rect middle = {b.x0 + dx, b.y0 + dy, b.x1 - dx, b.y1 - dy};
    return (double)count_rows(page, middle) / pl_rect_height(middle);
}

/* Returns whether a component that is at most `most_px` high may be a square or a circle. */
static bool may_be_square(const struct pl_survey *survey, const struct pl_component *c,
                          double most_px)
{
    const double w = pl_rect_width(c->box), h = pl_rect_height(c->box);
    return PL_MIN(w, h) >= SQUARE_LEAST_PX && h >= SQUARE_MIN_HEIGHT * survey->size &&
           h <= most_px && w >= SQUARE_MIN_ASPECT * h && w <= SQUARE_MAX_ASPECT * h;
}

/* Returns whether two squares are as large and stand beside each other, without room for a word
 * between them. */
static bool are_beside(struct pl_rect a, struct pl_rect b)
{
    const int slack = PL_MAX((int)(FRAMES_ALIKE * pl_rect_height(a)), 2),
              gap = PL_MAX(a.x0, b.x0) - PL_MIN(a.x1, b.x1);
    return abs(a.y0 - b.y0) <= slack && abs(a.y1 - b.y1) <= slack &&
           abs(pl_rect_width(a) - pl_rect_width(b)) <= slack && gap >= 0 &&
           gap <= FRAMES_GAP * pl_rect_height(a);
}

/* Puts the squares that stand beside another one behind the others, as frames. */
static void part_frames(struct pl_survey *survey)
{
    bool frame[PL_MAX_SQUARES] = {false};
    struct pl_square *s = survey->squares, moved;
    size_t boxes = 0;
    for (size_t i = 0; i < survey->n_squares; i++)
        for (size_t k = 0; k < survey->n_squares && !frame[i] && !s[i].round; k++)
            frame[i] = k != i && !s[k].round && are_beside(s[i].box, s[k].box);
    for (size_t i = 0; i < survey->n_squares; i++) {
        if (frame[i])
            continue;
        moved = s[boxes];
        s[boxes] = s[i];
        s[i] = moved;
        boxes++;
    }
    survey->n_frames = survey->n_squares - boxes;
    survey->n_squares = boxes;
}

/* Tells whether component `at` is a square. */
static bool see_square(const struct pl_component *c, const struct pl_bits *page,
                       struct pl_square *ret)
{
    const struct pl_rect b = c->box;
    *ret = (struct pl_square){.box = b, .mark = (float)mark_in(page, b)};
    if (c->ink_px <= SQUARE_MAX_INK * pl_rect_width(b) * (double)pl_rect_height(b))
        ret->sides = (float)least_side(page, b, SQUARE_EDGE);
    ret->plain = (double)ret->sides >= SQUARE_SIDE &&
                 least_side(page, b, SQUARE_STRAIGHT) >= SQUARE_WHOLE &&
                 ((double)ret->mark <= SQUARE_EMPTY || is_crossed(page, b));
    return (double)ret->sides >= SQUARE_SIDE;
}

void pl_squares_find(struct pl_survey *survey, const struct pl_bits *page)
{
    struct pl_circle circles[PL_MAX_SQUARES];
    struct pl_square round[PL_MAX_SQUARES];
    size_t n_circles = 0, n = 0;
    survey->n_squares = survey->n_frames = 0;
    for (size_t i = 0; i < survey->comps.n && n <= PL_MAX_SQUARES; i++) {
        struct pl_circle circle;
        struct pl_square square;
        if (!may_be_square(survey, &survey->comps.comps[i], CIRCLE_MAX_HEIGHT * survey->size))
            continue;
        const bool large =
            !may_be_square(survey, &survey->comps.comps[i], SQUARE_MAX_HEIGHT * survey->size);
        if (!large && see_square(&survey->comps.comps[i], page, &square)) {
            if (n < PL_MAX_SQUARES)
                survey->squares[n] = square;
            n++;
        } else if (n_circles < PL_MAX_SQUARES && pl_circle_see(&survey->comps, page, i, &circle)) {
            circle.large = large;
            circles[n_circles++] = circle;
        }
    }
    const size_t n_round = pl_circles_settle(circles, n_circles, round);
    if (n + n_round > PL_MAX_SQUARES)
        return;
    memcpy(survey->squares + n, round, n_round * sizeof(*round));
    survey->n_squares = n + n_round;
    part_frames(survey);
}
