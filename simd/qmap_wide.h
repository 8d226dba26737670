/* SPDX-License-Identifier: BSD-2-Clause */
/* Products of qmap_v.h for the levels without a dot product: weights and bytes are widened to 16
 * bits, so that every sum is exact. Comes after qgemm_v256.h or qgemm_v512.h. */
/* Weights of even and of odd rows, as 16-bit. */
typedef struct {
    vi even, odd;
} vw;

static inline vw vw_load(const int8_t *p)
{
    const vi v = v_load_bytes(p);
    return (vw){V_MM(srai_epi16)(V_MM(slli_epi16)(v, 8), 8), V_MM(srai_epi16)(v, 8)};
}

static inline vi vw_dot(vi acc, vi x, vw w)
{
    const vi even = V_MM(madd_epi16)(x & V_MM(set1_epi16)(255), w.even);
    const vi odd = V_MM(madd_epi16)(V_MM(srli_epi16)(x, 8), w.odd);
    return v_add_i32(acc, v_add_i32(even, odd));
}

#include "simd/qmap_v.h"
