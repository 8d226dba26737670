/* SPDX-License-Identifier: BSD-2-Clause */
/* Tensors of imported networks: an element type, a shape and dense data, row by row. */
#ifndef PL_NN_TENSOR_H
#define PL_NN_TENSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/half.h"

#define PL_MAX_RANK 8
/* No tensor has more elements: products of a few sizes then stay far from overflow. */
#define PL_MAX_ELEMENTS ((int64_t)1 << 32)

/* The numbers of TensorProto.DataType (onnx.proto). */
enum pl_dtype {
    PL_F32 = 1,
    PL_U8 = 2,
    PL_I8 = 3,
    PL_U16 = 4,
    PL_I16 = 5,
    PL_I32 = 6,
    PL_I64 = 7,
    PL_BOOL = 9,
    PL_F16 = 10,
    PL_F64 = 11,
    PL_U32 = 12,
    PL_U64 = 13,
    PL_BF16 = 16,
};

struct pl_tensor {
    enum pl_dtype type;
    int rank;
    int64_t dims[PL_MAX_RANK];
    void *data; /* NULL while only type and shape are known */
};

/* Bytes of an element; 0 for a type that platen does not know. */
size_t pl_dtype_bytes(int type);
/* "float32"; "?" for an unknown one. */
const char *pl_dtype_name(int type);
bool pl_dtype_is_float(enum pl_dtype t);

/* Sets a shape; false when the rank or the number of elements is beyond the limits or a dimension
 * is negative. The data pointer stays. */
PL_MUST_USE bool pl_tensor_shape(struct pl_tensor *t, enum pl_dtype type, int rank,
                                 const int64_t *dims);
/* Elements and bytes of a tensor whose shape was set by pl_tensor_shape(). */
size_t pl_tensor_count(const struct pl_tensor *t);
size_t pl_tensor_bytes(const struct pl_tensor *t);
/* Product of dims[from..to). */
size_t pl_tensor_span(const struct pl_tensor *t, int from, int to);
bool pl_tensor_same_shape(const struct pl_tensor *a, const struct pl_tensor *b);

/* The types in which rows of elements are computed: every type widens into one of them without
 * loss. */
enum pl_lane { PL_LANE_F32, PL_LANE_F64, PL_LANE_I64, PL_LANE_U64 };

union pl_scalar {
    float f32;
    double f64;
    int64_t i64;
    uint64_t u64;
};

enum pl_lane pl_lane_of(enum pl_dtype t);
/* dst[i] = src[i * step] for i < n, widened to the lane of type t. */
void pl_lane_load(void *dst, const void *src, enum pl_dtype t, size_t n, ptrdiff_t step);
/* The way back: integers wrap around, floats round to nearest even, bool is "not zero". */
void pl_lane_store(void *dst, enum pl_dtype t, const void *src, size_t n);
/* dst[i] = src[i] from lane to lane. Floats are cut towards 0, limited to the range, NaN gives 0.
 */
void pl_lane_convert(void *dst, enum pl_lane to, const void *src, enum pl_lane from, size_t n);
/* Converts a whole row from type to type through the lanes, as Cast does. */
void pl_tensor_cast_row(void *dst, enum pl_dtype to, const void *src, enum pl_dtype from, size_t n);

/* The address of element i. */
static inline uint8_t *pl_tensor_at(const struct pl_tensor *t, size_t i)
{
    return (uint8_t *)t->data + i * pl_dtype_bytes(t->type);
}

/* Element i as a number, as Cast makes it. */
double pl_tensor_f64(const struct pl_tensor *t, size_t i);
int64_t pl_tensor_i64(const struct pl_tensor *t, size_t i);

/* The sum of x[0..n) in binary64: of eight partial sums, element i in sum i % 8, added in pairs. */
double pl_sum_f32(const float *x, size_t n);

/* Rounded to the nearest, ties to even; infinite beyond 65504. */
uint16_t pl_f32_to_f16(float f);

#endif
