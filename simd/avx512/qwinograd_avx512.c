/* SPDX-License-Identifier: BSD-2-Clause */
#include "simd/kernels.h"

#include "simd/qgemm_v512.h"

#define V_TILE_PX 8
#define V_HALF_PX 4
#define V_TILE_VECTORS 1
#define v_store_i32(p, v) _mm512_storeu_si512(p, v)
#define v_widen_shorts(p) _mm256_cvtepu8_epi16(_mm_loadu_si128((const void *)(p)))
#define v_dot_i16(acc, x, w) _mm512_add_epi32(acc, _mm512_madd_epi16(x, w))

#include "simd/qwinograd_v.h"

QWINOGRAD_INIT(avx512)
