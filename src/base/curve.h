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
/* Returns the number of the piece that tells column x, and in *ret_along how far along it the
 * column lies: 0 at its first point, 1 at the next, and beyond these only outside x0..x1. */
int pl_curve_piece(const struct pl_curve *c, double x, double *ret_along);
/* Gives the least and the greatest of slope * x + pl_curve_at(c, x) in columns x0..x1. Where c is
 * NULL the curve is 0. */
void pl_curve_range(const struct pl_curve *c, double slope, double x0, double x1, double *ret_least,
                    double *ret_most);
/* Returns the curve as it is once the picture, which has that width, is turned by a half. */
struct pl_curve pl_curve_turn_over(const struct pl_curve *c, double width);

#endif
