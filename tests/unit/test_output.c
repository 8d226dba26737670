#include <check.h>
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "image/codec.h"
#include "output/emit.h"
#include "tests/unit/suite.h"

/* A page of 200 x 100 with two blocks: "Big cat" / (nothing read), and "x". */
static float char_conf[] = {0.9f, 0.8f, 1, 1};
static struct pl_word words_a[] = {
    {.box = {10, 20, 40, 32},
     .text = "Big",
     .conf = 0.98766f,
     .char_conf = char_conf,
     .n_chars = 3},
    {.box = {46, 20, 80, 32}, .text = "c\"t\n", .conf = 0.5f, .char_conf = char_conf, .n_chars = 4},
};
static struct pl_word words_b[] = {
    {.box = {120, 60, 130, 70},
     .text = "\xC3\xA9",
     .conf = 1,
     .char_conf = char_conf,
     .n_chars = 1},
};
static struct pl_line lines_a[] = {
    {.box = {10, 20, 80, 35},
     .base_y = 32.25,
     .slope = 0.01,
     .words = words_a,
     .n_words = 2,
     .text = "Big c\"t\n",
     .conf = 0.75f},
    {.box = {10, 40, 80, 55}, .base_y = 52, .text = ""},
};
static struct pl_line lines_b[] = {
    {.box = {120, 60, 130, 70},
     .base_y = 70,
     .words = words_b,
     .n_words = 1,
     .text = "\xC3\xA9",
     .conf = 1},
};
static struct pl_line lines_none[] = {{.box = {1, 1, 3, 3}, .text = ""}};
static struct pl_block blocks[] = {
    {.box = {10, 20, 80, 55}, .lines = lines_a, .n_lines = 2},
    {.box = {1, 1, 3, 3}, .lines = lines_none, .n_lines = 1},
    {.box = {120, 60, 130, 70}, .lines = lines_b, .n_lines = 1},
};
static const struct pl_rect unexplained[] = {{150, 5, 160, 9}};
static const struct pl_regions regions = {
    .blocks = blocks,
    .n_blocks = 3,
    .ink_px = 3000,
    .ink_in_lines_px = 1000,
    .rules_px = 600,
    .graphics_px = 300,
    .specks_px = 99,
    .unexplained_px = 1,
    .unexplained = unexplained,
    .n_unexplained = 1,
};
static struct pl_page_image page_image = {.to_input = {1, 0, 0, 0, 1, 0}, .angle_deg = -1.23456};

static struct pl_page_result page_result(void)
{
    return (struct pl_page_result){.path = "a.png",
                                   .page = 1,
                                   .width = 200,
                                   .height = 100,
                                   .dpi_x = 300,
                                   .dpi_y = 299.994f,
                                   .image = &page_image,
                                   .regions = &regions,
                                   .recognized = true};
}

static void run(const char *format, const struct pl_env *env, const struct pl_page_result *page,
                struct pl_str *out)
{
    struct platen_error err;
    const struct pl_emitter *e = pl_emitter_find(format, strlen(format));
    ck_assert_ptr_nonnull(e);
    ck_assert_int_eq(e->emit(env, page, out, &err), PLATEN_OK);
}

static cJSON *parsed(const char *format, const struct pl_page_result *page)
{
    struct pl_str out = {0};
    run(format, NULL, page, &out);
    ck_assert(out.len > 0 && out.s[out.len - 1] == '\n');
    if (!strcmp(format, "ndjson"))
        ck_assert_ptr_eq(strchr(out.s, '\n'), out.s + out.len - 1);
    cJSON *j = cJSON_Parse(out.s);
    ck_assert_msg(j != NULL, "not JSON: %s", out.s);
    pl_str_done(&out);
    return j;
}

