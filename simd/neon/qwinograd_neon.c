/* SPDX-License-Identifier: BSD-2-Clause */
#include "simd/kernels.h"

#include "simd/qgemm_neon_types.h"

/* Four tiles by sixteen channels: sixteen sums, and the weights of two inputs, one input's channels
 * apart from the other's. */
#define V_TILE_PX 4
#define V_HALF_PX 2
#define V_TILE_VECTORS 4
#define V_WEIGHTS 2
typedef int16x8x2_t v_weights; /* of eight channels */
typedef int16x4_t v_inputs;    /* the two inputs are its first two */

#define v_widen_shorts(p) vmovl_u8(vld1_u8(p))

static inline void v_load_pairs(v_weights w[V_WEIGHTS], const int16_t *p, int n)
{
    for (int j = 0; j < n / 2; j++)
        w[j] = vld2q_s16(p + 16 * j);
}

static inline v_inputs v_load_pair(const int16_t *p)
{
    return vreinterpret_s16_u32(vdup_n_u32(load_four((const uint8_t *)p)));
}

static inline vi v_add_pairs(vi acc, v_inputs x, const v_weights w[V_WEIGHTS], int j)
{
    const v_weights *both = w + j / 2;
    if (j % 2)
        return vmlal_high_lane_s16(vmlal_high_lane_s16(acc, both->val[0], x, 0), both->val[1], x,
                                   1);
    acc = vmlal_lane_s16(acc, vget_low_s16(both->val[0]), x, 0);
    return vmlal_lane_s16(acc, vget_low_s16(both->val[1]), x, 1);
}

#include "simd/qwinograd_v.h"

QWINOGRAD_INIT(neon)
