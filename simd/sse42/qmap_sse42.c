/* SPDX-License-Identifier: BSD-2-Clause */
#include "simd/kernels.h"

#include "simd/qgemm_v128.h"

#define V_PLANE_PAIRS
#include "simd/qmap_v.h"

QMAP_INIT(sse42)
