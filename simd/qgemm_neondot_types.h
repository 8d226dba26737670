/* SPDX-License-Identifier: BSD-2-Clause */
/* What qgemm_v.h and qmap_v.h share on the level with SDOT, which wants both sides signed. */
#include "simd/qgemm_neon_types.h"

#define V_SIGNED_INPUTS

static inline vi v_dot(vi acc, vi u, vi s)
{
    return vdotq_s32(acc, (int8x16_t)u, (int8x16_t)s);
}

static inline uint8x16_t load_lower(const uint8_t *p)
{
    return vld1q_u8(p) ^ 0x80;
}

static inline void v_store_quads(uint8_t *out, const uint8_t *p, size_t step)
{
    vst4q_u8(out, (uint8x16x4_t){{load_lower(p), load_lower(p + step), load_lower(p + 2 * step),
                                  load_lower(p + 3 * step)}});
}
