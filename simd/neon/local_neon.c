/* SPDX-License-Identifier: BSD-2-Clause */
#define PL_BYTES 16
#include "simd/local_types.h"

static inline vu32 v_scan(vu32 v)
{
    v += vextq_u32(vdupq_n_u32(0), v, 3);
    return v + vextq_u32(vdupq_n_u32(0), v, 2);
}

static inline vu32 v_last(vu32 v)
{
    return vdupq_laneq_u32(v, 3);
}

static inline vf32 v_from_u32(vu32 v)
{
    return vcvtq_f32_u32(v);
}

static inline vf32 v_sqrt(vf32 v)
{
    return vsqrtq_f32(v);
}

static inline vf32 v_max(vf32 a, vf32 b)
{
    return vmaxq_f32(a, b);
}

static inline vi32 v_pixels(const uint8_t *p)
{
    uint32_t v;
    __builtin_memcpy(&v, p, sizeof(v));
    return (vi32)vmovl_u16(vget_low_u16(vmovl_u8(vcreate_u8(v))));
}

static inline void v_store_pixels(uint8_t *p, vi32 v)
{
    uint16x4_t words = vmovn_u32((vu32)v);
    uint32_t px = vget_lane_u32((uint32x2_t)vmovn_u16(vcombine_u16(words, words)), 0);
    __builtin_memcpy(p, &px, sizeof(px));
}

static inline void v_store_above_i32(uint8_t *p, vi32 a, vi32 b)
{
    v_store_pixels(p, a > b); /* the low byte of -1 */
}

static inline void v_store_above(uint8_t *p, vf32 a, vf32 b)
{
    v_store_pixels(p, a > b);
}

#include "simd/local_v.h"

void pl_local_init_neon(struct pl_kernels *k);
void pl_local_init_neon(struct pl_kernels *k)
{
    install_local(k);
}
