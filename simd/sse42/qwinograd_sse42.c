/* SPDX-License-Identifier: BSD-2-Clause */
#include "simd/kernels.h"

#include "simd/qgemm_v128.h"

#define V_TILE_PX 4
#define V_HALF_PX 2
#define V_TILE_VECTORS 2
#define v_widen_shorts(p) _mm_cvtepu8_epi16(_mm_loadl_epi64((const void *)(p)))
#define v_dot_i16(acc, x, w) _mm_add_epi32(acc, _mm_madd_epi16(x, w))

#include "simd/qwinograd_v.h"

QWINOGRAD_INIT(sse42)
