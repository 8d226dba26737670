/* SPDX-License-Identifier: BSD-2-Clause */
#include "job/measure.h"

#include <math.h>

#include "base/attr.h"

#define LOG2_STEPS 4

_Static_assert(PL_TIMES_STEPS == 1 << LOG2_STEPS, "");

static size_t bucket_of(double ms)
{
    uint64_t us = ms > 0 ? (uint64_t)fmin(ms * 1e3, 1e15) : 0;
    if (us < PL_TIMES_STEPS)
        return us;
    unsigned octave = 63 - (unsigned)__builtin_clzll(us) - LOG2_STEPS;
    size_t i = (octave + 1) * PL_TIMES_STEPS + (us >> octave & (PL_TIMES_STEPS - 1));
    return PL_MIN(i, (size_t)PL_TIMES_BUCKETS - 1);
}

static double start_us(size_t bucket)
{
    if (bucket < PL_TIMES_STEPS)
        return (double)bucket;
    size_t octave = bucket / PL_TIMES_STEPS - 1, step = bucket % PL_TIMES_STEPS;
    return (double)((uint64_t)(PL_TIMES_STEPS + step) << octave);
}

void pl_times_add(struct pl_times *t, double ms)
{
    t->n++;
    t->count[bucket_of(ms)]++;
}

void pl_times_merge(struct pl_times *t, const struct pl_times *more)
{
    t->n += more->n;
    for (size_t i = 0; i < PL_TIMES_BUCKETS; i++)
        t->count[i] += more->count[i];
}

double pl_times_rank(const struct pl_times *t, double part)
{
    if (!t->n)
        return 0;
    uint64_t rank = (uint64_t)fmax(ceil(part * (double)t->n), 1), seen = 0;
    size_t i = 0;
    while (i < PL_TIMES_BUCKETS - 1 && (seen += t->count[i]) < rank)
        i++;
    return (start_us(i) + start_us(i + 1)) * 0.5e-3;
}

void pl_depth_set(struct pl_depth *d, size_t now, double at_s)
{
    d->area_s += (double)d->now * (at_s - d->since_s);
    d->since_s = at_s;
    d->now = now;
    d->most = PL_MAX(d->most, now);
}

double pl_depth_mean(const struct pl_depth *d, double wall_s)
{
    return wall_s > 0 ? d->area_s / wall_s : 0;
}
