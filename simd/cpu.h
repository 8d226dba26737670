/* SPDX-License-Identifier: BSD-2-Clause */
/* What the CPU and the operating system allow. Built with baseline flags only. */
#ifndef PL_SIMD_CPU_H
#define PL_SIMD_CPU_H

#include "base/status.h"
#include "simd/kernels.h"

/* Whether this machine, and its operating system, can run the kernels of the level. */
bool pl_cpu_has(enum pl_isa isa);

/* Whether a machine of level `isa` runs the kernels of level `part`, too: avx512vnni contains avx2,
 * neondot contains neon, but neon contains no x86 level, and what has AVX-512 need not have the
 * 256-bit form of its dot products. */
bool pl_isa_contains(enum pl_isa isa, enum pl_isa part);

/* A level by name that can run here; PLATEN_ERR_ARG lists those that can. */
PL_MUST_USE platen_status pl_isa_choose(const char *name, enum pl_isa *ret,
                                        struct platen_error *err);

#endif
