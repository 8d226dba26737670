/* SPDX-License-Identifier: BSD-2-Clause */
/* The law of the kernels that turn a network's output into text. */
#include <string.h>

#include "base/fmath.h"
#include "simd/kernels.h"

static void embed_sum_u8(float *dst, size_t width, const uint8_t *table, const uint32_t *rows,
                         size_t n_rows)
{
    for (size_t d = 0; d < width; d++)
        dst[d] = 0;
    for (size_t i = 0; i < n_rows; i++) {
        const uint8_t *row = table + rows[i] * (width + 8);
        float scale, offset;
        memcpy(&scale, row + width, sizeof(scale));
        memcpy(&offset, row + width + 4, sizeof(offset));
        for (size_t d = 0; d < width; d++)
            dst[d] += (float)row[d] * scale + offset;
    }
}

static uint32_t index_of_largest(const float *row, size_t width)
{
    uint32_t best = 0;
    for (uint32_t j = 1; j < width; j++)
        if (row[j] > row[best])
            best = j;
    return best;
}

static void softmax_top(uint32_t *best, float *share, const float *rows, size_t n, size_t width)
{
    for (size_t i = 0; i < n; i++, rows += width) {
        float part[16] = {0};
        best[i] = index_of_largest(rows, width);
        for (size_t j = 0; j < width; j++)
            part[j % 16] += pl_expf(rows[j] - rows[best[i]]);
        for (size_t apart = 8; apart; apart /= 2)
            for (size_t j = 0; j < apart; j++)
                part[j] += part[j + apart];
        share[i] = 1 / part[0];
    }
}

void pl_decode_init_scalar(struct pl_kernels *k);
void pl_decode_init_scalar(struct pl_kernels *k)
{
    k->embed_sum_u8 = embed_sum_u8;
    k->softmax_top = softmax_top;
}
