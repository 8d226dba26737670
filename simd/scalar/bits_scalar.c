/* SPDX-License-Identifier: BSD-2-Clause */
/* The law of the kernels on packed bits: what every other body must reproduce byte for byte. */
#include "simd/kernels.h"

static bool bit(const uint8_t *bits, size_t i)
{
    return bits[i / 8] << i % 8 & 0x80;
}

static void threshold_bits(uint8_t *dst, const uint8_t *src, size_t n, uint8_t t)
{
    for (size_t i = 0; i < n; i += 8) {
        unsigned byte = 0;
        for (size_t j = 0; j < 8 && i + j < n; j++)
            byte |= (src[i + j] <= t ? 0x80u : 0u) >> j;
        dst[i / 8] = (uint8_t)byte;
    }
}

static void unpack_bits(uint8_t *dst, const uint8_t *bits, size_t n, uint8_t zero, uint8_t one)
{
    for (size_t i = 0; i < n; i++)
        dst[i] = bit(bits, i) ? one : zero;
}

static size_t count_bits(const uint8_t *bits, size_t n)
{
    size_t total = 0;
    for (size_t i = 0; i < n; i++)
        total += bit(bits, i);
    return total;
}

static void colsum_bits(uint32_t *sum, const uint8_t *bits, size_t n)
{
    for (size_t i = 0; i < n; i++)
        sum[i] += bit(bits, i);
}

static uint64_t sum_u8(const uint8_t *src, size_t n)
{
    uint64_t total = 0;
    for (size_t i = 0; i < n; i++)
        total += src[i];
    return total;
}

/* The last 64 bits that were read pass by; those outside the row are `outside`. */
static void spread(uint8_t *dst, const uint8_t *src, size_t n, unsigned left, unsigned right,
                   bool outside)
{
    uint64_t passing = outside ? ~UINT64_C(0) : 0, window = ~UINT64_C(0) >> (63 - left - right);
    unsigned byte = 0;
    for (size_t at = 0; at < n + right; at++) {
        passing = passing << 1 | (at < n ? bit(src, at) : outside);
        if (at < right)
            continue;
        size_t i = at - right;
        bool set = outside ? (passing & window) == window : (passing & window) != 0;
        byte |= (set ? 0x80u : 0) >> i % 8;
        if (i % 8 == 7 || i + 1 == n) { /* all of this byte of src has been read */
            dst[i / 8] = (uint8_t)byte;
            byte = 0;
        }
    }
}

static void dilate_bits(uint8_t *dst, const uint8_t *src, size_t n, unsigned left, unsigned right)
{
    spread(dst, src, n, left, right, false);
}

static void erode_bits(uint8_t *dst, const uint8_t *src, size_t n, unsigned left, unsigned right)
{
    spread(dst, src, n, left, right, true);
}

void pl_bits_init_scalar(struct pl_kernels *k);
void pl_bits_init_scalar(struct pl_kernels *k)
{
    k->threshold_bits = threshold_bits;
    k->unpack_bits = unpack_bits;
    k->count_bits = count_bits;
    k->colsum_bits = colsum_bits;
    k->sum_u8 = sum_u8;
    k->dilate_bits = dilate_bits;
    k->erode_bits = erode_bits;
}
