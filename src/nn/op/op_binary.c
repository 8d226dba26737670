/* SPDX-License-Identifier: BSD-2-Clause */
/* Operators of two or more inputs, element by element, under NumPy's broadcasting. */
#include "nn/operators.h"

#include <math.h>
#include <string.h>

#define CHUNK 256

#define EACH(expr)                                                                                 \
    for (size_t i = 0; i < n; i++) {                                                               \
        const T x = a[i], y = b[i];                                                                \
        d[i] = (expr);                                                                             \
    }                                                                                              \
    return true

#define COMPARISONS                                                                                \
    case PL_OP_Equal:                                                                              \
        EACH(x == y);                                                                              \
    case PL_OP_Greater:                                                                            \
        EACH(x > y);                                                                               \
    case PL_OP_GreaterOrEqual:                                                                     \
        EACH(x >= y);                                                                              \
    case PL_OP_Less:                                                                               \
        EACH(x < y);                                                                               \
    case PL_OP_LessOrEqual:                                                                        \
        EACH(x <= y);

/* Defines the operators of a type of floats. Max and Min give NaN where either input is NaN, as
 * in NumPy. */
#define DEFINE_FLOATS(NAME)                                                                        \
    static bool NAME(int id, bool option, T *d, const T *a, const T *b, size_t n)                  \
    {                                                                                              \
        switch (id) {                                                                              \
        case PL_OP_Add:                                                                            \
        case PL_OP_Sum:                                                                            \
        case PL_OP_Mean:                                                                           \
            EACH(x + y);                                                                           \
        case PL_OP_Sub:                                                                            \
            EACH(x - y);                                                                           \
        case PL_OP_Mul:                                                                            \
            EACH(x *y);                                                                            \
        case PL_OP_Div:                                                                            \
            EACH(x / y);                                                                           \
        case PL_OP_Max:                                                                            \
            EACH(x > y || x != x ? x : y);                                                         \
        case PL_OP_Min:                                                                            \
            EACH(x < y || x != x ? x : y);                                                         \
        case PL_OP_PRelu:                                                                          \
            EACH(x < 0 ? x * y : x);                                                               \
        case PL_OP_Mod:                                                                            \
            if (option) {                                                                          \
                EACH(F(fmod)(x, y));                                                               \
            }                                                                                      \
            EACH(x - y * F(floor)(x / y));                                                         \
        default:                                                                                   \
            return false;                                                                          \
        }                                                                                          \
    }                                                                                              \
    static bool NAME##_compare(int id, int64_t *d, const T *a, const T *b, size_t n)               \
    {                                                                                              \
        switch (id) {                                                                              \
            COMPARISONS                                                                            \
        default:                                                                                   \
            return false;                                                                          \
        }                                                                                          \
    }

#define T float
#define F(name) name##f
DEFINE_FLOATS(f32)
#undef T
#undef F
#define T double
#define F(name) name
DEFINE_FLOATS(f64)
#undef T
#undef F

/* Division of integers rounds towards 0. Division by 0, which ONNX leaves open, gives 0. */
static int64_t div_i64(int64_t x, int64_t y)
{
    return y == 0 ? 0 : y == -1 ? (int64_t)(0 - (uint64_t)x) : x / y;
}

/* Returns the remainder: with the sign of the divisor, or with that of the dividend as in C. */
static int64_t mod_i64(int64_t x, int64_t y, bool as_c)
{
    if (y == 0 || y == -1)
        return 0;
    int64_t r = x % y;
    return !as_c && r && (r < 0) != (y < 0) ? r + y : r;
}

static uint64_t shift(uint64_t x, uint64_t y, bool right)
{
    return y > 63 ? 0 : right ? x >> y : x << y;
}

