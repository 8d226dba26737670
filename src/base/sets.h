/* SPDX-License-Identifier: BSD-2-Clause */
/* Sets of numbers that are joined step by step (union-find). parent[i] is a number of the set of i,
 * and i itself where it names the set, as at the beginning all do. */
#ifndef PL_BASE_SETS_H
#define PL_BASE_SETS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"

/* Returns the number that names the set of i, and shortens the way there. */
static inline uint32_t pl_set_root(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

/* Joins the sets of two numbers; returns whether they were two. The smaller name stays, so that no
 * parent is larger than its child. */
static inline bool pl_sets_join(uint32_t *parent, uint32_t a, uint32_t b)
{
    a = pl_set_root(parent, a);
    b = pl_set_root(parent, b);
    parent[PL_MAX(a, b)] = PL_MIN(a, b);
    return a != b;
}

#endif
