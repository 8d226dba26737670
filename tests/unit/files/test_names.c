/* SPDX-License-Identifier: BSD-2-Clause */
/* Names are bytes: what texts make of them differs where the names differ, and leads back. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "files/journal.h"
#include "files/merge_shards.h"
#include "tests/unit/suite.h"

static void written(const char *name, enum pl_name_form form, char *ret)
{
    struct pl_str b = {0};
    pl_str_name(&b, name, strlen(name), form);
    strcpy(ret, b.s ? b.s : "");
    pl_str_done(&b);
}

static const struct {
    const char *name, *plain, *shown;
} names[] = {
    {"a.png", "a.png", "a.png"},
    {"\xc3\xa9.png", "\xc3\xa9.png", "\xc3\xa9.png"},
    {"\xe9.png", "\\xe9.png", "\\xe9.png"},
    {"\\xe9.png", "\\x5cxe9.png", "\\x5cxe9.png"},
    {"\\x5cxe9", "\\x5cx5cxe9", "\\x5cx5cxe9"},
    {"\\xg9 \\x \\\\", "\\xg9 \\x \\\\", "\\xg9 \\x \\\\"},
    {"\\\xff", "\\\\xff", "\\\\xff"},
    {"\\xf\xff", "\\xf\\xff", "\\xf\\xff"},
    {"\xed\xa0\x80", "\\xed\\xa0\\x80", "\\xed\\xa0\\x80"}, /* a surrogate is no UTF-8 */
    {"\xe2\x82", "\\xe2\\x82", "\\xe2\\x82"},               /* cut */
    {"a\nb\033[1m", "a\nb\033[1m", "a\\x0ab\\x1b[1m"},
    {"\xc2\x9b", "\xc2\x9b", "\\xc2\\x9b"},              /* U+009B begins a sequence */
    {"\xe2\x80\xae", "\xe2\x80\xae", "\\xe2\\x80\\xae"}, /* U+202E */
    {"\xe2\x81\xa9", "\xe2\x81\xa9", "\\xe2\\x81\\xa9"}, /* U+2069 */
};

START_TEST(forms)
{
    char text[128];
    for (size_t i = 0; i < PL_ARRAY_LEN(names); i++) {
        written(names[i].name, PL_NAME_PLAIN, text);
        ck_assert_str_eq(text, names[i].plain);
        ck_assert_uint_eq(pl_name_restore(text), strlen(names[i].name));
        ck_assert_str_eq(text, names[i].name);
        written(names[i].name, PL_NAME_SHOWN, text);
        ck_assert_str_eq(text, names[i].shown);
        pl_name_restore(text);
        ck_assert_str_eq(text, names[i].name);
    }
}
END_TEST

/* Every name of up to five of the bytes that matter is led back to, so that no two meet. */
START_TEST(every_short_name)
{
    static const char bytes[] = {'\\', 'x', '5', 'c', 'F', 'g', '\xff', '\xc3', '\xa9', '\n'};
    enum { N = sizeof(bytes) };
    for (int form = PL_NAME_PLAIN; form <= PL_NAME_XML; form++)
        for (int code = 0; code < N * N * N * N * N; code++) {
            char name[6] = "", text[6 * PL_NAME_PIECE];
            for (int i = 0, c = code; i < 5; i++, c /= N)
                name[i] = bytes[c % N];
            written(name, (enum pl_name_form)form, text);
            uint32_t c;
            for (size_t i = 0, k; text[i]; i += k)
                ck_assert_uint_ne(k = pl_utf8_get(text + i, strlen(text) - i, &c), 0);
            pl_name_restore(text);
            ck_assert_str_eq(text, name);
        }
}
END_TEST

START_TEST(zero_bytes_are_none)
{
    char text[] = "a\\x00b";
    ck_assert_uint_eq(pl_name_restore(text), 6);
    ck_assert_str_eq(text, "a\\x00b");
}
END_TEST

