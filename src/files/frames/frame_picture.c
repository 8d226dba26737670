/* SPDX-License-Identifier: BSD-2-Clause */
#include "files/frames/frame_picture.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "codec/codec.h"

#define ONE 8192 /* of levels and factors */

/* Levels of a plane: brightness is 16 to 235 and colour 16 to 240, or both are 0 to 255. */
static int32_t widen(int32_t level, int32_t zero, int32_t range, bool full)
{
    return full ? (level - zero) * ONE : ((level - zero) * 255 * ONE + range / 2) / range;
}

static uint8_t to_level(int32_t v)
{
    return (uint8_t)PL_CLAMP((v + ONE / 2) / ONE, 0, 255);
}

static void put_gray(const struct pl_framing *f, const uint8_t *data, uint8_t *to)
{
    const size_t n = (size_t)f->width * (size_t)f->height;
    uint8_t levels[256];
    for (int i = 0; i < 256; i++)
        levels[i] = to_level(f->full_range ? i * ONE : widen(i, 16, 219, false));
    for (size_t i = 0; i < n; i++)
        to[i] = levels[data[i]];
}

/* By BT.601: R = Y + 1.402 V, G = Y - 0.344136 U - 0.714136 V, B = Y + 1.772 U. */
static void put_rgb(const struct pl_framing *f, const uint8_t *data, uint8_t *to)
{
    const size_t w = (size_t)f->width, h = (size_t)f->height, cx = (size_t)f->chroma_x,
                 cy = (size_t)f->chroma_y, cw = (w + cx - 1) / cx, ch = (h + cy - 1) / cy;
    const uint8_t *u = data + w * h, *v = u + cw * ch;
    const bool full = f->full_range;
    for (size_t y = 0; y < h; y++)
        for (size_t x = 0; x < w; x++, to += 3) {
            const size_t c = y / cy * cw + x / cx;
            const int32_t luma = widen(data[y * w + x], full ? 0 : 16, 219, full);
            const int64_t blue = widen(u[c], 128, 224, full), red = widen(v[c], 128, 224, full);
            to[0] = to_level(luma + (int32_t)(red * 11485 / ONE));
            to[1] = to_level(luma - (int32_t)((blue * 2819 + red * 5850) / ONE));
            to[2] = to_level(luma + (int32_t)(blue * 14516 / ONE));
        }
}

/* Makes the pixels behind the head of a PGM or PPM. */
static void put_pixels(const struct pl_framing *f, const uint8_t *data, size_t n, bool gray,
                       uint8_t *to)
{
    if (f->pixels == PL_FRAME_GRAY || (f->pixels == PL_FRAME_YUV && gray))
        put_gray(f, data, to);
    else if (f->pixels == PL_FRAME_YUV)
        put_rgb(f, data, to);
    else
        memcpy(to, data, n);
}

platen_status pl_frame_file(const struct pl_framing *f, const uint8_t *data, size_t n, bool gray,
                            struct pl_map *ret, struct platen_error *err)
{
    char head[48] = "";
    size_t pixels = n;
    if (f->pixels != PL_FRAME_CODED) {
        const bool color = f->pixels == PL_FRAME_RGB || (f->pixels == PL_FRAME_YUV && !gray);
        snprintf(head, sizeof(head), "P%d\n%d %d\n255\n", color ? 6 : 5, f->width, f->height);
        pixels = (size_t)f->width * (size_t)f->height * (color ? 3 : 1);
    }
    const size_t before = strlen(head);
    uint8_t *file = pl_alloc(before + pixels, 1);
    if (!file)
        return pl_fail_nomem(err, before + pixels, "a frame");
    memcpy(file, head, before);
    put_pixels(f, data, n, gray, file + before);
    *ret = (struct pl_map){.data = file, .size = before + pixels, .kind = PL_MAP_ALLOCATED};
    return PLATEN_OK;
}

platen_status pl_frame_gray(const struct pl_env *env, const struct pl_framing *f,
                            const uint8_t *data, size_t n, uint64_t max_pixels,
                            struct pl_image *ret, struct platen_error *err)
{
    if (f->pixels == PL_FRAME_CODED)
        return pl_image_load(env, data, n,
                             &(struct pl_load_options){.gray = true, .max_pixels = max_pixels}, ret,
                             err);
    const bool rgb = f->pixels == PL_FRAME_RGB;
    struct pl_image im = {.px = (uint8_t *)(uintptr_t)data,
                          .stride_bytes = (size_t)f->width * (rgb ? 3 : 1),
                          .width = f->width,
                          .height = f->height,
                          .format = rgb ? PL_RGB8 : PL_GRAY8};
    if (rgb)
        return pl_image_to_gray(env, &im, ret, err);
    *ret = im;
    return PLATEN_OK;
}
