/* SPDX-License-Identifier: BSD-2-Clause */
/* Components against a flood fill that is written the obvious way. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "image/components.h"
#include "tests/unit/suite.h"

static struct pl_kernels kernels;

static struct pl_env make_env(void)
{
    return (struct pl_env){.k = &kernels, .bufs = pl_bufpool_new()};
}

static struct pl_image make_page(const struct pl_env *env, int w, int h)
{
    struct pl_image im;
    ck_assert_int_eq(pl_image_init(env, w, h, PL_GRAY8, &im, NULL), PLATEN_OK);
    im.bilevel = true;
    /* what lies between the rows must not count: ink there */
    for (int y = 0; y < h; y++) {
        memset(pl_image_row(&im, y), 0, im.stride_bytes);
        memset(pl_image_row(&im, y), 255, (size_t)w);
    }
    return im;
}

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* Label of every pixel (0 = paper) in raster order of the components' first pixels. */
static int flood_labels(const struct pl_image *im, int *label)
{
    int w = im->width, h = im->height, n = 0, top = 0;
    int *stack = malloc(sizeof(int) * (size_t)(w * h * 8 + 1));
    memset(label, 0, sizeof(int) * (size_t)(w * h));
    for (int s = 0; s < w * h; s++) {
        if (label[s] || pl_image_row(im, s / w)[s % w])
            continue;
        n++;
        stack[top++] = s;
        while (top) {
            int p = stack[--top];
            if (label[p])
                continue;
            label[p] = n;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++) {
                    int x = p % w + dx, y = p / w + dy;
                    if (x >= 0 && x < w && y >= 0 && y < h && !label[y * w + x] &&
                        !pl_image_row(im, y)[x])
                        stack[top++] = y * w + x;
                }
        }
    }
    free(stack);
    return n;
}

static void compare(const struct pl_env *env, const struct pl_image *im)
{
    int w = im->width, h = im->height, *label = malloc(sizeof(int) * (size_t)(w * h));
    int n = flood_labels(im, label);
    pl_auto_components c = {0};
    ck_assert_int_eq(pl_components_find(env, im, &c, NULL), PLATEN_OK);
    ck_assert_int_eq((int)c.n, n);
    uint32_t first = 0;
    for (size_t i = 0; i < c.n; i++) {
        const struct pl_component *o = &c.comps[i];
        struct pl_rect box = {w, h, 0, 0};
        uint32_t ink = 0;
        ck_assert_uint_eq(o->first_run, first);
        first += o->n_runs;
        for (uint32_t r = o->first_run; r < first; r++) {
            struct pl_run run = c.runs[r];
            ck_assert(r == o->first_run || c.runs[r - 1].y < run.y || c.runs[r - 1].x1 < run.x0);
            for (int x = run.x0; x < run.x1; x++) {
                ck_assert_int_eq(label[run.y * w + x], (int)i + 1);
                label[run.y * w + x] = 0;
            }
            ink += (uint32_t)(run.x1 - run.x0);
            box = (struct pl_rect){PL_MIN(box.x0, run.x0), PL_MIN(box.y0, run.y),
                                   PL_MAX(box.x1, run.x1), PL_MAX(box.y1, run.y + 1)};
        }
        ck_assert_uint_eq(ink, o->ink_px);
        ck_assert_mem_eq(&box, &o->box, sizeof(box));
    }
    ck_assert_uint_eq(first, c.n_runs);
    for (int p = 0; p < w * h; p++)
        ck_assert_int_eq(label[p], 0); /* every ink pixel was in exactly one run */
    free(label);
}

START_TEST(noise_equals_flood_fill)
{
    struct pl_env env = make_env();
    static const int widths[] = {1, 2, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 72, 100, 128, 131};
    uint32_t seed = 1;
    for (size_t i = 0; i < PL_ARRAY_LEN(widths); i++)
        for (uint32_t percent = 0; percent <= 100; percent += 10) {
            struct pl_image im = make_page(&env, widths[i], 23);
            for (int y = 0; y < im.height; y++)
                for (int x = 0; x < im.width; x++)
                    if (next_random(&seed) % 100 < percent)
                        pl_image_row(&im, y)[x] = 0;
            compare(&env, &im);
            pl_image_done(&im);
        }
    pl_bufpool_free(env.bufs);
}
END_TEST

