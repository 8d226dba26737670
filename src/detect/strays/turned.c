/* SPDX-License-Identifier: BSD-2-Clause */
/* Text that runs up or down the page: numbers in the margin, labels pasted in sideways. What the
 * other steps left over is turned by a quarter and goes through them once more. */
#include <math.h>

#include "detect/ink/ink_steps.h"
#include "detect/obstacles/obstacles.h"
#include "detect/strays/strays.h"
#include "detect/ink/sort.h"
#include "detect/strays/stray_tuning.def"

/* Returns the median gap between the glyphs of a group. */
static double median_gap(const struct pl_found *found, const struct pl_group *g, double *v)
{
    for (uint32_t i = 0; i + 1 < g->n; i++) {
        const uint32_t *m = &found->members[g->first + i];
        v[i] = found->survey.blobs[m[1]].box.x0 - found->survey.blobs[m[0]].box.x1;
    }
    return pl_median(v, g->n - 1);
}

/* Returns whether the group may be letters of lines that run up or down, side by side. */
static bool is_weak(const struct pl_found *found, const struct pl_group *g, double *v)
{
    return g->n <= WEAK_GLYPHS || median_gap(found, g, v) > LOOSE_GAP * g->fit.size;
}

/* Returns whether the blob is in no group and may be a letter. An l on its side was taken for a
 * dash. */
static bool is_free(const struct pl_survey *survey, const struct pl_blob *b)
{
    int side = PL_MAX(pl_rect_width(b->box), pl_rect_height(b->box));
    return b->group < 0 && (b->kind == PL_BLOB_TEXT ||
                            (b->kind == PL_BLOB_RULE && side <= TURNED_DASH * survey->size));
}

/* Marks the blobs in no group or in a weak one. Returns how many there are. */
static uint32_t mark_free(const struct pl_found *found, bool *marked, double *v)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < found->n_groups; i++)
        if (is_weak(found, &found->groups[i], v))
            for (uint32_t j = 0; j < found->groups[i].n; j++)
                marked[found->members[found->groups[i].first + j]] = true;
    for (uint32_t i = 0; i < found->survey.n_blobs; i++) {
        marked[i] |= is_free(&found->survey, &found->survey.blobs[i]);
        n += marked[i];
    }
    return n;
}

/* Finds in *t the groups of the `n` marked blobs as they stand on the page turned clockwise by a
 * quarter; (*ret_from)[i] is the index of its blob i in `found`. */
static bool turn_blobs(struct pl_found *found, const bool *marked, uint32_t n, struct pl_found *t,
                       uint32_t **ret_from)
{
    uint32_t *from = PL_SURVEY_NEW(&found->survey, uint32_t, n), k = 0;
    double *key = PL_SURVEY_NEW(&found->survey, double, found->survey.n_blobs);
    *t = *found;
    t->survey.width = found->survey.height;
    t->survey.height = found->survey.width;
    t->survey.turned = true;
    t->survey.blobs = PL_SURVEY_NEW(&found->survey, struct pl_blob, n);
    t->survey.n_blobs = n;
    t->groups = NULL;
    t->n_groups = 0;
    t->survey.walls = t->survey.floors = (struct pl_bits){0}; /* they stand in the other way */
    if (!from || !key || !t->survey.blobs)
        return false;
    for (uint32_t i = 0; i < found->survey.n_blobs; i++)
        if (marked[i]) {
            key[i] = -found->survey.blobs[i].box.y1;
            from[k++] = i;
        }
    pl_sort_by_key(from, n, key);
    for (uint32_t i = 0; i < n; i++) {
        struct pl_rect r = found->survey.blobs[from[i]].box;
        t->survey.blobs[i] = found->survey.blobs[from[i]];
        t->survey.blobs[i].group = -1;
        t->survey.blobs[i].kind = PL_BLOB_TEXT;
        t->survey.blobs[i].box =
            (struct pl_rect){found->survey.height - r.y1, r.x0, found->survey.height - r.y0, r.x1};
    }
    *ret_from = from;
    return pl_chains_build(t) && pl_bars_drop(t) && pl_text_height(t) && pl_groups_find(t, true);
}

