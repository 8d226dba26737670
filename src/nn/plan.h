/* SPDX-License-Identifier: BSD-2-Clause */
/* Places of values in one block of memory: values that are alive together do not overlap. */
#ifndef PL_NN_PLAN_H
#define PL_NN_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"

#define PL_PLAN_ALIGN 64

struct pl_place {
    uint32_t value, first, last; /* nodes that write it and that read it last */
    size_t bytes, offset;        /* offset: a multiple of PL_PLAN_ALIGN */
};

/* Sets every offset and returns the size of the block. The largest are placed first, each into the
 * lowest gap that is free for its lifetime (the greedy strategy of Pisarchyk and Lee,
 * arXiv:2001.03288). Sorts p[0..n), whose sizes together are far from overflow; work[0..n) is
 * scratch. Time grows with n squared. */
size_t pl_plan_places(struct pl_place *p, size_t n, const struct pl_place **work);

#endif
