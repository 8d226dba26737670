/* SPDX-License-Identifier: BSD-2-Clause */
/* The law of the pixel kernels: what every other body must reproduce byte for byte. */
#include "simd/pixel_scalar.h"

#include <string.h>

static uint8_t luma(unsigned r, unsigned g, unsigned b)
{
    return (uint8_t)((9798 * r + 19235 * g + 3735 * b + 16384) >> 15);
}

static void gray_rgb(uint8_t *dst, const uint8_t *rgb, size_t n)
{
    for (size_t i = 0; i < n; i++)
        dst[i] = luma(rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]);
}

static void gray_rgba(uint8_t *dst, const uint8_t *rgba, size_t n)
{
    for (size_t i = 0; i < n; i++)
        dst[i] = luma(rgba[4 * i], rgba[4 * i + 1], rgba[4 * i + 2]);
}

static void rgb_rgba(uint8_t *dst, const uint8_t *rgba, size_t n)
{
    for (size_t i = 0; i < n; i++)
        memcpy(dst + 3 * i, rgba + 4 * i, 3);
}

static void invert_u8(uint8_t *dst, const uint8_t *src, size_t n)
{
    for (size_t i = 0; i < n; i++)
        dst[i] = (uint8_t)(255 - src[i]);
}

static void threshold_u8(uint8_t *dst, const uint8_t *src, size_t n, uint8_t t)
{
    for (size_t i = 0; i < n; i++)
        dst[i] = src[i] > t ? 255 : 0;
}

static void hist_u8(uint32_t hist[256], const uint8_t *src, size_t stride_bytes, size_t width,
                    size_t height)
{
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++)
            hist[src[y * stride_bytes + x]]++;
}

static void norm_u8_f32(float *dst, const uint8_t *src, size_t n, float mean, float inv_std)
{
    for (size_t i = 0; i < n; i++)
        dst[i] = ((float)src[i] - mean) * inv_std;
}

static void lut_u8(uint8_t *dst, const uint8_t *src, size_t n, const uint8_t lut[256])
{
    for (size_t i = 0; i < n; i++)
        dst[i] = lut[src[i]];
}

static void gain_row(uint8_t *dst, const uint8_t *src, size_t n, const uint16_t *a,
                     const uint16_t *b, uint16_t f)
{
    uint32_t of_a = 65535u - f;
    for (size_t i = 0; i < n; i++) {
        uint32_t g = (a[i] * of_a >> 16) + ((uint32_t)b[i] * f >> 16);
        uint32_t v = ((src[i] * g >> 8) + 8) >> 4;
        dst[i] = (uint8_t)(v < 255 ? v : 255);
    }
}

void pl_colsum_u8_scalar(uint32_t *sum, uint32_t *sumsq, const uint8_t *add, const uint8_t *sub,
                         size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t a = add ? add[i] : 0, s = sub ? sub[i] : 0;
        sum[i] += a - s;
        if (sumsq)
            sumsq[i] += a * a - s * s;
    }
}

static uint8_t clamp_u8(int32_t v)
{
    return (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);
}

static void resize_rows(uint8_t *dst, const uint8_t *const *rows, const int16_t *weights,
                        size_t taps, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int32_t acc = 8192;
        for (size_t j = 0; j < taps; j++)
            acc += rows[j][i] * weights[j];
        dst[i] = clamp_u8(acc >> 14);
    }
}

static void halve_rows(uint8_t *dst, const uint8_t *top, const uint8_t *bottom, size_t n)
{
    for (size_t i = 0; i < n; i++)
        dst[i] =
            (uint8_t)((top[2 * i] + top[2 * i + 1] + bottom[2 * i] + bottom[2 * i + 1] + 2) >> 2);
}

static void resize_cols(uint8_t *dst, const uint8_t *src, const int32_t *start,
                        const int16_t *weights, size_t taps, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int32_t acc = 8192;
        for (size_t j = 0; j < taps; j++)
            acc += src[(size_t)start[i] + j] * weights[i * taps + j];
        dst[i] = clamp_u8(acc >> 14);
    }
}

static int32_t pixel_or(const uint8_t *src, size_t stride, int32_t w, int32_t h, int64_t x,
                        int64_t y, uint8_t border)
{
    if (x < 0 || y < 0 || x >= w || y >= h)
        return border;
    return src[(size_t)y * stride + (size_t)x];
}

void pl_warp_row_scalar(uint8_t *dst, size_t n, const uint8_t *src, size_t stride_bytes,
                        int32_t width, int32_t height, int64_t x, int64_t y, int64_t dx, int64_t dy,
                        uint8_t border)
{
    for (size_t i = 0; i < n; i++, x += dx, y += dy) {
        int64_t px = x >> 16, py = y >> 16;
        int32_t fx = (int32_t)((x >> 9) & 127), fy = (int32_t)((y >> 9) & 127);
        int32_t p00 = pixel_or(src, stride_bytes, width, height, px, py, border);
        int32_t p01 = pixel_or(src, stride_bytes, width, height, px + 1, py, border);
        int32_t p10 = pixel_or(src, stride_bytes, width, height, px, py + 1, border);
        int32_t p11 = pixel_or(src, stride_bytes, width, height, px + 1, py + 1, border);
        int32_t top = p00 * (128 - fx) + p01 * fx, bottom = p10 * (128 - fx) + p11 * fx;
        dst[i] = (uint8_t)((top * (128 - fy) + bottom * fy + 8192) >> 14);
    }
}

static void transpose_u8(uint8_t *dst, size_t dst_stride, const uint8_t *src, size_t src_stride,
                         size_t width, size_t height)
{
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++)
            dst[x * dst_stride + y] = src[y * src_stride + x];
}

void pl_pixel_init_scalar(struct pl_kernels *k);
void pl_pixel_init_scalar(struct pl_kernels *k)
{
    k->gray_rgb = gray_rgb;
    k->gray_rgba = gray_rgba;
    k->rgb_rgba = rgb_rgba;
    k->invert_u8 = invert_u8;
    k->threshold_u8 = threshold_u8;
    k->hist_u8 = hist_u8;
    k->norm_u8_f32 = norm_u8_f32;
    k->lut_u8 = lut_u8;
    k->gain_row = gain_row;
    k->colsum_u8 = pl_colsum_u8_scalar;
    k->resize_rows = resize_rows;
    k->resize_cols = resize_cols;
    k->halve_rows = halve_rows;
    k->warp_row = pl_warp_row_scalar;
    k->transpose_u8 = transpose_u8;
}
