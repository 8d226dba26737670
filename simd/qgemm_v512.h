/* SPDX-License-Identifier: BSD-2-Clause */
/* The vocabulary of qgemm_v.h in 512-bit vectors, for the levels that have them; v_dot or the
 * widened products are theirs. */
#include <immintrin.h>

#define V_MM(op) _mm512_##op
#define V_LANES 16
typedef __m512i vi;
typedef __m512 vf;

#define v_load_i32(p) _mm512_loadu_si512(p)
#define v_load_bytes(p) _mm512_loadu_si512(p)
#define v_load_f32(p) _mm512_loadu_ps(p)
#define v_store_f32(p, v) _mm512_storeu_ps(p, v)
#define v_set1_i32(x) _mm512_set1_epi32(x)
#define v_set1_f32(x) _mm512_set1_ps(x)
#define v_add_i32(a, b) _mm512_add_epi32(a, b)
#define v_sub_i32(a, b) _mm512_sub_epi32(a, b)
#define v_cvt_f32(a) _mm512_cvtepi32_ps(a)
#define v_cvt_i32(a) _mm512_cvtps_epi32(a)
#define v_mul(a, b) _mm512_mul_ps(a, b)
#define v_add_f32(a, b) _mm512_add_ps(a, b)
#define v_min(a, b) _mm512_min_ps(a, b)
#define v_max(a, b) _mm512_max_ps(a, b)
#define v_widen_u8(p) _mm512_cvtepu8_epi32(_mm_loadu_si128((const void *)(p)))

/* Without a branch: around one, GCC 12 stores the sums in every step of the GEMM. */
static inline void v_store_some(float *p, vf v, ptrdiff_t n)
{
    const int lanes = n < 0 ? 0 : n < V_LANES ? (int)n : V_LANES;
    _mm512_mask_storeu_ps(p, (__mmask16)((1u << lanes) - 1), v);
}
#define v_store_some v_store_some

/* The four rows become the quarters of one vector, which a turn of its dwords and one of the bytes
 * of each quarter put in order. */
static inline void v_store_quads(uint8_t *out, const uint8_t *p, size_t step)
{
    const __m512i dwords = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    const __m512i bytes =
        _mm512_broadcast_i32x4(_mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
    __m512i v = _mm512_castsi128_si512(_mm_loadu_si128((const void *)p));
    v = _mm512_mask_broadcast_i32x4(v, 0x00f0, _mm_loadu_si128((const void *)(p + step)));
    v = _mm512_mask_broadcast_i32x4(v, 0x0f00, _mm_loadu_si128((const void *)(p + 2 * step)));
    v = _mm512_mask_broadcast_i32x4(v, 0xf000, _mm_loadu_si128((const void *)(p + 3 * step)));
    _mm512_storeu_si512(out, _mm512_shuffle_epi8(_mm512_permutexvar_epi32(dwords, v), bytes));
}

static inline void v_store_u8(uint8_t *p, vi v)
{
    _mm_storeu_si128((void *)p,
                     _mm512_cvtusepi32_epi8(_mm512_max_epi32(v, _mm512_setzero_si512())));
}

/* Packing takes the quarters of the vectors in turn. */
static inline __attribute__((always_inline)) void v_store_blocks(uint8_t *p, const vi *v, int n)
{
    const vi order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    if (n == 1) {
        v_store_u8(p, v[0]);
        return;
    }
    vi ab = _mm512_packus_epi32(v[0], v[1]);
    vi cd = n > 2 ? _mm512_packus_epi32(v[2], v[n - 1]) : ab;
    vi all = _mm512_permutexvar_epi32(order, _mm512_packus_epi16(ab, cd));
    if (n == 2)
        _mm256_storeu_si256((void *)p, _mm512_castsi512_si256(all));
    else if (n == 3)
        _mm512_mask_storeu_epi32(p, 0x0fff, all);
    else
        _mm512_storeu_si512(p, all);
}
#define v_store_blocks v_store_blocks
