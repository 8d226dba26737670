/* SPDX-License-Identifier: BSD-2-Clause */
/* Pooling: the mean, the largest element or the norm of each window. */
#include "nn/op/op_window.h"

#include <math.h>
#include <string.h>

/* The largest numbers down columns are found for rows of so many floats at a time: these stay in a
 * first cache, with what they are made of. */
#define COLUMN_FLOATS ((size_t)2048)

platen_status pl_infer_pool(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0);
    struct pl_window w;
    int64_t dims[PL_MAX_RANK];
    platen_status s = pl_window_read(c, x, NULL, &w);
    s = s ? s : pl_window_slide(c, &w);
    if (s)
        return s;
    for (int i = 0; i < x->rank; i++)
        dims[i] = i < 2 ? x->dims[i] : w.out[PL_MAX_SPACE - w.n + i - 2];
    s = pl_call_shape(c, 0, x->type, x->rank, dims);
    return s ? s : pl_call_shape(c, 1, PL_I64, x->rank, dims);
}

/* The part of one window that lies on the picture. */
struct pool_taps {
    int64_t first[PL_MAX_SPACE], last[PL_MAX_SPACE]; /* kernel positions, last excluded */
    int64_t from[PL_MAX_SPACE];                      /* of kernel position 0, in the picture */
    int64_t padded;                                  /* positions within picture and padding */
};

static struct pool_taps taps_of(const struct pl_window *w, const int64_t *at)
{
    struct pool_taps t = {.padded = 1};
    for (int i = 0; i < PL_MAX_SPACE; i++) {
        const int64_t d = w->dilation[i], from = at[i] * w->stride[i] - w->before[i];
        int64_t inside = 0;
        t.from[i] = from;
        t.first[i] = from < 0 ? (-from + d - 1) / d : 0;
        t.last[i] = from < w->in[i] ? PL_MIN(w->kernel[i], (w->in[i] - 1 - from) / d + 1) : 0;
        t.last[i] = PL_MAX(t.last[i], t.first[i]);
        inside = PL_MIN(w->kernel[i], (w->in[i] + w->after[i] - 1 - from) / d + 1);
        t.padded *= PL_MAX(inside, 0);
    }
    return t;
}

/* What fold_window() makes of the values of a window. */
struct window_sum {
    double sum, top;
    int64_t count, at; /* taps; index of the largest in the plane, storage order of the picture */
};

static struct window_sum fold_window(const struct pl_window *w, const struct pool_taps *t,
                                     const struct pl_tensor *x, size_t plane, int id, double p)
{
    struct window_sum r = {.at = -1};
    for (int64_t a = t->first[0]; a < t->last[0]; a++)
        for (int64_t b = t->first[1]; b < t->last[1]; b++)
            for (int64_t e = t->first[2]; e < t->last[2]; e++) {
                int64_t at = ((t->from[0] + a * w->dilation[0]) * w->in[1] + t->from[1] +
                              b * w->dilation[1]) *
                                 w->in[2] +
                             t->from[2] + e * w->dilation[2];
                size_t i = plane + (size_t)at;
                double v =
                    x->type == PL_F32 ? (double)((const float *)x->data)[i] : pl_tensor_f64(x, i);
                r.count++;
                if (id == PL_OP_LpPool)
                    r.sum += pow(fabs(v), p);
                else
                    r.sum += v;
                if (r.at < 0 || v > r.top || (isnan(v) && !isnan(r.top))) {
                    r.top = v;
                    r.at = at;
                }
            }
    return r;
}

/* Returns the index of an element where the first axis of the picture runs fastest
 * (storage_order 1). */
static int64_t column_major(const struct pl_window *w, int64_t at)
{
    int64_t z = at % w->in[2], y = at / w->in[2] % w->in[1], x = at / w->in[2] / w->in[1];
    return x + w->in[0] * (y + w->in[1] * z);
}

/* Sets first and last so that tap k of the last axis lies on the picture for columns first..last
 * - 1 of the output. */
