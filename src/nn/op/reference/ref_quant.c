/* SPDX-License-Identifier: BSD-2-Clause */
/* ONNX's operators between floats and integers with a scale. */
#include "nn/op/reference/ref_quant.h"

#include <math.h>

void pl_quantize_into(const struct pl_tensor *y, size_t i, double v, int64_t zero)
{
    static const struct {
        enum pl_dtype type;
        int64_t lo, hi;
    } ranges[] = {{PL_U8, 0, 255}, {PL_I8, -128, 127}, {PL_U16, 0, 65535}, {PL_I16, -32768, 32767}};
    int64_t lo = INT32_MIN, hi = INT32_MAX;
    for (size_t k = 0; k < PL_ARRAY_LEN(ranges); k++)
        if (ranges[k].type == y->type) {
            lo = ranges[k].lo;
            hi = ranges[k].hi;
        }
    double r = rint(v) + (double)zero;
    int64_t q = isnan(r) ? zero : r < (double)lo ? lo : r > (double)hi ? hi : (int64_t)r;
    pl_tensor_cast_row((uint8_t *)y->data + i * pl_dtype_bytes(y->type), y->type, &q, PL_I64, 1);
}

/* The scales of elements: one for all, one for each entry of an axis, or one for each block of an
 * axis. */
struct scales {
    const struct pl_tensor *scale, *zero;
    size_t inner, n, block, per_row; /* element i: (i / inner % n / block, and i % inner) */
    bool blocked;
};

static platen_status read_scales(const struct pl_call *c, struct scales *ret)
{
    const struct pl_tensor *x = pl_in(c, 0), *scale = pl_in(c, 1), *zero = pl_in(c, 2);
    const int64_t block = pl_ir_int(c->node, "block_size", 0);
    int axis = 0;
    *ret = (struct scales){.scale = scale, .zero = zero, .inner = 1, .n = 1, .block = 1};
    if (zero && !pl_tensor_same_shape(zero, scale) &&
        pl_tensor_count(zero) != pl_tensor_count(scale))
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "scales and zero points do not fit");
    if (!block && pl_tensor_count(scale) == 1)
        return PLATEN_OK;
    platen_status s = pl_call_axis(c, pl_ir_int(c->node, "axis", 1), x->rank, &axis);
    if (s)
        return s;
    ret->inner = pl_tensor_span(x, axis + 1, x->rank);
    ret->n = (size_t)x->dims[axis];
    if (!block) {
        if (scale->rank != 1 || scale->dims[0] != x->dims[axis])
            return pl_call_fail(c, PLATEN_ERR_FORMAT, "scales do not fit the axis");
        return PLATEN_OK;
    }
    if (block < 1 || block > PL_MAX_ELEMENTS || scale->rank != x->rank)
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "scales do not fit the blocks");
    for (int i = 0; i < x->rank; i++) {
        int64_t want = i == axis ? (x->dims[i] + block - 1) / block : x->dims[i];
        if (scale->dims[i] != want)
            return pl_call_fail(c, PLATEN_ERR_FORMAT, "scales do not fit the blocks");
    }
    ret->block = (size_t)block;
    ret->per_row = (size_t)scale->dims[axis];
    ret->blocked = true;
    return PLATEN_OK;
}

static size_t scale_index(const struct scales *s, size_t i)
{
    size_t k = s->n ? i / s->inner % s->n : 0;
    if (s->blocked)
        return (i / s->inner / s->n * s->per_row + k / s->block) * s->inner + i % s->inner;
    return s->n == 1 && pl_tensor_count(s->scale) == 1 ? 0 : k;
}

platen_status pl_infer_quantize(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0), *zero = pl_in(c, 2);
    int64_t type = pl_ir_int(c->node, "output_dtype", 0);
    type = zero ? zero->type : type ? type : PL_U8;
    if (type != PL_U8 && type != PL_I8 && type != PL_U16 && type != PL_I16 && type != PL_I32)
        return pl_call_fail(c, PLATEN_ERR_UNSUPPORTED, "to elements of type %lld", (long long)type);
    return pl_call_shape(c, 0, (enum pl_dtype)type, x->rank, x->dims);
}

