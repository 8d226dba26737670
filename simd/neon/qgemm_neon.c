/* SPDX-License-Identifier: BSD-2-Clause */
#include "simd/kernels.h"

#include "simd/qgemm_neon_types.h"

/* Four pixels by sixteen channels: sixteen sums, and the weights of four inputs in 16 bits, one
 * input's sixteen channels after the other's. */
#define V_TILE_PX 4
#define V_HALF_PX 2
#define V_WEIGHTS 8
typedef int16x8_t v_weights;
typedef int16x4_t v_inputs;

static inline void v_load_weights(v_weights b[V_WEIGHTS], const int8_t *w)
{
    int8x16x4_t v = vld4q_s8(w);
    for (int k = 0; k < 4; k++) {
        b[2 * k] = vmovl_s8(vget_low_s8(v.val[k]));
        b[2 * k + 1] = vmovl_high_s8(v.val[k]);
    }
}

static inline v_inputs v_load_inputs(const uint8_t *p)
{
    return (v_inputs)vget_low_u16(vmovl_u8(vcreate_u8(load_four(p))));
}

static inline vi v_step(vi acc, v_inputs x, const v_weights b[V_WEIGHTS], int j)
{
    const v_weights *w = b + j / 2;
    if (j % 2) {
        acc = vmlal_high_lane_s16(acc, w[0], x, 0);
        acc = vmlal_high_lane_s16(acc, w[2], x, 1);
        acc = vmlal_high_lane_s16(acc, w[4], x, 2);
        return vmlal_high_lane_s16(acc, w[6], x, 3);
    }
    acc = vmlal_lane_s16(acc, vget_low_s16(w[0]), x, 0);
    acc = vmlal_lane_s16(acc, vget_low_s16(w[2]), x, 1);
    acc = vmlal_lane_s16(acc, vget_low_s16(w[4]), x, 2);
    return vmlal_lane_s16(acc, vget_low_s16(w[6]), x, 3);
}

static inline vi v_dot(vi acc, vi u, vi s)
{
    int16x8_t u0 = (int16x8_t)vmovl_u8(vget_low_u8((uint8x16_t)u));
    int16x8_t u1 = (int16x8_t)vmovl_high_u8((uint8x16_t)u);
    int16x8_t s0 = vmovl_s8(vget_low_s8((int8x16_t)s)), s1 = vmovl_high_s8((int8x16_t)s);
    vi a = vmull_s16(vget_low_s16(u0), vget_low_s16(s0)), b = vmull_high_s16(u0, s0);
    vi c = vmull_s16(vget_low_s16(u1), vget_low_s16(s1)), d = vmull_high_s16(u1, s1);
    return vaddq_s32(acc, vpaddq_s32(vpaddq_s32(a, b), vpaddq_s32(c, d)));
}

static inline void v_store_quads(uint8_t *out, const uint8_t *p, size_t step)
{
    vst4q_u8(out, (uint8x16x4_t){{vld1q_u8(p), vld1q_u8(p + step), vld1q_u8(p + 2 * step),
                                  vld1q_u8(p + 3 * step)}});
}

#include "simd/qgemm_v.h"

void pl_qgemm_init_neon(struct pl_kernels *k);
void pl_qgemm_init_neon(struct pl_kernels *k)
{
    k->qgemm_u8 = qgemm_u8;
    k->qgemm_f32 = qgemm_f32;
    k->qdw_u8 = qdw_u8;
}
