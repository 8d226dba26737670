/* SPDX-License-Identifier: BSD-2-Clause */
/* Resize and Upsample: one axis after the other; every place of the output is a short sum over
 * places of the input. */
#include "nn/operators.h"

#include <math.h>
#include <string.h>

enum resize_kind { NEAREST, LINEAR, CUBIC };

/* The attributes of the node. */
struct options {
    enum resize_kind kind;
    /* coordinate_transformation_mode and nearest_mode. Before opset 11, which brought them, the
     * mode is one of its own, "away": floor where an axis grows, ceil where it shrinks. */
    const char *place, *nearest;
    bool antialias, exclude_outside;
    double cubic_a, outside; /* value of what lies outside of a crop */
};

/* An axis: its scale and, for a crop, the part of the input from 0 to 1. */
struct resize_axis {
    bool resized;
    int64_t in, out;
    double scale, start, end;
};

/* The sums of an axis: output i is sum over k of weight[i * taps + k] * input[index[i * taps + k]].
 */
struct resize_sums {
    size_t taps;
    int64_t *index;
    double *weight;
    bool *outside; /* of output i */
};

static platen_status read_options(const struct pl_call *c, struct options *ret)
{
    const struct pl_ir_node *n = c->node;
    const char *mode = pl_ir_string(n, "mode", "nearest");
    const bool old = c->opset < 11; /* and Upsample */
    *ret = (struct options){
        .kind = !strcmp(mode, "nearest") ? NEAREST
                : !strcmp(mode, "cubic") ? CUBIC
                                         : LINEAR,
        .place =
            pl_ir_string(n, "coordinate_transformation_mode", old ? "asymmetric" : "half_pixel"),
        .nearest = pl_ir_string(n, "nearest_mode", old ? "away" : "round_prefer_floor"),
        .antialias = pl_ir_int(n, "antialias", 0),
        .exclude_outside = pl_ir_int(n, "exclude_outside", 0),
        .cubic_a = (double)pl_ir_float(n, "cubic_coeff_a", -0.75f),
        .outside = (double)pl_ir_float(n, "extrapolation_value", 0.0f)};
    if (strcmp(mode, "nearest") && strcmp(mode, "linear") && strcmp(mode, "cubic") &&
        strcmp(mode, "bilinear"))
        return pl_call_fail(c, PLATEN_ERR_UNSUPPORTED, "mode '%.20s'", mode);
    static const char *const places[] = {
        "half_pixel", "half_pixel_symmetric", "pytorch_half_pixel",  "align_corners",
        "asymmetric", "tf_crop_and_resize",   "tf_half_pixel_for_nn"};
    for (size_t i = 0; i < PL_ARRAY_LEN(places); i++)
        if (!strcmp(ret->place, places[i]))
            return PLATEN_OK;
    return pl_call_fail(c, PLATEN_ERR_UNSUPPORTED, "coordinates '%.30s'", ret->place);
}

/* Returns input i; NULL where it is left out or empty. */
static const struct pl_tensor *given(const struct pl_call *c, uint32_t i)
{
    const struct pl_tensor *t = pl_in(c, i);
    return t && pl_tensor_count(t) ? t : NULL;
}

static platen_status apply_sizes(const struct pl_call *c, const struct pl_tensor *sizes,
                                 const int *axes, int n, struct resize_axis *ax)
{
    const char *policy = pl_ir_string(c->node, "keep_aspect_ratio_policy", "stretch");
    const bool stretch = !strcmp(policy, "stretch"), larger = !strcmp(policy, "not_smaller");
    double ratio = 0;
    for (int i = 0; i < n; i++) {
        struct resize_axis *a = &ax[axes[i]];
        a->out = pl_tensor_i64(sizes, (size_t)i);
        if (a->out < 0 || a->out > PL_MAX_ELEMENTS || a->in < 1)
            return pl_call_fail(c, PLATEN_ERR_LIMIT, "a size of %lld", (long long)a->out);
        a->scale = (double)a->out / (double)a->in;
        if (i == 0 || (larger ? a->scale > ratio : a->scale < ratio))
            ratio = a->scale;
    }
    for (int i = 0; i < n && !stretch; i++) {
        struct resize_axis *a = &ax[axes[i]];
        a->scale = ratio;
        a->out = (int64_t)(ratio * (double)a->in + 0.5);
    }
    return PLATEN_OK;
}

