/* SPDX-License-Identifier: BSD-2-Clause */
#include "nn/prepared.h"

#include <pthread.h>
#include <stdalign.h>
#include <stdint.h>

#include "base/mem.h"
#include "nn/ir.h"

/* All of a small network's: two layers of LSTM with 256 cells in two directions take 9 MB
 * (bench/runs/2026-11-28-engine-table.md). */
#define MAX_BYTES ((size_t)16 << 20)

struct prepared_block {
    struct prepared_block *next;
    const struct pl_ir_node *node;
    const struct pl_op *op;
    const void *weights;
    size_t bytes;
    alignas(64) uint8_t data[];
};

struct pl_prepared {
    pthread_mutex_t lock; /* of all that follows */
    struct prepared_block *first;
    size_t left; /* bytes that blocks may still take */
};

platen_status pl_prepared_new(struct pl_prepared **ret, struct platen_error *err)
{
    struct pl_prepared *p = pl_alloc(1, sizeof(*p));
    if (!p)
        return pl_fail_nomem(err, sizeof(*p), "weights of a network");
    *p = (struct pl_prepared){.left = MAX_BYTES};
    pthread_mutex_init(&p->lock, NULL);
    *ret = p;
    return PLATEN_OK;
}

void pl_prepared_free(struct pl_prepared *p)
{
    if (!p)
        return;
    for (struct prepared_block *b = p->first, *next; b; b = next) {
        next = b->next;
        pl_free(b);
    }
    pthread_mutex_destroy(&p->lock);
    pl_free(p);
}

static struct prepared_block *find_block(const struct pl_prepared *p, const struct pl_ir_node *n,
                                         const void *weights, size_t bytes)
{
    struct prepared_block *b = p->first;
    while (b && (b->node != n || b->op != n->op || b->weights != weights || b->bytes != bytes))
        b = b->next;
    return b;
}

/* Adds a block with any content; NULL where it cannot. */
static struct prepared_block *add_block(struct pl_prepared *p, const struct pl_ir_node *n,
                                        const void *weights, size_t bytes)
{
    struct prepared_block *b =
        bytes && bytes <= p->left ? pl_alloc_aligned(sizeof(*b) + bytes) : NULL;
    if (!b)
        return NULL;
    *b = (struct prepared_block){
        .next = p->first, .node = n, .op = n->op, .weights = weights, .bytes = bytes};
    p->first = b;
    p->left -= bytes;
    return b;
}

const void *pl_prepared_get(struct pl_prepared *p, const struct pl_ir_node *n, const void *weights,
                            size_t bytes, pl_prepare_fn *fill, const void *ctx)
{
    pthread_mutex_lock(&p->lock);
    struct prepared_block *b = find_block(p, n, weights, bytes);
    if (!b) {
        b = add_block(p, n, weights, bytes);
        if (b)
            fill(b->data, ctx);
    }
    pthread_mutex_unlock(&p->lock);
    return b ? b->data : NULL;
}
