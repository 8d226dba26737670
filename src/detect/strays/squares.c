/* SPDX-License-Identifier: BSD-2-Clause */
/* Small squares of ink with four straight sides and paper between these, which may be check boxes:
 * layout tells by the words around them. A filled square is a bullet, and squares side by side are
 * frames of letters. Circles that stand alone, three as large on a page and one of them open, are
 * what one of several is chosen by. */
#include <stdlib.h>

#include "detect/strays/strays.h"
#include "detect/strays/stray_tuning.def"

#define DIRECTIONS 16 /* in which a circle is looked at */
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

static bool may_be_square(const struct pl_survey *survey, const struct pl_component *c)
{
    const double w = pl_rect_width(c->box), h = pl_rect_height(c->box);
    return PL_MIN(w, h) >= SQUARE_LEAST_PX && h >= SQUARE_MIN_HEIGHT * survey->size &&
           h <= SQUARE_MAX_HEIGHT * survey->size && w >= SQUARE_MIN_ASPECT * h &&
           w <= SQUARE_MAX_ASPECT * h;
}

/* The cosines of 11.25, 33.75, 56.25, ... degrees, for one and a quarter turns: what stands a
 * quarter of a turn farther on is a sine, but for its sign. libm's last bits differ between
 * processors. */
static const double cosines[DIRECTIONS + DIRECTIONS / 4] = {
    0.98078528,  0.83146961,  0.55557023,  0.19509032,  -0.19509032, -0.55557023, -0.83146961,
    -0.98078528, -0.98078528, -0.83146961, -0.55557023, -0.19509032, 0.19509032,  0.55557023,
    0.83146961,  0.98078528,  0.98078528,  0.83146961,  0.55557023,  0.19509032};

/* Returns whether there is ink at `r` radii from the middle of a box, along direction `k` of
 * DIRECTIONS. */
static bool ink_along(const struct pl_bits *page, struct pl_rect b, int k, double r)
{
    const double right = 0.5 * r * pl_rect_width(b) * cosines[k],
                 up = 0.5 * r * pl_rect_height(b) * cosines[k + DIRECTIONS / 4];
    const int x = (int)(0.5 * (b.x0 + b.x1) + right), y = (int)(0.5 * (b.y0 + b.y1) + up);
    return x >= 0 && y >= 0 && x < page->width && y < page->height && pl_bits_ink(page, x, y);
}

/* Returns how many directions have ink somewhere from `r0` to `r1` radii from the middle. */
static int count_directions(const struct pl_bits *page, struct pl_rect b, double r0, double r1)
{
    int n = 0;
    for (int k = 0; k < DIRECTIONS; k++) {
        double r = r0;
        while (r < r1 && !ink_along(page, b, k, r))
            r += 1.0 / DIRECTIONS;
        n += r < r1;
    }
    return n;
}

/* Returns whether a component is an open or a filled circle: it has ink all around close to the
 * edge of its box and none beyond, and half way to the middle none, or all around. */
static bool is_circle(const struct pl_bits *page, struct pl_rect b)
{
    const double w = pl_rect_width(b), h = pl_rect_height(b);
    if (PL_MIN(w, h) < CIRCLE_ROUND * PL_MAX(w, h) ||
        count_directions(page, b, 1 - CIRCLE_EDGE, 1) < DIRECTIONS ||
        count_directions(page, b, 1 + CIRCLE_EDGE, 1.5))
        return false;
    const int half = count_directions(page, b, 0.5, 0.6);
    return half == 0 || half == DIRECTIONS;
}

/* Returns whether box c stands close beside box b, as letters of a word do. */
static bool is_close_beside(struct pl_rect c, struct pl_rect b)
{
    const int free_px = (int)(CIRCLE_ALONE * pl_rect_width(b));
    const struct pl_rect around = {b.x0 - free_px, b.y0, b.x1 + free_px, b.y1};
    return !pl_rect_empty(pl_rect_intersect(c, around)) && (c.x0 < b.x0 || c.x1 > b.x1);
}

/* Returns whether nothing stands close beside component `at`. They are sorted by their tops: what
 * stands there is most likely near in the list. */
static bool stands_alone(const struct pl_components *comps, size_t at)
{
    const struct pl_rect b = comps->comps[at].box;
    for (size_t i = at + 1; i < comps->n && comps->comps[i].box.y0 < b.y1; i++)
        if (is_close_beside(comps->comps[i].box, b))
            return false;
    for (size_t i = at; i-- > 0;)
        if (is_close_beside(comps->comps[i].box, b))
            return false;
    return true;
}

/* Leaves out the circles of which a page has no three as large, one of them open: bullets, letters.
 */
static void drop_lone_circles(struct pl_survey *survey)
{
    struct pl_square *s = survey->squares;
    bool keep[PL_MAX_SQUARES];
    size_t kept = 0;
    for (size_t i = 0; i < survey->n_squares; i++) {
        int alike = 0, open = 0;
        for (size_t k = 0; k < survey->n_squares; k++) {
            const int apart = abs(pl_rect_width(s[i].box) - pl_rect_width(s[k].box));
            if (s[k].round && apart <= CIRCLES_ALIKE * pl_rect_width(s[i].box)) {
                alike++;
                open += s[k].mark <= 0;
            }
        }
        keep[i] = !s[i].round || (alike >= CIRCLES_LEAST && open);
    }
    for (size_t i = 0; i < survey->n_squares; i++)
        if (keep[i])
            s[kept++] = s[i];
    survey->n_squares = kept;
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

/* Tells whether component `at` is a square or a circle. */
static bool see(const struct pl_survey *survey, const struct pl_bits *page, size_t at,
                struct pl_square *ret)
{
    const struct pl_component *c = &survey->comps.comps[at];
    const struct pl_rect b = c->box;
    if (!may_be_square(survey, c))
        return false;
    *ret = (struct pl_square){.box = b, .mark = (float)mark_in(page, b)};
    if (c->ink_px <= SQUARE_MAX_INK * pl_rect_width(b) * (double)pl_rect_height(b))
        ret->sides = (float)least_side(page, b, SQUARE_EDGE);
    if ((double)ret->sides >= SQUARE_SIDE) {
        ret->plain = least_side(page, b, SQUARE_STRAIGHT) >= SQUARE_WHOLE &&
                     ((double)ret->mark <= SQUARE_EMPTY || is_crossed(page, b));
        return true;
    }
    ret->sides = 1;
    ret->mark = (float)count_directions(page, b, 0, CIRCLE_MIDDLE) / DIRECTIONS;
    ret->round = is_circle(page, b) && stands_alone(&survey->comps, at);
    return ret->round;
}

void pl_squares_find(struct pl_survey *survey, const struct pl_bits *page)
{
    survey->n_squares = survey->n_frames = 0;
    for (size_t i = 0; i < survey->comps.n; i++) {
        struct pl_square square;
        if (!see(survey, page, i, &square))
            continue;
        if (survey->n_squares == PL_MAX_SQUARES) {
            survey->n_squares = 0;
            return;
        }
        survey->squares[survey->n_squares++] = square;
    }
    drop_lone_circles(survey);
    part_frames(survey);
}
