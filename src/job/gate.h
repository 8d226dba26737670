/* SPDX-License-Identifier: BSD-2-Clause */
/* The gate lets as many pages into memory at once as fit, by what their headers promise. */
#ifndef PL_JOB_GATE_H
#define PL_JOB_GATE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "job/measure.h"

struct pl_gate {
    uint64_t budget_bytes; /* that all pages inside may take */
    pthread_mutex_t lock;
    pthread_cond_t moved;
    uint64_t next_ticket, serving; /* whoever came first goes in first */
    uint64_t used_bytes;
    uint64_t most_bytes;        /* most that was taken at once */
    size_t inside, most_inside; /* pages: now, and at most */
    size_t growing;             /* of those inside: they wait for more */
    size_t delayed;             /* pages that did not fit at once */
    struct pl_depth waiting;
};

/* Bytes of a pipe or of standard input that may be read: what the budget has, within limits. */
uint64_t pl_gate_input_bytes(const struct pl_gate *g);
void pl_gate_init(struct pl_gate *g, uint64_t budget_bytes);
void pl_gate_done(struct pl_gate *g);
/* Waits until `bytes` more fit; a page that is larger than the budget goes in alone. */
void pl_gate_enter(struct pl_gate *g, uint64_t bytes);
/* Enters if that takes no waiting, and returns whether it did. */
bool pl_gate_try(struct pl_gate *g, uint64_t bytes);
/* Takes `bytes` more for a page that is inside. With `wait` it waits until they fit, or until all
 * pages inside wait for more, so that none of them can leave: then one after the other may go
 * beyond the budget. Only a worker that holds no other page may wait. */
void pl_gate_grow(struct pl_gate *g, uint64_t bytes, bool wait);
/* Gives back `bytes` of a page that stays inside: it needs less than it took. */
void pl_gate_give(struct pl_gate *g, uint64_t bytes);
void pl_gate_leave(struct pl_gate *g, uint64_t bytes);

#endif
