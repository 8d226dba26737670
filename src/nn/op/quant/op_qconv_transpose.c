/* SPDX-License-Identifier: BSD-2-Clause */
/* The transposed convolution on bytes. With a stride of s rows and t columns the outputs in row r
 * modulo s and column c modulo t are a plain convolution of the input with every s-th row and t-th
 * column of the kernel (Shi and others, Real-time single image super-resolution by an efficient
 * sub-pixel convolutional network, 2016): one matrix product for each of the s * t phases. */
#include "nn/op/quant/op_qproduct.h"

#include <string.h>

#define MAX_SIDE 64 /* of kernels and strides */
#define LANES 8     /* floats of a pixel of joined phases: whole registers of AVX2 */

/* The sizes of one axis of space. */
struct transposed_axis {
    size_t in, out, stride;
    size_t window; /* inputs that a phase reads */
    size_t before; /* outputs that padding takes from the start */
    size_t padded; /* inputs with the zeros that windows reach, window - 1 of them at the start */
};

struct transposed {
    struct pl_qproduct p;
    struct transposed_axis h, w;
};

static platen_status read_axis(const struct pl_call *c, int i, struct transposed_axis *ret)
{
    int64_t kernel[2], stride[2], pads[4], more[2];
    platen_status s = pl_call_list(c, "kernel_shape", 2, 1, kernel);
    s = s ? s : pl_call_list(c, "strides", 2, 1, stride);
    s = s ? s : pl_call_list(c, "pads", 4, 0, pads);
    s = s ? s : pl_call_list(c, "output_padding", 2, 0, more);
    if (s)
        return s;
    const int64_t in = pl_in(c, PL_QPRODUCT_X)->dims[1 + i];
    if (kernel[i] < 1 || kernel[i] > MAX_SIDE || stride[i] < 1 || stride[i] > MAX_SIDE ||
        pads[i] < 0 || pads[i] > MAX_SIDE || pads[2 + i] < 0 || pads[2 + i] > MAX_SIDE ||
        more[i] < 0 || more[i] >= stride[i] || in > INT32_MAX)
        return pl_call_fail(c, PLATEN_ERR_UNSUPPORTED, "a kernel, stride or padding of that size");
    const int64_t out = (in - 1) * stride[i] + kernel[i] - pads[i] - pads[2 + i] + more[i];
    if (in < 1 || out < 1)
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "the output is empty");
    *ret = (struct transposed_axis){.in = (size_t)in,
                                    .out = (size_t)out,
                                    .stride = (size_t)stride[i],
                                    .window = (size_t)((kernel[i] - 1) / stride[i] + 1),
                                    .before = (size_t)pads[i]};
    ret->padded = (ret->out - 1 + ret->before) / ret->stride + ret->window;
    return PLATEN_OK;
}

static platen_status read_transposed(const struct pl_call *c, struct transposed *t)
{
    platen_status s = pl_q_bytes(c, PL_QPRODUCT_X, 4, 4);
    if (!s && (pl_in(c, PL_QPRODUCT_X)->dims[3] % 4 || pl_in(c, PL_QPRODUCT_RESIDUAL)))
        s = pl_call_fail(c, PLATEN_ERR_UNSUPPORTED, "pixels by less than 4 bytes, or a residual");
    s = s ? s : read_axis(c, 0, &t->h);
    s = s ? s : read_axis(c, 1, &t->w);
    const size_t phases = s ? 0 : t->h.stride * t->w.stride;
    s = s ? s : pl_qproduct_read(c, phases, &t->p);
    return s ? s : pl_qproduct_weights(c, &t->p, t->h.window, t->w.window, phases);
}

platen_status pl_infer_qconv_transpose(struct pl_call *c)
{
    struct transposed t;
    platen_status s = read_transposed(c, &t);
    s = s ? s : pl_qproduct_numbers(c, &t.p, t.h.window, t.h.stride * t.w.stride);
    return s ? s : pl_qproduct_shape(c, &t.p, (int64_t[]){(int64_t)t.h.out, (int64_t)t.w.out}, 2);
}

