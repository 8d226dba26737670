/* SPDX-License-Identifier: BSD-2-Clause */
/* Pixels in the memory of a caller are read as a file with the same pixels, and a request may be
 * freed within its answer. */
#include <check.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/attr.h"
#include "platen.h"
#include "tests/unit/suite.h"

static struct platen_error err;

struct answered {
    struct platen_request *r; /* freed with the answer */
    platen_status status;
    char bytes[1 << 16];
    size_t n;
    bool known;
};

static void on_answer(void *ctx, const struct platen_answer *a)
{
    struct answered *to = ctx;
    to->status = a->status;
    to->known = a->known;
    to->n = PL_MIN(a->data_bytes, sizeof(to->bytes));
    memcpy(to->bytes, a->data, to->n);
    platen_request_free(to->r);
    to->r = NULL;
}

static struct platen_job *new_job(const struct platen_pipeline *p, uint64_t max_pixels)
{
    struct platen_options o;
    struct platen_job *job = NULL;
    platen_options_init(&o, sizeof(o));
    o.requests = true;
    o.threads = 1;
    o.max_pixels = max_pixels;
    o.model = PL_TEST_ROOT "/models/eng.platen";
    ck_assert_int_eq(platen_job_new(p, &o, &job, &err), PLATEN_OK);
    return job;
}

/* Reads one picture; *pic has what tells it. */
static void read_picture(const char *spec, struct platen_picture pic, struct answered *ret)
{
    struct platen_pipeline *p = NULL;
    struct platen_summary sum = {.size = sizeof(sum)};
    ck_assert_int_eq(platen_pipeline_parse(spec, strlen(spec), PLATEN_FORM_TEXT, &p, NULL, &err),
                     PLATEN_OK);
    struct platen_job *job = new_job(p, 1000);
    pic.size = sizeof(pic);
    pic.ctx = ret;
    pic.answer = on_answer;
    ck_assert_int_eq(platen_job_ask(job, &pic, &ret->r, &err), PLATEN_OK);
    platen_job_close(job);
    ck_assert_int_eq(platen_job_run(job, &sum, &err), PLATEN_OK);
    ck_assert_ptr_null(ret->r);
    platen_job_free(job);
    platen_pipeline_free(p);
}

enum { WIDTH = 7, HEIGHT = 5 };

static uint8_t sample(int x, int y, int c)
{
    return (uint8_t)(x * 37 + y * 11 + c * 91);
}

/* Makes a PNM of the pixels; returns its length. */
static size_t make_pnm(int channels, char *ret)
{
    int n = sprintf(ret, "P%d %d %d 255\n", channels == 1 ? 5 : 6, WIDTH, HEIGHT);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            for (int c = 0; c < channels; c++)
                ret[n++] = (char)sample(x, y, c);
    return (size_t)n;
}

static const struct {
    int channels, stride;
    const char *spec, *format;
} cases[] = {
    {1, 0, "gray", "pnm"},
    {1, 7, "gray", "png"},
    {1, 16, "gray | lines", "json"},
    {3, 0, "invert:never", "pnm"},
    {3, 21, "gray | lines", "json"},
    {3, 64, "invert:never", "png"},
    {1, 9, "gray | lines | ctc", "html"},
    {3, 0, "gray | lines | ctc", "pdf"},
    {3, 25, "gray | lines | ctc", "html"},
};

START_TEST(pixels_are_read_as_those_of_a_file)
{
    if (strstr(cases[_i].spec, "ctc") && access(PL_TEST_ROOT "/models/eng.platen", R_OK))
        return;
    const int channels = cases[_i].channels, row = WIDTH * channels,
              stride = cases[_i].stride ? cases[_i].stride : row;
    char pnm[256];
    struct answered file = {0}, pixels = {0};
    read_picture(cases[_i].spec,
                 (struct platen_picture){.data = pnm,
                                         .data_bytes = make_pnm(channels, pnm),
                                         .format = cases[_i].format},
                 &file);
    ck_assert_int_eq(file.status, PLATEN_OK);
    /* no byte behind the last pixel: a sanitizer tells of any that is read */
    const size_t n = (size_t)(stride * (HEIGHT - 1) + row);
    uint8_t *px = malloc(n);
    memset(px, 0xa5, n);
    for (int y = 0; y < HEIGHT; y++)
        for (int i = 0; i < row; i++)
            px[y * stride + i] = sample(i / channels, y, i % channels);
    read_picture(cases[_i].spec,
                 (struct platen_picture){.data = px,
                                         .data_bytes = n,
                                         .format = cases[_i].format,
                                         .width = WIDTH,
                                         .height = HEIGHT,
                                         .channels = channels,
                                         .stride_bytes = cases[_i].stride},
                 &pixels);
    ck_assert_int_eq(pixels.status, PLATEN_OK);
    ck_assert(pixels.known);
    ck_assert_mem_eq(pixels.bytes, file.bytes, file.n);
    ck_assert_uint_eq(pixels.n, file.n);
    free(px);
}
END_TEST

