/* SPDX-License-Identifier: BSD-2-Clause */
#define LANES 16
#define V_F __m512
#define V_MM(op) _mm512_##op
#include "simd/float_x86.h"

static inline vf vsel(vi mask, vf a, vf b)
{
    return (vf)_mm512_mask_blend_ps(_mm512_movepi32_mask((__m512i)mask), (V_F)b, (V_F)a);
}

static inline vf vload_n(const float *p, size_t n)
{
    return (vf)_mm512_maskz_loadu_ps((__mmask16)((1u << n) - 1), p);
}

static inline void vstore_n(float *p, vf v, size_t n)
{
    _mm512_mask_storeu_ps(p, (__mmask16)((1u << n) - 1), (V_F)v);
}

static inline vf vload_halves(const float *low, const float *high)
{
    const __m512 v = _mm512_castps256_ps512(_mm256_loadu_ps(low));
    return (vf)_mm512_insertf32x8(v, _mm256_loadu_ps(high), 1);
}

static inline vf vload_f16(const uint16_t *p)
{
    return (vf)_mm512_cvtph_ps(_mm256_loadu_si256((const void *)p));
}

static inline vf vload_u8(const uint8_t *p)
{
    return (vf)_mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm_loadu_si128((const void *)p)));
}

#include "simd/float_regs32.h"

FLOAT_INIT(avx512)
