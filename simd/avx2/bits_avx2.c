/* SPDX-License-Identifier: BSD-2-Clause */
#define PL_BYTES 32
#include "simd/bytes.h"

typedef uint32_t v_mask;

static inline vu8 v_bytes(vu64 v)
{
    const __m256i reverse = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8));
    return (vu8)_mm256_shuffle_epi8((__m256i)v, reverse);
}

static inline v_mask v_ink(vu8 px, uint8_t t)
{
    __m256i v = (__m256i)v_bytes((vu64)px);
    v = _mm256_cmpeq_epi8(_mm256_min_epu8(v, _mm256_set1_epi8((char)t)), v);
    return (v_mask)_mm256_movemask_epi8(v);
}

/* -1 where the bit is set. */
static inline __m256i v_test(v_mask bits)
{
    const __m256i which =
        _mm256_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, /* in each half */
                         2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3);
    const __m256i bit = _mm256_set1_epi64x(0x0102040810204080);
    __m256i v = _mm256_shuffle_epi8(_mm256_set1_epi32((int)bits), which);
    return _mm256_cmpeq_epi8(_mm256_and_si256(v, bit), bit);
}

static inline vu8 v_unpack(v_mask bits, uint8_t zero, uint8_t one)
{
    __m256i z = _mm256_set1_epi8((char)zero), differ = _mm256_set1_epi8((char)(zero ^ one));
    return (vu8)_mm256_xor_si256(z, _mm256_and_si256(v_test(bits), differ));
}

static inline void v_add_bits(uint32_t *sum, v_mask bits)
{
    __m256i v = v_test(bits);
    __m128i part[2] = {_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1)};
    for (int i = 0; i < 4; i++, sum += 8) {
        __m128i eight = i % 2 ? _mm_srli_si128(part[i / 2], 8) : part[i / 2];
        __m256i *p = (__m256i *)(void *)sum;
        _mm256_storeu_si256(p,
                            _mm256_sub_epi32(_mm256_loadu_si256(p), _mm256_cvtepi8_epi32(eight)));
    }
}

static inline vu64 v_sad(vu8 v)
{
    return (vu64)_mm256_sad_epu8((__m256i)v, _mm256_setzero_si256());
}

#include "simd/bits_v.h"

void pl_bits_init_avx2(struct pl_kernels *k);
void pl_bits_init_avx2(struct pl_kernels *k)
{
    install_bits(k);
}