static void columns_of(const struct pl_window *w, int64_t k, int64_t *first, int64_t *last,
                       int64_t *shift)
{
    const int64_t stride = w->stride[2];
    *shift = k * w->dilation[2] - w->before[2];
    *first = *shift < 0 ? (-*shift + stride - 1) / stride : 0;
    *last = *shift < w->in[2] ? PL_MIN(w->out[2], (w->in[2] - 1 - *shift) / stride + 1) : 0;
}

/* A run of windows of a row that meet the picture in the same taps. */
struct pool_run {
    size_t at, n;      /* windows at..at + n - 1 */
    size_t from, taps; /* the column that the first tap of the first window meets */
};

/* Cuts a row of windows, all of which lie alike in every row; returns the number of runs. */
static size_t cut_row(const struct pl_window *w, struct pool_run *r)
{
    const int64_t d = w->dilation[2], span = (w->kernel[2] - 1) * d + 1;
    size_t count = 0;
    for (int64_t i = 0, n; i < w->out[2]; i += n) {
        const int64_t from = i * w->stride[2] - w->before[2];
        const int64_t inside = (w->in[2] - span - from) / w->stride[2] + 1; /* whole windows */
        const int64_t first = from < 0 ? (-from + d - 1) / d : 0;
        const int64_t last = from < w->in[2] ? (w->in[2] - 1 - from) / d + 1 : 0;
        const int64_t taps = PL_MAX(PL_MIN(last, w->kernel[2]) - first, 0);
        n = from < 0 || from + span > w->in[2] ? 1 : PL_MIN(inside, w->out[2] - i);
        r[count++] = (struct pool_run){.at = (size_t)i,
                                       .n = (size_t)n,
                                       .from = taps ? (size_t)(from + first * d) : 0,
                                       .taps = (size_t)taps};
    }
    return count;
}

/* Sets column[0..width of the picture) to the largest down each column of a row of windows; `deep`
 * is room for a row for each depth of the kernel. */
static void max_columns(const struct pl_window *w, const struct pool_taps *t, const float *x,
                        float *column, float *deep, const struct pl_kernels *k)
{
    const size_t width = (size_t)w->in[2], depth = (size_t)(t->last[0] - t->first[0]);
    const size_t rows = (size_t)(t->last[1] - t->first[1]);
    float *to = depth == 1 ? column : deep;
    for (int64_t a = t->first[0]; a < t->last[0]; a++, to += width)
        k->max_taps_f32(to,
                        rows ? x + ((t->from[0] + a * w->dilation[0]) * w->in[1] + t->from[1] +
                                    t->first[1] * w->dilation[1]) *
                                       w->in[2]
                             : x,
                        width, 1, rows, (size_t)w->dilation[1] * width);
    if (depth != 1)
        k->max_taps_f32(column, deep, width, 1, depth, width);
}

/* Computes MaxPool of float32, some rows of windows at a time: down the columns of the picture,
 * then along the rows. The numbers between the two are read at other places than they were written,
 * and with one row at a time the processor would have to wait for the writes. */
