/* SPDX-License-Identifier: BSD-2-Clause */
#include "simd/kernels.h"

#include "simd/qgemm_v256.h"

#include "simd/qmap_wide.h"

QMAP_INIT(avx2)
