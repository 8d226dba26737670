/* SPDX-License-Identifier: BSD-2-Clause */
/* The characters of a line as words: where they part, their boxes, and which are doubted. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "image/image.h"
#include "page/bidi.h"
#include "recognize/spaces.h"
#include "recognize/words.h"
#include "tests/unit/suite.h"

struct reading {
    struct pl_arena arena;
    struct pl_str scratch;
    struct pl_line line;
};

static void reading_init(struct reading *r, const struct pl_rect *gaps, size_t n_gaps)
{
    *r = (struct reading){.line = {.box = {10, 100, 210, 140},
                                   .base_y = 130,
                                   .ascent_px = 30,
                                   .descent_px = 10,
                                   .gaps = gaps,
                                   .n_gaps = n_gaps}};
    pl_arena_init(&r->arena);
}

static void reading_done(struct reading *r)
{
    pl_str_done(&r->scratch);
    pl_arena_done(&r->arena);
}

static void build(struct reading *r, struct pl_read_char *chars, size_t n)
{
    struct platen_error err;
    ck_assert_int_eq(pl_words_build(&r->arena, &r->scratch, NULL, chars, n, &r->line, &err),
                     PLATEN_OK);
}

static void check_rect(struct pl_rect got, struct pl_rect want)
{
    ck_assert_msg(!memcmp(&got, &want, sizeof(got)), "(%d %d %d %d) is not (%d %d %d %d)", got.x0,
                  got.y0, got.x1, got.y1, want.x0, want.y0, want.x1, want.y1);
}

/* The text that is left of a line of the characters in `symbols`, one of them a byte, each read
 * with `conf`. */
static void check_doubt(const char *symbols, float conf, float min_conf, const char *want)
{
    struct reading r;
    struct platen_error err;
    struct pl_read_char chars[16];
    char text[16][2];
    size_t n = strlen(symbols);
    for (size_t i = 0; i < n; i++) {
        memcpy(text[i], (char[2]){symbols[i], 0}, 2);
        double x = 20 + 10 * (double)i;
        chars[i] = (struct pl_read_char){text[i], x, x + 5, symbols[i] == ' ' ? 1 : conf};
    }
    reading_init(&r, NULL, 0);
    build(&r, chars, n);
    float before = r.line.conf;
    ck_assert_int_eq(pl_words_doubt(&r.arena, min_conf, &r.line, &err), PLATEN_OK);
    ck_assert_str_eq(r.line.text, want);
    ck_assert(r.line.conf == before);
    reading_done(&r);
}

START_TEST(patterns_must_be_read_surely)
{
    check_doubt("- ;", .94f, .7f, "");
    check_doubt("- ;", .96f, .7f, "- ;");
    check_doubt("-a;", .88f, .7f, "-a;");
    check_doubt("A a a AA a aaaa", .88f, .7f, "");
    check_doubt("A a a AA a aaaa", .96f, .7f, "A a a AA a aaaa");
    check_doubt("Aba b cda bAa ba", .88f, .7f, "Aba b cda bAa ba");
    check_doubt("-0;", .88f, .7f, "-0;");
    check_doubt("-a;", .68f, .7f, "");
    check_doubt("- ;", .02f, 0, "- ;");
}
END_TEST

/* A line of characters, bars 6 px wide and 3 px apart, words 12 px apart; where the text has | or _
 * the gap is `gap` px wide, and was read without a blank or with one. A rule stands under the
 * first `rule` px. */
static struct pl_image bars(const struct pl_env *env, const char *text, int gap, size_t rule,
                            struct pl_read_char *chars, size_t *n)
{
    static const char known[] = "ab;\"";
    static const char *const symbols[] = {"a", "b", ";", "\xE2\x80\x9C"};
    struct pl_image im = {0};
    struct platen_error err;
    int x = 10;
    ck_assert(!pl_image_init(env, 240, 40, PL_GRAY8, &im, &err));
    for (int y = 0; y < 40; y++)
        memset(pl_image_row(&im, y), 240, 240);
    *n = 0;
    for (const char *p = text; *p; p++) {
        if (*p == ' ' || *p == '_')
            chars[(*n)++] = (struct pl_read_char){" ", x + 2, x + 4, .99f};
        if (strchr(" |_", *p)) {
            x += *p == ' ' ? 9 : gap - 3;
            continue;
        }
        for (int y = 10; y < 30 + (*p == 'b'); y++)
            memset(pl_image_row(&im, y) + x, 30, 6);
        const char *symbol = symbols[strchr(known, *p) - known];
        chars[(*n)++] = (struct pl_read_char){symbol, x + 2, x + 4, .99f};
        x += 9;
    }
    memset(pl_image_row(&im, 31) + 10, 30, rule);
    memset(pl_image_row(&im, 32) + 10, 30, rule);
    return im;
}

