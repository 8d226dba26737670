/* SPDX-License-Identifier: BSD-2-Clause */
/* What nodes make of their constant weights in other layouts: once for all sessions of a graph, by
 * whichever thread comes first, and as long as the graph. */
#ifndef PL_NN_PREPARED_H
#define PL_NN_PREPARED_H

#include <stddef.h>

#include "base/status.h"

/* All of one graph; its own memory, which no session counts. */
struct pl_prepared;
struct pl_ir_node;

/* Fills a block from the weights that `ctx` tells of. */
typedef void pl_prepare_fn(void *block, const void *ctx);

/* Makes it with nothing in it. PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_prepared_new(struct pl_prepared **ret, struct platen_error *err);
/* Frees all blocks: no session of the graph runs any more. NULL is fine. */
void pl_prepared_free(struct pl_prepared *p);
/* Returns the block of so many bytes that was filled for this node and these weights, or fills it
 * now. It lies at a multiple of 64, and nobody may write to it. Nodes are told apart by their
 * operator, too, since a pass may put another node in a node's place. NULL where memory is short or
 * the graph keeps enough. Any thread may call it; one that fills makes the others wait. */
PL_MUST_USE const void *pl_prepared_get(struct pl_prepared *p, const struct pl_ir_node *n,
                                        const void *weights, size_t bytes, pl_prepare_fn *fill,
                                        const void *ctx);

#endif
