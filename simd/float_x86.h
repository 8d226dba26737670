/* SPDX-License-Identifier: BSD-2-Clause */
/* The vocabulary of float_v.h that the x86 levels share; before it, by level: V_MM(op) the
 * intrinsic of the level's width, V_F its floats, LANES. */
#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

#include "simd/float.h"

typedef float vf __attribute__((vector_size(4 * LANES)));
typedef int32_t vi __attribute__((vector_size(4 * LANES)));

static inline vf vset(float x)
{
    return (vf)V_MM(set1_ps)(x);
}

#ifdef __FMA__
static inline vf vfma(vf a, vf b, vf c)
{
    return (vf)V_MM(fmadd_ps)((V_F)a, (V_F)b, (V_F)c);
}

typedef __m256 v8f;
#define v8set _mm256_set1_ps
#define v8load _mm256_loadu_ps
#define v8fma _mm256_fmadd_ps
#endif

static inline vf vmin(vf a, vf b)
{
    return (vf)V_MM(min_ps)((V_F)a, (V_F)b);
}

static inline vf vmax(vf a, vf b)
{
    return (vf)V_MM(max_ps)((V_F)a, (V_F)b);
}

static inline vf vload(const float *p)
{
    return (vf)V_MM(loadu_ps)(p);
}

static inline void vstore(float *p, vf v)
{
    V_MM(storeu_ps)(p, (V_F)v);
}