static platen_status max_planes(struct pl_call *c, const struct pl_window *w)
{
    const struct pl_kernels *k = c->kernels;
    const struct pl_tensor *x = pl_in(c, 0);
    const size_t width = (size_t)w->in[2], rows = (size_t)(w->out[0] * w->out[1]);
    const size_t some = PL_CLAMP(COLUMN_FLOATS / PL_MAX(width, 1), 1, PL_MAX(rows, 1));
    struct pool_taps *taps = pl_call_scratch(c, rows, sizeof(*taps));
    struct pool_run *runs = pl_call_scratch(c, (size_t)w->out[2], sizeof(*runs));
    float *columns = pl_call_room(c, (some + (size_t)w->kernel[0]) * width, sizeof(*columns));
    float *y = pl_out(c, 0)->data;
    if (!taps || !runs || !columns)
        return PLATEN_ERR_NOMEM;
    const size_t n_runs = cut_row(w, runs);
    for (int64_t i = 0; i < (int64_t)rows; i++)
        taps[i] = taps_of(w, (int64_t[PL_MAX_SPACE]){i / w->out[1], i % w->out[1], 0});
    const float *plane = x->data;
    for (size_t p = 0; p < pl_tensor_span(x, 0, 2); p++, plane += pl_tensor_span(x, 2, x->rank))
        for (size_t first = 0, n; first < rows; first += n) {
            n = PL_MIN(rows - first, some);
            for (size_t i = 0; i < n; i++)
                max_columns(w, &taps[first + i], plane, columns + i * width, columns + some * width,
                            k);
            for (size_t i = 0; i < n; i++, y += w->out[2])
                for (const struct pool_run *r = runs; r < runs + n_runs; r++)
                    k->max_taps_f32(y + r->at, columns + i * width + r->from, r->n,
                                    (size_t)w->stride[2], r->taps, (size_t)w->dilation[2]);
        }
    return PLATEN_OK;
}

/* Adds up a row of windows, in the order of the taps. */
static void sum_row(const struct pl_window *w, const struct pool_taps *t, const float *x, double *y)
{
    const int64_t stride = w->stride[2];
    int64_t first, last, shift;
    memset(y, 0, (size_t)w->out[2] * sizeof(*y));
    for (int64_t a = t->first[0]; a < t->last[0]; a++)
        for (int64_t b = t->first[1]; b < t->last[1]; b++) {
            const float *row = x + ((t->from[0] + a * w->dilation[0]) * w->in[1] + t->from[1] +
                                    b * w->dilation[1]) *
                                       w->in[2];
            for (int64_t k = 0; k < w->kernel[2]; k++) {
                columns_of(w, k, &first, &last, &shift);
                for (int64_t i = first; i < last; i++)
                    y[i] += (double)row[i * stride + shift];
            }
        }
}

/* Returns how many places of window `at` along an axis count: those on the picture, or those on
 * the picture and its padding. */
static int64_t places_of(const struct pl_window *w, int axis, int64_t at, bool with_pad)
{
    const int64_t d = w->dilation[axis], from = at * w->stride[axis] - w->before[axis];
    const int64_t end = w->in[axis] + (with_pad ? w->after[axis] : 0) - 1;
    const int64_t first = !with_pad && from < 0 ? (-from + d - 1) / d : 0;
    const int64_t last = from <= end ? PL_MIN(w->kernel[axis], (end - from) / d + 1) : 0;
    return PL_MAX(last - first, 0);
}

/* Computes AveragePool of float32, row by row. */
static platen_status mean_rows(struct pl_call *c, const struct pl_window *w, bool with_pad)
{
    const struct pl_tensor *x = pl_in(c, 0);
    const size_t plane = pl_tensor_span(x, 2, x->rank), width = (size_t)w->out[2];
    double *sum = pl_call_scratch(c, width, sizeof(*sum));
    int64_t *places = pl_call_scratch(c, width, sizeof(*places)); /* of a window in its row */
    float *y = pl_out(c, 0)->data;
    if (!sum || !places)
        return PLATEN_ERR_NOMEM;
    for (int64_t i = 0; i < w->out[2]; i++)
        places[i] = places_of(w, 2, i, with_pad);
    for (size_t n = 0; n < pl_tensor_span(x, 0, 2); n++) {
        const float *from = (const float *)x->data + n * plane;
        int64_t at[PL_MAX_SPACE] = {0};
        do {
            const struct pool_taps t = taps_of(w, at);
            const int64_t rows =
                places_of(w, 0, at[0], with_pad) * places_of(w, 1, at[1], with_pad);
            sum_row(w, &t, from, sum);
            for (size_t i = 0; i < width; i++)
                y[i] = (float)(sum[i] /
                               (double)(with_pad ? rows * places[i] : PL_MAX(rows * places[i], 1)));
            y += width;
        } while (pl_odometer(PL_MAX_SPACE - 1, w->out, at));
    }
    return PLATEN_OK;
}

