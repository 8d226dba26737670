/* SPDX-License-Identifier: BSD-2-Clause */
/* What the programs here measure with, and how they put figures in order. */
#ifndef BENCH_FIGURES_H
#define BENCH_FIGURES_H

#include <stdlib.h>
#include <time.h>

/* Processor seconds of this thread. */
static inline double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static inline int compare_figures(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline void sort_figures(double *v, int n)
{
    qsort(v, (size_t)n, sizeof(*v), compare_figures);
}

#endif
