/* SPDX-License-Identifier: BSD-2-Clause */
#include "nn/crc32c.h"

#include "base/byte_order.h"

void pl_crc32c_init(struct pl_crc32c *c)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t v = i;
        for (int bit = 0; bit < 8; bit++)
            v = (v >> 1) ^ (v & 1 ? 0x82f63b78u : 0); /* the polynomial, bits reversed */
        c->table[0][i] = v;
    }
    for (int t = 1; t < 8; t++)
        for (uint32_t i = 0; i < 256; i++) {
            uint32_t v = c->table[t - 1][i];
            c->table[t][i] = (v >> 8) ^ c->table[0][v & 255];
        }
}

/* Takes eight bytes a step, as M. Kounavis and F. Berry, "A systematic approach to building high
 * performance software-based CRC generators", 2005. */
uint32_t pl_crc32c(const struct pl_crc32c *c, uint32_t crc, const void *data, size_t n)
{
    const uint8_t *p = data;
    crc = ~crc;
    for (; n >= 8; n -= 8, p += 8) {
        uint32_t lo = crc ^ pl_le32(p), hi = pl_le32(p + 4);
        crc = c->table[7][lo & 255] ^ c->table[6][(lo >> 8) & 255] ^ c->table[5][(lo >> 16) & 255] ^
              c->table[4][lo >> 24] ^ c->table[3][hi & 255] ^ c->table[2][(hi >> 8) & 255] ^
              c->table[1][(hi >> 16) & 255] ^ c->table[0][hi >> 24];
    }
    for (; n; n--, p++)
        crc = (crc >> 8) ^ c->table[0][(crc ^ *p) & 255];
    return ~crc;
}
