/* SPDX-License-Identifier: BSD-2-Clause */
#include "nn/tensor.h"

#include <assert.h>
#include <string.h>

static const struct {
    const char *name;
    uint8_t bytes;
} type_info[] = {
    [PL_F32] = {"float32", 4},   [PL_U8] = {"uint8", 1},   [PL_I8] = {"int8", 1},
    [PL_U16] = {"uint16", 2},    [PL_I16] = {"int16", 2},  [PL_I32] = {"int32", 4},
    [PL_I64] = {"int64", 8},     [PL_BOOL] = {"bool", 1},  [PL_F16] = {"float16", 2},
    [PL_F64] = {"float64", 8},   [PL_U32] = {"uint32", 4}, [PL_U64] = {"uint64", 8},
    [PL_BF16] = {"bfloat16", 2},
};

size_t pl_dtype_bytes(int type)
{
    return type >= 0 && (size_t)type < PL_ARRAY_LEN(type_info) ? type_info[type].bytes : 0;
}

const char *pl_dtype_name(int type)
{
    return pl_dtype_bytes(type) ? type_info[type].name : "?";
}

bool pl_dtype_is_float(enum pl_dtype t)
{
    return t == PL_F32 || t == PL_F16 || t == PL_F64 || t == PL_BF16;
}

bool pl_tensor_shape(struct pl_tensor *t, enum pl_dtype type, int rank, const int64_t *dims)
{
    /* no product of some of the dimensions overflows either, though one of them may be 0 */
    int64_t n = 1;
    if (rank < 0 || rank > PL_MAX_RANK || !pl_dtype_bytes(type))
        return false;
    for (int i = 0; i < rank; i++) {
        if (dims[i] < 0 || dims[i] > PL_MAX_ELEMENTS / n)
            return false;
        n *= PL_MAX(dims[i], 1);
    }
    t->type = type;
    t->rank = rank;
    for (int i = 0; i < PL_MAX_RANK; i++)
        t->dims[i] = i < rank ? dims[i] : 1;
    return true;
}

size_t pl_tensor_span(const struct pl_tensor *t, int from, int to)
{
    assert(from >= 0 && to <= t->rank);
    size_t n = 1;
    for (int i = from; i < to; i++)
        n *= (size_t)t->dims[i];
    return n;
}

size_t pl_tensor_count(const struct pl_tensor *t)
{
    return pl_tensor_span(t, 0, t->rank);
}

size_t pl_tensor_bytes(const struct pl_tensor *t)
{
    return pl_tensor_count(t) * pl_dtype_bytes(t->type);
}

bool pl_tensor_same_shape(const struct pl_tensor *a, const struct pl_tensor *b)
{
    if (a->rank != b->rank)
        return false;
    for (int i = 0; i < a->rank; i++)
        if (a->dims[i] != b->dims[i])
            return false;
    return true;
}

uint16_t pl_f32_to_f16(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, 4);
    uint16_t sign = (uint16_t)((bits >> 16) & 0x8000);
    bits &= 0x7fffffff;
    if (bits > 0x7f800000u)
        return sign | 0x7e00;
    if (bits >= 0x477ff000u) /* rounds to 65520 or more */
        return sign | 0x7c00;
    if (bits < 0x38800000u) { /* subnormal: adding 0.5 leaves m * 2^-24 rounded in the low bits */
        float a;
        memcpy(&a, &bits, 4);
        a += 0.5f;
        memcpy(&bits, &a, 4);
        return (uint16_t)(sign | (bits - 0x3f000000u));
    }
    bits += 0xfff + ((bits >> 13) & 1);
    return (uint16_t)(sign | ((bits - 0x38000000u) >> 13));
}

static float bf16_to_f32(uint16_t h)
{
    uint32_t bits = (uint32_t)h << 16;
    float f;
    memcpy(&f, &bits, 4);
    return f;
}