platen_status pl_run_pool(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0), *y = pl_out(c, 0), *index = pl_out(c, 1);
    const bool with_pad = pl_ir_int(c->node, "count_include_pad", 0);
    const bool columns = pl_ir_int(c->node, "storage_order", 0);
    const double p = (double)pl_ir_int(c->node, "p", 2);
    const int id = pl_call_id(c);
    struct pl_window w;
    platen_status s = pl_window_read(c, x, NULL, &w);
    s = s ? s : pl_window_slide(c, &w);
    if (!s && id != PL_OP_MaxPool && !pl_dtype_is_float(x->type))
        s = pl_call_unsupported_type(c, x->type);
    if (s || !pl_tensor_count(y ? y : index))
        return s;
    if (x->type == PL_F32 && !index && id != PL_OP_LpPool)
        return id == PL_OP_MaxPool ? max_planes(c, &w) : mean_rows(c, &w, with_pad);
    const size_t plane = pl_tensor_span(x, 2, x->rank);
    size_t i = 0;
    for (size_t n = 0; n < pl_tensor_span(x, 0, 2); n++) {
        int64_t at[PL_MAX_SPACE] = {0};
        do {
            struct pool_taps t = taps_of(&w, at);
            struct window_sum r = fold_window(&w, &t, x, n * plane, id, p);
            double v = id == PL_OP_MaxPool  ? (r.at < 0 ? -INFINITY : r.top)
                       : id == PL_OP_LpPool ? pow(r.sum, 1 / p)
                                            : r.sum / (double)(with_pad  ? t.padded
                                                               : r.count ? r.count
                                                                         : 1);
            if (y)
                pl_tensor_cast_row((uint8_t *)y->data + i * pl_dtype_bytes(y->type), y->type, &v,
                                   PL_F64, 1);
            if (index)
                ((int64_t *)index->data)[i] =
                    (int64_t)(n * plane) + (columns ? column_major(&w, r.at) : r.at);
            i++;
        } while (pl_odometer(PL_MAX_SPACE, w.out, at));
    }
    return PLATEN_OK;
}

platen_status pl_infer_global_pool(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0);
    struct pl_tensor t = *x;
    if (x->rank < 2 || !pl_dtype_is_float(x->type))
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "the input is no picture of floats");
    for (int i = 2; i < x->rank; i++)
        t.dims[i] = 1;
    return pl_call_like(c, 0, &t);
}

platen_status pl_run_global_pool(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0), *y = pl_out(c, 0);
    const double p = (double)pl_ir_int(c->node, "p", 2);
    const size_t plane = pl_tensor_span(x, 2, x->rank);
    const int id = pl_call_id(c);
    for (size_t n = 0; n < pl_tensor_count(y) && id == PL_OP_GlobalAveragePool && x->type == PL_F32;
         n++)
        ((float *)y->data)[n] = (float)(pl_sum_f32((const float *)x->data + n * plane, plane) /
                                        (double)PL_MAX(plane, 1));
    if (id == PL_OP_GlobalAveragePool && x->type == PL_F32)
        return PLATEN_OK;
    for (size_t n = 0; n < pl_tensor_count(y); n++) {
        double sum = 0, top = -INFINITY;
        for (size_t i = 0; i < plane; i++) {
            double v = x->type == PL_F32 ? (double)((const float *)x->data)[n * plane + i]
                                         : pl_tensor_f64(x, n * plane + i);
            sum += id == PL_OP_GlobalLpPool ? pow(fabs(v), p) : v;
            top = v > top || isnan(v) ? v : top;
        }
        double v = id == PL_OP_GlobalMaxPool  ? top
                   : id == PL_OP_GlobalLpPool ? pow(sum, 1 / p)
                                              : sum / (double)PL_MAX(plane, 1);
        pl_tensor_cast_row((uint8_t *)y->data + n * pl_dtype_bytes(y->type), y->type, &v, PL_F64,
                           1);
    }
    return PLATEN_OK;
}
