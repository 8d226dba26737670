/* SPDX-License-Identifier: BSD-2-Clause */
#include "simd/kernels.h"

#include "simd/qgemm_simd128_types.h"

#define V_TILE_PX 4
#define V_HALF_PX 2
#define V_TILE_VECTORS 2
#define v_madd_i16(a, b) wasm_i32x4_dot_i16x8(a, b)
#define v_even_u8(a) wasm_v128_and(a, wasm_i16x8_splat(255))
#define v_odd_u8(a) wasm_u16x8_shr(a, 8)
#define v_even_s8(a) wasm_i16x8_shr(wasm_i16x8_shl(a, 8), 8)
#define v_odd_s8(a) wasm_i16x8_shr(a, 8)

#include "simd/qgemm_v.h"

void pl_qgemm_init_simd128(struct pl_kernels *k);
void pl_qgemm_init_simd128(struct pl_kernels *k)
{
    k->qgemm_u8 = qgemm_u8;
    k->qgemm_f32 = qgemm_f32;
    k->qdw_u8 = qdw_u8;
}
