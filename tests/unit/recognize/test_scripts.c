/* SPDX-License-Identifier: BSD-2-Clause */
#include <check.h>
#include <string.h>

#include "recognize/language/scripts.h"
#include "tests/unit/suite.h"

START_TEST(letters_have_scripts)
{
    static const struct {
        uint32_t c;
        enum pl_script script;
    } of[] = {
        {'A', PL_SCRIPT_LATIN},      {0xe9, PL_SCRIPT_LATIN},     {0x1ea1, PL_SCRIPT_LATIN},
        {0x416, PL_SCRIPT_CYRILLIC}, {0x491, PL_SCRIPT_CYRILLIC}, {0x3b1, PL_SCRIPT_GREEK},
        {0x1f00, PL_SCRIPT_GREEK},   {0x645, PL_SCRIPT_OTHER},    {0x4e2d, PL_SCRIPT_OTHER},
        {'7', PL_SCRIPT_NONE},       {' ', PL_SCRIPT_NONE},       {0xd7, PL_SCRIPT_NONE},
        {0x201c, PL_SCRIPT_NONE},    {0x3001, PL_SCRIPT_NONE},    {0xff08, PL_SCRIPT_NONE},
    };
    for (size_t i = 0; i < PL_ARRAY_LEN(of); i++)
        ck_assert_int_eq(pl_script_of(of[i].c), of[i].script);
    struct pl_script_count n = pl_script_count("Ab Жx, 12 Ω", PL_SCRIPT_CYRILLIC | PL_SCRIPT_GREEK);
    ck_assert_uint_eq(n.all, 5);
    ck_assert_uint_eq(n.of, 2);
    ck_assert_uint_eq(n.certain, 2);
    n = pl_script_count("\u041c\u041e\u0421\u0422", PL_SCRIPT_CYRILLIC); /* looks like MOCT */
    ck_assert_uint_eq(n.of, 4);
    ck_assert_uint_eq(n.certain, 0);
    n = pl_script_count("-Z 忽略。", PL_SCRIPT_OTHER); /* a mark is no letter */
    ck_assert_uint_eq(n.all, 5);
    ck_assert_uint_eq(n.of, 4);
    ck_assert_uint_eq(n.certain, 4);
}
END_TEST

/* Lines of a page, one a row, words parted by blanks; those that begin with '?' are unsure. */
static void settle_in(enum pl_script usual, const char *const *in, const char *const *want,
                      size_t n)
{
    struct pl_arena arena;
    struct platen_error err;
    pl_arena_init(&arena);
    struct pl_line lines[8] = {0};
    for (size_t i = 0; i < n; i++) {
        struct pl_word *words = PL_NEW(&arena, struct pl_word, 16);
        for (const char *p = in[i]; *p;) {
            const bool unsure = *p == '?';
            const size_t k = strcspn(p + unsure, " ");
            words[lines[i].n_words++] = (struct pl_word){
                .text = pl_arena_strndup(&arena, p + unsure, k), .conf = unsure ? 0.5f : 0.99f};
            p += unsure + k;
            p += *p == ' ';
        }
        lines[i].words = words;
        lines[i].text = "as it was";
    }
    struct pl_block block = {.lines = lines, .n_lines = n};
    struct pl_regions regions = {.blocks = &block, .n_blocks = 1};
    ck_assert_int_eq(pl_scripts_settle(&arena, usual, &regions, &err), PLATEN_OK);
    for (size_t i = 0; i < n; i++)
        ck_assert_str_eq(lines[i].text, want[i]);
    pl_arena_done(&arena);
}

static void settle(const char *const *in, const char *const *want, size_t n)
{
    settle_in(PL_SCRIPT_NONE, in, want, n);
}

/* A letter that one script alone has decides its word. Escaped letters are of the other script. */
START_TEST(a_word_is_in_one_script)
{
    static const char *const in[] = {"\u041coc\u043a\u0432\u0430 \u041fapu\u0436",
                                     "\u0395\u03bb\u03bb\u03ac\u03b4a Op\u03b8\u03ae"};
    static const char *const want[] = {
        "\u041c\u043e\u0441\u043a\u0432\u0430 \u041f\u0430\u0440u\u0436",
        "\u0395\u03bb\u03bb\u03ac\u03b4a \u039f\u03c1\u03b8\u03ae"};
    settle(in, want, 2);
}
END_TEST

