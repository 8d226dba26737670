/* SPDX-License-Identifier: BSD-2-Clause */
/* The word of qgemm_v.h that the x86 levels with shorter vectors share. */
#include <immintrin.h>

static inline void v_store_quads(uint8_t *out, const uint8_t *p, size_t step)
{
    __m128i a = _mm_loadu_si128((const void *)p);
    __m128i b = _mm_loadu_si128((const void *)(p + step));
    __m128i c = _mm_loadu_si128((const void *)(p + 2 * step));
    __m128i e = _mm_loadu_si128((const void *)(p + 3 * step));
    __m128i ab = _mm_unpacklo_epi8(a, b), ce = _mm_unpacklo_epi8(c, e);
    __m128i ab2 = _mm_unpackhi_epi8(a, b), ce2 = _mm_unpackhi_epi8(c, e);
    __m128i *to = (__m128i *)(void *)out;
    _mm_storeu_si128(to, _mm_unpacklo_epi16(ab, ce));
    _mm_storeu_si128(to + 1, _mm_unpackhi_epi16(ab, ce));
    _mm_storeu_si128(to + 2, _mm_unpacklo_epi16(ab2, ce2));
    _mm_storeu_si128(to + 3, _mm_unpackhi_epi16(ab2, ce2));
}
