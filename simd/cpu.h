/* SPDX-License-Identifier: BSD-2-Clause */
/* What the CPU and the operating system allow. Built with baseline flags only. */
#ifndef PL_SIMD_CPU_H
#define PL_SIMD_CPU_H

#include "base/status.h"
#include "simd/kernels.h"

bool pl_cpu_has(enum pl_isa isa);

/* A level by name that can run here; PLATEN_ERR_ARG lists those that can. */
PL_MUST_USE platen_status pl_isa_choose(const char *name, enum pl_isa *ret,
                                        struct platen_error *err);

#endif
