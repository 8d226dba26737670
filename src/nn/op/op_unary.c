/* SPDX-License-Identifier: BSD-2-Clause */
/* Operators of one input, element by element. */
#include "nn/operators.h"

#include <math.h>
#include <string.h>

#include "nn/op/op_activation.h"

#define CHUNK 256

struct params {
    double alpha, beta;
    bool tanh_form;
};

/* Defines one body for both types of floats, in which F(exp) is expf or exp. */
#define EACH(expr)                                                                                 \
    for (size_t i = 0; i < n; i++) {                                                               \
        const T x = s[i];                                                                          \
        d[i] = (expr);                                                                             \
    }                                                                                              \
    return true

#define DEFINE_FLOATS(NAME)                                                                        \
    static bool NAME(int id, const struct params *p, T *d, const T *s, size_t n)                   \
    {                                                                                              \
        const T a = (T)p->alpha, b = (T)p->beta;                                                   \
        switch (id) {                                                                              \
        case PL_OP_Abs:                                                                            \
            EACH(F(fabs)(x));                                                                      \
        case PL_OP_Acos:                                                                           \
            EACH(F(acos)(x));                                                                      \
        case PL_OP_Acosh:                                                                          \
            EACH(F(acosh)(x));                                                                     \
        case PL_OP_Asin:                                                                           \
            EACH(F(asin)(x));                                                                      \
        case PL_OP_Asinh:                                                                          \
            EACH(F(asinh)(x));                                                                     \
        case PL_OP_Atan:                                                                           \
            EACH(F(atan)(x));                                                                      \
        case PL_OP_Atanh:                                                                          \
            EACH(F(atanh)(x));                                                                     \
        case PL_OP_Ceil:                                                                           \
            EACH(F(ceil)(x));                                                                      \
        case PL_OP_Celu:                                                                           \
            EACH(x > 0 ? x : a * F(expm1)(x / a));                                                 \
        case PL_OP_Cos:                                                                            \
            EACH(F(cos)(x));                                                                       \
        case PL_OP_Cosh:                                                                           \
            EACH(F(cosh)(x));                                                                      \
        case PL_OP_Elu:                                                                            \
            EACH(x > 0 ? x : a * F(expm1)(x));                                                     \
        case PL_OP_Erf:                                                                            \
            EACH(F(erf)(x));                                                                       \
        case PL_OP_Exp:                                                                            \
            EACH(F(exp)(x));                                                                       \
        case PL_OP_Floor:                                                                          \
            EACH(F(floor)(x));                                                                     \
        case PL_OP_Gelu:                                                                           \
            if (p->tanh_form) {                                                                    \
                EACH(x / 2 *                                                                       \
                     (1 + F(tanh)((T)0.7978845608028654 * (x + (T)0.044715 * x * x * x))));        \
            }                                                                                      \
            EACH(x / 2 * (1 + F(erf)(x * (T)0.7071067811865476)));                                 \
        case PL_OP_HardSigmoid:                                                                    \
            EACH(F(fmax)(0, F(fmin)(1, a * x + b)));                                               \
        case PL_OP_HardSwish:                                                                      \
            EACH(x *F(fmax)(0, F(fmin)(1, x / 6 + (T)0.5)));                                       \
        case PL_OP_LeakyRelu:                                                                      \
            EACH(x < 0 ? a * x : x);                                                               \
        case PL_OP_Log:                                                                            \
            EACH(F(log)(x));                                                                       \
        case PL_OP_Mish:                                                                           \
            EACH(x *F(tanh)(x > 20 ? x : F(log1p)(F(exp)(x))));                                    \
        case PL_OP_Neg:                                                                            \
            EACH(-x);                                                                              \
        case PL_OP_Reciprocal:                                                                     \
            EACH(1 / x);                                                                           \
        case PL_OP_Relu:                                                                           \
            EACH(x < 0 ? 0 : x);                                                                   \
        case PL_OP_Round:                                                                          \
            EACH(F(rint)(x));                                                                      \
        case PL_OP_Selu:                                                                           \
            EACH(x > 0 ? b * x : b * (a * F(expm1)(x)));                                           \
        case PL_OP_Shrink:                                                                         \
            EACH(x<-b ? x + a : x> b ? x - a : 0);                                                 \
        case PL_OP_Sigmoid:                                                                        \
            EACH(1 / (1 + F(exp)(-x)));                                                            \
        case PL_OP_Sign:                                                                           \
            EACH((T)((x > 0) - (x < 0)));                                                          \
        case PL_OP_Sin:                                                                            \
            EACH(F(sin)(x));                                                                       \
        case PL_OP_Sinh:                                                                           \
            EACH(F(sinh)(x));                                                                      \
        case PL_OP_Softplus:                                                                       \
            EACH(F(fmax)(x, 0) + F(log1p)(F(exp)(-F(fabs)(x))));                                   \
        case PL_OP_Softsign:                                                                       \
            EACH(x / (1 + F(fabs)(x)));                                                            \
        case PL_OP_Sqrt:                                                                           \
            EACH(F(sqrt)(x));                                                                      \
        case PL_OP_Swish:                                                                          \
            EACH(x / (1 + F(exp)(-a * x)));                                                        \
        case PL_OP_Tan:                                                                            \
            EACH(F(tan)(x));                                                                       \
        case PL_OP_Tanh:                                                                           \
            EACH(F(tanh)(x));                                                                      \
        case PL_OP_ThresholdedRelu:                                                                \
            EACH(x > a ? x : 0);                                                                   \
        default:                                                                                   \
            return false;                                                                          \
        }                                                                                          \
    }