static platen_status apply_scales(const struct pl_call *c, const struct pl_tensor *scales,
                                  const int *axes, int n, bool crop, struct resize_axis *ax)
{
    const struct pl_attr *list = pl_ir_attr(c->node, "scales");
    for (int i = 0; i < n; i++) {
        struct resize_axis *a = &ax[axes[i]];
        const float scale = scales ? (float)pl_tensor_f64(scales, (size_t)i) : list->v.floats[i];
        const float part = crop ? (float)(a->end - a->start) : 1;
        /* in floats, as 5 / 3 of 3 pixels is 5 in floats alone */
        const float out = floorf((float)a->in * part * scale);
        if (!(scale > 0) || !(out >= 0 && (double)out <= (double)PL_MAX_ELEMENTS))
            return pl_call_fail(c, PLATEN_ERR_LIMIT, "a scale of %g", (double)scale);
        a->out = (int64_t)out;
        /* a scale that was made of the sizes stands for their ratio */
        const double ratio = (double)a->out / (double)a->in;
        a->scale = (float)ratio == scale ? ratio : (double)scale;
    }
    return PLATEN_OK;
}

/* Reads sizes and scales of every axis. The inputs are X, roi, scales and sizes; up to opset 10
 * they are X and scales. */
static platen_status read_axes(struct pl_call *c, const struct options *o, struct resize_axis *ax)
{
    const struct pl_tensor *x = pl_in(c, 0);
    const bool old = pl_call_id(c) == PL_OP_Upsample || c->opset < 11;
    const bool crop = !strcmp(o->place, "tf_crop_and_resize");
    const struct pl_attr *attr = pl_ir_attr(c->node, "axes");
    const struct pl_attr *list = pl_ir_attr(c->node, "scales");
    const struct pl_tensor *roi = old ? NULL : given(c, 1);
    const struct pl_tensor *scales = given(c, old ? 1 : 2), *sizes = old ? NULL : given(c, 3);
    int axes[PL_MAX_RANK], n = attr ? (int)attr->n : x->rank;
    platen_status s = PLATEN_OK;
    for (uint32_t i = 1; i < 4 && !s; i++)
        s = pl_call_known(c, i);
    if (!s && (n > x->rank || (scales && sizes) || (!scales && !sizes && !list)))
        s = pl_call_fail(c, PLATEN_ERR_FORMAT, "neither or both of scales and sizes");
    size_t numbers = s        ? 0
                     : sizes  ? pl_tensor_count(sizes)
                     : scales ? pl_tensor_count(scales)
                              : list->n;
    if (!s && (numbers != (size_t)n || (crop && (!roi || pl_tensor_count(roi) != 2 * (size_t)n))))
        s = pl_call_fail(c, PLATEN_ERR_FORMAT, "scales, sizes or region do not fit");
    for (int i = 0; i < x->rank; i++)
        ax[i] = (struct resize_axis){.in = x->dims[i], .out = x->dims[i], .scale = 1, .end = 1};
    for (int i = 0; i < n && !s; i++) {
        axes[i] = i;
        s = attr ? pl_call_axis(c, attr->v.ints[i], x->rank, &axes[i]) : PLATEN_OK;
        if (!s && crop) {
            ax[axes[i]].start = pl_tensor_f64(roi, (size_t)i);
            ax[axes[i]].end = pl_tensor_f64(roi, (size_t)(i + n));
        }
    }
    if (s)
        return s;
    s = sizes ? apply_sizes(c, sizes, axes, n, ax) : apply_scales(c, scales, axes, n, crop, ax);
    for (int i = 0; i < x->rank && !s; i++)
        ax[i].resized =
            ax[i].out != ax[i].in || ax[i].scale != 1 || ax[i].start != 0 || ax[i].end != 1;
    return s;
}

platen_status pl_infer_resize(struct pl_call *c)
{
    struct options o;
    struct resize_axis ax[PL_MAX_RANK];
    int64_t dims[PL_MAX_RANK];
    platen_status s = read_options(c, &o);
    s = s ? s : read_axes(c, &o, ax);
    for (int i = 0; i < pl_in(c, 0)->rank && !s; i++)
        dims[i] = ax[i].out;
    return s ? s : pl_call_shape(c, 0, pl_in(c, 0)->type, pl_in(c, 0)->rank, dims);
}

