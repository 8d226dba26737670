/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/turns.h"

#include <assert.h>
#include <stdlib.h>

#define MIN_NS 100 /* a clock may stand still for so long */

static double now_ns(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static platen_status time_turn(const struct pl_turns *t, pl_turn_fn *fn, void *ctx, size_t way,
                               size_t repeats, double *ret_ns, struct platen_error *err)
{
    platen_status s = PLATEN_OK;
    const double start = now_ns(t->clock);
    for (size_t i = 0; !s && i < repeats; i++)
        s = fn(ctx, way, err);
    *ret_ns = (now_ns(t->clock) - start) / (double)repeats;
    return s;
}

platen_status pl_turns_run(struct pl_turns *t, pl_turn_fn *fn, void *ctx, struct platen_error *err)
{
    size_t repeats[PL_TURNS_MOST_WAYS];
    double once = 0;
    platen_status s = PLATEN_OK;
    assert(t->ways && t->ways <= PL_TURNS_MOST_WAYS && t->rounds > 0 &&
           t->rounds <= PL_TURNS_MOST_ROUNDS);
    for (size_t way = 0; !s && way < t->ways; way++) {
        s = time_turn(t, fn, ctx, way, 1, &once, err);
        s = s ? s : time_turn(t, fn, ctx, way, 1, &once, err);
        repeats[way] =
            once < t->least_ns ? (size_t)(t->least_ns / (once > MIN_NS ? once : MIN_NS)) + 1 : 1;
    }
    for (int round = 0; !s && round < t->rounds; round++)
        for (size_t way = 0; !s && way < t->ways; way++)
            s = time_turn(t, fn, ctx, way, repeats[way], &t->ns[way][round], err);
    return s;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *v, int n)
{
    qsort(v, (size_t)n, sizeof(*v), by_value);
    return v[n / 2];
}

double pl_turns_ns(const struct pl_turns *t, size_t way)
{
    double v[PL_TURNS_MOST_ROUNDS];
    assert(way < t->ways);
    for (int i = 0; i < t->rounds; i++)
        v[i] = t->ns[way][i];
    return median(v, t->rounds);
}

double pl_turns_speedup(const struct pl_turns *t, size_t base, size_t way)
{
    double v[PL_TURNS_MOST_ROUNDS];
    assert(base < t->ways && way < t->ways);
    for (int i = 0; i < t->rounds; i++)
        v[i] = t->ns[base][i] / t->ns[way][i];
    return median(v, t->rounds);
}
