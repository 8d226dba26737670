/* SPDX-License-Identifier: BSD-2-Clause */
#define PL_BYTES 16
#include "simd/bytes.h"

#define V_SAMPLES 8

/* 8 x 8 bytes: three rounds of interleaving. */
static void block8(uint8_t *dst, size_t dst_stride, const uint8_t *src, size_t src_stride)
{
    uint16x8_t a[4];
    for (size_t i = 0; i < 4; i++) {
        uint8x16_t even = vcombine_u8(vld1_u8(src + 2 * i * src_stride), vdup_n_u8(0));
        uint8x16_t odd = vcombine_u8(vld1_u8(src + (2 * i + 1) * src_stride), vdup_n_u8(0));
        a[i] = (uint16x8_t)vzip1q_u8(even, odd);
    }
    uint32x4_t b[4] = {(uint32x4_t)vzip1q_u16(a[0], a[1]), (uint32x4_t)vzip2q_u16(a[0], a[1]),
                       (uint32x4_t)vzip1q_u16(a[2], a[3]), (uint32x4_t)vzip2q_u16(a[2], a[3])};
    for (size_t i = 0; i < 2; i++) {
        uint8x16_t lo = (uint8x16_t)vzip1q_u32(b[i], b[i + 2]);
        uint8x16_t hi = (uint8x16_t)vzip2q_u32(b[i], b[i + 2]);
        uint8_t *d = dst + 4 * i * dst_stride;
        vst1_u8(d, vget_low_u8(lo));
        vst1_u8(d + dst_stride, vget_high_u8(lo));
        vst1_u8(d + 2 * dst_stride, vget_low_u8(hi));
        vst1_u8(d + 3 * dst_stride, vget_high_u8(hi));
    }
}

#include "simd/transpose.h"

static inline void v_interleave(uint8_t *pairs, const uint8_t *p)
{
    vst2_u8(pairs, (uint8x8x2_t){{vld1_u8(p), vld1_u8(p + 1)}});
}

static inline uint16x8_t blend_pairs(const uint8_t *pairs, uint8x8_t f, uint8x8_t g)
{
    uint8x8x2_t v = vld2_u8(pairs);
    return vmlal_u8(vmull_u8(v.val[0], g), v.val[1], f);
}

static inline void v_blend(uint8_t *dst, const uint8_t *top, const uint8_t *bottom, vu16 fx,
                           vu16 fy)
{
    uint16x8_t gy = 128 - fy;
    uint8x8_t f = vmovn_u16(fx), g = vmovn_u16(128 - fx);
    uint16x8_t t = blend_pairs(top, f, g), b = blend_pairs(bottom, f, g);
    uint32x4_t lo = vmull_u16(vget_low_u16(t), vget_low_u16(gy));
    uint32x4_t hi = vmull_high_u16(t, gy);
    lo = vmlal_u16(lo, vget_low_u16(b), vget_low_u16(fy));
    hi = vmlal_high_u16(hi, b, fy);
    vst1_u8(dst, vmovn_u16(vcombine_u16(vrshrn_n_u32(lo, 14), vrshrn_n_u32(hi, 14))));
}

#include "simd/warp_strip.h"

void pl_warp_init_neon(struct pl_kernels *k);
void pl_warp_init_neon(struct pl_kernels *k)
{
    k->warp_row = warp_row;
    k->transpose_u8 = transpose_u8;
}