#define T float
#define F(name) name##f
DEFINE_FLOATS(unary_f32)
#undef T
#undef F
#define T double
#define F(name) name
DEFINE_FLOATS(unary_f64)
#undef T
#undef F

#define T int64_t
static bool unary_i64(int id, int64_t *d, const int64_t *s, size_t n)
{
    switch (id) {
    case PL_OP_Abs:
        EACH(x < 0 ? (int64_t)(0 - (uint64_t)x) : x);
    case PL_OP_BitwiseNot:
        EACH(~x);
    case PL_OP_Neg:
        EACH((int64_t)(0 - (uint64_t)x));
    case PL_OP_Not:
        EACH(!x);
    case PL_OP_Relu:
        EACH(x < 0 ? 0 : x);
    case PL_OP_Sign:
        EACH((x > 0) - (x < 0));
    default:
        return false;
    }
}
#undef T

#define T uint64_t
static bool unary_u64(int id, uint64_t *d, const uint64_t *s, size_t n)
{
    switch (id) {
    case PL_OP_Abs:
    case PL_OP_Relu:
        EACH(x);
    case PL_OP_BitwiseNot:
        EACH(~x);
    case PL_OP_Sign:
        EACH(x > 0);
    default:
        return false;
    }
}
#undef T

static struct params params_of(const struct pl_call *c)
{
    static const struct {
        uint8_t id;
        const char *b_name;
        double alpha, beta;
    } defaults[] = {
        {PL_OP_Celu, "", 1, 0},
        {PL_OP_Elu, "", 1, 0},
        {PL_OP_HardSigmoid, "beta", (double)0.2f, 0.5},
        {PL_OP_LeakyRelu, "", (double)0.01f, 0},
        {PL_OP_Selu, "gamma", 1.67326319217681884765625, 1.05070102214813232421875},
        {PL_OP_Swish, "", 1, 0},
        {PL_OP_ThresholdedRelu, "", 1, 0},
    };
    struct params p = {0};
    const struct pl_ir_node *n = c->node;
    if (pl_call_id(c) == PL_OP_Shrink) {
        p.alpha = (double)pl_ir_float(n, "bias", 0.0f);
        p.beta = (double)pl_ir_float(n, "lambd", 0.5f);
    }
    if (pl_call_id(c) == PL_OP_Gelu)
        p.tanh_form = !strcmp(pl_ir_string(n, "approximate", "none"), "tanh");
    for (size_t i = 0; i < PL_ARRAY_LEN(defaults); i++)
        if (defaults[i].id == pl_call_id(c)) {
            p.alpha = (double)pl_ir_float(n, "alpha", (float)defaults[i].alpha);
            p.beta = (double)pl_ir_float(n, defaults[i].b_name, (float)defaults[i].beta);
        }
    return p;
}

static bool run_lane(int id, const struct params *p, enum pl_lane lane, void *d, const void *s,
                     size_t n)
{
    switch (lane) {
    case PL_LANE_F32:
        return unary_f32(id, p, d, s, n);
    case PL_LANE_F64:
        return unary_f64(id, p, d, s, n);
    case PL_LANE_I64:
        return unary_i64(id, d, s, n);
    default:
        return unary_u64(id, d, s, n);
    }
}

platen_status pl_infer_same(struct pl_call *c)
{
    return pl_call_like(c, 0, pl_in(c, 0));
}

