/* SPDX-License-Identifier: BSD-2-Clause */
#include "nn/op/quant/op_qproduct.h"

#define CHUNK_BYTES ((size_t)1 << 15)

platen_status pl_qproduct_read(const struct pl_call *c, size_t sets, struct pl_qproduct *p)
{
    int64_t out = 0;
    *p = (struct pl_qproduct){.to_float = pl_ir_int(c->node, "to_float", 0) != 0,
                              .narrow = pl_ir_int(c->node, "narrow", 0) != 0};
    platen_status s = pl_q_bytes(c, PL_QPRODUCT_X, 2, PL_MAX_RANK);
    s = s ? s : pl_q_int(c, "channels", 1, 1 << 20, &out);
    s = s ? s : pl_q_zero(c, "x_zero", &p->x_zero);
    s = s ? s : pl_q_zero(c, "y_zero", &p->q.zero);
    if (s)
        return s;
    p->channels = (size_t)pl_in(c, PL_QPRODUCT_X)->dims[pl_in(c, PL_QPRODUCT_X)->rank - 1];
    p->out = (size_t)out;
    p->stored = pl_q_stored(p->out);
    if (pl_in(c, PL_QPRODUCT_RESIDUAL)) {
        p->q.residual_scale = pl_ir_float(c->node, "residual_ratio", 0);
        s = pl_q_zero(c, "residual_zero", &p->q.residual_zero);
    }
    if (!s && pl_in(c, PL_QPRODUCT_TABLE)) {
        s = pl_q_array(c, PL_QPRODUCT_TABLE, PL_U8, 256);
        s = s ? s : pl_q_zero(c, "t_zero", &p->q.zero);
    }
    if (!s && p->to_float && (pl_in(c, PL_QPRODUCT_RESIDUAL) || pl_in(c, PL_QPRODUCT_TABLE)))
        s = pl_call_fail(c, PLATEN_ERR_FORMAT, "floats with what belongs to bytes");
    s = s ? s : pl_q_array(c, PL_QPRODUCT_BIAS, PL_I32, sets * p->stored);
    return s ? s : pl_q_array(c, PL_QPRODUCT_SCALE, PL_F32, sets * p->stored);
}

void pl_qproduct_look_up(const struct pl_call *c, uint8_t *y, size_t n)
{
    const struct pl_tensor *table = pl_in(c, PL_QPRODUCT_TABLE);
    if (table)
        c->kernels->lut_u8(y, y, n, table->data);
}

platen_status pl_qproduct_weights(const struct pl_call *c, struct pl_qproduct *p, size_t kernel_h,
                                  size_t kernel_w, size_t sets)
{
    if (p->channels > PL_QGEMM_MAX_K || kernel_h > PL_QGEMM_MAX_K || kernel_w > PL_QGEMM_MAX_K ||
        sets > PL_QGEMM_MAX_K)
        return pl_call_fail(c, PLATEN_ERR_LIMIT, "sums of too many products");
    p->run = (kernel_w * p->channels + 3) / 4 * 4;
    p->k = kernel_h * p->run;
    if (p->k > PL_QGEMM_MAX_K)
        return pl_call_fail(c, PLATEN_ERR_LIMIT, "sums of %zu products", p->k);
    platen_status s = pl_q_array(c, PL_QPRODUCT_WEIGHTS, PL_I8, sets * p->stored * p->k);
    p->paired =
        !s && pl_qgemm_is_paired(pl_in(c, PL_QPRODUCT_WEIGHTS)->data, sets * p->stored, p->k);
    p->half_block = !s && p->out % PL_QGEMM_BLOCK - 1 < PL_QGEMM_BLOCK / 2;
    for (size_t i = 0; i < sets && p->half_block; i++)
        p->half_block = pl_qgemm_has_half_block(
            (const int8_t *)pl_in(c, PL_QPRODUCT_WEIGHTS)->data + i * p->stored * p->k, p->out,
            p->k);
    return s;
}

