/* SPDX-License-Identifier: BSD-2-Clause */
/* Stops and commas in amounts, which are a pixel or two apart: the other amounts of the page say
 * which one it is. */
#ifndef PL_RECOGNIZE_AMOUNTS_H
#define PL_RECOGNIZE_AMOUNTS_H

#include "base/arena.h"
#include "base/status.h"
#include "page/result.h"

/* Writes the amounts of a page alike. An amount is the only number of its word; a stop or a comma
 * and two figures end it, and others may stand before groups of three (69,46; 1.234,56; 1,234.56);
 * none stands behind it, as behind dates without a year (28.05.). It has a decimal comma, and stops
 * between its groups, or the other way round. How sure the network was of its marks tells how
 * likely each of the two is, and the share of the page's amounts that have a decimal comma is
 * estimated from all of them together: so an unsure mark follows the page, and a sure one stays
 * (the adjustment to new priors by expectation maximization of Saerens, Latinne and Decaestecker,
 * Neural Computation 14, 2002). Confidences stay. New texts lie in `arena`. PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_amounts_settle(struct pl_arena *arena, struct pl_regions *regions,
                                            struct platen_error *err);

#endif
