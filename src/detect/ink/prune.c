/* SPDX-License-Identifier: BSD-2-Clause */
/* Drops groups that are no text: dashes, dirt, pieces of pictures. */
#include <assert.h>
#include <math.h>

#include "detect/ink/ink_steps.h"
#include "detect/ink/ink_tuning.def"

/* Cells over the page, and the share of each that graphics and rules cover. */
struct dark_map {
    double cell;
    int nx, ny;
    float *ink;
};

/* Adds the ink from `from` to `to` of a row of px, or of a column, to its cells, which lie `step`
 * apart. */
static void dark_map_add(const struct dark_map *m, float *cells, int step, int from, int to)
{
    for (int at = from; at < to;) { /* the part in each cell */
        int c = (int)(at / m->cell), end = PL_MIN((int)ceil((c + 1) * m->cell), to);
        end = PL_MAX(end, at + 1);
        cells[c * step] += (float)((end - at) / (m->cell * m->cell));
        at = end;
    }
}

static bool dark_map_build(struct pl_survey *survey, struct dark_map *m)
{
    m->cell = PL_MAX(survey->size, MIN_CELL_PX);
    m->nx = (int)(survey->width / m->cell) + 1;
    m->ny = (int)(survey->height / m->cell) + 1;
    m->ink = PL_SURVEY_NEW(survey, float, (size_t)m->nx *(size_t)m->ny);
    if (!m->ink)
        return false;
    for (uint32_t i = 0; i < survey->n_blobs; i++) {
        const struct pl_blob *b = &survey->blobs[i];
        if (b->kind != PL_BLOB_GRAPHIC && b->kind != PL_BLOB_RULE)
            continue;
        for (uint32_t r = b->first_run; r < b->first_run + b->n_runs; r++) {
            struct pl_run u = survey->comps.runs[r];
            int line = survey->turned ? survey->width - 1 - u.y : u.y, cell = (int)(line / m->cell);
            assert(cell >= 0 && cell < (survey->turned ? m->nx : m->ny));
            if (survey->turned)
                dark_map_add(m, m->ink + cell, m->nx, u.x0, u.x1);
            else
                dark_map_add(m, m->ink + cell * m->nx, 1, u.x0, u.x1);
        }
    }
    return true;
}

/* Returns the mean of the cells that a box touches and of those around them. */
static double darkness(const struct dark_map *m, struct pl_rect b)
{
    double sum = 0;
    int x0 = PL_MAX((int)(b.x0 / m->cell) - 1, 0),
        x1 = PL_MIN((int)(b.x1 / m->cell) + 1, m->nx - 1);
    int y0 = PL_MAX((int)(b.y0 / m->cell) - 1, 0),
        y1 = PL_MIN((int)(b.y1 / m->cell) + 1, m->ny - 1);
    for (int y = y0; y <= y1; y++)
        for (int x = x0; x <= x1; x++)
            sum += m->ink[y * m->nx + x];
    return sum / ((x1 - x0 + 1) * (y1 - y0 + 1));
}

/* What the blobs of a group are together. */
struct group_look {
    double ink, runs, area; /* sums; area is that of their boxes */
    bool flat;              /* whether most are dashes and pieces of rules */
};

static struct group_look look_at(const struct pl_found *found, const struct pl_group *g)
{
    struct group_look k = {0};
    uint32_t n_flat = 0;
    for (uint32_t i = 0; i < g->n; i++) {
        const struct pl_blob *b = &found->survey.blobs[found->members[g->first + i]];
        double w = pl_rect_width(b->box), h = pl_rect_height(b->box);
        k.ink += b->ink_px;
        k.runs += b->n_runs;
        k.area += w * h;
        n_flat +=
            h < FLAT_HEIGHT * found->survey.size && w > FLAT_ASPECT * h && !pl_blob_is_word(b);
    }
    k.flat = n_flat >= FLAT_SHARE * g->n &&
             pl_rect_width(g->box) > FLAT_GROUP_ASPECT * pl_rect_height(g->box);
    return k;
}

/* Returns whether a group of one or two glyphs is like letters: of the page's size, with strokes
 * that are neither solid nor mere scratches. */
static bool is_letter_like(const struct pl_found *found, const struct pl_group *g,
                           const struct group_look *k)
{
    double h = pl_rect_height(g->box), w = pl_rect_width(g->box), s = g->fit.size;
    if (k->ink / k->runs > SOLID_STROKE * s && w < SOLID_ASPECT * h)
        return false;
    if (k->ink < MIN_INK * k->area)
        return false;
    if (g->n > 1)
        return s >= MIN_PRINT_SIZE * found->survey.size && s <= FEW_MAX_SIZE * found->survey.size;
    if (pl_blob_is_word(&found->survey.blobs[found->members[g->first]]))
        return h >= LONE_WORD_MIN * found->survey.size && h <= LONE_WORD_MAX * found->survey.size;
    if (w > LONE_WIDTH * found->survey.size)
        return false;
    return h >= LONE_MIN * found->survey.size && h <= LONE_MAX * found->survey.size &&
           w >= LONE_ASPECT * h;
}

static bool is_text(const struct pl_found *found, const struct dark_map *m,
                    const struct pl_group *g, const struct group_look *k)
{
    if (g->fit.size < found->survey.min_height || k->flat)
        return false;
    if (g->n < SURE_GLYPHS && darkness(m, g->box) > MAX_DARK)
        return false;
    return g->n >= ROW_GLYPHS || is_letter_like(found, g, k);
}

bool pl_groups_prune(struct pl_found *found)
{
    struct dark_map m;
    if (!dark_map_build(&found->survey, &m))
        return false;
    for (uint32_t i = 0; i < found->n_groups; i++) {
        const struct pl_group *g = &found->groups[i];
        struct group_look k = look_at(found, g);
        if (is_text(found, &m, g, &k))
            continue;
        for (uint32_t j = 0; j < g->n; j++) {
            struct pl_blob *b = &found->survey.blobs[found->members[g->first + j]];
            b->group = -1;
            if (k.flat)
                b->kind = PL_BLOB_RULE;
        }
    }
    return true;
}
