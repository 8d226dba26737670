/* SPDX-License-Identifier: BSD-2-Clause */
#define PL_BYTES 16
#include "simd/bytes.h"

#include "simd/stencil_v.h"

void pl_stencil_init_sse42(struct pl_kernels *k);
void pl_stencil_init_sse42(struct pl_kernels *k)
{
    install_stencils(k);
}
