/* SPDX-License-Identifier: BSD-2-Clause */
/* The vocabulary of resize_cols.h on x86. */
#include <immintrin.h>
#include <string.h>

#include "simd/kernels.h"

typedef int16_t v_weights __attribute__((vector_size(16)));
typedef int64_t v_pair __attribute__((vector_size(16)));
typedef int32_t v_sums __attribute__((vector_size(16)));

static inline v_sums v_dot_to_4(const uint8_t *p, v_weights w)
{
    int32_t px;
    memcpy(&px, p, sizeof(px));
    return (v_sums)_mm_madd_epi16(_mm_cvtepu8_epi16(_mm_cvtsi32_si128(px)), (__m128i)w);
}

static inline v_sums v_dot_8(v_sums acc, const uint8_t *p, v_weights w)
{
    __m128i px = _mm_cvtepu8_epi16(_mm_loadl_epi64((const __m128i *)(const void *)p));
    return acc + (v_sums)_mm_madd_epi16(px, (__m128i)w);
}

static inline void v_finish4(uint8_t *dst, v_sums a, v_sums b, v_sums c, v_sums d)
{
    __m128i v = _mm_hadd_epi32(_mm_hadd_epi32((__m128i)a, (__m128i)b),
                               _mm_hadd_epi32((__m128i)c, (__m128i)d));
    v = _mm_srai_epi32(_mm_add_epi32(v, _mm_set1_epi32(8192)), 14);
    v = _mm_packs_epi32(v, v);
    v = _mm_packus_epi16(v, v);
    memcpy(dst, &v, 4);
}

#include "simd/resize_cols.h"