START_TEST(alpha_goes_over_white)
{
    static const uint8_t px[] = {10, 20, 30, 255, 10, 20, 30, 0, 0, 0, 0, 51};
    static const char want[] = "P6\n3 1\n255\n\x0a\x14\x1e\xff\xff\xff\xcc\xcc\xcc";
    struct answered got = {0};
    read_picture("invert:never",
                 (struct platen_picture){.data = px,
                                         .data_bytes = sizeof(px),
                                         .format = "pnm",
                                         .width = 3,
                                         .height = 1,
                                         .channels = 4},
                 &got);
    ck_assert_int_eq(got.status, PLATEN_OK);
    ck_assert_uint_eq(got.n, sizeof(want) - 1);
    ck_assert_mem_eq(got.bytes, want, sizeof(want) - 1);
}
END_TEST

/* Pixels that begin like a file are pixels all the same. */
START_TEST(pixels_are_no_file)
{
    static const uint8_t px[64] = {0xff, 0xd8, 0xff, 0xe0};
    struct answered got = {0};
    read_picture("invert:never",
                 (struct platen_picture){.data = px,
                                         .data_bytes = sizeof(px),
                                         .format = "pnm",
                                         .width = 8,
                                         .height = 8,
                                         .channels = 1},
                 &got);
    ck_assert_int_eq(got.status, PLATEN_OK);
    ck_assert_uint_eq(got.n, 11 + sizeof(px));
    ck_assert_mem_eq(got.bytes + 11, px, sizeof(px));
}
END_TEST

START_TEST(large_pixels_are_refused_before_they_are_read)
{
    uint8_t *px = calloc(1001, 1);
    struct answered got = {0};
    read_picture("invert:never",
                 (struct platen_picture){.data = px,
                                         .data_bytes = 1001,
                                         .format = "pnm",
                                         .width = 1001,
                                         .height = 1,
                                         .channels = 1},
                 &got);
    ck_assert_int_eq(got.status, PLATEN_ERR_LIMIT);
    free(px);
}
END_TEST

static const struct platen_picture wrong[] = {
    {.width = 4, .height = 4, .channels = 2},
    {.width = 4, .height = 4, .channels = 0},
    {.width = 4, .height = 4, .channels = -1},
    {.width = 0, .height = 4, .channels = 1},
    {.width = -4, .height = -4, .channels = 1},
    {.width = 4, .height = 0, .channels = 1},
    {.channels = 1},
    {.stride_bytes = 4},
    {.width = 4, .height = 4, .channels = 1, .stride_bytes = 3},
    {.width = 4, .height = 4, .channels = 1, .stride_bytes = -4},
    {.width = 4, .height = 5, .channels = 1},                    /* 20 bytes */
    {.width = 4, .height = 4, .channels = 1, .stride_bytes = 5}, /* 19 */
    {.width = 1 << 30, .height = 4, .channels = 4},              /* 2^34, 0 in 32 bits */
    {.width = INT_MAX, .height = INT_MAX, .channels = 4},        /* nearly 2^64 */
    {.width = 1, .height = INT_MAX, .channels = 1, .stride_bytes = INT_MAX},
};

START_TEST(sizes_that_do_not_fit_are_wrong)
{
    static const uint8_t px[16];
    struct platen_pipeline *p = NULL;
    struct answered never = {0};
    ck_assert_int_eq(platen_pipeline_parse("gray", 4, PLATEN_FORM_TEXT, &p, NULL, &err), PLATEN_OK);
    struct platen_job *job = new_job(p, UINT64_MAX);
    struct platen_picture pic = wrong[_i];
    pic.size = sizeof(pic);
    pic.data = px;
    pic.data_bytes = sizeof(px);
    pic.ctx = &never;
    pic.answer = on_answer;
    ck_assert_int_eq(platen_job_ask(job, &pic, &never.r, &err), PLATEN_ERR_ARG);
    ck_assert_ptr_null(never.r);
    platen_job_free(job);
    platen_pipeline_free(p);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("pixels");
    TCase *t = tcase_create("pixels");
    tcase_add_loop_test(t, pixels_are_read_as_those_of_a_file, 0, PL_ARRAY_LEN(cases));
    tcase_add_test(t, alpha_goes_over_white);
    tcase_add_test(t, pixels_are_no_file);
    tcase_add_test(t, large_pixels_are_refused_before_they_are_read);
    tcase_add_loop_test(t, sizes_that_do_not_fit_are_wrong, 0, PL_ARRAY_LEN(wrong));
    suite_add_tcase(s, t);
    return run_suite(s);
}
