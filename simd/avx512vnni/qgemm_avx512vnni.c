/* SPDX-License-Identifier: BSD-2-Clause */
#include "simd/kernels.h"

#include "simd/qgemm_v512.h"

#define V_HAS_DOT

#define v_dot(acc, u, s) _mm512_dpbusd_epi32(acc, u, s)

#include "simd/qgemm_v.h"

void pl_qgemm_init_avx512vnni(struct pl_kernels *k);
void pl_qgemm_init_avx512vnni(struct pl_kernels *k)
{
    k->qgemm_u8 = qgemm_u8;
    k->qgemm_f32 = qgemm_f32;
    k->qdw_u8 = qdw_u8;
}