/* Copies what windows in padded row q of picture n reach, with zeros around it. */
static void fill_band(const struct pl_call *c, const struct transposed *t, size_t n, size_t q,
                      uint8_t *band)
{
    const struct pl_tensor *x = pl_in(c, PL_QPRODUCT_X);
    const size_t row = t->w.padded * t->p.channels, left = (t->w.window - 1) * t->p.channels;
    const size_t in = t->w.in * t->p.channels;
    memset(band, t->p.x_zero, t->h.window * row);
    for (size_t u = 0; u < t->h.window; u++) {
        const size_t at = q + u + 1; /* the input's row, counted from the zeros above it */
        if (at >= t->h.window && at - t->h.window < t->h.in && left < row)
            memcpy(band + u * row + left,
                   (const uint8_t *)x->data + (n * t->h.in + at - t->h.window) * in,
                   PL_MIN(in, row - left));
    }
}

/* Computes row `row` of picture n of the output from the band that its windows read. */
static void transposed_row(const struct pl_call *c, const struct transposed *t, size_t n,
                           size_t row, const uint8_t *band, float *floats)
{
    const struct pl_qproduct *p = &t->p;
    const struct transposed_axis *w = &t->w;
    const struct pl_qgemm all = pl_qproduct_gemm(c, p);
    struct pl_qgemm g = all;
    uint8_t *y = pl_out(c, 0)->data;
    y += p->to_float ? 0 : (n * t->h.out + row) * w->out * p->stored;
    g.runs = t->h.window;
    g.run_bytes = p->run;
    g.run_stride = w->padded * p->channels;
    g.src_step = p->channels;
    g.dst_step = w->stride * (p->to_float ? p->out : p->stored);
    for (size_t phase = 0; phase < w->stride; phase++) {
        const size_t set = (row + t->h.before) % t->h.stride * w->stride + phase;
        /* the first input, and the first output, of the phase */
        const size_t from = (w->before + w->stride - 1 - phase) / w->stride;
        const size_t to = from * w->stride + phase - w->before;
        if (to >= w->out)
            continue;
        g.n_px = (w->out - 1 - to) / w->stride + 1;
        g.src = band + from * p->channels;
        g.weights = all.weights + set * p->stored * p->k;
        g.bias = all.bias + set * p->stored;
        g.scale = all.scale + set * p->stored;
        if (p->to_float)
            c->kernels->qgemm_f32(floats + to * p->out, &g);
        else
            c->kernels->qgemm_u8(y + to * p->stored, &g, &p->q);
    }
    if (p->to_float)
        pl_qproduct_turn_row((float *)pl_out(c, 0)->data + (n * p->out * t->h.out + row) * w->out,
                             floats, w->out, p->out, w->out * t->h.out);
    else
        pl_qproduct_look_up(c, y, w->out * p->stored);
}

/* All phases as the channels of one product, where they are floats and fit a block of channels: the
 * product runs once for each row of windows, and phases fill lanes that would be empty. */
struct joined {
    struct pl_qgemm g;
    float *floats; /* [windows of a row][n_oc], channel phase * out + o */
};

static bool gains_joined(const struct transposed *t)
{
    return t->p.to_float && t->h.stride * t->w.stride * t->p.out <= PL_QGEMM_BLOCK;
}

