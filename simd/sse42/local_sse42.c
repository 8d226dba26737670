/* SPDX-License-Identifier: BSD-2-Clause */
#define PL_BYTES 16
#include "simd/local_types.h"

static inline vu32 v_scan(vu32 x)
{
    __m128i v = (__m128i)x;
    v = _mm_add_epi32(v, _mm_slli_si128(v, 4));
    return (vu32)_mm_add_epi32(v, _mm_slli_si128(v, 8));
}

static inline vu32 v_last(vu32 v)
{
    return (vu32)_mm_shuffle_epi32((__m128i)v, 0xff);
}

/* Both halves convert exactly, their sum rounds. */
static inline vf32 v_from_u32(vu32 v)
{
    vf32 hi = (vf32)_mm_cvtepi32_ps((__m128i)(v >> 16));
    return hi * 65536.0f + (vf32)_mm_cvtepi32_ps((__m128i)(v & 0xffff));
}

static inline vf32 v_sqrt(vf32 v)
{
    return (vf32)_mm_sqrt_ps((__m128)v);
}

static inline vf32 v_max(vf32 a, vf32 b)
{
    return (vf32)_mm_max_ps((__m128)a, (__m128)b);
}

static inline vi32 v_pixels(const uint8_t *p)
{
    int32_t v;
    __builtin_memcpy(&v, p, sizeof(v));
    return (vi32)_mm_cvtepu8_epi32(_mm_cvtsi32_si128(v));
}

static inline void v_store_above_i32(uint8_t *p, vi32 a, vi32 b)
{
    __m128i m = (__m128i)(a > b), w = _mm_packs_epi32(m, m);
    int32_t v = _mm_cvtsi128_si32(_mm_packs_epi16(w, w));
    __builtin_memcpy(p, &v, sizeof(v));
}

static inline void v_store_above(uint8_t *p, vf32 a, vf32 b)
{
    v_store_above_i32(p, (vi32){0}, a > b); /* 0 > -1 */
}

#include "simd/local_v.h"

void pl_local_init_sse42(struct pl_kernels *k);
void pl_local_init_sse42(struct pl_kernels *k)
{
    install_local(k);
}
