/* The vector types of the local thresholds, PL_BYTES wide: included by one file per ISA. */
#include <immintrin.h>

#include "simd/kernels.h"

#define LANES (PL_BYTES / 4)

typedef uint32_t vu32 __attribute__((vector_size(PL_BYTES)));
typedef int32_t vi32 __attribute__((vector_size(PL_BYTES)));
typedef float vf32 __attribute__((vector_size(PL_BYTES)));
