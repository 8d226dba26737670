/* SPDX-License-Identifier: BSD-2-Clause */
#define PL_BYTES 16
#include "simd/pixel_vector.h"

#include "simd/hist.h"

static uint8_t luma(unsigned r, unsigned g, unsigned b)
{
    return (uint8_t)((9798 * r + 19235 * g + 3735 * b + 16384) >> 15);
}

static inline uint16x4_t luma4(uint16x4_t r, uint16x4_t g, uint16x4_t b)
{
    uint32x4_t y = vmlal_n_u16(vmull_n_u16(r, 9798), g, 19235);
    return vrshrn_n_u32(vmlal_n_u16(y, b, 3735), 15);
}

static inline uint8x8_t luma8(uint8x8_t r8, uint8x8_t g8, uint8x8_t b8)
{
    uint16x8_t r = vmovl_u8(r8), g = vmovl_u8(g8), b = vmovl_u8(b8);
    return vmovn_u16(vcombine_u16(luma4(vget_low_u16(r), vget_low_u16(g), vget_low_u16(b)),
                                  luma4(vget_high_u16(r), vget_high_u16(g), vget_high_u16(b))));
}

static inline void store16(uint8_t *dst, uint8x16_t r, uint8x16_t g, uint8x16_t b)
{
    uint8x8_t lo = luma8(vget_low_u8(r), vget_low_u8(g), vget_low_u8(b));
    uint8x8_t hi = luma8(vget_high_u8(r), vget_high_u8(g), vget_high_u8(b));
    vst1q_u8(dst, vcombine_u8(lo, hi));
}

static void gray_rgb(uint8_t *dst, const uint8_t *rgb, size_t n)
{
    size_t i = 0;
    for (; i + 16 <= n; i += 16) {
        uint8x16x3_t px = vld3q_u8(rgb + 3 * i);
        store16(dst + i, px.val[0], px.val[1], px.val[2]);
    }
    for (; i < n; i++)
        dst[i] = luma(rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]);
}

static void gray_rgba(uint8_t *dst, const uint8_t *rgba, size_t n)
{
    size_t i = 0;
    for (; i + 16 <= n; i += 16) {
        uint8x16x4_t px = vld4q_u8(rgba + 4 * i);
        store16(dst + i, px.val[0], px.val[1], px.val[2]);
    }
    for (; i < n; i++)
        dst[i] = luma(rgba[4 * i], rgba[4 * i + 1], rgba[4 * i + 2]);
}

static void rgb_rgba(uint8_t *dst, const uint8_t *rgba, size_t n)
{
    size_t i = 0;
    for (; i + 16 <= n; i += 16) {
        uint8x16x4_t px = vld4q_u8(rgba + 4 * i);
        vst3q_u8(dst + 3 * i, (uint8x16x3_t){{px.val[0], px.val[1], px.val[2]}});
    }
    for (; i < n; i++)
        memcpy(dst + 3 * i, rgba + 4 * i, 3);
}

/* Four tables of 64 entries; a number beyond its table leaves what is there. */
static void lut_u8(uint8_t *dst, const uint8_t *src, size_t n, const uint8_t lut[256])
{
    uint8x16x4_t t[4];
    for (size_t i = 0; i < 16; i++)
        t[i / 4].val[i % 4] = vld1q_u8(lut + 16 * i);
    size_t i = 0;
    for (; i + 16 <= n; i += 16) {
        uint8x16_t at = vld1q_u8(src + i);
        uint8x16_t v = vqtbl4q_u8(t[0], at);
        v = vqtbx4q_u8(v, t[1], at - 64);
        v = vqtbx4q_u8(v, t[2], at - 128);
        vst1q_u8(dst + i, vqtbx4q_u8(v, t[3], at - 192));
    }
    for (; i < n; i++)
        dst[i] = lut[src[i]];
}

void pl_pixel_init_neon(struct pl_kernels *k);
void pl_pixel_init_neon(struct pl_kernels *k)
{
    install_elementwise(k);
    k->gray_rgb = gray_rgb;
    k->gray_rgba = gray_rgba;
    k->rgb_rgba = rgb_rgba;
    k->hist_u8 = hist_u8;
    k->lut_u8 = lut_u8;
}
