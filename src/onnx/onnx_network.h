/* SPDX-License-Identifier: BSD-2-Clause */
/* Opens ONNX files as networks. */
#ifndef PL_ONNX_ONNX_NETWORK_H
#define PL_ONNX_ONNX_NETWORK_H

#include "nn/graph_file.h"

/* Reads a model file or an ONNX file, which its first bytes tell apart. */
PL_MUST_USE pl_network_reader pl_onnx_open_memory;

#endif
