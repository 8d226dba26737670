/* SPDX-License-Identifier: BSD-2-Clause */
/* Networks of others that say where text is, made to what the operation `db` takes
 * (platen-model.5). */
#ifndef PL_MODELS_NETWORK_DETECTOR_H
#define PL_MODELS_NETWORK_DETECTOR_H

#include "nn/graph_file.h"
#include "platen.h"
#include "simd/kernels.h"

/* Metadata: the parameters of `db` for this network. */
struct pl_detector_note {
    char key[32], value[80];
};

struct pl_detector_adapter {
    struct platen_pipeline *pipeline; /* `db` with what the caller gave */
    bool logits; /* by pl_detector_adapter_measure(): the network gives these, no probabilities */
    struct pl_detector_note notes[6];
    size_t n_notes;
};

/* Reads the options. PLATEN_ERR_ARG names the parameter, PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_detector_adapter_open(struct pl_detector_adapter *d,
                                                   const struct platen_detector_options *o,
                                                   struct platen_error *err);
void pl_detector_adapter_done(struct pl_detector_adapter *d);

/* Runs the network as it stands, and fills in what it gives and the notes. PLATEN_ERR_ARG: it takes
 * no picture, or gives no map of text. */
PL_MUST_USE platen_status pl_detector_adapter_measure(struct pl_detector_adapter *d,
                                                      const struct pl_network *n,
                                                      const struct pl_kernels *k,
                                                      struct platen_error *err);
/* Gives g probabilities as its one output. */
PL_MUST_USE platen_status pl_detector_adapter_adapt(const struct pl_detector_adapter *d,
                                                    struct pl_ir *g, struct platen_error *err);

#endif
