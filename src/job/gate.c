/* SPDX-License-Identifier: BSD-2-Clause */
#include "job/gate.h"

#include <assert.h>

#include "base/attr.h"
#include "files/inputs.h"
#include "host/host.h"

/* Whatever the budget is. */
#define LEAST_INPUT_BYTES ((uint64_t)16 << 20)

uint64_t pl_gate_input_bytes(const struct pl_gate *g)
{
    return PL_CLAMP(g->budget_bytes, LEAST_INPUT_BYTES, PL_MAX_INPUT_BYTES);
}

void pl_gate_init(struct pl_gate *g, uint64_t budget_bytes)
{
    *g = (struct pl_gate){.budget_bytes = budget_bytes};
    pthread_mutex_init(&g->lock, NULL);
    pthread_cond_init(&g->moved, NULL);
}

void pl_gate_done(struct pl_gate *g)
{
    pthread_cond_destroy(&g->moved);
    pthread_mutex_destroy(&g->lock);
}

static bool fits(const struct pl_gate *g, uint64_t bytes)
{
    return !g->inside ||
           (g->used_bytes <= g->budget_bytes && bytes <= g->budget_bytes - g->used_bytes);
}

static void use(struct pl_gate *g, uint64_t bytes)
{
    g->used_bytes += bytes;
    g->most_bytes = PL_MAX(g->most_bytes, g->used_bytes);
}

/* Lets in the page whose turn it is. */
static void let_in(struct pl_gate *g, uint64_t bytes)
{
    assert(fits(g, bytes));
    g->serving++;
    use(g, bytes);
    g->inside++;
    g->most_inside = PL_MAX(g->most_inside, g->inside);
}

void pl_gate_enter(struct pl_gate *g, uint64_t bytes)
{
    pthread_mutex_lock(&g->lock);
    uint64_t ticket = g->next_ticket++;
    if (ticket != g->serving || !fits(g, bytes)) {
        g->delayed++;
        pl_depth_set(&g->waiting, g->waiting.now + 1, pl_host_seconds());
        while (ticket != g->serving || !fits(g, bytes))
            pthread_cond_wait(&g->moved, &g->lock);
        pl_depth_set(&g->waiting, g->waiting.now - 1, pl_host_seconds());
    }
    let_in(g, bytes);
    pthread_cond_broadcast(&g->moved);
    pthread_mutex_unlock(&g->lock);
}

bool pl_gate_try(struct pl_gate *g, uint64_t bytes)
{
    pthread_mutex_lock(&g->lock);
    bool now = g->next_ticket == g->serving && fits(g, bytes);
    if (now) {
        g->next_ticket++;
        let_in(g, bytes);
    }
    pthread_mutex_unlock(&g->lock);
    return now;
}

void pl_gate_grow(struct pl_gate *g, uint64_t bytes, bool wait)
{
    pthread_mutex_lock(&g->lock);
    g->growing++;
    pthread_cond_broadcast(&g->moved); /* it may be the last of those inside */
    while (wait && g->growing < g->inside && g->used_bytes + bytes > g->budget_bytes)
        pthread_cond_wait(&g->moved, &g->lock);
    g->growing--;
    use(g, bytes);
    pthread_mutex_unlock(&g->lock);
}

void pl_gate_give(struct pl_gate *g, uint64_t bytes)
{
    pthread_mutex_lock(&g->lock);
    assert(g->inside && g->used_bytes >= bytes);
    g->used_bytes -= bytes;
    pthread_cond_broadcast(&g->moved);
    pthread_mutex_unlock(&g->lock);
}

void pl_gate_leave(struct pl_gate *g, uint64_t bytes)
{
    pthread_mutex_lock(&g->lock);
    assert(g->inside && g->used_bytes >= bytes);
    g->used_bytes -= bytes;
    g->inside--;
    pthread_cond_broadcast(&g->moved);
    pthread_mutex_unlock(&g->lock);
}
