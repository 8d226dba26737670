/* SPDX-License-Identifier: BSD-2-Clause */
#include <arm_neon.h>

#include "simd/kernels.h"

/* The weights as high * 256 + low, four bytes a pixel: 9798 = 38 * 256 + 70, 19235 = 75 * 256 + 35,
 * 3735 = 14 * 256 + 151; the fourth byte counts nothing, whatever it is. */
static inline uint16x4_t luma4(uint8x16_t px)
{
    const uint8x16_t high = (uint8x16_t)vdupq_n_u32(14 << 16 | 75 << 8 | 38);
    const uint8x16_t low = (uint8x16_t)vdupq_n_u32(151 << 16 | 35 << 8 | 70);
    uint32x4_t y = vshlq_n_u32(vdotq_u32(vdupq_n_u32(0), px, high), 8);
    return vrshrn_n_u32(vdotq_u32(y, px, low), 15);
}

static inline void store16(uint8_t *dst, uint8x16_t a, uint8x16_t b, uint8x16_t c, uint8x16_t d)
{
    uint16x8_t lo = vcombine_u16(luma4(a), luma4(b)), hi = vcombine_u16(luma4(c), luma4(d));
    vst1q_u8(dst, vcombine_u8(vmovn_u16(lo), vmovn_u16(hi)));
}

static uint8_t luma(unsigned r, unsigned g, unsigned b)
{
    return (uint8_t)((9798 * r + 19235 * g + 3735 * b + 16384) >> 15);
}

/* Four pixels of three bytes, from byte `at` of 16 on, as pixels of four. */
static inline uint8x16_t spread(uint8x16_t px, uint8_t at)
{
    static const uint8_t order[16] = {0, 1, 2, 128, 3, 4, 5, 128, 6, 7, 8, 128, 9, 10, 11, 128};
    return vqtbl1q_u8(px, vld1q_u8(order) + at);
}

static void gray_rgb(uint8_t *dst, const uint8_t *rgb, size_t n)
{
    size_t i = 0;
    for (; i + 16 <= n; i += 16) {
        const uint8_t *p = rgb + 3 * i;
        store16(dst + i, spread(vld1q_u8(p), 0), spread(vld1q_u8(p + 12), 0),
                spread(vld1q_u8(p + 24), 0), spread(vld1q_u8(p + 32), 4));
    }
    for (; i < n; i++)
        dst[i] = luma(rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]);
}

static void gray_rgba(uint8_t *dst, const uint8_t *rgba, size_t n)
{
    size_t i = 0;
    for (; i + 16 <= n; i += 16) {
        const uint8_t *p = rgba + 4 * i;
        store16(dst + i, vld1q_u8(p), vld1q_u8(p + 16), vld1q_u8(p + 32), vld1q_u8(p + 48));
    }
    for (; i < n; i++)
        dst[i] = luma(rgba[4 * i], rgba[4 * i + 1], rgba[4 * i + 2]);
}

void pl_pixel_init_neondot(struct pl_kernels *k);
void pl_pixel_init_neondot(struct pl_kernels *k)
{
    k->gray_rgb = gray_rgb;
    k->gray_rgba = gray_rgba;
}
