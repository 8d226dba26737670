/* SPDX-License-Identifier: BSD-2-Clause */
/* The detector, the bands that it sees on a page, and the lines of their ink. */
#include "tests/unit/image_fixture.h"

#include "base/map.h"
#include "detect/detect.h"
#include "detect/net/text_band.h"
#include "image/resample.h"

#define WORDS PL_TEST_ROOT "/tests/data/boxes/words.png"
#define REGIONS PL_TEST_ROOT "/models/regions.platen"
#define MAPS PL_TEST_ROOT "/tests/data/model/maps.platen"
#define TINY PL_TEST_ROOT "/tests/data/model/tiny.platen"
#define MAX_BOXES 4096

static struct pl_network *open_model(const char *path)
{
    struct pl_network *m = NULL;
    ck_assert_msg(pl_network_open(path, &m, &err) == PLATEN_OK, "%s", err.text);
    return m;
}

static uint8_t noise(uint32_t x, uint32_t y)
{
    uint32_t h = x * 2654435761u ^ y * 2246822519u;
    h = (h ^ h >> 15) * 2654435761u;
    return (uint8_t)(h >> 13);
}

/* The page of twelve lines, with or without something below that is no text: leaves, as dark
 * ellipses of many sizes, among pebbles of the size of letters. */
static struct pl_image words_page(bool leaves)
{
    struct pl_map map;
    ck_assert_int_eq(pl_map_open(WORDS, 1 << 24, &map, &err), PLATEN_OK);
    struct pl_image words = must_load(map.data, map.size, true), page = {0};
    pl_map_close(&map);
    int w = words.width, h = words.height;
    ck_assert_int_eq(pl_image_init(&env, w, h + 500, PL_GRAY8, &page, &err), PLATEN_OK);
    for (int y = 0; y < page.height; y++)
        for (int x = 0; x < w; x++)
            pl_image_row(&page, y)[x] = y < h ? pl_image_row(&words, y)[x] : 255;
    for (uint32_t i = 0; leaves && i < 260; i++) {
        int cx = noise(i, 1) * w / 256, cy = h + 40 + noise(i, 2) * 420 / 256;
        int a = i < 20 ? 20 + noise(i, 3) / 4 : 4 + noise(i, 3) / 24;
        int b = i < 20 ? 8 + noise(i, 4) / 10 : 4 + noise(i, 4) / 32;
        for (int y = PL_MAX(cy - b, 0); y < PL_MIN(cy + b, page.height); y++)
            for (int x = PL_MAX(cx - a, 0); x < PL_MIN(cx + a, w); x++)
                if ((x - cx) * (x - cx) * b * b + (y - cy) * (y - cy) * a * a < a * a * b * b)
                    pl_image_row(&page, y)[x] = (uint8_t)(60 + noise(i, 5) / 4);
    }
    pl_image_done(&words);
    return page;
}

struct found {
    struct pl_rect box[MAX_BOXES];
    size_t n, n_low; /* lines, and those below what is written */
    struct pl_regions regions;
};

/* Runs an operation with its defaults over a page; what follows a colon sets its last parameter to
 * its second choice. */
static platen_status find(const char *name, struct pl_detector *d, const struct pl_env *e,
                          const struct pl_image *im, struct found *ret)
{
    struct pl_arena arena;
    _Alignas(double) char args[128];
    struct pl_page_image page = {.image = *im, .to_input = PL_AFFINE_IDENTITY};
    const struct pl_detect_op *op =
        pl_detect_op_of(pl_operation_find(pl_detect_ops, name, strcspn(name, ":")));
    const bool other = strchr(name, ':');
    ck_assert_uint_le(op->info.args_size, sizeof(args));
    pl_args_init(&op->info, args);
    if (other)
        pl_arg_set_number(&op->info.params[op->info.n_params - 1], args, 1);
    pl_arena_init(&arena);
    *ret = (struct found){0};
    platen_status s =
        op->run(&(struct pl_detect_net){.own = d}, e, &arena, &page, args, &ret->regions, &err);
    for (size_t b = 0; b < ret->regions.n_blocks && !s; b++)
        for (size_t i = 0; i < ret->regions.blocks[b].n_lines; i++) {
            struct pl_rect box = ret->regions.blocks[b].lines[i].box;
            ck_assert_uint_lt(ret->n, MAX_BOXES);
            if (box.y1 > im->height - 500)
                ret->n_low++;
            else
                ret->box[ret->n++] = box;
        }
    ck_assert(!s || !ret->regions.blocks);
    pl_arena_done(&arena);
    return s;
}

