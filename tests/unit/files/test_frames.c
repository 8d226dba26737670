/* SPDX-License-Identifier: BSD-2-Clause */
/* Streams of frames: where frames are, what becomes of their pixels, and what is a change. */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "codec/codec.h"
#include "files/frames/frame_change.h"
#include "files/frames/frames.h"
#include "tests/unit/env_fixture.h"

/* ---- kinds ---- */

START_TEST(kinds_are_told)
{
    struct pl_framing f;
    ck_assert(!pl_framing_parse("auto", &f, &err) && f.kind == PL_FRAMING_UNTOLD && f.fps == 0);
    ck_assert(!pl_framing_parse("auto@30000/1001", &f, &err) && f.fps > 29.96 && f.fps < 29.98);
    ck_assert(!pl_framing_parse("gray:640x480@12.5", &f, &err) && f.fps == 12.5);
    ck_assert(f.width == 640 && f.height == 480 && pl_framing_bytes(&f) == 640 * 480);
    ck_assert(!pl_framing_parse("rgb24:9x8", &f, &err) && pl_framing_bytes(&f) == 216);
    ck_assert(!pl_framing_parse("yuv420p:9x11", &f, &err) && pl_framing_bytes(&f) == 99 + 60);
}
END_TEST

START_TEST(other_kinds_are_refused)
{
    static const char *const texts[] = {
        "",          "gray",   "auto:8x8",  "gray:8x",      "gray:8x8x8", "gray:7x8", "rgb:8x8",
        "gray:8x8@", "auto@0", "auto@25/0", "gray:99999x8", "auto@-1",    "autos",    "auto@25fps"};
    struct pl_framing f;
    for (size_t i = 0; i < PL_ARRAY_LEN(texts); i++)
        ck_assert_msg(pl_framing_parse(texts[i], &f, &err) == PLATEN_ERR_ARG, "'%s'", texts[i]);
}
END_TEST

/* Begins like y4m, and ends in a word that is refused. */
START_TEST(y4m_of_other_kinds_is_refused)
{
    static const struct {
        const char *head;
        platen_status status;
    } heads[] = {{"YUV4MPEG2 W8 H8 C420p10\nFRAME\n", PLATEN_ERR_UNSUPPORTED},
                 {"YUV4MPEG2 W8\nFRAME\n", PLATEN_ERR_FORMAT},
                 {"YUV4MPEG2 W8 H0\nFRAME\n", PLATEN_ERR_FORMAT},
                 {"YUV4MPEG2 W8 H8\nFRAMES\n", PLATEN_ERR_FORMAT},
                 {"YUV4MPEG2 W8 H8\nFRAME\nxx", PLATEN_ERR_FORMAT},
                 {"plain text, and no stream of frames at all\n", PLATEN_ERR_FORMAT}};
    for (size_t i = 0; i < PL_ARRAY_LEN(heads); i++) {
        struct pl_framing f = {0};
        struct pl_frame_place place;
        const uint8_t *data = (const uint8_t *)heads[i].head;
        ck_assert_int_eq(pl_framing_next(&f, data, strlen(heads[i].head), true, &place, &err),
                         heads[i].status);
    }
}
END_TEST

/* ---- pixels ---- */

/* The colour that a frame of one colour becomes. */
static void convert(bool full, int y, int u, int v, uint8_t *ret)
{
    const struct pl_framing f = {.pixels = PL_FRAME_YUV,
                                 .width = 8,
                                 .height = 8,
                                 .chroma_x = 2,
                                 .chroma_y = 2,
                                 .full_range = full};
    uint8_t frame[64 + 32];
    struct pl_map map;
    memset(frame, y, 64);
    memset(frame + 64, u, 16);
    memset(frame + 80, v, 16);
    ck_assert(!pl_frame_file(&f, frame, sizeof(frame), false, &map, &err));
    ck_assert(map.size == 11 + 192 && !memcmp(map.data, "P6\n8 8\n255\n", 11));
    memcpy(ret, map.data + map.size - 3, 3);
    pl_map_close(&map);
}

