/* What a run measures of itself in memory of a fixed size, however many pages there are. */
#ifndef PL_JOB_MEASURE_H
#define PL_JOB_MEASURE_H

#include <stddef.h>
#include <stdint.h>

/* Microseconds below 16 one by one; above, 16 steps for each doubling, up to 19 hours. */
#define PL_TIMES_STEPS 16
#define PL_TIMES_BUCKETS (PL_TIMES_STEPS * 33)

/* Times as a histogram; zeroed ones are empty. */
struct pl_times {
    uint64_t n;
    uint64_t count[PL_TIMES_BUCKETS];
};

void pl_times_add(struct pl_times *t, double ms);
void pl_times_merge(struct pl_times *t, const struct pl_times *more);
/* The time that a share `part` (0..1) of all does not exceed, in ms, within 3.2 %; 0 of none. */
double pl_times_rank(const struct pl_times *t, double part);

/* How long a queue is over time; zeroed, it is empty. The caller locks. */
struct pl_depth {
    size_t now, most;
    double area_s; /* the sum of length times seconds */
    double since_s;
};

/* Of pl_host_seconds(). */
void pl_depth_set(struct pl_depth *d, size_t now, double at_s);
/* The mean length over `wall_s` seconds. */
double pl_depth_mean(const struct pl_depth *d, double wall_s);

#endif