#define T int64_t
static bool i64(int id, bool option, T *d, const T *a, const T *b, size_t n)
{
    switch (id) {
    case PL_OP_Add:
    case PL_OP_Sum:
        EACH((int64_t)((uint64_t)x + (uint64_t)y));
    case PL_OP_Sub:
        EACH((int64_t)((uint64_t)x - (uint64_t)y));
    case PL_OP_Mul:
        EACH((int64_t)((uint64_t)x * (uint64_t)y));
    case PL_OP_Div:
        EACH(div_i64(x, y));
    case PL_OP_Mod:
        EACH(mod_i64(x, y, option));
    case PL_OP_Max:
        EACH(x > y ? x : y);
    case PL_OP_Min:
        EACH(x < y ? x : y);
    case PL_OP_PRelu:
        EACH(x < 0 ? (int64_t)((uint64_t)x * (uint64_t)y) : x);
    case PL_OP_BitShift:
        EACH((int64_t)shift((uint64_t)x, (uint64_t)y, option));
    case PL_OP_BitwiseAnd:
    case PL_OP_And:
        EACH(x & y);
    case PL_OP_BitwiseOr:
    case PL_OP_Or:
        EACH(x | y);
    case PL_OP_BitwiseXor:
    case PL_OP_Xor:
        EACH(x ^ y);
        COMPARISONS
    default:
        return false;
    }
}
#undef T

#define T uint64_t
static bool u64(int id, bool option, T *d, const T *a, const T *b, size_t n)
{
    switch (id) {
    case PL_OP_Add:
    case PL_OP_Sum:
        EACH(x + y);
    case PL_OP_Sub:
        EACH(x - y);
    case PL_OP_Mul:
    case PL_OP_PRelu: /* never below 0 */
        EACH(id == PL_OP_Mul ? x * y : x);
    case PL_OP_Div:
        EACH(y ? x / y : 0);
    case PL_OP_Mod:
        EACH(y ? x % y : 0);
    case PL_OP_Max:
        EACH(x > y ? x : y);
    case PL_OP_Min:
        EACH(x < y ? x : y);
    case PL_OP_BitShift:
        EACH(shift(x, y, option));
    case PL_OP_BitwiseAnd:
        EACH(x & y);
    case PL_OP_BitwiseOr:
        EACH(x | y);
    case PL_OP_BitwiseXor:
        EACH(x ^ y);
    default:
        return false;
    }
}
static bool u64_compare(int id, int64_t *d, const T *a, const T *b, size_t n)
{
    switch (id) {
        COMPARISONS
    default:
        return false;
    }
}
#undef T

/* Applies the operator to rows of n elements of the lane's type. A comparison writes int64_t. */
struct binary_kind {
    int id;
    bool compare, option;
    enum pl_lane lane;
};

static bool run_row(const struct binary_kind *k, void *d, const void *a, const void *b, size_t n)
{
    switch (k->lane) {
    case PL_LANE_F32:
        return k->compare ? f32_compare(k->id, d, a, b, n) : f32(k->id, k->option, d, a, b, n);
    case PL_LANE_F64:
        return k->compare ? f64_compare(k->id, d, a, b, n) : f64(k->id, k->option, d, a, b, n);
    case PL_LANE_I64:
        return i64(k->id, k->option, d, a, b, n);
    default:
        return k->compare ? u64_compare(k->id, d, a, b, n) : u64(k->id, k->option, d, a, b, n);
    }
}

/* The box of an output with the steps of two inputs. Neighbouring axes are merged where both
 * inputs allow it. */
struct box {
    int rank;
    int64_t dims[PL_MAX_RANK];
    ptrdiff_t a[PL_MAX_RANK], b[PL_MAX_RANK];
};

