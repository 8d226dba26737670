/* SPDX-License-Identifier: BSD-2-Clause */
#include "simd/kernels.h"

#include "simd/qgemm_neon_types.h"

/* The quads of four channels are turned: row by row, four channels each. Widened to 16 bits, half a
 * register is then one row, which SMLAL adds to the four sums. */
static inline void v_store_quads(uint8_t *out, const uint8_t *p, size_t step)
{
    const uint32x4x4_t rows = {{vreinterpretq_u32_u8(vld1q_u8(p)),
                                vreinterpretq_u32_u8(vld1q_u8(p + step)),
                                vreinterpretq_u32_u8(vld1q_u8(p + 2 * step)),
                                vreinterpretq_u32_u8(vld1q_u8(p + 3 * step))}};
    vst4q_u32((uint32_t *)(void *)out, rows);
}

/* Weights of the rows 0 and 1, and of 2 and 3, as 16-bit. */
typedef struct {
    int16x8_t front, back;
} vw;

static inline vw vw_load(const int8_t *p)
{
    static const uint8_t turned[16] = {0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15};
    const int8x16_t v = vqtbl1q_s8(vld1q_s8(p), vld1q_u8(turned));
    return (vw){vmovl_s8(vget_low_s8(v)), vmovl_high_s8(v)};
}

static inline vi vw_dot(vi acc, vi x, vw w)
{
    const uint8x16_t bytes = vreinterpretq_u8_s32(x);
    const int16x8_t front = vreinterpretq_s16_u16(vmovl_u8(vget_low_u8(bytes)));
    const int16x8_t back = vreinterpretq_s16_u16(vmovl_high_u8(bytes));
    acc = vmlal_s16(acc, vget_low_s16(front), vget_low_s16(w.front));
    acc = vmlal_high_s16(acc, front, w.front);
    acc = vmlal_s16(acc, vget_low_s16(back), vget_low_s16(w.back));
    return vmlal_high_s16(acc, back, w.back);
}

#include "simd/qmap_v.h"

QMAP_INIT(neon)
