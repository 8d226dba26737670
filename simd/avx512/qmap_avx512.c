/* SPDX-License-Identifier: BSD-2-Clause */
#include "simd/kernels.h"

#include "simd/qgemm_v512.h"

#include "simd/qmap_wide.h"

QMAP_INIT(avx512)
