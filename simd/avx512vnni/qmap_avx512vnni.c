/* SPDX-License-Identifier: BSD-2-Clause */
#include "simd/kernels.h"

#include "simd/qgemm_v512.h"

#define V_PLANE_ONLY
typedef __m512i vw;
#define vw_load(p) _mm512_loadu_si512(p)
#define vw_dot(acc, x, w) _mm512_dpbusd_epi32(acc, x, w)

#include "simd/qmap_v.h"

void pl_qmap_init_avx512vnni(struct pl_kernels *k);
void pl_qmap_init_avx512vnni(struct pl_kernels *k)
{
    k->qplane_u8 = qplane_u8;
}
