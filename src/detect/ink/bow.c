/* SPDX-License-Identifier: BSD-2-Clause */
/* How the rows of a page bow: all of them alike, or more the farther up or down they lie, as those
 * of a book under a camera. Pairs of glyphs in a row tell it: where both stand on the baseline,
 * they differ in height by what the row falls between them. Least squares make a curve of all
 * pairs, in which those that do not fit, since one of them ends below the baseline as a p does,
 * count less from round to round (Holland and Welsch,
 * Robust regression using iteratively reweighted least-squares, 1977), and which is as smooth as
 * the pairs allow (Whittaker, On a new method of graduation, 1923). */
#include <math.h>
#include <string.h>

#include "detect/ink/ink_steps.h"
#include "detect/ink/sort.h"
#include "detect/ink/ink_tuning.def"

#define POINTS (PL_CURVE_PIECES + 1)
#define UNKNOWNS (2 * POINTS) /* of the curve in the middle, and of what is added below it */

/* Two glyphs of a row: their columns, a left of b, the height of the row as pl_bow_at() has it, and
 * how far below a the glyph b ends. */
struct pair {
    double xa, xb, height, fall_px;
};

struct search {
    const struct pl_found *found;
    struct pl_bow *bow;
    struct pair *pairs;
    size_t n;
    double m[UNKNOWNS][UNKNOWNS], rhs[UNKNOWNS]; /* of the normal equations */
};

/* Returns whether the group is long enough to tell. */
static bool tells(const struct pl_group *g)
{
    return g->n >= BOW_GLYPHS;
}

/* Makes the bow flat, over the columns and rows of the groups that tell one. Returns false where no
 * group does. */
static bool set_extent(const struct pl_found *found, struct pl_bow *bow)
{
    struct pl_rect all = {0};
    for (uint32_t i = 0; i < found->n_groups; i++) {
        const struct pl_group *g = &found->groups[i];
        if (tells(g))
            all = pl_rect_empty(all) ? g->box : pl_rect_union(all, g->box);
    }
    const struct pl_curve none = {.x0 = all.x0, .x1 = all.x1};
    *bow = (struct pl_bow){.middle = none,
                           .below = none,
                           .y = 0.5 * (all.y0 + all.y1),
                           .reach = 0.5 * pl_rect_height(all)};
    return !pl_rect_empty(all);
}

/* Adds pairs of each glyph of the group and the next one that stands at least `span` px to its
 * right. */
static void add_pairs(struct search *s, const struct pl_group *g, double span)
{
    const double height = pl_bow_height(s->bow, g->box), size = g->fit.size;
    for (uint32_t i = 0, j = 0; i < g->n && j < g->n; i++) {
        const struct pl_blob *a = pl_group_blob(s->found, g, i), *b = NULL;
        if (!pl_blob_stands(a, size))
            continue;
        for (j = PL_MAX(j, i + 1); j < g->n; j++) {
            b = pl_group_blob(s->found, g, j);
            if (pl_blob_stands(b, size) && pl_blob_x(b) - pl_blob_x(a) >= span)
                break;
        }
        if (j < g->n)
            s->pairs[s->n++] =
                (struct pair){pl_blob_x(a), pl_blob_x(b), height, b->box.y1 - a->box.y1};
    }
}

/* Takes the pairs of all groups: of each glyph two, so that it does not hang on one other alone.
 * Returns false when memory is short. */
static bool take_pairs(struct search *s)
{
    const struct pl_survey *survey = &s->found->survey;
    s->pairs = PL_SURVEY_NEW(survey, struct pair, 2 * (size_t)survey->n_blobs);
    for (uint32_t i = 0; s->pairs && i < s->found->n_groups; i++) {
        const struct pl_group *g = &s->found->groups[i];
        for (int k = 1; k <= 2 && tells(g); k++)
            add_pairs(s, g, k * PAIR_SPAN * g->fit.size);
    }
    return s->pairs;
}

/* Adds the equation of a pair: the curve's heights at its two columns, each of which two points of
 * the curve share, differ by what the row falls between them. */
static void add_pair(struct search *s, const struct pair *p, double weight)
{
    int at[8];
    double f[8];
    for (int k = 0; k < 2; k++) {
        double along, sign = k ? 1 : -1;
        at[2 * k] = pl_curve_piece(&s->bow->middle, k ? p->xb : p->xa, &along);
        at[2 * k + 1] = at[2 * k] + 1;
        f[2 * k] = sign * (1 - along);
        f[2 * k + 1] = sign * along;
    }
    for (int k = 0; k < 4; k++) {
        at[4 + k] = POINTS + at[k];
        f[4 + k] = p->height * f[k];
    }
    for (int k = 0; k < 8; k++) {
        for (int l = 0; l < 8; l++)
            s->m[at[k]][at[l]] += weight * f[k] * f[l];
        s->rhs[at[k]] += weight * f[k] * p->fall_px;
    }
}

/* Begins the equations with the wish for smooth curves, and for low ones, without which the height
 * of a whole curve would be free. */
static void begin_equations(struct search *s)
{
    static const double second[3] = {1, -2, 1};
    memset(s->m, 0, sizeof(s->m));
    memset(s->rhs, 0, sizeof(s->rhs));
    for (int c = 0; c < UNKNOWNS; c += POINTS)
        for (int i = 0; i + 2 < POINTS; i++)
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++)
                    s->m[c + i + k][c + i + l] += BOW_SMOOTH * second[k] * second[l];
    for (int i = 0; i < UNKNOWNS; i++)
        s->m[i][i] += BOW_LOW;
}