/* Returns how many letters a group has by the widths of its glyphs. */
static uint32_t count_letters(const struct pl_found *t, const struct pl_group *g)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < g->n; i++) {
        double width = pl_rect_width(t->survey.blobs[t->members[g->first + i]].box);
        n += (uint32_t)PL_MAX(1L, lround(width / (LETTER_WIDTH * g->fit.size)));
    }
    return n;
}

static double median_aspect(const struct pl_found *t, const struct pl_group *g, double *v)
{
    for (uint32_t i = 0; i < g->n; i++) {
        struct pl_rect b = t->survey.blobs[t->members[g->first + i]].box;
        v[i] = (double)pl_rect_width(b) / pl_rect_height(b);
    }
    return pl_median(v, g->n);
}

static bool is_turned_text(const struct pl_found *found, const struct pl_found *t,
                           const struct pl_group *g, double *v)
{
    double size = g->fit.size, length = pl_rect_width(g->box),
           thick = pl_rect_height(g->box) - fabs(g->fit.slope) * length;
    if (g->n < TURNED_GLYPHS || length < TURNED_LENGTH * size || thick > TURNED_THICKNESS * size ||
        size < TURNED_MIN_SIZE * found->survey.size || size > TURNED_MAX_SIZE * found->survey.size)
        return false;
    double gap = median_gap(t, g, v);
    if (gap <= TOUCHING_GAP * size)
        return count_letters(t, g) >= TURNED_LETTERS;
    return g->n >= TURNED_LETTERS && gap <= TURNED_GAP * size &&
           median_aspect(t, g, v) <= TURNED_ASPECT;
}

/* Returns whether the group stands on its head: then more of its glyphs end on one level at the top
 * than at the bottom, as in preprocess/geometry/orient.c. */
static bool is_upside_down(const struct pl_found *t, const struct pl_group *g)
{
    uint32_t low = 0, high = 0;
    double tolerance = PL_MAX(1.0, TURNED_LEVEL * g->fit.size);
    for (uint32_t i = 0; i < g->n; i++) {
        struct pl_rect a = t->survey.blobs[t->members[g->first + i]].box;
        for (uint32_t j = i + 1; j < g->n; j++) {
            struct pl_rect b = t->survey.blobs[t->members[g->first + j]].box;
            double rise = g->fit.slope * (0.5 * (b.x0 + b.x1) - 0.5 * (a.x0 + a.x1));
            low += fabs(b.y1 - a.y1 - rise) <= tolerance;
            high += fabs(b.y0 - a.y0 - rise) <= tolerance;
        }
    }
    return high > low;
}

/* Makes lines in found->others of the groups of t that are text. Returns false when memory is
 * short. */
static bool take_lines(struct pl_found *found, struct pl_found *t, const uint32_t *from, double *v)
{
    for (uint32_t i = 0; i < t->n_groups; i++) {
        const struct pl_group *g = &t->groups[i];
        if (!is_turned_text(found, t, g, v))
            continue;
        struct pl_line *line = &found->others[found->n_others++];
        if (!pl_line_emit(t, g, line))
            return false;
        line->quarters = 1;
        line->ink_px = 0;
        if (is_upside_down(t, g) &&
            !pl_line_turn_over(found->survey.arena, line, t->survey.width, t->survey.height))
            return false;
        for (uint32_t j = 0; j < g->n; j++) {
            struct pl_blob *b = &found->survey.blobs[from[t->members[g->first + j]]];
            if (b->group >= 0)
                continue;
            b->kind = PL_BLOB_TURNED;
            line->ink_px += b->ink_px;
        }
    }
    return true;
}

bool pl_turned_find(struct pl_found *found)
{
    struct pl_found t;
    uint32_t *from;
    bool *marked = PL_SURVEY_NEW(&found->survey, bool, found->survey.n_blobs);
    double *v = PL_SURVEY_NEW(&found->survey, double, found->survey.n_blobs);
    if (!marked || !v)
        return false;
    uint32_t n = mark_free(found, marked, v);
    if (n < TURNED_GLYPHS)
        return true;
    found->others = PL_SURVEY_NEW(&found->survey, struct pl_line, n / TURNED_GLYPHS);
    return found->others && turn_blobs(found, marked, n, &t, &from) &&
           take_lines(found, &t, from, v);
}