/* The value at a path such as "blocks.0.lines.1". */
static const cJSON *at(const cJSON *j, const char *path)
{
    char copy[200], *save = NULL;
    strcpy(copy, path);
    for (char *p = strtok_r(copy, ".", &save); p; p = strtok_r(NULL, ".", &save)) {
        j = *p >= '0' && *p <= '9' ? cJSON_GetArrayItem(j, atoi(p))
                                   : cJSON_GetObjectItemCaseSensitive(j, p);
        ck_assert_msg(j != NULL, "no '%s' of %s", p, path);
    }
    return j;
}

#define NUMBER(j, path, want) ck_assert_double_eq_tol(at(j, path)->valuedouble, (want), 1e-9)
#define TEXT(j, path, want) ck_assert_str_eq(at(j, path)->valuestring, (want))

static void check_numbers(const cJSON *j, const char *path, const double *want, int n)
{
    const cJSON *a = at(j, path);
    ck_assert_int_eq(cJSON_GetArraySize(a), n);
    for (int i = 0; i < n; i++)
        ck_assert_double_eq_tol(cJSON_GetArrayItem(a, i)->valuedouble, want[i], 1e-9);
}

#define NUMBERS(j, path, ...)                                                                      \
    check_numbers(j, path, (double[]){__VA_ARGS__}, (int)(sizeof((double[]){__VA_ARGS__}) / 8))

static void check_tree(const cJSON *j)
{
    TEXT(j, "path", "a.png");
    NUMBER(j, "page", 1);
    NUMBER(j, "width", 200);
    NUMBER(j, "height", 100);
    NUMBERS(j, "dpi", 300, 299.99);
    NUMBER(j, "angle", -1.235);
    TEXT(j, "status", "ok");
    ck_assert_int_eq(cJSON_GetArraySize(at(j, "blocks")), 3);
    NUMBERS(j, "blocks.0.box", 10, 20, 80, 55);
    TEXT(j, "blocks.0.lines.0.text", "Big c\"t\n");
    NUMBER(j, "blocks.0.lines.0.conf", 0.75);
    NUMBERS(j, "blocks.0.lines.0.baseline.0", 10, 32.25);
    NUMBERS(j, "blocks.0.lines.0.baseline.1", 80, 32.95);
    TEXT(j, "blocks.0.lines.0.words.0.text", "Big");
    NUMBER(j, "blocks.0.lines.0.words.0.conf", 0.9877);
    NUMBERS(j, "blocks.0.lines.0.words.0.char_conf", 0.9, 0.8, 1);
    NUMBERS(j, "blocks.0.lines.0.words.0.box", 10, 20, 40, 32);
    NUMBERS(j, "blocks.0.lines.0.words.1.quad.0", 46, 20);
    NUMBERS(j, "blocks.0.lines.0.words.1.quad.2", 80, 32);
    TEXT(j, "blocks.0.lines.1.text", "");
    ck_assert_int_eq(cJSON_GetArraySize(at(j, "blocks.0.lines.1.words")), 0);
    TEXT(j, "blocks.2.lines.0.words.0.text", "\xC3\xA9");
    NUMBER(j, "leftover.ink_px", 3000);
    NUMBER(j, "leftover.in_lines.px", 1000);
    NUMBER(j, "leftover.in_lines.share", 0.3333);
    NUMBER(j, "leftover.rules.share", 0.2);
    NUMBER(j, "leftover.graphics.px", 300);
    NUMBER(j, "leftover.specks.px", 99);
    NUMBER(j, "leftover.unexplained.px", 1);
    NUMBER(j, "leftover.unexplained.share", 0.0003);
    NUMBERS(j, "leftover.boxes.0", 150, 5, 160, 9);
    ck_assert_ptr_null(cJSON_GetObjectItem(j, "ms"));
    ck_assert_ptr_null(cJSON_GetObjectItem(j, "error"));
}

START_TEST(json_says_every_field)
{
    struct pl_page_result page = page_result();
    cJSON *pretty = parsed("json", &page), *line = parsed("ndjson", &page);
    check_tree(pretty);
    check_tree(line);
    ck_assert(cJSON_Compare(pretty, line, true));
    cJSON_Delete(pretty);
    cJSON_Delete(line);
}
END_TEST

