/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/curve.h"

#include <assert.h>
#include <math.h>

#include "base/attr.h"

/* Returns the column of point i. */
static double column(const struct pl_curve *c, int i)
{
    return c->x0 + (c->x1 - c->x0) * i / PL_CURVE_PIECES;
}

int pl_curve_piece(const struct pl_curve *c, double x, double *ret_along)
{
    assert(c->x0 < c->x1);
    double t = (x - c->x0) / (c->x1 - c->x0) * PL_CURVE_PIECES;
    int i = (int)PL_CLAMP(floor(t), 0.0, PL_CURVE_PIECES - 1.0);
    *ret_along = t - i;
    return i;
}

double pl_curve_at(const struct pl_curve *c, double x)
{
    double along;
    int i = pl_curve_piece(c, x, &along);
    return c->y[i] + along * (c->y[i + 1] - c->y[i]);
}

void pl_curve_range(const struct pl_curve *c, double slope, double x0, double x1, double *ret_least,
                    double *ret_most)
{
    double a = slope * x0 + (c ? pl_curve_at(c, x0) : 0),
           b = slope * x1 + (c ? pl_curve_at(c, x1) : 0);
    *ret_least = fmin(a, b);
    *ret_most = fmax(a, b);
    for (int i = 0; c && i <= PL_CURVE_PIECES; i++) {
        double x = column(c, i), y = slope * x + c->y[i];
        if (x > x0 && x < x1) {
            *ret_least = fmin(*ret_least, y);
            *ret_most = fmax(*ret_most, y);
        }
    }
}

struct pl_curve pl_curve_turn_over(const struct pl_curve *c, double width)
{
    struct pl_curve ret = {.x0 = width - c->x1, .x1 = width - c->x0};
    for (int i = 0; i <= PL_CURVE_PIECES; i++)
        ret.y[i] = -c->y[PL_CURVE_PIECES - i];
    return ret;
}
