/* SPDX-License-Identifier: BSD-2-Clause */
/* From floats to bytes and back, and what pictures of bytes go through between products. */
#include "nn/op/quant/op_quant.h"

#include <string.h>

#define BLOCK 256 /* pixels that are turned at a time */

/* Reads the attribute "scale" or "y_scale", by which floats are divided. */
static platen_status read_scale(const struct pl_call *c, const char *name, float *ret)
{
    *ret = pl_ir_float(c->node, name, 0);
    if (*ret >= 1e-30f && *ret <= 1e30f)
        return PLATEN_OK;
    return pl_call_fail(c, PLATEN_ERR_FORMAT, "attribute '%s' is missing or out of range", name);
}

/* Floats, `outer` times [channels][plane] or [plane][channels], and the bytes [plane][stored]
 * that stand for them. */
struct qmap_turn {
    bool channels_first, to_bytes;
    size_t outer, channels, plane, stored;
    float *floats;
    uint8_t *bytes;
    float factor; /* what the kernel multiplies by */
    int32_t zero;
};

static struct qmap_turn turn_of(const struct pl_call *c, const struct pl_tensor *floats,
                                const struct pl_tensor *bytes)
{
    const bool first = pl_ir_int(c->node, "channels_first", 0) != 0;
    const int axis = first ? 1 : floats->rank - 1;
    return (struct qmap_turn){.channels_first = first,
                              .to_bytes = floats == pl_in(c, 0),
                              .outer = pl_tensor_span(floats, 0, axis),
                              .channels = (size_t)floats->dims[axis],
                              .plane = pl_tensor_span(floats, axis + 1, floats->rank),
                              .stored = (size_t)bytes->dims[bytes->rank - 1],
                              .floats = floats->data,
                              .bytes = bytes->data};
}

/* Converts n floats to bytes, or back. */
static void convert_floats(const struct pl_kernels *k, const struct qmap_turn *t, float *f,
                           uint8_t *b, size_t n)
{
    if (t->to_bytes)
        k->quantize_u8(b, f, n, t->factor, t->zero);
    else
        k->dequantize_u8(f, b, n, t->factor, t->zero);
}

static void turn_rows(const struct pl_kernels *k, const struct qmap_turn *t)
{
    for (size_t i = 0; i < t->outer * t->plane; i++) {
        uint8_t *b = t->bytes + i * t->stored;
        convert_floats(k, t, t->floats + i * t->channels, b, t->channels);
        if (t->to_bytes)
            memset(b + t->channels, t->zero, t->stored - t->channels);
    }
}

/* Writes n pixels of four bytes from the rows of `block`: a transposition whose four rows the
 * compiler interleaves in vectors. */
static void turn_four(uint8_t *restrict b, const uint8_t *restrict block, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < 4; c++)
            b[4 * i + c] = block[c * BLOCK + i];
}

/* Converts planes of channels, by way of `block`, which has room for BLOCK pixels. */
static void turn_planes(const struct pl_kernels *k, const struct qmap_turn *t, uint8_t *block)
{
    memset(block + t->channels * BLOCK, t->zero, (t->stored - t->channels) * BLOCK);
    for (size_t o = 0; o < t->outer; o++)
        for (size_t at = 0; at < t->plane; at += BLOCK) {
            const size_t n = PL_MIN(t->plane - at, (size_t)BLOCK);
            uint8_t *b = t->bytes + (o * t->plane + at) * t->stored;
            if (!t->to_bytes)
                k->transpose_u8(block, BLOCK, b, t->stored, t->channels, n);
            for (size_t c = 0; c < t->channels; c++)
                convert_floats(k, t, t->floats + (o * t->channels + c) * t->plane + at,
                               block + c * BLOCK, n);
            if (t->to_bytes && t->stored == 4)
                turn_four(b, block, n);
            else if (t->to_bytes)
                k->transpose_u8(b, t->stored, block, BLOCK, n, t->stored);
        }
}

