/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernel table: one struct of function pointers, filled from scalar upward, chosen once. */
#ifndef PL_SIMD_KERNELS_H
#define PL_SIMD_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "simd/float.h"
#include "simd/qgemm.h"
#include "simd/qmap.h"
#include "simd/qwinograd.h"

/* Each level is a bundle of features and contains the levels before it of the same family.
 * avx2: + fma f16c bmi2; avxvnni: avx2 + the dot products of avx-vnni; avx512: avx2 + f bw vl dq;
 * avx512vnni: + vnni; amx: + amx-tile and amx-int8; neondot: + dotprod; simd128: WebAssembly's
 * vectors. */
enum pl_isa {
    PL_ISA_SCALAR,
    PL_ISA_SSE42,
    PL_ISA_AVX2,
    PL_ISA_AVXVNNI,
    PL_ISA_AVX512,
    PL_ISA_AVX512VNNI,
    PL_ISA_AMX,
    PL_ISA_NEON,
    PL_ISA_NEONDOT,
    PL_ISA_SIMD128,
    PL_ISA_COUNT
};

struct pl_kernels {
    enum pl_isa isa; /* the level that was asked for */
#define PL_KERNEL(name, ret, args) ret(*name) args;
#include "simd/kernels.def"
#undef PL_KERNEL
};

/* Index of each kernel in kernels.def, and their number. */
enum pl_kernel_id {
#define PL_KERNEL(name, ret, args) PL_KERNEL_##name,
#include "simd/kernels.def"
#undef PL_KERNEL
    PL_KERNEL_COUNT
};

/* "scalar", "sse42", ...; "unknown" for anything else. */
const char *pl_isa_name(enum pl_isa isa);
/* False when no level has that name. */
bool pl_isa_parse(const char *name, enum pl_isa *ret);
/* Compiled in, and both the CPU and the operating system (XGETBV) allow it. */
bool pl_isa_available(enum pl_isa isa);
/* The highest level available. */
enum pl_isa pl_isa_best(void);

/* Whether convolutions of 3 x 3 on bytes take less time in tiles (simd/qwinograd.h) than as one sum
 * for each output: at levels with vectors, but none that sum products of bytes in one instruction
 * (bench/runs/2026-11-28-networks.md). */
bool pl_isa_takes_tiles(enum pl_isa isa);

/* Fills the table for a level that is available: every level below it first. */
void pl_kernels_init(struct pl_kernels *k, enum pl_isa isa);

/* Name of kernel `id`, and the level whose body table k uses for it. */
const char *pl_kernel_name(enum pl_kernel_id id);
enum pl_isa pl_kernel_body(const struct pl_kernels *k, enum pl_kernel_id id);

#endif
