/* SPDX-License-Identifier: BSD-2-Clause */
/* Connected components of ink, kept as runs: what despeckle erases and detect reads. */
#ifndef PL_IMAGE_COMPONENTS_H
#define PL_IMAGE_COMPONENTS_H

#include "image/bits.h"

struct pl_component {
    struct pl_rect box;
    uint32_t ink_px;
    uint32_t first_run, n_runs; /* in pl_components.runs, from top to bottom, left to right */
};

struct pl_components {
    struct pl_component *comps; /* in raster order of their first run */
    struct pl_run *runs;        /* grouped by component */
    size_t n, n_runs;
    struct pl_bufpool *bufs; /* gives the memory; pl_components_done() returns it */
};

/* Runs that a picture may have: 2^25, eight times as many as white noise on a letter page at 300
 * dpi gives. */
#define PL_COMPONENTS_MAX_RUNS ((size_t)1 << 25)

/* The 8-connected components of the ink (bytes 0) of a bilevel picture; time and memory are linear
 * in pixels and runs. PLATEN_ERR_LIMIT beyond PL_COMPONENTS_MAX_RUNS, PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_components_find(const struct pl_env *env, const struct pl_image *im,
                                             struct pl_components *ret, struct platen_error *err);
/* The same of packed bits. */
PL_MUST_USE platen_status pl_components_of_bits(const struct pl_env *env,
                                                const struct pl_bits *bits,
                                                struct pl_components *ret,
                                                struct platen_error *err);
/* Zeroed components are fine. */
void pl_components_done(struct pl_components *c);

#define pl_auto_components __attribute__((cleanup(pl_components_done))) struct pl_components

#endif
