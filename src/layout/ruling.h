/* SPDX-License-Identifier: BSD-2-Clause */
/* The rules of a page while tables are made of them, and which of them touch each other. */
#ifndef PL_LAYOUT_RULING_H
#define PL_LAYOUT_RULING_H

#include "base/arena.h"
#include "page/result.h"

/* The rules of a page while tables are made of them. */
struct pl_ruling {
    struct pl_arena *arena;
    struct pl_regions *regions;
    double slack_px;            /* by which rules that meet may miss each other */
    uint32_t *group;            /* of each rule: the first rule of those that touch each other */
    struct pl_rect *box;        /* of a group, at its first rule */
    const struct pl_rule **own; /* scratch: the rules of the group that is looked at */
    size_t n_own;
};

/* Where a rule lies across its direction, and where it begins and ends along it. */
static inline double pl_rule_middle(const struct pl_rule *r)
{
    return r->upright ? 0.5 * (r->box.x0 + r->box.x1) : 0.5 * (r->box.y0 + r->box.y1);
}

static inline double pl_rule_start(const struct pl_rule *r)
{
    return r->upright ? r->box.y0 : r->box.x0;
}

static inline double pl_rule_end(const struct pl_rule *r)
{
    return r->upright ? r->box.y1 : r->box.x1;
}

/* Fills r->group and r->box, which have room for all rules of the page. */
void pl_ruling_group(const struct pl_ruling *r);
/* Returns the groups of rules, the largest first; NULL when memory is short. */
uint32_t *pl_ruling_sort(const struct pl_ruling *r, size_t *ret_n);
/* Puts the rules of a group into r->own, by where they start. */
void pl_ruling_take(struct pl_ruling *r, uint32_t group);

#endif
