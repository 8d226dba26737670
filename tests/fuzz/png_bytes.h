/* SPDX-License-Identifier: BSD-2-Clause */
/* PNG files as bytes. */
#ifndef TESTS_FUZZ_PNG_BYTES_H
#define TESTS_FUZZ_PNG_BYTES_H

#include <stdint.h>
#include <string.h>

static inline uint32_t crc32_of(const uint8_t *p, size_t n)
{
    uint32_t c = 0xffffffff;
    for (size_t i = 0; i < n; i++) {
        c ^= p[i];
        for (int b = 0; b < 8; b++)
            c = c >> 1 ^ (c & 1 ? 0xedb88320 : 0);
    }
    return ~c;
}

/* Signature and checksums of p[0..n), n at least 8. */
static inline void fix_png(uint8_t *p, size_t n)
{
    memcpy(p, "\x89PNG\r\n\x1a\n", 8);
    for (size_t at = 8; n - at >= 12;) {
        size_t len =
            (size_t)p[at] << 24 | (size_t)p[at + 1] << 16 | (size_t)p[at + 2] << 8 | p[at + 3];
        if (len > n - at - 12)
            return;
        uint32_t c = crc32_of(p + at + 4, len + 4);
        for (int i = 0; i < 4; i++)
            p[at + 8 + len + (size_t)i] = (uint8_t)(c >> (24 - 8 * i));
        at += len + 12;
    }
}

#endif
