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

/* Bits 8i .. 8i + 7 of the n of a row, undefined where it has fewer. */
static unsigned byte_of(const struct pl_bit_row *row, size_t i, size_t n)
{
    const uint8_t *p = row->bits + i;
    unsigned next = 8 * (i + 1) < n + row->shift ? p[1] : 0;
    return p[0] << row->shift | next >> (8 - row->shift);
}

/* The last byte of n bits keeps what belongs to them. */
static void clear_rest(uint8_t *bits, size_t n)
{
    if (n % 8)
        bits[n / 8] &= (uint8_t)(0xff00u >> n % 8);
}

static void or_bits(uint8_t *dst, const struct pl_bit_row *rows, size_t k, size_t n)
{
    for (size_t i = 0; i < (n + 7) / 8; i++) {
        unsigned v = 0;
        for (size_t j = 0; j < k; j++)
            v |= byte_of(&rows[j], i, n);
        dst[i] = (uint8_t)v;
    }
    clear_rest(dst, n);
}

static void and_bits(uint8_t *dst, const struct pl_bit_row *rows, size_t k, size_t n)
{
    for (size_t i = 0; i < (n + 7) / 8; i++) {
        unsigned v = 255;
        for (size_t j = 0; j < k; j++)
            v &= byte_of(&rows[j], i, n);
        dst[i] = (uint8_t)v;
    }
    clear_rest(dst, n);
}

void pl_bits_init_scalar(struct pl_kernels *k);
void pl_bits_init_scalar(struct pl_kernels *k)
{
    k->threshold_bits = threshold_bits;
    k->unpack_bits = unpack_bits;
    k->count_bits = count_bits;
    k->colsum_bits = colsum_bits;
    k->sum_u8 = sum_u8;
    k->or_bits = or_bits;
    k->and_bits = and_bits;
}
