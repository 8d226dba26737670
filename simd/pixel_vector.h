/* SPDX-License-Identifier: BSD-2-Clause */
/* Bodies of the element-wise pixel kernels in the compiler's vector types: included by one file per
 * ISA after PL_BYTES (the register's width) is defined. What shuffles is written in intrinsics in
 * those files. */
#include "simd/bytes.h"

#define LANES_F (PL_BYTES / 4)

typedef float vf32 __attribute__((vector_size(PL_BYTES)));

static inline void store_f32(float *p, vf32 v)
{
    memcpy(p, &v, sizeof(v));
}

static inline vf32 splat(float x)
{
    return x - (vf32){0};
}

static void invert_u8(uint8_t *dst, const uint8_t *src, size_t n)
{
    size_t i = 0;
#pragma GCC unroll 4
    for (; i + PL_BYTES <= n; i += PL_BYTES)
        v_store(dst + i, ~v_load(src + i));
    for (; i < n; i++)
        dst[i] = (uint8_t)(255 - src[i]);
}

static void threshold_u8(uint8_t *dst, const uint8_t *src, size_t n, uint8_t t)
{
    size_t i = 0;
    vu8 level = t - (vu8){0};
#pragma GCC unroll 4
    for (; i + PL_BYTES <= n; i += PL_BYTES)
        v_store(dst + i, (vu8)(v_load(src + i) > level));
    for (; i < n; i++)
        dst[i] = src[i] > t ? 255 : 0;
}

/* LANES_F bytes as floats. */
#if defined(__aarch64__)
static inline vf32 load_u8_f32(const uint8_t *p)
{
    uint32_t v;
    memcpy(&v, p, sizeof(v));
    return vcvtq_f32_u32(vmovl_u16(vget_low_u16(vmovl_u8(vcreate_u8(v)))));
}
#elif PL_BYTES == 16
static inline vf32 load_u8_f32(const uint8_t *p)
{
    int32_t v;
    memcpy(&v, p, sizeof(v));
    return (vf32)_mm_cvtepi32_ps(_mm_cvtepu8_epi32(_mm_cvtsi32_si128(v)));
}
#elif PL_BYTES == 64
static inline vf32 load_u8_f32(const uint8_t *p)
{
    __m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
    return (vf32)_mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(v));
}
#else
static inline vf32 load_u8_f32(const uint8_t *p)
{
    __m128i v = _mm_loadl_epi64((const __m128i *)(const void *)p);
    return (vf32)_mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(v));
}
#endif

static void norm_u8_f32(float *dst, const uint8_t *src, size_t n, float mean, float inv_std)
{
    size_t i = 0;
    vf32 m = splat(mean), s = splat(inv_std);
#pragma GCC unroll 4
    for (; i + LANES_F <= n; i += LANES_F)
        store_f32(dst + i, (load_u8_f32(src + i) - m) * s);
    for (; i < n; i++)
        dst[i] = ((float)src[i] - mean) * inv_std;
}

/* Of PL_BYTES / 2 pixels in 16 bits each: high_u16: the upper half of the product; load_u8_u16:
 * bytes as numbers; store_u16_u8: numbers up to 4095 as bytes, saturated. */
#if defined(__aarch64__)
static inline vu16 high_u16(vu16 a, vu16 b)
{
    uint32x4_t lo = vmull_u16(vget_low_u16(a), vget_low_u16(b)), hi = vmull_high_u16(a, b);
    return vuzp2q_u16((uint16x8_t)lo, (uint16x8_t)hi);
}

static inline vu16 load_u8_u16(const uint8_t *p)
{
    return vmovl_u8(vld1_u8(p));
}

static inline void store_u16_u8(uint8_t *p, vu16 v)
{
    vst1_u8(p, vqmovn_u16(v));
}
#elif PL_BYTES == 16
static inline vu16 high_u16(vu16 a, vu16 b)
{
    return (vu16)_mm_mulhi_epu16((__m128i)a, (__m128i)b);
}

static inline vu16 load_u8_u16(const uint8_t *p)
{
    return (vu16)_mm_cvtepu8_epi16(_mm_loadl_epi64((const __m128i *)(const void *)p));
}

static inline void store_u16_u8(uint8_t *p, vu16 v)
{
    _mm_storel_epi64((__m128i *)(void *)p, _mm_packus_epi16((__m128i)v, (__m128i)v));
}
#elif PL_BYTES == 64
static inline vu16 high_u16(vu16 a, vu16 b)
{
    return (vu16)_mm512_mulhi_epu16((__m512i)a, (__m512i)b);
}

static inline vu16 load_u8_u16(const uint8_t *p)
{
    return (vu16)_mm512_cvtepu8_epi16(_mm256_loadu_si256((const __m256i *)(const void *)p));
}

static inline void store_u16_u8(uint8_t *p, vu16 v)
{
    _mm256_storeu_si256((__m256i *)(void *)p, _mm512_cvtusepi16_epi8((__m512i)v));
}
#else
static inline vu16 high_u16(vu16 a, vu16 b)
{
    return (vu16)_mm256_mulhi_epu16((__m256i)a, (__m256i)b);
}

static inline vu16 load_u8_u16(const uint8_t *p)
{
    return (vu16)_mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(const void *)p));
}

static inline void store_u16_u8(uint8_t *p, vu16 v)
{
    __m256i twice = _mm256_packus_epi16((__m256i)v, (__m256i)v);
    __m256i bytes = _mm256_permute4x64_epi64(twice, 0x08);
    _mm_storeu_si128((__m128i *)(void *)p, _mm256_castsi256_si128(bytes));
}
#endif

static inline vu16 load_u16(const uint16_t *p)
{
    vu16 v;
    memcpy(&v, p, sizeof(v));
    return v;
}

static void gain_row(uint8_t *dst, const uint8_t *src, size_t n, const uint16_t *a,
                     const uint16_t *b, uint16_t f)
{
    enum { PIXELS = PL_BYTES / 2 };
    vu16 of_b = f - (vu16){0}, of_a = ~of_b;
    size_t i = 0;
    for (; i + PIXELS <= n; i += PIXELS) {
        vu16 g = high_u16(load_u16(a + i), of_a) + high_u16(load_u16(b + i), of_b);
        store_u16_u8(dst + i, (high_u16(load_u8_u16(src + i) << 8, g) + 8) >> 4);
    }
    for (; i < n; i++) {
        uint32_t g = (a[i] * (65535u - f) >> 16) + ((uint32_t)b[i] * f >> 16);
        uint32_t v = ((src[i] * g >> 8) + 8) >> 4;
        dst[i] = (uint8_t)(v < 255 ? v : 255);
    }
}

static void install_elementwise(struct pl_kernels *k)
{
    k->invert_u8 = invert_u8;
    k->threshold_u8 = threshold_u8;
    k->norm_u8_f32 = norm_u8_f32;
    k->gain_row = gain_row;
}
