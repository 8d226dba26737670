/* SPDX-License-Identifier: BSD-2-Clause */
#define PL_BYTES 64
#include "simd/bytes.h"

typedef uint64_t v_mask;

static inline vu8 v_bytes(vu64 v)
{
    const __m512i reverse =
        _mm512_broadcast_i32x4(_mm_setr_epi8(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8));
    return (vu8)_mm512_shuffle_epi8((__m512i)v, reverse);
}

static inline v_mask v_ink(vu8 px, uint8_t t)
{
    return _mm512_cmple_epu8_mask((__m512i)v_bytes((vu64)px), _mm512_set1_epi8((char)t));
}

/* The bits with the first pixel lowest, as masks have it. */
static inline __mmask64 v_test(v_mask bits)
{
    const __m512i which =
        _mm512_inserti64x4(_mm512_castsi256_si512(_mm256_set_epi64x(
                               0x0303030303030303, 0x0202020202020202, 0x0101010101010101, 0)),
                           _mm256_set_epi64x(0x0707070707070707, 0x0606060606060606,
                                             0x0505050505050505, 0x0404040404040404),
                           1);
    __m512i v = _mm512_shuffle_epi8(_mm512_set1_epi64((long long)bits), which);
    return _mm512_test_epi8_mask(v, _mm512_set1_epi64(0x0102040810204080));
}

static inline vu8 v_unpack(v_mask bits, uint8_t zero, uint8_t one)
{
    return (vu8)_mm512_mask_blend_epi8(v_test(bits), _mm512_set1_epi8((char)zero),
                                       _mm512_set1_epi8((char)one));
}

static inline void v_add_bits(uint32_t *sum, v_mask bits)
{
    __mmask64 m = v_test(bits);
    for (int i = 0; i < 4; i++, sum += 16, m >>= 16) {
        __m512i v = _mm512_loadu_si512(sum);
        v = _mm512_mask_add_epi32(v, (__mmask16)m, v, _mm512_set1_epi32(1));
        _mm512_storeu_si512(sum, v);
    }
}

static inline vu64 v_sad(vu8 v)
{
    return (vu64)_mm512_sad_epu8((__m512i)v, _mm512_setzero_si512());
}

#include "simd/bits_v.h"

void pl_bits_init_avx512(struct pl_kernels *k);
void pl_bits_init_avx512(struct pl_kernels *k)
{
    install_bits(k);
}
