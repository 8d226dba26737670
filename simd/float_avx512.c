#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

#include "simd/float.h"

#define LANES 16
typedef float vf __attribute__((vector_size(64)));
typedef int32_t vi __attribute__((vector_size(64)));

static inline vf vset(float x)
{
    return (vf)_mm512_set1_ps(x);
}

static inline vf vfma(vf a, vf b, vf c)
{
    return (vf)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
}

static inline vf vmin(vf a, vf b)
{
    return (vf)_mm512_min_ps((__m512)a, (__m512)b);
}

static inline vf vmax(vf a, vf b)
{
    return (vf)_mm512_max_ps((__m512)a, (__m512)b);
}

static inline vf vround(vf x)
{
    return (vf)_mm512_roundscale_ps((__m512)x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}

static inline vi vint(vf x)
{
    return (vi)_mm512_cvttps_epi32((__m512)x);
}

static inline vf vsel(vi mask, vf a, vf b)
{
    return (vf)_mm512_mask_blend_ps(_mm512_movepi32_mask((__m512i)mask), (__m512)b, (__m512)a);
}

static inline vf vload(const float *p)
{
    return (vf)_mm512_loadu_ps(p);
}

static inline void vstore(float *p, vf v)
{
    _mm512_storeu_ps(p, (__m512)v);
}

static inline vf vload_n(const float *p, size_t n)
{
    return (vf)_mm512_maskz_loadu_ps((__mmask16)((1u << n) - 1), p);
}

static inline void vstore_n(float *p, vf v, size_t n)
{
    _mm512_mask_storeu_ps(p, (__mmask16)((1u << n) - 1), (__m512)v);
}

typedef __m256 v8f;
#define v8set _mm256_set1_ps
#define v8load _mm256_loadu_ps
#define v8fma _mm256_fmadd_ps

#include "simd/float_regs32.h"

void pl_float_init_avx512(struct pl_kernels *k);
void pl_float_init_avx512(struct pl_kernels *k)
{
    k->sgemm = sgemm;
    k->sdw = sdw;
    k->act_f32 = act_f32;
    k->lstm_cell = lstm_cell;
}
