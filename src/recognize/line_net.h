/* SPDX-License-Identifier: BSD-2-Clause */
/* A network that reads lines, as one worker runs it. */
#ifndef PL_RECOGNIZE_LINE_NET_H
#define PL_RECOGNIZE_LINE_NET_H

#include <stdatomic.h>

#include "recognize/line_model.h"
#include "simd/kernels.h"

struct pl_line_net;

/* How many strips one call takes at most. */
#define PL_LINE_MAX_STRIPS 64
/* Strips are taken together up to about this many columns, so that what one layer writes is still
 * in the second-level cache when the next one reads it. (An executor has a number of its own.) */
#define PL_LINE_GROUP_PX 1792

/* What the networks of one job share. */
struct pl_line_calls {
    size_t most;             /* strips of one call: 1..PL_LINE_MAX_STRIPS */
    atomic_ullong n, strips; /* calls so far, and strips in them */
};

/* The logits of a line: for each step n_classes numbers, which are logarithms of probabilities
 * but for a constant. They are valid until the next run. */
struct pl_line_scores {
    const float *values;
    size_t steps;
};

/* Network, model, kernels and calls are borrowed and must outlive it; calls = NULL: as many strips
 * as go, counted nowhere. PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_line_net_new(const struct pl_network *n, const struct pl_line_model *m,
                                          const struct pl_kernels *k, struct pl_line_calls *calls,
                                          struct pl_line_net **ret, struct platen_error *err);
void pl_line_net_free(struct pl_line_net *l);

/* Strips are collected, and then run together where the network can do that, each with the bytes
 * that it has alone: beside each other, a few blank columns between them, or, where it has
 * recurrent layers, step by step. */

/* Returns up to how many columns strips are taken together. */
int pl_line_net_columns(const struct pl_line_net *l);
/* Forgets the strips that wait. */
void pl_line_net_reset(struct pl_line_net *l);
/* Returns whether a strip of `width` columns can be run with those that wait. The first one
 * always can. */
bool pl_line_net_fits(const struct pl_line_net *l, int width);
/* Room for one more strip: model->height rows of `width` bytes, a multiple of the stride and at
 * most 2^20; NULL when memory is short. Valid, and to be filled, before the next call. */
PL_MUST_USE uint8_t *pl_line_net_add(struct pl_line_net *l, int width);
/* Reads the strips that wait; then none do. Allocates nothing once the most was seen.
 * PLATEN_ERR_ARG when what comes out is not a row of scores for each step; PLATEN_ERR_NOMEM,
 * _LIMIT, and what the network's nodes refuse. */
PL_MUST_USE platen_status pl_line_net_run(struct pl_line_net *l, struct platen_error *err);
/* Returns the pixels of strip i of the last run; until the next pl_line_net_add(). */
const uint8_t *pl_line_net_strip(const struct pl_line_net *l, size_t i);
/* Returns what the network read in strip i. */
struct pl_line_scores pl_line_net_scores(const struct pl_line_net *l, size_t i);

PL_DEFINE_AUTO(line_net)

#endif
