/* SPDX-License-Identifier: BSD-2-Clause */
#include <arm_neon.h>

#define PL_BYTES 16
#include "simd/decode_vector.h"

static inline vf32 load_u8_f32(const uint8_t *p)
{
    uint32_t v;
    memcpy(&v, p, sizeof(v));
    uint16x8_t wide = vmovl_u8(vcreate_u8(v));
    return (vf32)vcvtq_f32_u32(vmovl_u16(vget_low_u16(wide)));
}

void pl_decode_init_neon(struct pl_kernels *k);
void pl_decode_init_neon(struct pl_kernels *k)
{
    k->embed_sum_u8 = embed_sum_u8;
    k->softmax_top = softmax_top;
}