static struct pl_detector *new_detector(const struct pl_network *m, const struct pl_kernels *k)
{
    struct pl_detector *d = NULL;
    ck_assert_msg(pl_detector_new(m, k, &d, &err) == PLATEN_OK, "%s", err.text);
    return d;
}

/* Written lines are found as `lines` finds them; most of what is no text is not. */
START_TEST(text_among_leaves)
{
    static struct found plain, with, without;
    struct pl_network *m = open_model(REGIONS);
    struct pl_detector *d = new_detector(m, &kernels);
    struct pl_image clean = words_page(false), page = words_page(true);
    ck_assert_int_eq(find("lines", NULL, &env, &clean, &plain), PLATEN_OK);
    ck_assert_int_eq(find("lines", NULL, &env, &page, &without), PLATEN_OK);
    ck_assert_int_eq(find("regions", d, &env, &page, &with), PLATEN_OK);
    ck_assert_uint_ge(plain.n, 12);
    ck_assert_uint_eq(plain.n_low, 0);
    ck_assert_uint_gt(without.n_low, 10);
    ck_assert_msg(4 * with.n_low < without.n_low, "%zu %zu", with.n_low, without.n_low);
    ck_assert_uint_eq(with.n, plain.n);
    for (size_t i = 0; i < with.n; i++)
        ck_assert_mem_eq(&with.box[i], &plain.box[i], sizeof(struct pl_rect));
    /* what was left out is told */
    const struct pl_regions *r = &with.regions;
    ck_assert_uint_gt(r->graphics_px + r->unexplained_px, 20000);
    ck_assert_uint_gt(r->n_unexplained, 0);
    ck_assert_uint_eq(r->ink_in_lines_px + r->rules_px + r->graphics_px + r->specks_px +
                          r->unexplained_px,
                      r->ink_px);
    pl_image_done(&page);
    pl_image_done(&clean);
    pl_detector_free(d);
    pl_network_free(m);
}
END_TEST

/* Puts a part of `from` at (x, y), what is darker. */
static void stamp(struct pl_image *to, const struct pl_image *from, int x, int y)
{
    for (int r = 0; r < from->height; r++)
        for (int c = 0; c < from->width; c++) {
            uint8_t *px = pl_image_row(to, y + r) + x + c;
            *px = PL_MIN(*px, pl_image_row(from, r)[c]);
        }
}

/* Eight rows of the first line of the page, of which an initial, its s, takes in the first two. */
static struct pl_image initial_page(void)
{
    struct pl_image words = words_page(false), page = {0}, letter = {0};
    pl_auto_image line = pl_image_view(&words, (struct pl_rect){55, 56, 990, 92});
    pl_auto_image s = pl_image_view(&words, (struct pl_rect){257, 64, 270, 81});
    ck_assert_int_eq(pl_image_init(&env, 1500, 1000, PL_GRAY8, &page, &err), PLATEN_OK);
    for (int y = 0; y < page.height; y++)
        memset(pl_image_row(&page, y), 255, (size_t)page.width);
    ck_assert_int_eq(pl_resample(&env, &s, 48, 64, &letter, &err), PLATEN_OK);
    for (int i = 0; i < 8; i++)
        stamp(&page, &line, i < 2 ? 300 : 248, 100 + i * 40);
    stamp(&page, &letter, 252, 100);
    pl_image_done(&letter);
    pl_image_done(&words);
    return page;
}

/* An initial joins the cores of two rows; they are found all the same. */
START_TEST(rows_beside_an_initial)
{
    static struct found f;
    struct pl_network *m = open_model(REGIONS);
    struct pl_detector *d = new_detector(m, &kernels);
    struct pl_image page = initial_page();
    ck_assert_int_eq(find("regions", d, &env, &page, &f), PLATEN_OK);
    for (int i = 0; i < 8; i++) {
        size_t n = 0;
        for (size_t k = 0; k < f.n; k++)
            n += f.box[k].x1 > 1100 && abs(f.box[k].y0 - 100 - i * 40) < 10;
        ck_assert_msg(n == 1, "row %d: %zu", i, n);
    }
    pl_image_done(&page);
    pl_detector_free(d);
    pl_network_free(m);
}
END_TEST

/* A word eight times as large as the text below it is a line, though its strokes alone are what the
 * network sees as text at the scale of that. */
