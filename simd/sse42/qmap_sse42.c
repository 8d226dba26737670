/* SPDX-License-Identifier: BSD-2-Clause */
#include "simd/kernels.h"

#include "simd/qgemm_v128.h"

#include "simd/qmap_wide.h"

QMAP_INIT(sse42)
