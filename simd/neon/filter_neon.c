/* SPDX-License-Identifier: BSD-2-Clause */
#include <arm_neon.h>
#include <string.h>

#include "simd/pixel_scalar.h"

static inline uint8x8_t load8(const uint8_t *p)
{
    return p ? vld1_u8(p) : vdup_n_u8(0);
}

static inline void add_product(uint32_t *p, int16x4_t a, int16x4_t b)
{
    vst1q_u32(p, vld1q_u32(p) + (uint32x4_t)vmull_s16(a, b));
}

static void colsum_u8(uint32_t *sum, uint32_t *sumsq, const uint8_t *add, const uint8_t *sub,
                      size_t n)
{
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        uint8x8_t a = load8(add ? add + i : NULL), s = load8(sub ? sub + i : NULL);
        /* a^2 - s^2 = (a - s)(a + s): both fit 16 bits */
        int16x8_t d = (int16x8_t)vsubl_u8(a, s), t = (int16x8_t)vaddl_u8(a, s);
        vst1q_s32((int32_t *)sum + i, vaddw_s16(vld1q_s32((int32_t *)sum + i), vget_low_s16(d)));
        vst1q_s32((int32_t *)sum + i + 4, vaddw_high_s16(vld1q_s32((int32_t *)sum + i + 4), d));
        if (sumsq) {
            add_product(sumsq + i, vget_low_s16(d), vget_low_s16(t));
            add_product(sumsq + i + 4, vget_high_s16(d), vget_high_s16(t));
        }
    }
    pl_colsum_u8_scalar(sum + i, sumsq ? sumsq + i : NULL, add ? add + i : NULL,
                        sub ? sub + i : NULL, n - i);
}

static inline void add_row(int32x4_t acc[4], const uint8_t *p, int16_t weight)
{
    uint8x16_t v = vld1q_u8(p);
    int16x8_t lo = (int16x8_t)vmovl_u8(vget_low_u8(v)), hi = (int16x8_t)vmovl_high_u8(v);
    acc[0] = vmlal_n_s16(acc[0], vget_low_s16(lo), weight);
    acc[1] = vmlal_n_s16(acc[1], vget_high_s16(lo), weight);
    acc[2] = vmlal_n_s16(acc[2], vget_low_s16(hi), weight);
    acc[3] = vmlal_n_s16(acc[3], vget_high_s16(hi), weight);
}

/* (sum + 8192) >> 14, kept to 0..65535. */
static inline uint16x8_t round_sums(int32x4_t a, int32x4_t b)
{
    return vcombine_u16(vqrshrun_n_s32(a, 14), vqrshrun_n_s32(b, 14));
}

static void resize_rows(uint8_t *dst, const uint8_t *const *rows, const int16_t *weights,
                        size_t taps, size_t n)
{
    size_t x = 0;
    for (; x + 16 <= n; x += 16) {
        int32x4_t acc[4] = {{0}, {0}, {0}, {0}};
        for (size_t j = 0; j < taps; j++)
            add_row(acc, rows[j] + x, weights[j]);
        vst1q_u8(dst + x, vcombine_u8(vqmovn_u16(round_sums(acc[0], acc[1])),
                                      vqmovn_u16(round_sums(acc[2], acc[3]))));
    }
    for (; x < n; x++) {
        int32_t acc = 8192;
        for (size_t j = 0; j < taps; j++)
            acc += rows[j][x] * weights[j];
        acc >>= 14;
        dst[x] = (uint8_t)(acc < 0 ? 0 : acc > 255 ? 255 : acc);
    }
}

typedef int16x8_t v_weights;
typedef int64x2_t v_pair;
typedef int32x4_t v_sums;

static inline v_sums v_dot_to_4(const uint8_t *p, v_weights w)
{
    uint32_t px;
    memcpy(&px, p, sizeof(px));
    return vmull_s16((int16x4_t)vget_low_u16(vmovl_u8(vcreate_u8(px))), vget_low_s16(w));
}

static inline v_sums v_dot_8(v_sums acc, const uint8_t *p, v_weights w)
{
    int16x8_t px = (int16x8_t)vmovl_u8(vld1_u8(p));
    return vmlal_high_s16(vmlal_s16(acc, vget_low_s16(px), vget_low_s16(w)), px, w);
}

static inline void v_finish4(uint8_t *dst, v_sums a, v_sums b, v_sums c, v_sums d)
{
    uint16x8_t v = round_sums(vpaddq_s32(vpaddq_s32(a, b), vpaddq_s32(c, d)), (int32x4_t){0});
    uint32_t four = vget_lane_u32((uint32x2_t)vqmovn_u16(v), 0);
    memcpy(dst, &four, sizeof(four));
}

#include "simd/resize_cols.h"

static inline uint8x8_t quarters(const uint8_t *top, const uint8_t *bottom)
{
    return vrshrn_n_u16(vpadalq_u8(vpaddlq_u8(vld1q_u8(top)), vld1q_u8(bottom)), 2);
}

static void halve_rows(uint8_t *dst, const uint8_t *top, const uint8_t *bottom, size_t n)
{
    size_t i = 0;
    for (; i + 8 <= n; i += 8)
        vst1_u8(dst + i, quarters(top + 2 * i, bottom + 2 * i));
    for (; i < n; i++)
        dst[i] =
            (uint8_t)((top[2 * i] + top[2 * i + 1] + bottom[2 * i] + bottom[2 * i + 1] + 2) >> 2);
}

void pl_filter_init_neon(struct pl_kernels *k);
void pl_filter_init_neon(struct pl_kernels *k)
{
    k->colsum_u8 = colsum_u8;
    k->resize_rows = resize_rows;
    k->halve_rows = halve_rows;
    k->resize_cols = resize_cols;
}
