/* SPDX-License-Identifier: BSD-2-Clause */
/* A curve whose height is known everywhere. */
#ifndef TESTS_UNIT_PARABOLA_H
#define TESTS_UNIT_PARABOLA_H

#include "base/curve.h"

/* bend * (x - x0) * (x - x1) in columns x0..x1 */
static inline struct pl_curve parabola(double x0, double x1, double bend)
{
    struct pl_curve c = {.x0 = x0, .x1 = x1};
    for (int i = 0; i <= PL_CURVE_PIECES; i++) {
        double left = (x1 - x0) * i / PL_CURVE_PIECES, right = x1 - x0 - left;
        c.y[i] = -bend * left * right;
    }
    return c;
}

#endif
