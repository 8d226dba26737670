/* SPDX-License-Identifier: BSD-2-Clause */
#include "simd/kernels.h"

#include "simd/qgemm_neondot_types.h"

#define V_TILE_PX 6
#define V_HALF_PX 3
#define V_WEIGHTS 4
typedef int8x16_t v_weights;
typedef vi v_inputs;

static inline void v_load_weights(v_weights b[V_WEIGHTS], const int8_t *w)
{
    for (int j = 0; j < V_WEIGHTS; j++)
        b[j] = vld1q_s8(w + 16 * j);
}

static inline v_inputs v_load_inputs(const uint8_t *p)
{
    return vdupq_n_s32((int32_t)(load_four(p) ^ 0x80808080u));
}

static inline vi v_step(vi acc, v_inputs x, const v_weights b[V_WEIGHTS], int j)
{
    return vdotq_s32(acc, (int8x16_t)x, b[j]);
}

#include "simd/qgemm_v.h"

void pl_qgemm_init_neondot(struct pl_kernels *k);
void pl_qgemm_init_neondot(struct pl_kernels *k)
{
    k->qgemm_u8 = qgemm_u8;
    k->qgemm_f32 = qgemm_f32;
    k->qdw_u8 = qdw_u8;
}
