/* SPDX-License-Identifier: BSD-2-Clause */
/* The law of the int8 kernels. */
#include "simd/kernels.h"

#include "simd/scalar/requant_scalar.h"

/* Sums of one pixel and 16 channels. */
static void gemm_block(int32_t acc[PL_QGEMM_BLOCK], const struct pl_qgemm *g, size_t px, size_t oc)
{
    const uint8_t *src = g->src + px * g->src_step;
    const int8_t *w = g->weights + oc * g->runs * g->run_bytes;
    memcpy(acc, g->bias + oc, PL_QGEMM_BLOCK * sizeof(*acc));
    for (size_t r = 0; r < g->runs; r++)
        for (size_t k = 0; k < g->run_bytes; k += 4, w += 4 * PL_QGEMM_BLOCK) {
            const uint8_t *a = src + r * g->run_stride + k;
            for (size_t o = 0; o < PL_QGEMM_BLOCK; o++)
                acc[o] += a[0] * w[4 * o] + a[1] * w[4 * o + 1] + a[2] * w[4 * o + 2] +
                          a[3] * w[4 * o + 3];
        }
}

static void qgemm_u8(uint8_t *dst, const struct pl_qgemm *g, const struct pl_requant *q)
{
    int32_t acc[PL_QGEMM_BLOCK];
    for (size_t oc = 0; oc < g->n_oc; oc += PL_QGEMM_BLOCK)
        for (size_t px = 0; px < g->n_px; px++) {
            gemm_block(acc, g, px, oc);
            for (size_t o = 0; o < PL_QGEMM_BLOCK; o++)
                dst[px * g->dst_step + oc + o] =
                    requantize(acc[o], g->scale[oc + o], q, px, oc + o);
        }
}

static void qgemm_f32(float *dst, const struct pl_qgemm *g)
{
    int32_t acc[PL_QGEMM_BLOCK];
    for (size_t oc = 0; oc < g->n_oc; oc += PL_QGEMM_BLOCK)
        for (size_t px = 0; px < g->n_px; px++) {
            gemm_block(acc, g, px, oc);
            for (size_t o = 0; o < PL_QGEMM_BLOCK && oc + o < g->n_oc; o++)
                dst[px * g->dst_step + oc + o] = (float)acc[o] * g->scale[oc + o];
        }
}

static void qdw_u8(uint8_t *dst, const struct pl_qdw *d, const struct pl_requant *q)
{
    for (size_t px = 0; px < d->n_px; px++)
        for (size_t c = 0; c < d->channels; c++) {
            const int8_t *w = d->weights + c / 16 * d->taps * 16 + c % 16 * 4;
            const uint8_t *src = d->src + px * d->channels + c;
            int32_t acc = d->bias[c];
            for (size_t k = 0; k < d->taps; k++)
                acc += src[k * d->channels] * w[k / 4 * 64 + k % 4];
            dst[px * d->channels + c] = requantize(acc, d->scale[c], q, px, c);
        }
}

void pl_qgemm_init_scalar(struct pl_kernels *k);
void pl_qgemm_init_scalar(struct pl_kernels *k)
{
    k->qgemm_u8 = qgemm_u8;
    k->qgemm_f32 = qgemm_f32;
    k->qdw_u8 = qdw_u8;
}