platen_status pl_run_unary(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0);
    const size_t count = pl_tensor_count(x), size = pl_dtype_bytes(x->type);
    const enum pl_lane lane = pl_lane_of(x->type);
    const bool direct = x->type == PL_F32 || x->type == PL_F64;
    const struct params p = params_of(c);
    uint64_t a[CHUNK], b[CHUNK];
    struct pl_act_use use;
    if (x->type == PL_F32 && !p.tanh_form &&
        pl_activation_kernel(pl_call_id(c), (float)p.alpha, (float)p.beta, &use)) {
        c->kernels->act_f32(pl_out(c, 0)->data, x->data, NULL, count, &use);
        return PLATEN_OK;
    }
    for (size_t i = 0; i < count; i += CHUNK) {
        size_t n = PL_MIN(count - i, (size_t)CHUNK);
        const uint8_t *src = (const uint8_t *)x->data + i * size;
        uint8_t *dst = (uint8_t *)pl_out(c, 0)->data + i * size;
        if (!direct)
            pl_lane_load(a, src, x->type, n, 1);
        if (!run_lane(pl_call_id(c), &p, lane, direct ? (void *)dst : b, direct ? src : (void *)a,
                      n))
            return pl_call_unsupported_type(c, x->type);
        if (!direct)
            pl_lane_store(dst, x->type, b, n);
    }
    return PLATEN_OK;
}

platen_status pl_infer_predicate(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0);
    return pl_call_shape(c, 0, PL_BOOL, x->rank, x->dims);
}

/* Computes IsNaN and IsInf. */
platen_status pl_run_predicate(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0);
    uint8_t *d = pl_out(c, 0)->data;
    bool negative = pl_ir_int(c->node, "detect_negative", 1);
    bool positive = pl_ir_int(c->node, "detect_positive", 1);
    if (!pl_dtype_is_float(x->type))
        return pl_call_unsupported_type(c, x->type);
    for (size_t i = 0; i < pl_tensor_count(x); i++) {
        double v = pl_tensor_f64(x, i);
        bool wanted = v < 0 ? negative : positive;
        bool is = pl_call_id(c) == PL_OP_IsNaN ? isnan(v) : isinf(v) && wanted;
        d[i] = is;
    }
    return PLATEN_OK;
}

#define CLAMP_ROW(type, member)                                                                    \
    do {                                                                                           \
        type *v = row;                                                                             \
        for (size_t i = 0; i < n; i++) {                                                           \
            if (lo && v[i] < lo->member)                                                           \
                v[i] = lo->member;                                                                 \
            if (hi && v[i] > hi->member)                                                           \
                v[i] = hi->member;                                                                 \
        }                                                                                          \
    } while (0)

static void clamp(enum pl_lane lane, void *row, size_t n, const union pl_scalar *lo,
                  const union pl_scalar *hi)
{
    switch (lane) {
    case PL_LANE_F32:
        CLAMP_ROW(float, f32);
        break;
    case PL_LANE_F64:
        CLAMP_ROW(double, f64);
        break;
    case PL_LANE_I64:
        CLAMP_ROW(int64_t, i64);
        break;
    default:
        CLAMP_ROW(uint64_t, u64);
    }
}

/* Reads a bound of Clip, which is an attribute up to opset 10 and a scalar input since then.
 * *given stays false where there is none. */
static platen_status bound(struct pl_call *c, const char *attr, uint32_t input,
                           union pl_scalar *ret, bool *given)
{
    const struct pl_tensor *x = pl_in(c, 0), *t = pl_in(c, input);
    const struct pl_attr *a = pl_ir_attr(c->node, attr);
    *given = t || a;
    if (t && (t->type != x->type || pl_tensor_count(t) != 1))
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "%s is no scalar of the input's type", attr);
    if (t) {
        pl_lane_load(ret, t->data, t->type, 1, 0);
    } else if (a) {
        float v = a->v.f;
        pl_lane_convert(ret, pl_lane_of(x->type), &v, PL_LANE_F32, 1);
    }
    return PLATEN_OK;
}

platen_status pl_run_clip(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0);
    const size_t count = pl_tensor_count(x), size = pl_dtype_bytes(x->type);
    union pl_scalar lo, hi;
    bool has_lo, has_hi;
    uint64_t a[CHUNK];
    platen_status s = bound(c, "min", 1, &lo, &has_lo);
    s = s ? s : bound(c, "max", 2, &hi, &has_hi);
    for (size_t i = 0; i < count && !s; i += CHUNK) {
        size_t n = PL_MIN(count - i, (size_t)CHUNK);
        pl_lane_load(a, (const uint8_t *)x->data + i * size, x->type, n, 1);
        clamp(pl_lane_of(x->type), a, n, has_lo ? &lo : NULL, has_hi ? &hi : NULL);
        pl_lane_store((uint8_t *)pl_out(c, 0)->data + i * size, x->type, a, n);
    }
    return s;
}
