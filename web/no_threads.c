/* SPDX-License-Identifier: BSD-2-Clause */
/* base/pool.h where there is one thread: the caller does all the work. */
#include "base/pool.h"

int pl_pool_workers(const struct pl_pool *p PL_UNUSED)
{
    return 1;
}

void pl_pool_for(struct pl_pool *p PL_UNUSED, size_t n, pl_pool_fn *fn, void *ctx)
{
    for (size_t i = 0; i < n; i++)
        fn(ctx, 0, i);
}
