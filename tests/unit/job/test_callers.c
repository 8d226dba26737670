/* SPDX-License-Identifier: BSD-2-Clause */
/* Programs that were built with an older or a newer platen.h than the library. */
#include <check.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/attr.h"
#include "base/file.h"
#include "base/sized.h"
#include "config.h"
#include "platen.h"
#include "tests/unit/suite.h"

static struct platen_error err;

/* Bytes of a struct as another version of the header has it, with more room behind it. */
union other {
    size_t size;
    unsigned char bytes[2048];
};

#define GUARD 0xA5

static union other of_size(size_t size)
{
    union other o;
    memset(&o, GUARD, sizeof(o));
    o.size = size;
    return o;
}

static void expect_guard_behind(const union other *o, size_t size)
{
    for (size_t i = size; i < sizeof(*o); i++)
        ck_assert_msg(o->bytes[i] == GUARD, "byte %zu behind %zu", i - size, size);
}

static const char *const wrong_size = "the size of a struct thing is not set";

struct known {
    size_t size;
    int first, second;
};

START_TEST(an_older_struct_has_defaults_for_what_it_lacks)
{
    struct known got = {.first = 1, .second = 2};
    const struct known from = {.size = offsetof(struct known, second), .first = 7, .second = 8};
    ck_assert_int_eq(pl_sized_take(&got, sizeof(got), &from, "thing", &err), PLATEN_OK);
    ck_assert_uint_eq(got.size, sizeof(got));
    ck_assert_int_eq(got.first, 7);
    ck_assert_int_eq(got.second, 2);
}
END_TEST

START_TEST(a_newer_struct_is_taken_unless_it_asks_for_more)
{
    struct {
        struct known known;
        char more[8];
    } from = {{.size = sizeof(from), .first = 3, .second = 4}, {0}};
    struct known got = {0};
    ck_assert_int_eq(pl_sized_take(&got, sizeof(got), &from, "thing", &err), PLATEN_OK);
    ck_assert_int_eq(got.second, 4);
    ck_assert_uint_eq(got.size, sizeof(got));
    from.more[7] = 1;
    ck_assert_int_eq(pl_sized_take(&got, sizeof(got), &from, "thing", &err), PLATEN_ERR_ARG);
    ck_assert_str_eq(err.text, "a struct thing has a member set that this version of the library "
                               "does not know");
}
END_TEST

START_TEST(a_size_that_was_not_set_is_told)
{
    static const size_t sizes[] = {0, sizeof(size_t) - 1, ((size_t)1 << 16) + 1, SIZE_MAX};
    struct known got = {.first = 1};
    for (size_t i = 0; i < PL_ARRAY_LEN(sizes); i++) {
        const struct known from = {.size = sizes[i], .first = 7};
        ck_assert_int_eq(pl_sized_take(&got, sizeof(got), &from, "thing", &err), PLATEN_ERR_ARG);
        ck_assert_str_eq(err.text, wrong_size);
        ck_assert_int_eq(got.first, 1);
    }
}
END_TEST

/* _i: what the caller knows more (or less) than the library, in bytes. */
START_TEST(structs_are_filled_as_far_as_they_go)
{
    static const int more[] = {-8, 0, 24};
    const size_t size = sizeof(struct platen_summary) + (size_t)more[_i];
    const struct platen_summary from = {.pages = 5, .model = "eng"};
    union other to = of_size(size);
    pl_sized_give(&to, &from, sizeof(from));
    ck_assert_uint_eq(to.size, size);
    ck_assert_uint_eq(((struct platen_summary *)&to)->pages, 5);
    for (size_t i = sizeof(from); i < size; i++)
        ck_assert_uint_eq(to.bytes[i], 0);
    expect_guard_behind(&to, size);
}
END_TEST

START_TEST(options_are_initialised_as_far_as_they_go)
{
    const size_t size = offsetof(struct platen_options, requests);
    union other o = of_size(0);
    platen_options_init((struct platen_options *)&o, size);
    ck_assert_uint_eq(o.size, size);
    ck_assert_uint_eq(((struct platen_options *)&o)->max_pixels, 250000000);
    expect_guard_behind(&o, size);
}
END_TEST

