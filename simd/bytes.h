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
