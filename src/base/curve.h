/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows that are not straight, as those of a book that lies open. */
#ifndef PL_BASE_CURVE_H
#define PL_BASE_CURVE_H

#define PL_CURVE_PIECES 32

/* How far below a straight line a row lies, in px, at columns that part x0..x1 into equal pieces:
 * straight between them, and beyond the ends as in the piece there. x0 < x1. */
struct pl_curve {
    double x0, x1, y[PL_CURVE_PIECES + 1];
};

double pl_curve_at(const struct pl_curve *c, double x);
/* Gives the least and the greatest of slope * x + pl_curve_at(c, x) in columns x0..x1. Where c is
 * NULL the curve is 0. */
void pl_curve_range(const struct pl_curve *c, double slope, double x0, double x1, double *ret_least,
                    double *ret_most);
/* Returns the curve as it is on the picture, of that width, turned by a half. */
struct pl_curve pl_curve_turn_over(const struct pl_curve *c, double width);

#endif
