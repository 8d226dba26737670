/* SPDX-License-Identifier: BSD-2-Clause */
#include "simd/kernels.h"

#include "simd/qgemm_v256.h"

#define V_TILE_PX 5
#define V_HALF_PX 3
#define V_TILE_VECTORS 2

#define v_madd_i16(a, b) _mm256_madd_epi16(a, b)
#define v_maddubs(u, s) _mm256_maddubs_epi16(u, s)
#define v_add_i16(a, b) _mm256_add_epi16(a, b)
#define v_set1_i16(x) _mm256_set1_epi16(x)
#define v_even_u8(a) _mm256_and_si256(a, _mm256_set1_epi16(255))
#define v_odd_u8(a) _mm256_srli_epi16(a, 8)
#define v_even_s8(a) _mm256_srai_epi16(_mm256_slli_epi16(a, 8), 8)
#define v_odd_s8(a) _mm256_srai_epi16(a, 8)

#include "simd/qgemm_v.h"

void pl_qgemm_init_avx2(struct pl_kernels *k);
void pl_qgemm_init_avx2(struct pl_kernels *k)
{
    k->qgemm_u8 = qgemm_u8;
    k->qgemm_f32 = qgemm_f32;
    k->qdw_u8 = qdw_u8;
}
