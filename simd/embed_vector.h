/* Body of the embedding kernel in the compiler's vector types: included by one file per ISA after
 * PL_BYTES (the register's width) and load_u8_f32() (as many bytes as floats fit, as floats). The
 * sums of up to four registers stay in them while all rows pass. */
#include <string.h>

#include "simd/kernels.h"

#define LANES (PL_BYTES / 4)

typedef float vf32 __attribute__((vector_size(PL_BYTES)));

static inline vf32 load_u8_f32(const uint8_t *p);

static inline __attribute__((always_inline)) void sum_block(float *dst, size_t width,
                                                            const uint8_t *table,
                                                            const uint32_t *rows, size_t n_rows,
                                                            size_t at, size_t registers)
{
    vf32 sum[4] = {{0}, {0}, {0}, {0}};
    for (size_t i = 0; i < n_rows; i++) {
        const uint8_t *row = table + rows[i] * (width + 8);
        float scale, offset;
        memcpy(&scale, row + width, sizeof(scale));
        memcpy(&offset, row + width + 4, sizeof(offset));
#pragma GCC unroll 4
        for (size_t r = 0; r < registers; r++)
            sum[r] += load_u8_f32(row + at + r * LANES) * scale + offset;
    }
#pragma GCC unroll 4
    for (size_t r = 0; r < registers; r++)
        memcpy(dst + at + r * LANES, &sum[r], sizeof(sum[r]));
}

static void embed_sum_u8(float *dst, size_t width, const uint8_t *table, const uint32_t *rows,
                         size_t n_rows)
{
    size_t at = 0;
    for (; at + 4 * LANES <= width; at += 4 * LANES)
        sum_block(dst, width, table, rows, n_rows, at, 4);
    if (at + 2 * LANES <= width) {
        sum_block(dst, width, table, rows, n_rows, at, 2);
        at += 2 * LANES;
    }
    if (at + LANES <= width) {
        sum_block(dst, width, table, rows, n_rows, at, 1);
        at += LANES;
    }
    for (; at < width; at++) {
        float sum = 0;
        for (size_t i = 0; i < n_rows; i++) {
            const uint8_t *row = table + rows[i] * (width + 8);
            float scale, offset;
            memcpy(&scale, row + width, sizeof(scale));
            memcpy(&offset, row + width + 4, sizeof(offset));
            sum += (float)row[at] * scale + offset;
        }
        dst[at] = sum;
    }
}
