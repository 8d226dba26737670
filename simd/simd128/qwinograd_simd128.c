/* SPDX-License-Identifier: BSD-2-Clause */
#include "simd/kernels.h"

#include "simd/qgemm_simd128_types.h"

#define V_TILE_PX 4
#define V_HALF_PX 2
#define V_TILE_VECTORS 2
#define v_widen_shorts(p) wasm_u16x8_load8x8(p)
#define v_dot_i16(acc, x, w) v_add_i32(acc, wasm_i32x4_dot_i16x8(x, w))

#include "simd/qwinograd_v.h"

QWINOGRAD_INIT(simd128)
