/* SPDX-License-Identifier: BSD-2-Clause */
/* Directories as inputs: what is taken, what is passed over, and what cannot be listed. */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/io_fault.h"
#include "files/inputs.h"
#include "tests/unit/suite.h"

static char dir[] = "/tmp/platen-inputs-XXXXXX";
static struct platen_error err;

static void put(const char *name, const char *content)
{
    char path[256];
    snprintf(path, sizeof(path), "%s/%s", dir, name);
    ck_assert_int_eq(pl_file_write(path, content, strlen(content), &err), PLATEN_OK);
}

static void setup(void)
{
    char command[128];
    ck_assert_ptr_nonnull(mkdtemp(dir));
    put("a.pgm", "P5 1 1 255 x");
    put("b.png", "no picture");
    put("c/d.PNG", "x");
    put("c/e.jpg", "x");
    put("c/e.txt", "x");
    put("c/.hidden.png", "x");
    put("f.xps", "PK\3\4");
    put("g.XPS", "PK\3\4");
    put("h", "P5 1 1 255 x");
    put("i.ccitt", "x");
    put("j.page.xml", "x");
    put("k.xml", "x");
    snprintf(command, sizeof(command), "cd %s && ln -s c link && ln -s nowhere k.png", dir);
    ck_assert_int_eq(system(command), 0);
}

static void teardown(void)
{
    char command[64];
    snprintf(command, sizeof(command), "rm -r %s", dir);
    ck_assert_int_eq(system(command), 0);
}

/* The names of all inputs, parted by blanks; those that fail in brackets. */
static const char *listed(const struct pl_inputs *in)
{
    static char text[1024];
    text[0] = '\0';
    for (size_t i = 0; i < in->n; i++) {
        const char *name = in->v[i].path + strlen(dir);
        sprintf(text + strlen(text), in->v[i].lost ? "[%s] " : "%s ", *name ? name + 1 : "");
    }
    return text;
}

static const char *passed(const struct pl_inputs *in)
{
    static char text[256];
    struct pl_str b = {0};
    pl_passed_tell(&in->passed, &b);
    snprintf(text, sizeof(text), "%s", b.s);
    pl_str_done(&b);
    return text;
}

START_TEST(pictures_are_taken_by_name)
{
    struct pl_inputs in;
    pl_inputs_init(&in);
    in.passed.keep_names = true;
    ck_assert_int_eq(pl_inputs_add(&in, dir, false, &err), PLATEN_OK);
    ck_assert_str_eq(listed(&in), "a.pgm b.png c/d.PNG c/e.jpg k.png ");
    ck_assert_str_eq(passed(&in), "6 files: 2 .xps, 1 .ccitt, 1 .xml, 1 behind links, "
                                  "1 without extension");
    ck_assert_ptr_nonnull(strstr(in.passed.names.s, "/i.ccitt\n"));
    ck_assert_ptr_null(strstr(in.passed.names.s, "hidden"));
    pl_inputs_done(&in);
}
END_TEST

START_TEST(or_by_content)
{
    struct pl_inputs in;
    pl_inputs_init(&in);
    in.all_files = true;
    ck_assert_int_eq(pl_inputs_add(&in, dir, false, &err), PLATEN_OK);
    ck_assert_str_eq(listed(&in), "a.pgm b.png c/d.PNG c/e.jpg h k.png ");
    ck_assert_str_eq(passed(&in), "5 files: 2 .xps, 1 .ccitt, 1 .xml, 1 behind links");
    pl_inputs_done(&in);
}
END_TEST

/* Whether the fault that was set has struck, and is not still to come. */
static bool has_failed(void)
{
    for (int i = 0; i < 1000; i++)
        if (pl_io_fails())
            return false;
    return true;
}

/* _i: the error that each call fails with in its turn. */
START_TEST(what_cannot_be_listed_fails)
{
    static const int reasons[] = {EIO, EACCES, ESTALE, ELOOP};
    uint64_t n = 1;
    for (bool failed = true; failed; n++) {
        struct pl_inputs in;
        pl_inputs_init(&in);
        pl_io_fail_at(n, reasons[_i]);
        ck_assert_int_eq(pl_inputs_add(&in, dir, false, &err), PLATEN_OK);
        failed = has_failed();
        pl_io_fail_at(0, 0);
        size_t lost = 0;
        for (size_t i = 0; i < in.n; i++) {
            lost += in.v[i].lost;
            if (in.v[i].lost)
                ck_assert_str_eq(in.v[i].error, strerrordesc_np(reasons[_i]));
        }
        /* a link, and a file of which the listing tells that it is no picture, lose nothing */
        ck_assert_msg(!failed || lost == 1 || in.n == 5, "call %llu goes unnoticed: %s",
                      (unsigned long long)n, listed(&in));
        ck_assert_msg(failed || !lost, "%s", listed(&in));
        /* every share is told */
        size_t kept = 0;
        pl_inputs_shard(&in, false, 1, 1000000);
        for (size_t i = 0; i < in.n; i++)
            kept += in.v[i].lost;
        ck_assert_uint_eq(kept, lost);
        pl_inputs_done(&in);
    }
    ck_assert_uint_gt(n, 25);
}
END_TEST

