/* SPDX-License-Identifier: BSD-2-Clause */
/* The law of the int8 kernels beside the matrix product. */
#include "simd/kernels.h"

#include "simd/scalar/requant_scalar.h"

static void quantize_u8(uint8_t *dst, const float *src, size_t n, float inv_scale, int32_t zero)
{
    for (size_t i = 0; i < n; i++)
        dst[i] = limit(src[i] * inv_scale, zero);
}

static void dequantize_u8(float *dst, const uint8_t *src, size_t n, float scale, int32_t zero)
{
    for (size_t i = 0; i < n; i++)
        dst[i] = (float)(src[i] - zero) * scale;
}

static void qadd_u8(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n,
                    const struct pl_qadd *q)
{
    for (size_t i = 0; i < n; i++) {
        float f = (float)(a[i] - q->a_zero) * q->a_ratio;
        f = f + (float)(b[i] - q->b_zero) * q->b_ratio;
        dst[i] = limit(f, q->zero);
    }
}

static void qscale_u8(uint8_t *dst, const uint8_t *src, size_t n_px, size_t channels,
                      const float *factor, int32_t src_zero, int32_t zero)
{
    for (size_t i = 0; i < n_px * channels; i++)
        dst[i] = limit((float)(src[i] - src_zero) * factor[i % channels], zero);
}

static void qplane_u8(uint8_t *dst, const struct pl_qplane *p, const struct pl_requant *q)
{
    const size_t quads = (p->kernel_h + 3) / 4;
    for (size_t px = 0; px < p->n_rows * p->n_px; px++)
        for (size_t c = 0; c < p->channels; c++) {
            const size_t row = px / p->n_px * p->down, t = px % p->n_px;
            const int8_t *w = p->weights + c / 16 * p->kernel_w * quads * 64 + c % 16 * 4;
            int32_t acc = p->bias[c];
            for (size_t j = 0; j < p->kernel_w; j++)
                for (size_t i = 0; i < p->kernel_h; i++)
                    acc +=
                        p->src[(row + i) * p->row_stride + (t * p->stride + j) * p->channels + c] *
                        w[(j * quads + i / 4) * 64 + i % 4];
            dst[px * p->channels + c] = requantize(acc, p->scale[c], q, px, c);
        }
}

void pl_qmap_init_scalar(struct pl_kernels *k);
void pl_qmap_init_scalar(struct pl_kernels *k)
{
    k->quantize_u8 = quantize_u8;
    k->dequantize_u8 = dequantize_u8;
    k->qadd_u8 = qadd_u8;
    k->qscale_u8 = qscale_u8;
    k->qplane_u8 = qplane_u8;
}
