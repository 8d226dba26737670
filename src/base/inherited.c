/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/inherited.h"

#include <limits.h>

#include "base/system.h"

/* The least of them that is not below `from`; INT_MAX = there is none. */
static int next_kept(const int *kept, size_t n, int from)
{
    int next = INT_MAX;
    for (size_t i = 0; i < n; i++)
        if (kept[i] >= from && kept[i] < next)
            next = kept[i];
    return next;
}

void pl_close_all_but(const int *kept, size_t n)
{
    int from = 3, next;
    while ((next = next_kept(kept, n, from)) < INT_MAX) {
        pl_system_close_range(from, next);
        from = next + 1;
    }
    pl_system_close_range(from, INT_MAX);
}
