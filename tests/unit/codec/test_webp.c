/* SPDX-License-Identifier: BSD-2-Clause */
#include <webp/encode.h>

#include "tests/unit/image_fixture.h"

#define W 31
#define H 23

static uint8_t px[H][W][4];

static void fill(void)
{
    for (int i = 0; i < W * H * 4; i++)
        (&px[0][0][0])[i] = rand();
}

/* Lossless; alpha: of px, else all opaque. */
static struct pl_str encode(bool alpha)
{
    uint8_t *out = NULL;
    struct pl_str file = {0};
    fill();
    for (int i = 0; i < W * H && !alpha; i++)
        px[i / W][i % W][3] = 255;
    size_t n = WebPEncodeLosslessRGBA(&px[0][0][0], W, H, W * 4, &out);
    ck_assert_uint_gt(n, 0);
    pl_str_add(&file, (char *)out, n);
    WebPFree(out);
    return file;
}

START_TEST(lossless_pictures_come_back)
{
    for (int i = 0; i < 4; i++) {
        struct pl_str file = encode(i & 1);
        struct pl_image im = must_load(file.s, file.len, i & 2);
        ck_assert(im.width == W && im.height == H && !im.bilevel);
        ck_assert_int_eq(im.format, i & 2 ? PL_GRAY8 : PL_RGB8);
        for (int k = 0; k < W * H; k++) {
            const uint8_t *v = px[k / W][k % W], *p = pixel(&im, k % W, k / W);
            int c[3];
            /* libwebp need not keep the colour of what cannot be seen */
            for (int j = 0; j < 3; j++)
                c[j] = over_white(v[j], v[3]);
            if (im.format == PL_GRAY8)
                ck_assert_int_eq(p[0], luma(c[0], c[1], c[2]));
            for (int j = 0; im.format == PL_RGB8 && j < 3; j++)
                ck_assert_int_eq(p[j], c[j]);
        }
        pl_image_done(&im);
        pl_str_done(&file);
    }
}
END_TEST

/* White on nothing is shown on black, and where nothing can be seen there is white. */
START_TEST(white_on_nothing)
{
    for (int shown = 0; shown < 2; shown++) {
        uint8_t *out = NULL;
        for (int i = 0; i < W * H; i++)
            memcpy(px[i / W][i % W], (uint8_t[4]){255, 255, 255, shown && i % 3 ? 255 : 0}, 4);
        const size_t n = WebPEncodeLosslessRGBA(&px[0][0][0], W, H, W * 4, &out);
        struct pl_image im = must_load(out, n, true);
        for (int i = 0; i < W * H; i++)
            ck_assert_int_eq(*pixel(&im, i % W, i / W), shown && i % 3 == 0 ? 0 : 255);
        pl_image_done(&im);
        WebPFree(out);
    }
}
END_TEST

START_TEST(lossy_pictures_are_near)
{
    uint8_t *out = NULL;
    for (int i = 0; i < W * H; i++)
        memcpy(px[i / W][i % W], (uint8_t[4]){i % W * 8, i / W * 10, 90, 255}, 4);
    size_t n = WebPEncodeRGBA(&px[0][0][0], W, H, W * 4, 95, &out);
    struct pl_image im = must_load(out, n, false);
    long off = 0;
    for (int i = 0; i < W * H; i++)
        for (int c = 0; c < 3; c++)
            off += abs(pixel(&im, i % W, i / W)[c] - px[i / W][i % W][c]);
    ck_assert_int_lt(off, W * H * 3 * 4);
    pl_image_done(&im);
    every_truncation_fails(out, n);
    every_allocation_may_fail(out, n);
    WebPFree(out);
}
END_TEST

START_TEST(truncated_at_every_byte)
{
    struct pl_str file = encode(true);
    every_truncation_fails(file.s, file.len);
    must_fail(file.s, 100, PLATEN_ERR_FORMAT, "truncated at byte 100 of the webp");
    pl_str_done(&file);
}
END_TEST

START_TEST(what_came_is_read)
{
    struct pl_str file = encode(true);
    truncations_are_told(file.s, file.len, 40);
    pl_str_done(&file);
}
END_TEST

static void put_le32(struct pl_str *s, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        pl_str_putc(s, v >> 8 * i);
}