static struct platen_pipeline *gray(void)
{
    struct platen_pipeline *p = NULL;
    ck_assert_int_eq(platen_pipeline_parse("gray", 4, PLATEN_FORM_TEXT, &p, NULL, &err), PLATEN_OK);
    return p;
}

/* All bytes behind an older caller's options are set: none of them counts. */
START_TEST(a_job_serves_older_and_newer_callers)
{
    struct platen_pipeline *p = gray();
    struct platen_job *job = NULL;
    union other o = of_size(0);
    platen_options_init((struct platen_options *)&o, offsetof(struct platen_options, fail_fast));
    ck_assert_int_eq(platen_job_new(p, (void *)&o, &job, &err), PLATEN_OK);
    union other sum = of_size(offsetof(struct platen_summary, done));
    ck_assert_int_eq(platen_job_run(job, (void *)&sum, &err), PLATEN_OK);
    expect_guard_behind(&sum, offsetof(struct platen_summary, done));
    platen_job_free(job);

    job = NULL;
    const size_t newer = sizeof(struct platen_options) + 64;
    platen_options_init((struct platen_options *)&o, newer);
    ck_assert_int_eq(platen_job_new(p, (void *)&o, &job, &err), PLATEN_OK);
    sum = of_size(0);
    ck_assert_int_eq(platen_job_run(job, (void *)&sum, &err), PLATEN_ERR_ARG);
    expect_guard_behind(&sum, sizeof(size_t));
    platen_job_free(job);

    job = NULL;
    o.bytes[newer - 1] = 1;
    ck_assert_int_eq(platen_job_new(p, (void *)&o, &job, &err), PLATEN_ERR_ARG);
    o.size = 0;
    ck_assert_int_eq(platen_job_new(p, (void *)&o, &job, &err), PLATEN_ERR_ARG);
    ck_assert_ptr_null(job);
    platen_pipeline_free(p);
}
END_TEST

static void on_answer(void *ctx, const struct platen_answer *a)
{
    ck_assert_uint_eq(a->size, sizeof(*a));
    *(platen_status *)ctx = a->status;
}

START_TEST(a_picture_is_taken_from_newer_callers)
{
    static const char page[] = "P5 2 2 255 abcd";
    platen_status status = PLATEN_ERR_INTERNAL;
    struct platen_pipeline *p = gray();
    struct platen_job *job = NULL;
    struct platen_options o;
    struct platen_request *r = NULL;
    struct platen_summary sum = {.size = sizeof(sum)};
    platen_options_init(&o, sizeof(o));
    o.requests = true;
    ck_assert_int_eq(platen_job_new(p, &o, &job, &err), PLATEN_OK);
    struct {
        struct platen_picture known;
        const void *more;
    } pic = {{.size = sizeof(pic),
              .data = page,
              .data_bytes = sizeof(page) - 1,
              .format = "pnm",
              .ctx = &status,
              .answer = on_answer},
             page + 1};
    ck_assert_int_eq(platen_job_ask(job, &pic.known, &r, &err), PLATEN_ERR_ARG);
    ck_assert_ptr_null(r);
    pic.more = NULL;
    ck_assert_int_eq(platen_job_ask(job, &pic.known, &r, &err), PLATEN_OK);
    platen_job_close(job);
    ck_assert_int_eq(platen_job_run(job, &sum, &err), PLATEN_OK);
    ck_assert_int_eq(status, PLATEN_OK);
    platen_request_free(r);
    platen_job_free(job);
    platen_pipeline_free(p);
}
END_TEST

/* Checks that a function refused, and said which parameter of it. */
static void expect_refusal(platen_status s, const char *parameter)
{
    char end[64];
    snprintf(end, sizeof(end), ": %s is NULL", parameter);
    ck_assert_int_eq(s, PLATEN_ERR_ARG);
    ck_assert_msg(strstr(err.text, end), "%s, not %s", err.text, parameter);
}

