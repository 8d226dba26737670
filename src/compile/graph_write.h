/* SPDX-License-Identifier: BSD-2-Clause */
/* The writer of model files. */
#ifndef PL_COMPILE_GRAPH_WRITE_H
#define PL_COMPILE_GRAPH_WRITE_H

#include "nn/graph_file.h"

/* Looks at the bytes of a container; with an error they are not written. */
typedef platen_status pl_network_checker(void *ctx, const void *data, size_t n,
                                         struct platen_error *err);

/* Writes g as a container: the file is there completely, or not at all. The pairs meta[0..n_meta)
 * become its metadata, in this order. `check`, unless NULL, sees the bytes before. */
PL_MUST_USE platen_status pl_network_write(const char *path, const struct pl_ir *g,
                                           const struct pl_nn_meta *meta, size_t n_meta,
                                           pl_network_checker *check, void *ctx,
                                           struct platen_error *err);

#endif