/* The extended container around a simple file: flags as in the WebP container specification. */
static struct pl_str extend(const struct pl_str *simple, int flags, const void *exif, size_t n_exif)
{
    struct pl_str s = {0};
    pl_str_add(&s, "RIFF", 4);
    put_le32(&s, 4 + 18 + (simple->len - 12) + (n_exif ? 8 + n_exif : 0));
    pl_str_add(&s, "WEBPVP8X", 8);
    put_le32(&s, 10);
    put_le32(&s, flags);
    for (int i = 0; i < 6; i++)
        pl_str_putc(&s, i == 0 ? W - 1 : i == 3 ? H - 1 : 0);
    pl_str_add(&s, simple->s + 12, simple->len - 12);
    if (n_exif) {
        pl_str_add(&s, "EXIF", 4);
        put_le32(&s, n_exif);
        pl_str_add(&s, exif, n_exif);
    }
    return s;
}

START_TEST(exif_turns)
{
    static const char exif[] = "MM\0*\0\0\0\x08\0\1\1\x12\0\3\0\0\0\1\0\6\0\0\0\0\0";
    struct pl_str simple = encode(false), file = extend(&simple, 0x08, exif, sizeof(exif));
    struct pl_image im = must_load(file.s, file.len, false);
    ck_assert(im.width == H && im.height == W);
    for (int y = 0; y < H; y++) /* a clockwise turn */
        for (int x = 0; x < W; x++)
            ck_assert_mem_eq(pixel(&im, H - 1 - y, x), px[y][x], 3);
    pl_image_done(&im);
    pl_str_done(&file);
    pl_str_done(&simple);
}
END_TEST

/* A picture of an animation, at (x, y). */
static void put_frame(const struct pl_str *simple, int x, int y, struct pl_str *out)
{
    const int head[] = {x / 2, y / 2, W - 1, H - 1, 100};
    pl_str_add(out, "ANMF", 4);
    put_le32(out, 16 + (simple->len - 12));
    for (size_t i = 0; i < PL_ARRAY_LEN(head); i++)
        for (int b = 0; b < 3; b++)
            pl_str_putc(out, (char)(head[i] >> 8 * b));
    pl_str_putc(out, 0);
    pl_str_add(out, simple->s + 12, simple->len - 12);
}

/* The first picture is read, in its place on a white canvas; further ones are told. */
START_TEST(animations)
{
    for (int frames = 0; frames < 3; frames++) {
        struct pl_str simple = encode(false), none = {.s = simple.s, .len = 12},
                      file = extend(&none, 0x02, NULL, 0);
        struct pl_image im = {0};
        struct pl_flaw flaw;
        file.s[24] = W + 9; /* the canvas, less one */
        file.s[27] = H + 4;
        pl_str_add(&file, "ANIM\6\0\0\0\0\0\0\0\0\0", 14);
        for (int i = 0; i < frames; i++)
            put_frame(&simple, 6 * !i, 4 * !i, &file);
        const platen_status s = load_flawed(file.s, file.len, &im, &flaw);
        ck_assert_int_eq(s, frames ? PLATEN_OK : PLATEN_ERR_FORMAT);
        ck_assert_str_eq(
            flaw.text,
            frames > 1 ? "the file is an animation, of which the first picture alone is read" : "");
        for (int y = 0; frames && y < H + 5; y++)
            for (int x = 0; x < W + 10; x++) {
                const bool in = x >= 6 && x < 6 + W && y >= 4 && y < 4 + H;
                for (int c = 0; c < 3; c++)
                    ck_assert_int_eq(pixel(&im, x, y)[c], in ? px[y - 4][x - 6][c] : 255);
            }
        pl_image_done(&im);
        pl_str_done(&simple);
        pl_str_done(&file);
    }
}
END_TEST

START_TEST(limits_and_probe)
{
    struct pl_str file = encode(false);
    struct pl_load_options opt = {.max_pixels = W * H - 1};
    struct pl_image im;
    struct pl_image_info info;
    ck_assert_int_eq(pl_image_load(&env, (uint8_t *)file.s, file.len, &opt, &im, &err),
                     PLATEN_ERR_LIMIT);
    ck_assert_str_eq(err.text, "31 x 23 pixels exceed the limit of 712");
    ck_assert_uint_eq(pl_bufpool_stats(env.bufs).gets, 0);
    ck_assert(!pl_image_probe((uint8_t *)file.s, file.len, NULL, &info, &err));
    ck_assert_str_eq(info.format, "webp");
    ck_assert(info.width == W && info.height == H && info.channels >= 3);
    pl_str_done(&file);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("webp");
    tcase_add_test(tc, lossless_pictures_come_back);
    tcase_add_test(tc, white_on_nothing);
    tcase_add_test(tc, lossy_pictures_are_near);
    tcase_add_test(tc, truncated_at_every_byte);
    tcase_add_test(tc, what_came_is_read);
    tcase_add_test(tc, exif_turns);
    tcase_add_test(tc, animations);
    tcase_add_test(tc, limits_and_probe);
    return run_env_suite("webp", tc);
}
