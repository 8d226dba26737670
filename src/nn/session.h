/* Running an imported network, node by node. */
#ifndef PL_NN_SESSION_H
#define PL_NN_SESSION_H

#include "nn/ir.h"

struct pl_session; /* one per worker: holds the values */

/* The graph is borrowed and must outlive the session. Values that are alive together may take
 * `max_bytes`. */
PL_MUST_USE platen_status pl_session_new(const struct pl_ir *g, size_t max_bytes,
                                         struct pl_session **ret, struct platen_error *err);
void pl_session_free(struct pl_session *s);

/* Runs the graph on in[0..g->n_inputs), borrowed. A tensor with NULL data is an input left out; a
 * node that reads it fails. PLATEN_ERR_FORMAT or _UNSUPPORTED (named: node, operator, reason),
 * _LIMIT, _NOMEM. */
PL_MUST_USE platen_status pl_session_run(struct pl_session *s, const struct pl_tensor *in,
                                         struct platen_error *err);
/* Output i of the last run; valid until the next one. */
const struct pl_tensor *pl_session_output(const struct pl_session *s, size_t i);

PL_DEFINE_AUTO(session)

#endif
