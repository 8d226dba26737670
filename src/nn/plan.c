/* SPDX-License-Identifier: BSD-2-Clause */
#include "nn/plan.h"

#include <assert.h>
#include <stdlib.h>

static int larger_first(const void *a, const void *b)
{
    const struct pl_place *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? 1 : -1;
    return x->first < y->first ? -1 : x->first > y->first;
}

/* Returns the lowest place for p beside placed[0..n), which are in the order of their offsets. */
static size_t lowest_gap(const struct pl_place *p, const struct pl_place *const *placed, size_t n)
{
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        const struct pl_place *q = placed[i];
        if (q->last < p->first || p->last < q->first)
            continue;
        if (q->offset >= at + p->bytes)
            break;
        at = PL_MAX(at, (q->offset + q->bytes + PL_PLAN_ALIGN - 1) & ~(size_t)(PL_PLAN_ALIGN - 1));
    }
    return at;
}

size_t pl_plan_places(struct pl_place *p, size_t n, const struct pl_place **work)
{
    size_t total = 0;
    qsort(p, n, sizeof(*p), larger_first);
    for (size_t i = 0; i < n; i++) {
        size_t k = i;
        assert(p[i].first <= p[i].last);
        p[i].offset = lowest_gap(&p[i], work, i);
        for (; k && work[k - 1]->offset > p[i].offset; k--)
            work[k] = work[k - 1];
        work[k] = &p[i];
        total = PL_MAX(total, p[i].offset + p[i].bytes);
    }
    return total;
}
