/* SPDX-License-Identifier: BSD-2-Clause */
/* The vector types of the local means and thresholds, PL_BYTES wide: included by one file per ISA.
 */
#if defined(__aarch64__)
#include <arm_neon.h>
#else
#include <immintrin.h>
#endif

#include "simd/kernels.h"

#define LANES (PL_BYTES / 4)

typedef uint32_t vu32 __attribute__((vector_size(PL_BYTES)));
typedef int32_t vi32 __attribute__((vector_size(PL_BYTES)));
typedef float vf32 __attribute__((vector_size(PL_BYTES)));