/* Solves the equations, whose matrix is symmetric and positive, into rhs (Cholesky). */
static void solve(struct search *s)
{
    for (int j = 0; j < UNKNOWNS; j++) {
        for (int k = 0; k < j; k++)
            for (int i = j; i < UNKNOWNS; i++)
                s->m[i][j] -= s->m[i][k] * s->m[j][k];
        double d = sqrt(s->m[j][j]);
        for (int i = j; i < UNKNOWNS; i++)
            s->m[i][j] /= d;
    }
    for (int i = 0; i < UNKNOWNS; i++) {
        for (int k = 0; k < i; k++)
            s->rhs[i] -= s->m[i][k] * s->rhs[k];
        s->rhs[i] /= s->m[i][i];
    }
    for (int i = UNKNOWNS - 1; i >= 0; i--) {
        for (int k = i + 1; k < UNKNOWNS; k++)
            s->rhs[i] -= s->m[k][i] * s->rhs[k];
        s->rhs[i] /= s->m[i][i];
    }
}

/* Makes the curves of the pairs. */
static void fit_curves(struct search *s, double tolerance)
{
    const size_t step = s->n / BOW_PAIRS + 1;
    for (int round = 0; round < BOW_ROUNDS; round++) {
        begin_equations(s);
        for (size_t i = 0; i < s->n; i += step) {
            const struct pair *p = &s->pairs[i];
            double fall = pl_bow_at(s->bow, p->xb, p->height) - pl_bow_at(s->bow, p->xa, p->height);
            double off = PL_MAX(fabs(p->fall_px - fall) / tolerance, 1.0);
            add_pair(s, p, round < BOW_ROUNDS / 2 ? 1 / off : 1 / (off * off));
        }
        solve(s);
        memcpy(s->bow->middle.y, s->rhs, sizeof(s->bow->middle.y));
        memcpy(s->bow->below.y, s->rhs + POINTS, sizeof(s->bow->below.y));
    }
}

/* Takes the straight line off the curve that most of it follows: that is the slope of the page. */
static void take_line(struct pl_curve *c)
{
    double v[POINTS];
    for (int i = 0; i + 1 < POINTS; i++)
        v[i] = c->y[i + 1] - c->y[i];
    const double slope = pl_median(v, POINTS - 1);
    for (int i = 0; i < POINTS; i++)
        v[i] = c->y[i] -= slope * i;
    const double level = pl_median(v, POINTS);
    for (int i = 0; i < POINTS; i++)
        c->y[i] -= level;
}

/* Marks in off[] the blobs that do not stand on the baselines of their groups where the rows bow.
 * Returns how many of them were not marked before, and in *ret_gone how many no longer are. */
static uint32_t mark_off(const struct pl_found *found, bool *off, uint32_t *ret_gone)
{
    const struct pl_bow *bow = &found->survey.bow;
    uint32_t come = 0;
    *ret_gone = 0;
    for (uint32_t i = 0; i < found->n_groups; i++) {
        const struct pl_group *g = &found->groups[i];
        const double height = pl_bow_height(bow, g->box);
        for (uint32_t j = 0; tells(g) && j < g->n; j++) {
            const struct pl_blob *b = pl_group_blob(found, g, j);
            const double far = fabs(pl_bow_at(bow, pl_blob_x(b), height));
            const bool was = off[found->members[g->first + j]],
                       is = far >= MIN_BOW * found->survey.size && pl_blob_stands(b, g->fit.size) &&
                            !pl_fit_stands(b, &g->fit);
            come += is && !was;
            *ret_gone += was && !is;
            off[found->members[g->first + j]] = is;
        }
    }
    return come;
}

/* Fits the groups to bowed lines where glyphs then stand on them that did not stand on straight
 * ones, and hardly any the other way round. Returns false when memory is short. */
static bool prove(struct pl_found *found)
{
    uint32_t gone;
    bool *off = PL_SURVEY_NEW(&found->survey, bool, found->survey.n_blobs);
    if (!off)
        return false;
    if (mark_off(found, off, &gone) < BOW_GAIN)
        return true;
    found->survey.bowed = true;
    if (!pl_fit_groups(found))
        return false;
    const uint32_t come = mark_off(found, off, &gone);
    if (gone >= BOW_GAIN && come <= BOW_LOSS * gone)
        return true;
    found->survey.bowed = false;
    return pl_fit_groups(found);
}

bool pl_bow_find(struct pl_found *found, uint32_t least)
{
    struct pl_survey *survey = &found->survey;
    if (!set_extent(found, &survey->bow))
        return true;
    struct search *s = PL_SURVEY_NEW(survey, struct search, 1);
    if (!s)
        return false;
    s->found = found;
    s->bow = &survey->bow;
    if (!take_pairs(s))
        return false;
    if (s->n < least)
        return true;
    fit_curves(s, PL_MAX(1.0, ON_BASELINE * survey->size));
    take_line(&survey->bow.middle);
    take_line(&survey->bow.below);
    return prove(found);
}

struct pl_curve pl_bow_row(const struct pl_bow *bow, double height)
{
    struct pl_curve c = bow->middle;
    for (int i = 0; i < POINTS; i++)
        c.y[i] += height * bow->below.y[i];
    return c;
}
