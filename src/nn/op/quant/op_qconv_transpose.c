/* SPDX-License-Identifier: BSD-2-Clause */
/* The transposed convolution on bytes whose kernel is as large as its stride, so that its windows
 * do not overlap: one matrix product for each tap of the kernel. */
#include "nn/op/quant/op_qproduct.h"

static platen_status read_transposed(const struct pl_call *c, struct pl_qproduct *p, size_t taps[2])
{
    const struct pl_tensor *x = pl_in(c, PL_QPRODUCT_X);
    int64_t list[2];
    platen_status s = pl_q_bytes(c, PL_QPRODUCT_X, 4, 4);
    s = s ? s : pl_call_list(c, "kernel_shape", 2, 1, list);
    if (!s && (list[0] < 1 || list[0] > 64 || list[1] < 1 || list[1] > 64 || x->dims[3] % 4 ||
               pl_in(c, PL_QPRODUCT_RESIDUAL)))
        s = pl_call_fail(c, PLATEN_ERR_UNSUPPORTED, "that kernel");
    taps[0] = s ? 0 : (size_t)list[0];
    taps[1] = s ? 0 : (size_t)list[1];
    s = s ? s : pl_qproduct_read(c, taps[0] * taps[1], p);
    return s ? s : pl_qproduct_weights(c, p, 1, 1, taps[0] * taps[1]);
}

platen_status pl_infer_qconv_transpose(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, PL_QPRODUCT_X);
    struct pl_qproduct p;
    size_t taps[2];
    platen_status s = read_transposed(c, &p, taps);
    s = s ? s : pl_qproduct_numbers(c, &p, 1, taps[0] * taps[1]);
    s = s ? s
          : pl_qproduct_shape(
                c, &p, (int64_t[]){x->dims[1] * (int64_t)taps[0], x->dims[2] * (int64_t)taps[1]},
                2);
    return s ? s : pl_call_keep(c, &p, sizeof(p));
}

/* Computes row `row` of picture n of the output, which comes from one row of the input. */
static void transposed_row(const struct pl_call *c, const struct pl_qproduct *p,
                           const size_t taps[2], size_t n, size_t row, float *floats)
{
    const struct pl_tensor *x = pl_in(c, PL_QPRODUCT_X);
    const size_t in = (size_t)x->dims[2], width = in * taps[1],
                 height = (size_t)x->dims[1] * taps[0];
    const struct pl_qgemm all = pl_qproduct_gemm(c, p);
    struct pl_qgemm g = all;
    uint8_t *y = pl_out(c, 0)->data;
    y += p->to_float ? 0 : (n * height + row) * width * p->stored;
    g.src = (const uint8_t *)x->data + (n * (size_t)x->dims[1] + row / taps[0]) * in * p->channels;
    g.src_step = p->channels;
    g.n_px = in;
    for (size_t k = 0; k < taps[1]; k++) {
        const size_t tap = row % taps[0] * taps[1] + k;
        g.weights = all.weights + tap * p->stored * p->k;
        g.bias = all.bias + tap * p->stored;
        g.scale = all.scale + tap * p->stored;
        g.dst_step = taps[1] * (p->to_float ? p->out : p->stored);
        if (p->to_float)
            c->kernels->qgemm_f32(floats + k * p->out, &g);
        else
            c->kernels->qgemm_u8(y + k * p->stored, &g, &p->q);
    }
    if (p->to_float)
        pl_qproduct_turn_row((float *)pl_out(c, 0)->data + (n * p->out * height + row) * width,
                             floats, width, p->out, width * height);
    else
        pl_qproduct_look_up(c, y, width * p->stored);
}

platen_status pl_run_qconv_transpose(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, PL_QPRODUCT_X);
    struct pl_qproduct p;
    size_t taps[2];
    platen_status s = read_transposed(c, &p, taps);
    if (s)
        return s;
    const size_t rows = (size_t)x->dims[1] * taps[0];
    float *floats = pl_call_scratch(c, (size_t)x->dims[2] * taps[1] * p.out, sizeof(*floats));
    for (size_t i = 0; floats && i < (size_t)x->dims[0] * rows; i++)
        transposed_row(c, &p, taps, i / rows, i % rows, floats);
    return floats ? PLATEN_OK : PLATEN_ERR_NOMEM;
}