static void check_bars(const char *text, int gap, size_t rule, const char *want)
{
    struct pl_kernels k;
    struct platen_error err;
    struct pl_read_char chars[64];
    struct pl_line_ink ink = {0};
    struct reading r;
    size_t n;
    pl_kernels_init(&k, PL_ISA_SCALAR);
    struct pl_env env = {.k = &k, .bufs = pl_bufpool_new()};
    struct pl_image im = bars(&env, text, gap, rule, chars, &n);
    reading_init(&r, NULL, 0);
    r.line =
        (struct pl_line){.box = {10, 10, 220, 31}, .base_y = 30, .ascent_px = 20, .descent_px = 1};
    ck_assert_int_eq(pl_line_ink_measure(&ink, &env, &im, &r.line, &err), PLATEN_OK);
    n = pl_spaces_settle(&ink, chars, n);
    ck_assert_int_eq(pl_words_build(&r.arena, &r.scratch, &ink, chars, n, &r.line, &err),
                     PLATEN_OK);
    ck_assert_str_eq(r.line.text, want);
    if (!rule)
        check_rect(r.line.words[1].box, (struct pl_rect){55, 10, 97, 31}); /* to the pixel */
    reading_done(&r);
    pl_line_ink_done(&ink);
    pl_image_done(&im);
    pl_bufpool_free(env.bufs);
}

START_TEST(wide_gaps_part_words)
{
    static const char text[] = "abab ababa abab|abaa ab";
    check_bars(text, 12, 0, "abab ababa abab abaa ab"); /* as wide as the others */
    check_bars(text, 11, 0, "abab ababa abab abaa ab"); /* nearly */
    check_bars(text, 9, 0, "abab ababa abababaa ab");
    check_bars(text, 3, 0, "abab ababa abababaa ab");
}
END_TEST

START_TEST(underlined_words_part_no_letters)
{
    check_bars("abab ababa abab abaaba", 0, 186, "abab ababa abab abaaba"); /* but for the last */
}
END_TEST

START_TEST(narrow_blanks_beside_marks_go)
{
    check_bars("abab ababa abab_; abaa ab", 9, 0, "abab ababa abab; abaa ab");
    check_bars("abab ababa abab_; abaa ab", 10, 0, "abab ababa abab ; abaa ab");
    check_bars("abab ababa \"_abab abaa ab", 9, 0,
               "abab ababa \xE2\x80\x9C"
               "abab abaa ab");
    check_bars("abab ababa abab_abaa ab", 9, 0, "abab ababa abab abaa ab"); /* between letters */
}
END_TEST

/* A line at a pitch of 10 px, of three letters one `off` px before its place and one as far
 * behind it. Blanks were read with confidence `conf`; one that the text has as _ has no place.
 * Without `want` all stay. */
static void check_pitch(const char *text, double off, float conf, const char *want)
{
    char symbols[64][2] = {{0}};
    struct pl_read_char chars[128];
    struct pl_line_ink ink = {0}; /* its gaps tell nothing */
    struct reading r;
    struct platen_error err;
    size_t n = 0;
    double x = 100;
    for (const char *p = text; *p; p++, n++) {
        const double middle = *p == '_' ? x - 5 : x + off * ((int)(n % 3) - 1);
        symbols[n][0] = *p == '_' ? ' ' : *p;
        chars[n] = (struct pl_read_char){symbols[n], (float)middle - 2, (float)middle + 2,
                                         symbols[n][0] == ' ' ? conf : .99f};
        x += *p == '_' ? 0 : 10;
    }
    n = pl_spaces_settle(&ink, chars, n);
    reading_init(&r, NULL, 0);
    r.line.box = (struct pl_rect){90, 10, 700, 30};
    ck_assert_int_eq(pl_words_build(&r.arena, &r.scratch, &ink, chars, n, &r.line, &err),
                     PLATEN_OK);
    for (size_t i = 0; text[i] && !want; i++)
        ck_assert_int_eq(r.line.text[i], text[i] == '_' ? ' ' : text[i]);
    if (want)
        ck_assert_str_eq(r.line.text, want);
    reading_done(&r);
}

START_TEST(letters_of_one_pitch_have_no_blank_between_them)
{
    check_pitch("const fs = require(_'fs/promises.js')", 1, .49f,
                "const fs = require('fs/promises.js')");
    check_pitch("const fs = require(_'fs/promises.js')", 1, .5f, NULL);
    check_pitch("const fs = require(_'fs/promises.js')", 2, .49f, NULL); /* no pitch */
    check_pitch("mkfifo a.org.f_ifo tango.dk._fifo", 1, .1f, "mkfifo a.org.fifo tango.dk.fifo");
    check_pitch("twenty_four letters tell it all", 1, .1f, "twentyfour letters tell it all");
    check_pitch("twenty_four letters tell it so", 1, .1f, NULL);      /* 19 pairs */
    check_pitch("first word._Second word,_third word", 1, .1f, NULL); /* a typist's habit */
    check_pitch("_first word second word third_", 1, .1f, "first word second word third");
}
END_TEST

