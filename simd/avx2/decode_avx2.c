/* SPDX-License-Identifier: BSD-2-Clause */
#include <immintrin.h>

#define PL_BYTES 32
#include "simd/decode_vector.h"

static inline vf32 load_u8_f32(const uint8_t *p)
{
    __m128i v = _mm_loadl_epi64((const __m128i *)(const void *)p);
    return (vf32)_mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(v));
}

void pl_decode_init_avx2(struct pl_kernels *k);
void pl_decode_init_avx2(struct pl_kernels *k)
{
    k->embed_sum_u8 = embed_sum_u8;
    k->softmax_top = softmax_top;
}
