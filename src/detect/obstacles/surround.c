/* SPDX-License-Identifier: BSD-2-Clause */
/* What lies around a page that was photographed, or scanned with the lid open: black, a table,
 * cloth, the edges of a book. The page's threshold takes it for one dark area; a local one sees its
 * grain, in which rows of little dark pieces pass for letters. */
#include "detect/obstacles/obstacles.h"
#include "detect/obstacles/obstacle_tuning.def"

struct surround_tiles {
    int side, nx, ny;
    uint32_t *dark; /* px of the surround in each tile */
    uint32_t *ink;  /* those of them that are ink to a local threshold */
};

/* Returns whether the component is large and reaches the rim of the page. */
static bool is_surround(const struct pl_survey *survey, const struct pl_component *c)
{
    struct pl_rect b = c->box;
    bool at_rim = b.x0 == 0 || b.y0 == 0 || b.x1 == survey->width || b.y1 == survey->height;
    return at_rim && pl_rect_width(b) >= SURROUND_SIDE * survey->size &&
           pl_rect_height(b) >= SURROUND_SIDE * survey->size &&
           c->ink_px >= SURROUND_SIDE * SURROUND_SIDE * survey->size * survey->size;
}

static bool tiles_init(struct pl_survey *survey, struct surround_tiles *t)
{
    t->side = PL_MAX((int)(SURROUND_TILE * survey->size), SURROUND_TILE_PX);
    t->nx = survey->width / t->side + 1;
    t->ny = survey->height / t->side + 1;
    t->dark = PL_SURVEY_NEW(survey, uint32_t, (size_t)t->nx * (size_t)t->ny);
    t->ink = PL_SURVEY_NEW(survey, uint32_t, (size_t)t->nx * (size_t)t->ny);
    return t->dark && t->ink;
}

static void count_surround(const struct pl_survey *survey, const struct pl_component *c,
                           const struct pl_bits *local, const struct surround_tiles *t)
{
    for (uint32_t i = c->first_run; i < c->first_run + c->n_runs; i++) {
        struct pl_run r = survey->comps.runs[i];
        for (int x = r.x0, end; x < r.x1; x = end) {
            int at = r.y / t->side * t->nx + x / t->side;
            end = PL_MIN((x / t->side + 1) * t->side, r.x1);
            t->dark[at] += (uint32_t)(end - x);
            t->ink[at] += pl_bits_count(pl_bits_row(local, r.y), x, end);
        }
    }
}

/* Blackens in `local` the part of the component that lies in grained tiles. Returns whether there
 * was any. */
static bool blacken(const struct pl_survey *survey, const struct pl_component *c,
                    const struct pl_bits *dark, const struct surround_tiles *t,
                    const struct pl_bits *local)
{
    bool any = false;
    for (uint32_t i = c->first_run; i < c->first_run + c->n_runs; i++) {
        struct pl_run r = survey->comps.runs[i];
        for (int x = r.x0, end; x < r.x1; x = end) {
            int at = r.y / t->side * t->nx + x / t->side;
            end = PL_MIN((x / t->side + 1) * t->side, r.x1);
            if (t->ink[at] < SURROUND_GRAIN * t->dark[at] ||
                t->dark[at] < SURROUND_DARK * t->side * t->side)
                continue;
            pl_bits_copy(pl_bits_row(local, r.y), pl_bits_row(dark, r.y), x, end);
            any = true;
        }
    }
    return any;
}

bool pl_surround_blacken(struct pl_survey *survey, const struct pl_bits *dark,
                         const struct pl_bits *local, bool *ret_any)
{
    struct surround_tiles t = {0};
    *ret_any = false;
    for (size_t i = 0; i < survey->comps.n; i++) {
        const struct pl_component *c = &survey->comps.comps[i];
        if (!is_surround(survey, c))
            continue;
        if (!t.dark && !tiles_init(survey, &t))
            return false;
        count_surround(survey, c, local, &t);
    }
    for (size_t i = 0; t.dark && i < survey->comps.n; i++)
        if (is_surround(survey, &survey->comps.comps[i]) &&
            blacken(survey, &survey->comps.comps[i], dark, &t, local))
            *ret_any = true;
    return true;
}
