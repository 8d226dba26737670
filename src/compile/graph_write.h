/* SPDX-License-Identifier: BSD-2-Clause */
/* The writer of model files. */
#ifndef PL_COMPILE_GRAPH_WRITE_H
#define PL_COMPILE_GRAPH_WRITE_H

#include "nn/graph_file.h"

/* Writes g as a container: the file is there completely, or not at all. The pairs meta[0..n_meta)
 * become its metadata, in this order. */
PL_MUST_USE platen_status pl_network_write(const char *path, const struct pl_ir *g,
                                           const struct pl_nn_meta *meta, size_t n_meta,
                                           struct platen_error *err);

#endif
