/* SPDX-License-Identifier: BSD-2-Clause */
/* Which of several lines of a page counts, and in what order pages stand, when shards are merged.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "files/merge_shards.h"
#include "tests/unit/suite.h"

#define ROW(path, page, status)                                                                    \
    "{\"path\":\"" path "\",\"page\":" page ",\"status\":\"" status "\"}\n"
#define PART(path, part, status)                                                                   \
    "{\"path\":\"" path "\",\"page\":1,\"part\":" part ",\"status\":\"" status "\"}\n"
#define LINE(input, status) "{\"input\":\"" input "\",\"status\":\"" status "\"}\n"

static struct pl_merge m;
static struct platen_error err;

static void settle(const char *first, const char *second)
{
    pl_merge_init(&m);
    ck_assert_int_eq(pl_merge_read(&m, 0, first, strlen(first), &err), PLATEN_OK);
    ck_assert_int_eq(pl_merge_read(&m, 1, second, strlen(second), &err), PLATEN_OK);
    pl_merge_settle(&m);
}

static void check_record(size_t i, const char *path, size_t page, size_t file, size_t at)
{
    ck_assert_uint_lt(i, m.n);
    ck_assert_str_eq(m.v[i].path, path);
    ck_assert_uint_eq(m.v[i].page, page);
    ck_assert_uint_eq(m.v[i].file, file);
    ck_assert_uint_eq(m.v[i].at, at);
}

START_TEST(the_last_good_line_of_a_page_counts)
{
    static const char ok[] = ROW("a", "1", "ok"), failed[] = ROW("a", "1", "error");
    settle(ROW("a", "1", "ok"), ROW("a", "1", "error")); /* a failure after it does not */
    ck_assert_uint_eq(m.n, 1);
    ck_assert_uint_eq(m.repeated, 1);
    check_record(0, "a", 1, 0, 0);
    pl_merge_done(&m);
    settle(ROW("a", "1", "error"), ROW("a", "1", "ok"));
    check_record(0, "a", 1, 1, 0);
    pl_merge_done(&m);
    settle(ROW("a", "1", "ok"), ROW("a", "1", "ok"));
    check_record(0, "a", 1, 1, 0);
    pl_merge_done(&m);
    settle(ROW("a", "1", "error") ROW("a", "1", "error"), "");
    check_record(0, "a", 1, 0, strlen(failed));
    pl_merge_done(&m);
    settle(ROW("a", "1", "ok") ROW("a", "1", "ok") ROW("a", "1", "ok"), ROW("a", "1", "error"));
    ck_assert_uint_eq(m.repeated, 3);
    check_record(0, "a", 1, 0, 2 * strlen(ok));
    pl_merge_done(&m);
}
END_TEST

START_TEST(pages_stand_as_a_tree_is_walked)
{
    settle(ROW("b", "2", "ok") ROW("a.png", "1", "ok") ROW("a/z", "1", "ok"),
           ROW("b", "10", "ok") ROW("b", "1", "ok") ROW("a", "1", "ok"));
    ck_assert_uint_eq(m.n, 6);
    ck_assert_uint_eq(m.repeated, 0);
    static const char *const paths[] = {"a", "a/z", "a.png", "b", "b", "b"};
    static const size_t pages[] = {1, 1, 1, 1, 2, 10};
    for (size_t i = 0; i < 6; i++) {
        ck_assert_str_eq(m.v[i].path, paths[i]);
        ck_assert_uint_eq(m.v[i].page, pages[i]);
    }
    pl_merge_done(&m);
}
END_TEST

START_TEST(parts_of_a_page_stay_beside_each_other)
{
    settle(PART("a", "2", "ok") PART("a", "1", "ok"), ROW("a", "1", "error"));
    ck_assert_uint_eq(m.n, 2); /* the failure of the whole page goes */
    ck_assert_uint_eq(m.v[0].part, 1);
    ck_assert_uint_eq(m.v[1].part, 2);
    pl_merge_done(&m);
    settle(PART("a", "1", "error"), PART("a", "2", "ok")); /* that of a part stays */
    ck_assert_uint_eq(m.n, 2);
    pl_merge_done(&m);
    settle(PART("a", "1", "ok") PART("a", "1", "error"), PART("a", "2", "ok"));
    ck_assert_uint_eq(m.n, 2);
    check_record(0, "a", 1, 0, 0);
    pl_merge_done(&m);
}
END_TEST

START_TEST(journals_name_inputs)
{
    settle(LINE("x.tif#3", "ok") LINE("x.tif", "begun") LINE("x#y", "left"),
           "no json\n{\"path\":1}\n{");
    ck_assert_uint_eq(m.malformed, 3);
    ck_assert_uint_eq(m.n, 3);
    check_record(0, "x#y", 1, 0, 0 + strlen(LINE("x.tif#3", "ok") LINE("x.tif", "begun")));
    ck_assert(m.v[0].open && !m.v[0].ok);
    check_record(1, "x.tif", 1, 0, strlen(LINE("x.tif#3", "ok")));
    ck_assert(m.v[1].open && !m.v[1].ok);
    check_record(2, "x.tif", 3, 0, 0);
    ck_assert(!m.v[2].open && m.v[2].ok);
    pl_merge_done(&m);
}
END_TEST

int main(void)
{
    TCase *t = tcase_create("merge");
    tcase_add_test(t, the_last_good_line_of_a_page_counts);
    tcase_add_test(t, pages_stand_as_a_tree_is_walked);
    tcase_add_test(t, parts_of_a_page_stay_beside_each_other);
    tcase_add_test(t, journals_name_inputs);
    Suite *s = suite_create("merge");
    suite_add_tcase(s, t);
    return run_suite(s);
}
