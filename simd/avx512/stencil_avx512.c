/* SPDX-License-Identifier: BSD-2-Clause */
#define PL_BYTES 64
#include "simd/bytes.h"

#include "simd/stencil_v.h"

void pl_stencil_init_avx512(struct pl_kernels *k);
void pl_stencil_init_avx512(struct pl_kernels *k)
{
    install_stencils(k);
}