static void make_box(struct box *box, const struct pl_tensor *out, const struct pl_tensor *a,
                     const struct pl_tensor *b)
{
    ptrdiff_t sa[PL_MAX_RANK], sb[PL_MAX_RANK];
    pl_broadcast_steps(a, out, sa);
    pl_broadcast_steps(b, out, sb);
    box->rank = 0;
    for (int i = 0; i < out->rank; i++) {
        int64_t n = out->dims[i];
        int last = box->rank - 1;
        if (n == 1)
            continue;
        if (last >= 0 && box->a[last] == sa[i] * n && box->b[last] == sb[i] * n) {
            box->dims[last] *= n;
            box->a[last] = sa[i];
            box->b[last] = sb[i];
            continue;
        }
        box->dims[box->rank] = n;
        box->a[box->rank] = sa[i];
        box->b[box->rank++] = sb[i];
    }
    if (!box->rank) {
        box->dims[0] = 1;
        box->a[0] = box->b[0] = 0;
        box->rank = 1;
    }
}

static bool is_lane(enum pl_dtype t)
{
    return t == PL_F32 || t == PL_F64 || t == PL_I64 || t == PL_U64;
}

/* A row of an input: element i is at + i * step elements, step 0 for one number for all. */
struct operand {
    const uint8_t *at;
    ptrdiff_t step;
};

/* Returns m <= CHUNK elements of a row from i on as they are, or loads them into `room`: one number
 * for all stays there as it is loaded first. */
static const void *chunk_of(const struct operand *o, enum pl_dtype type, int64_t i, size_t m,
                            uint64_t *room)
{
    const uint8_t *from = o->at + i * o->step * (ptrdiff_t)pl_dtype_bytes(type);
    if (is_lane(type) && o->step == 1)
        return from;
    if (o->step || !i)
        pl_lane_load(room, from, type, m, o->step);
    return room;
}

/* Computes one row of the box, in chunks that fit the buffers of the lanes. */
static bool run_chunks(const struct binary_kind *k, uint8_t *d, enum pl_dtype out_type,
                       const struct operand in[2], enum pl_dtype type, int64_t n)
{
    uint64_t la[CHUNK], lb[CHUNK], ld[CHUNK];
    const size_t out_size = pl_dtype_bytes(out_type);
    const bool direct_out = is_lane(type) && !k->compare;
    for (int64_t i = 0; i < n; i += CHUNK) {
        size_t m = (size_t)PL_MIN(n - i, (int64_t)CHUNK);
        const void *a = chunk_of(&in[0], type, i, m, la), *b = chunk_of(&in[1], type, i, m, lb);
        uint8_t *to = d + (size_t)i * out_size;
        if (!run_row(k, direct_out ? (void *)to : ld, a, b, m))
            return false;
        if (!direct_out)
            pl_lane_store(to, out_type, ld, m);
    }
    return true;
}

static platen_status run_binary(struct pl_call *c, const struct pl_tensor *a,
                                const struct pl_tensor *b, const struct pl_tensor *out,
                                const struct binary_kind *k)
{
    struct box box;
    int64_t at[PL_MAX_RANK] = {0};
    const size_t size = pl_dtype_bytes(a->type);
    if (a->type != b->type)
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "%s and %s do not mix", pl_dtype_name(a->type),
                            pl_dtype_name(b->type));
    if (!pl_tensor_count(out))
        return PLATEN_OK;
    make_box(&box, out, a, b);
    const int inner = box.rank - 1;
    uint8_t *d = out->data;
    do {
        ptrdiff_t ia = 0, ib = 0;
        for (int i = 0; i < inner; i++) {
            ia += (ptrdiff_t)at[i] * box.a[i];
            ib += (ptrdiff_t)at[i] * box.b[i];
        }
        const struct operand in[2] = {
            {(const uint8_t *)a->data + ia * (ptrdiff_t)size, box.a[inner]},
            {(const uint8_t *)b->data + ib * (ptrdiff_t)size, box.b[inner]}};
        if (!run_chunks(k, d, out->type, in, a->type, box.dims[inner]))
            return pl_call_unsupported_type(c, a->type);
        d += (size_t)box.dims[inner] * pl_dtype_bytes(out->type);
    } while (pl_odometer(inner, box.dims, at));
    return PLATEN_OK;
}