/* Returns x / scale, exact where a whole number comes out of the ratio of the sizes. */
static double unscaled(const struct resize_axis *a, double x)
{
    const double in = (double)a->in, out = (double)a->out;
    return a->scale == out / in ? x * in / out : x / a->scale;
}

/* Returns the position of output place i among the places of the input. */
static double place_of(const struct options *o, const struct resize_axis *a, int64_t i)
{
    const double in = (double)a->in, x = (double)i, width = a->scale * in;
    const char *m = o->place;
    if (!strcmp(m, "align_corners"))
        return a->out == 1 ? 0 : x * (in - 1) / (width - 1);
    if (!strcmp(m, "asymmetric"))
        return unscaled(a, x);
    if (!strcmp(m, "tf_half_pixel_for_nn"))
        return unscaled(a, x + 0.5);
    if (!strcmp(m, "tf_crop_and_resize"))
        return a->out == 1 ? (a->start + a->end) * (in - 1) / 2
                           : a->start * (in - 1) +
                                 x * (a->end - a->start) * (in - 1) / ((double)a->out - 1);
    if (!strcmp(m, "pytorch_half_pixel") && a->out == 1)
        return 0;
    double half = unscaled(a, x + 0.5) - 0.5;
    if (!strcmp(m, "half_pixel_symmetric"))
        half += in / 2 * (1 - (double)a->out / width);
    return half;
}

/* Returns the cubic kernel of Keys (1981) at x. */
static double cubic(double x, double a)
{
    x = fabs(x);
    if (x <= 1)
        return ((a + 2) * x - (a + 3)) * x * x + 1;
    return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}

/* Returns the weight of the input place that lies d places from the position. */
static double weight_of(const struct options *o, double d, double scale)
{
    d *= scale;
    return o->kind == CUBIC ? cubic(d, o->cubic_a) : PL_MAX(0, 1 - fabs(d));
}

static bool takes_right(const struct options *o, double scale, double ratio)
{
    if (!strcmp(o->nearest, "floor") || (!strcmp(o->nearest, "away") && scale >= 1))
        return ratio == 1;
    if (!strcmp(o->nearest, "round_prefer_ceil"))
        return ratio >= 0.5;
    return !strcmp(o->nearest, "ceil") || !strcmp(o->nearest, "away") || ratio > 0.5;
}

/* Fills the weights of the nearest places around x, an even number of them; their sum is 1. */
static void fill_sum(const struct options *o, const struct resize_axis *a, double x, double scale,
                     size_t taps, int64_t *index, double *weight)
{
    const int64_t left = (int64_t)ceil(x) - 1;
    const double ratio = x - (double)left; /* in (0, 1] */
    double sum = 0;
    for (size_t k = 0; k < taps; k++) {
        int64_t at = left + 1 - (int64_t)(taps / 2) + (int64_t)k;
        weight[k] = o->kind == NEAREST ? (double)(takes_right(o, a->scale, ratio) == (k == 1))
                                       : weight_of(o, (double)at - x, scale);
        if (o->exclude_outside && (at < 0 || at >= a->in))
            weight[k] = 0;
        sum += weight[k];
        index[k] = PL_CLAMP(at, 0, a->in - 1);
    }
    for (size_t k = 0; k < taps && sum != 0; k++)
        weight[k] /= sum;
}

static platen_status make_sums(struct pl_call *c, const struct options *o,
                               const struct resize_axis *a, struct resize_sums *ret)
{
    const double scale = o->antialias && o->kind != NEAREST ? PL_MIN(a->scale, 1) : 1;
    const double reach = ceil((o->kind == CUBIC ? 2 : 1) / scale);
    const bool crop = !strcmp(o->place, "tf_crop_and_resize");
    if (!(reach <= 65536))
        return pl_call_fail(c, PLATEN_ERR_LIMIT, "a scale of %g", a->scale);
    ret->taps = 2 * (size_t)reach;
    ret->index = pl_call_scratch(c, (size_t)a->out * ret->taps, sizeof(int64_t));
    ret->weight = pl_call_scratch(c, (size_t)a->out * ret->taps, sizeof(double));
    ret->outside = pl_call_scratch(c, (size_t)a->out, sizeof(bool));
    if (!ret->index || !ret->weight || !ret->outside)
        return PLATEN_ERR_NOMEM;
    for (int64_t i = 0; i < a->out; i++) {
        double x = place_of(o, a, i);
        ret->outside[i] = crop && a->resized && (x < 0 || x > (double)(a->in - 1));
        x = PL_CLAMP(x, -1, (double)a->in);
        fill_sum(o, a, x, scale, ret->taps, ret->index + (size_t)i * ret->taps,
                 ret->weight + (size_t)i * ret->taps);
    }
    return PLATEN_OK;
}

