/* SPDX-License-Identifier: BSD-2-Clause */
/* Operation `db`: boxes of a map, and lines of a page by an imported network. The network says
 * where it is dark on the mean of 5 x 9 pixels (tests/fuzz/make_onnx_seeds.py). */
#include "tests/unit/image_fixture.h"

#include "base/map.h"
#include "detect/net/db_boxes.h"
#include "detect/lines.h"

#define CORPUS PL_TEST_ROOT "/tests/fuzz/corpus/network/"
#define WORDS PL_TEST_ROOT "/tests/data/boxes/words.png"

#define MAP_WIDTH 60
#define MAP_HEIGHT 40
static float places[MAP_HEIGHT][MAP_WIDTH];
static const struct pl_db_map map = {places[0], MAP_WIDTH, MAP_HEIGHT, 2, 4};

static struct pl_text_box *find_boxes(struct pl_arena *arena, double threshold, double score,
                                      double unclip, size_t *ret_n)
{
    struct pl_text_box *boxes;
    struct pl_db_rules rules = {threshold, score, unclip};
    ck_assert_int_eq(pl_db_boxes_find(&env, arena, &map, &rules, &boxes, ret_n, &err), PLATEN_OK);
    return boxes;
}

START_TEST(boxes_of_a_map)
{
    struct pl_arena arena;
    size_t n;
    pl_arena_init(&arena);
    memset(places, 0, sizeof(places));
    places[30][50] = places[30][51] = 1; /* too thin */
    for (int y = 5; y < 11; y++)
        for (int x = 10; x < 31; x++)
            places[y][x] = y == 5 ? 0.5F : 0.9F;
    places[8][20] = NAN; /* no text, but inside */
    struct pl_text_box *b = find_boxes(&arena, 0.3, 0.6, 0, &n);
    ck_assert_uint_eq(n, 0); /* a mean that is no number passes no bound */
    places[8][20] = 0.1F;
    b = find_boxes(&arena, 0.3, 0.6, 0, &n);
    ck_assert_uint_eq(n, 1);
    /* from middle to middle of the outer places, in px of the picture */
    ck_assert_double_eq_tol(b->length, 20 * 2, 1e-9);
    ck_assert_double_eq_tol(b->height, 5 * 4, 1e-9);
    ck_assert_double_eq_tol(b->middle.x, 20.5 * 2, 1e-9);
    ck_assert_double_eq_tol(b->middle.y, 8 * 4, 1e-9);
    ck_assert_double_eq_tol(b->ux, 1, 1e-9);
    ck_assert_double_eq_tol(b->score, (0.5 * 21 + 0.9 * (21 * 5 - 1) + 0.1) / (21 * 6), 1e-6);
    double by = 1.5 * 40 * 20 / (2 * 60.0);
    b = find_boxes(&arena, 0.3, 0.6, 1.5, &n);
    ck_assert_double_eq_tol(b->length, 40 + 2 * by, 1e-9);
    ck_assert_double_eq_tol(b->height, 20 + 2 * by, 1e-9);
    /* the weak row is below another threshold; a bound for the score */
    b = find_boxes(&arena, 0.6, 0.6, 0, &n);
    ck_assert_double_eq_tol(b->height, 4 * 4, 1e-9);
    find_boxes(&arena, 0.3, 0.85, 0, &n);
    ck_assert_uint_eq(n, 0);
    struct pl_rect r = pl_text_box_bounds(b, 50, 1000);
    ck_assert(r.x0 == 21 && r.x1 == 50 && r.y0 == 26 && r.y1 == 42);
    pl_arena_done(&arena);
}
END_TEST

/* A bar that rises by one in four px. */
START_TEST(box_askew)
{
    struct pl_arena arena;
    size_t n;
    pl_arena_init(&arena);
    memset(places, 0, sizeof(places));
    for (int x = 4; x <= 52; x++)
        for (int y = 0; y < 6; y++)
            places[20 + y - x / 8][x] = 1;
    struct pl_text_box *b = find_boxes(&arena, 0.3, 0.6, 0, &n);
    ck_assert_uint_eq(n, 1);
    ck_assert_double_eq_tol(b->uy / b->ux, -0.25, 0.02);
    ck_assert_double_gt(b->ux, 0);
    ck_assert_double_eq_tol(b->length, 100, 6);
    struct pl_point at = pl_text_box_at(b, b->middle.x + 0.5 * b->length * b->ux,
                                        b->middle.y + 0.5 * b->length * b->uy);
    ck_assert_double_eq_tol(at.x, 1, 1e-9);
    ck_assert_double_eq_tol(at.y, 0, 1e-9);
    pl_arena_done(&arena);
}
END_TEST