START_TEST(an_apostrophe_of_two_shapes_is_one)
{
    static const struct pl_read_char read[] = {{"L", 0, 4, .9f},   {"\xE2\x80\x99", 5, 6, .6f},
                                               {"'", 6, 8, .7f},   {"s", 9, 12, .9f},
                                               {"'", 13, 14, .8f}, {"'", 15, 16, .8f}};
    struct pl_read_char chars[PL_ARRAY_LEN(read)];
    size_t n = 0;
    for (size_t i = 0; i < PL_ARRAY_LEN(read); i++)
        n = pl_read_char_push(chars, n, read[i]);
    ck_assert_uint_eq(n, 5); /* two of one shape are a quote of two strokes */
    ck_assert_str_eq(chars[1].symbol, "'");
    ck_assert_double_eq(chars[1].x0, 5);
    ck_assert_double_eq(chars[1].x1, 8);
    ck_assert_float_eq(chars[1].conf, .7f);
}
END_TEST

START_TEST(words_take_text_and_confidence)
{
    struct pl_read_char chars[] = {
        {" ", 8, 9, .1f},   {"H", 20, 24, .5f}, {"\xC3\xA9", 40, 44, .8f}, {" ", 60, 64, .9f},
        {" ", 66, 68, .9f}, {"x", 80, 84, 1},   {" ", 100, 110, .2f},
    };
    struct reading r;
    reading_init(&r, NULL, 0);
    build(&r, chars, PL_ARRAY_LEN(chars));
    ck_assert_uint_eq(r.line.n_words, 2);
    ck_assert_str_eq(r.line.text, "H\xC3\xA9 x");
    ck_assert_str_eq(r.line.words[0].text, "H\xC3\xA9");
    ck_assert_uint_eq(r.line.words[0].n_chars, 2);
    ck_assert_float_eq(r.line.words[0].char_conf[0], .5f);
    ck_assert_float_eq(r.line.words[0].char_conf[1], .8f);
    ck_assert_double_eq_tol((double)r.line.words[0].conf, sqrt(.5 * .8), 1e-6);
    ck_assert_double_eq_tol((double)r.line.conf, cbrt(.5 * .8 * 1), 1e-6); /* spaces do not count */
    build(&r, chars, 1);
    ck_assert_uint_eq(r.line.n_words, 0);
    ck_assert_str_eq(r.line.text, "");
    ck_assert_float_eq(r.line.conf, 0);
    build(&r, NULL, 0);
    ck_assert_str_eq(r.line.text, "");
    reading_done(&r);
}
END_TEST

/* What is not trusted follows what is. */
START_TEST(doubted_words_are_kept_behind)
{
    struct pl_read_char chars[] = {
        {"a", 20, 24, .3f}, {"b", 30, 34, .3f}, {" ", 40, 44, 1},   {"c", 50, 54, .99f},
        {"d", 60, 64, 1},   {" ", 70, 74, 1},   {"e", 80, 84, .3f}, {"f", 90, 94, .3f},
        {" ", 98, 99, 1},   {"g", 100, 104, 1}, {"h", 110, 114, 1},
    };
    struct reading r;
    struct platen_error err;
    reading_init(&r, NULL, 0);
    build(&r, chars, PL_ARRAY_LEN(chars));
    ck_assert_int_eq(pl_words_doubt(&r.arena, .8f, &r.line, &err), PLATEN_OK);
    ck_assert_str_eq(r.line.text, "cd gh");
    ck_assert_uint_eq(r.line.n_words, 2);
    ck_assert_uint_eq(r.line.n_doubted, 2);
    ck_assert_str_eq(r.line.words[2].text, "ab");
    ck_assert_str_eq(r.line.words[3].text, "ef");
    reading_done(&r);
}
END_TEST

START_TEST(word_boxes_end_at_ink)
{
    static const struct pl_rect gaps[] = {
        {10, 102, 60, 131}, {75, 110, 120, 139}, {140, 100, 210, 130}};
    struct pl_read_char chars[] = {
        {"a", 18, 22, 1},   {"b", 46, 50, 1},   {" ", 64, 68, 1},   {"c", 84, 88, 1},
        {"d", 108, 112, 1}, {" ", 126, 130, 1}, {"e", 150, 154, 1}, {"f", 196, 200, 1},
    };
    struct reading r;
    reading_init(&r, gaps, 3);
    build(&r, chars, PL_ARRAY_LEN(chars));
    ck_assert_uint_eq(r.line.n_words, 3);
    for (size_t i = 0; i < 3; i++)
        check_rect(r.line.words[i].box, gaps[i]);
    reading_done(&r);
}
END_TEST