static platen_status convert_and_turn(struct pl_call *c, const struct qmap_turn *t)
{
    uint8_t *block = pl_call_room(c, t->stored, BLOCK);
    if (!block)
        return PLATEN_ERR_NOMEM;
    if (t->stored == 1) /* one channel: there is nothing to turn */
        convert_floats(c->kernels, t, t->floats, t->bytes, t->outer * t->plane);
    else if (t->channels_first)
        turn_planes(c->kernels, t, block);
    else
        turn_rows(c->kernels, t);
    return PLATEN_OK;
}

bool pl_q_takes_bytes(const struct pl_ir_node *n, float scale, int32_t zero)
{
    return n->op->id == PL_OP_QuantizeLast && pl_ir_int(n, "stored", 0) == 1 &&
           pl_ir_float(n, "y_scale", 0) == scale && pl_ir_int(n, "y_zero", -1) == zero;
}

platen_status pl_infer_quantize_last(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0);
    const bool first = pl_ir_int(c->node, "channels_first", 0) != 0;
    int64_t dims[PL_MAX_RANK], stored;
    float scale;
    int32_t zero;
    platen_status s = read_scale(c, "y_scale", &scale);
    s = s ? s : pl_q_zero(c, "y_zero", &zero);
    s = s ? s : pl_q_int(c, "stored", 1, 1 << 20, &stored);
    const bool bytes = x->type == PL_U8 && stored == 1; /* they mean what the result means */
    const int64_t channels = s || x->rank < (first ? 3 : 1) ? 0 : x->dims[first ? 1 : x->rank - 1];
    if (!s && ((x->type != PL_F32 && !bytes) || channels < 1 || channels > stored))
        s = pl_call_fail(c, PLATEN_ERR_FORMAT,
                         "the input is no floats, or of other channels than it says");
    if (s)
        return s;
    memcpy(dims, x->dims, sizeof(dims));
    for (int i = 1; first && i + 1 < x->rank; i++)
        dims[i] = x->dims[i + 1];
    dims[x->rank - 1] = stored;
    return pl_call_shape(c, 0, PL_U8, x->rank, dims);
}

platen_status pl_run_quantize_last(struct pl_call *c)
{
    struct qmap_turn t = turn_of(c, pl_in(c, 0), pl_out(c, 0));
    if (pl_in(c, 0)->type == PL_U8) {
        memcpy(t.bytes, pl_in(c, 0)->data, pl_tensor_bytes(pl_out(c, 0)));
        return PLATEN_OK;
    }
    t.zero = (int32_t)pl_ir_int(c->node, "y_zero", 0);
    t.factor = 1.0f / pl_ir_float(c->node, "y_scale", 1);
    return convert_and_turn(c, &t);
}

platen_status pl_infer_dequantize_last(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0);
    const bool first = pl_ir_int(c->node, "channels_first", 0) != 0;
    int64_t dims[PL_MAX_RANK], channels;
    float scale;
    int32_t zero;
    platen_status s = pl_q_bytes(c, 0, first ? 3 : 1, PL_MAX_RANK);
    s = s ? s : read_scale(c, "x_scale", &scale);
    s = s ? s : pl_q_zero(c, "x_zero", &zero);
    s = s ? s : pl_q_int(c, "channels", 1, x->dims[x->rank - 1], &channels);
    if (s)
        return s;
    memcpy(dims, x->dims, sizeof(dims));
    for (int i = 1; first && i + 1 < x->rank; i++)
        dims[i + 1] = x->dims[i];
    dims[first ? 1 : x->rank - 1] = channels;
    return pl_call_shape(c, 0, PL_F32, x->rank, dims);
}

platen_status pl_run_dequantize_last(struct pl_call *c)
{
    struct qmap_turn t = turn_of(c, pl_out(c, 0), pl_in(c, 0));
    t.zero = (int32_t)pl_ir_int(c->node, "x_zero", 0);
    t.factor = pl_ir_float(c->node, "x_scale", 1);
    return convert_and_turn(c, &t);
}

platen_status pl_infer_qtable(struct pl_call *c)
{
    platen_status s = pl_q_bytes(c, 0, 1, PL_MAX_RANK);
    s = s ? s : pl_q_array(c, 1, PL_U8, 256);
    return s ? s : pl_call_like(c, 0, pl_in(c, 0));
}

