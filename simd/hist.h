/* SPDX-License-Identifier: BSD-2-Clause */
/* The histogram of the vector levels; no level has an instruction for it. */
#ifndef PL_SIMD_HIST_H
#define PL_SIMD_HIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* For fewer pixels, clearing and adding up tables costs more than they save. */
#define MIN_TABLES_PX 1024
#define TABLES 4

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

/* Four neighbours have a table each, so that equal ones do not wait for each other's counter. */
static inline void count_eight(uint32_t t[TABLES][256], uint64_t v)
{
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++)
        t[i % TABLES][v >> 8 * i & 255]++;
}

/* Equal pixels are counted at once: margins and paper clipped to white are full of them. */
static void count_row(uint32_t t[TABLES][256], const uint8_t *src, size_t n)
{
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
    for (; i < n; i++)
        t[i % TABLES][src[i]]++;
}

static void count_few(uint32_t hist[256], const uint8_t *src, size_t n)
{
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        if (all_equal(load_eight(src + i)))
            hist[src[i]] += 8;
        else
#pragma GCC unroll 8
            for (size_t k = 0; k < 8; k++)
                hist[src[i + k]]++;
    }
    for (; i < n; i++)
        hist[src[i]]++;
}

static void hist_u8(uint32_t hist[256], const uint8_t *src, size_t stride_bytes, size_t width,
                    size_t height)
{
    if (height * width < MIN_TABLES_PX) {
        for (size_t y = 0; y < height; y++)
            count_few(hist, src + y * stride_bytes, width);
        return;
    }
    uint32_t t[TABLES][256] = {0};
    for (size_t y = 0; y < height; y++)
        count_row(t, src + y * stride_bytes, width);
    for (size_t k = 0; k < TABLES; k++)
        for (size_t v = 0; v < 256; v++)
            hist[v] += t[k][v];
}

#endif
