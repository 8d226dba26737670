/* SPDX-License-Identifier: BSD-2-Clause */
/* Words in much smaller type than their line. */
#include <check.h>
#include <string.h>

#include "recognize/small_type.h"
#include "tests/unit/suite.h"

/* Of a line with the baseline at row 100 and letters 40 px high. */
START_TEST(words_that_stand_deep_are_small_type)
{
    static const struct pl_rect boxes[] = {
        {0, 60, 90, 100},    /* a word with ascenders */
        {100, 90, 140, 110}, /* deep figures */
        {150, 74, 200, 100}, /* a word of low letters */
        {210, 74, 230, 112}, /* a letter with a descender */
        {240, 96, 246, 108}, /* a comma */
        {250, 62, 270, 84},  /* raised letters */
        {280, 60, 290, 74},  /* a quote */
        {300, 82, 320, 86},  /* a dash */
        {330, 78, 345, 108}, /* a low letter with a cedilla */
        {346, 83, 349, 104}, /* a semicolon in large type */
        {351, 84, 356, 120}, /* a stroke of the next row */
        {350, 68, 360, 94},  /* a sign that stands a little above the line */
    };
    struct pl_line line = {.box = {0, 60, 360, 112},
                           .base_y = 100,
                           .ascent_px = 40,
                           .descent_px = 12,
                           .gaps = boxes,
                           .n_gaps = PL_ARRAY_LEN(boxes)};
    struct pl_line small;
    size_t at = 0;
    ck_assert(pl_small_type_next(&line, &at, &small));
    ck_assert_uint_eq(at, 2);
    ck_assert_int_eq(small.box.x0, 100);
    ck_assert_double_eq(small.base_y, 110);
    ck_assert_double_eq(small.ascent_px, 20);
    ck_assert_double_eq(small.descent_px, 0);
    ck_assert(!pl_small_type_next(&line, &at, &small));
    line.n_gaps = 1; /* nothing to be smaller than */
    line.gaps = &boxes[1];
    at = 0;
    ck_assert(!pl_small_type_next(&line, &at, &small));
}
END_TEST

/* Characters 10 columns wide, each read with that confidence. */
static size_t spread(struct pl_read_char *ret, const char *const *symbols, double x, float conf)
{
    size_t n = 0;
    for (; symbols[n]; n++, x += 10)
        ret[n] = (struct pl_read_char){symbols[n], x, x + 10, conf};
    return n;
}

/* Takes what was read between columns 50 and 80 into the line: what it says up to column 48, and
 * from 85 on, is other words. */
static void check_taken_beside(size_t n_boxes, const char *const *line, const char *const *small,
                               float conf, const char *want)
{
    static const struct pl_rect boxes[] = {{10, 0, 46, 20}, {50, 15, 80, 25}, {90, 0, 120, 20}};
    const struct pl_line large = {.gaps = boxes, .n_gaps = n_boxes};
    struct pl_read_char chars[20], by_itself[8];
    char text[64] = "";
    size_t n = spread(chars, line, 10, 0.9f);
    const size_t n_small = spread(by_itself, small, 50, conf);
    n = pl_small_type_take(&large, chars, n, by_itself, n_small, 50, 80);
    for (size_t i = 0; i < n; i++) {
        if (i)
            ck_assert(chars[i].x0 >= chars[i - 1].x0);
        strcat(text, chars[i].symbol);
    }
    ck_assert_str_eq(text, want);
}

static void check_taken(const char *const *line, const char *const *small, float conf,
                        const char *want)
{
    check_taken_beside(3, line, small, conf, want);
}

#define TEXT(...) ((const char *const[]){__VA_ARGS__, NULL})

START_TEST(what_is_read_by_itself_takes_its_place)
{
    check_taken(TEXT("1", "0", "1", ".", ".", ".", ".", "W"), TEXT("4", "4", "9"), 0.95f,
                "101. 449 W");
    check_taken(TEXT("1", "0", "1", "."), TEXT("4", "4", "9"), 0.95f, "101. 449");
    check_taken_beside(2, TEXT("1", "0", "1", ".", "a", "s", ".", "."), TEXT("4", "4", "9"), 0.95f,
                       "101. 449"); /* nothing follows: what is read behind it is of it */
    check_taken(TEXT("1", "0", "1", " ", "a", "s", ".", " ", "W"), TEXT("4", "4", "9"), 0.95f,
                "101 449 W");
}
END_TEST

START_TEST(what_is_no_better_stays_as_it_was)
{
    const char *const *line = TEXT("1", "0", "1", ".", "4", "4", "0", "W");
    check_taken(line, TEXT("4", "4", "9"), 0.85f, "101.440W"); /* less sure than the line */
    check_taken(TEXT("1"), TEXT("4", "4", "9"), 0.7f, "1");    /* not sure */
    check_taken(line, TEXT("4", "4", "0"), 0.95f, "101.440W"); /* the same: no blanks come in */
    check_taken(line, TEXT("-", "."), 0.95f, "101.440W");      /* no letter or figure */
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("small_type");
    tcase_add_test(tc, words_that_stand_deep_are_small_type);
    tcase_add_test(tc, what_is_read_by_itself_takes_its_place);
    tcase_add_test(tc, what_is_no_better_stays_as_it_was);
    Suite *s = suite_create("small_type");
    suite_add_tcase(s, tc);
    return run_suite(s);
}