platen_status pl_run_qtable(struct pl_call *c)
{
    const struct pl_tensor *y = pl_out(c, 0);
    c->kernels->lut_u8(y->data, pl_in(c, 0)->data, pl_tensor_count(y), pl_in(c, 1)->data);
    return PLATEN_OK;
}

static platen_status read_add(const struct pl_call *c, struct pl_qadd *q)
{
    *q = (struct pl_qadd){.a_ratio = pl_ir_float(c->node, "a_ratio", 0),
                          .b_ratio = pl_ir_float(c->node, "b_ratio", 0)};
    platen_status s = pl_q_zero(c, "a_zero", &q->a_zero);
    s = s ? s : pl_q_zero(c, "b_zero", &q->b_zero);
    s = s ? s : pl_q_zero(c, "y_zero", &q->zero);
    return s;
}

platen_status pl_infer_qadd(struct pl_call *c)
{
    struct pl_qadd q;
    platen_status s = pl_q_bytes(c, 0, 1, PL_MAX_RANK);
    s = s ? s : pl_q_bytes(c, 1, 1, PL_MAX_RANK);
    s = s ? s : read_add(c, &q);
    if (!s && !pl_tensor_same_shape(pl_in(c, 0), pl_in(c, 1)))
        s = pl_call_fail(c, PLATEN_ERR_FORMAT, "the shapes differ");
    return s ? s : pl_call_like(c, 0, pl_in(c, 0));
}

platen_status pl_run_qadd(struct pl_call *c)
{
    struct pl_qadd q;
    platen_status s = read_add(c, &q);
    if (!s)
        c->kernels->qadd_u8(pl_out(c, 0)->data, pl_in(c, 0)->data, pl_in(c, 1)->data,
                            pl_tensor_count(pl_out(c, 0)), &q);
    return s;
}

/* Multiplies bytes by one float for each picture and channel. */
platen_status pl_infer_qscale(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0), *f = pl_in(c, 1);
    int32_t zero;
    int64_t channels;
    platen_status s = pl_q_bytes(c, 0, 3, PL_MAX_RANK);
    s = s ? s : pl_q_zero(c, "x_zero", &zero);
    s = s ? s : pl_q_zero(c, "y_zero", &zero);
    s = s ? s : pl_q_int(c, "channels", 1, x->dims[x->rank - 1], &channels);
    if (!s && (f->type != PL_F32 || x->dims[x->rank - 1] % 16 ||
               pl_tensor_count(f) != (size_t)x->dims[0] * (size_t)channels))
        s = pl_call_fail(c, PLATEN_ERR_FORMAT, "bytes and factors do not fit");
    return s ? s : pl_call_like(c, 0, x);
}

platen_status pl_run_qscale(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0), *y = pl_out(c, 0);
    const size_t stored = (size_t)x->dims[x->rank - 1], plane = pl_tensor_span(x, 1, x->rank - 1);
    const size_t channels = (size_t)pl_ir_int(c->node, "channels", 1);
    const float ratio = pl_ir_float(c->node, "ratio", 1), *from = pl_in(c, 1)->data;
    float *factor = pl_call_scratch(c, stored, sizeof(*factor));
    for (size_t n = 0; factor && n < (size_t)x->dims[0]; n++) {
        for (size_t k = 0; k < channels; k++)
            factor[k] = from[n * channels + k] * ratio;
        c->kernels->qscale_u8((uint8_t *)y->data + n * plane * stored,
                              (const uint8_t *)x->data + n * plane * stored, plane, stored, factor,
                              (int32_t)pl_ir_int(c->node, "x_zero", 0),
                              (int32_t)pl_ir_int(c->node, "y_zero", 0));
    }
    return factor ? PLATEN_OK : PLATEN_ERR_NOMEM;
}

