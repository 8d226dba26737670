/* SPDX-License-Identifier: BSD-2-Clause */
/* Little-endian fields of the model file, read byte by byte: any alignment, any host. */
#ifndef PL_NN_LE_H
#define PL_NN_LE_H

#include <stdint.h>
#include <string.h>

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

#endif
