/* SPDX-License-Identifier: BSD-2-Clause */
/* Boxes around the parts of a map where a network sees text. */
#include "detect/net/db_boxes.h"

#include <math.h>

#include "image/components.h"
#include "detect/net/net_tuning.def"

struct point {
    int x, y;
};

/* Returns twice the area of the triangle; it is positive where c lies to the right of the way from
 * a to b (y grows downward). */
static int64_t turn(struct point a, struct point b, struct point c)
{
    return (int64_t)(b.x - a.x) * (c.y - a.y) - (int64_t)(b.y - a.y) * (c.x - a.x);
}

/* Appends p to the chain of the hull that began at hull[first] and ends before hull[n]. Returns its
 * new end. */
static size_t chain(struct point *hull, size_t first, size_t n, struct point p)
{
    while (n >= first + 2 && turn(hull[n - 2], hull[n - 1], p) <= 0)
        n--;
    hull[n++] = p;
    return n;
}

/* Fills hull[0..4 n_runs + 1) with the convex hull of the places of a component, by Andrew's
 * monotone chain: its runs come in the order that this needs. Returns the number of its points. */
static size_t find_hull(const struct pl_run *runs, uint32_t n_runs, struct point *hull)
{
    size_t n = 0;
    for (uint32_t i = 0; i < n_runs; i++) {
        n = chain(hull, 0, n, (struct point){runs[i].x0, runs[i].y});
        n = chain(hull, 0, n, (struct point){runs[i].x1 - 1, runs[i].y});
    }
    size_t first = n - 1;
    for (uint32_t i = n_runs; i-- > 0;) {
        n = chain(hull, first, n, (struct point){runs[i].x1 - 1, runs[i].y});
        n = chain(hull, first, n, (struct point){runs[i].x0, runs[i].y});
    }
    return n > 1 ? n - 1 : n; /* the last point is the first again */
}

/* Returns the smallest box around p[0..n) of which one side runs along the unit vector (ux, uy). */
static struct pl_text_box box_along(const struct pl_point *p, size_t n, double ux, double uy)
{
    double lo[2] = {INFINITY, INFINITY}, hi[2] = {-INFINITY, -INFINITY};
    for (size_t i = 0; i < n; i++) {
        double v[2] = {p[i].x * ux + p[i].y * uy, p[i].y * ux - p[i].x * uy};
        for (int k = 0; k < 2; k++) {
            lo[k] = PL_MIN(lo[k], v[k]);
            hi[k] = PL_MAX(hi[k], v[k]);
        }
    }
    double a = 0.5 * (lo[0] + hi[0]), b = 0.5 * (lo[1] + hi[1]);
    return (struct pl_text_box){.middle = {a * ux - b * uy, a * uy + b * ux},
                                .ux = ux,
                                .uy = uy,
                                .length = hi[0] - lo[0],
                                .height = hi[1] - lo[1]};
}

/* Returns the box of least area around a convex hull: one of its sides lies on a side of the hull.
 */
static struct pl_text_box least_box(const struct pl_point *p, size_t n)
{
    struct pl_text_box best = box_along(p, n, 1, 0);
    for (size_t i = 0; i < n; i++) {
        const struct pl_point *a = &p[i], *b = &p[(i + 1) % n];
        double dx = b->x - a->x, dy = b->y - a->y, d = sqrt(dx * dx + dy * dy);
        if (!(d > 0))
            continue;
        /* of the two directions of a box the one nearest to level, to the right */
        double ux = fabs(dx) >= fabs(dy) ? dx / d : dy / d;
        double uy = fabs(dx) >= fabs(dy) ? dy / d : -dx / d;
        struct pl_text_box box = box_along(p, n, ux < 0 ? -ux : ux, ux < 0 ? -uy : uy);
        if (box.length * box.height < best.length * best.height)
            best = box;
    }
    return best;
}

struct pl_point pl_text_box_at(const struct pl_text_box *b, double x, double y)
{
    double dx = x - b->middle.x, dy = y - b->middle.y;
    return (struct pl_point){2 * (dx * b->ux + dy * b->uy) / b->length,
                             2 * (dy * b->ux - dx * b->uy) / b->height};
}

struct pl_rect pl_text_box_bounds(const struct pl_text_box *b, int width, int height)
{
    struct pl_quad q;
    for (int i = 0; i < 4; i++) {
        double along = (i == 1 || i == 2 ? 0.5 : -0.5) * b->length,
               across = (i >= 2 ? 0.5 : -0.5) * b->height;
        q.p[i] = (struct pl_point){b->middle.x + along * b->ux - across * b->uy,
                                   b->middle.y + along * b->uy + across * b->ux};
    }
    return pl_quad_bounds(&q, width, height);
}

/* Narrows lo..hi to where |at + step * x| <= 1. */
static void clip(double at, double step, double *lo, double *hi)
{
    if (fabs(step) < 1e-12) {
        *hi = fabs(at) <= 1 ? *hi : -INFINITY;
        return;
    }
    double a = (-1 - at) / step, b = (1 - at) / step;
    *lo = PL_MAX(*lo, PL_MIN(a, b));
    *hi = PL_MIN(*hi, PL_MAX(a, b));
}

