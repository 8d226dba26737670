/* SPDX-License-Identifier: BSD-2-Clause */
/* The vector types of the byte kernels, PL_BYTES wide: included by one file per ISA. */
#if defined(__aarch64__)
#include <arm_neon.h>
#else
#include <immintrin.h>
#endif
#include <string.h>

#include "simd/kernels.h"

typedef uint8_t vu8 __attribute__((vector_size(PL_BYTES)));
typedef uint16_t vu16 __attribute__((vector_size(PL_BYTES)));
typedef int64_t vi64 __attribute__((vector_size(PL_BYTES)));
typedef uint64_t vu64 __attribute__((vector_size(PL_BYTES)));

static inline vu8 v_load(const uint8_t *p)
{
    vu8 v;
    memcpy(&v, p, sizeof(v));
    return v;
}

static inline void v_store(uint8_t *p, vu8 v)
{
    memcpy(p, &v, sizeof(v));
}

/* The first n < PL_BYTES bytes; those behind are read as zeros. */
static inline vu8 v_load_part(const uint8_t *p, size_t n)
{
#if PL_BYTES == 64
    return (vu8)_mm512_maskz_loadu_epi8(((__mmask64)1 << n) - 1, p);
#else
    vu8 v = {0};
    memcpy(&v, p, n);
    return v;
#endif
}

static inline void v_store_part(uint8_t *p, vu8 v, size_t n)
{
#if PL_BYTES == 64
    _mm512_mask_storeu_epi8(p, ((__mmask64)1 << n) - 1, (__m512i)v);
#else
    memcpy(p, &v, n);
#endif
}

static inline vu8 v_min(vu8 a, vu8 b)
{
#if PL_BYTES == 64
    return (vu8)_mm512_min_epu8((__m512i)a, (__m512i)b);
#elif PL_BYTES == 32
    return (vu8)_mm256_min_epu8((__m256i)a, (__m256i)b);
#elif defined(__aarch64__)
    return vminq_u8(a, b);
#else
    return (vu8)_mm_min_epu8((__m128i)a, (__m128i)b);
#endif
}

static inline vu8 v_max(vu8 a, vu8 b)
{
#if PL_BYTES == 64
    return (vu8)_mm512_max_epu8((__m512i)a, (__m512i)b);
#elif PL_BYTES == 32
    return (vu8)_mm256_max_epu8((__m256i)a, (__m256i)b);
#elif defined(__aarch64__)
    return vmaxq_u8(a, b);
#else
    return (vu8)_mm_max_epu8((__m128i)a, (__m128i)b);
#endif
}

/* The bytes of v one place on, behind the last of `before`. */
static inline vu8 v_slide_in(vu8 before, vu8 v)
{
#if PL_BYTES == 64
    __m512i joint = _mm512_alignr_epi64((__m512i)v, (__m512i)before, 6);
    return (vu8)_mm512_alignr_epi8((__m512i)v, joint, 15);
#elif PL_BYTES == 32
    __m256i joint = _mm256_permute2x128_si256((__m256i)before, (__m256i)v, 0x21);
    return (vu8)_mm256_alignr_epi8((__m256i)v, joint, 15);
#elif defined(__aarch64__)
    return vextq_u8(before, v, 15);
#else
    return (vu8)_mm_alignr_epi8((__m128i)v, (__m128i)before, 15);
#endif
}

/* The bytes of v one place back, before the first of `after`. */
static inline vu8 v_slide_out(vu8 v, vu8 after)
{
#if PL_BYTES == 64
    __m512i joint = _mm512_alignr_epi64((__m512i)after, (__m512i)v, 2);
    return (vu8)_mm512_alignr_epi8(joint, (__m512i)v, 1);
#elif PL_BYTES == 32
    __m256i joint = _mm256_permute2x128_si256((__m256i)v, (__m256i)after, 0x21);
    return (vu8)_mm256_alignr_epi8(joint, (__m256i)v, 1);
#elif defined(__aarch64__)
    return vextq_u8(v, after, 1);
#else
    return (vu8)_mm_alignr_epi8((__m128i)after, (__m128i)v, 1);
#endif
}