/* Values of BT.601, as its formulas give them in real numbers. */
START_TEST(colors_are_those_of_the_standard)
{
    static const struct {
        bool full;
        int y, u, v, r, g, b;
    } colors[] = {{false, 16, 128, 128, 0, 0, 0},      {false, 235, 128, 128, 255, 255, 255},
                  {false, 81, 90, 240, 254, 0, 0},     {false, 145, 54, 34, 0, 255, 1},
                  {false, 41, 240, 110, 0, 0, 255},    {true, 76, 85, 255, 254, 0, 0},
                  {true, 200, 128, 128, 200, 200, 200}};
    for (size_t i = 0; i < PL_ARRAY_LEN(colors); i++) {
        uint8_t rgb[3];
        convert(colors[i].full, colors[i].y, colors[i].u, colors[i].v, rgb);
        ck_assert_msg(abs(rgb[0] - colors[i].r) <= 1 && abs(rgb[1] - colors[i].g) <= 1 &&
                          abs(rgb[2] - colors[i].b) <= 1,
                      "%zu: %d %d %d", i, rgb[0], rgb[1], rgb[2]);
    }
}
END_TEST

/* ---- changes ---- */

#define WIDTH 640
#define HEIGHT 480

struct scene {
    int digit_px;  /* height of a dark stroke, as a digit has several; 0 = none */
    int light;     /* levels that all pixels are brighter */
    int shadow;    /* levels that a quarter of them is darker */
    int noise;     /* levels of noise, up and down */
    int smear_px;  /* side of the squares that share their noise */
    int scroll_px; /* how far the rows of words are moved up */
};

/* Mixes the bits of a number (the finalizer of MurmurHash3). */
static uint32_t mix(uint32_t h)
{
    h = (h ^ h >> 16) * 0x85ebca6bu;
    h = (h ^ h >> 13) * 0xc2b2ae35u;
    return h ^ h >> 16;
}

static int level_at(const struct scene *s, int x, int y, uint32_t seed)
{
    const int smear = PL_MAX(s->smear_px, 1), row = (y + s->scroll_px) / 20 % 2;
    const bool ink = row && x % 90 < 70 && (x % 9 < 3 || (x + y) % 7 == 0);
    const bool digit = x >= 301 && x < 305 && y >= 100 && y < 100 + s->digit_px;
    const uint32_t random = mix(seed + (uint32_t)(y / smear * WIDTH + x / smear));
    return (ink || digit ? 60 : 190) + s->light - (x < WIDTH / 4 ? s->shadow : 0) +
           (int)(random % (uint32_t)(2 * s->noise + 1)) - s->noise;
}

/* Draws paper with rows of words. */
static struct pl_image draw(const struct scene *s, uint32_t seed)
{
    struct pl_image im;
    ck_assert(!pl_image_init(&env, WIDTH, HEIGHT, PL_GRAY8, &im, &err));
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            pl_image_row(&im, y)[x] = (uint8_t)PL_CLAMP(level_at(s, x, y, mix(seed)), 0, 255);
    return im;
}

static size_t changed(const struct scene *a, const struct scene *b)
{
    pl_auto_image x = draw(a, 1);
    pl_auto_image y = draw(b, 2);
    pl_auto_image before = {0};
    pl_auto_image now = {0};
    ck_assert(!pl_frame_places(&env, &x, &before, &err));
    ck_assert(!pl_frame_places(&env, &y, &now, &err));
    return pl_frame_places_changed(&before, &now);
}

/* What a camera does by itself changes nothing, one stroke of a digit does; each row of the table
 * fails when the number that is named is far from its value. */
START_TEST(noise_is_no_change)
{
    const struct scene still = {.noise = 6}, smeared = {.noise = 12, .smear_px = 5};
    ck_assert_uint_eq(changed(&still, &(struct scene){.noise = 6}), 0);
    ck_assert_uint_eq(changed(&still, &(struct scene){.noise = 6, .light = 25}), 0);
    ck_assert_uint_eq(changed(&still, &(struct scene){.noise = 40}), 0); /* FRAME_PLACE_PX */
    ck_assert_uint_eq(changed(&(struct scene){0}, &(struct scene){.shadow = 6}),
                      0);                              /* FRAME_LEAST_LEVELS */
    ck_assert_uint_eq(changed(&smeared, &smeared), 0); /* FRAME_NOISE */
}
END_TEST