static uint16_t f32_to_bf16(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, 4);
    if ((bits & 0x7fffffff) > 0x7f800000u)
        return (uint16_t)(bits >> 16 | 0x40);
    return (uint16_t)((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

enum pl_lane pl_lane_of(enum pl_dtype t)
{
    if (t == PL_F32 || t == PL_F16 || t == PL_BF16)
        return PL_LANE_F32;
    return t == PL_F64 ? PL_LANE_F64 : t == PL_U64 ? PL_LANE_U64 : PL_LANE_I64;
}

static size_t lane_bytes(enum pl_lane lane)
{
    return lane == PL_LANE_F32 ? 4 : 8;
}

#define LOAD(type, lane, expr)                                                                     \
    do {                                                                                           \
        const type *s = src;                                                                       \
        lane *d = dst;                                                                             \
        if (!step && n) {                                                                          \
            const type x = *s;                                                                     \
            const lane same = (expr);                                                              \
            for (size_t i = 0; i < n; i++)                                                         \
                d[i] = same;                                                                       \
            return;                                                                                \
        }                                                                                          \
        for (size_t i = 0; i < n; i++) {                                                           \
            const type x = s[(ptrdiff_t)i * step];                                                 \
            d[i] = (expr);                                                                         \
        }                                                                                          \
        return;                                                                                    \
    } while (0)

void pl_lane_load(void *dst, const void *src, enum pl_dtype t, size_t n, ptrdiff_t step)
{
    switch (t) {
    case PL_F32:
        LOAD(float, float, x);
    case PL_F16:
        LOAD(uint16_t, float, pl_f16_to_f32(x));
    case PL_BF16:
        LOAD(uint16_t, float, bf16_to_f32(x));
    case PL_F64:
        LOAD(double, double, x);
    case PL_U8:
        LOAD(uint8_t, int64_t, x);
    case PL_I8:
        LOAD(int8_t, int64_t, x);
    case PL_U16:
        LOAD(uint16_t, int64_t, x);
    case PL_I16:
        LOAD(int16_t, int64_t, x);
    case PL_I32:
        LOAD(int32_t, int64_t, x);
    case PL_U32:
        LOAD(uint32_t, int64_t, x);
    case PL_I64:
        LOAD(int64_t, int64_t, x);
    case PL_U64:
        LOAD(uint64_t, uint64_t, x);
    case PL_BOOL:
        LOAD(uint8_t, int64_t, x != 0);
    }
}

#define STORE(type, lane, expr)                                                                    \
    do {                                                                                           \
        const lane *s = src;                                                                       \
        type *d = dst;                                                                             \
        for (size_t i = 0; i < n; i++) {                                                           \
            const lane x = s[i];                                                                   \
            d[i] = (expr);                                                                         \
        }                                                                                          \
        return;                                                                                    \
    } while (0)

void pl_lane_store(void *dst, enum pl_dtype t, const void *src, size_t n)
{
    switch (t) {
    case PL_F32:
        STORE(float, float, x);
    case PL_F16:
        STORE(uint16_t, float, pl_f32_to_f16(x));
    case PL_BF16:
        STORE(uint16_t, float, f32_to_bf16(x));
    case PL_F64:
        STORE(double, double, x);
    case PL_U8:
        STORE(uint8_t, int64_t, (uint8_t)x);
    case PL_I8:
        STORE(int8_t, int64_t, (int8_t)x);
    case PL_U16:
        STORE(uint16_t, int64_t, (uint16_t)x);
    case PL_I16:
        STORE(int16_t, int64_t, (int16_t)x);
    case PL_I32:
        STORE(int32_t, int64_t, (int32_t)x);
    case PL_U32:
        STORE(uint32_t, int64_t, (uint32_t)x);
    case PL_I64:
        STORE(int64_t, int64_t, x);
    case PL_U64:
        STORE(uint64_t, uint64_t, x);
    case PL_BOOL:
        STORE(uint8_t, int64_t, x != 0);
    }
}

static int64_t to_i64(double x)
{
    if (x >= 0x1p63)
        return INT64_MAX;
    return x > -0x1p63 ? (int64_t)x : x <= -0x1p63 ? INT64_MIN : 0;
}

static uint64_t to_u64(double x)
{
    if (x >= 0x1p64)
        return UINT64_MAX;
    return x > 0 ? (uint64_t)x : 0;
}

void pl_lane_convert(void *dst, enum pl_lane to, const void *src, enum pl_lane from, size_t n)
{
    switch (to * 4 + from) {
    case PL_LANE_F32 * 4 + PL_LANE_F64:
        STORE(float, double, (float)x);
    case PL_LANE_F32 * 4 + PL_LANE_I64:
        STORE(float, int64_t, (float)x);
    case PL_LANE_F32 * 4 + PL_LANE_U64:
        STORE(float, uint64_t, (float)x);
    case PL_LANE_F64 * 4 + PL_LANE_F32:
        STORE(double, float, (double)x);
    case PL_LANE_F64 * 4 + PL_LANE_I64:
        STORE(double, int64_t, (double)x);
    case PL_LANE_F64 * 4 + PL_LANE_U64:
        STORE(double, uint64_t, (double)x);
    case PL_LANE_I64 * 4 + PL_LANE_F32:
        STORE(int64_t, float, to_i64((double)x));
    case PL_LANE_I64 * 4 + PL_LANE_F64:
        STORE(int64_t, double, to_i64(x));
    case PL_LANE_I64 * 4 + PL_LANE_U64:
        STORE(int64_t, uint64_t, (int64_t)x);
    case PL_LANE_U64 * 4 + PL_LANE_F32:
        STORE(uint64_t, float, to_u64((double)x));
    case PL_LANE_U64 * 4 + PL_LANE_F64:
        STORE(uint64_t, double, to_u64(x));
    case PL_LANE_U64 * 4 + PL_LANE_I64:
        STORE(uint64_t, int64_t, (uint64_t)x);
    default:
        memcpy(dst, src, n * lane_bytes(to));
    }
}

/* A float becomes true when it is not 0, not when its integer part is not. */
static void float_to_bool(uint8_t *dst, const void *src, enum pl_lane lane, size_t n)
{
    for (size_t i = 0; i < n; i++)
        dst[i] =
            lane == PL_LANE_F32 ? ((const float *)src)[i] != 0.0f : ((const double *)src)[i] != 0.0;
}

void pl_tensor_cast_row(void *dst, enum pl_dtype to, const void *src, enum pl_dtype from, size_t n)
{
    enum { CHUNK = 128 };
    uint64_t a[CHUNK], b[CHUNK];
    const enum pl_lane lane = pl_lane_of(from), out = pl_lane_of(to);
    if (to == from) {
        memcpy(dst, src, n * pl_dtype_bytes(to));
        return;
    }
    for (size_t i = 0; i < n; i += CHUNK) {
        size_t k = PL_MIN(n - i, (size_t)CHUNK);
        uint8_t *d = (uint8_t *)dst + i * pl_dtype_bytes(to);
        pl_lane_load(a, (const uint8_t *)src + i * pl_dtype_bytes(from), from, k, 1);
        if (to == PL_BOOL && lane <= PL_LANE_F64) {
            float_to_bool(d, a, lane, k);
            continue;
        }
        pl_lane_convert(b, out, a, lane, k);
        pl_lane_store(d, to, b, k);
    }
}

double pl_tensor_f64(const struct pl_tensor *t, size_t i)
{
    assert(t->data && i < pl_tensor_count(t));
    double v;
    pl_tensor_cast_row(&v, PL_F64, (const uint8_t *)t->data + i * pl_dtype_bytes(t->type), t->type,
                       1);
    return v;
}

int64_t pl_tensor_i64(const struct pl_tensor *t, size_t i)
{
    assert(t->data && i < pl_tensor_count(t));
    int64_t v;
    pl_tensor_cast_row(&v, PL_I64, (const uint8_t *)t->data + i * pl_dtype_bytes(t->type), t->type,
                       1);
    return v;
}

double pl_sum_f32(const float *x, size_t n)
{
    double sum[8] = {0};
    size_t i = 0;
    for (; i + 8 <= n; i += 8)
        for (size_t k = 0; k < 8; k++)
            sum[k] += (double)x[i + k];
    for (; i < n; i++)
        sum[i % 8] += (double)x[i];
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}