START_TEST(a_large_title)
{
    static struct found f;
    struct pl_network *m = open_model(REGIONS);
    struct pl_detector *d = new_detector(m, &kernels);
    struct pl_image words = words_page(false), page = {0}, title = {0};
    pl_auto_image line = pl_image_view(&words, (struct pl_rect){55, 56, 990, 92});
    pl_auto_image word = pl_image_view(&words, (struct pl_rect){55, 56, 190, 92});
    const int w = 8 * word.width, h = 8 * word.height;
    ck_assert_int_eq(pl_image_init(&env, 1500, 1500, PL_GRAY8, &page, &err), PLATEN_OK);
    for (int y = 0; y < page.height; y++)
        memset(pl_image_row(&page, y), 255, (size_t)page.width);
    ck_assert_int_eq(pl_resample(&env, &word, w, h, &title, &err), PLATEN_OK);
    stamp(&page, &title, 200, 60);
    for (int i = 0; i < 12; i++)
        stamp(&page, &line, 200, 400 + i * 40);
    ck_assert_int_eq(find("regions", d, &env, &page, &f), PLATEN_OK);
    ck_assert_uint_eq(f.n, 13);
    size_t large = 0;
    for (size_t k = 0; k < f.n; k++)
        large += f.box[k].y1 < 60 + h && pl_rect_width(f.box[k]) > w - 60;
    ck_assert_uint_eq(large, 1);
    pl_image_done(&title);
    pl_image_done(&page);
    pl_image_done(&words);
    pl_detector_free(d);
    pl_network_free(m);
}
END_TEST

/* Two rows of small print below rows four times as high are lines by themselves. */
START_TEST(small_print_below_large_rows)
{
    static struct found f;
    struct pl_network *m = open_model(REGIONS);
    struct pl_detector *d = new_detector(m, &kernels);
    struct pl_image words = words_page(false), page = {0}, large = {0};
    pl_auto_image line = pl_image_view(&words, (struct pl_rect){55, 56, 990, 92});
    pl_auto_image word = pl_image_view(&words, (struct pl_rect){55, 56, 250, 92});
    const int w = 7 * word.width / 2, h = 7 * word.height / 2;
    ck_assert_int_eq(pl_image_init(&env, 1500, 2300, PL_GRAY8, &page, &err), PLATEN_OK);
    for (int y = 0; y < page.height; y++)
        memset(pl_image_row(&page, y), 255, (size_t)page.width);
    ck_assert_int_eq(pl_resample(&env, &word, w, h, &large, &err), PLATEN_OK);
    for (int i = 0; i < 8; i++)
        stamp(&page, &large, 200, 20 + 160 * i);
    for (int i = 0; i < 2; i++)
        stamp(&page, &line, 200, 1500 + i * 40);
    ck_assert_int_eq(find("regions", d, &env, &page, &f), PLATEN_OK);
    size_t small = 0;
    for (size_t k = 0; k < f.n; k++)
        small += f.box[k].y0 > 1490 && pl_rect_height(f.box[k]) < 40 && f.box[k].x1 > 1100;
    ck_assert_uint_eq(small, 2);
    pl_image_done(&large);
    pl_image_done(&page);
    pl_image_done(&words);
    pl_detector_free(d);
    pl_network_free(m);
}
END_TEST

/* Small print in two far corners of a page as large as a plan is seen as large as elsewhere. */
START_TEST(small_print_on_a_large_page)
{
    static struct found f;
    struct pl_network *m = open_model(REGIONS);
    struct pl_detector *d = new_detector(m, &kernels);
    struct pl_image words = words_page(false), half = {0}, page = {0};
    const int w = words.width / 2, h = words.height / 2;
    ck_assert_int_eq(pl_resample(&env, &words, w, h, &half, &err), PLATEN_OK);
    ck_assert_int_eq(pl_image_init(&env, 12000, 4000, PL_GRAY8, &page, &err), PLATEN_OK);
    for (int y = 0; y < page.height; y++)
        memset(pl_image_row(&page, y), 255, (size_t)page.width);
    stamp(&page, &half, 0, 0);
    stamp(&page, &half, page.width - w, page.height - 500 - h);
    ck_assert_int_eq(find("regions", d, &env, &page, &f), PLATEN_OK);
    ck_assert_uint_eq(f.n, 24);
    pl_image_done(&page);
    pl_image_done(&half);
    pl_image_done(&words);
    pl_detector_free(d);
    pl_network_free(m);
}
END_TEST

/* Where the network is not installed another operation finds the lines, if that is allowed. */
START_TEST(lines_without_the_network)
{
    static struct found plain, without;
    struct pl_image page = words_page(true);
    ck_assert_int_eq(find("lines", NULL, &env, &page, &plain), PLATEN_OK);
    ck_assert_int_eq(find("regions:else=lines", NULL, &env, &page, &without), PLATEN_OK);
    ck_assert_uint_eq(without.n, plain.n);
    ck_assert_mem_eq(without.box, plain.box, plain.n * sizeof(struct pl_rect));
    pl_image_done(&page);
}
END_TEST

