/* SPDX-License-Identifier: BSD-2-Clause */
/* Eight bytes of memory as a number, whatever the order of bytes on this machine. */
#ifndef PL_BASE_BYTE_ORDER_H
#define PL_BASE_BYTE_ORDER_H

#include <stdint.h>

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