static struct pl_network *open_network(const char *name)
{
    char path[512];
    struct pl_network *n = NULL;
    snprintf(path, sizeof(path), CORPUS "%s.platen", name);
    ck_assert_msg(pl_network_open(path, &n, &err) == PLATEN_OK, "%s", err.text);
    return n;
}

static struct pl_db_args default_args(void)
{
    struct pl_db_args args;
    pl_args_init(&pl_detect_db.info, &args);
    return args;
}

struct found {
    struct pl_rect box[256];
    struct pl_line last;
    size_t n;
    struct pl_regions regions;
};

/* Black and white, at 127. */
static platen_status blacken(const struct pl_env *e, const struct pl_image *im,
                             struct pl_image *ret)
{
    platen_status s = pl_image_init(e, im->width, im->height, PL_GRAY8, ret, &err);
    for (int y = 0; y < im->height && !s; y++)
        for (int x = 0; x < im->width; x++)
            pl_image_row(ret, y)[x] = pl_image_row(im, y)[x] > 127 ? 255 : 0;
    ret->bilevel = true;
    return s;
}

static platen_status run(const struct pl_detect_op *op, const struct pl_detect_net *net,
                         const struct pl_env *e, const struct pl_image *im, const void *args,
                         struct found *ret)
{
    struct pl_arena arena;
    struct pl_page_image page = {.gray = *im, .to_input = PL_AFFINE_IDENTITY};
    pl_arena_init(&arena);
    *ret = (struct found){0};
    platen_status s = blacken(e, im, &page.image);
    s = s ? s : op->run(net, e, &arena, &page, args, &ret->regions, &err);
    for (size_t b = 0; b < ret->regions.n_blocks && !s; b++)
        for (size_t i = 0; i < ret->regions.blocks[b].n_lines; i++) {
            ck_assert_uint_lt(ret->n, PL_ARRAY_LEN(ret->box));
            ret->last = ret->regions.blocks[b].lines[i];
            ret->box[ret->n++] = ret->last.box;
        }
    ck_assert(!s || !ret->regions.blocks);
    pl_image_done(&page.image);
    pl_arena_done(&arena);
    return s;
}

/* The page of twelve lines with a faint patch below them, which is no ink. */
static struct pl_image words_page(void)
{
    struct pl_map file;
    ck_assert_int_eq(pl_map_open(WORDS, 1 << 24, &file, &err), PLATEN_OK);
    struct pl_image words = must_load(file.data, file.size, true), page = {0};
    pl_map_close(&file);
    ck_assert_int_eq(pl_image_init(&env, words.width, words.height + 120, PL_GRAY8, &page, &err),
                     PLATEN_OK);
    for (int y = 0; y < page.height; y++)
        for (int x = 0; x < page.width; x++) {
            bool faint = y >= words.height + 40 && y < words.height + 70 && x >= 100 && x < 300;
            pl_image_row(&page, y)[x] = y < words.height ? pl_image_row(&words, y)[x]
                                        : faint          ? 190
                                                         : 255;
        }
    pl_image_done(&words);
    return page;
}