/* One that vanished since it was listed is none. */
START_TEST(what_vanishes_is_passed_over)
{
    struct pl_inputs in;
    for (uint64_t n = 1; n < 40; n++) {
        pl_inputs_init(&in);
        pl_io_fail_at(n, ENOENT);
        ck_assert_int_eq(pl_inputs_add(&in, dir, false, &err), PLATEN_OK);
        pl_io_fail_at(0, 0);
        for (size_t i = 0; i < in.n; i++) /* but for a directory that was to be opened or read */
            if (in.v[i].lost)
                ck_assert(!strcmp(in.v[i].name, "") || !strcmp(in.v[i].name, "c"));
        pl_inputs_done(&in);
    }
}
END_TEST

START_TEST(kinds_are_told)
{
    struct pl_passed p = {0};
    struct pl_str text = {0};
    char name[32];
    pl_passed_add(&p, "x", ".x", NULL);
    pl_passed_add(&p, "x", "x.", NULL);
    pl_passed_add(&p, "x", "x.\xc3\xa9", NULL);
    pl_passed_add(&p, "x", "x.y z", NULL);
    pl_passed_tell(&p, &text);
    ck_assert_str_eq(text.s, "4 files: 4 without extension");
    for (int i = 0; i < 100; i++) {
        snprintf(name, sizeof(name), "x.%d", i);
        pl_passed_add(&p, name, name, NULL);
    }
    pl_str_reset(&text);
    pl_passed_tell(&p, &text);
    ck_assert_str_eq(text.s, "104 files: 4 without extension, 1 .0, 1 .1, 1 .10, 1 .11, 1 .12, "
                             "95 others");
    pl_str_done(&text);
    pl_passed_done(&p);
}
END_TEST

START_TEST(ranges_of_pages_are_read)
{
    static const struct {
        const char *text, *pages; /* of the pages 1 to 8 those that are wanted; NULL = refused */
    } all[] = {{"3", "3"},           {"3-5", "345"},       {"1,3-4,7-", "13478"},
               {"5,2-3", "235"},     {"2-6,4", "23456"},   {"9-2147483647", ""},
               {"", NULL},           {"0", NULL},          {"0-3", NULL},
               {"4-3", NULL},        {"-3", NULL},         {"3,", NULL},
               {",3", NULL},         {"3-4-5", NULL},      {"3 4", NULL},
               {"a", NULL},          {"9999999999", NULL}, {"1-9999999999", NULL},
               {"1-,3-", "12345678"}};
    for (size_t i = 0; i < PL_ARRAY_LEN(all); i++) {
        struct pl_page_ranges r;
        char got[9] = "";
        const platen_status s = pl_page_ranges_parse(all[i].text, &r, &err);
        ck_assert_msg(s == (all[i].pages ? PLATEN_OK : PLATEN_ERR_ARG), "%s", all[i].text);
        for (int page = 1; !s && page <= 8; page++)
            if (pl_page_ranges_have(&r, page))
                got[strlen(got)] = (char)('0' + page);
        if (!s)
            ck_assert_str_eq(got, all[i].pages);
    }
    char many[2 * PL_PAGE_RANGES + 3] = "1";
    for (int i = 0; i < PL_PAGE_RANGES; i++)
        strcat(many, ",1");
    struct pl_page_ranges r;
    ck_assert_int_eq(pl_page_ranges_parse(many, &r, &err), PLATEN_ERR_LIMIT);
    many[strlen(many) - 2] = '\0';
    ck_assert_int_eq(pl_page_ranges_parse(many, &r, &err), PLATEN_OK);
}
END_TEST

int main(void)
{
    TCase *t = tcase_create("inputs");
    tcase_add_unchecked_fixture(t, setup, teardown);
    tcase_add_test(t, pictures_are_taken_by_name);
    tcase_add_test(t, or_by_content);
    tcase_add_loop_test(t, what_cannot_be_listed_fails, 0, 4);
    tcase_add_test(t, what_vanishes_is_passed_over);
    tcase_add_test(t, kinds_are_told);
    tcase_add_test(t, ranges_of_pages_are_read);
    Suite *s = suite_create("inputs");
    suite_add_tcase(s, t);
    return run_suite(s);
}
