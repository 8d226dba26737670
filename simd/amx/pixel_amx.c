/* SPDX-License-Identifier: BSD-2-Clause */
/* Every processor with tiles picks bytes out of two registers (AVX-512 VBMI). */
#include <immintrin.h>

#include "simd/kernels.h"

static void lut_u8(uint8_t *dst, const uint8_t *src, size_t n, const uint8_t lut[256])
{
    __m512i t[4];
    for (size_t i = 0; i < 4; i++)
        t[i] = _mm512_loadu_si512(lut + 64 * i);
    for (size_t i = 0; i < n; i += 64) {
        const __mmask64 m = n - i < 64 ? ((__mmask64)1 << (n - i)) - 1 : ~(__mmask64)0;
        const __m512i at = _mm512_maskz_loadu_epi8(m, src + i);
        const __m512i low = _mm512_permutex2var_epi8(t[0], at, t[1]);
        const __m512i high = _mm512_permutex2var_epi8(t[2], at, t[3]);
        _mm512_mask_storeu_epi8(dst + i, m,
                                _mm512_mask_blend_epi8(_mm512_movepi8_mask(at), low, high));
    }
}

void pl_pixel_init_amx(struct pl_kernels *k);
void pl_pixel_init_amx(struct pl_kernels *k)
{
    k->lut_u8 = lut_u8;
}
