/* SPDX-License-Identifier: BSD-2-Clause */
/* A whole small job with the n-th allocation, then the n-th file operation, made to fail, for n =
 * 1, 2, ... until nothing fails any more: the status must be right, no file may be partial, and
 * what claims success must be complete. Leaks are found by running this under AddressSanitizer. */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/attr.h"
#include "base/file.h"
#include "base/io_fault.h"
#include "base/map.h"
#include "base/mem.h"
#include "platen.h"
#include "tests/unit/suite.h"

static const char *const formats[] = {"txt",  "layout.txt", "json",       "ndjson", "tsv",
                                      "hocr", "alto.xml",   "page.xml",   "pdf",    "html",
                                      "png",  "pnm",        "overlay.png"};
#define N_FORMATS PL_ARRAY_LEN(formats)

static char dir[] = "/tmp/platen-fault-XXXXXX";
static char out_path[N_FORMATS][128], input_path[128], next_path[128], stream_path[128];
static struct pl_map want[N_FORMATS], want_stream;

struct outcome {
    platen_status status;
    size_t failed;
    bool out_of_memory, named; /* what the message of the failed page says */
};

static void on_failure(void *ctx, platen_status why, const char *message)
{
    struct outcome *o = ctx;
    o->out_of_memory = why == PLATEN_ERR_NOMEM && strstr(message, "out of memory");
    o->named = strstr(message, "page.png");
}

/* Everything from the text of the pipeline to the end of the job; a stream has two pages, whose
 * lines are read together. Never stops half way. */
static struct outcome run(bool stream)
{
    static const char spec[] = "gray,invert:auto,background,deskew,despeckle | lines | ctc";
    struct outcome o = {0};
    struct platen_pipeline *p = NULL;
    struct platen_job *job = NULL;
    struct platen_options options;
    struct platen_summary sum = {.size = sizeof(sum)};
    struct platen_error err = {0};
    platen_options_init(&options, sizeof(options));
    options.threads = 1;
    options.max_mem_bytes = (uint64_t)1 << 30; /* not asked of the system, whose answer may fail */
    options.models = PL_TEST_ROOT "/models";
    options.ctx = &o;
    options.failure = on_failure;
    options.formats =
        stream ? "ndjson" : "txt,layout,json,ndjson,tsv,hocr,alto,page,pdf,html,png,pnm,overlay";
    if (stream)
        options.output_file = stream_path;
    else
        options.output_dir = dir;
    o.status = platen_pipeline_parse(spec, strlen(spec), PLATEN_FORM_TEXT, &p, NULL, &err);
    if (!o.status)
        o.status = platen_job_new(p, &options, &job, &err);
    if (!o.status)
        o.status = platen_job_add(job, input_path, &err);
    if (!o.status && stream)
        o.status = platen_job_add(job, next_path, &err);
    if (!o.status)
        o.status = platen_job_run(job, &sum, &err);
    if (o.status) {
        ck_assert_int_eq(err.code, o.status);
        ck_assert_uint_gt(strlen(err.text), 0);
    }
    o.failed = sum.failed;
    platen_job_free(job);
    platen_pipeline_free(p);
    return o;
}

static void remove_outputs(void)
{
    for (size_t i = 0; i < N_FORMATS; i++)
        unlink(out_path[i]);
    unlink(stream_path);
}

/* Present and equal to the reference, or absent; `complete` wants it present. */
static void check_file(const char *path, const struct pl_map *reference, bool complete, uint64_t n)
{
    struct pl_map map;
    struct stat st;
    if (stat(path, &st)) {
        ck_assert_msg(!complete, "fault %llu: %s is missing", (unsigned long long)n, path);
        return;
    }
    ck_assert_int_eq(pl_map_open(path, 1 << 30, &map, NULL), PLATEN_OK);
    ck_assert_msg(map.size == reference->size && !memcmp(map.data, reference->data, map.size),
                  "fault %llu: %s is partial or wrong", (unsigned long long)n, path);
    pl_map_close(&map);
}

/* A stream that a run could not finish has whole lines of it: the first ones of the reference, but
 * where a page failed before. */
static void check_lines(const struct outcome *o, uint64_t n)
{
    struct pl_map map;
    struct stat st;
    if (stat(stream_path, &st))
        return;
    ck_assert_int_eq(pl_map_open(stream_path, 1 << 30, &map, NULL), PLATEN_OK);
    ck_assert_msg(!map.size || map.data[map.size - 1] == '\n', "fault %llu: half a line",
                  (unsigned long long)n);
    ck_assert_msg(o->failed || (map.size <= want_stream.size &&
                                !memcmp(map.data, want_stream.data, map.size)),
                  "fault %llu: other lines", (unsigned long long)n);
    pl_map_close(&map);
}