START_TEST(what_is_new_is_a_change)
{
    const struct scene still = {.noise = 6};
    ck_assert_uint_ge(changed(&still, &(struct scene){.noise = 6, .digit_px = 14}), 2);
    ck_assert_uint_ge(changed(&still, &(struct scene){.noise = 6, .light = 10, .digit_px = 14}), 2);
    ck_assert_uint_ge(changed(&still, &(struct scene){.noise = 6, .scroll_px = 20}),
                      1000); /* FRAME_MOST_LEVELS */
}
END_TEST

START_TEST(another_size_is_a_change)
{
    pl_auto_image a = draw(&(struct scene){.noise = 1}, 1);
    pl_auto_image b = pl_image_view(&a, (struct pl_rect){0, 0, 320, 480});
    ck_assert_uint_eq(pl_frame_places_changed(&a, &b), 320 * 480);
}
END_TEST

/* ---- a stream ---- */

/* Opens a stream of these bytes, which a file that has no name any more holds. */
static void open_stream(struct pl_frames *f, const char *kind, const void *data, size_t n)
{
    char path[] = "/tmp/platen-frames-XXXXXX";
    const int fd = mkstemp(path);
    ck_assert(fd >= 0 && write(fd, data, n) == (ssize_t)n && !close(fd));
    *f = (struct pl_frames){
        .env = env, .gray = true, .change = 2, .most_bytes = 1 << 20, .max_pixels = 1 << 20};
    ck_assert(!pl_framing_parse(kind, &f->framing, &err));
    ck_assert(!pl_frames_open(f, path, -1, &err));
    f->path = "stream";
    unlink(path);
}

/* Three frames alike, of which the second has another stroke. */
START_TEST(only_changes_are_read)
{
    static uint8_t stream[4][WIDTH * HEIGHT];
    const struct scene scenes[] = {
        {.noise = 3}, {.noise = 3}, {.noise = 3, .digit_px = 20}, {.noise = 3, .digit_px = 20}};
    struct pl_frames f;
    struct pl_frame frame;
    bool any;
    for (uint32_t i = 0; i < 4; i++) {
        pl_auto_image im = draw(&scenes[i], i);
        for (int y = 0; y < HEIGHT; y++)
            memcpy(stream[i] + y * WIDTH, pl_image_row(&im, y), WIDTH);
    }
    open_stream(&f, "gray:640x480@10", stream, sizeof(stream));
    for (int i = 0; i < 2; i++) {
        ck_assert(!pl_frames_next(&f, &frame, &any, &err) && any);
        ck_assert_int_eq(frame.number, i ? 3 : 1);
        ck_assert(fabs(frame.time_s - (i ? .2 : 0)) < 1e-9);
        ck_assert(!memcmp(frame.map.data + 15, stream[2 * i], sizeof(stream[0])));
        pl_map_close(&frame.map);
    }
    ck_assert(!pl_frames_next(&f, &frame, &any, &err) && !any);
    ck_assert(f.n == 4 && f.same == 2);
    pl_frames_close(&f);
}
END_TEST

START_TEST(broken_streams_are_told)
{
    struct pl_frames f;
    struct pl_frame frame;
    bool any;
    static const uint8_t bytes[100];
    open_stream(&f, "gray:8x8", bytes, sizeof(bytes));
    ck_assert(!pl_frames_next(&f, &frame, &any, &err) && any);
    pl_map_close(&frame.map);
    ck_assert_int_eq(pl_frames_next(&f, &frame, &any, &err), PLATEN_ERR_IO);
    ck_assert_str_eq(err.text, "frame 2 of 'stream': the stream ends within a frame");
    pl_frames_close(&f);
    open_stream(&f, "gray:2000x2000", bytes, sizeof(bytes));
    ck_assert_int_eq(pl_frames_next(&f, &frame, &any, &err), PLATEN_ERR_IO);
    pl_frames_close(&f);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("frames");
    tcase_add_test(tc, kinds_are_told);
    tcase_add_test(tc, other_kinds_are_refused);
    tcase_add_test(tc, y4m_of_other_kinds_is_refused);
    tcase_add_test(tc, colors_are_those_of_the_standard);
    tcase_add_test(tc, noise_is_no_change);
    tcase_add_test(tc, what_is_new_is_a_change);
    tcase_add_test(tc, another_size_is_a_change);
    tcase_add_test(tc, only_changes_are_read);
    tcase_add_test(tc, broken_streams_are_told);
    return run_env_suite("frames", tc);
}
