/* SPDX-License-Identifier: BSD-2-Clause */
#include "codec/pdf/pdf_path.h"

/* How far a corner of a picture may stand out of a clip that leaves all of it, of the clip's size:
 * both are written with some digits only. */
#define MAX_OUT 0.01
#define CURVE_LINES 8 /* that stand for a curve */

const struct pdf_path pl_pdf_no_path = {.box = {INFINITY, INFINITY, -INFINITY, -INFINITY}};

/* Returns twice the area of a triangle, above 0 where it runs counterclockwise. */
static double turn(struct pl_point a, struct pl_point b, struct pl_point c)
{
    return (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
}

static void add_point(struct pdf_path *p, struct pl_point to)
{
    p->box = pdf_box_unite(p->box, (struct pdf_box){to.x, to.y, to.x, to.y});
    if (p->n_points < 4)
        p->corner[p->n_points] = to;
    if (p->n_points)
        p->area += turn(p->corner[0], p->at, to) / 2;
    const bool closes = p->n_points == 4 && to.x == p->corner[0].x && to.y == p->corner[0].y;
    p->n_points += p->n_points < 5 && !closes;
    p->at = to;
}

void pl_pdf_path_begin(struct pdf_path *p, const struct pl_affine *to_page, const double v[2])
{
    p->n_parts += p->area != 0;
    p->area = 0;
    p->n_points = 0;
    pl_pdf_path_line(p, to_page, v);
}

void pl_pdf_path_line(struct pdf_path *p, const struct pl_affine *to_page, const double v[2])
{
    add_point(p, pl_affine_apply(to_page, v[0], v[1]));
}

void pl_pdf_path_curve(struct pdf_path *p, const struct pl_affine *to_page, const double v[4],
                       const double end[2])
{
    const struct pl_point a = p->at, b = pl_affine_apply(to_page, v[0], v[1]),
                          c = pl_affine_apply(to_page, v[2], v[3]),
                          d = pl_affine_apply(to_page, end[0], end[1]);
    for (int i = 1; i <= CURVE_LINES; i++) {
        const double t = (double)i / CURVE_LINES, u = 1 - t, of_a = u * u * u, of_b = 3 * u * u * t,
                     of_c = 3 * u * t * t, of_d = t * t * t;
        add_point(p, (struct pl_point){of_a * a.x + of_b * b.x + of_c * c.x + of_d * d.x,
                                       of_a * a.y + of_b * b.y + of_c * c.y + of_d * d.y});
    }
}

void pl_pdf_path_rectangle(struct pdf_path *p, const struct pl_affine *to_page, struct pdf_box b)
{
    pl_pdf_path_begin(p, to_page, (const double[]){b.x0, b.y0});
    pl_pdf_path_line(p, to_page, (const double[]){b.x1, b.y0});
    pl_pdf_path_line(p, to_page, (const double[]){b.x1, b.y1});
    pl_pdf_path_line(p, to_page, (const double[]){b.x0, b.y1});
}

void pl_pdf_clip_to_path(struct pdf_clip *c, const struct pdf_path *p)
{
    if (p->box.x0 > p->box.x1)
        return;
    c->box = pdf_box_intersect(c->box, p->box);
    if (!p->n_parts && fabs(p->area) >= PL_PDF_MIN_SHOWN * pdf_box_area(p->box))
        return;
    c->shaped = c->shaped || c->has_corners || p->n_parts || p->n_points != 4;
    c->has_corners = true;
    for (int i = 0; i < 4; i++)
        c->corner[i] = p->corner[p->area > 0 ? i : 3 - i];
}

bool pl_pdf_clip_leaves(const struct pdf_clip *c, const struct pl_affine *to_page)
{
    for (int i = 0; i < 4 && c->has_corners; i++) {
        const struct pl_point from = c->corner[i], to = c->corner[(i + 1) % 4];
        const double length = hypot(to.x - from.x, to.y - from.y);
        for (int k = 0; k < 4; k++)
            if (turn(from, to, pl_affine_apply(to_page, k & 1, k >> 1)) <
                -MAX_OUT * length * sqrt(pdf_box_area(c->box)))
                return false;
    }
    return !c->shaped;
}
