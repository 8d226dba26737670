/* SPDX-License-Identifier: BSD-2-Clause */
/* Ways of doing the same, timed in turns: what slows the machine slows all of them. */
#ifndef PL_BASE_TURNS_H
#define PL_BASE_TURNS_H

#include <stddef.h>
#include <time.h>

#include "base/status.h"

#define PL_TURNS_MOST_WAYS 20
#define PL_TURNS_MOST_ROUNDS 15

struct pl_turns {
    size_t ways;     /* 1..PL_TURNS_MOST_WAYS */
    int rounds;      /* 1..PL_TURNS_MOST_ROUNDS: each way has one turn in each */
    clockid_t clock; /* that measures */
    double least_ns; /* a way that takes less is repeated within its turn until that is over */
    double ns[PL_TURNS_MOST_WAYS][PL_TURNS_MOST_ROUNDS]; /* results: of doing it once */
};

typedef platen_status pl_turn_fn(void *ctx, size_t way, struct platen_error *err);

/* Calls fn for each way twice, which fills caches and tells how often to repeat it, and then round
 * by round. The first error ends it. */
PL_MUST_USE platen_status pl_turns_run(struct pl_turns *t, pl_turn_fn *fn, void *ctx,
                                       struct platen_error *err);
/* The median of the rounds. */
double pl_turns_ns(const struct pl_turns *t, size_t way);
/* The median of the ratios within the rounds: how many times as long `base` takes. */
double pl_turns_speedup(const struct pl_turns *t, size_t base, size_t way);

#endif
