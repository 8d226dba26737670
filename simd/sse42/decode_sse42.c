/* SPDX-License-Identifier: BSD-2-Clause */
#include <immintrin.h>

#define PL_BYTES 16
#include "simd/decode_vector.h"

static inline vf32 load_u8_f32(const uint8_t *p)
{
    int32_t v;
    memcpy(&v, p, sizeof(v));
    return (vf32)_mm_cvtepi32_ps(_mm_cvtepu8_epi32(_mm_cvtsi32_si128(v)));
}

void pl_decode_init_sse42(struct pl_kernels *k);
void pl_decode_init_sse42(struct pl_kernels *k)
{
    k->embed_sum_u8 = embed_sum_u8;
    k->softmax_top = softmax_top;
}
