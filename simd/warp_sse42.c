#include <immintrin.h>
#include <string.h>

#include "simd/kernels.h"

static inline __m128i load8(const uint8_t *p)
{
    return _mm_loadl_epi64((const __m128i *)(const void *)p);
}

/* 8 x 8 bytes: three rounds of interleaving. */
static void block8(uint8_t *dst, size_t dst_stride, const uint8_t *src, size_t src_stride)
{
    __m128i a[4], b[4];
    for (size_t i = 0; i < 4; i++)
        a[i] = _mm_unpacklo_epi8(load8(src + 2 * i * src_stride),
                                 load8(src + (2 * i + 1) * src_stride));
    b[0] = _mm_unpacklo_epi16(a[0], a[1]);
    b[1] = _mm_unpackhi_epi16(a[0], a[1]);
    b[2] = _mm_unpacklo_epi16(a[2], a[3]);
    b[3] = _mm_unpackhi_epi16(a[2], a[3]);
    for (size_t i = 0; i < 2; i++) {
        __m128i lo = _mm_unpacklo_epi32(b[i], b[i + 2]), hi = _mm_unpackhi_epi32(b[i], b[i + 2]);
        uint8_t *d = dst + 4 * i * dst_stride;
        _mm_storel_epi64((__m128i *)(void *)d, lo);
        _mm_storel_epi64((__m128i *)(void *)(d + dst_stride), _mm_srli_si128(lo, 8));
        _mm_storel_epi64((__m128i *)(void *)(d + 2 * dst_stride), hi);
        _mm_storel_epi64((__m128i *)(void *)(d + 3 * dst_stride), _mm_srli_si128(hi, 8));
    }
}

static void transpose_u8(uint8_t *dst, size_t dst_stride, const uint8_t *src, size_t src_stride,
                         size_t width, size_t height)
{
    size_t w8 = width & ~(size_t)7, h8 = height & ~(size_t)7;
    for (size_t x = 0; x < w8; x += 8)
        for (size_t y = 0; y < h8; y += 8)
            block8(dst + x * dst_stride + y, dst_stride, src + y * src_stride + x, src_stride);
    for (size_t y = 0; y < height; y++)
        for (size_t x = y < h8 ? w8 : 0; x < width; x++)
            dst[x * dst_stride + y] = src[y * src_stride + x];
}

void pl_warp_init_sse42(struct pl_kernels *k);
void pl_warp_init_sse42(struct pl_kernels *k)
{
    k->transpose_u8 = transpose_u8;
}