/* Ink lies in lines as with `lines`, the same on every ISA; the patch is a line without any. */
START_TEST(lines_of_a_page)
{
    static struct found plain, want, got;
    struct pl_db_args args = default_args();
    const struct pl_lines_args plain_args = {.min_height_px = 4};
    struct pl_network *n = open_network("text");
    struct pl_image page = words_page();
    args.side_px = 2000;
    args.score = 0.2; /* words may be light on the mean */
    ck_assert_int_eq(run(&pl_detect_lines, NULL, &env, &page, &plain_args, &plain), PLATEN_OK);
    for (unsigned isa = 0; isa < PL_ISA_COUNT; isa++) {
        struct pl_kernels k;
        struct pl_detect_net net = {0};
        if (!pl_isa_available((enum pl_isa)isa))
            continue;
        pl_kernels_init(&k, (enum pl_isa)isa);
        struct pl_env e = {.k = &k, .bufs = env.bufs};
        ck_assert_int_eq(pl_detect_db.open(n, &k, &args, &net.imported, &err), PLATEN_OK);
        ck_assert_int_eq(pl_db_net_try(net.imported, &(struct pl_db_map){0}, &err), PLATEN_OK);
        ck_assert_msg(run(&pl_detect_db, &net, &e, &page, &args, &got) == PLATEN_OK, "%s",
                      err.text);
        ck_assert_uint_ge(got.n, plain.n + 1);
        ck_assert_uint_eq(got.regions.ink_px, plain.regions.ink_px);
        ck_assert_uint_ge(got.regions.ink_in_lines_px, plain.regions.ink_in_lines_px * 98 / 100);
        ck_assert(got.last.box.x0 < 100 && got.last.box.x1 > 300 && got.last.box.x1 < 330);
        ck_assert(got.last.box.y0 < page.height - 80 && got.last.box.y1 > page.height - 50);
        ck_assert_uint_eq(got.last.n_gaps, 1);
        ck_assert_double_gt(got.last.base_y, page.height - 70);
        if (want.n) {
            ck_assert_uint_eq(got.n, want.n);
            ck_assert_mem_eq(got.box, want.box, sizeof(got.box));
        }
        want = got;
        pl_db_net_free(net.imported);
    }
    pl_image_done(&page);
    pl_network_free(n);
}
END_TEST

/* Smaller than the page the picture for the network may be; the boxes stay pixels of the page. */
START_TEST(small_side)
{
    static struct found whole, small;
    struct pl_db_args args = default_args();
    struct pl_network *n = open_network("text");
    struct pl_image page = {0};
    struct pl_detect_net net = {0};
    ck_assert_int_eq(pl_image_init(&env, 900, 400, PL_GRAY8, &page, &err), PLATEN_OK);
    for (int y = 0; y < page.height; y++)
        for (int x = 0; x < page.width; x++) {
            bool bar = y >= 100 && y < 150 && x >= 200 && x < 700;
            pl_image_row(&page, y)[x] = !bar ? 255 : (x / 25 + y / 60) % 2 ? 0 : 190;
        }
    const int sides[] = {960, 450};
    struct found *found[] = {&whole, &small};
    for (int i = 0; i < 2; i++) {
        args.side_px = sides[i];
        ck_assert_int_eq(pl_detect_db.open(n, &kernels, &args, &net.imported, &err), PLATEN_OK);
        ck_assert_int_eq(run(&pl_detect_db, &net, &env, &page, &args, found[i]), PLATEN_OK);
        pl_db_net_free(net.imported);
        net.imported = NULL;
    }
    ck_assert_uint_eq(whole.n, 1);
    ck_assert_uint_eq(small.n, 1);
    ck_assert_mem_eq(&whole.box[0], &small.box[0], sizeof(struct pl_rect));
    pl_image_done(&page);
    pl_network_free(n);
}
END_TEST

/* Pictures of any shape, and none of them has text. */
START_TEST(blank_pages)
{
    static const int sizes[][2] = {{1, 1}, {7, 900}, {2500, 3}, {1100, 1300}};
    static struct found f;
    struct pl_db_args args = default_args();
    struct pl_network *n = open_network("text");
    struct pl_detect_net net = {0};
    ck_assert_int_eq(pl_detect_db.open(n, &kernels, &args, &net.imported, &err), PLATEN_OK);
    for (size_t i = 0; i < PL_ARRAY_LEN(sizes); i++) {
        struct pl_image im = {0};
        ck_assert_int_eq(pl_image_init(&env, sizes[i][0], sizes[i][1], PL_GRAY8, &im, &err),
                         PLATEN_OK);
        for (int y = 0; y < im.height; y++)
            memset(pl_image_row(&im, y), 250, (size_t)im.width);
        ck_assert_int_eq(run(&pl_detect_db, &net, &env, &im, &args, &f), PLATEN_OK);
        ck_assert_uint_eq(f.n, 0);
        pl_image_done(&im);
    }
    pl_db_net_free(net.imported);
    pl_network_free(n);
}
END_TEST

