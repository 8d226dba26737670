/* SPDX-License-Identifier: BSD-2-Clause */
#include "job/clock.h"

#include <assert.h>

static double seconds_since(const struct timespec *mark, const struct timespec *now)
{
    return (double)(now->tv_sec - mark->tv_sec) + (double)(now->tv_nsec - mark->tv_nsec) * 1e-9;
}

/* Processor time of this worker, and of others that helped it. */
static double cpu_s(const struct pl_clock *c)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9 + pl_pool_helped_s(c->seat);
}

void pl_clock_start(struct pl_clock *c, struct pl_spans *spans, enum platen_stage stage)
{
    assert(stage < PLATEN_STAGES);
    c->spans = spans;
    c->stage = stage;
    clock_gettime(CLOCK_MONOTONIC, &c->wall_mark);
    c->cpu_mark_s = cpu_s(c);
}

void pl_clock_enter(struct pl_clock *c, enum platen_stage next)
{
    assert(c->spans && c->stage < PLATEN_STAGES && next < PLATEN_STAGES);
    struct timespec wall;
    double cpu = cpu_s(c);
    clock_gettime(CLOCK_MONOTONIC, &wall);
    double ms = seconds_since(&c->wall_mark, &wall) * 1e3;
    c->spans->part[c->stage] += ms;
    c->spans->all[c->stage] += ms;
    c->core_s[c->stage] += cpu - c->cpu_mark_s;
    c->stage = next;
    c->wall_mark = wall;
    c->cpu_mark_s = cpu;
}

void pl_clock_stop(struct pl_clock *c)
{
    pl_clock_enter(c, c->stage);
}

void pl_clock_page(struct pl_clock *c, const struct pl_spans *spans)
{
    double sum = 0;
    for (int i = 0; i < PLATEN_STAGES; i++) {
        sum += spans->all[i];
        if (spans->all[i] > 0)
            pl_times_add(&c->times[i], spans->all[i]);
    }
    pl_times_add(&c->page_times, sum);
}
