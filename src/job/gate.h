/* How many pages may be in memory at once: as many as fit, by what their headers promise. */
#ifndef PL_JOB_GATE_H
#define PL_JOB_GATE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "job/measure.h"

struct pl_gate {
    uint64_t budget_bytes; /* of all pages inside */
    pthread_mutex_t lock;
    pthread_cond_t moved;
    uint64_t next_ticket, serving; /* whoever came first goes in first */
    uint64_t used_bytes;
    uint64_t most_bytes;        /* used at once */
    size_t inside, most_inside; /* pages: now, and at most */
    size_t growing;             /* of those inside: they wait for more */
    size_t delayed;             /* pages that did not fit at once */
    struct pl_depth waiting;
};

void pl_gate_init(struct pl_gate *g, uint64_t budget_bytes);
void pl_gate_done(struct pl_gate *g);
/* Waits until `bytes` more fit; a page that is larger than the budget goes in alone. */
void pl_gate_enter(struct pl_gate *g, uint64_t bytes);
/* The same, if that takes no waiting. */
bool pl_gate_try(struct pl_gate *g, uint64_t bytes);
/* `bytes` more for a page that is inside. With `wait` not before they fit, or all pages inside wait
 * for more, so that none of them can leave: then one after the other may go beyond the budget. Only
 * who holds no other page may wait. */
void pl_gate_grow(struct pl_gate *g, uint64_t bytes, bool wait);
/* What is inside needs so many bytes less than it said. */
void pl_gate_give(struct pl_gate *g, uint64_t bytes);
void pl_gate_leave(struct pl_gate *g, uint64_t bytes);

#endif
