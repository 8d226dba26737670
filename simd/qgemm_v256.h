/* SPDX-License-Identifier: BSD-2-Clause */
/* The vocabulary of qgemm_v.h in 256-bit vectors, for the levels that have them; the products are
 * theirs. */
#include "simd/qgemm_x86.h"

#define V_MM(op) _mm256_##op
#define V_LANES 8
typedef __m256i vi;
typedef __m256 vf;

#define v_load_i32(p) _mm256_loadu_si256((const void *)(p))
#define v_store_i32(p, v) _mm256_storeu_si256((void *)(p), v)
#define v_load_bytes(p) _mm256_loadu_si256((const void *)(p))
#define v_load_f32(p) _mm256_loadu_ps(p)
#define v_store_f32(p, v) _mm256_storeu_ps(p, v)
#define v_set1_i32(x) _mm256_set1_epi32(x)
#define v_set1_f32(x) _mm256_set1_ps(x)
#define v_add_i32(a, b) _mm256_add_epi32(a, b)
#define v_sub_i32(a, b) _mm256_sub_epi32(a, b)
#define v_cvt_f32(a) _mm256_cvtepi32_ps(a)
#define v_cvt_i32(a) _mm256_cvtps_epi32(a)
#define v_mul(a, b) _mm256_mul_ps(a, b)
#define v_add_f32(a, b) _mm256_add_ps(a, b)
#define v_min(a, b) _mm256_min_ps(a, b)
#define v_max(a, b) _mm256_max_ps(a, b)

static inline vi v_widen_u8(const uint8_t *p)
{
    return _mm256_cvtepu8_epi32(_mm_loadl_epi64((const void *)p));
}

static inline void v_store_u8(uint8_t *p, vi v)
{
    __m128i words = _mm_packus_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    _mm_storel_epi64((void *)p, _mm_packus_epi16(words, words));
}

/* Packing takes the halves of the vectors in turn. */
static inline __attribute__((always_inline)) void v_store_blocks(uint8_t *p, const vi *v, int n)
{
    if (n == 1) {
        v_store_u8(p, v[0]);
        return;
    }
    const vi words = _mm256_packus_epi32(v[0], v[1]), bytes = _mm256_packus_epi16(words, words);
    const vi all = _mm256_permutevar8x32_epi32(bytes, _mm256_setr_epi32(0, 4, 1, 5, 0, 4, 1, 5));
    _mm_storeu_si128((void *)p, _mm256_castsi256_si128(all));
}
#define v_store_blocks v_store_blocks
