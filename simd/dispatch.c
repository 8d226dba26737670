/* SPDX-License-Identifier: BSD-2-Clause */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "simd/cpu.h"
#include "simd/kernels.h"

/* simd_init.h (made by meson) lists PL_INIT(isa, LEVEL, family) for all that is compiled in, levels
 * rising. */
#define PL_INIT(isa, level, family) void pl_##family##_init_##isa(struct pl_kernels *k);
#include "simd/simd_init.h"
#undef PL_INIT

static const char *const isa_names[PL_ISA_COUNT] = {
    "scalar",     "sse42", "avx2", "avxvnni", "avx512",
    "avx512vnni", "amx",   "neon", "neondot", "simd128",
};

const char *pl_isa_name(enum pl_isa isa)
{
    return (unsigned)isa < PL_ISA_COUNT ? isa_names[isa] : "unknown";
}

bool pl_isa_parse(const char *name, enum pl_isa *ret)
{
    for (unsigned i = 0; i < PL_ISA_COUNT; i++)
        if (!strcmp(name, isa_names[i])) {
            *ret = (enum pl_isa)i;
            return true;
        }
    return false;
}

bool pl_isa_available(enum pl_isa isa)
{
    bool compiled = isa == PL_ISA_SCALAR;
#define PL_INIT(isa_, level, family) compiled = compiled || isa == PL_ISA_##level;
#include "simd/simd_init.h"
#undef PL_INIT
    return compiled && pl_cpu_has(isa);
}

enum pl_isa pl_isa_best(void)
{
    for (unsigned i = PL_ISA_COUNT; i-- > 0;)
        if (pl_isa_available((enum pl_isa)i))
            return (enum pl_isa)i;
    return PL_ISA_SCALAR;
}

/* Returns the lowest level of the machines of a level. */
static enum pl_isa family_of(enum pl_isa isa)
{
    return isa < PL_ISA_NEON ? PL_ISA_SSE42 : isa < PL_ISA_SIMD128 ? PL_ISA_NEON : PL_ISA_SIMD128;
}

bool pl_isa_contains(enum pl_isa isa, enum pl_isa part)
{
    if (part == PL_ISA_SCALAR || part == isa)
        return true;
    if (part == PL_ISA_AVXVNNI)
        return false;
    return family_of(isa) == family_of(part) && part < isa;
}

bool pl_isa_takes_tiles(enum pl_isa isa)
{
    return isa == PL_ISA_SSE42 || isa == PL_ISA_AVX2 || isa == PL_ISA_AVX512 ||
           isa == PL_ISA_NEON || isa == PL_ISA_SIMD128;
}

void pl_kernels_init(struct pl_kernels *k, enum pl_isa isa)
{
    assert(pl_isa_available(isa));
    memset(k, 0, sizeof(*k));
#define PL_INIT(isa_, level, family)                                                               \
    if (pl_isa_contains(isa, PL_ISA_##level))                                                      \
        pl_##family##_init_##isa_(k);
#include "simd/simd_init.h"
#undef PL_INIT
#define PL_KERNEL(name, ret, args) assert(k->name);
#include "simd/kernels.def"
#undef PL_KERNEL
    k->isa = isa;
}

const char *pl_kernel_name(enum pl_kernel_id id)
{
    static const char *const names[PL_KERNEL_COUNT] = {
#define PL_KERNEL(name, ret, args) #name,
#include "simd/kernels.def"
#undef PL_KERNEL
    };
    return (unsigned)id < PL_KERNEL_COUNT ? names[id] : "unknown";
}

static bool same_body(const struct pl_kernels *a, const struct pl_kernels *b, enum pl_kernel_id id)
{
    switch (id) {
#define PL_KERNEL(name, ret, args)                                                                 \
    case PL_KERNEL_##name:                                                                         \
        return a->name == b->name;
#include "simd/kernels.def"
#undef PL_KERNEL
    case PL_KERNEL_COUNT:
        break;
    }
    return false;
}

enum pl_isa pl_kernel_body(const struct pl_kernels *k, enum pl_kernel_id id)
{
    assert((unsigned)id < PL_KERNEL_COUNT);
    for (unsigned i = 0; i < (unsigned)k->isa; i++) {
        struct pl_kernels lower;
        if (!pl_isa_contains(k->isa, (enum pl_isa)i))
            continue;
        pl_kernels_init(&lower, (enum pl_isa)i);
        if (same_body(k, &lower, id))
            return (enum pl_isa)i;
    }
    return k->isa;
}

platen_status pl_isa_choose(const char *name, enum pl_isa *ret, struct platen_error *err)
{
    enum pl_isa isa;
    bool known = pl_isa_parse(name, &isa);
    if (known && pl_isa_available(isa)) {
        *ret = isa;
        return PLATEN_OK;
    }
    char list[128] = "";
    for (unsigned i = 0; i < PL_ISA_COUNT; i++)
        if (pl_isa_available((enum pl_isa)i))
            snprintf(list + strlen(list), sizeof(list) - strlen(list), "%s%s", list[0] ? ", " : "",
                     pl_isa_name((enum pl_isa)i));
    return pl_fail(err, PLATEN_ERR_ARG, "%s '%.40s' (available here: %s)",
                   known ? "this machine cannot run the kernels of" : "unknown instruction set",
                   name, list);
}

platen_status platen_isa_check(const char *isa, struct platen_error *err)
{
    enum pl_isa ignored;
    platen_status s = PL_NEED(err, isa);
    return s ? s : pl_isa_choose(isa, &ignored, err);
}
