/* SPDX-License-Identifier: BSD-2-Clause */
#include <immintrin.h>

typedef __m128i vb;

#define v_load(p) _mm_loadu_si128((const void *)(p))
#define v_store(p, v) _mm_storeu_si128((void *)(p), v)
#define v_set1(x) _mm_set1_epi8(x)
#define v_add(a, b) _mm_add_epi8(a, b)
#define v_sub(a, b) _mm_sub_epi8(a, b)
#define v_max(a, b) _mm_max_epu8(a, b)
#define v_min(a, b) _mm_min_epu8(a, b)
#define v_eq(a, b) _mm_cmpeq_epi8(a, b)
#define v_select(m, a, b) _mm_blendv_epi8(b, a, m)
#define v_low(a, b) _mm_unpacklo_epi8(a, b)
#define v_high(a, b) _mm_unpackhi_epi8(a, b)
#define v_shift_in(a, b) _mm_alignr_epi8(a, b, 15)

static inline vb v_average(vb a, vb b)
{
    return _mm_sub_epi8(_mm_avg_epu8(a, b), _mm_xor_si128(a, b) & _mm_set1_epi8(1));
}

#include "simd/unfilter_v.h"

void pl_unfilter_init_sse42(struct pl_kernels *k);
void pl_unfilter_init_sse42(struct pl_kernels *k)
{
    k->png_unfilter = png_unfilter;
}