platen_status pl_run_quantize(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0), *y = pl_out(c, 0);
    struct scales sc;
    platen_status s = read_scales(c, &sc);
    for (size_t i = 0; !s && i < pl_tensor_count(x); i++) {
        size_t k = scale_index(&sc, i);
        double v = (double)((float)pl_tensor_f64(x, i) / (float)pl_tensor_f64(sc.scale, k));
        pl_quantize_into(y, i, v, sc.zero ? pl_tensor_i64(sc.zero, k) : 0);
    }
    return s;
}

platen_status pl_infer_dequantize(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0);
    int64_t type = pl_ir_int(c->node, "output_dtype", 0);
    if (!pl_dtype_bytes((int)PL_CLAMP(type, 0, 255)) && type)
        return pl_call_fail(c, PLATEN_ERR_UNSUPPORTED, "to elements of type %lld", (long long)type);
    return pl_call_shape(c, 0, type ? (enum pl_dtype)type : pl_in(c, 1)->type, x->rank, x->dims);
}

platen_status pl_run_dequantize(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0), *y = pl_out(c, 0);
    struct scales sc;
    platen_status s = read_scales(c, &sc);
    /* Bytes of one scale, as activations are: the same without calls for each of them. */
    if (!s && x->type == PL_U8 && y->type == PL_F32 && sc.n == 1 && !sc.blocked) {
        const int32_t zero = sc.zero ? (int32_t)pl_tensor_i64(sc.zero, 0) : 0;
        const double scale = pl_tensor_f64(sc.scale, 0);
        for (size_t i = 0; i < pl_tensor_count(x); i++)
            ((float *)y->data)[i] = (float)((((const uint8_t *)x->data)[i] - zero) * scale);
        return PLATEN_OK;
    }
    for (size_t i = 0; !s && i < pl_tensor_count(x); i++) {
        size_t k = scale_index(&sc, i);
        int64_t q = pl_tensor_i64(x, i) - (sc.zero ? pl_tensor_i64(sc.zero, k) : 0);
        double v = (double)q * pl_tensor_f64(sc.scale, k);
        pl_tensor_cast_row((uint8_t *)y->data + i * pl_dtype_bytes(y->type), y->type, &v, PL_F64,
                           1);
    }
    return s;
}

platen_status pl_infer_dynamic_quantize(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0);
    platen_status s = x->type == PL_F32 ? PLATEN_OK : pl_call_unsupported_type(c, x->type);
    s = s ? s : pl_call_shape(c, 0, PL_U8, x->rank, x->dims);
    s = s ? s : pl_call_shape(c, 1, PL_F32, 0, NULL);
    return s ? s : pl_call_shape(c, 2, PL_U8, 0, NULL);
}

platen_status pl_run_dynamic_quantize(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0);
    const float *v = x->data;
    float lo = 0, hi = 0;
    for (size_t i = 0; i < pl_tensor_count(x); i++) {
        lo = v[i] < lo ? v[i] : lo;
        hi = v[i] > hi ? v[i] : hi;
    }
    const float scale = hi > lo ? (hi - lo) / 255.0f : 1.0f;
    const float zero = PL_CLAMP(rintf(0.0f - lo / scale), 0.0f, 255.0f);
    uint8_t *q = pl_out(c, 0) ? pl_out(c, 0)->data : NULL;
    for (size_t i = 0; q && i < pl_tensor_count(x); i++) {
        const float r = rintf(v[i] / scale) + zero;
        q[i] = (uint8_t)(isnan(r) ? zero : PL_CLAMP(r, 0.0f, 255.0f));
    }
    if (pl_out(c, 1))
        *(float *)pl_out(c, 1)->data = scale;
    if (pl_out(c, 2))
        *(uint8_t *)pl_out(c, 2)->data = (uint8_t)zero;
    return PLATEN_OK;
}
