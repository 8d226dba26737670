/* SPDX-License-Identifier: BSD-2-Clause */
#define PL_BYTES 64
#include "simd/local_types.h"

static inline vu32 v_scan(vu32 x)
{
    __m512i v = (__m512i)x, zero = _mm512_setzero_si512();
    v = _mm512_add_epi32(v, _mm512_alignr_epi32(v, zero, 15));
    v = _mm512_add_epi32(v, _mm512_alignr_epi32(v, zero, 14));
    v = _mm512_add_epi32(v, _mm512_alignr_epi32(v, zero, 12));
    return (vu32)_mm512_add_epi32(v, _mm512_alignr_epi32(v, zero, 8));
}

static inline vu32 v_last(vu32 v)
{
    return (vu32)_mm512_permutexvar_epi32(_mm512_set1_epi32(15), (__m512i)v);
}

static inline vf32 v_from_u32(vu32 v)
{
    return (vf32)_mm512_cvtepu32_ps((__m512i)v);
}

static inline vf32 v_sqrt(vf32 v)
{
    return (vf32)_mm512_sqrt_ps((__m512)v);
}

static inline vf32 v_max(vf32 a, vf32 b)
{
    return (vf32)_mm512_max_ps((__m512)a, (__m512)b);
}

static inline vi32 v_pixels(const uint8_t *p)
{
    return (vi32)_mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(const void *)p));
}

static inline void v_store_above(uint8_t *p, vf32 a, vf32 b)
{
    __mmask16 m = _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_GT_OQ);
    _mm_storeu_si128((__m128i *)(void *)p, _mm_movm_epi8(m));
}

static inline void v_store_above_i32(uint8_t *p, vi32 a, vi32 b)
{
    __mmask16 m = _mm512_cmpgt_epi32_mask((__m512i)a, (__m512i)b);
    _mm_storeu_si128((__m128i *)(void *)p, _mm_movm_epi8(m));
}

#include "simd/local_v.h"

void pl_local_init_avx512(struct pl_kernels *k);
void pl_local_init_avx512(struct pl_kernels *k)
{
    install_local(k);
}