/* A word from the right, a number, and another word in parentheses: the boxes stay where they are.
 */
START_TEST(words_from_the_right_come_as_they_are_read)
{
    static const struct pl_rect gaps[] = {
        {10, 102, 60, 131}, {75, 110, 120, 139}, {140, 100, 210, 130}};
    struct pl_read_char chars[] = {
        {"(", 12, 14, 1},   {"\u05d2", 18, 22, .7f}, {")", 46, 50, 1},
        {" ", 64, 68, 1},   {"1", 84, 88, .8f},      {"2", 108, 112, .9f},
        {" ", 126, 130, 1}, {"\u05d1", 150, 154, 1}, {"\u05d0", 196, 200, .5f},
    };
    struct reading r;
    reading_init(&r, gaps, 3);
    build(&r, chars, PL_ARRAY_LEN(chars));
    ck_assert_uint_eq(r.line.n_words, 3);
    ck_assert(r.line.from_right == pl_bidi_built());
    if (!r.line.from_right) { /* a build without the library */
        ck_assert_str_eq(r.line.text, "(\u05d2) 12 \u05d1\u05d0");
    } else {
        ck_assert_str_eq(r.line.text, "\u05d0\u05d1 12 (\u05d2)");
        ck_assert_float_eq(r.line.words[0].char_conf[0], .5f);
        ck_assert_float_eq(r.line.words[1].char_conf[0], .8f);
        for (size_t i = 0; i < 3; i++)
            check_rect(r.line.words[i].box, gaps[2 - i]);
    }
    reading_done(&r);
}
END_TEST

START_TEST(words_that_share_ink_are_parted_at_the_space)
{
    static const struct pl_rect gaps[] = {{10, 102, 120, 139}};
    struct pl_read_char chars[] = {
        {"a", 18, 22, 1}, {"b", 46, 50, 1}, {" ", 62, 66, 1}, {"c", 80, 84, 1}, {"d", 108, 112, 1}};
    struct reading r;
    reading_init(&r, gaps, 1);
    build(&r, chars, PL_ARRAY_LEN(chars));
    ck_assert_uint_eq(r.line.n_words, 2);
    const struct pl_rect a = r.line.words[0].box, b = r.line.words[1].box;
    ck_assert_int_eq(a.x0, 10);
    ck_assert_int_eq(b.x1, 120);
    ck_assert(a.x1 >= 50 && a.x1 <= 64);
    ck_assert(b.x0 >= 64 && b.x0 <= 80);
    ck_assert_int_eq(a.y0, 102);
    ck_assert_int_eq(a.y1, 139);
    reading_done(&r);
}
END_TEST

START_TEST(word_rows_follow_the_baseline_without_ink_boxes)
{
    struct pl_read_char chars[] = {{"a", 20, 30, 1}, {" ", 60, 64, 1}, {"b", 180, 190, 1}};
    struct reading r;
    reading_init(&r, NULL, 0);
    r.line.box = (struct pl_rect){10, 100, 210, 160};
    r.line.slope = .1;
    build(&r, chars, PL_ARRAY_LEN(chars));
    double y = 130 + .1 * (185 - 10);
    ck_assert(abs(r.line.words[1].box.y0 - (int)(y - 30)) <= 1);
    ck_assert(abs(r.line.words[1].box.y1 - (int)(y + 10)) <= 1);
    ck_assert_int_lt(r.line.words[0].box.y0, r.line.words[1].box.y0);
    reading_done(&r);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("words");
    tcase_add_test(tc, patterns_must_be_read_surely);
    tcase_add_test(tc, wide_gaps_part_words);
    tcase_add_test(tc, underlined_words_part_no_letters);
    tcase_add_test(tc, narrow_blanks_beside_marks_go);
    tcase_add_test(tc, letters_of_one_pitch_have_no_blank_between_them);
    tcase_add_test(tc, an_apostrophe_of_two_shapes_is_one);
    tcase_add_test(tc, words_take_text_and_confidence);
    tcase_add_test(tc, doubted_words_are_kept_behind);
    tcase_add_test(tc, word_boxes_end_at_ink);
    tcase_add_test(tc, words_from_the_right_come_as_they_are_read);
    tcase_add_test(tc, words_that_share_ink_are_parted_at_the_space);
    tcase_add_test(tc, word_rows_follow_the_baseline_without_ink_boxes);
    Suite *s = suite_create("words");
    suite_add_tcase(s, tc);
    return run_suite(s);
}
