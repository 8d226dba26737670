/* SPDX-License-Identifier: BSD-2-Clause */
#include "simd/kernels.h"

#include "simd/qgemm_v256.h"

#define V_HAS_STEP
#define V_TILE_PX 6
#define V_HALF_PX 3
#define V_WEIGHTS 2
typedef vi v_weights, v_inputs;

static inline void v_load_weights(v_weights b[V_WEIGHTS], const int8_t *w)
{
    b[0] = v_load_bytes(w);
    b[1] = v_load_bytes(w + 32);
}

static inline v_inputs v_load_inputs(const uint8_t *p)
{
    int32_t four;
    __builtin_memcpy(&four, p, sizeof(four));
    return _mm256_set1_epi32(four);
}

#define v_dot(acc, u, s) _mm256_dpbusd_avx_epi32(acc, u, s)
#define v_step(acc, x, b, j) v_dot(acc, x, (b)[j])

#include "simd/qgemm_v.h"

void pl_qgemm_init_avxvnni(struct pl_kernels *k);
void pl_qgemm_init_avxvnni(struct pl_kernels *k)
{
    k->qgemm_u8 = qgemm_u8;
    k->qgemm_f32 = qgemm_f32;
    k->qdw_u8 = qdw_u8;
}
