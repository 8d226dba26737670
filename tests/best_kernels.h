/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernels of this machine, for tests that run networks. */
#ifndef TESTS_BEST_KERNELS_H
#define TESTS_BEST_KERNELS_H

#include "simd/kernels.h"

static inline const struct pl_kernels *best_kernels(void)
{
    static struct pl_kernels k;
    if (!k.sgemm)
        pl_kernels_init(&k, pl_isa_best());
    return &k;
}

#endif
