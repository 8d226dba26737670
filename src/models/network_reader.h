/* SPDX-License-Identifier: BSD-2-Clause */
/* Networks of others that read lines, made to what platen-model.5 calls a line recognizer. */
#ifndef PL_MODELS_NETWORK_READER_H
#define PL_MODELS_NETWORK_READER_H

#include "base/arena.h"
#include "nn/ir.h"
#include "platen.h"
#include "simd/kernels.h"

struct pl_line_adapter {
    struct pl_arena arena;
    const char *const *keys; /* symbols of classes, in their order, without the blank */
    size_t n_keys;
    float mean, std;
    bool blank_last;
    /* metadata, by pl_line_adapter_measure(); symbols may be NULL */
    const char *alphabet, *symbols, *stride;
};

/* Reads the options and the file of keys. PLATEN_ERR_ARG, _FORMAT, _IO, _NOMEM. */
PL_MUST_USE platen_status pl_line_adapter_open(struct pl_line_adapter *r,
                                               const struct platen_reader_options *o,
                                               struct platen_error *err);
void pl_line_adapter_done(struct pl_line_adapter *r);

/* Gives g an input of one channel, 0 on paper and 1 in ink, and logits as its one output, with the
 * blank first. PLATEN_ERR_ARG: the graph takes no lines. */
PL_MUST_USE platen_status pl_line_adapter_adapt(const struct pl_line_adapter *r, struct pl_ir *g,
                                                struct platen_error *err);

/* Runs an adapted graph on two widths, from which it tells classes and stride, and fills in the
 * metadata. PLATEN_ERR_ARG: the keys are not those of its classes, or it has no stride. */
PL_MUST_USE platen_status pl_line_adapter_measure(struct pl_line_adapter *r, const struct pl_ir *g,
                                                  const struct pl_kernels *k,
                                                  struct platen_error *err);

#endif
