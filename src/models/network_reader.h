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
    const char *const *lines; /* of the file of keys: symbols of classes in their order, "" empty */
    size_t n_lines, n_keys;   /* of these, those with a symbol */
    float mean, std;
    bool blank_last;
    /* By pl_line_adapter_measure(): the classes that have a symbol, and the blank of CTC before
     * them; NULL where these are all classes as they stand. */
    int64_t *order;
    size_t n_order;
    /* metadata; symbols and min_conf may be NULL */
    const char *alphabet, *symbols, *stride, *min_conf;
    char min_conf_text[16];
};

/* Reads the options and the keys, from their file or the metadata of the ONNX file. PLATEN_ERR_ARG,
 * _FORMAT, _IO, _LIMIT, _NOMEM. */
PL_MUST_USE platen_status pl_line_adapter_open(struct pl_line_adapter *r, const char *onnx,
                                               const struct platen_reader_options *o,
                                               struct platen_error *err);
void pl_line_adapter_done(struct pl_line_adapter *r);

/* Gives g an input of one channel, 0 on paper and 1 in ink, and logits as its one output; once
 * classes are known, those of the alphabet, the blank of CTC first. PLATEN_ERR_ARG: the graph takes
 * no lines. */
PL_MUST_USE platen_status pl_line_adapter_adapt(const struct pl_line_adapter *r, struct pl_ir *g,
                                                struct platen_error *err);

/* Runs a graph that was adapted before on two widths, from which it tells classes and stride, and
 * fills in classes and metadata. An empty line of the keys is a class without a symbol, or nothing,
 * as the number of classes wants it. PLATEN_ERR_ARG: the keys are not those of its classes, or it
 * has no stride. */
PL_MUST_USE platen_status pl_line_adapter_measure(struct pl_line_adapter *r, const struct pl_ir *g,
                                                  const struct pl_kernels *k,
                                                  struct platen_error *err);

#endif
