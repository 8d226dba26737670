/* SPDX-License-Identifier: BSD-2-Clause */
/* The histogram of the vector levels; no level has an instruction for it. */
#ifndef PL_SIMD_HIST_H
#define PL_SIMD_HIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Below that, clearing and adding up tables costs more than they save. */
#define MIN_TABLES_PX 512

static inline uint64_t load_eight(const uint8_t *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof(v));
    return v;
}

static inline bool all_equal(uint64_t v)
{
    return v == (v << 8 | v >> 56);
}

/* One of four tables for each neighbour, so that equal ones do not wait for each other's counter.
 */
static inline void count_eight(uint32_t t[4][256], uint64_t v)
{
    for (int i = 0; i < 8; i++)
        t[i % 4][v >> 8 * i & 255]++;
}

static size_t hist_tables(uint32_t hist[256], const uint8_t *src, size_t n)
{
    uint32_t t[4][256] = {0};
    size_t i = 0;
    for (; i + 16 <= n; i += 16) {
        uint64_t a = load_eight(src + i), b = load_eight(src + i + 8);
        if (a == b && all_equal(a)) {
            t[0][a & 255] += 16;
        } else {
            count_eight(t, a);
            count_eight(t, b);
        }
    }
    for (size_t v = 0; v < 256; v++)
        hist[v] += t[0][v] + t[1][v] + t[2][v] + t[3][v];
    return i;
}

/* Equal pixels at once: margins and paper clipped to white are full of them. */
static void hist_u8(uint32_t hist[256], const uint8_t *src, size_t n)
{
    size_t i = n >= MIN_TABLES_PX ? hist_tables(hist, src, n) : 0;
    for (; i + 8 <= n; i += 8) {
        uint64_t v = load_eight(src + i);
        if (all_equal(v))
            hist[v & 255] += 8;
        else
            for (int k = 0; k < 8; k++)
                hist[v >> 8 * k & 255]++;
    }
    for (; i < n; i++)
        hist[src[i]]++;
}

#endif
