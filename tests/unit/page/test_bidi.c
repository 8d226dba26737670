/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines of scripts from right to left. On paper they are written here as their characters stand
 * from left to right; the editor that shows this file may turn them around, so Hebrew letters are
 * named: capitals in a pattern stand for them, A for alef, B for bet, G for gimel, D for dalet. */
#include <check.h>
#include <string.h>

#include "page/bidi.h"
#include "tests/unit/suite.h"

static uint32_t code_of(char c)
{
    static const char names[] = "ABGD";
    const char *at = c ? strchr(names, c) : NULL;
    return at ? 0x5d0 + (uint32_t)(at - names) : (uint32_t)c;
}

static void spell(struct pl_str *out, const char *pattern)
{
    char bytes[4];
    pl_str_reset(out);
    for (; *pattern; pattern++)
        pl_str_add(out, bytes, pl_utf8_put(bytes, code_of(*pattern)));
}

/* The line on paper is read as `read`, and shown again as it was. */
static void check(const char *paper, const char *read, bool from_right)
{
    struct pl_bidi_char line[64] = {{0, 0}};
    struct pl_str want = {0}, got = {0}, shown = {0};
    char bytes[4];
    size_t n = strlen(paper);
    for (size_t i = 0; i < n; i++)
        line[i].code = code_of(paper[i]);
    ck_assert_msg(pl_bidi_from_right(line, n) == from_right, "the direction of %s", paper);
    ck_assert(pl_bidi_read(line, n, from_right));
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < n; i++)
            if (line[i].place == k)
                pl_str_add(&got, bytes, pl_utf8_put(bytes, line[i].code));
    spell(&want, read);
    ck_assert_msg(!strcmp(got.s, want.s), "%s is read %s", paper, got.s);
    pl_bidi_show(&shown, want.s);
    spell(&want, paper);
    ck_assert_msg(!from_right || strpbrk(paper, "([") || !strcmp(shown.s, want.s), "%s is shown %s",
                  read, shown.s);
    pl_str_done(&want);
    pl_str_done(&got);
    pl_str_done(&shown);
}

START_TEST(lines_from_right)
{
    check("DGBA", "ABGD", true);
    check("DG BA", "AB GD", true);
    check(".DG BA", "AB GD.", true);
    check("D 1948 BA", "AB 1948 D", true);
    check("3.50 BA", "AB 3.50", true);
    check("abc 123 DGBA", "ABGD 123 abc", true);
    check("DG tel BAGA", "AGAB tel GD", true);
    check("DG tel aviv BA", "GD tel aviv AB", false); /* most of its letters are Latin */
}
END_TEST

START_TEST(brackets_open_the_other_way)
{
    check("(BA)", "(AB)", true);
    check("[G] BA", "AB [G]", true);
    check("D (abc) BA", "AB (abc) D", true);
    struct pl_str text = {0}, shown = {0}, want = {0};
    spell(&text, "(AB)");
    pl_bidi_show(&shown, text.s);
    spell(&want, ")BA("); /* turned around, and not mirrored */
    ck_assert_str_eq(shown.s, want.s);
    pl_str_done(&text);
    pl_str_done(&shown);
    pl_str_done(&want);
}
END_TEST

START_TEST(words_among_others)
{
    check("the word BA is short", "the word AB is short", false);
    check("the words DG BA are", "the words AB GD are", false);
    check("plain (text) 12", "plain (text) 12", false);
}
END_TEST

START_TEST(text_without_such_letters_stays)
{
    struct pl_str out = {0};
    pl_bidi_show(&out, "(a) \xC3\xA9 1");
    ck_assert_str_eq(out.s, "(a) \xC3\xA9 1");
    pl_str_reset(&out);
    pl_bidi_show(&out, "");
    ck_assert_str_eq(out.s, "");
    pl_str_done(&out);
    ck_assert(pl_bidi_is_from_right(0x5d0) && pl_bidi_is_from_right(0x627));
    ck_assert(!pl_bidi_is_from_right('a') && !pl_bidi_is_from_right(0x416) &&
              !pl_bidi_is_from_right(0x4e00) && !pl_bidi_is_from_right(0xfffd));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("bidi");
    TCase *tc = tcase_create("bidi");
    tcase_add_test(tc, lines_from_right);
    tcase_add_test(tc, brackets_open_the_other_way);
    tcase_add_test(tc, words_among_others);
    tcase_add_test(tc, text_without_such_letters_stays);
    suite_add_tcase(s, tc);
    return run_suite(s);
}
