/* SPDX-License-Identifier: BSD-2-Clause */
/* Included by one file per ISA after block8(dst, dst_stride, src, src_stride), which transposes
 * 8 x 8 bytes. */

/* Rows of the source that are read together: a row of the result gets whole lines of a cache, and
 * what was read lies in the first cache until the next columns of the same lines are read. */
#define TRANSPOSE_ROWS ((size_t)128)

static void transpose_u8(uint8_t *dst, size_t dst_stride, const uint8_t *src, size_t src_stride,
                         size_t width, size_t height)
{
    size_t w8 = width & ~(size_t)7, h8 = height & ~(size_t)7;
    for (size_t first = 0; first < h8; first += TRANSPOSE_ROWS) {
        const size_t end = h8 - first < TRANSPOSE_ROWS ? h8 : first + TRANSPOSE_ROWS;
        for (size_t x = 0; x < w8; x += 8)
            for (size_t y = first; y < end; y += 8)
                block8(dst + x * dst_stride + y, dst_stride, src + y * src_stride + x, src_stride);
    }
    for (size_t y = 0; y < height; y++)
        for (size_t x = y < h8 ? w8 : 0; x < width; x++)
            dst[x * dst_stride + y] = src[y * src_stride + x];
}
