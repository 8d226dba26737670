/* SPDX-License-Identifier: BSD-2-Clause */
#include "simd/kernels.h"
#include "simd/unfilter.h"

static void png_unfilter(uint8_t *rows, size_t n_rows, size_t row_bytes, size_t bpp,
                         const uint8_t *above)
{
    for (size_t y = 0; y < n_rows; y++, rows += row_bytes + 1) {
        pl_png_unfilter_row(rows, row_bytes, bpp, above);
        above = rows + 1;
    }
}

void pl_unfilter_init_scalar(struct pl_kernels *k);
void pl_unfilter_init_scalar(struct pl_kernels *k)
{
    k->png_unfilter = png_unfilter;
}
