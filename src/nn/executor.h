/* SPDX-License-Identifier: BSD-2-Clause */
/* What runs the sessions of a graph in the place of the operators' bodies, with the same bytes. */
#ifndef PL_NN_EXECUTOR_H
#define PL_NN_EXECUTOR_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct pl_session;

enum pl_executor_trust {
    PL_EXECUTOR_UNTRIED, /* the next run is done by both, and compared */
    PL_EXECUTOR_TRUSTED,
    PL_EXECUTOR_REFUSED, /* it gave other bytes */
};

/* Any thread may call it, each with a session of its own. */
struct pl_executor {
    /* Computes all nodes of a session (nn/session_parts.h) whose values have their places, and
     * writes its outputs. *own is what the executor keeps for this session, NULL before the first
     * run. False: it could not, and the bodies do it. */
    bool (*run)(struct pl_executor *e, struct pl_session *s, void **own);
    void (*forget)(struct pl_executor *e, void *own);
    size_t columns; /* of pictures beside each other that a call should have */
    atomic_int trust;
};

#endif