START_TEST(json_leaves_out_what_was_not_asked)
{
    struct pl_page_result page = page_result();
    page.recognized = false;
    page.dpi_x = 0;
    page.ms = (double[]){1.5, 2, 3, 4.006};
    cJSON *j = parsed("json", &page);
    const cJSON *line = at(j, "blocks.0.lines.0");
    ck_assert_ptr_null(cJSON_GetObjectItem(line, "text"));
    ck_assert_ptr_null(cJSON_GetObjectItem(line, "words"));
    NUMBERS(j, "blocks.0.lines.0.box", 10, 20, 80, 35);
    ck_assert(cJSON_IsNull(at(j, "dpi")));
    NUMBER(j, "ms.decode", 1.5);
    NUMBER(j, "ms.recognize", 4.01);
    cJSON_Delete(j);
    page.regions = NULL;
    j = parsed("ndjson", &page);
    ck_assert_ptr_null(cJSON_GetObjectItem(j, "blocks"));
    ck_assert_ptr_null(cJSON_GetObjectItem(j, "leftover"));
    cJSON_Delete(j);
}
END_TEST

/* A page that was turned by 90 degrees and cut: page (x, y) = input (150 - y, x - 5). */
START_TEST(boxes_are_those_of_the_input)
{
    struct pl_page_image turned = {.to_input = {0, -1, 150, 1, 0, -5}};
    struct pl_page_result page = page_result();
    page.image = &turned;
    page.width = 130;
    page.height = 70;
    cJSON *j = parsed("json", &page);
    NUMBERS(j, "blocks.0.lines.0.words.0.quad.0", 130, 5);
    NUMBERS(j, "blocks.0.lines.0.words.0.quad.1", 130, 35);
    NUMBERS(j, "blocks.0.lines.0.words.0.quad.2", 118, 35);
    NUMBERS(j, "blocks.0.lines.0.words.0.quad.3", 118, 5);
    NUMBERS(j, "blocks.0.lines.0.words.0.box", 118, 5, 130, 35);
    NUMBERS(j, "blocks.0.lines.0.baseline.0", 117.75, 5);
    NUMBERS(j, "blocks.0.box", 95, 5, 130, 70); /* clipped to the input's height */
    cJSON_Delete(j);
}
END_TEST

START_TEST(odd_paths_and_failures)
{
    struct pl_page_result page = {.path = "a\xFF/\"b\"\n\x01.png",
                                  .page = 3,
                                  .status = PLATEN_ERR_FORMAT,
                                  .error = "truncated at byte 812"};
    cJSON *j = parsed("ndjson", &page);
    TEXT(j, "path", "a\xEF\xBF\xBD/\"b\"\n\x01.png");
    NUMBER(j, "page", 3);
    TEXT(j, "status", "malformed data");
    TEXT(j, "error", "truncated at byte 812");
    ck_assert_ptr_null(cJSON_GetObjectItem(j, "width"));
    cJSON_Delete(j);
    for (const struct pl_emitter *const *e = pl_emitters; *e; e++)
        ck_assert_int_eq((*e)->failures, !strcmp((*e)->name, "ndjson"));
}
END_TEST

START_TEST(txt_is_lines_and_blank_lines)
{
    struct pl_page_result page = page_result();
    struct pl_str out = {0};
    run("txt", NULL, &page, &out);
    ck_assert_str_eq(out.s, "Big c\"t\n\n\n\xC3\xA9\n");
    pl_str_done(&out);
    struct pl_regions blank = {.blocks = blocks + 1, .n_blocks = 1};
    page.regions = &blank;
    run("txt", NULL, &page, &out);
    ck_assert_uint_eq(out.len, 0);
}
END_TEST

struct pictures {
    struct pl_env env;
    struct pl_kernels k;
    struct pl_page_image page;
};