/* A comb and a spiral: labels that meet late must still become one component. */
START_TEST(late_joins)
{
    struct pl_env env = make_env();
    struct pl_image im = make_page(&env, 41, 41);
    for (int y = 0; y < 41; y++)
        for (int x = 0; x < 41; x++) {
            int ring = PL_MIN(PL_MIN(x, y), PL_MIN(40 - x, 40 - y));
            if (ring % 2 == 0 && !(x == ring + 1 && y > 20 && y < 40 - ring))
                pl_image_row(&im, y)[x] = 0;
        }
    compare(&env, &im);
    for (int y = 0; y < 41; y++)
        for (int x = 0; x < 41; x++)
            pl_image_row(&im, y)[x] = x % 2 == 0 || y == 40 ? 0 : 255;
    compare(&env, &im);
    pl_image_done(&im);
    pl_bufpool_free(env.bufs);
}
END_TEST

START_TEST(views_stop_at_their_edges)
{
    struct pl_env env = make_env();
    struct pl_image im = make_page(&env, 64, 20);
    for (int y = 0; y < 20; y++)
        memset(pl_image_row(&im, y), 0, 64);
    struct pl_image v = pl_image_view(&im, (struct pl_rect){3, 2, 14, 9});
    pl_auto_components c = {0};
    ck_assert_int_eq(pl_components_find(&env, &v, &c, NULL), PLATEN_OK);
    ck_assert_uint_eq(c.n, 1);
    ck_assert_uint_eq(c.comps[0].ink_px, 77);
    pl_components_done(&c);
    pl_image_done(&v);
    pl_image_done(&im);
    pl_bufpool_free(env.bufs);
}
END_TEST

START_TEST(pieces_of_rows_are_copied_and_counted)
{
    enum { BYTES = 19, BITS = 8 * BYTES };
    const struct pl_bits row = {
        .bytes = {.stride_bytes = BYTES, .width = BYTES, .height = 1}, .width = BITS, .height = 1};
    uint32_t seed = 1;
    for (int x0 = 0; x0 <= BITS; x0++)
        for (int x1 = x0; x1 <= BITS; x1++) {
            uint8_t from[BYTES], to[BYTES], was[BYTES];
            struct pl_bits a = row, b = row, c = row;
            for (int i = 0; i < BYTES; i++) {
                from[i] = (uint8_t)next_random(&seed);
                to[i] = was[i] = (uint8_t)next_random(&seed);
            }
            pl_bits_copy(to, from, x0, x1);
            a.bytes.px = from, b.bytes.px = to, c.bytes.px = was;
            uint32_t ink = 0;
            for (int x = 0; x < BITS; x++) {
                ck_assert_int_eq(pl_bits_ink(&b, x, 0),
                                 pl_bits_ink(x >= x0 && x < x1 ? &a : &c, x, 0));
                ink += x >= x0 && x < x1 && pl_bits_ink(&a, x, 0);
            }
            if (x0 < x1)
                ck_assert_uint_eq(pl_bits_count(from, x0, x1), ink);
            for (int x = 0; x0 < x1 && x <= BITS; x++) {
                memset(from, 0, BYTES);
                if (x < BITS)
                    pl_bits_set(&a, x, 0);
                ck_assert_int_eq(pl_bits_any_between(from, x0, x1), x >= x0 && x < x1);
            }
        }
}
END_TEST

START_TEST(allocations_fail_in_turn)
{
    for (uint64_t n = 1;; n++) {
        struct pl_env env = make_env();
        struct pl_image im = make_page(&env, 9, 9);
        pl_image_row(&im, 4)[4] = 0;
        struct pl_components c = {0};
        struct platen_error err;
        pl_mem_fail_at(n, false);
        platen_status s = pl_components_find(&env, &im, &c, &err);
        pl_mem_fail_at(0, false);
        ck_assert(!s || (s == PLATEN_ERR_NOMEM && err.code == s && !c.runs));
        pl_components_done(&c);
        pl_image_done(&im);
        pl_bufpool_free(env.bufs);
        if (!s)
            break;
        ck_assert_uint_lt(n, 100);
    }
}
END_TEST

int main(void)
{
    pl_kernels_init(&kernels, PL_ISA_SCALAR);
    TCase *tc = tcase_create("components");
    tcase_add_test(tc, noise_equals_flood_fill);
    tcase_add_test(tc, late_joins);
    tcase_add_test(tc, views_stop_at_their_edges);
    tcase_add_test(tc, pieces_of_rows_are_copied_and_counted);
    tcase_add_test(tc, allocations_fail_in_turn);
    Suite *s = suite_create("components");
    suite_add_tcase(s, tc);
    return run_suite(s);
}
