/* SPDX-License-Identifier: BSD-2-Clause */
/* The vocabulary of qgemm_v.h in 128-bit vectors of x86. */
#include <string.h>

#include "simd/qgemm_x86.h"

#define V_MM(op) _mm_##op
#define V_LANES 4
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
