/* SPDX-License-Identifier: BSD-2-Clause */
/* Groups of rules that touch each other, level ones and upright ones in turn. */
#include "layout/ruling.h"

#include <stdlib.h>

#include "detect/ink/sort.h"

static bool touch(struct pl_rect a, struct pl_rect b, double slack)
{
    return a.x0 - slack < b.x1 && b.x0 - slack < a.x1 && a.y0 - slack < b.y1 && b.y0 - slack < a.y1;
}

static uint32_t group_of(const struct pl_ruling *r, uint32_t i)
{
    while (r->group[i] != i)
        i = r->group[i] = r->group[r->group[i]];
    return i;
}

void pl_ruling_group(const struct pl_ruling *r)
{
    const struct pl_rule *v = r->regions->rules;
    const uint32_t n = (uint32_t)r->regions->n_rules;
    for (uint32_t i = 0; i < n; i++)
        r->group[i] = i;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = i + 1; j < n; j++) {
            if (v[i].upright == v[j].upright || !touch(v[i].box, v[j].box, r->slack_px))
                continue;
            const uint32_t a = group_of(r, i), b = group_of(r, j);
            r->group[PL_MAX(a, b)] = PL_MIN(a, b);
        }
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t g = group_of(r, i);
        r->box[g] = g == i ? v[i].box : pl_rect_union(r->box[g], v[i].box);
    }
}

static int by_start(const void *a, const void *b)
{
    const struct pl_rule *x = *(const struct pl_rule *const *)a,
                         *y = *(const struct pl_rule *const *)b;
    const int order = (pl_rule_start(x) > pl_rule_start(y)) - (pl_rule_start(x) < pl_rule_start(y));
    return order ? order : (x > y) - (x < y);
}

void pl_ruling_take(struct pl_ruling *r, uint32_t group)
{
    r->n_own = 0;
    for (uint32_t i = 0; i < r->regions->n_rules; i++)
        if (group_of(r, i) == group)
            r->own[r->n_own++] = &r->regions->rules[i];
    qsort(r->own, r->n_own, sizeof(*r->own), by_start);
}

uint32_t *pl_ruling_sort(const struct pl_ruling *r, size_t *ret_n)
{
    const uint32_t n = (uint32_t)r->regions->n_rules;
    uint32_t *groups = PL_NEW(r->arena, uint32_t, n);
    double *key = PL_NEW(r->arena, double, n);
    *ret_n = 0;
    if (!groups || !key)
        return NULL;
    for (uint32_t i = 0; i < n; i++) {
        key[i] = -(double)pl_rect_width(r->box[i]) * pl_rect_height(r->box[i]);
        if (group_of(r, i) == i)
            groups[(*ret_n)++] = i;
    }
    pl_sort_by_key(groups, *ret_n, key);
    return groups;
}
