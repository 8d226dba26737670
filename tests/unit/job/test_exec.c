/* SPDX-License-Identifier: BSD-2-Clause */
/* What a job writes to one stream: in which order, and that it is whole however the job ends. */
#include <cjson/cJSON.h>
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "platen.h"
#include "tests/unit/suite.h"

#define PAGES 60

static struct platen_error err;
static char dir[32];
static struct pl_str written;
static size_t told;

static void setup(void)
{
    strcpy(dir, "/tmp/platen-exec-XXXXXX"); /* of each test, which may share a process */
    ck_assert_ptr_nonnull(mkdtemp(dir));
    written = (struct pl_str){0};
    told = 0;
}

static void teardown(void)
{
    char command[64];
    snprintf(command, sizeof(command), "rm -r %s", dir);
    ck_assert_int_eq(system(command), 0);
    pl_str_done(&written);
}

static platen_status keep(void *ctx, const void *data, size_t n, struct platen_error *e)
{
    (void)ctx, (void)e;
    pl_str_add(&written, data, n);
    return PLATEN_OK;
}

static void count_failure(void *ctx, platen_status why, const char *message)
{
    (void)ctx, (void)message;
    ck_assert_int_ne(why, PLATEN_OK);
    told++;
}

struct wish {
    const char *pipeline, *format;
    size_t broken; /* the page, from 0, that is no picture */
    bool fail_fast, unordered;
};

/* Runs PAGES pages; what they wrote is in `written`. */
static void run_job(const struct wish *w, struct platen_summary *sum)
{
    struct platen_pipeline *p = NULL;
    struct platen_job *job = NULL;
    struct platen_options o;
    platen_options_init(&o, sizeof(o));
    o.threads = 3;
    o.models = PL_TEST_ROOT "/models";
    o.formats = w->format;
    o.write = keep;
    o.failure = count_failure;
    o.fail_fast = w->fail_fast;
    o.unordered = w->unordered;
    *sum = (struct platen_summary){.size = sizeof(*sum)};
    ck_assert_int_eq(
        platen_pipeline_parse(w->pipeline, strlen(w->pipeline), PLATEN_FORM_TEXT, &p, NULL, &err),
        PLATEN_OK);
    ck_assert_int_eq(platen_job_new(p, &o, &job, &err), PLATEN_OK);
    for (size_t i = 0; i < PAGES; i++) {
        char path[64];
        const char *page = i == w->broken ? "P5 2 2 255 a" : "P5 2 2 255 abcd";
        snprintf(path, sizeof(path), "%s/%02zu.pgm", dir, i);
        ck_assert_int_eq(pl_file_write(path, page, strlen(page), &err), PLATEN_OK);
        ck_assert_int_eq(platen_job_add(job, path, &err), PLATEN_OK);
    }
    ck_assert_int_eq(platen_job_run(job, sum, &err), PLATEN_OK);
    platen_job_free(job);
    platen_pipeline_free(p);
    ck_assert(written.len && !written.failed);
}

/* Takes a line of ndjson from *at: the number in the name of its page, and whether it is ok. */
static size_t next_page(const char **at, bool *ret_ok)
{
    const char *end = strchr(*at, '\n');
    ck_assert_ptr_nonnull(end);
    cJSON *page = cJSON_ParseWithLength(*at, (size_t)(end - *at));
    const char *path = cJSON_GetStringValue(cJSON_GetObjectItem(page, "path"));
    const char *status = cJSON_GetStringValue(cJSON_GetObjectItem(page, "status"));
    ck_assert(path && status);
    size_t number = strtoul(strrchr(path, '/') + 1, NULL, 10);
    *ret_ok = !strcmp(status, "ok");
    cJSON_Delete(page);
    *at = end + 1;
    return number;
}

START_TEST(pages_come_in_the_order_of_the_inputs)
{
    struct platen_summary sum;
    bool ok;
    run_job(&(struct wish){"gray", "ndjson", PAGES / 2, false, false}, &sum);
    const char *at = written.s;
    for (size_t i = 0; i < PAGES; i++) {
        ck_assert_uint_eq(next_page(&at, &ok), i);
        ck_assert(ok == (i != PAGES / 2));
    }
    ck_assert_str_eq(at, "");
    ck_assert_uint_eq(sum.done, PAGES - 1);
    ck_assert_uint_eq(sum.failed, 1);
    ck_assert_uint_eq(told, 1);
}
END_TEST

START_TEST(every_page_comes_once_without_an_order)
{
    struct platen_summary sum;
    bool seen[PAGES] = {false}, ok;
    run_job(&(struct wish){"gray", "ndjson", 3, false, true}, &sum);
    const char *at = written.s;
    for (size_t i = 0; i < PAGES; i++) {
        size_t n = next_page(&at, &ok);
        ck_assert(n < PAGES && !seen[n] && ok == (n != 3));
        seen[n] = true;
    }
    ck_assert_str_eq(at, "");
}
END_TEST

/* The pages before the failure and its line are there, and none behind it. */
START_TEST(nothing_comes_behind_the_first_failure)
{
    struct platen_summary sum;
    bool ok;
    run_job(&(struct wish){"gray", "ndjson", 5, true, false}, &sum);
    const char *at = written.s;
    for (size_t i = 0; i <= 5; i++) {
        ck_assert_uint_eq(next_page(&at, &ok), i);
        ck_assert(ok == (i < 5));
    }
    ck_assert_str_eq(at, "");
    ck_assert_uint_eq(sum.done, 5);
    ck_assert_uint_eq(sum.failed, 1);
    ck_assert_uint_eq(told, 1);
}
END_TEST

START_TEST(a_stream_that_ends_early_has_its_end)
{
    static const char tail[] = "</html>\n";
    struct platen_summary sum;
    size_t pages = 0;
    run_job(&(struct wish){"gray | lines | ctc", "hocr", 5, true, false}, &sum);
    ck_assert_str_eq(written.s + written.len - strlen(tail), tail);
    for (const char *p = written.s; (p = strstr(p, "class=\"ocr_page\"")); p++)
        pages++;
    ck_assert_uint_eq(pages, 5);
}
END_TEST

int main(void)
{
    TCase *t = tcase_create("exec");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, pages_come_in_the_order_of_the_inputs);
    tcase_add_test(t, every_page_comes_once_without_an_order);
    tcase_add_test(t, nothing_comes_behind_the_first_failure);
    tcase_add_test(t, a_stream_that_ends_early_has_its_end);
    Suite *s = suite_create("exec");
    suite_add_tcase(s, t);
    return run_suite(s);
}
