/* SPDX-License-Identifier: BSD-2-Clause */
/* Languages by their codes. */
#include <check.h>
#include <string.h>

#include "base/attr.h"
#include "recognize/language/codes.h"
#include "recognize/language/identify.h"
#include "tests/unit/suite.h"

START_TEST(codes_of_languages)
{
    static const struct {
        const char *code, *tag;
    } cases[] = {{"de", "de"},   {"deu", "de"},    {"ger", "de"}, {"nob", "no"},
                 {"nn", "no"},   {"vie", "vi"},    {"", NULL},    {"d", NULL},
                 {"deut", NULL}, {"be bel", NULL}, {"tlh", NULL}, {"DE", NULL}};
    for (size_t i = 0; i < PL_ARRAY_LEN(cases); i++) {
        const char *tag = pl_language_of_code(cases[i].code, strlen(cases[i].code));
        ck_assert(!tag == !cases[i].tag);
        if (tag)
            ck_assert_str_eq(tag, cases[i].tag);
    }
    ck_assert_str_eq(pl_language_of_code("fra+eng", 3), "fr");
    ck_assert_int_eq(pl_script_of_language("uk"), PL_SCRIPT_CYRILLIC);
    ck_assert_int_eq(pl_script_of_language("el"), PL_SCRIPT_GREEK);
    ck_assert_int_eq(pl_script_of_language("de"), PL_SCRIPT_LATIN);
}
END_TEST

/* Every language that the shipped identifier tells has its code. */
START_TEST(tags_of_the_identifier)
{
    struct platen_error err;
    struct pl_identifier *id = NULL;
    ck_assert(!pl_identifier_open(PL_TEST_ROOT "/models/eng.lang.platen", &id, &err));
    for (size_t i = 0; i < id->s.n; i++)
        if (strncmp(id->s.names[i], "und", 3) != 0)
            ck_assert_str_eq(pl_language_of_code(id->s.names[i], strlen(id->s.names[i])),
                             id->s.names[i]);
    pl_identifier_free(id);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("codes");
    TCase *c = tcase_create("codes");
    tcase_add_test(c, codes_of_languages);
    tcase_add_test(c, tags_of_the_identifier);
    suite_add_tcase(s, c);
    return run_suite(s);
}
