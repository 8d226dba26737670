/* SPDX-License-Identifier: BSD-2-Clause */
#define PL_BYTES 32
#include "simd/local_types.h"

static inline vu32 v_scan(vu32 x)
{
    __m256i v = (__m256i)x;
    v = _mm256_add_epi32(v, _mm256_slli_si256(v, 4));
    v = _mm256_add_epi32(v, _mm256_slli_si256(v, 8));
    /* the total of the lower half to all of the upper */
    __m256i low = _mm256_permutevar8x32_epi32(v, _mm256_set1_epi32(3));
    return (vu32)_mm256_add_epi32(v, _mm256_blend_epi32(_mm256_setzero_si256(), low, 0xf0));
}

static inline vu32 v_last(vu32 v)
{
    return (vu32)_mm256_permutevar8x32_epi32((__m256i)v, _mm256_set1_epi32(7));
}

/* Both halves convert exactly, their sum rounds. */
static inline vf32 v_from_u32(vu32 v)
{
    vf32 hi = (vf32)_mm256_cvtepi32_ps((__m256i)(v >> 16));
    return hi * 65536.0f + (vf32)_mm256_cvtepi32_ps((__m256i)(v & 0xffff));
}

static inline vf32 v_sqrt(vf32 v)
{
    return (vf32)_mm256_sqrt_ps((__m256)v);
}

static inline vf32 v_max(vf32 a, vf32 b)
{
    return (vf32)_mm256_max_ps((__m256)a, (__m256)b);
}

static inline vi32 v_pixels(const uint8_t *p)
{
    return (vi32)_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)p));
}

static inline void v_store_above_i32(uint8_t *p, vi32 a, vi32 b)
{
    __m256i v = (__m256i)(a > b);
    __m128i w = _mm_packs_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    _mm_storel_epi64((__m128i *)(void *)p, _mm_packs_epi16(w, w));
}

static inline void v_store_above(uint8_t *p, vf32 a, vf32 b)
{
    v_store_above_i32(p, (vi32){0}, a > b); /* 0 > -1 */
}

#include "simd/local_v.h"

void pl_local_init_avx2(struct pl_kernels *k);
void pl_local_init_avx2(struct pl_kernels *k)
{
    install_local(k);
}
