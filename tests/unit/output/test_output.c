/* SPDX-License-Identifier: BSD-2-Clause */
#include <check.h>
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "codec/codec.h"
#include "config.h"
#include "output/emit.h"
#include "page/bidi.h"
#include "tests/unit/parabola.h"
#include "tests/unit/suite.h"

/* A page of 200 x 100 with two blocks, "Big cat" with a word that is doubted, and "x"; a line of
 * which nothing was read. */
static float char_conf[] = {0.9f, 0.8f, 1, 1};
static struct pl_word words_a[] = {
    {.box = {10, 20, 40, 32},
     .text = "Big",
     .conf = 0.98766f,
     .char_conf = char_conf,
     .n_chars = 3},
    {.box = {46, 20, 80, 32}, .text = "c\"t\n", .conf = 0.5f, .char_conf = char_conf, .n_chars = 4},
    {.box = {84, 22, 90, 30}, .text = "?", .conf = 0.25f, .char_conf = char_conf, .n_chars = 1},
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
     .n_doubted = 1,
     .text = "Big c\"t\n",
     .conf = 0.75f},
};
static struct pl_line lines_b[] = {
    {.box = {120, 60, 130, 70},
     .base_y = 70,
     .words = words_b,
     .n_words = 1,
     .text = "\xC3\xA9",
     .conf = 1},
};
static struct pl_line lines_unread[] = {{.box = {10, 70, 80, 85}, .text = "", .conf = 0.125f}};
static struct pl_block blocks[] = {
    {.box = {10, 20, 80, 55}, .lines = lines_a, .n_lines = 1},
    {.kind = PL_BLOCK_FOOTER, .box = {120, 60, 130, 70}, .lines = lines_b, .n_lines = 1},
};
static const struct pl_rect unexplained[] = {{150, 5, 160, 9}};
static const struct pl_regions regions = {
    .blocks = blocks,
    .n_blocks = 2,
    .unread = lines_unread,
    .n_unread = 1,
    .unread_px = 150,
    .ink_px = 3000,
    .ink_in_lines_px = 850,
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
                                   .number = 1,
                                   .width = 200,
                                   .height = 100,
                                   .dpi_x = 300,
                                   .dpi_y = 299.994f,
                                   .image = &page_image,
                                   .regions = &regions,
                                   .recognized = true,
                                   .model = "some 3"};
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
    ck_assert_int_eq(cJSON_GetArraySize(at(j, "blocks")), 2);
    NUMBERS(j, "blocks.0.box", 10, 20, 80, 55);
    TEXT(j, "blocks.0.kind", "text");
    TEXT(j, "blocks.1.kind", "footer");
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
    ck_assert_int_eq(cJSON_GetArraySize(at(j, "blocks.0.lines.0.words")), 2);
    TEXT(j, "blocks.1.lines.0.words.0.text", "\xC3\xA9");
    NUMBER(j, "leftover.ink_px", 3000);
    NUMBER(j, "leftover.in_lines.px", 850);
    NUMBER(j, "leftover.in_lines.share", 0.2833);
    NUMBER(j, "leftover.unread.px", 150);
    NUMBER(j, "leftover.unread.share", 0.05);
    NUMBER(j, "leftover.rules.share", 0.2);
    NUMBER(j, "leftover.graphics.px", 300);
    NUMBER(j, "leftover.specks.px", 99);
    NUMBER(j, "leftover.unexplained.px", 1);
    NUMBER(j, "leftover.unexplained.share", 0.0003);
    NUMBERS(j, "leftover.boxes.0", 150, 5, 160, 9);
    ck_assert_int_eq(cJSON_GetArraySize(at(j, "leftover.unread_boxes")), 2);
    NUMBERS(j, "leftover.unread_boxes.0.box", 10, 70, 80, 85);
    NUMBER(j, "leftover.unread_boxes.0.conf", 0.125);
    NUMBERS(j, "leftover.unread_boxes.1.box", 84, 22, 90, 30);
    NUMBER(j, "leftover.unread_boxes.1.conf", 0.25);
    ck_assert_ptr_null(cJSON_GetObjectItem(j, "ms"));
    ck_assert_ptr_null(cJSON_GetObjectItem(j, "error"));
}

