/* SPDX-License-Identifier: BSD-2-Clause */
/* What a run measures of itself in memory of a fixed size, however many pages there are. */
#ifndef PL_JOB_MEASURE_H
#define PL_JOB_MEASURE_H

#include <stddef.h>
#include <stdint.h>

/* Buckets of a histogram: microseconds below 16 one by one; above, 16 steps for each doubling, up
 * to 19 hours. */
#define PL_TIMES_STEPS 16
#define PL_TIMES_BUCKETS (PL_TIMES_STEPS * 33)

/* Times as a histogram; zeroed ones are empty. */
struct pl_times {
    uint64_t n;
    uint64_t count[PL_TIMES_BUCKETS];
};

void pl_times_add(struct pl_times *t, double ms);
void pl_times_merge(struct pl_times *t, const struct pl_times *more);
/* Returns the time in ms that a share `part` (0..1) of all times does not exceed, within 3.2 %; 0
 * where there are none. */
double pl_times_rank(const struct pl_times *t, double part);

/* The length of a queue over time; a zeroed one is empty. The caller locks. */
struct pl_depth {
    size_t now, most;
    double area_s; /* the sum of length times seconds */
    double since_s;
};

/* The queue has length `now` from `at_s` on, in seconds of pl_host_seconds(). */
void pl_depth_set(struct pl_depth *d, size_t now, double at_s);
/* Returns the mean length over `wall_s` seconds. */
double pl_depth_mean(const struct pl_depth *d, double wall_s);

#endif