static bool option_of(const struct pl_call *c)
{
    if (pl_call_id(c) == PL_OP_Mod)
        return pl_ir_int(c->node, "fmod", 0);
    if (pl_call_id(c) == PL_OP_BitShift)
        return !strcmp(pl_ir_string(c->node, "direction", "LEFT"), "RIGHT");
    return false;
}

platen_status pl_infer_binary(struct pl_call *c)
{
    struct pl_tensor t;
    platen_status s = pl_call_broadcast(c, pl_in(c, 0), pl_in(c, 1), &t);
    return s ? s : pl_call_like(c, 0, &t);
}

platen_status pl_infer_compare(struct pl_call *c)
{
    struct pl_tensor t;
    platen_status s = pl_call_broadcast(c, pl_in(c, 0), pl_in(c, 1), &t);
    return s ? s : pl_call_shape(c, 0, PL_BOOL, t.rank, t.dims);
}

platen_status pl_run_binary(struct pl_call *c)
{
    const int id = pl_call_id(c);
    const struct binary_kind k = {
        .id = id,
        .compare = id == PL_OP_Equal || id == PL_OP_Greater || id == PL_OP_GreaterOrEqual ||
                   id == PL_OP_Less || id == PL_OP_LessOrEqual,
        .option = option_of(c),
        .lane = pl_lane_of(pl_in(c, 0)->type),
    };
    return run_binary(c, pl_in(c, 0), pl_in(c, 1), pl_out(c, 0), &k);
}

platen_status pl_infer_variadic(struct pl_call *c)
{
    struct pl_tensor t = *pl_in(c, 0);
    platen_status s = PLATEN_OK;
    for (uint32_t i = 1; i < c->n_in && !s; i++) {
        if (!pl_in(c, i))
            return pl_call_fail(c, PLATEN_ERR_FORMAT, "input %u is left out", i);
        struct pl_tensor a = t;
        s = pl_call_broadcast(c, &a, pl_in(c, i), &t);
    }
    return s ? s : pl_call_like(c, 0, &t);
}

static void broadcast_copy(const struct pl_tensor *out, const struct pl_tensor *t)
{
    ptrdiff_t to[PL_MAX_RANK], from[PL_MAX_RANK];
    pl_dense_steps(out, to);
    pl_broadcast_steps(t, out, from);
    pl_copy_box(out->data, to, t->data, from, out->rank, out->dims, pl_dtype_bytes(out->type));
}

/* Divides the sum by the number of inputs, for Mean. */
static void scale_mean(const struct pl_tensor *out, uint32_t n)
{
    for (size_t i = 0; i < pl_tensor_count(out); i++) {
        size_t size = pl_dtype_bytes(out->type);
        double v = pl_tensor_f64(out, i) / n;
        pl_tensor_cast_row((uint8_t *)out->data + i * size, out->type, &v, PL_F64, 1);
    }
}

platen_status pl_run_variadic(struct pl_call *c)
{
    const struct pl_tensor *out = pl_out(c, 0);
    const struct binary_kind k = {.id = pl_call_id(c), .lane = pl_lane_of(out->type)};
    platen_status s = PLATEN_OK;
    broadcast_copy(out, pl_in(c, 0));
    for (uint32_t i = 1; i < c->n_in && !s; i++)
        s = run_binary(c, out, pl_in(c, i), out, &k);
    if (!s && k.id == PL_OP_Mean)
        scale_mean(out, c->n_in);
    return s;
}

/* The rule is that of pl_infer_binary(), by which passes tell operators apart: Pow, whose inputs
 * may be of two types, is none of those. */
platen_status pl_infer_pow(struct pl_call *c)
{
    return pl_infer_binary(c);
}

