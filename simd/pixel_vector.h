/* Bodies of the element-wise pixel kernels in the compiler's vector types: included by one file per
 * ISA after PL_BYTES (the register's width) and PL_ISA_NAME are defined. What shuffles is written
 * in intrinsics in those files. */
#include <string.h>

#include "simd/kernels.h"

#define LANES_F (PL_BYTES / 4)

typedef uint8_t vu8 __attribute__((vector_size(PL_BYTES)));
typedef int8_t vs8 __attribute__((vector_size(PL_BYTES)));
typedef float vf32 __attribute__((vector_size(PL_BYTES)));
typedef int32_t vi32 __attribute__((vector_size(PL_BYTES)));
typedef uint8_t quarter_u8 __attribute__((vector_size(LANES_F)));

static inline vu8 load_u8(const uint8_t *p)
{
    vu8 v;
    memcpy(&v, p, sizeof(v));
    return v;
}

static inline void store_u8(uint8_t *p, vu8 v)
{
    memcpy(p, &v, sizeof(v));
}

static inline vf32 load_f32(const float *p)
{
    vf32 v;
    memcpy(&v, p, sizeof(v));
    return v;
}

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
        store_u8(dst + i, ~load_u8(src + i));
    for (; i < n; i++)
        dst[i] = (uint8_t)(255 - src[i]);
}

static void threshold_u8(uint8_t *dst, const uint8_t *src, size_t n, uint8_t t)
{
    size_t i = 0;
    vu8 level = t - (vu8){0};
#pragma GCC unroll 4
    for (; i + PL_BYTES <= n; i += PL_BYTES)
        store_u8(dst + i, (vu8)(load_u8(src + i) > level));
    for (; i < n; i++)
        dst[i] = src[i] > t ? 255 : 0;
}

static inline vf32 load_u8_f32(const uint8_t *p)
{
    quarter_u8 q;
    memcpy(&q, p, sizeof(q));
    return __builtin_convertvector(__builtin_convertvector(q, vi32), vf32);
}

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

static void norm_f32(float *dst, const float *src, size_t n, float mean, float inv_std)
{
    size_t i = 0;
    vf32 m = splat(mean), s = splat(inv_std);
#pragma GCC unroll 4
    for (; i + LANES_F <= n; i += LANES_F)
        store_f32(dst + i, (load_f32(src + i) - m) * s);
    for (; i < n; i++)
        dst[i] = (src[i] - mean) * inv_std;
}

static inline vf32 choose(vi32 mask, vf32 yes, vf32 no)
{
    return (vf32)(((vi32)yes & mask) | ((vi32)no & ~mask));
}

static void scale_f32(float *dst, const float *src, size_t n, float mul, float add, float lo,
                      float hi)
{
    size_t i = 0;
    vf32 m = splat(mul), a = splat(add), l = splat(lo), h = splat(hi);
#pragma GCC unroll 4
    for (; i + LANES_F <= n; i += LANES_F) {
        vf32 v = load_f32(src + i) * m + a;
        v = choose(v < l, l, v);
        store_f32(dst + i, choose(v > h, h, v));
    }
    for (; i < n; i++) {
        float v = src[i] * mul + add;
        v = v < lo ? lo : v;
        dst[i] = v > hi ? hi : v;
    }
}

static void minmax_f32(const float *src, size_t n, float *ret_min, float *ret_max)
{
    float lo = src[0], hi = src[0];
    vf32 vlo = splat(lo), vhi = vlo;
    size_t i = 0;
#pragma GCC unroll 4
    for (; i + LANES_F <= n; i += LANES_F) {
        vf32 v = load_f32(src + i);
        vlo = choose(v < vlo, v, vlo);
        vhi = choose(v > vhi, v, vhi);
    }
    for (size_t j = 0; j < LANES_F; j++) {
        lo = vlo[j] < lo ? vlo[j] : lo;
        hi = vhi[j] > hi ? vhi[j] : hi;
    }
    for (; i < n; i++) {
        lo = src[i] < lo ? src[i] : lo;
        hi = src[i] > hi ? src[i] : hi;
    }
    *ret_min = lo;
    *ret_max = hi;
}

static void install_elementwise(struct pl_kernels *k)
{
    k->invert_u8 = invert_u8;
    k->threshold_u8 = threshold_u8;
    k->norm_u8_f32 = norm_u8_f32;
    k->norm_f32 = norm_f32;
    k->scale_f32 = scale_f32;
    k->minmax_f32 = minmax_f32;
}
