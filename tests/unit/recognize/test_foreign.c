/* SPDX-License-Identifier: BSD-2-Clause */
/* Two readings of a line, by models of different scripts. */
#include <check.h>
#include <string.h>

#include "recognize/foreign.h"
#include "recognize/language/scripts.h"
#include "tests/unit/suite.h"

#define MOST_WORDS 8
#define CHAR_PX 10

/* A line of words parted by blanks, each at the place that it would have in type of one pitch. */
struct reading {
    struct pl_line line;
    struct pl_word words[MOST_WORDS];
};

static void set(struct pl_arena *arena, const char *text, const float *conf, struct reading *ret)
{
    *ret = (struct reading){.line = {.text = text, .words = ret->words}};
    int x = 0;
    for (const char *p = text; *p; p += *p == ' ') {
        const size_t n = strcspn(p, " ");
        size_t chars = 0;
        for (size_t i = 0; i < n; i++)
            chars += (p[i] & 0xc0) != 0x80;
        const int end = x + (int)chars * CHAR_PX;
        ret->words[ret->line.n_words] = (struct pl_word){.box = {.x0 = x, .x1 = end, .y1 = 1},
                                                         .text = pl_arena_strndup(arena, p, n),
                                                         .conf = conf[ret->line.n_words],
                                                         .n_chars = chars};
        ret->line.n_words++;
        x = end + CHAR_PX;
        p += n;
    }
}

START_TEST(words_of_other_scripts_are_compared)
{
    struct pl_arena arena;
    struct reading first, other;
    pl_arena_init(&arena);
    set(&arena, "4epe3 SWIFT Bank Mull", (float[]){0.6f, 1, 1, 1}, &first);
    set(&arena, "\u0447\u0435\u0440\u0435\u0437 SWIFT Bank M\u0439ll",
        (float[]){0.9f, 0.5f, 0.5f, 0.5f}, &other);
    const struct pl_foreign f = pl_foreign_compare(&other.line, &first.line, PL_SCRIPT_CYRILLIC);
    ck_assert_uint_eq(f.all, 18);
    ck_assert_uint_eq(f.letters, 5);
    ck_assert_uint_eq(f.certain, 3);
    ck_assert_uint_eq(f.chars, 5);
    ck_assert_float_eq_tol(f.conf, 0.9f, 1e-6f);
    ck_assert_float_eq_tol(f.other_conf, 0.6f, 1e-6f);
    const struct pl_foreign none = pl_foreign_compare(&first.line, &other.line, PL_SCRIPT_CYRILLIC);
    ck_assert_uint_eq(none.chars, 0);
    ck_assert(!(none.conf > 0));
    pl_arena_done(&arena);
}
END_TEST

/* Names are read by the model that knows their letters; words of the other script, codes with a
 * letter of it, words that may be of either, and those in no word's place stay. */
START_TEST(names_are_the_first_models)
{
    struct pl_arena arena;
    struct reading first, other;
    struct platen_error err;
    pl_arena_init(&arena);
    set(&arena, "M\u00fcller v3 RU-77/5 TOBAP Orl\u00e9ans",
        (float[]){0.9f, 0.99f, 0.99f, 0.99f, 0.99f}, &first);
    set(&arena, "M\u0439ller \u0438\u0437 RU-77/\u0411 \u0422\u041e\u0412\u0410\u0420 Orleans",
        (float[]){0.95f, 0.9f, 0.9f, 0.9f, 0.9f}, &other);
    first.words[4].box.x1 += 40 * CHAR_PX; /* it covers several words there */
    ck_assert(!pl_foreign_take_own(&arena, PL_SCRIPT_CYRILLIC, &first.line, &other.line, &err));
    ck_assert_str_eq(other.line.text, "M\u00fcller \u0438\u0437 RU-77/\u0411 "
                                      "\u0422\u041e\u0412\u0410\u0420 Orleans");
    ck_assert_float_eq_tol(other.words[0].conf, 0.9f, 1e-6f);
    ck_assert_float_eq_tol(other.line.conf, 0.9f, 1e-5f);
    pl_arena_done(&arena);
}
END_TEST

/* Words that the other model can read stay as it read them, and so do those that are longer or
 * shorter there: the first model may have parted them elsewhere. */
START_TEST(words_of_ascii_stay)
{
    struct pl_arena arena;
    struct reading first, other;
    struct platen_error err;
    pl_arena_init(&arena);
    set(&arena, "dhepd K\u00f6ln \u00fcttyS", (float[]){1, 1, 1}, &first);
    set(&arena, "dhcpd Kbln ttyS0,", (float[]){0.9f, 0.9f, 0.9f}, &other);
    ck_assert(!pl_foreign_take_own(&arena, PL_SCRIPT_CYRILLIC, &first.line, &other.line, &err));
    ck_assert_str_eq(other.line.text, "dhcpd K\u00f6ln ttyS0,");
    pl_arena_done(&arena);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("foreign");
    TCase *c = tcase_create("foreign");
    tcase_add_test(c, words_of_other_scripts_are_compared);
    tcase_add_test(c, names_are_the_first_models);
    tcase_add_test(c, words_of_ascii_stay);
    suite_add_tcase(s, c);
    return run_suite(s);
}
