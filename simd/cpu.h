/* What the CPU and the operating system allow. Built with baseline flags only. */
#ifndef PL_SIMD_CPU_H
#define PL_SIMD_CPU_H

#include "simd/kernels.h"

bool pl_cpu_has(enum pl_isa isa);

#endif