/* Concatenates the channels of the inputs; the list tells how many of each count. */
static platen_status read_concat(const struct pl_call *c, const int64_t **ret, size_t *ret_sum)
{
    const struct pl_attr *list = pl_ir_attr(c->node, "channels");
    const struct pl_tensor *first = pl_in(c, 0);
    *ret_sum = 0;
    if (!first || !list || list->n != c->n_in)
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "channels of the inputs are missing");
    for (uint32_t i = 0; i < c->n_in; i++) {
        const struct pl_tensor *x = pl_in(c, i);
        platen_status s = pl_q_bytes(c, i, 2, PL_MAX_RANK);
        if (s)
            return s;
        const int last = x->rank - 1;
        if (x->rank != first->rank || list->v.ints[i] < 1 || list->v.ints[i] > x->dims[last] ||
            x->dims[last] > 1 << 20 ||
            memcmp(x->dims, first->dims, (size_t)last * sizeof(*x->dims)))
            return pl_call_fail(c, PLATEN_ERR_FORMAT, "the shapes differ");
        *ret_sum += (size_t)list->v.ints[i];
    }
    *ret = list->v.ints;
    return PLATEN_OK;
}

platen_status pl_infer_qconcat(struct pl_call *c)
{
    const int64_t *channels;
    size_t sum;
    int64_t dims[PL_MAX_RANK];
    platen_status s = read_concat(c, &channels, &sum);
    if (s)
        return s;
    memcpy(dims, c->in[0]->dims, sizeof(dims));
    dims[c->in[0]->rank - 1] = (int64_t)pl_q_stored(sum);
    return pl_call_shape(c, 0, PL_U8, c->in[0]->rank, dims);
}

platen_status pl_run_qconcat(struct pl_call *c)
{
    const struct pl_tensor *y = pl_out(c, 0);
    const size_t stored = (size_t)y->dims[y->rank - 1], n = pl_tensor_count(y) / stored;
    const int64_t *channels;
    size_t sum, at = 0;
    platen_status s = read_concat(c, &channels, &sum);
    for (uint32_t i = 0; i < c->n_in && !s; i++) {
        const size_t step = (size_t)pl_in(c, i)->dims[y->rank - 1], count = (size_t)channels[i];
        const uint8_t *from = pl_in(c, i)->data;
        uint8_t *to = (uint8_t *)y->data + at;
        for (size_t k = 0; k < n; k++, from += step, to += stored)
            memcpy(to, from, count);
        at += count;
    }
    for (size_t k = 0; k < n && !s && at < stored; k++)
        memset((uint8_t *)y->data + k * stored + at, 0, stored - at);
    return s;
}

/* Pooling takes the largest byte of a window, or the mean rounded to the nearest, ties to even. */
static platen_status read_pool(const struct pl_call *c, struct pl_window *w)
{
    platen_status s = pl_q_bytes(c, 0, 3, 4);
    s = s ? s : pl_q_window(c, pl_in(c, 0), w);
    if (!s &&
        (w->dilation[1] != 1 || w->dilation[2] != 1 || w->kernel[1] > 256 || w->kernel[2] > 256))
        s = pl_call_fail(c, PLATEN_ERR_UNSUPPORTED,
                         "a dilated window, or one of more than 256 pixels a side");
    return s;
}

platen_status pl_infer_qpool(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0);
    struct pl_window w;
    int64_t dims[PL_MAX_RANK];
    int32_t zero;
    platen_status s = read_pool(c, &w);
    s = s ? s : pl_q_zero(c, "y_zero", &zero);
    if (s)
        return s;
    memcpy(dims, x->dims, sizeof(dims));
    for (int i = 0; i < w.n; i++)
        dims[1 + i] = w.out[PL_MAX_SPACE - w.n + i];
    return pl_call_shape(c, 0, PL_U8, x->rank, dims);
}

/* Sets the first position of window `at` of an axis that lies on the picture, and the one behind
 * the last. */
static void clip(const struct pl_window *w, int axis, int64_t at, size_t *first, size_t *last)
{
    const int64_t from = at * w->stride[axis] - w->before[axis];
    *first = (size_t)PL_CLAMP(from, 0, w->in[axis]);
    *last = (size_t)PL_CLAMP(from + w->kernel[axis], (int64_t)*first, w->in[axis]);
}

