/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/geom.h"

#include <assert.h>
#include <math.h>

#include "base/attr.h"

struct pl_point pl_affine_apply(const struct pl_affine *m, double x, double y)
{
    return (struct pl_point){m->a * x + m->b * y + m->c, m->d * x + m->e * y + m->f};
}

struct pl_affine pl_affine_chain(const struct pl_affine *p, const struct pl_affine *q)
{
    return (struct pl_affine){
        q->a * p->a + q->b * p->d, q->a * p->b + q->b * p->e, q->a * p->c + q->b * p->f + q->c,
        q->d * p->a + q->e * p->d, q->d * p->b + q->e * p->e, q->d * p->c + q->e * p->f + q->f,
    };
}

struct pl_affine pl_affine_inverse(const struct pl_affine *m)
{
    const double det = m->a * m->e - m->b * m->d;
    assert(det != 0);
    return (struct pl_affine){
        m->e / det,  -m->b / det, (m->b * m->f - m->e * m->c) / det,
        -m->d / det, m->a / det,  (m->d * m->c - m->a * m->f) / det,
    };
}

int pl_rect_width(struct pl_rect r)
{
    return r.x1 - r.x0;
}

int pl_rect_height(struct pl_rect r)
{
    return r.y1 - r.y0;
}

bool pl_rect_empty(struct pl_rect r)
{
    return r.x1 <= r.x0 || r.y1 <= r.y0;
}

struct pl_rect pl_rect_union(struct pl_rect a, struct pl_rect b)
{
    if (pl_rect_empty(a))
        return b;
    if (pl_rect_empty(b))
        return a;
    return (struct pl_rect){PL_MIN(a.x0, b.x0), PL_MIN(a.y0, b.y0), PL_MAX(a.x1, b.x1),
                            PL_MAX(a.y1, b.y1)};
}

struct pl_rect pl_rect_intersect(struct pl_rect a, struct pl_rect b)
{
    return (struct pl_rect){PL_MAX(a.x0, b.x0), PL_MAX(a.y0, b.y0), PL_MIN(a.x1, b.x1),
                            PL_MIN(a.y1, b.y1)};
}

struct pl_quad pl_quad_of_rect(struct pl_rect r, const struct pl_affine *m)
{
    return (struct pl_quad){{pl_affine_apply(m, r.x0, r.y0), pl_affine_apply(m, r.x1, r.y0),
                             pl_affine_apply(m, r.x1, r.y1), pl_affine_apply(m, r.x0, r.y1)}};
}

struct pl_rect pl_quad_bounds(const struct pl_quad *q, int width, int height)
{
    double x0 = q->p[0].x, x1 = x0, y0 = q->p[0].y, y1 = y0;
    for (int i = 1; i < 4; i++) {
        x0 = fmin(x0, q->p[i].x);
        x1 = fmax(x1, q->p[i].x);
        y0 = fmin(y0, q->p[i].y);
        y1 = fmax(y1, q->p[i].y);
    }
    /* a hair of slack: a corner that only rounding pushed over a pixel edge stays where it was */
    const double eps = 1e-6;
    return (struct pl_rect){
        (int)PL_CLAMP(floor(x0 + eps), 0, width), (int)PL_CLAMP(floor(y0 + eps), 0, height),
        (int)PL_CLAMP(ceil(x1 - eps), 0, width), (int)PL_CLAMP(ceil(y1 - eps), 0, height)};
}