platen_status pl_qproduct_numbers(struct pl_call *c, const struct pl_qproduct *p, size_t runs,
                                  size_t sets)
{
    platen_status s = pl_q_bias(c, PL_QPRODUCT_BIAS);
    if (!s && p->narrow)
        s = pl_q_narrow(c, PL_QPRODUCT_WEIGHTS, sets * p->stored, runs, p->k / runs);
    return s;
}

platen_status pl_qproduct_shape(const struct pl_call *c, const struct pl_qproduct *p,
                                const int64_t *space, int n)
{
    int64_t dims[PL_MAX_RANK];
    dims[0] = pl_in(c, PL_QPRODUCT_X)->dims[0];
    for (int i = 0; i < n; i++)
        dims[i + (p->to_float ? 2 : 1)] = space[i];
    dims[p->to_float ? 1 : n + 1] = (int64_t)(p->to_float ? p->out : p->stored);
    return pl_call_shape(c, 0, p->to_float ? PL_F32 : PL_U8, n + 2, dims);
}

platen_status pl_qproduct_residual(const struct pl_call *c)
{
    const struct pl_tensor *r = pl_in(c, PL_QPRODUCT_RESIDUAL), *y = pl_out(c, 0);
    if (!r || !y || (r->type == PL_U8 && pl_tensor_same_shape(r, y)))
        return PLATEN_OK;
    return pl_call_fail(c, PLATEN_ERR_FORMAT, "the residual does not fit");
}

struct pl_qgemm pl_qproduct_gemm(const struct pl_call *c, const struct pl_qproduct *p)
{
    return (struct pl_qgemm){.runs = 1,
                             .run_bytes = p->k,
                             .n_oc = p->to_float ? p->out : p->stored,
                             .weights = pl_in(c, PL_QPRODUCT_WEIGHTS)->data,
                             .narrow = p->narrow,
                             .paired = p->paired,
                             .half_block = p->half_block,
                             .bias = pl_in(c, PL_QPRODUCT_BIAS)->data,
                             .scale = pl_in(c, PL_QPRODUCT_SCALE)->data,
                             .dst_step = p->to_float ? p->out : p->stored};
}

void pl_qproduct_run_rows(const struct pl_call *c, const struct pl_qproduct *p, size_t n)
{
    const struct pl_tensor *res = pl_in(c, PL_QPRODUCT_RESIDUAL);
    const size_t chunk = PL_MAX(CHUNK_BYTES / p->stored / 24 * 24, (size_t)24);
    uint8_t *y = pl_out(c, 0)->data;
    struct pl_qgemm g = pl_qproduct_gemm(c, p);
    struct pl_requant q = p->q;
    g.src_step = p->channels;
    q.residual_step = p->stored;
    for (size_t at = 0; at < n; at += chunk) {
        g.n_px = PL_MIN(n - at, chunk);
        g.src = (const uint8_t *)pl_in(c, PL_QPRODUCT_X)->data + at * p->channels;
        if (p->to_float) {
            c->kernels->qgemm_f32((float *)pl_out(c, 0)->data + at * p->out, &g);
            continue;
        }
        q.residual = res ? (const uint8_t *)res->data + at * p->stored : NULL;
        c->kernels->qgemm_u8(y + at * p->stored, &g, &q);
        pl_qproduct_look_up(c, y + at * p->stored, g.n_px * p->stored);
    }
}

bool pl_qproduct_fits(const struct pl_call *c, const struct pl_qproduct *p)
{
    const struct pl_tensor *x = pl_in(c, PL_QPRODUCT_X);
    return x->type == PL_U8 && x->rank >= 2 && x->dims[x->rank - 1] == (int64_t)p->channels;
}

void pl_qproduct_turn_row(float *y, const float *row, size_t width, size_t channels, size_t plane)
{
    for (size_t c = 0; c < channels; c++)
        for (size_t x = 0; x < width; x++)
            y[c * plane + x] = row[x * channels + c];
}