START_TEST(nothing_on_a_blank_page)
{
    static struct found f;
    struct pl_network *m = open_model(REGIONS);
    struct pl_detector *d = new_detector(m, &kernels);
    static const int sizes[][2] = {{1, 1}, {7, 900}, {2500, 3}, {1100, 1300}};
    for (size_t i = 0; i < PL_ARRAY_LEN(sizes); i++) {
        struct pl_image im = {0};
        ck_assert_int_eq(pl_image_init(&env, sizes[i][0], sizes[i][1], PL_GRAY8, &im, &err),
                         PLATEN_OK);
        for (int y = 0; y < im.height; y++)
            memset(pl_image_row(&im, y), 250, (size_t)im.width);
        ck_assert_int_eq(find("regions", d, &env, &im, &f), PLATEN_OK);
        ck_assert_uint_eq(f.n + f.n_low, 0);
        pl_image_done(&im);
    }
    pl_detector_free(d);
    pl_network_free(m);
}
END_TEST

/* Several tiles in both directions, and steps that the picture does not fill. */
START_TEST(maps_are_the_same_on_every_isa)
{
    struct pl_network *m = open_model(REGIONS);
    struct pl_image im = {0};
    struct pl_text_maps want = {0};
    ck_assert_int_eq(pl_image_init(&env, 1203, 221, PL_GRAY8, &im, &err), PLATEN_OK);
    for (int y = 0; y < im.height; y++)
        for (int x = 0; x < im.width; x++)
            pl_image_row(&im, y)[x] = noise((uint32_t)x / 5, (uint32_t)y / 3);
    for (unsigned isa = 0; isa < PL_ISA_COUNT; isa++) {
        struct pl_kernels k;
        struct pl_text_maps got = {0};
        if (!pl_isa_available((enum pl_isa)isa))
            continue;
        pl_kernels_init(&k, (enum pl_isa)isa);
        struct pl_env e = {.k = &k, .bufs = env.bufs};
        struct pl_detector *d = new_detector(m, &k);
        ck_assert_int_eq(pl_detector_run(d, &e, &im, -1, &got, &err), PLATEN_OK);
        ck_assert_int_eq(got.nx, 151);
        ck_assert_int_eq(got.ny, 28);
        if (want.nx) {
            ck_assert_mem_eq(got.height, want.height, 151 * 28 * sizeof(*got.height));
            for (int y = 0; y < got.core.height; y++)
                ck_assert_mem_eq(pl_image_row(&got.core, y), pl_image_row(&want.core, y),
                                 (size_t)got.core.width);
            pl_text_maps_done(&got);
        } else {
            want = got;
        }
        pl_detector_free(d);
    }
    pl_text_maps_done(&want);
    pl_image_done(&im);
    pl_network_free(m);
}
END_TEST

/* Where a picture is white around its ink, parts of tiles are left out: what is said near the ink
 * is the same where specks far away keep the tiles whole, and there is no text in the rest. */
START_TEST(white_is_left_out)
{
    enum { REACH = 72, WIDTH = 1800, HEIGHT = 700, STEP = 8 };
    static const struct pl_rect patches[] = {{500, 330, 560, 350}, /* over a tile's border below */
                                             {1100, 30, 1160, 60}, /* two of the upper tiles */
                                             {900, 640, 1100, 700}}; /* at the picture's end */
    static const int specks[][2] = {{2, 2}, {1790, 2}, {2, 690}, {1790, 690}};
    struct pl_network *m = open_model(REGIONS);
    struct pl_detector *d = new_detector(m, &kernels);
    struct pl_image im = {0};
    struct pl_text_maps trimmed = {0}, whole = {0};
    ck_assert_int_eq(pl_image_init(&env, WIDTH, HEIGHT, PL_GRAY8, &im, &err), PLATEN_OK);
    for (int y = 0; y < HEIGHT; y++)
        memset(pl_image_row(&im, y), 255, WIDTH);
    for (size_t i = 0; i < PL_ARRAY_LEN(patches); i++)
        for (int y = patches[i].y0; y < patches[i].y1; y++)
            for (int x = patches[i].x0; x < patches[i].x1; x++)
                pl_image_row(&im, y)[x] = noise((uint32_t)x / 5, (uint32_t)y / 3);
    ck_assert_int_eq(pl_detector_run(d, &env, &im, -1, &trimmed, &err), PLATEN_OK);
    for (size_t i = 0; i < PL_ARRAY_LEN(specks); i++)
        pl_image_row(&im, specks[i][1])[specks[i][0]] = 0;
    ck_assert_int_eq(pl_detector_run(d, &env, &im, -1, &whole, &err), PLATEN_OK);
    int same = 0, rows = pl_detector_step(d) / pl_detector_part_height(d),
        columns = pl_detector_step(d) / pl_detector_part_width(d);
    for (int y = 0; y < trimmed.ny; y++)
        for (int x = 0; x < trimmed.nx; x++) {
            bool near = false;
            for (size_t i = 0; i < PL_ARRAY_LEN(specks); i++)
                near |= abs(x * STEP - specks[i][0]) <= REACH + STEP &&
                        abs(y * STEP - specks[i][1]) <= REACH + STEP;
            for (int r = 0; r < rows && !near; r++)
                ck_assert_mem_eq(pl_image_row(&trimmed.core, y * rows + r) + x * columns,
                                 pl_image_row(&whole.core, y * rows + r) + x * columns,
                                 (size_t)columns);
            if (!near && pl_image_row(&trimmed.core, y * rows)[x * columns] != 255) {
                ck_assert_int_eq(trimmed.height[y * trimmed.nx + x],
                                 whole.height[y * whole.nx + x]);
                same++;
            }
        }
    ck_assert_int_gt(same, 10);
    pl_text_maps_done(&trimmed);
    pl_text_maps_done(&whole);
    pl_image_done(&im);
    pl_detector_free(d);
    pl_network_free(m);
}
END_TEST