/* Resizes one axis of a box of doubles, [outer][in][inner], to [outer][out][inner]. */
static void resize_axis(const struct resize_sums *s, const struct resize_axis *a, double outside,
                        size_t outer, size_t inner, const double *x, double *y)
{
    for (size_t o = 0; o < outer; o++)
        for (int64_t i = 0; i < a->out; i++)
            for (size_t k = 0; k < inner; k++) {
                double sum = 0;
                for (size_t t = 0; t < s->taps; t++) {
                    size_t tap = (size_t)i * s->taps + t;
                    if (s->weight[tap] != 0)
                        sum += s->weight[tap] *
                               x[(o * (size_t)a->in + (size_t)s->index[tap]) * inner + k];
                }
                y[(o * (size_t)a->out + (size_t)i) * inner + k] = s->outside[i] ? outside : sum;
            }
}

/* From which place of the input each output along an axis is read and, where `outside` is not
 * NULL, whether the output lies outside of the input. */
struct picks {
    int64_t *from;
    bool *outside;
    bool twice; /* each place is read for two outputs, in order */
};

static bool is_twice(const struct picks *p, int64_t n)
{
    bool twice = n % 2 == 0;
    for (int64_t i = 0; i < n && twice; i++)
        twice = p->from[i] == i / 2;
    return twice;
}

static platen_status make_picks(struct pl_call *c, const struct resize_sums *sums,
                                const struct resize_axis *a, struct picks *ret)
{
    ret->from = pl_call_scratch(c, (size_t)a->out, sizeof(*ret->from));
    ret->outside = pl_call_scratch(c, (size_t)a->out, sizeof(*ret->outside));
    if (!ret->from || !ret->outside)
        return PLATEN_ERR_NOMEM;
    for (int64_t i = 0; i < a->out; i++) {
        const size_t tap = (size_t)i * sums->taps;
        ret->from[i] = !a->resized              ? i
                       : sums->weight[tap] != 0 ? sums->index[tap]
                                                : sums->index[tap + 1];
        ret->outside[i] = a->resized && sums->outside[i];
    }
    ret->twice = is_twice(ret, a->out);
    return PLATEN_OK;
}

/* d[2 i] = d[2 i + 1] = s[i] for i < n. */
static void copy_twice(uint32_t *restrict d, const uint32_t *restrict s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        d[2 * i] = d[2 * i + 1] = s[i];
}

static void pick_row(uint8_t *d, const uint8_t *s, const struct picks *p, int64_t n, size_t size)
{
    const int64_t *from = p->from;
    if (size == 4 && p->twice)
        copy_twice((uint32_t *)(void *)d, (const uint32_t *)(const void *)s, (size_t)n / 2);
    else if (size == 4)
        for (int64_t i = 0; i < n; i++)
            ((uint32_t *)(void *)d)[i] = ((const uint32_t *)(const void *)s)[from[i]];
    else if (size % 16 == 0) /* pixels of bytes: a call for each costs more than the copy */
        for (int64_t i = 0; i < n; i++)
            for (size_t k = 0; k < size; k += 16)
                memcpy(d + (size_t)i * size + k, s + (size_t)from[i] * size + k, 16);
    else
        for (int64_t i = 0; i < n; i++)
            memcpy(d + (size_t)i * size, s + (size_t)from[i] * size, size);
}

