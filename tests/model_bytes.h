/* SPDX-License-Identifier: BSD-2-Clause */
/* Model files as bytes: loading, patching, and checksums put right again. */
#ifndef TESTS_MODEL_BYTES_H
#define TESTS_MODEL_BYTES_H

#include <stdint.h>
#include <string.h>

#include "nn/crc32c.h"

static inline uint64_t get_le(const uint8_t *p, int n)
{
    uint64_t v = 0;
    for (int i = n - 1; i >= 0; i--)
        v = v << 8 | p[i];
    return v;
}

static inline void put_le(uint8_t *p, int n, uint64_t v)
{
    for (int i = 0; i < n; i++, v >>= 8)
        p[i] = (uint8_t)v;
}

/* Rewrites every checksum of the model file d[0..n) so that only its other faults remain. */
static inline void fix_checksums(uint8_t *d, size_t n)
{
    struct pl_crc32c crc;
    size_t sections = n < 64 ? 0 : (size_t)get_le(d + 24, 4);
    pl_crc32c_init(&crc);
    if (sections < 1 || sections > 8 || n < 64 + sections * 32)
        return;
    for (size_t i = 0; i < sections; i++) {
        uint8_t *record = d + 64 + 32 * i;
        uint64_t offset = get_le(record + 8, 8), size = get_le(record + 16, 8);
        if (offset <= n && size <= n - offset)
            put_le(record + 4, 4, pl_crc32c(&crc, 0, d + offset, (size_t)size));
    }
    uint32_t sum = pl_crc32c(&crc, 0, d, 60);
    put_le(d + 60, 4, pl_crc32c(&crc, sum, d + 64, sections * 32));
}

#endif
