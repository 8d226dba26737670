/* SPDX-License-Identifier: BSD-2-Clause */
#include <arm_neon.h>

typedef uint8x16_t vb;

#define v_load(p) vld1q_u8(p)
#define v_store(p, v) vst1q_u8(p, v)
#define v_set1(x) vdupq_n_u8(x)
#define v_add(a, b) vaddq_u8(a, b)
#define v_sub(a, b) vsubq_u8(a, b)
#define v_max(a, b) vmaxq_u8(a, b)
#define v_min(a, b) vminq_u8(a, b)
#define v_eq(a, b) vceqq_u8(a, b)
#define v_select(m, a, b) vbslq_u8(m, a, b)
#define v_average(a, b) vhaddq_u8(a, b)
#define v_low(a, b) vzip1q_u8(a, b)
#define v_high(a, b) vzip2q_u8(a, b)
#define v_shift_in(a, b) vextq_u8(b, a, 15)

#include "simd/unfilter_v.h"

void pl_unfilter_init_neon(struct pl_kernels *k);
void pl_unfilter_init_neon(struct pl_kernels *k)
{
    k->png_unfilter = png_unfilter;
}
