/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers in bytes, whatever the order of bytes on this machine. */
#ifndef PL_BASE_BYTE_ORDER_H
#define PL_BASE_BYTE_ORDER_H

#include <stdint.h>
#include <string.h>

/* ---- fields of files, read byte by byte: at any address ---- */

/* The first byte is the lowest. */
static inline uint16_t pl_le16(const uint8_t *p)
{
    return (uint16_t)(p[0] | p[1] << 8);
}

static inline uint32_t pl_le32(const uint8_t *p)
{
    return (uint32_t)pl_le16(p) | (uint32_t)pl_le16(p + 2) << 16;
}

static inline uint64_t pl_le64(const uint8_t *p)
{
    return (uint64_t)pl_le32(p) | (uint64_t)pl_le32(p + 4) << 32;
}

static inline float pl_lef32(const uint8_t *p)
{
    uint32_t bits = pl_le32(p);
    float f;
    memcpy(&f, &bits, sizeof(f));
    return f;
}

/* The first byte is the highest. */
static inline uint16_t pl_be16(const uint8_t *p)
{
    return (uint16_t)(p[0] << 8 | p[1]);
}

static inline uint32_t pl_be32(const uint8_t *p)
{
    return (uint32_t)pl_be16(p) << 16 | pl_be16(p + 2);
}

/* ---- eight bytes of memory that were read as a number ---- */

/* The first byte is the highest. */
static inline uint64_t pl_from_big64(uint64_t w)
{
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? __builtin_bswap64(w) : w;
}

/* The first byte is the lowest. */
static inline uint64_t pl_from_little64(uint64_t w)
{
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? w : __builtin_bswap64(w);
}

#endif