/* In a word that has none the line decides, in a line that has none the page. */
START_TEST(the_line_and_the_page_decide)
{
    static const char *const in[] = {"?COH \u0438 \u0436\u0438\u0437\u043d\u044c a", "?HET",
                                     "word o", "\u041d\u0438 \u044f \u043d\u0438 \u0442\u044b"};
    static const char *const want[] = {
        "\u0421\u041e\u041d \u0438 \u0436\u0438\u0437\u043d\u044c \u0430", "\u041d\u0415\u0422",
        "as it was", "as it was"};
    settle(in, want, 4);
}
END_TEST

/* What was read surely in one script, and Roman numbers, stay. */
START_TEST(sure_words_stay)
{
    static const char *const in[] = {"\u0426\u0435\u043d\u0430 PC \u0438 XX \u0432\u0435\u043a",
                                     "\u0412\u0435\u043a ?XIX"};
    static const char *const want[] = {"as it was", "as it was"};
    settle(in, want, 2);
}
END_TEST

/* One Greek letter among Latin ones is a sign of a formula on a Latin page, and a letter on a Greek
 * one. */
START_TEST(signs_stay_on_pages_of_another_script)
{
    static const char *const latin[] = {"which length, width and height 10 M\u03a9 22 M\u03a9",
                                        "\u0394T \u0394H", "of \u0395\u03bb\u03bbao"};
    static const char *const want[] = {"as it was", "as it was", "of \u0395\u03bb\u03bba\u03bf"};
    settle(latin, want, 3);
    static const char *const greek[] = {"\u03b8\u03b5\u03c2 \u03b4", "\u0394T", "F\u0391T"};
    static const char *const want_greek[] = {"as it was", "\u0394\u03a4", "FAT"};
    settle(greek, want_greek, 3);
}
END_TEST

/* A code is Latin, however surely it was read in another script, but not a number before a unit; a
 * small word is in the script of the line's other small words, whose names are in another one. */
START_TEST(codes_are_latin_and_small_words_are_not_names)
{
    static const char *const in[] = {"\u043a\u043b\u0430\u0441\u0441 \u0406\u042065 "
                                     "\u0422\u0443\u0440\u0435-\u0410, \u0410\u0412-12,",
                                     "\u0442\u043e\u043a 220\u0412 \u0410,50",
                                     "\u0434\u043b\u044f Lufthansa Cargo co London"};
    static const char *const want[] = {"\u043a\u043b\u0430\u0441\u0441 IP65 Type-A, AB-12,",
                                       "as it was",
                                       "\u0434\u043b\u044f Lufthansa Cargo \u0441\u043e London"};
    settle(in, want, 3);
}
END_TEST

/* What nothing tells is in the usual script. */
START_TEST(the_usual_script_decides_last)
{
    static const char *const in[] = {"?BA", "?\u0410\u0412"};
    static const char *const want[] = {"\u0412\u0410", "as it was"};
    settle_in(PL_SCRIPT_CYRILLIC, in, want, 2);
}
END_TEST

START_TEST(a_page_in_one_script_stays)
{
    static const char *const in[] = {"?COPE", "?A o"};
    static const char *const want[] = {"as it was", "as it was"};
    settle(in, want, 2);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("scripts");
    tcase_add_test(tc, letters_have_scripts);
    tcase_add_test(tc, a_word_is_in_one_script);
    tcase_add_test(tc, the_line_and_the_page_decide);
    tcase_add_test(tc, sure_words_stay);
    tcase_add_test(tc, signs_stay_on_pages_of_another_script);
    tcase_add_test(tc, codes_are_latin_and_small_words_are_not_names);
    tcase_add_test(tc, the_usual_script_decides_last);
    tcase_add_test(tc, a_page_in_one_script_stays);
    Suite *s = suite_create("scripts");
    suite_add_tcase(s, tc);
    return run_suite(s);
}
