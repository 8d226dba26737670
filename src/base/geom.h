/* SPDX-License-Identifier: BSD-2-Clause */
/* Points, rectangles, quads and plane affine maps. Pixel (x, y) covers [x, x+1) x [y, y+1); the
 * origin is the top left corner, y grows downward. */
#ifndef PL_BASE_GEOM_H
#define PL_BASE_GEOM_H

#include <stdbool.h>

struct pl_point {
    double x, y;
};

/* Half open: columns x0..x1-1, rows y0..y1-1. Empty when x1 <= x0 or y1 <= y0. */
struct pl_rect {
    int x0, y0, x1, y1;
};

/* Corners clockwise on the screen from the top left of the text. */
struct pl_quad {
    struct pl_point p[4];
};

/* (x, y) -> (a x + b y + c, d x + e y + f) */
struct pl_affine {
    double a, b, c, d, e, f;
};

#define PL_AFFINE_IDENTITY ((struct pl_affine){1, 0, 0, 0, 1, 0})

struct pl_point pl_affine_apply(const struct pl_affine *m, double x, double y);
/* The map that first applies `first`, then `then`. */
struct pl_affine pl_affine_chain(const struct pl_affine *first, const struct pl_affine *then);
/* The map back; m takes no two points to one. */
struct pl_affine pl_affine_inverse(const struct pl_affine *m);

int pl_rect_width(struct pl_rect r);
int pl_rect_height(struct pl_rect r);
bool pl_rect_empty(struct pl_rect r);
struct pl_rect pl_rect_union(struct pl_rect a, struct pl_rect b);
struct pl_rect pl_rect_intersect(struct pl_rect a, struct pl_rect b);

/* The corners of r under m, in the quad's order. */
struct pl_quad pl_quad_of_rect(struct pl_rect r, const struct pl_affine *m);
/* Smallest rectangle of whole pixels around q, clipped to width x height. */
struct pl_rect pl_quad_bounds(const struct pl_quad *q, int width, int height);

#endif
