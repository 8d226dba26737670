/* The histogram of the vector levels; no level has an instruction for it. */
#ifndef PL_SIMD_HIST_H
#define PL_SIMD_HIST_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Four tables, so that equal neighbours do not wait for each other's counter, and eight equal
 * pixels at once: margins and paper clipped to white are full of them. */
static void hist_u8(uint32_t hist[256], const uint8_t *src, size_t n)
{
    uint32_t t[3][256];
    size_t i = 0;
    if (n >= 2048) {
        memset(t, 0, sizeof(t));
        for (; i + 8 <= n; i += 8) {
            uint64_t v;
            memcpy(&v, src + i, 8);
            if (v == (v & 255) * UINT64_C(0x0101010101010101)) {
                hist[v & 255] += 8;
                continue;
            }
            hist[v & 255]++;
            t[0][v >> 8 & 255]++;
            t[1][v >> 16 & 255]++;
            t[2][v >> 24 & 255]++;
            hist[v >> 32 & 255]++;
            t[0][v >> 40 & 255]++;
            t[1][v >> 48 & 255]++;
            t[2][v >> 56]++;
        }
        for (size_t v = 0; v < 256; v++)
            hist[v] += t[0][v] + t[1][v] + t[2][v];
    }
    for (; i < n; i++)
        hist[src[i]]++;
}

#endif