/* Lays the weights of all phases out as one block, in memory of the call. */
static platen_status join_phases(struct pl_call *c, const struct transposed *t, struct joined *ret)
{
    const struct pl_qproduct *p = &t->p;
    const size_t n = t->h.stride * t->w.stride * p->out, k = p->k, quad = 4;
    const struct pl_qgemm all = pl_qproduct_gemm(c, p);
    int8_t *weights = pl_call_scratch(c, PL_QGEMM_BLOCK, k);
    int32_t *bias = pl_call_scratch(c, PL_QGEMM_BLOCK, sizeof(*bias));
    float *scale = pl_call_scratch(c, PL_QGEMM_BLOCK, sizeof(*scale));
    ret->g = all;
    ret->g.n_px = t->w.padded - t->w.window + 1;
    ret->g.n_oc = ret->g.dst_step = (n + LANES - 1) / LANES * LANES;
    ret->floats = pl_call_scratch(c, ret->g.n_px * ret->g.n_oc, sizeof(float));
    if (!weights || !bias || !scale || !ret->floats)
        return PLATEN_ERR_NOMEM;
    memset(weights, 0, PL_QGEMM_BLOCK * k);
    memset(bias, 0, PL_QGEMM_BLOCK * sizeof(*bias));
    memset(scale, 0, PL_QGEMM_BLOCK * sizeof(*scale));
    for (size_t i = 0; i < n; i++) {
        const size_t set = i / p->out, o = i % p->out;
        const int8_t *from = all.weights + set * p->stored * k + o * quad;
        bias[i] = all.bias[set * p->stored + o];
        scale[i] = all.scale[set * p->stored + o];
        for (size_t at = 0; at < k; at += quad)
            memcpy(weights + at * PL_QGEMM_BLOCK + i * quad, from + at * PL_QGEMM_BLOCK, quad);
    }
    ret->g.weights = weights;
    ret->g.half_block = n <= PL_QGEMM_BLOCK / 2;
    ret->g.bias = bias;
    ret->g.scale = scale;
    ret->g.runs = t->h.window;
    ret->g.run_bytes = p->run;
    ret->g.run_stride = t->w.padded * p->channels;
    ret->g.src_step = p->channels;
    return PLATEN_OK;
}

/* Writes row `row` of picture n of the output from the products of its windows. */
static void joined_row(const struct pl_call *c, const struct transposed *t, size_t n, size_t row,
                       const struct joined *j)
{
    const struct transposed_axis *w = &t->w;
    const size_t plane = w->out * t->h.out, step = j->g.n_oc;
    float *y = (float *)pl_out(c, 0)->data + n * t->p.out * plane + row * w->out;
    const size_t first = (row + t->h.before) % t->h.stride * w->stride;
    for (size_t o = 0; o < t->p.out; o++, y += plane)
        for (size_t phase = 0; phase < w->stride; phase++) {
            const float *from = j->floats + (first + phase) * t->p.out + o;
            for (size_t q = w->before > phase ? (w->before - phase - 1) / w->stride + 1 : 0;
                 q * w->stride + phase < w->out + w->before; q++)
                y[q * w->stride + phase - w->before] = from[q * step];
        }
}

platen_status pl_run_qconv_transpose(struct pl_call *c)
{
    struct transposed t;
    platen_status s = read_transposed(c, &t);
    if (s)
        return s;
    uint8_t *band = pl_call_scratch(c, t.w.padded * t.p.channels, t.h.window);
    float *floats = pl_call_scratch(c, t.w.out * t.p.out, sizeof(*floats));
    struct joined j;
    const bool joined = gains_joined(&t);
    s = !band || !floats ? PLATEN_ERR_NOMEM : joined ? join_phases(c, &t, &j) : PLATEN_OK;
    for (size_t n = 0; !s && n < (size_t)pl_in(c, PL_QPRODUCT_X)->dims[0]; n++)
        for (size_t row = 0; row < t.h.out; row++) {
            const size_t at = row + t.h.before;
            const bool next = !row || at % t.h.stride == 0;
            if (next)
                fill_band(c, &t, n, at / t.h.stride, band);
            if (next && joined) {
                j.g.src = band;
                c->kernels->qgemm_f32(j.floats, &j.g);
            }
            if (joined)
                joined_row(c, &t, n, row, &j);
            else
                transposed_row(c, &t, n, row, band, floats);
        }
    return s;
}
