/* SPDX-License-Identifier: BSD-2-Clause */
/* Opens networks in files, for jobs and for the command line. */
#ifndef PL_MODELS_NETWORKS_H
#define PL_MODELS_NETWORKS_H

#include "nn/graph_file.h"
#include "platen.h"
#include "simd/kernels.h"

#define PL_NETWORK_MAX_VALUE_BYTES ((size_t)4 << 30) /* that the values of one run may take */

/* Reads the caller's options, of any version or NULL: the list of passes, NULL for all of them, and
 * the kernels. */
PL_MUST_USE platen_status pl_network_settings(const struct platen_network_options *o,
                                              const char **ret_passes, struct pl_kernels *ret,
                                              struct platen_error *err);
/* Opens a model file or, in a build with model tools, an ONNX file, on which the passes of the list
 * run (compile/pass.h); NULL stands for all of them. */
PL_MUST_USE platen_status pl_network_load(const char *path, const char *passes,
                                          struct pl_network **ret, struct platen_error *err);

#endif
