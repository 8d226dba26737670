/* Imported networks of the command line: what networks.c and network_import.c share. */
#ifndef PL_MODELS_NETWORKS_H
#define PL_MODELS_NETWORKS_H

#include "nn/graph_file.h"
#include "platen.h"
#include "simd/kernels.h"

#define PL_NETWORK_MAX_VALUE_BYTES ((size_t)4 << 30) /* of a run */

/* The passes and the kernels that the options name. */
PL_MUST_USE platen_status pl_network_passes(const struct platen_network_options *o, uint32_t *ret,
                                            struct platen_error *err);
PL_MUST_USE platen_status pl_network_kernels(const struct platen_network_options *o,
                                             struct pl_kernels *ret, struct platen_error *err);
/* Opens a network and runs the passes of the set on it unless it has seen them. */
PL_MUST_USE platen_status pl_network_load(const char *path, uint32_t passes, struct pl_str *log,
                                          struct pl_network **ret, struct platen_error *err);

#endif
