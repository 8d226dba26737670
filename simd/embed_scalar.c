/* The law of the embedding kernel. */
#include <string.h>

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

void pl_embed_init_scalar(struct pl_kernels *k);
void pl_embed_init_scalar(struct pl_kernels *k)
{
    k->embed_sum_u8 = embed_sum_u8;
}