START_TEST(refusals)
{
    static const struct {
        const char *network;
        const char *mean, *std, *why; /* NULL = the default */
    } cases[] = {
        {"shape", NULL, NULL, "its input is not a picture"},
        {"attention", NULL, NULL, "its input is not a picture"},
        {"text", "0.5/0.5", NULL, "mean '0.5/0.5' is not"},
        {"text", "1/2/3/4", NULL, "mean '1/2/3/4' is not"},
        {"text", "1/2/", NULL, "mean '1/2/' is not"},
        {"text", NULL, "0", "std '0' is not"},
        {"text", NULL, "x", "std 'x' is not"},
    };
    for (size_t i = 0; i < PL_ARRAY_LEN(cases); i++) {
        struct pl_db_args args = default_args();
        struct pl_network *n = open_network(cases[i].network);
        struct pl_db_net *net = NULL;
        args.mean = cases[i].mean ? cases[i].mean : args.mean;
        args.std = cases[i].std ? cases[i].std : args.std;
        ck_assert_int_eq(pl_detect_db.open(n, &kernels, &args, &net, &err), PLATEN_ERR_ARG);
        ck_assert_msg(strstr(err.text, cases[i].why), "%s", err.text);
        ck_assert_ptr_null(net);
        pl_network_free(n);
    }
}
END_TEST

/* The input of this one has 8 rows: the picture is made to fit, and paper fills up. */
START_TEST(fixed_size)
{
    struct pl_db_args args = default_args();
    struct pl_network *n = open_network("conv");
    struct pl_db_net *net = NULL;
    struct pl_db_map m;
    struct pl_image im = {0};
    ck_assert_int_eq(pl_detect_db.open(n, &kernels, &args, &net, &err), PLATEN_OK);
    ck_assert_msg(pl_db_net_try(net, &(struct pl_db_map){0}, &err) == PLATEN_OK, "%s", err.text);
    ck_assert_int_eq(pl_image_init(&env, 800, 80, PL_GRAY8, &im, &err), PLATEN_OK);
    for (int y = 0; y < im.height; y++)
        memset(pl_image_row(&im, y), 99, (size_t)im.width);
    ck_assert_int_eq(pl_db_net_run(net, &env, &im, &m, &err), PLATEN_OK);
    /* 8 rows and 96 columns (80 of them in whole steps of 32) */
    ck_assert_double_eq_tol(m.scale_x * m.width, 800, 1e-6);
    ck_assert_double_eq_tol(m.scale_y * m.height, 80, 1e-6);
    pl_image_done(&im);
    pl_db_net_free(net);
    pl_network_free(n);
}
END_TEST

START_TEST(allocations_fail_in_turn)
{
    static struct found f;
    struct pl_db_args args = default_args();
    struct pl_network *n = open_network("text");
    struct pl_image page = words_page();
    struct pl_image small =
        pl_image_view(&page, (struct pl_rect){0, page.height - 400, page.width, page.height});
    int failures = 0;
    for (uint64_t at = 1; at < 400; at++, failures++) {
        struct pl_detect_net net = {0};
        struct pl_env e = {.k = &kernels, .bufs = pl_bufpool_new()};
        pl_mem_fail_at(at, true);
        platen_status s = pl_detect_db.open(n, &kernels, &args, &net.imported, &err);
        s = s ? s : run(&pl_detect_db, &net, &e, &small, &args, &f);
        pl_mem_fail_at(0, false);
        pl_db_net_free(net.imported);
        pl_bufpool_free(e.bufs);
        if (!s)
            break;
        ck_assert_int_eq(s, PLATEN_ERR_NOMEM);
    }
    ck_assert_int_gt(failures, 10);
    ck_assert_int_lt(failures, 399);
    pl_image_done(&small);
    pl_image_done(&page);
    pl_network_free(n);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("db");
    tcase_add_test(tc, boxes_of_a_map);
    tcase_add_test(tc, box_askew);
    tcase_add_test(tc, lines_of_a_page);
    tcase_add_test(tc, small_side);
    tcase_add_test(tc, blank_pages);
    tcase_add_test(tc, refusals);
    tcase_add_test(tc, fixed_size);
    tcase_add_test(tc, allocations_fail_in_turn);
    return run_env_suite("db", tc);
}
