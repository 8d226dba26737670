/* SPDX-License-Identifier: BSD-2-Clause */
#include <arm_neon.h>
#include <stddef.h>
#include <string.h>

#include "simd/float.h"

#define LANES 4
typedef float32x4_t vf;
typedef int32x4_t vi;

static inline vf vset(float x)
{
    return vdupq_n_f32(x);
}

static inline vf vfma(vf a, vf b, vf c)
{
    return vfmaq_f32(c, a, b);
}

/* The second where they are equal or have no order, as on the other levels. */
static inline vf vmin(vf a, vf b)
{
    return vbslq_f32(vcltq_f32(a, b), a, b);
}

static inline vf vmax(vf a, vf b)
{
    return vbslq_f32(vcgtq_f32(a, b), a, b);
}

static inline vf vsel(vi mask, vf a, vf b)
{
    return vbslq_f32(vreinterpretq_u32_s32(mask), a, b);
}

static inline vf vload(const float *p)
{
    return vld1q_f32(p);
}

static inline void vstore(float *p, vf v)
{
    vst1q_f32(p, v);
}

static inline vf vload_n(const float *p, size_t n)
{
    float some[LANES] = {0};
    memcpy(some, p, n * sizeof(*some));
    return vld1q_f32(some);
}

static inline void vstore_n(float *p, vf v, size_t n)
{
    float some[LANES];
    vst1q_f32(some, v);
    memcpy(p, some, n * sizeof(*some));
}

static inline vf vload_f16(const uint16_t *p)
{
    return vcvt_f32_f16(vreinterpret_f16_u16(vld1_u16(p)));
}

static inline vf vload_u8(const uint8_t *p)
{
    uint32_t four;
    memcpy(&four, p, sizeof(four));
    const uint16x8_t wide = vmovl_u8(vreinterpret_u8_u32(vdup_n_u32(four)));
    return vcvtq_f32_u32(vmovl_u16(vget_low_u16(wide)));
}

typedef struct {
    vf lo, hi;
} v8f;

static inline v8f v8set(float x)
{
    return (v8f){vset(x), vset(x)};
}

static inline v8f v8load(const float *p)
{
    return (v8f){vload(p), vload(p + 4)};
}

static inline v8f v8fma(v8f a, v8f b, v8f c)
{
    return (v8f){vfma(a.lo, b.lo, c.lo), vfma(a.hi, b.hi, c.hi)};
}

#include "simd/float_regs32.h"

FLOAT_INIT(neon)
