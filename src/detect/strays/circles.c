/* SPDX-License-Identifier: BSD-2-Clause */
/* Circles from which one is chosen. Those that stand alone are told where a page has three as large
 * and one of them is open. Those with a letter close beside them or in them are told where they
 * stand in rows and columns of their like, as those of an answer sheet do and letters do not. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "detect/strays/circles.h"
#include "detect/strays/stray_tuning.def"

#define DIRECTIONS 16  /* in which a circle is looked at */
#define GRID_ROUNDS 16 /* in which circles are left out of a grid: it bounds the work */

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

/* Returns whether there is ink towards the corners of a box, beyond what is round; what stands
 * level with its middle or above that is another letter. */
static bool is_ink_beyond(const struct pl_bits *page, struct pl_rect b)
{
    bool any = false;
    for (int k = 0; k < DIRECTIONS; k++)
        for (double r = 1 + CIRCLE_EDGE;
             r < 1.5 && fabs(cosines[k]) > 0.3 && fabs(cosines[k]) < 0.9; r += 1.0 / DIRECTIONS)
            any |= ink_along(page, b, k, r);
    return any;
}

/* Returns whether a component has ink all around close to the edge of its box, and none beyond. */
static bool is_round(const struct pl_bits *page, struct pl_rect b)
{
    const double w = pl_rect_width(b), h = pl_rect_height(b);
    return PL_MIN(w, h) >= CIRCLE_ROUND * PL_MAX(w, h) &&
           count_directions(page, b, 1 - CIRCLE_EDGE, 1) == DIRECTIONS && !is_ink_beyond(page, b);
}

/* What stands beside and in a component. */
struct circle_sides {
    int left_px, right_px; /* white to the nearest ink that is level with it; INT_MAX = none */
    size_t right;          /* the component there */
    const struct pl_component *in;
};

static void note(struct circle_sides *s, const struct pl_components *comps, size_t i,
                 struct pl_rect b)
{
    const struct pl_rect c = comps->comps[i].box;
    const int left = b.x0 - c.x1, right = c.x0 - b.x1;
    if (c.y0 >= b.y1 || c.y1 <= b.y0)
        return;
    if (c.x0 >= b.x0 && c.x1 <= b.x1 && c.y0 > b.y0 && c.y1 < b.y1)
        s->in = &comps->comps[i];
    if (c.x0 < b.x0)
        s->left_px = PL_MIN(s->left_px, left);
    if (c.x1 > b.x1 && right < s->right_px) {
        s->right_px = right;
        s->right = i;
    }
}

/* Looks around component `at`. They are sorted by their tops: what stands below that of another one
 * comes behind it. */
static struct circle_sides look_around(const struct pl_components *comps, size_t at)
{
    const struct pl_rect b = comps->comps[at].box;
    struct circle_sides s = {.left_px = INT_MAX, .right_px = INT_MAX};
    for (size_t i = at + 1; i < comps->n && comps->comps[i].box.y0 < b.y1; i++)
        note(&s, comps, i, b);
    for (size_t i = at; i-- > 0;)
        note(&s, comps, i, b);
    return s;
}

/* Tells what a round component is by what stands around it. Returns false for a letter of a word.
 */
static bool place(const struct pl_components *comps, size_t at, bool holds, struct pl_circle *ret)
{
    const struct circle_sides s = look_around(comps, at);
    const int w = pl_rect_width(comps->comps[at].box), free_px = (int)(CIRCLE_ALONE * w),
              apart_px = (int)(CIRCLE_APART * w);
    ret->alone = s.left_px >= free_px && s.right_px >= free_px;
    ret->text = ret->alone && s.right_px <= CIRCLE_TEXT * w;
    ret->holds = holds && s.in;
    if (!ret->alone) {
        ret->text = s.left_px >= free_px && s.right_px >= 0;
        ret->word = ret->text && (s.left_px < apart_px || s.right_px < CIRCLE_LETTER * w ||
                                  look_around(comps, s.right).right_px < apart_px);
    }
    if (ret->holds || ret->text)
        ret->letter_px = ret->holds ? s.in->ink_px : comps->comps[s.right].ink_px;
    return ret->alone || ret->text;
}

bool pl_circle_see(const struct pl_components *comps, const struct pl_bits *page, size_t at,
                   struct pl_circle *ret)
{
    const struct pl_rect b = comps->comps[at].box;
    if (!is_round(page, b))
        return false;
    const int half = count_directions(page, b, 0.5, 0.6);
    const bool full = half == DIRECTIONS, ring = !count_directions(page, b, 0.7, 0.8);
    *ret = (struct pl_circle){.plain = half == 0 || full, .full = full};
    ret->square =
        (struct pl_square){.box = b,
                           .sides = 1,
                           .mark = (float)count_directions(page, b, 0, CIRCLE_MIDDLE) / DIRECTIONS,
                           .round = true};
    return (ret->plain || ring) && place(comps, at, ring && !full, ret) &&
           (ret->plain || ret->holds);
}

/* The circles of a grid in the row of one, or in its column, it itself among them. */
struct like {
    int n, open, full, holding, close;
    uint32_t least_px, most_px; /* ink of their letters */
};

static double off(int a0, int a1, int b0, int b1)
{
    return 0.5 * abs(a0 + a1 - b0 - b1);
}

