/* SPDX-License-Identifier: BSD-2-Clause */
/* What the files of the model tools share. */
#ifndef PL_MODELS_NETWORK_TOOLS_H
#define PL_MODELS_NETWORK_TOOLS_H

#include "base/text.h"
#include "models/networks.h"

/* The set of passes that a list names; NULL stands for all of them. */
PL_MUST_USE platen_status pl_network_passes(const char *list, uint32_t *ret,
                                            struct platen_error *err);
/* Opens a model file or an ONNX file; on the latter the passes of the set run, which `log`, if not
 * NULL, tells about. */
PL_MUST_USE platen_status pl_network_load_set(const char *path, uint32_t passes, struct pl_str *log,
                                              struct pl_network **ret, struct platen_error *err);

#endif
