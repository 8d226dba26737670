/* SPDX-License-Identifier: BSD-2-Clause */
#include "simd/kernels.h"

#include "simd/qgemm_v256.h"

#define V_TILE_PX 5
#define V_HALF_PX 3
#define V_TILE_VECTORS 2
#define v_widen_shorts(p) _mm256_cvtepu8_epi16(_mm_loadu_si128((const void *)(p)))
#define v_dot_i16(acc, x, w) _mm256_add_epi32(acc, _mm256_madd_epi16(x, w))

#include "simd/qwinograd_v.h"

QWINOGRAD_INIT(avx2)