/* Resizes by the nearest element. Nothing is computed, so that elements of any type are copied. */
static platen_status pick(struct pl_call *c, const struct resize_sums *sums,
                          const struct resize_axis *ax, bool crop, double outside)
{
    const struct pl_tensor *x = pl_in(c, 0), *y = pl_out(c, 0);
    size_t size = pl_dtype_bytes(x->type);
    int inner = x->rank - 1;
    int64_t at[PL_MAX_RANK] = {0};
    ptrdiff_t step[PL_MAX_RANK];
    struct picks p[PL_MAX_RANK];
    platen_status s = PLATEN_OK;
    if (inner < 0) {
        memcpy(y->data, x->data, size);
        return PLATEN_OK;
    }
    for (int i = 0; i < x->rank && !s; i++)
        s = make_picks(c, &sums[i], &ax[i], &p[i]);
    if (s)
        return s;
    pl_dense_steps(x, step);
    /* what is not resized at the end goes as one */
    for (; inner > 0 && !ax[inner].resized && !crop; inner--)
        size *= (size_t)x->dims[inner];
    const size_t element = pl_dtype_bytes(x->type);
    const int64_t width = y->dims[inner];
    const uint8_t *before = NULL; /* the row of the input that the last row came from */
    uint8_t *d = y->data;
    do {
        const uint8_t *from = x->data;
        bool out = false;
        for (int i = 0; i < inner; i++) {
            out |= p[i].outside[at[i]];
            from += (size_t)p[i].from[at[i]] * (size_t)step[i] * element;
        }
        if (from == before)
            memcpy(d, d - (size_t)width * size, (size_t)width * size);
        else
            pick_row(d, from, &p[inner], width, size);
        before = from;
        for (int64_t i = 0; i < width && crop; i++)
            if (out || p[inner].outside[i]) {
                pl_tensor_cast_row(d + (size_t)i * size, y->type, &outside, PL_F64, 1);
                before = NULL;
            }
        d += (size_t)width * size;
    } while (pl_odometer(inner, y->dims, at));
    return PLATEN_OK;
}

static platen_status blend(struct pl_call *c, const struct resize_sums *sums,
                           const struct resize_axis *ax, double outside)
{
    const struct pl_tensor *x = pl_in(c, 0), *y = pl_out(c, 0);
    struct pl_tensor now = *x;
    double *from = pl_call_scratch(c, pl_tensor_count(x), sizeof(double));
    if (!from)
        return PLATEN_ERR_NOMEM;
    pl_tensor_cast_row(from, PL_F64, x->data, x->type, pl_tensor_count(x));
    for (int i = 0; i < x->rank; i++) {
        if (!ax[i].resized)
            continue;
        const size_t outer = pl_tensor_span(&now, 0, i);
        const size_t inner = pl_tensor_span(&now, i + 1, now.rank);
        now.dims[i] = ax[i].out;
        if (!pl_tensor_shape(&now, x->type, x->rank, now.dims))
            return pl_call_fail(c, PLATEN_ERR_LIMIT, "a shape beyond the limits");
        double *to = pl_call_scratch(c, pl_tensor_count(&now), sizeof(double));
        if (!to)
            return PLATEN_ERR_NOMEM;
        resize_axis(&sums[i], &ax[i], outside, outer, inner, from, to);
        from = to;
    }
    if (!pl_dtype_is_float(y->type)) /* integers round */
        for (size_t i = 0; i < pl_tensor_count(y); i++)
            from[i] = rint(from[i]);
    pl_tensor_cast_row(y->data, y->type, from, PL_F64, pl_tensor_count(y));
    return PLATEN_OK;
}

platen_status pl_run_resize(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0), *y = pl_out(c, 0);
    struct options o;
    struct resize_axis ax[PL_MAX_RANK];
    struct resize_sums sums[PL_MAX_RANK] = {0};
    platen_status s = read_options(c, &o);
    s = s ? s : read_axes(c, &o, ax);
    if (s || !pl_tensor_count(y))
        return s;
    if (!pl_tensor_count(x))
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "the input is empty");
    for (int i = 0; i < x->rank && !s; i++)
        if (ax[i].resized)
            s = make_sums(c, &o, &ax[i], &sums[i]);
    if (s)
        return s;
    const bool crop = !strcmp(o.place, "tf_crop_and_resize");
    return o.kind != NEAREST ? blend(c, sums, ax, o.outside) : pick(c, sums, ax, crop, o.outside);
}
