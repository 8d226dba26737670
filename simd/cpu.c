/* SPDX-License-Identifier: BSD-2-Clause */
#include "simd/cpu.h"

#if defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#endif

#if defined(__x86_64__)
#include <cpuid.h>

#include "base/system.h"

/* clang's __builtin_cpu_supports() does not know this name before version 15 */
static bool has_f16c(void)
{
    unsigned a, b, c, d;
    return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_F16C);
}

/* nor this one */
static bool has_avxvnni(void)
{
    unsigned a, b, c, d;
    return __get_cpuid_count(7, 1, &a, &b, &c, &d) && (a & 1u << 4);
}

/* Tiles and int8 products, and the system's permission. */
static bool has_amx(void)
{
    const unsigned tile_and_int8 = 1u << 24 | 1u << 25;
    unsigned a, b, c, d;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (d & tile_and_int8) == tile_and_int8 &&
           pl_system_allow_tiles();
}

/* __builtin_cpu_supports() asks XGETBV too, so that a level needs the system's consent. The scalar
 * level asks nothing: in a virtual machine each question of CPUID takes some 20 microseconds. */
bool pl_cpu_has(enum pl_isa isa)
{
    if (isa == PL_ISA_SCALAR)
        return true;
    __builtin_cpu_init();
    bool sse42 = __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt");
    bool avx2 = sse42 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") && has_f16c();
    bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
    switch (isa) {
    case PL_ISA_SSE42:
        return sse42;
    case PL_ISA_AVX2:
        return avx2;
    case PL_ISA_AVXVNNI:
        return avx2 && has_avxvnni();
    case PL_ISA_AVX512:
        return avx512;
    case PL_ISA_AVX512VNNI:
        return avx512 && __builtin_cpu_supports("avx512vnni");
    case PL_ISA_AMX:
        return avx512 && __builtin_cpu_supports("avx512vnni") &&
               __builtin_cpu_supports("avx512vbmi") && has_amx();
    default:
        return false;
    }
}
#elif defined(__aarch64__)
/* Where nobody can be asked, what the compiler was told of the processor holds: on a Mac that it
 * has dot products. */
static bool has_dot_products(void)
{
#if defined(__linux__)
    const unsigned long hwcap_asimddp = 1ul << 20;
    return getauxval(AT_HWCAP) & hwcap_asimddp;
#elif defined(__ARM_FEATURE_DOTPROD)
    return true;
#else
    return false;
#endif
}

/* Every 64-bit ARM has vectors. */
bool pl_cpu_has(enum pl_isa isa)
{
    switch (isa) {
    case PL_ISA_SCALAR:
    case PL_ISA_NEON:
        return true;
    case PL_ISA_NEONDOT:
        return has_dot_products();
    default:
        return false;
    }
}
#elif defined(__wasm_simd128__)
/* A module with vectors does not load where there are none. */
bool pl_cpu_has(enum pl_isa isa)
{
    return isa == PL_ISA_SCALAR || isa == PL_ISA_SIMD128;
}
#else
bool pl_cpu_has(enum pl_isa isa)
{
    return isa == PL_ISA_SCALAR;
}
#endif
