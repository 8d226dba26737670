/* SPDX-License-Identifier: BSD-2-Clause */
#define PL_BYTES 16
#include "simd/bytes.h"

typedef uint16_t v_mask;

static inline vu8 v_bytes(vu64 v)
{
    return vrev64q_u8(vreinterpretq_u8_u64(v));
}

/* The value of a pixel's bit in its byte. */
static inline uint8x16_t v_bit(void)
{
    return vreinterpretq_u8_u64(vdupq_n_u64(0x0102040810204080));
}

static inline v_mask v_ink(vu8 px, uint8_t t)
{
    uint8x16_t v = vandq_u8(vcleq_u8(px, vdupq_n_u8(t)), v_bit());
    return (v_mask)(vaddv_u8(vget_low_u8(v)) | vaddv_u8(vget_high_u8(v)) << 8);
}

/* -1 where the bit is set. */
static inline uint8x16_t v_test(v_mask bits)
{
    uint8x16_t v = vcombine_u8(vdup_n_u8((uint8_t)bits), vdup_n_u8((uint8_t)(bits >> 8)));
    return vtstq_u8(v, v_bit());
}

static inline vu8 v_unpack(v_mask bits, uint8_t zero, uint8_t one)
{
    return vbslq_u8(v_test(bits), vdupq_n_u8(one), vdupq_n_u8(zero));
}

static inline void v_add_bits(uint32_t *sum, v_mask bits)
{
    uint8x16_t one = vshrq_n_u8(v_test(bits), 7);
    uint16x8_t lo = vmovl_u8(vget_low_u8(one)), hi = vmovl_high_u8(one);
    vst1q_u32(sum, vaddw_u16(vld1q_u32(sum), vget_low_u16(lo)));
    vst1q_u32(sum + 4, vaddw_high_u16(vld1q_u32(sum + 4), lo));
    vst1q_u32(sum + 8, vaddw_u16(vld1q_u32(sum + 8), vget_low_u16(hi)));
    vst1q_u32(sum + 12, vaddw_high_u16(vld1q_u32(sum + 12), hi));
}

static inline vu64 v_sad(vu8 v)
{
    return vpaddlq_u32(vpaddlq_u16(vpaddlq_u8(v)));
}

#include "simd/bits_v.h"

static size_t count_bits(const uint8_t *bits, size_t n)
{
    size_t i = 0, bytes = n / 8;
    uint64_t total = 0;
    for (; i + 16 <= bytes; i += 16)
        total += vaddlvq_u8(vcntq_u8(vld1q_u8(bits + i)));
    for (; i < bytes; i++)
        total += (uint64_t)__builtin_popcount(bits[i]);
    if (n % 8)
        total += (uint64_t)__builtin_popcount(bits[bytes] & (0xff00u >> n % 8) & 255);
    return total;
}

void pl_bits_init_neon(struct pl_kernels *k);
void pl_bits_init_neon(struct pl_kernels *k)
{
    install_bits(k);
    k->count_bits = count_bits;
}
