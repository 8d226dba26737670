/* SPDX-License-Identifier: BSD-2-Clause */
#include "simd/kernels.h"

#include "simd/qgemm_x86.h"
#include <string.h>

#define V_LANES 4
#define V_TILE_PX 4
#define V_HALF_PX 2
#define V_TILE_VECTORS 2
typedef __m128i vi;
typedef __m128 vf;

#define v_load_i32(p) _mm_loadu_si128((const void *)(p))
#define v_store_i32(p, v) _mm_storeu_si128((void *)(p), v)
#define v_load_bytes(p) _mm_loadu_si128((const void *)(p))
#define v_load_f32(p) _mm_loadu_ps(p)
#define v_store_f32(p, v) _mm_storeu_ps(p, v)
#define v_set1_i32(x) _mm_set1_epi32(x)
#define v_set1_f32(x) _mm_set1_ps(x)
#define v_add_i32(a, b) _mm_add_epi32(a, b)
#define v_sub_i32(a, b) _mm_sub_epi32(a, b)
#define v_cvt_f32(a) _mm_cvtepi32_ps(a)
#define v_cvt_i32(a) _mm_cvtps_epi32(a)
#define v_mul(a, b) _mm_mul_ps(a, b)
#define v_add_f32(a, b) _mm_add_ps(a, b)
#define v_min(a, b) _mm_min_ps(a, b)
#define v_max(a, b) _mm_max_ps(a, b)
#define v_madd_i16(a, b) _mm_madd_epi16(a, b)
#define v_maddubs(u, s) _mm_maddubs_epi16(u, s)
#define v_add_i16(a, b) _mm_add_epi16(a, b)
#define v_set1_i16(x) _mm_set1_epi16(x)
#define v_even_u8(a) _mm_and_si128(a, _mm_set1_epi16(255))
#define v_odd_u8(a) _mm_srli_epi16(a, 8)
#define v_even_s8(a) _mm_srai_epi16(_mm_slli_epi16(a, 8), 8)
#define v_odd_s8(a) _mm_srai_epi16(a, 8)

static inline vi v_widen_u8(const uint8_t *p)
{
    int32_t v;
    memcpy(&v, p, sizeof(v));
    return _mm_cvtepu8_epi32(_mm_cvtsi32_si128(v));
}

static inline void v_store_u8(uint8_t *p, vi v)
{
    vi words = _mm_packus_epi32(v, v);
    int32_t bytes = _mm_cvtsi128_si32(_mm_packus_epi16(words, words));
    memcpy(p, &bytes, sizeof(bytes));
}

#include "simd/qgemm_v.h"

void pl_qgemm_init_sse42(struct pl_kernels *k);
void pl_qgemm_init_sse42(struct pl_kernels *k)
{
    k->qgemm_u8 = qgemm_u8;
    k->qgemm_f32 = qgemm_f32;
    k->qdw_u8 = qdw_u8;
}