START_TEST(what_a_picture_lacks_is_told)
{
    static const char page[] = "P5 2 2 255 abcd";
    struct platen_pipeline *p = gray();
    struct platen_job *job = NULL;
    struct platen_options o;
    struct platen_request *r = NULL;
    platen_options_init(&o, sizeof(o));
    o.requests = true;
    ck_assert_int_eq(platen_job_new(p, &o, &job, &err), PLATEN_OK);
    struct platen_picture pic = {.size = sizeof(pic), .data_bytes = 10, .answer = on_answer};
    expect_refusal(platen_job_ask(job, &pic, &r, &err), "picture.data");
    pic.data_bytes = 0;
    expect_refusal(platen_job_ask(job, &pic, &r, &err), "picture.data");
    pic.data = page;
    pic.answer = NULL;
    expect_refusal(platen_job_ask(job, &pic, &r, &err), "picture.answer");
    expect_refusal(platen_job_ask(job, NULL, &r, &err), "pic");
    expect_refusal(platen_job_ask(job, &pic, NULL, &err), "ret");
    expect_refusal(platen_job_ask(NULL, &pic, &r, &err), "job");
    ck_assert_int_eq(platen_job_ask(job, &pic, &r, NULL), PLATEN_ERR_ARG);
    ck_assert_ptr_null(r);
    platen_job_free(job);
    o.n_pipelines = 1;
    job = NULL;
    expect_refusal(platen_job_new(p, &o, &job, &err), "own.pipelines");
    ck_assert_ptr_null(job);
    platen_pipeline_free(p);
}
END_TEST

START_TEST(what_must_not_be_null_is_told)
{
    struct platen_pipeline *p = gray(), *none = NULL;
    struct platen_job *job = NULL;
    struct platen_options o;
    struct platen_merge_options merge = {.size = sizeof(merge)};
    char *text = NULL;
    platen_options_init(&o, sizeof(o));
    expect_refusal(platen_pipeline_parse(NULL, 4, PLATEN_FORM_TEXT, &none, NULL, &err), "text");
    expect_refusal(platen_pipeline_parse("gray", 4, PLATEN_FORM_TEXT, NULL, NULL, &err), "ret");
    expect_refusal(platen_pipeline_set(p, NULL, "1", &err), "name");
    expect_refusal(platen_pipeline_set(p, "lm", NULL, &err), "value");
    expect_refusal(platen_pipeline_print(NULL, &text, &err), "p");
    expect_refusal(platen_ops_describe(NULL, PLATEN_FORM_JSON, NULL, &err), "ret");
    expect_refusal(platen_job_new(NULL, &o, &job, &err), "p");
    expect_refusal(platen_job_new(p, NULL, &job, &err), "o");
    expect_refusal(platen_job_new(p, &o, NULL, &err), "ret");
    ck_assert_int_eq(platen_job_new(p, &o, &job, &err), PLATEN_OK);
    expect_refusal(platen_job_add(job, NULL, &err), "path");
    expect_refusal(platen_job_add_list(job, NULL, false, &err), "path");
    expect_refusal(platen_job_shard(NULL, 1, 1, &err), "job");
    expect_refusal(platen_job_run(job, NULL, &err), "ret");
    expect_refusal(platen_sandbox_enter(NULL, PLATEN_SANDBOX_AUTO, NULL, &err), "job");
    expect_refusal(platen_merge(NULL, 1, &merge, NULL, &err), "ret");
    expect_refusal(platen_isa_check(NULL, &err), "isa");
    expect_refusal(platen_features_describe(NULL, NULL, PLATEN_FORM_TEXT, NULL, &err), "ret");
    expect_refusal(platen_bench("memory", NULL, 0, NULL, NULL, NULL, &err), "fn");
    expect_refusal(platen_model_describe(NULL, NULL, &text, &err), "model");
    expect_refusal(platen_model_verify(NULL, &err), "path");
    ck_assert(!platen_format_at(0, NULL));
    platen_job_free(job);
    platen_pipeline_free(p);
}
END_TEST

START_TEST(no_format_is_behind_the_last)
{
    struct platen_format f = {.size = sizeof(f)};
    size_t n = 0;
    while (platen_format_at(n, &f))
        n++;
    ck_assert_uint_gt(n, 10);
    ck_assert(!platen_format_at(n + 1, &f));
    ck_assert(!platen_format_at(SIZE_MAX, &f));
}
END_TEST

