/* SPDX-License-Identifier: BSD-2-Clause */
/* Running an imported network. What a run needs to know of the shapes of its inputs is worked out
 * once and kept while they stay: shapes, what depends on shapes alone, and a place for every value
 * in one block. A run then allocates nothing, unless a shape depends on computed numbers. */
#ifndef PL_NN_SESSION_H
#define PL_NN_SESSION_H

#include "base/text.h"
#include "nn/ir.h"
#include "simd/kernels.h"

struct pl_session; /* one per worker: holds the values */

/* Graph and kernels are borrowed and must outlive the session. Values that are alive together may
 * take `max_bytes`. */
PL_MUST_USE platen_status pl_session_new(const struct pl_ir *g, const struct pl_kernels *k,
                                         size_t max_bytes, struct pl_session **ret,
                                         struct platen_error *err);
void pl_session_free(struct pl_session *s);

/* Gives back, until the next run, the memory of the values whose shapes are known before a run.
 * NULL is no session. */
void pl_session_rest(struct pl_session *s);

/* Input i, of floats in the graph, comes as bytes in the runs from now on: byte q stands for (q -
 * zero) * scale. Nodes that would turn these floats into the same bytes read the bytes as they are;
 * otherwise the session makes the floats. True where all nodes do. */
bool pl_session_take_bytes(struct pl_session *s, size_t i, float scale, int32_t zero);

struct pl_joints; /* nn/operators.h */
/* The inputs of the runs from now on hold several pictures beside each other: each is computed as
 * if it were alone. A node that cannot do that fails: PLATEN_ERR_UNSUPPORTED. Borrowed; NULL = one
 * picture, as at first. */
void pl_session_join(struct pl_session *s, const struct pl_joints *joints);
/* Plans for inputs of the shapes of in[0..g->n_inputs), whose data is not looked at: what a run
 * refuses for its shapes it refuses, too. */
PL_MUST_USE platen_status pl_session_prepare(struct pl_session *s, const struct pl_tensor *in,
                                             struct platen_error *err);

/* Runs the graph on in[0..g->n_inputs), borrowed. A tensor with NULL data is an input left out; a
 * node that reads it fails. PLATEN_ERR_FORMAT or _UNSUPPORTED (named: node, operator, reason),
 * _LIMIT, _NOMEM. */
PL_MUST_USE platen_status pl_session_run(struct pl_session *s, const struct pl_tensor *in,
                                         struct platen_error *err);
/* How many sessions run together at most. */
#define PL_SESSION_TOGETHER 16
/* Runs n sessions of one graph, 1 to PL_SESSION_TOGETHER, session i on in[i][0..g->n_inputs): with
 * the results of pl_session_run(), but recurrent layers take each step for all of them at once. */
PL_MUST_USE platen_status pl_session_run_together(struct pl_session *const *s,
                                                  const struct pl_tensor *const *in, size_t n,
                                                  struct platen_error *err);
/* Tells whether running sessions of g together is quicker than one after the other. */
bool pl_session_gains_together(const struct pl_ir *g);
/* Output i of the last run; valid until the next one. */
const struct pl_tensor *pl_session_output(const struct pl_session *s, size_t i);

/* The bytes that the nodes of the plan write in a run, as far as sizes do not wait for numbers. */
size_t pl_session_work_bytes(const struct pl_session *s);

/* Appends the plan for inputs of the shapes of in[0..g->n_inputs), whose data is not looked at: a
 * line for each value, its place and lifetime. */
PL_MUST_USE platen_status pl_session_describe(struct pl_session *s, const struct pl_tensor *in,
                                              struct pl_str *out, struct platen_error *err);

PL_DEFINE_AUTO(session)

#endif