/* Level beyond its ends, and straight between its numbers. */
START_TEST(middle_of_a_band)
{
    static const float three[] = {10, 14, 12};
    struct pl_text_band b = {
        .x0 = 90, .x1 = 180, .first = 100, .step = 30, .n = 3, .middle = three};
    static const double want[][2] = {{90, 10},  {100, 10}, {115, 12}, {130, 14},
                                     {145, 13}, {160, 12}, {180, 12}};
    for (size_t i = 0; i < PL_ARRAY_LEN(want); i++)
        ck_assert_double_eq_tol(pl_text_band_middle(&b, want[i][0]), want[i][1], 1e-9);
    b.n = 1;
    ck_assert_double_eq_tol(pl_text_band_middle(&b, 200), 10, 1e-9);
}
END_TEST

START_TEST(other_models_are_refused)
{
    static const struct {
        const char *path;
        platen_status status;
    } wrong[] = {{TINY, PLATEN_ERR_ARG}, {MAPS, PLATEN_ERR_FORMAT}};
    for (size_t i = 0; i < PL_ARRAY_LEN(wrong); i++) {
        struct pl_network *m = open_model(wrong[i].path);
        struct pl_detector *d = NULL;
        ck_assert_int_eq(pl_detector_new(m, &kernels, &d, &err), wrong[i].status);
        ck_assert_ptr_null(d);
        pl_network_free(m);
    }
}
END_TEST

START_TEST(allocations_fail_in_turn)
{
    static struct found f;
    struct pl_network *m = open_model(REGIONS);
    struct pl_image page = words_page(true);
    struct pl_image small = pl_image_view(&page, (struct pl_rect){0, 0, page.width, 400});
    int failures = 0;
    for (uint64_t n = 1; n < 400; n++, failures++) {
        struct pl_detector *d = NULL;
        struct pl_env e = {.k = &kernels, .bufs = pl_bufpool_new()};
        pl_mem_fail_at(n, true);
        platen_status s = pl_detector_new(m, &kernels, &d, &err);
        s = s ? s : find("regions", d, &e, &small, &f);
        pl_mem_fail_at(0, false);
        pl_detector_free(d);
        pl_bufpool_free(e.bufs);
        if (!s)
            break;
        ck_assert_int_eq(s, PLATEN_ERR_NOMEM);
    }
    ck_assert_int_gt(failures, 10);
    ck_assert_int_lt(failures, 399);
    pl_image_done(&small);
    pl_image_done(&page);
    pl_network_free(m);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("regions");
    tcase_add_test(tc, text_among_leaves);
    tcase_add_test(tc, rows_beside_an_initial);
    tcase_add_test(tc, a_large_title);
    tcase_add_test(tc, small_print_below_large_rows);
    tcase_add_test(tc, small_print_on_a_large_page);
    tcase_add_test(tc, lines_without_the_network);
    tcase_add_test(tc, nothing_on_a_blank_page);
    tcase_add_test(tc, maps_are_the_same_on_every_isa);
    tcase_add_test(tc, white_is_left_out);
    tcase_add_test(tc, middle_of_a_band);
    tcase_add_test(tc, other_models_are_refused);
    tcase_add_test(tc, allocations_fail_in_turn);
    return run_env_suite("regions", tc);
}