/* Sets dst to the largest bytes of n rows, which lie `step` bytes apart. */
static void largest(const struct pl_kernels *k, uint8_t *dst, const uint8_t *src, size_t n,
                    size_t step, size_t bytes)
{
    const uint8_t *rows[4] = {src};
    size_t i = 1;
    do {
        const size_t count = PL_MIN(n - i, (size_t)3);
        for (size_t r = 0; r < count; r++)
            rows[1 + r] = src + (i + r) * step;
        k->max_u8(dst, rows, count + 1, bytes);
        rows[0] = dst;
        i += count;
    } while (i < n);
}

/* Sets dst[c] to the mean over the window. Places beyond the picture have the value `zero` where
 * they count. */
static void mean(const struct pl_kernels *k, uint8_t *dst, const uint8_t *src, size_t rows,
                 size_t columns, size_t row, size_t channels, size_t places, int32_t zero,
                 uint32_t *sum)
{
    const float inv = 1.0f / (float)places;
    const uint32_t beyond = (uint32_t)(places - rows * columns) * (uint32_t)zero;
    memset(sum, 0, channels * sizeof(*sum));
    for (size_t y = 0; y < rows; y++)
        for (size_t x = 0; x < columns; x++)
            k->colsum_u8(sum, NULL, src + y * row + x * channels, NULL, channels);
    for (size_t c = 0; c < channels; c++) {
        const float f = (float)(sum[c] + beyond) * inv + 12582912.0f; /* to nearest even */
        uint32_t bits;
        memcpy(&bits, &f, sizeof(bits));
        dst[c] = (uint8_t)(bits - 0x4b400000);
    }
}

platen_status pl_run_qpool(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0), *y = pl_out(c, 0);
    const size_t channels = (size_t)x->dims[x->rank - 1];
    const bool max = pl_call_id(c) == PL_OP_QMaxPool;
    const bool all = pl_ir_int(c->node, "count_include_pad", 0) != 0;
    const int32_t zero = (int32_t)pl_ir_int(c->node, "y_zero", 0);
    struct pl_window w;
    platen_status s = read_pool(c, &w);
    if (s)
        return s;
    const size_t row = (size_t)w.in[2] * channels, window = (size_t)(w.kernel[1] * w.kernel[2]);
    /* of the rows of a window the largest of each column, and of each of its columns and those
     * behind it that a window has, for as many as there are */
    uint8_t *column = pl_call_scratch(c, row, 1), *wide = pl_call_scratch(c, row, 1);
    const size_t places = (size_t)PL_MAX(w.in[2] - w.kernel[2] + 1, 0);
    uint8_t *to = y->data;
    uint32_t *sum = pl_call_scratch(c, channels, sizeof(*sum));
    if (!column || !wide || !sum)
        return PLATEN_ERR_NOMEM;
    for (int64_t n = 0; n < x->dims[0]; n++)
        for (int64_t oy = 0; oy < w.out[1]; oy++) {
            const uint8_t *px = (const uint8_t *)x->data + (size_t)(n * w.in[1]) * row;
            size_t y0, y1, x0, x1;
            clip(&w, 1, oy, &y0, &y1);
            if (max && y1 > y0)
                largest(c->kernels, column, px + y0 * row, y1 - y0, row, row);
            if (max && y1 > y0 && places)
                largest(c->kernels, wide, column, (size_t)w.kernel[2], channels, places * channels);
            for (int64_t ox = 0; ox < w.out[2]; ox++, to += channels) {
                clip(&w, 2, ox, &x0, &x1);
                if (y1 == y0 || x1 == x0) /* a window of nothing but padding */
                    memset(to, zero, channels);
                else if (max && x1 - x0 == (size_t)w.kernel[2])
                    memcpy(to, wide + x0 * channels, channels);
                else if (max)
                    largest(c->kernels, to, column + x0 * channels, x1 - x0, channels, channels);
                else
                    mean(c->kernels, to, px + y0 * row + x0 * channels, y1 - y0, x1 - x0, row,
                         channels, all ? window : (y1 - y0) * (x1 - x0), zero, sum);
            }
        }
    return PLATEN_OK;
}