START_TEST(json_says_every_field)
{
    struct pl_page_result page = page_result();
    cJSON *pretty = parsed("json", &page), *line = parsed("ndjson", &page);
    check_tree(pretty);
    check_tree(line);
    /* what a record of ndjson has besides */
    TEXT(line, "program", "platen " PL_VERSION);
    TEXT(line, "model", "some 3");
    TEXT(line, "text", "Big c\"t\n\n\n\xC3\xA9\n");
    NUMBER(line, "conf", 0.7454); /* of 3, 4 and 1 characters */
    static const char *const more[] = {"program", "model", "text", "conf"};
    for (size_t i = 0; i < PL_ARRAY_LEN(more); i++)
        cJSON_DeleteItemFromObject(line, more[i]);
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
    ck_assert_ptr_null(cJSON_GetObjectItem(at(j, "leftover"), "unread"));
    ck_assert_ptr_null(cJSON_GetObjectItem(at(j, "leftover"), "unread_boxes"));
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

/* Headings have levels; a mark that is a line of its own marks an item, which goes on in further
 * blocks. */
START_TEST(pieces_go_on)
{
    struct pl_line lines[] = {{.box = {0, 0, 90, 10}, .text = "A title"},
                              {.box = {0, 20, 90, 30}, .text = "A part"},
                              {.box = {0, 40, 10, 50}, .text = "\xE2\x80\xA2"},
                              {.box = {20, 40, 90, 50}, .text = "an item", .join = PL_JOIN_BLANK},
                              {.box = {0, 60, 90, 70}, .text = "goes on", .join = PL_JOIN_BLANK},
                              {.box = {0, 80, 90, 90}, .text = "here and", .join = PL_JOIN_BLANK},
                              {.box = {0, 100, 90, 110}, .text = "there", .join = PL_JOIN_BLANK},
                              {.box = {0, 120, 90, 130}, .text = "an end"}};
    struct pl_block all[] = {
        {.kind = PL_BLOCK_HEADING, .level = 1, .lines = lines, .n_lines = 1},
        {.kind = PL_BLOCK_HEADING, .level = 3, .lines = lines + 1, .n_lines = 1},
        {.lines = lines + 2, .n_lines = 2},
        {.lines = lines + 4, .n_lines = 1},
        {.lines = lines + 5, .n_lines = 3}};
    struct pl_regions r = regions;
    struct pl_page_result page = page_result();
    struct pl_str out = {0};
    r.blocks = all;
    r.n_blocks = PL_ARRAY_LEN(all);
    page.regions = &r;
    run("md", NULL, &page, &out);
    ck_assert_str_eq(out.s,
                     "# A title\n\n### A part\n\n- an item goes on here and there\n\nan end\n");
    pl_str_done(&out);
    page.join_lines = true;
    run("txt", NULL, &page, &out);
    ck_assert_str_eq(out.s, "A title\n\nA part\n\n\xE2\x80\xA2 an item goes on here and there\n\n"
                            "an end\n");
    pl_str_done(&out);
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

START_TEST(slim_json_has_no_figures_of_characters)
{
    struct pl_page_result page = page_result();
    page.slim = true;
    cJSON *j = parsed("json", &page), *line = parsed("ndjson", &page);
    for (int i = 0; i < 2; i++) {
        const cJSON *word = at(i ? line : j, "blocks.0.lines.0.words.0");
        ck_assert_ptr_null(cJSON_GetObjectItem(word, "char_conf"));
        ck_assert_ptr_null(cJSON_GetObjectItem(word, "quad"));
        NUMBERS(word, "box", 10, 20, 40, 32);
    }
    cJSON_Delete(j);
    cJSON_Delete(line);
}
END_TEST

START_TEST(odd_paths_and_failures)
{
    struct pl_page_result page = {.path = "a\xFF/\"b\"\n\x01.png",
                                  .page = 3,
                                  .status = PLATEN_ERR_FORMAT,
                                  .error = "truncated at byte 812"};
    cJSON *j = parsed("ndjson", &page);
    TEXT(j, "path", "a\\xff/\"b\"\n\x01.png");
    NUMBER(j, "page", 3);
    TEXT(j, "status", "malformed data");
    TEXT(j, "code", "malformed");
    TEXT(j, "error", "truncated at byte 812");
    ck_assert_ptr_null(cJSON_GetObjectItem(j, "width"));
    cJSON_Delete(j);
    for (const struct pl_emitter *const *e = pl_emitters; *e; e++)
        ck_assert_int_eq((*e)->failures, strstr((*e)->name, "json") != NULL);
}
END_TEST

START_TEST(txt_is_lines_and_blank_lines)
{
    struct pl_page_result page = page_result();
    struct pl_str out = {0};
    run("txt", NULL, &page, &out);
    ck_assert_str_eq(out.s, "Big c\"t\n\n\n\xC3\xA9\n");
    pl_str_done(&out);
    struct pl_regions blank = {.unread = lines_unread, .n_unread = 1};
    page.regions = &blank;
    run("txt", NULL, &page, &out);
    ck_assert_uint_eq(out.len, 0);
}
END_TEST

/* A whole file of one page, head and tail included. */
/* An item and its amount, a turned line beside them, and one that begins left of the amount's end.
 */
START_TEST(txt_joins_what_stands_in_a_row)
{
    struct pl_line lines[] = {{.box = {10, 10, 60, 24}, .text = "Total"},
                              {.box = {100, 12, 140, 23}, .text = "75.00"},
                              {.box = {150, 10, 160, 60}, .quarters = 1, .text = "up"},
                              {.box = {10, 30, 60, 44}, .text = "Cash"},
                              {.box = {59, 30, 140, 44}, .text = "100.00"},
                              {.box = {150, 40, 190, 54}, .text = "lower"}};
    struct pl_block block = {
        .box = {0, 0, 200, 60}, .lines = lines, .n_lines = PL_ARRAY_LEN(lines)};
    struct pl_regions one = {.width = 200, .height = 60, .blocks = &block, .n_blocks = 1};
    struct pl_page_result page = page_result();
    struct pl_str out = {0};
    page.regions = &one;
    run("txt", NULL, &page, &out);
    ck_assert_str_eq(out.s, "Total 75.00\nup\nCash\n100.00\nlower\n");
    pl_str_done(&out);
}
END_TEST

static void run_file(const char *format, const struct pl_env *env,
                     const struct pl_page_result *page, struct pl_str *out)
{
    struct pl_stream stream;
    struct pl_str body = {0};
    pl_stream_init(&stream, pl_emitter_find(format, strlen(format)));
    run(format, env, page, &body);
    ck_assert_int_eq(pl_stream_page(&stream, &body, out, NULL), PLATEN_OK);
    ck_assert_int_eq(pl_stream_end(&stream, out, NULL), PLATEN_OK);
    ck_assert_uint_eq(stream.at, out->len);
    pl_stream_done(&stream);
    pl_str_done(&body);
}

START_TEST(tsv_has_the_columns_of_tesseract)
{
    struct pl_page_result page = page_result();
    struct pl_str out = {0};
    run_file("tsv", NULL, &page, &out);
    ck_assert_str_eq(
        out.s, "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight"
               "\tconf\ttext\n"
               "1\t1\t0\t0\t0\t0\t0\t0\t200\t100\t-1\t\n"
               "2\t1\t1\t0\t0\t0\t10\t20\t70\t35\t-1\t\n"
               "3\t1\t1\t1\t0\t0\t10\t20\t70\t35\t-1\t\n"
               "4\t1\t1\t1\t1\t0\t10\t20\t70\t15\t-1\t\n"
               "5\t1\t1\t1\t1\t1\t10\t20\t30\t12\t98.77\tBig\n"
               "5\t1\t1\t1\t1\t2\t46\t20\t34\t12\t50\tc\"t \n"
               "2\t1\t2\t0\t0\t0\t120\t60\t10\t10\t-1\t\n"
               "3\t1\t2\t1\t0\t0\t120\t60\t10\t10\t-1\t\n"
               "4\t1\t2\t1\t1\t0\t120\t60\t10\t10\t-1\t\n"
               "5\t1\t2\t1\t1\t1\t120\t60\t10\t10\t100\t\xC3\xA9\n");
    pl_str_done(&out);
}
END_TEST

static void expect(const struct pl_str *out, const char *part)
{
    ck_assert_msg(strstr(out->s, part) != NULL, "no %s in:\n%s", part, out->s);
}

/* The baseline of line 1 goes from (10, 32.25) to (80, 32.95), its box ends at row 35. */
START_TEST(hocr_places)
{
    struct pl_page_result page = page_result();
    struct pl_str out = {0};
    page.path = "a \"b\"\\<&.png";
    page.number = 3;
    run("hocr", NULL, &page, &out);
    expect(&out, "id=\"page_3\" title=\"image &quot;a \\&quot;b\\&quot;\\\\&lt;&amp;.png&quot;; "
                 "bbox 0 0 200 100; ppageno 2; scan_res 300 300\"");
    expect(&out, "title=\"bbox 10 20 80 35; baseline 0.01 -3\"");
    expect(&out, "title=\"bbox 10 20 40 32; x_wconf 99\">Big</span>");
    expect(&out, "id=\"word_3_2\" title=\"bbox 46 20 80 32; x_wconf 50\">c&quot;t&#10;</span>");
    ck_assert_ptr_null(strstr(out.s, "line_3_3")); /* that of which nothing was read is left out */
    pl_str_done(&out);
}
END_TEST

/* Two Hebrew words, of which the first one stands at the right. */
START_TEST(lines_from_the_right_keep_their_places)
{
    struct pl_word words[] = {{.text = "\u05d0\u05d1", .box = {60, 10, 90, 24}, .conf = 1},
                              {.text = "\u05d2", .box = {20, 10, 50, 24}, .conf = 1}};
    struct pl_line line = {.box = {20, 10, 90, 24},
                           .base_y = 24,
                           .ascent_px = 14,
                           .text = "\u05d0\u05d1 \u05d2",
                           .words = words,
                           .n_words = PL_ARRAY_LEN(words),
                           .from_right = true};
    struct pl_block block = {.box = line.box, .lines = &line, .n_lines = 1};
    struct pl_regions one = {.width = 100, .height = 40, .blocks = &block, .n_blocks = 1};
    struct pl_page_result page = page_result();
    struct pl_str out = {0};
    page.regions = &one;
    run("alto", NULL, &page, &out);
    expect(&out, "<SP HPOS=\"50\" VPOS=\"10\" WIDTH=\"10\"/>");
    pl_str_reset(&out);
    run("hocr", NULL, &page, &out);
    expect(&out, "<p class=\"ocr_par\" id=\"par_1_1\" dir=\"rtl\" title=");
    pl_str_done(&out);
}
END_TEST

START_TEST(alto_places)
{
    struct pl_page_result page = page_result();
    struct pl_str out = {0};
    run("alto", NULL, &page, &out);
    expect(&out, "<fileName>a.png</fileName>");
    /* (3 x 0.98766 + 4 x 0.5 + 1 x 1) / 8 */
    expect(&out, "<Page ID=\"page_1\" PHYSICAL_IMG_NR=\"1\" WIDTH=\"200\" HEIGHT=\"100\" "
                 "PC=\"0.7454\">");
    expect(&out, "<TextLine ID=\"line_1_1\" HPOS=\"10\" VPOS=\"20\" WIDTH=\"70\" HEIGHT=\"15\" "
                 "BASELINE=\"10,32.25 80,32.95\">");
    expect(&out, "<SP HPOS=\"40\" VPOS=\"20\" WIDTH=\"6\"/>");
    expect(&out, "WC=\"0.5\" CONTENT=\"c&quot;t&#10;\"/>");
    pl_str_done(&out);
}
END_TEST

/* A word of three characters takes a third of its box for each; rows count from below. */
START_TEST(box_divides_words)
{
    struct pl_page_result page = page_result();
    struct pl_str out = {0};
    page.number = 3;
    run("box", NULL, &page, &out);
    expect(&out, "B 10 68 20 80 2\ni 20 68 30 80 2\ng 30 68 40 80 2\nc 46 68 54 80 2\n");
    expect(&out, "\xC3\xA9 120 30 130 40 2\n");
    pl_str_done(&out);
}
END_TEST

/* The content of a page of text: what stands between the heads of its stream. */
static void unpack(const struct pl_str *out, char *ret, size_t n)
{
    uLongf bytes = n - 1;
    const char *start = memmem(out->s, out->len, "stream\n", 7);
    ck_assert_ptr_nonnull(start);
    start += 7;
    ck_assert_int_eq(
        uncompress((Bytef *)ret, &bytes, (const Bytef *)start, out->len - (size_t)(start - out->s)),
        Z_OK);
    ret[bytes] = 0;
}

/* The codes are UTF-16; a word with characters of two units tells them beside its codes. */
START_TEST(text_of_pdf)
{
    struct pl_word word = {.box = {120, 60, 130, 70},
                           .text = "\xF0\x9F\x98\x80\xC3\xA9",
                           .conf = 1,
                           .char_conf = char_conf,
                           .n_chars = 2};
    struct pl_line line = lines_b[0];
    struct pl_block block = {.box = word.box, .lines = &line, .n_lines = 1};
    struct pl_regions r = {.blocks = &block, .n_blocks = 1};
    struct pl_page_result page = page_result();
    struct pl_str out = {0};
    char text[1024];
    run("textpdf", NULL, &page, &out);
    unpack(&out, text, sizeof(text));
    ck_assert_ptr_nonnull(strstr(text, "BT 3 Tr /f-0-0 1 Tf\n"));
    ck_assert_ptr_nonnull(strstr(text, "Tm <0042006900670020> Tj\n"));
    ck_assert_ptr_nonnull(strstr(text, "Tm <00e9> Tj\n"));
    ck_assert_ptr_null(strstr(text, "/Im"));
    pl_str_reset(&out);
    line.words = &word;
    page.regions = &r;
    run("textpdf", NULL, &page, &out);
    unpack(&out, text, sizeof(text));
    ck_assert_ptr_nonnull(strstr(text, "/Span << /ActualText <feffd83dde0000e9> >> BDC "));
    ck_assert_ptr_nonnull(strstr(text, "Tm <fffd00e9> Tj EMC <> Tj\n"));
    pl_str_done(&out);
}
END_TEST

/* Of a word that stands aslant readers that go by the places of letters would make several. */
START_TEST(words_of_pdf_that_stand_aslant_are_told)
{
    struct pl_word word = words_a[0];
    struct pl_line line = lines_b[0];
    struct pl_block block = {.lines = &line, .n_lines = 1};
    const struct pl_regions r = {.blocks = &block, .n_blocks = 1};
    struct pl_page_result page = page_result();
    struct pl_str out = {0};
    char text[1024];
    page.regions = &r;
    line.words = &word;
    line.n_words = 1;
    line.box = word.box = (struct pl_rect){10, 20, 110, 32};
    line.base_y = 30;
    for (int i = 0; i < 2; i++) {
        line.slope = i ? 0.2 : 0.01;
        pl_str_reset(&out);
        run("textpdf", NULL, &page, &out);
        unpack(&out, text, sizeof(text));
        ck_assert_int_eq(strstr(text, "/ActualText <feff00420069") != NULL, i);
        ck_assert_int_eq(strstr(text, "> Tj EMC <> Tj\n") != NULL, i);
    }
    word.text = "\xD7\x90\xD7\x91"; /* as it stands on paper it is the other way round */
    pl_str_reset(&out);
    run("textpdf", NULL, &page, &out);
    unpack(&out, text, sizeof(text));
    if (pl_bidi_built()) {
        ck_assert_ptr_nonnull(strstr(text, "Tm <05d105d0> Tj\n"));
        ck_assert_ptr_null(strstr(text, "ActualText"));
    }
    pl_str_done(&out);
}
END_TEST

/* The step from a character to the next, as the text matrix of the first word has it. */
static double first_step(const struct pl_page_result *page)
{
    struct pl_str out = {0};
    char text[1024], *at;
    run("textpdf", NULL, page, &out);
    unpack(&out, text, sizeof(text));
    pl_str_done(&out);
    at = strstr(text, " Tm ");
    ck_assert_ptr_nonnull(at);
    while (at > text && at[-1] != '\n')
        at--;
    return strtod(at, NULL);
}

/* Words that touch are parted by a gap, which readers take for a blank, also where the second one
 * begins another line, as in the next cell of a table. */
START_TEST(words_of_pdf_do_not_touch)
{
    struct pl_word words[] = {words_a[0], words_a[0]};
    struct pl_line lines[] = {lines_b[0], lines_b[0]};
    struct pl_block cells[] = {{.lines = lines, .n_lines = 1}, {.lines = &lines[1], .n_lines = 1}};
    const struct pl_regions r = {.blocks = cells, .n_blocks = 2};
    struct pl_page_result page = page_result();
    page.regions = &r;
    for (int i = 0; i < 2; i++) {
        words[i].box = lines[i].box = (struct pl_rect){10 + 50 * i, 20, 60 + 50 * i, 32};
        lines[i].base_y = 32;
        lines[i].words = &words[i];
    }
    const double beside = first_step(&page);
    lines[1].box.y0 += 12;
    lines[1].box.y1 += 12;
    const double below = first_step(&page);
    ck_assert_double_lt(beside, 0.97 * below);
    ck_assert_double_gt(beside, 0.9 * below);
    cells[0].n_lines = 2; /* the same within a block */
    cells[1].n_lines = 0;
    ck_assert_double_eq(first_step(&page), below);
    lines[1].box = words[1].box;
    ck_assert_double_eq(first_step(&page), beside);
}
END_TEST

/* Seventeen points from end to end; in the middle of 160 px the line is 6.4 px lower. */
START_TEST(bowed_baselines_have_points_between)
{
    static const char *const formats[] = {"ndjson", "page", "alto"};
    static const char *const points[] = {
        ("\"baseline\":["
         "[100,50],[110,51.5],[120,52.8],[130,53.9],[140,54.8],[150,55.5],[160,5"
         "6],[170,56.3],[180,56.4],[190,56.3],[200,56],[210,55.5],[220,54.8],[23"
         "0,53.9],[240,52.8],[250,51.5],[260,50]"
         "]"),
        ("<Baseline points=\""
         "100,50 110,52 120,53 130,54 140,55 150,56 160,56 170,56 180,56 190,56 "
         "200,56 210,56 220,55 230,54 240,53 250,52 260,50"
         "\"/>"),
        ("BASELINE=\""
         "100,50 110,51.5 120,52.8 130,53.9 140,54.8 150,55.5 160,56 170,56.3 18"
         "0,56.4 190,56.3 200,56 210,55.5 220,54.8 230,53.9 240,52.8 250,51.5 26"
         "0,50"
         "\"")};
    const struct pl_curve curve = parabola(100, 260, -0.001);
    struct pl_line line = lines_b[0];
    struct pl_block block = {.box = {100, 30, 260, 60}, .lines = &line, .n_lines = 1};
    struct pl_regions r = {.blocks = &block, .n_blocks = 1};
    struct pl_page_result page = page_result();
    line.box = block.box;
    line.base_y = 50;
    line.curve = &curve;
    page.width = 300;
    page.regions = &r;
    for (size_t i = 0; i < PL_ARRAY_LEN(formats); i++) {
        struct pl_str out = {0};
        run(formats[i], NULL, &page, &out);
        expect(&out, points[i]);
        pl_str_done(&out);
    }
}
END_TEST

/* What a block is, in the words of each format. */
/* A page in German with a line in English, in each format that tells languages. */
START_TEST(languages_are_told)
{
    static const char *const told[][3] = {
        {"ndjson", "\"status\":\"ok\",\"lang\":\"de\",", "\"conf\":1,\"lang\":\"en\","},
        {"hocr", "id=\"page_1\" lang=\"de\" title=", "id=\"line_1_2\" lang=\"en\" title="},
        {"alto", "HEIGHT=\"35\" LANG=\"de\">", "LANG=\"en\" BASELINE="},
        {"page", " primaryLanguage=\"German\"", "<TextLine id=\"l2\" primaryLanguage=\"English\">"},
    };
    struct pl_line line = lines_b[0];
    struct pl_block two[] = {blocks[0], {.box = line.box, .lines = &line, .n_lines = 1}};
    struct pl_regions r = regions;
    struct pl_page_result page = page_result();
    struct pl_str out = {0};
    char text[1024];
    r.blocks = two;
    page.regions = &r;
    for (size_t i = 0; i < PL_ARRAY_LEN(told); i++) {
        r.language = "de";
        line.language = "en";
        run(told[i][0], NULL, &page, &out);
        expect(&out, told[i][1]);
        expect(&out, told[i][2]);
        r.language = line.language = NULL;
        pl_str_reset(&out);
        run(told[i][0], NULL, &page, &out);
        ck_assert_ptr_null(strcasestr(out.s, "lang"));
        pl_str_reset(&out);
    }
    r.language = "de";
    line.language = "en";
    run("textpdf", NULL, &page, &out);
    unpack(&out, text, sizeof(text));
    ck_assert_ptr_eq(strstr(text, "/Span << /Lang (de) >> BDC\nBT"), text);
    ck_assert_ptr_nonnull(strstr(text, "/Span << /Lang (en) >> BDC\n"));
    pl_str_done(&out);
}
END_TEST

/* A language that PAGE has no name for here, and a script that is not read. */
START_TEST(odd_languages_are_told)
{
    struct pl_regions r = regions;
    struct pl_page_result page = page_result();
    struct pl_str out = {0};
    page.regions = &r;
    r.language = "tlh";
    run("page", NULL, &page, &out);
    expect(&out, " primaryLanguage=\"other\"");
    pl_str_reset(&out);
    r.language = NULL;
    r.misread = "Cyrl";
    run("ndjson", NULL, &page, &out);
    expect(&out, "\"unread_script\":\"Cyrl\"");
    pl_str_done(&out);
}
END_TEST

START_TEST(kinds_of_blocks)
{
    static const char *const kinds[] = {"heading", "header", "footer", "caption"};
    static const char *const elements[][3] = {
        {"<div class=\"ocrx_heading\" title=\"bbox 10 20 80 55\">", "type=\"heading\"",
         "TAGREFS=\"heading\""},
        {"<div class=\"ocr_header\" title=\"bbox 10 20 80 55\">", "type=\"header\"",
         "TAGREFS=\"header\""},
        {"<div class=\"ocr_footer\" title=", "type=\"footer\"", "TAGREFS=\"footer\""},
        {"<div class=\"ocr_caption\" title=", "type=\"caption\"", "TAGREFS=\"caption\""},
    };
    struct pl_page_result page = page_result();
    struct pl_regions r = regions;
    struct pl_block first = blocks[0];
    r.blocks = &first;
    r.n_blocks = 1;
    page.regions = &r;
    for (size_t i = 0; i < PL_ARRAY_LEN(kinds); i++) {
        static const char *const formats[] = {"hocr", "page", "alto"};
        first.kind = PL_BLOCK_TEXT + 1 + (enum pl_block_kind)i;
        for (int k = 0; k < 3; k++) {
            struct pl_str out = {0};
            run(formats[k], NULL, &page, &out);
            expect(&out, elements[i][k]);
            pl_str_done(&out);
        }
        struct pl_str out = {0};
        char want[32];
        snprintf(want, sizeof(want), "{\"kind\":\"%s\",", kinds[i]);
        run("ndjson", NULL, &page, &out);
        expect(&out, want);
        pl_str_done(&out);
    }
}
END_TEST

/* A table of two rows: a cell as wide as both columns, which has two lines, and two cells, of which
 * one is empty. */
static struct pl_line lines_table[] = {
    {.box = {10, 20, 80, 30}, .text = "a|b, \"well-"},
    {.box = {10, 32, 80, 42}, .text = "known\"", .join = PL_JOIN_HYPHEN},
    {.box = {10, 50, 40, 60}, .text = "*1*", .join = PL_JOIN_NONE},
    {.box = {10, 62, 40, 72}, .text = "x", .join = PL_JOIN_NONE},
};
static struct pl_cell cells[] = {
    {.box = {8, 18, 100, 45}, .n_rows = 1, .n_columns = 2, .lines = lines_table, .n_lines = 2},
    {.box = {8, 45, 50, 75},
     .row = 1,
     .n_rows = 1,
     .n_columns = 1,
     .lines = lines_table + 2,
     .n_lines = 2},
    {.box = {50, 45, 100, 75}, .row = 1, .column = 1, .n_rows = 1, .n_columns = 1},
};
static const struct pl_table table = {2, 2, 1, cells, 3};
static struct pl_block blocks_table[] = {
    {.kind = PL_BLOCK_TABLE,
     .box = {10, 20, 80, 72},
     .lines = lines_table,
     .n_lines = 4,
     .table = &table},
};

START_TEST(tables_have_cells)
{
    static const char *const want[][2] = {
        {"csv", "\"a|b, \"\"wellknown\"\"\",\r\n\"*1*\nx\",\r\n\r\n"},
        {"md", "| a\\|b, \"wellknown\" |  |\n| --- | --- |\n| \\*1\\*<br>x |  |\n"},
        {"txt", "a|b, \"well- known\"\n*1*\nx\n"},
        {"ndjson",
         "\"table\":{\"rows\":2,\"columns\":2,\"head\":1,\"cells\":[{\"row\":0,\"column\":0,"
         "\"rows\":1,\"columns\":2,\"box\":[8,18,100,45],\"text\":\"a|b, "
         "\\\"wellknown\\\"\",\"lines\":[0,1]},"},
        {"page", "<TableRegion id=\"t1\" rows=\"2\" columns=\"2\">"},
        {"page", "<Roles><TableCellRole rowIndex=\"1\" columnIndex=\"1\" rowSpan=\"1\" "
                 "colSpan=\"1\" header=\"false\"/></Roles>"},
        {"alto",
         "<ComposedBlock ID=\"table_1_1\" HPOS=\"10\" VPOS=\"20\" WIDTH=\"70\" HEIGHT=\"52\" "
         "TAGREFS=\"table\" TYPE=\"table\">"},
        {"hocr", "<div class=\"ocr_table\" title=\"bbox 10 20 80 72\">"},
        {"hocr", "<p class=\"ocr_par\" id=\"par_1_2\" title=\"bbox 8 45 50 75\">"},
    };
    struct pl_page_result page = page_result();
    struct pl_regions r = regions;
    r.blocks = blocks_table;
    r.n_blocks = 1;
    page.regions = &r;
    for (size_t i = 0; i < PL_ARRAY_LEN(want); i++) {
        struct pl_str out = {0};
        run(want[i][0], NULL, &page, &out);
        expect(&out, want[i][1]);
        pl_str_done(&out);
    }
}
END_TEST

/* Two fields of a form with text between them: the label of the first has two lines, and nothing
 * was filled into the second. */
START_TEST(fields_have_labels)
{
    static const char *const want[][2] = {
        {"csv", "\"Name, if any\",\"Bolt\nNut\"\r\n*No.*,\r\n\r\n"},
        {"md", "**Name, if any**  \nBolt<br>Nut\n\nand\n\n**\\*No.\\***\n"},
        {"txt", "Name,\nif any\nBolt\nNut\n\nand\n\n*No.*\n"},
        {"ndjson",
         "\"field\":{\"label_lines\":2,\"label\":\"Name, if any\",\"value\":\"Bolt\\nNut\"}}"},
        {"ndjson", "\"field\":{\"label_lines\":1,\"label\":\"*No.*\",\"value\":\"\"}}"},
    };
    struct pl_line lines[] = {
        {.box = {0, 0, 90, 10}, .text = "Name,"}, {.box = {0, 20, 90, 30}, .text = "if any"},
        {.box = {0, 40, 90, 50}, .text = "Bolt"}, {.box = {0, 60, 90, 70}, .text = "Nut"},
        {.box = {0, 80, 90, 90}, .text = "and"},  {.box = {0, 100, 90, 110}, .text = "*No.*"}};
    struct pl_block all[] = {{.lines = lines, .n_lines = 4, .n_label = 2},
                             {.lines = lines + 4, .n_lines = 1},
                             {.lines = lines + 5, .n_lines = 1, .n_label = 1}};
    struct pl_regions r = regions;
    struct pl_page_result page = page_result();
    r.blocks = all;
    r.n_blocks = 3;
    page.regions = &r;
    for (size_t i = 0; i < PL_ARRAY_LEN(want); i++) {
        struct pl_str out = {0};
        run(want[i][0], NULL, &page, &out);
        expect(&out, want[i][1]);
        pl_str_done(&out);
    }
    struct pl_str out = {0};
    page.join_lines = true;
    run("txt", NULL, &page, &out);
    ck_assert_str_eq(out.s, "Name, if any\nBolt\nNut\n\nand\n\n*No.*\n");
    pl_str_done(&out);
    page.join_lines = false;
    page.piece = 1; /* all fields are one table */
    run("csv", NULL, &page, &out);
    ck_assert_str_eq(out.s, "\"Name, if any\",\"Bolt\nNut\"\r\n*No.*,\r\n");
    ck_assert_uint_eq(pl_emitter_find("csv", 3)->count_pieces(&page), 1);
    pl_str_done(&out);
}
END_TEST

/* Rows, indents, columns and empty rows stay, and nothing is escaped; a column that is taken is
 * left for the next one. */
START_TEST(code_keeps_its_columns)
{
    static const char text[] = "a_b  *x\n``<y\n\n  } & z\n";
    static const char *const want[][2] = {
        {"md", "```\na_b  *x\n``<y\n\n  } & z\n```\n"},
        {"ndjson", "\"kind\":\"code\""},
        {"page", "<TextRegion id=\"r1\" type=\"other\">"},
        {"hocr", "<div class=\"ocrx_code\""},
        {"alto", "TAGREFS=\"code\""},
    };
    static const float conf[] = {1, 1, 1, 1};
    struct pl_word words[] = {
        {.box = {20, 10, 48, 20}, .text = "a_b", .char_conf = conf, .n_chars = 3},
        {.box = {72, 10, 90, 20}, .text = "*x", .char_conf = conf, .n_chars = 2},
        {.box = {20, 30, 60, 40}, .text = "``<y", .char_conf = conf, .n_chars = 4},
        {.box = {43, 70, 46, 80}, .text = "}", .char_conf = conf, .n_chars = 1},
        {.box = {48, 70, 52, 80}, .text = "&", .char_conf = conf, .n_chars = 1},
        {.box = {81, 70, 88, 80}, .text = "z", .char_conf = conf, .n_chars = 1}};
    struct pl_line lines[] = {
        {.box = {20, 10, 90, 20}, .base_y = 20, .text = "a_b *x", .words = words, .n_words = 2},
        {.box = {20, 30, 60, 40}, .base_y = 40, .text = "``<y", .words = words + 2, .n_words = 1},
        {.box = {43, 70, 52, 80}, .base_y = 80, .text = "} &", .words = words + 3, .n_words = 2},
        {.box = {81, 70, 88, 80}, .base_y = 80, .text = "z", .words = words + 5, .n_words = 1}};
    const struct pl_char_grid grid = {.pitch_px = 10, .step_px = 20};
    struct pl_block b = {.kind = PL_BLOCK_CODE,
                         .box = {20, 10, 90, 80},
                         .lines = lines,
                         .n_lines = 4,
                         .code = &grid};
    struct pl_regions r = regions;
    struct pl_page_result page = page_result();
    r.blocks = &b;
    r.n_blocks = 1;
    page.regions = &r;
    for (size_t i = 0; i < PL_ARRAY_LEN(want); i++) {
        struct pl_str out = {0};
        run(want[i][0], NULL, &page, &out);
        expect(&out, want[i][1]);
        pl_str_done(&out);
    }
    for (int joined = 0; joined < 2; joined++) {
        struct pl_str out = {0};
        page.join_lines = joined;
        run("txt", NULL, &page, &out);
        ck_assert_str_eq(out.s, text);
        pl_str_done(&out);
    }
    page.join_lines = false;
    words[2].text = "```y";
    struct pl_str out = {0};
    run("md", NULL, &page, &out);
    ck_assert_str_eq(out.s, "````\na_b  *x\n```y\n\n  } & z\n````\n");
    pl_str_done(&out);
}
END_TEST

/* Markup in a text, a bullet, a number and lines that are no paragraph. */
START_TEST(markdown_is_text_for_reading)
{
    struct pl_line lines[] = {
        {.box = {0, 0, 90, 10}, .text = "# no_heading, R&amp;D and R&D <b"},
        {.box = {0, 20, 90, 30}, .text = "a second"},
        {.box = {0, 40, 90, 50}, .text = "\xE2\x80\xA2 an item that"},
        {.box = {0, 60, 90, 70}, .text = "goes on", .join = PL_JOIN_BLANK},
        {.box = {0, 80, 90, 90}, .text = "- another"},
        {.box = {0, 100, 90, 110}, .text = "1. a number"},
    };
    struct pl_line head[] = {{.box = {0, 120, 90, 130}, .text = "page -- 3"},
                             {.box = {0, 140, 90, 150}, .text = "tel. 1"}};
    struct pl_block all[] = {{.lines = lines, .n_lines = 6},
                             {.kind = PL_BLOCK_HEADER, .lines = head, .n_lines = 2}};
    struct pl_regions r = {.blocks = all, .n_blocks = 2};
    struct pl_page_result page = page_result();
    struct pl_str out = {0};
    page.regions = &r;
    run("md", NULL, &page, &out);
    ck_assert_str_eq(out.s, "\\# no_heading, R\\&amp;D and R&D \\<b  \na second\n\n"
                            "- an item that goes on\n- another\n\n1. a number\n\n"
                            "page -- 3  \ntel. 1\n");
    pl_str_done(&out);
}
END_TEST

/* A page that was turned by 90 degrees and cut: page (x, y) = input (150 - y, x - 5). */
START_TEST(page_places)
{
    struct pl_page_image turned = {.to_input = {0, -1, 150, 1, 0, -5}, .angle_deg = 1.5};
    struct pl_page_result page = page_result();
    struct pl_str out = {0};
    page.image = &turned;
    page.width = 130;
    page.height = 70;
    run("page", NULL, &page, &out);
    expect(&out, "imageWidth=\"130\" imageHeight=\"70\" orientation=\"1.5\"");
    expect(&out, "<RegionRefIndexed index=\"1\" regionRef=\"r2\"/>");
    expect(&out, "<Word id=\"w1\"><Coords points=\"130,5 130,35 118,35 118,5\"/>"
                 "<TextEquiv conf=\"0.9877\"><Unicode>Big</Unicode></TextEquiv></Word>");
    expect(&out, "<Baseline points=\"118,5 117,70\"/>"); /* 75 is outside */
    pl_str_done(&out);
    page.regions = &(struct pl_regions){0};
    run("page", NULL, &page, &out);
    ck_assert_ptr_null(strstr(out.s, "ReadingOrder"));
    pl_str_done(&out);
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

/* Two columns of one character's width 10: the right one starts at column 12 of the grid. */
START_TEST(layout_keeps_columns)
{
    struct pictures p;
    pictures_init(&p);
    struct pl_word left[] = {{.box = {0, 0, 30, 10}, .text = "one", .n_chars = 3},
                             {.box = {34, 0, 54, 10}, .text = "of", .n_chars = 2}};
    struct pl_word below[] = {{.box = {0, 60, 30, 70}, .text = "two", .n_chars = 3}};
    struct pl_word right[] = {{.box = {120, 2, 160, 12}, .text = "side", .n_chars = 4}};
    struct pl_line lines[] = {
        {.box = {0, 0, 54, 10}, .base_y = 10, .ascent_px = 10, .words = left, .n_words = 2},
        {.box = {0, 60, 30, 70}, .base_y = 70, .ascent_px = 10, .words = below, .n_words = 1},
        {.box = {120, 2, 160, 12}, .base_y = 12, .ascent_px = 10, .words = right, .n_words = 1}};
    struct pl_block columns[] = {{.lines = lines, .n_lines = 2},
                                 {.lines = lines + 2, .n_lines = 1}};
    struct pl_regions r = {.blocks = columns, .n_blocks = 2};
    struct pl_page_result page = page_result();
    struct pl_str out = {0};
    page.regions = &r;
    run("layout", &p.env, &page, &out);
    ck_assert_str_eq(out.s, "one of      side\n\ntwo\n");
    pl_str_done(&out);
    pictures_done(&p);
}
END_TEST

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
    ck_assert(!is_gray(&im, 9, 75));  /* left of the line that was not read */
    ck_assert(!is_gray(&im, 87, 21)); /* above the word that is doubted */
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
    tcase_add_test(tc, slim_json_has_no_figures_of_characters);
    tcase_add_test(tc, odd_paths_and_failures);
    tcase_add_test(tc, txt_is_lines_and_blank_lines);
    tcase_add_test(tc, txt_joins_what_stands_in_a_row);
    tcase_add_test(tc, layout_keeps_columns);
    tcase_add_test(tc, tsv_has_the_columns_of_tesseract);
    tcase_add_test(tc, hocr_places);
    tcase_add_test(tc, lines_from_the_right_keep_their_places);
    tcase_add_test(tc, box_divides_words);
    tcase_add_test(tc, text_of_pdf);
    tcase_add_test(tc, words_of_pdf_that_stand_aslant_are_told);
    tcase_add_test(tc, words_of_pdf_do_not_touch);
    tcase_add_test(tc, alto_places);
    tcase_add_test(tc, languages_are_told);
    tcase_add_test(tc, odd_languages_are_told);
    tcase_add_test(tc, kinds_of_blocks);
    tcase_add_test(tc, tables_have_cells);
    tcase_add_test(tc, fields_have_labels);
    tcase_add_test(tc, code_keeps_its_columns);
    tcase_add_test(tc, markdown_is_text_for_reading);
    tcase_add_test(tc, pieces_go_on);
    tcase_add_test(tc, bowed_baselines_have_points_between);
    tcase_add_test(tc, page_places);
    tcase_add_test(tc, png_and_pnm_are_the_page_picture);
    tcase_add_test(tc, overlay_frames_the_boxes);
    Suite *s = suite_create("output");
    suite_add_tcase(s, tc);
    return run_suite(s);
}
