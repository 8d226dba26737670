/* The histogram of the vector levels; no level has an instruction for it. */
#ifndef PL_SIMD_HIST_H
#define PL_SIMD_HIST_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Several tables, so that equal neighbours do not wait for each other's counter. */
static void hist_u8(uint32_t hist[256], const uint8_t *src, size_t n)
{
    enum { TABLES = 4 };
    size_t i = 0;
    if (n >= 2048) {
        uint32_t t[TABLES][256];
        memset(t, 0, sizeof(t));
        for (; i + 8 <= n; i += 8) {
            uint64_t v;
            memcpy(&v, src + i, 8);
#pragma GCC unroll 8
            for (unsigned j = 0; j < 8; j++)
                t[j % TABLES][(v >> 8 * j) & 255]++;
        }
        for (size_t v = 0; v < 256; v++)
            hist[v] += t[0][v] + t[1][v] + t[2][v] + t[3][v];
    }
    for (; i < n; i++)
        hist[src[i]]++;
}

#endif
