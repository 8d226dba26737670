/* SPDX-License-Identifier: BSD-2-Clause */
#include "simd/kernels.h"

#include "simd/qgemm_neondot_types.h"

#define V_PLANE_ONLY
typedef vi vw;
#define vw_load(p) v_load_bytes(p)
#define vw_dot(acc, x, w) v_dot(acc, x, w)

#include "simd/qmap_v.h"

void pl_qmap_init_neondot(struct pl_kernels *k);
void pl_qmap_init_neondot(struct pl_kernels *k)
{
    k->qplane_u8 = qplane_u8;
}
