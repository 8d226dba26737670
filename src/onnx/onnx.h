/* SPDX-License-Identifier: BSD-2-Clause */
/* Reading ONNX files (onnx.proto of github.com/onnx/onnx): the protobuf is walked in place, weights
 * stay in the file where their alignment allows it. */
#ifndef PL_ONNX_ONNX_H
#define PL_ONNX_ONNX_H

#include "nn/container.h"
#include "nn/ir.h"
#include "onnx/onnx_beside.h"
#include "onnx/pb.h"

/* Builds the graph of a ModelProto in data[0..n), which must stay valid as long as g, and so must
 * the maps of `beside`; tensors with data in other files are refused where that is NULL. Of opsets
 * before 7 the nodes become those of opset 7 (onnx_opset.h). PLATEN_ERR_FORMAT, _UNSUPPORTED
 * (named: node, operator, reason), _LIMIT, _NOMEM. */
PL_MUST_USE platen_status pl_onnx_read(const void *data, size_t n, struct pl_beside *beside,
                                       struct pl_ir *g, struct platen_error *err);

/* Reads the metadata into the arena. An entry that the metadata of a model file cannot hold is left
 * out: for its key, its value or its size, or since its key was there before. PLATEN_ERR_FORMAT,
 * _NOMEM. */
PL_MUST_USE platen_status pl_onnx_meta(const void *data, size_t n, struct pl_arena *arena,
                                       struct pl_nn_meta **ret, size_t *ret_n,
                                       struct platen_error *err);

/* Returns the value of the first entry of the metadata with that key, in the file as it stands
 * there; p is NULL where there is none. */
struct pl_span pl_onnx_meta_value(const void *data, size_t n, const char *key);

/* Reads a TensorProto. The data points into the file or one beside it, or into the arena where it
 * had to be unpacked. beside and ret_name may be NULL. */
PL_MUST_USE platen_status pl_onnx_tensor(struct pl_span message, struct pl_beside *beside,
                                         struct pl_arena *arena, struct pl_tensor *ret,
                                         const char **ret_name, struct platen_error *err);

/* Copies a name into the arena. Refuses a name that is too long or that holds a byte 0. */
PL_MUST_USE platen_status pl_onnx_name(struct pl_span s, struct pl_arena *arena, const char **ret,
                                       struct platen_error *err);

#endif