START_TEST(json_and_xml)
{
    static const char name[] = "\xff\"\\<\x01\xef\xbf\xbe\\x41";
    struct pl_str b = {0};
    pl_str_json_name(&b, name, strlen(name));
    ck_assert_str_eq(b.s, "\"\\\\xff\\\"\\\\<\\u0001\xef\xbf\xbe\\\\x5cx41\"");
    pl_str_reset(&b);
    pl_str_xml_name(&b, name, strlen(name));
    ck_assert_str_eq(b.s, "\\xff&quot;\\&lt;\\x01\\xef\\xbf\\xbe\\x5cx41");
    pl_str_done(&b);
}
END_TEST

/* Messages hold names that were escaped before: these are not escaped again. */
START_TEST(texts_of_errors)
{
    struct platen_error err;
    ck_assert_int_eq(pl_fail(&err, PLATEN_ERR_IO, "'%s'", "\\xe9 \xe9 \033[2J \xc2\x9b"),
                     PLATEN_ERR_IO);
    ck_assert_str_eq(err.text, "'\\xe9 \\xe9 \\x1b[2J \\xc2\\x9b'");
}
END_TEST

START_TEST(journal_knows_them)
{
    static const char *const stems[] = {"\xff", "\xfe", "\\xff", "a\nb", "\xc3\xa9"};
    char dir[] = "/tmp/platen-names-XXXXXX";
    struct pl_input_state state = {true, 1, 2};
    struct pl_journal j;
    struct platen_error err;
    ck_assert_ptr_nonnull(mkdtemp(dir));
    for (int turn = 0; turn < 2; turn++) {
        ck_assert_int_eq(pl_journal_open(&j, dir, 1, 1, "key", turn, &err), PLATEN_OK);
        for (uint64_t i = 0; i < PL_ARRAY_LEN(stems); i++) {
            struct pl_input in = {.stem = stems[i], .label = stems[i]};
            struct pl_journal_page known = pl_journal_find(&j, &in, &state);
            ck_assert_int_eq(known.done, turn);
            if (turn)
                ck_assert_uint_eq(known.output_bytes, 100 + i);
            else
                ck_assert_int_eq(pl_journal_add(&j, &in, &state, 100 + i, NULL, &err), PLATEN_OK);
        }
        pl_journal_close(&j);
    }
    char command[64];
    snprintf(command, sizeof(command), "rm -r %s", dir);
    ck_assert_int_eq(system(command), 0);
}
END_TEST

/* Two names that differ in a byte that is no UTF-8 are two pages, in the order of bytes. */
START_TEST(merge_keeps_both)
{
    static const char lines[] = "{\"path\":\"\\\\xff.png\",\"page\":1,\"status\":\"ok\"}\n"
                                "{\"path\":\"\\\\xfe.png\",\"page\":1,\"status\":\"ok\"}\n"
                                "{\"path\":\"\\\\\\\\.png\",\"page\":1,\"status\":\"ok\"}\n";
    struct pl_merge m;
    struct platen_error err;
    pl_merge_init(&m);
    ck_assert_int_eq(pl_merge_read(&m, 0, lines, strlen(lines), &err), PLATEN_OK);
    pl_merge_settle(&m);
    ck_assert_uint_eq(m.n, 3);
    ck_assert_str_eq(m.v[0].path, "\\\\.png");
    ck_assert_str_eq(m.v[1].path, "\xfe.png");
    ck_assert_str_eq(m.v[2].path, "\xff.png");
    pl_merge_done(&m);
}
END_TEST

int main(void)
{
    TCase *t = tcase_create("names");
    tcase_add_test(t, forms);
    tcase_add_test(t, every_short_name);
    tcase_add_test(t, zero_bytes_are_none);
    tcase_add_test(t, json_and_xml);
    tcase_add_test(t, texts_of_errors);
    tcase_add_test(t, journal_knows_them);
    tcase_add_test(t, merge_keeps_both);
    Suite *s = suite_create("names");
    suite_add_tcase(s, t);
    return run_suite(s);
}
