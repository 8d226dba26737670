/* SPDX-License-Identifier: BSD-2-Clause */
/* What lies around a page that was photographed, or scanned with the lid open: black, a table,
 * cloth, the edges of a book. The page's threshold takes it for one dark area; a local one sees its
 * grain, in which rows of little dark pieces pass for letters. */
#include "detect/obstacles/obstacles.h"
#include "detect/obstacles/obstacle_tuning.def"

struct surround_tiles {
    int side, nx, ny;
    uint32_t *dark,
        *ink; /* px of the surround, and those of them that are ink to a local threshold */
};

static bool is_surround(const struct pl_layout *l, const struct pl_component *c)
{
    struct pl_rect b = c->box;
    bool at_rim = b.x0 == 0 || b.y0 == 0 || b.x1 == l->width || b.y1 == l->height;
    return at_rim && pl_rect_width(b) >= SURROUND_SIDE * l->size &&
           pl_rect_height(b) >= SURROUND_SIDE * l->size &&
           c->ink_px >= SURROUND_SIDE * SURROUND_SIDE * l->size * l->size;
}

static bool tiles_init(struct pl_layout *l, struct surround_tiles *t)
{
    t->side = PL_MAX((int)(SURROUND_TILE * l->size), SURROUND_TILE_PX);
    t->nx = l->width / t->side + 1;
    t->ny = l->height / t->side + 1;
    t->dark = PL_LAYOUT_NEW(l, uint32_t, (size_t)t->nx * (size_t)t->ny);
    t->ink = PL_LAYOUT_NEW(l, uint32_t, (size_t)t->nx * (size_t)t->ny);
    return t->dark && t->ink;
}

static void count(const struct pl_layout *l, const struct pl_component *c,
                  const struct pl_bits *local, const struct surround_tiles *t)
{
    for (uint32_t i = c->first_run; i < c->first_run + c->n_runs; i++) {
        struct pl_run r = l->comps.runs[i];
        for (int x = r.x0, end; x < r.x1; x = end) {
            int at = r.y / t->side * t->nx + x / t->side;
            end = PL_MIN((x / t->side + 1) * t->side, r.x1);
            t->dark[at] += (uint32_t)(end - x);
            t->ink[at] += pl_bits_count(pl_bits_row(local, r.y), x, end);
        }
    }
}

/* Blackens what of the component lies in grained tiles. */
static bool blacken(const struct pl_layout *l, const struct pl_component *c,
                    const struct pl_bits *dark, const struct surround_tiles *t,
                    const struct pl_bits *local)
{
    bool any = false;
    for (uint32_t i = c->first_run; i < c->first_run + c->n_runs; i++) {
        struct pl_run r = l->comps.runs[i];
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

bool pl_surround_blacken(struct pl_layout *l, const struct pl_bits *dark,
                         const struct pl_bits *local, bool *ret_any)
{
    struct surround_tiles t = {0};
    *ret_any = false;
    for (size_t i = 0; i < l->comps.n; i++) {
        const struct pl_component *c = &l->comps.comps[i];
        if (!is_surround(l, c))
            continue;
        if (!t.dark && !tiles_init(l, &t))
            return false;
        count(l, c, local, &t);
    }
    for (size_t i = 0; t.dark && i < l->comps.n; i++)
        if (is_surround(l, &l->comps.comps[i]) && blacken(l, &l->comps.comps[i], dark, &t, local))
            *ret_any = true;
    return true;
}
