/* SPDX-License-Identifier: BSD-2-Clause */
/* Opens ONNX files as networks. */
#ifndef PL_ONNX_ONNX_NETWORK_H
#define PL_ONNX_ONNX_NETWORK_H

#include "nn/graph_file.h"

/* Reads a model file or an ONNX file, which its first bytes tell apart, from bytes that stay valid
 * as long as the network and are aligned to 16. */
PL_MUST_USE platen_status pl_onnx_open_memory(const void *data, size_t n, struct pl_network **ret,
                                              struct platen_error *err);
/* Maps such a file and reads it, with the files beside it that hold data of an ONNX file. Its name
 * is left to the caller's prefix. */
PL_MUST_USE platen_status pl_onnx_open(const char *path, struct pl_network **ret,
                                       struct platen_error *err);

#endif
