/* SPDX-License-Identifier: BSD-2-Clause */
/* Arrays as NumPy keeps them (numpy.lib.format, versions 1.0 to 3.0). */
#ifndef PL_ONNX_NPY_H
#define PL_ONNX_NPY_H

#include "base/status.h"
#include "nn/tensor.h"

/* Reads an array of little-endian numbers or bool in C order. t->data points into data[0..n), which
 * must be aligned to 16 bytes, as the format aligns the elements in the file. */
PL_MUST_USE platen_status pl_npy_read(const uint8_t *data, size_t n, struct pl_tensor *t,
                                      struct platen_error *err);
/* Writes an array through a temporary file; bfloat16, which NumPy does not know, becomes float32.
 */
PL_MUST_USE platen_status pl_npy_write(const char *path, const struct pl_tensor *t,
                                       struct platen_error *err);

#endif