#define SUM_PX 256 /* so many bytes have a sum of 16 bits */

/* Adds the bytes [n][channels] of each channel to sum[channels], by way of `part`, of that size. */
static void sum_channels(uint32_t *restrict sum, uint16_t *restrict part,
                         const uint8_t *restrict px, size_t n, size_t channels)
{
    for (size_t at = 0, count; at < n; at += count) {
        count = PL_MIN(n - at, (size_t)SUM_PX);
        memset(part, 0, channels * sizeof(*part));
        for (size_t i = 0; i < count; i++, px += channels)
            for (size_t c = 0; c < channels; c++)
                part[c] = (uint16_t)(part[c] + px[c]);
        for (size_t c = 0; c < channels; c++)
            sum[c] += part[c];
    }
}

/* Computes the mean of each channel of a picture as a float: [n, channels, 1, ...]. */
platen_status pl_infer_qglobal_average(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0);
    int64_t dims[PL_MAX_RANK] = {0}, channels;
    float scale;
    int32_t zero;
    platen_status s = pl_q_bytes(c, 0, 3, PL_MAX_RANK);
    s = s ? s : read_scale(c, "x_scale", &scale);
    s = s ? s : pl_q_zero(c, "x_zero", &zero);
    s = s ? s : pl_q_int(c, "channels", 1, x->dims[x->rank - 1], &channels);
    if (!s && (!pl_tensor_span(x, 1, x->rank - 1) || pl_tensor_span(x, 1, x->rank - 1) > 1 << 24))
        s = pl_call_fail(c, PLATEN_ERR_LIMIT, "a mean over no pixels, or more than 2^24");
    if (s)
        return s;
    dims[0] = x->dims[0];
    dims[1] = channels;
    for (int i = 2; i < x->rank; i++)
        dims[i] = 1;
    return pl_call_shape(c, 0, PL_F32, x->rank, dims);
}

platen_status pl_run_qglobal_average(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0), *y = pl_out(c, 0);
    const size_t stored = (size_t)x->dims[x->rank - 1], plane = pl_tensor_span(x, 1, x->rank - 1);
    const size_t channels = (size_t)y->dims[1];
    const double scale = (double)pl_ir_float(c->node, "x_scale", 1) / (double)plane;
    const double zero = (double)pl_ir_int(c->node, "x_zero", 0) * (double)plane;
    uint32_t *sum = pl_call_scratch(c, stored, sizeof(*sum));
    uint16_t *part = pl_call_scratch(c, stored, sizeof(*part));
    for (size_t n = 0; sum && part && n < (size_t)x->dims[0]; n++) {
        const uint8_t *px = (const uint8_t *)x->data + n * plane * stored;
        memset(sum, 0, stored * sizeof(*sum));
        sum_channels(sum, part, px, plane, stored);
        for (size_t k = 0; k < channels; k++)
            ((float *)y->data)[n * channels + k] = (float)(((double)sum[k] - zero) * scale);
    }
    return sum && part ? PLATEN_OK : PLATEN_ERR_NOMEM;
}

/* Unpacks weights as they are stored (compile/quant/quant_store.c). */
platen_status pl_infer_decode_weights(struct pl_call *c)
{
    const struct pl_attr *shape = pl_ir_attr(c->node, "shape");
    struct pl_tensor t = {0};
    if (!shape || shape->n > PL_MAX_RANK ||
        !pl_tensor_shape(&t, PL_F32, (int)shape->n, shape->v.ints))
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "attribute 'shape' is missing, or no shape");
    platen_status s = pl_q_array(c, 0, PL_F16, pl_tensor_count(&t));
    return s ? s : pl_call_like(c, 0, &t);
}

platen_status pl_run_decode_weights(struct pl_call *c)
{
    const struct pl_tensor *y = pl_out(c, 0);
    const uint16_t *halves = pl_in(c, 0)->data;
    float *to = y->data;
    for (size_t i = 0; i < pl_tensor_count(y); i++)
        to[i] = pl_f16_to_f32(halves[i]);
    return PLATEN_OK;
}