static void check_no_temporary(void)
{
    char command[200];
    snprintf(command, sizeof(command), "! ls -A %s | grep -q tmp", dir);
    ck_assert_int_eq(system(command), 0);
}

static void copy_line(const char *name, const char *to)
{
    char from[256];
    struct pl_map map;
    snprintf(from, sizeof(from), PL_TEST_ROOT "/tests/data/lines/%s", name);
    ck_assert_int_eq(pl_map_open(from, 1 << 30, &map, NULL), PLATEN_OK);
    ck_assert_int_eq(pl_file_write(to, map.data, map.size, NULL), PLATEN_OK);
    pl_map_close(&map);
}

static void setup(void)
{
    ck_assert_ptr_nonnull(mkdtemp(dir));
    snprintf(input_path, sizeof(input_path), "%s/in/page.png", dir);
    snprintf(stream_path, sizeof(stream_path), "%s/stream.ndjson", dir);
    for (size_t i = 0; i < N_FORMATS; i++)
        snprintf(out_path[i], sizeof(out_path[i]), "%s/page.%s", dir, formats[i]);
    snprintf(next_path, sizeof(next_path), "%s/in/next-page.png", dir);
    copy_line("07-caps.png", input_path);
    copy_line("09-small.png", next_path);
    struct outcome o = run(false), s = run(true);
    ck_assert_int_eq(o.status, PLATEN_OK);
    ck_assert_int_eq(s.status, PLATEN_OK);
    ck_assert_uint_eq(o.failed + s.failed, 0);
    for (size_t i = 0; i < N_FORMATS; i++)
        ck_assert_int_eq(pl_map_open(out_path[i], 1 << 30, &want[i], NULL), PLATEN_OK);
    ck_assert_int_eq(pl_map_open(stream_path, 1 << 30, &want_stream, NULL), PLATEN_OK);
}

static void teardown(void)
{
    char command[200];
    for (size_t i = 0; i < N_FORMATS; i++)
        pl_map_close(&want[i]);
    pl_map_close(&want_stream);
    snprintf(command, sizeof(command), "rm -r %s", dir);
    ck_assert_int_eq(system(command), 0);
}

static void check_outputs(const struct outcome *o, bool stream, uint64_t n)
{
    bool complete = !o->status && !o->failed;
    for (size_t i = 0; !stream && i < N_FORMATS; i++)
        check_file(out_path[i], &want[i], complete, n);
    /* the stream of a job that ran has a record for a page that failed */
    if (stream && complete)
        check_file(stream_path, &want_stream, complete, n);
    else if (stream && o->status)
        check_lines(o, n);
    check_no_temporary();
    remove_outputs();
}

/* _i: bit 0 = every later allocation fails too, bit 1 = to a stream */
START_TEST(allocations)
{
    bool persistent = _i & 1, stream = _i & 2, failed = true;
    uint64_t n = 1;
    for (; failed; n++) {
        pl_mem_fail_at(n, persistent);
        uint64_t before = pl_mem_count();
        struct outcome o = run(stream);
        failed = pl_mem_count() - before >= n;
        pl_mem_fail_at(0, false);
        if (o.status)
            ck_assert_int_eq(o.status, PLATEN_ERR_NOMEM);
        if (o.failed)
            ck_assert_msg(o.out_of_memory, "fault %llu has another reason", (unsigned long long)n);
        ck_assert_msg(!failed || !persistent || o.status || o.failed, "fault %llu goes unnoticed",
                      (unsigned long long)n);
        check_outputs(&o, stream, n);
    }
    ck_assert_uint_gt(n, 30); /* that many places were tried at least */
}
END_TEST

START_TEST(file_operations)
{
    static const int reasons[] = {EIO, ENOSPC};
    bool stream = _i & 1, failed = true;
    uint64_t n = 1;
    for (; failed; n++) {
        pl_io_fail_at(n, reasons[_i >> 1]);
        struct outcome o = run(stream);
        pl_io_fail_at(0, 0);
        failed = o.status || o.failed;
        if (o.status)
            ck_assert_int_eq(o.status, PLATEN_ERR_IO);
        if (o.failed && !o.status)
            ck_assert(o.named);
        check_outputs(&o, stream, n);
    }
    ck_assert_uint_gt(n, stream ? 4 : 15);
}
END_TEST

int main(void)
{
    TCase *t = tcase_create("faults");
    tcase_add_unchecked_fixture(t, setup, teardown);
    tcase_set_timeout(t, 300);
    tcase_add_loop_test(t, allocations, 0, 4);
    tcase_add_loop_test(t, file_operations, 0, 4);
    Suite *s = suite_create("job_faults");
    suite_add_tcase(s, t);
    return run_suite(s);
}