static int64_t pow_i64(int64_t x, int64_t y)
{
    uint64_t r = 1, b = (uint64_t)x;
    if (y < 0)
        return x == 1 ? 1 : x == -1 ? (y % 2 ? -1 : 1) : 0;
    for (; y; y >>= 1, b *= b)
        if (y & 1)
            r *= b;
    return (int64_t)r;
}

/* The exponent of Pow may be of another type; the result has the type of the base. */
platen_status pl_run_pow(struct pl_call *c)
{
    const struct pl_tensor *a = pl_in(c, 0), *b = pl_in(c, 1), *out = pl_out(c, 0);
    const bool ints = !pl_dtype_is_float(a->type) && !pl_dtype_is_float(b->type);
    const size_t sa = pl_dtype_bytes(a->type), sb = pl_dtype_bytes(b->type);
    struct box box;
    int64_t at[PL_MAX_RANK] = {0};
    if (!pl_tensor_count(out))
        return PLATEN_OK;
    make_box(&box, out, a, b);
    uint8_t *d = out->data;
    do {
        ptrdiff_t ia = 0, ib = 0;
        for (int i = 0; i < box.rank; i++) {
            ia += (ptrdiff_t)at[i] * box.a[i];
            ib += (ptrdiff_t)at[i] * box.b[i];
        }
        const uint8_t *pa = (const uint8_t *)a->data + ia * (ptrdiff_t)sa;
        const uint8_t *pb = (const uint8_t *)b->data + ib * (ptrdiff_t)sb;
        if (ints) {
            int64_t x, y;
            pl_tensor_cast_row(&x, PL_I64, pa, a->type, 1);
            pl_tensor_cast_row(&y, PL_I64, pb, b->type, 1);
            x = pow_i64(x, y);
            pl_tensor_cast_row(d, out->type, &x, PL_I64, 1);
        } else {
            double x, y;
            pl_tensor_cast_row(&x, PL_F64, pa, a->type, 1);
            pl_tensor_cast_row(&y, PL_F64, pb, b->type, 1);
            x = y == 2 ? x * x : pow(x, y);
            pl_tensor_cast_row(d, out->type, &x, PL_F64, 1);
        }
        d += sa;
    } while (pl_odometer(box.rank, box.dims, at));
    return PLATEN_OK;
}

platen_status pl_infer_where(struct pl_call *c)
{
    struct pl_tensor t, r;
    platen_status s = pl_call_broadcast(c, pl_in(c, 1), pl_in(c, 2), &t);
    s = s ? s : pl_call_broadcast(c, &t, pl_in(c, 0), &r);
    if (!s && (pl_in(c, 0)->type != PL_BOOL || pl_in(c, 1)->type != pl_in(c, 2)->type))
        s = pl_call_fail(c, PLATEN_ERR_FORMAT, "inputs of the wrong types");
    return s ? s : pl_call_like(c, 0, &r);
}

platen_status pl_run_where(struct pl_call *c)
{
    const struct pl_tensor *out = pl_out(c, 0);
    const size_t size = pl_dtype_bytes(out->type);
    ptrdiff_t step[3][PL_MAX_RANK];
    int64_t at[PL_MAX_RANK] = {0};
    for (uint32_t i = 0; i < 3; i++)
        pl_broadcast_steps(pl_in(c, i), out, step[i]);
    if (!pl_tensor_count(out))
        return PLATEN_OK;
    uint8_t *d = out->data;
    do {
        ptrdiff_t p[3] = {0};
        for (int i = 0; i < out->rank; i++)
            for (int k = 0; k < 3; k++)
                p[k] += (ptrdiff_t)at[i] * step[k][i];
        int from = ((const uint8_t *)pl_in(c, 0)->data)[p[0]] ? 1 : 2;
        memcpy(d, (const uint8_t *)pl_in(c, (uint32_t)from)->data + p[from] * (ptrdiff_t)size,
               size);
        d += size;
    } while (pl_odometer(out->rank, out->dims, at));
    return PLATEN_OK;
}