static void pictures_init(struct pictures *p)
{
    *p = (struct pictures){.page = page_image};
    pl_kernels_init(&p->k, PL_ISA_SCALAR);
    p->env = (struct pl_env){.k = &p->k, .bufs = pl_bufpool_new()};
    ck_assert_int_eq(pl_image_init(&p->env, 200, 100, PL_GRAY8, &p->page.image, NULL), PLATEN_OK);
    for (int y = 0; y < 100; y++)
        for (int x = 0; x < 200; x++)
            pl_image_row(&p->page.image, y)[x] = (uint8_t)(100 + (x * 7 + y * 3) % 100);
}

static void pictures_done(struct pictures *p)
{
    pl_image_done(&p->page.image);
    pl_bufpool_free(p->env.bufs);
}

static void load(struct pictures *p, const char *format, bool gray, struct pl_image *ret)
{
    struct pl_page_result page = page_result();
    page.image = &p->page;
    struct pl_str out = {0};
    run(format, &p->env, &page, &out);
    struct pl_load_options opt = {.gray = gray, .max_pixels = 1 << 20};
    struct platen_error err;
    ck_assert_int_eq(pl_image_load(&p->env, (uint8_t *)out.s, out.len, &opt, ret, &err), 0);
    pl_str_done(&out);
}

START_TEST(png_and_pnm_are_the_page_picture)
{
    struct pictures p;
    pictures_init(&p);
    static const char *const formats[] = {"png", "pnm"};
    for (int f = 0; f < 2; f++) {
        struct pl_image im = {0};
        load(&p, formats[f], true, &im);
        ck_assert_int_eq(im.width, 200);
        ck_assert_int_eq(im.height, 100);
        for (int y = 0; y < 100; y++)
            ck_assert_mem_eq(pl_image_row(&im, y), pl_image_row(&p.page.image, y), 200);
        pl_image_done(&im);
    }
    pictures_done(&p);
}
END_TEST

static bool is_gray(const struct pl_image *im, int x, int y)
{
    const uint8_t *px = pl_image_row(im, y) + 3 * x;
    return px[0] == px[1] && px[1] == px[2];
}

START_TEST(overlay_frames_the_boxes)
{
    struct pictures p;
    pictures_init(&p);
    struct pl_image im = {0};
    load(&p, "overlay", false, &im);
    ck_assert_int_eq(im.format, PL_RGB8);
    ck_assert(!is_gray(&im, 25, 19)); /* above "Big" */
    ck_assert(!is_gray(&im, 9, 45));  /* left of block and second line */
    ck_assert(!is_gray(&im, 155, 4)); /* above the leftover box */
    ck_assert(!is_gray(&im, 60, 33)); /* the baseline: 32.25 + 0.01 * 50 */
    ck_assert(is_gray(&im, 25, 25));  /* inside the word nothing is hidden */
    ck_assert_uint_eq(pl_image_row(&im, 25)[75], pl_image_row(&p.page.image, 25)[25]);
    ck_assert(memcmp(pl_image_row(&im, 4) + 3 * 155, pl_image_row(&im, 19) + 3 * 25, 3));
    pl_image_done(&im);
    /* boxes beyond the picture are cut, not written outside it */
    struct pl_page_image part = p.page;
    p.page.image = pl_image_view(&part.image, (struct pl_rect){0, 0, 50, 30});
    load(&p, "overlay", false, &im);
    ck_assert_int_eq(im.width, 50);
    pl_image_done(&im);
    pl_image_done(&part.image);
    pictures_done(&p);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("output");
    tcase_add_test(tc, json_says_every_field);
    tcase_add_test(tc, json_leaves_out_what_was_not_asked);
    tcase_add_test(tc, boxes_are_those_of_the_input);
    tcase_add_test(tc, odd_paths_and_failures);
    tcase_add_test(tc, txt_is_lines_and_blank_lines);
    tcase_add_test(tc, png_and_pnm_are_the_page_picture);
    tcase_add_test(tc, overlay_frames_the_boxes);
    Suite *s = suite_create("output");
    suite_add_tcase(s, tc);
    return run_suite(s);
}
