/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs the test directories of ONNX's backend suite. */
#ifndef PL_ONNX_ONNX_TEST_H
#define PL_ONNX_ONNX_TEST_H

#include "base/status.h"
#include "simd/kernels.h"

/* Runs DIR/model.onnx on every DIR/test_data_set_N: inputs are input_N.pb, results are compared
 * with output_N.pb as the suite does (relative 1e-3, absolute 1e-7, type and shape equal).
 * PLATEN_OK = passed; PLATEN_ERR_UNSUPPORTED or _LIMIT = refused, by the name of the node and the
 * operator; anything else = failed. */
PL_MUST_USE platen_status pl_onnx_test(const char *dir, uint32_t passes, const struct pl_kernels *k,
                                       struct platen_error *err);

/* Calls fn for every test directory at or below `dir`, in the order of their names. PLATEN_ERR_IO
 * when a folder cannot be read or there is none. */
PL_MUST_USE platen_status pl_onnx_find_tests(const char *dir,
                                             void (*fn)(void *ctx, const char *dir), void *ctx,
                                             struct platen_error *err);

#endif
