/* SPDX-License-Identifier: BSD-2-Clause */
/* CRC-32C (Castagnoli; RFC 3720, appendix B.4). */
#ifndef PL_NN_CRC32C_H
#define PL_NN_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* Eight tables for eight bytes at a time: kept by the caller, so that the library has no state. */
struct pl_crc32c {
    uint32_t table[8][256];
};

void pl_crc32c_init(struct pl_crc32c *c);
/* The checksum of what had checksum `crc` (0 for nothing) followed by data[0..n). */
uint32_t pl_crc32c(const struct pl_crc32c *c, uint32_t crc, const void *data, size_t n);

#endif