static struct like like_of(const struct pl_circle *c, size_t n, size_t at, bool row)
{
    struct like l = {.least_px = UINT32_MAX};
    const struct pl_rect a = c[at].square.box;
    const int w = pl_rect_width(a);
    for (size_t i = 0; i < n; i++) {
        const struct pl_rect b = c[i].square.box;
        const double apart = row ? off(a.y0, a.y1, b.y0, b.y1) : off(a.x0, a.x1, b.x0, b.x1);
        if (!c[i].in_grid || apart > CIRCLES_LEVEL * w ||
            abs(w - pl_rect_width(b)) > CIRCLES_ALIKE * w)
            continue;
        l.n++;
        l.open += c[i].holds || c[i].square.mark <= 0;
        l.full += c[i].full;
        l.holding += c[i].holds;
        l.close += !c[i].alone && !c[i].holds;
        if (c[i].letter_px) {
            l.least_px = PL_MIN(l.least_px, c[i].letter_px);
            l.most_px = PL_MAX(l.most_px, c[i].letter_px);
        }
    }
    return l;
}

/* Returns whether others of the grid stand in the row and the column of one. One that may be the
 * first letter of a word needs a disc in its row, which is no letter. */
static bool has_grid(const struct pl_circle *c, size_t n, size_t at)
{
    const struct like row = like_of(c, n, at, true);
    return row.n >= CIRCLES_LEAST && like_of(c, n, at, false).n >= CIRCLES_LEAST &&
           (row.full || !c[at].word);
}

/* Leaves in the grid the circles of which each has others of the grid in its row and its column:
 * letters of prose stand below each other by chance, but not in rows of such. */
static void find_grid(struct pl_circle *c, size_t n)
{
    bool left_one = true;
    for (size_t i = 0; i < n; i++)
        c[i].in_grid = true;
    for (int round = 0; round < GRID_ROUNDS && left_one; round++) {
        left_one = false;
        for (size_t i = 0; i < n; i++)
            if (c[i].in_grid && !has_grid(c, n, i)) {
                c[i].in_grid = false;
                left_one = true;
            }
    }
}

/* Returns whether the circle is the first letter of the text that another one belongs to. */
static bool follows_circle(const struct pl_circle *c, size_t n, size_t at)
{
    const struct pl_rect a = c[at].square.box;
    bool follows = false;
    for (size_t i = 0; i < n && !follows; i++) {
        const struct pl_rect b = c[i].square.box;
        follows = off(a.y0, a.y1, b.y0, b.y1) <= CIRCLES_LEVEL * pl_rect_width(a) && a.x0 >= b.x1 &&
                  a.x0 - b.x1 <= CIRCLE_TEXT * pl_rect_width(b);
    }
    return follows;
}

/* Returns whether the circle may be a letter all the same: the first one of the text behind a
 * circle, or of a short word that stands in each place of its row, without a disc among them. */
static bool may_be_letter(const struct pl_circle *c, size_t n, size_t at, const struct like *row)
{
    return (c[at].word && follows_circle(c, n, at)) ||
           (row->close && !row->full && row->most_px < LETTERS_DIFFER * row->least_px);
}

/* Settles a circle that stands in rows and columns of its like. Returns false for another one. */
static bool settle_choice(const struct pl_circle *c, size_t n, size_t at, struct pl_square *ret)
{
    const struct like row = like_of(c, n, at, true);
    if (!c[at].in_grid || !row.open || may_be_letter(c, n, at, &row))
        return false;
    *ret = c[at].square;
    const bool holding = 2 * row.holding >= row.n;
    ret->holds_letter = c[at].holds && holding;
    ret->plain = holding || (c[at].text && c[at].plain);
    ret->mark = ret->holds_letter ? 0 : ret->mark;
    return true;
}

static bool stands_by_itself(const struct pl_circle *c)
{
    return c->alone && c->plain && !c->large;
}

/* Returns whether a circle that stands alone has its like on the page, one of them open. */
static bool is_one_of_several(const struct pl_circle *c, size_t n, size_t at)
{
    int alike = 0, open = 0;
    const int w = pl_rect_width(c[at].square.box);
    for (size_t i = 0; i < n && stands_by_itself(&c[at]); i++)
        if (stands_by_itself(&c[i]) &&
            abs(w - pl_rect_width(c[i].square.box)) <= CIRCLES_ALIKE * w) {
            alike++;
            open += c[i].square.mark <= 0;
        }
    return alike >= CIRCLES_LEAST && open;
}

size_t pl_circles_settle(struct pl_circle *circles, size_t n, struct pl_square *ret)
{
    size_t kept = 0;
    find_grid(circles, n);
    for (size_t i = 0; i < n; i++) {
        ret[kept] = circles[i].square;
        kept += settle_choice(circles, n, i, &ret[kept]) || is_one_of_several(circles, n, i);
    }
    return kept;
}

bool pl_circles_drop(struct pl_survey *survey)
{
    bool any = false;
    for (size_t i = 0; i < survey->n_squares; i++) {
        const struct pl_square *s = &survey->squares[i];
        for (uint32_t k = 0; s->round && s->plain && k < survey->n_blobs; k++)
            if (!memcmp(&survey->blobs[k].box, &s->box, sizeof(s->box))) {
                survey->blobs[k].kind = PL_BLOB_CIRCLE;
                any = true;
            }
    }
    return any;
}
