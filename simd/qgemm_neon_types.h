/* SPDX-License-Identifier: BSD-2-Clause */
/* The vocabulary of qgemm_v.h that both NEON levels share. */
#include <arm_neon.h>

#define V_LANES 4
#define V_HAS_STEP
typedef int32x4_t vi;
typedef float32x4_t vf;

#define v_load_i32(p) vld1q_s32(p)
#define v_store_i32(p, v) vst1q_s32(p, v)
#define v_load_bytes(p) vreinterpretq_s32_s8(vld1q_s8((const int8_t *)(p)))
#define v_load_f32(p) vld1q_f32(p)
#define v_store_f32(p, v) vst1q_f32(p, v)
#define v_set1_i32(x) vdupq_n_s32(x)
#define v_set1_f32(x) vdupq_n_f32(x)
#define v_add_i32(a, b) vaddq_s32(a, b)
#define v_sub_i32(a, b) vsubq_s32(a, b)
#define v_cvt_f32(a) vcvtq_f32_s32(a)
#define v_cvt_i32(a) vcvtnq_s32_f32(a)
#define v_mul(a, b) vmulq_f32(a, b)
#define v_add_f32(a, b) vaddq_f32(a, b)
#define v_min(a, b) vminnmq_f32(a, b) /* of a NaN, the other */
#define v_max(a, b) vmaxq_f32(a, b)

static inline uint32_t load_four(const uint8_t *p)
{
    uint32_t v;
    __builtin_memcpy(&v, p, sizeof(v));
    return v;
}

static inline vi v_widen_u8(const uint8_t *p)
{
    return (vi)vmovl_u16(vget_low_u16(vmovl_u8(vcreate_u8(load_four(p)))));
}

static inline void v_store_u8(uint8_t *p, vi v)
{
    uint16x8_t words = vcombine_u16(vqmovun_s32(v), vdup_n_u16(0));
    uint32_t bytes = vget_lane_u32((uint32x2_t)vmovn_u16(words), 0);
    __builtin_memcpy(p, &bytes, sizeof(bytes));
}
