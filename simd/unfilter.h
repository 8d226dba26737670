/* SPDX-License-Identifier: BSD-2-Clause */
/* The filters of PNG (ISO/IEC 15948, 9.2) undone for one row: what the levels share. */
#ifndef PL_SIMD_UNFILTER_H
#define PL_SIMD_UNFILTER_H

#include <stddef.h>
#include <stdint.h>

enum { PL_PNG_NONE, PL_PNG_SUB, PL_PNG_UP, PL_PNG_AVERAGE, PL_PNG_PAETH };

/* a left, b above, c above left; ties go to a, then b. */
static inline uint8_t pl_png_paeth(int a, int b, int c)
{
    int pa = b - c, pb = a - c, pc = pa + pb;
    pa = pa < 0 ? -pa : pa;
    pb = pb < 0 ? -pb : pb;
    pc = pc < 0 ? -pc : pc;
    return (uint8_t)(pa <= pb && pa <= pc ? a : pb <= pc ? b : c);
}

/* row[0] names the filter, row[1..n] are the bytes; above holds n bytes, or is NULL for zeros. */
static inline void pl_png_unfilter_row(uint8_t *row, size_t n, size_t bpp, const uint8_t *above)
{
    uint8_t *x = row + 1;
    for (size_t i = 0; i < n; i++) {
        unsigned a = i < bpp ? 0 : x[i - bpp], b = above ? above[i] : 0;
        unsigned c = i < bpp || !above ? 0 : above[i - bpp];
        switch (row[0]) {
        case PL_PNG_SUB:
            x[i] = (uint8_t)(x[i] + a);
            break;
        case PL_PNG_UP:
            x[i] = (uint8_t)(x[i] + b);
            break;
        case PL_PNG_AVERAGE:
            x[i] = (uint8_t)(x[i] + (a + b) / 2);
            break;
        case PL_PNG_PAETH:
            x[i] = (uint8_t)(x[i] + pl_png_paeth((int)a, (int)b, (int)c));
            break;
        default:
            return;
        }
    }
}

#endif