START_TEST(formats_are_told_as_far_as_they_go)
{
    union other f = of_size(offsetof(struct platen_format, help));
    ck_assert(platen_format_at(0, (struct platen_format *)&f));
    ck_assert_str_eq(((struct platen_format *)&f)->name, "txt");
    expect_guard_behind(&f, offsetof(struct platen_format, help));
    f = of_size(0);
    ck_assert(!platen_format_at(0, (struct platen_format *)&f));
}
END_TEST

START_TEST(merge_serves_older_callers)
{
    static const char line[] = "{\"path\":\"a.png\",\"page\":1,\"status\":\"ok\"}\n";
    char in[] = "/tmp/platen-callers-XXXXXX", out[64];
    const char *const names[] = {in};
    int fd = mkstemp(in);
    ck_assert_int_eq(write(fd, line, strlen(line)), (ssize_t)strlen(line));
    close(fd);
    snprintf(out, sizeof(out), "%s.ndjson", in);
    struct platen_merge_options o = {.size = offsetof(struct platen_merge_options, ctx),
                                     .output = out};
    union other sum = of_size(offsetof(struct platen_merge_summary, failed));
    ck_assert_int_eq(platen_merge(names, 1, &o, (struct platen_merge_summary *)&sum, &err),
                     PLATEN_OK);
    ck_assert_uint_eq(((struct platen_merge_summary *)&sum)->done, 1);
    expect_guard_behind(&sum, offsetof(struct platen_merge_summary, failed));
    sum.size = 0;
    ck_assert_int_eq(platen_merge(names, 1, &o, (struct platen_merge_summary *)&sum, &err),
                     PLATEN_ERR_ARG);
    unlink(in);
    unlink(out);
}
END_TEST

START_TEST(models_serve_older_callers)
{
    static const char model[] = PL_TEST_ROOT "/models/regions.platen";
    struct platen_network_options o = {.size = sizeof(o), .isa = "nonsense"};
    struct platen_quantize_options q = {.size = 1};
    ck_assert_int_eq(platen_model_run(model, &o, NULL, 0, "", &err), PLATEN_ERR_ARG);
    ck_assert_ptr_nonnull(strstr(err.text, "nonsense"));
    o.size = offsetof(struct platen_network_options, isa);
    ck_assert_int_eq(platen_model_run(model, &o, NULL, 0, "", &err), PLATEN_ERR_ARG);
    ck_assert_ptr_nonnull(strstr(err.text, "1 inputs, not 0"));
    ck_assert_int_eq(
        platen_model_import("none.onnx", "/dev/null", &o, &q, NULL, NULL, NULL, NULL, &err),
        PLATEN_ERR_ARG);
    q.size = offsetof(struct platen_quantize_options, min_sqnr_db);
    ck_assert_int_eq(
        platen_model_import("none.onnx", "/dev/null", &o, &q, NULL, NULL, NULL, NULL, &err),
        PLATEN_ERR_IO);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("callers");
    TCase *t = tcase_create("callers");
    tcase_add_test(t, an_older_struct_has_defaults_for_what_it_lacks);
    tcase_add_test(t, a_newer_struct_is_taken_unless_it_asks_for_more);
    tcase_add_test(t, a_size_that_was_not_set_is_told);
    tcase_add_loop_test(t, structs_are_filled_as_far_as_they_go, 0, 3);
    tcase_add_test(t, options_are_initialised_as_far_as_they_go);
    tcase_add_test(t, a_job_serves_older_and_newer_callers);
    tcase_add_test(t, a_picture_is_taken_from_newer_callers);
    tcase_add_test(t, what_a_picture_lacks_is_told);
    tcase_add_test(t, what_must_not_be_null_is_told);
    tcase_add_test(t, no_format_is_behind_the_last);
    tcase_add_test(t, formats_are_told_as_far_as_they_go);
    tcase_add_test(t, merge_serves_older_callers);
    if (PL_MODEL_TOOLS)
        tcase_add_test(t, models_serve_older_callers);
    suite_add_tcase(s, t);
    return run_suite(s);
}
