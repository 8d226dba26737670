/* SPDX-License-Identifier: BSD-2-Clause */
/* Counters and their Prometheus text. All of one thread. */
#ifndef PL_CLI_SERVE_METRICS_H
#define PL_CLI_SERVE_METRICS_H

#include <stdint.h>
#include <stdio.h>

#include "platen.h"

#define METRICS_BUCKETS 13 /* upper ends in seconds: see metrics.c */

struct histogram {
    uint64_t counts[METRICS_BUCKETS + 1]; /* the last one: above all */
    double sum_s;
};

struct metrics {
    uint64_t requests[600]; /* by status */
    uint64_t dropped;       /* the client left before its answer */
    uint64_t pages, lines;
    struct histogram stages[PLATEN_STAGES];
    struct histogram answers; /* from the end of a request to its answer */
};

/* What is so now. */
struct metrics_gauges {
    size_t waiting, reading, receiving, queue;
    uint64_t calls, call_lines; /* of the network that reads lines */
    int threads;
    const char *model;
};

/* A request that was answered with pages, so many seconds after it had come. */
void metrics_answer(struct metrics *m, const struct platen_answer *a, double seconds);
/* Opens what tells of memory, before a sandbox closes the way to it. */
void metrics_open(void);
/* Text format 0.0.4. */
void metrics_print(const struct metrics *m, const struct metrics_gauges *now, FILE *f);

#endif
