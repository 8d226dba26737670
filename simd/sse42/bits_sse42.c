/* SPDX-License-Identifier: BSD-2-Clause */
#define PL_BYTES 16
#include "simd/bytes.h"

typedef uint16_t v_mask;

static inline vu8 v_bytes(vu64 v)
{
    const __m128i reverse = _mm_setr_epi8(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8);
    return (vu8)_mm_shuffle_epi8((__m128i)v, reverse);
}

static inline v_mask v_ink(vu8 px, uint8_t t)
{
    __m128i v = (__m128i)v_bytes((vu64)px);
    v = _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8((char)t)), v);
    return (v_mask)_mm_movemask_epi8(v);
}

/* -1 where the bit is set. */
static inline __m128i v_test(v_mask bits)
{
    const __m128i which = _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1);
    const __m128i bit = _mm_set1_epi64x(0x0102040810204080);
    __m128i v = _mm_shuffle_epi8(_mm_cvtsi32_si128(bits), which);
    return _mm_cmpeq_epi8(_mm_and_si128(v, bit), bit);
}

static inline vu8 v_unpack(v_mask bits, uint8_t zero, uint8_t one)
{
    __m128i z = _mm_set1_epi8((char)zero), differ = _mm_set1_epi8((char)(zero ^ one));
    return (vu8)_mm_xor_si128(z, _mm_and_si128(v_test(bits), differ));
}

static inline void v_add_bits(uint32_t *sum, v_mask bits)
{
    __m128i v = v_test(bits);
    for (int i = 0; i < 4; i++, sum += 4, v = _mm_srli_si128(v, 4)) {
        __m128i *p = (__m128i *)(void *)sum;
        _mm_storeu_si128(p, _mm_sub_epi32(_mm_loadu_si128(p), _mm_cvtepi8_epi32(v)));
    }
}

static inline vu64 v_sad(vu8 v)
{
    return (vu64)_mm_sad_epu8((__m128i)v, _mm_setzero_si128());
}

#include "simd/bits_v.h"

/* One instruction counts 64 bits: wider registers have nothing to gain on a row. */
static size_t count_bits(const uint8_t *bits, size_t n)
{
    size_t i = 0, bytes = n / 8;
    uint64_t total = 0, v;
    for (; i + 8 <= bytes; i += 8) {
        memcpy(&v, bits + i, 8);
        total += (uint64_t)__builtin_popcountll(v);
    }
    v = 0;
    memcpy(&v, bits + i, bytes - i);
    total += (uint64_t)__builtin_popcountll(v);
    if (n % 8)
        total += (uint64_t)__builtin_popcount(bits[bytes] & (0xff00u >> n % 8) & 255);
    return total;
}

void pl_bits_init_sse42(struct pl_kernels *k);
void pl_bits_init_sse42(struct pl_kernels *k)
{
    install_bits(k);
    k->count_bits = count_bits;
}