/* Returns the mean probability of the places that have their middle in the box. */
static double score_of(const struct pl_db_map *m, const struct pl_text_box *b)
{
    double sum = 0;
    size_t n = 0;
    struct pl_text_box wide = *b; /* its sides pass through middles of places */
    wide.length += 1e-3 * m->scale_x;
    wide.height += 1e-3 * m->scale_y;
    struct pl_rect r = pl_text_box_bounds(&wide, INT16_MAX, INT16_MAX);
    int y0 = (int)(r.y0 / m->scale_y), y1 = PL_MIN((int)(r.y1 / m->scale_y) + 1, m->height);
    for (int y = y0; y < y1; y++) {
        struct pl_point p = pl_text_box_at(&wide, 0.5 * m->scale_x, (y + 0.5) * m->scale_y);
        double lo = 0, hi = m->width - 1;
        clip(p.x, 2 * wide.ux * m->scale_x / wide.length, &lo, &hi);
        clip(p.y, -2 * wide.uy * m->scale_x / wide.height, &lo, &hi);
        for (int x = lo <= hi ? (int)ceil(lo) : m->width; x <= hi; x++, n++)
            sum += (double)m->text[(size_t)y * (size_t)m->width + (size_t)x];
    }
    return n ? sum / (double)n : 0;
}

/* Gives the map as a bilevel picture: places above the threshold are ink. */
static platen_status cut_map(const struct pl_env *env, const struct pl_db_map *m, double threshold,
                             struct pl_image *ret, struct platen_error *err)
{
    const float *v = m->text;
    platen_status s = pl_image_init(env, m->width, m->height, PL_GRAY8, ret, err);
    if (s)
        return s;
    ret->bilevel = true;
    for (int y = 0; y < m->height; y++)
        for (int x = 0; x < m->width; x++, v++)
            pl_image_row(ret, y)[x] = (double)*v > threshold ? 0 : 255;
    return PLATEN_OK;
}

/* Moves all sides of the box outward by `unclip` times its area divided by its perimeter. */
static void grow_box(struct pl_text_box *b, double unclip)
{
    double by = unclip * b->length * b->height / (2 * (b->length + b->height));
    b->length += 2 * by;
    b->height += 2 * by;
}

/* Takes the points of a hull from places of the map to pixels of the picture. */
static void to_picture(const struct pl_db_map *m, const struct point *hull, size_t n,
                       struct pl_point *ret)
{
    for (size_t i = 0; i < n; i++)
        ret[i] = (struct pl_point){(hull[i].x + 0.5) * m->scale_x, (hull[i].y + 0.5) * m->scale_y};
}

/* Returns the runs of the component that has the most. */
static uint32_t most_runs(const struct pl_components *c)
{
    uint32_t n = 0;
    for (size_t i = 0; i < c->n; i++)
        n = PL_MAX(n, c->comps[i].n_runs);
    return n;
}

static platen_status boxes_of_components(const struct pl_env *env, struct pl_arena *arena,
                                         const struct pl_db_map *map,
                                         const struct pl_db_rules *rules,
                                         const struct pl_components *c, struct pl_text_box **ret,
                                         size_t *ret_n, struct platen_error *err)
{
    size_t room = 4 * (size_t)most_runs(c) + 1, k = 0;
    struct point *hull = PL_NEW(arena, struct point, room);
    struct pl_point *points = PL_NEW(arena, struct pl_point, room);
    struct pl_text_box *boxes = PL_NEW(arena, struct pl_text_box, c->n);
    platen_status s = hull && points && boxes
                          ? PLATEN_OK
                          : pl_fail_nomem(err, c->n * sizeof(*boxes), "boxes of text");
    for (size_t i = 0; i < c->n && !s; i++) {
        const struct pl_component *comp = &c->comps[i];
        size_t n = find_hull(c->runs + comp->first_run, comp->n_runs, hull);
        to_picture(map, hull, n, points);
        struct pl_text_box b = least_box(points, n);
        double least = MAP_MIN_SIDE * PL_MIN(map->scale_x, map->scale_y);
        if (b.length < least || b.height < least)
            continue;
        b.score = score_of(map, &b);
        if (!(b.score >= rules->score))
            continue;
        grow_box(&b, rules->unclip);
        boxes[k++] = b;
        s = pl_env_check(env, err);
    }
    *ret = boxes;
    *ret_n = k;
    return s;
}

platen_status pl_db_boxes_find(const struct pl_env *env, struct pl_arena *arena,
                               const struct pl_db_map *map, const struct pl_db_rules *rules,
                               struct pl_text_box **ret, size_t *ret_n, struct platen_error *err)
{
    pl_auto_image text = {0};
    pl_auto_components c = {0};
    platen_status s = cut_map(env, map, rules->threshold, &text, err);
    s = s ? s : pl_components_find(env, &text, &c, err);
    return s ? s : boxes_of_components(env, arena, map, rules, &c, ret, ret_n, err);
}
