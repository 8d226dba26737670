/* The vocabulary of qgemm_v.h in 512-bit vectors, for the levels that have them; v_dot or the
 * widened products are theirs. */
#include "simd/qgemm_x86.h"

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
#define v_store_u8(p, v) _mm_storeu_si128((void *)(p), _mm512_cvtepi32_epi8(v))
