/* SPDX-License-Identifier: BSD-2-Clause */
/* A pool of big buffers (pixels, activations). Buffers are aligned to 64 bytes, have sizes of
 * powers of two and are used again; those that the present pages do not need go back to the system.
 * The pool is thread-safe. */
#ifndef PL_BASE_BUFPOOL_H
#define PL_BASE_BUFPOOL_H

#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"

struct pl_bufpool;

struct pl_bufpool_stats {
    uint64_t gets, hits;           /* a hit was served without a new allocation */
    size_t live_bytes, peak_bytes; /* handed out plus kept, by class size */
};

PL_MUST_USE struct pl_bufpool *pl_bufpool_new(void);
/* Large buffers made from now on ask for huge pages: for a process that uses them once, and would
 * spend its time on page faults. */
void pl_bufpool_use_huge(struct pl_bufpool *p);
/* Every buffer must have been put back. */
void pl_bufpool_free(struct pl_bufpool *p);
/* Returns a buffer of at least `bytes` whose contents are undefined, or NULL when memory is short.
 */
PL_MUST_USE void *pl_bufpool_get(struct pl_bufpool *p, size_t bytes);
/* Puts a buffer back; `bytes` is what was asked for. buf may be NULL. */
void pl_bufpool_put(struct pl_bufpool *p, void *buf, size_t bytes);
/* Gives the buffers that are not in use back to the system, when none will be asked for soon. */
void pl_bufpool_trim(struct pl_bufpool *p);
struct pl_bufpool_stats pl_bufpool_stats(struct pl_bufpool *p);

PL_DEFINE_AUTO(bufpool)

#endif
