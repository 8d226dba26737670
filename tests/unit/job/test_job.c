/* SPDX-License-Identifier: BSD-2-Clause */
#include <check.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "host/host.h"
#include "files/inputs.h"
#include "platen.h"
#include "tests/unit/suite.h"

static struct platen_error err;
static char dir[] = "/tmp/platen-job-XXXXXX";

static void setup(void)
{
    ck_assert_ptr_nonnull(mkdtemp(dir));
}

static void teardown(void)
{
    char command[64];
    snprintf(command, sizeof(command), "rm -r %s", dir);
    ck_assert_int_eq(system(command), 0);
}

static const char *in_dir(const char *name)
{
    static char path[4][128];
    static int turn;
    turn = (turn + 1) % 4;
    snprintf(path[turn], sizeof(path[turn]), "%s/%s", dir, name);
    return path[turn];
}

static void put(const char *name, const char *text)
{
    ck_assert_int_eq(pl_file_write(in_dir(name), text, strlen(text), &err), PLATEN_OK);
}

static const struct {
    const char *proc; /* /proc/self/cgroup */
    double share;
} cgroups[] = {
    {"", 0},
    {"0::/\n", 0},
    {"0::/a\n", 2.5},
    {"0::/a/b\n", 1.5},
    {"0::/a/b/free\n", 1.5}, /* its own limit is "max": that of a parent holds */
    {"0::/a/wide\n", 2.5},   /* a child cannot have more than its parent */
    {"0::/gone\n", 0},
    {"2:memory:/a\n4:cpuset:/a\n", 0},
    {"4:cpu,cpuacct:/v1\n2:memory:/a\n", 0.75},
    {"4:cpuacct,cpu:/v1/free\n0::/a\n", 0.75},
    {"rubbish\n::\n0:", 0},
};

START_TEST(cgroup_share_is_the_least_on_the_path)
{
    put("cg/a/cpu.max", "250000 100000\n");
    put("cg/a/b/cpu.max", "150000 100000\n");
    put("cg/a/b/free/cpu.max", "max 100000\n");
    put("cg/a/wide/cpu.max", "900000 100000\n");
    put("cg/cpu/v1/cpu.cfs_quota_us", "75000\n");
    put("cg/cpu/v1/cpu.cfs_period_us", "100000\n");
    put("cg/cpu/v1/free/cpu.cfs_quota_us", "-1\n");
    put("cg/cpu/v1/free/cpu.cfs_period_us", "100000\n");
    for (size_t i = 0; i < PL_ARRAY_LEN(cgroups); i++) {
        double share = pl_host_cgroup_share(cgroups[i].proc, in_dir("cg"));
        ck_assert_msg(share == cgroups[i].share, "%s: %g", cgroups[i].proc, share);
    }
    ck_assert_int_ge(platen_cores(), 1);
    ck_assert_int_le(platen_cores(), pl_host_affinity());
}
END_TEST

static const struct {
    const char *proc;
    double bytes;
} memory_limits[] = {
    {"0::/\n", 0},           {"0::/a\n", 4e9},
    {"0::/a/b\n", 1e9}, /* memory.high is below memory.max */
    {"0::/a/b/free\n", 1e9}, {"3:memory:/v1\n0::/gone\n", 5e8},
    {"3:cpu:/v1\n", 0},
};

START_TEST(caches_are_those_of_one_core)
{
    static const struct {
        const char *index, *level, *type, *size;
    } caches[] = {{"0", "1", "Data", "32K"},
                  {"1", "1", "Instruction", "64K"},
                  {"2", "2", "Unified", "1M"},
                  {"3", "3", "Unified", "32768K"}};
    for (size_t i = 0; i < PL_ARRAY_LEN(caches); i++) {
        const char *const members[][2] = {
            {"level", caches[i].level}, {"type", caches[i].type}, {"size", caches[i].size}};
        for (size_t k = 0; k < PL_ARRAY_LEN(members); k++) {
            char name[64], text[32];
            snprintf(name, sizeof(name), "cpu/cache/index%s/%s", caches[i].index, members[k][0]);
            int n = snprintf(text, sizeof(text), "%s\n", members[k][1]);
            ck_assert_int_eq(pl_file_write(in_dir(name), text, (size_t)n, &err), PLATEN_OK);
        }
    }
    ck_assert_uint_eq(pl_host_cache_bytes(in_dir("cpu"), 1), 32 << 10);
    ck_assert_uint_eq(pl_host_cache_bytes(in_dir("cpu"), 2), 1 << 20);
    ck_assert_uint_eq(pl_host_cache_bytes(in_dir("cpu"), 3), 32 << 20);
    ck_assert_uint_eq(pl_host_cache_bytes(in_dir("cpu"), 4), 0);
    ck_assert_uint_eq(pl_host_cache_bytes(in_dir("nowhere"), 1), 0);
}
END_TEST

START_TEST(cgroup_memory_is_the_least_on_the_path)
{
    put("cg/a/memory.max", "4000000000\n");
    put("cg/a/memory.high", "max\n");
    put("cg/a/b/memory.max", "2000000000\n");
    put("cg/a/b/memory.high", "1000000000\n");
    put("cg/a/b/free/memory.max", "max\n");
    put("cg/memory/v1/memory.limit_in_bytes", "500000000\n");
    put("cg/memory/memory.limit_in_bytes", "9223372036854771712\n");
    for (size_t i = 0; i < PL_ARRAY_LEN(memory_limits); i++) {
        double bytes = pl_host_cgroup_memory(memory_limits[i].proc, in_dir("cg"));
        ck_assert_msg(bytes == memory_limits[i].bytes, "%s: %g", memory_limits[i].proc, bytes);
    }
    ck_assert_uint_gt(pl_host_memory_bytes(), 1 << 20);
    ck_assert_uint_gt(pl_host_peak_bytes(-1), 1 << 20);
    ck_assert_uint_le(pl_host_peak_bytes(-1), pl_host_memory_bytes());
}
END_TEST

/* path, then the stem below an output directory */
static void expect(const struct pl_inputs *in, const char *const (*want)[2], size_t n)
{
    ck_assert_uint_eq(in->n, n);
    for (size_t i = 0; i < n; i++) {
        ck_assert_str_eq(in->v[i].path, want[i][0][0] == '-' ? "-" : in_dir(want[i][0]));
        ck_assert_str_eq(in->v[i].stem, want[i][1]);
    }
}

START_TEST(directories_are_read_in_byte_order)
{
    static const char *const made[] = {"d/b.png",   "d/a.JPG",     "d/a.png",
                                       "d/a/z.pgm", "d/a-/y.hdr",  "d/.h/x.png",
                                       "d/.x.png",  "d/notes.txt", "d/png"};
    static const char *const want[][2] = {{"d/a/z.pgm", "a/z"},
                                          {"d/a-/y.hdr", "a-/y"},
                                          {"d/a.JPG", "a.JPG"},
                                          {"d/a.png", "a.png"},
                                          {"d/b.png", "b"}};
    for (size_t i = 0; i < PL_ARRAY_LEN(made); i++)
        put(made[i], "");
    struct pl_inputs in;
    pl_inputs_init(&in);
    ck_assert_int_eq(pl_inputs_add(&in, in_dir("d"), false, &err), PLATEN_OK);
    ck_assert_int_eq(pl_inputs_name(&in, PL_NAMES_UNIQUE, &err), PLATEN_OK);
    expect(&in, want, PL_ARRAY_LEN(want));
    pl_inputs_done(&in);
}
END_TEST

START_TEST(output_names_stay_below_their_directory)
{
    static const char *const names[][2] = {
        {"/etc/a.png", "etc/a"},   {"../../a.png", "a"}, {"./x//y/./b.c.png", "x/y/b.c"},
        {"x/../../y/c", "x/y/c"},  {"...png", "...png"}, {".png", ".png"},
        {"x/.hidden", "x/.hidden"}};
    for (size_t i = 0; i < PL_ARRAY_LEN(names); i++) {
        struct pl_inputs in;
        pl_inputs_init(&in);
        ck_assert_int_eq(pl_inputs_add(&in, names[i][0], true, &err), PLATEN_OK);
        ck_assert_int_eq(pl_inputs_name(&in, PL_NAMES_UNIQUE, &err), PLATEN_OK);
        ck_assert_str_eq(in.v[0].path, names[i][0]);
        ck_assert_str_eq(in.v[0].stem, names[i][1]);
        pl_inputs_done(&in);
    }
}
END_TEST

static platen_status count_bytes(void *ctx, const void *data, size_t n, struct platen_error *e)
{
    (void)data, (void)e;
    *(size_t *)ctx += n;
    return PLATEN_OK;
}

/* Runs n times the same page on one thread and tells the allocations of the run, without those of
 * the codecs' libraries. */
static uint64_t run_pages(const char *spec, const char *page, int n, struct platen_options *o)
{
    struct platen_pipeline *p = NULL;
    struct platen_job *job = NULL;
    struct platen_summary sum = {.size = sizeof(sum)};
    o->threads = 1;
    o->models = PL_TEST_ROOT "/models";
    ck_assert_int_eq(platen_pipeline_parse(spec, strlen(spec), PLATEN_FORM_TEXT, &p, NULL, &err),
                     0);
    ck_assert_int_eq(platen_job_new(p, o, &job, &err), PLATEN_OK);
    for (int i = 0; i < n; i++)
        ck_assert_int_eq(platen_job_add(job, page, &err), PLATEN_OK);
    ck_assert_int_eq(platen_job_run(job, &sum, &err), PLATEN_OK);
    ck_assert_uint_eq(sum.done, n);
    platen_job_free(job);
    platen_pipeline_free(p);
    return sum.allocations;
}

static uint64_t allocations(const char *page, int n)
{
    size_t bytes = 0;
    struct platen_options o;
    platen_options_init(&o, sizeof(o));
    o.ctx = &bytes;
    o.write = count_bytes;
    uint64_t count = run_pages("gray,invert:auto,deskew | lines | ctc", page, n, &o);
    ck_assert_uint_gt(bytes, n);
    return count;
}

/* _i: as PNG, which ISA-L and libpng read, and as PNM. */
START_TEST(pages_after_the_first_allocate_nothing)
{
    static const char png[] = PL_TEST_ROOT "/tests/data/lines/02-clean-sans.png";
    struct platen_options o;
    platen_options_init(&o, sizeof(o));
    o.formats = "pnm";
    o.output_file = in_dir("line.pgm");
    run_pages("gray", png, 1, &o);
    const char *page = _i ? o.output_file : png;
    uint64_t few = allocations(page, 20), many = allocations(page, 60);
    ck_assert_msg(few == many, "%llu allocations for 20 pages, %llu for 60",
                  (unsigned long long)few, (unsigned long long)many);
}
END_TEST

/* What the streams of two formats were given. */
struct two_streams {
    char text[2][4096];
    size_t n[2];
};

static platen_status add_to_one(void *ctx, size_t format, const void *data, size_t n,
                                struct platen_error *e)
{
    struct two_streams *t = ctx;
    (void)e;
    ck_assert_uint_lt(format, 2);
    ck_assert_uint_lt(t->n[format] + n, sizeof(t->text[format]));
    memcpy(t->text[format] + t->n[format], data, n);
    t->n[format] += n;
    return PLATEN_OK;
}

/* Each has its own heads, separators and records of failures; the resolution is that of the caller.
 */
START_TEST(formats_go_to_streams_of_their_own)
{
    struct platen_pipeline *p = NULL;
    struct platen_options o;
    struct platen_job *job = NULL;
    struct platen_summary sum = {.size = sizeof(sum)};
    struct two_streams t = {0};
    put("page.pgm", "P5 2 2 255 abcd");
    platen_options_init(&o, sizeof(o));
    o.formats = "json,ndjson";
    o.dpi = 150;
    o.ctx = &t;
    ck_assert_int_eq(platen_pipeline_parse("gray", 4, PLATEN_FORM_TEXT, &p, NULL, &err), PLATEN_OK);
    ck_assert_int_eq(platen_job_new(p, &o, &job, &err), PLATEN_ERR_ARG); /* no place for two */
    o.write_format = add_to_one;
    o.output_file = in_dir("out.json");
    ck_assert_int_eq(platen_job_new(p, &o, &job, &err), PLATEN_ERR_ARG);
    o.output_file = NULL;
    ck_assert_int_eq(platen_job_new(p, &o, &job, &err), PLATEN_OK);
    ck_assert_int_eq(platen_job_add(job, in_dir("page.pgm"), &err), PLATEN_OK);
    ck_assert_int_eq(platen_job_add(job, in_dir("none.pgm"), &err), PLATEN_OK);
    ck_assert_int_eq(platen_job_run(job, &sum, &err), PLATEN_OK);
    ck_assert_ptr_nonnull(strstr(t.text[0], "{\n  \"path\": "));
    ck_assert_ptr_nonnull(strstr(t.text[0], "none.pgm\",\n  \"page\": 1"));
    ck_assert_ptr_nonnull(strstr(t.text[1], "\"dpi\":[150,150]"));
    ck_assert_ptr_nonnull(strstr(t.text[1], "none.pgm\",\"page\":1"));
    ck_assert_ptr_nonnull(strstr(t.text[1], "unable to open"));
    platen_job_free(job);
    platen_pipeline_free(p);
}
END_TEST

static void cancel_at_once(void *ctx, const struct platen_progress *now)
{
    if (now->done == 3)
        platen_job_cancel(*(struct platen_job **)ctx);
}

START_TEST(cancel_ends_a_job_and_a_job_runs_once)
{
    struct platen_pipeline *p = NULL;
    struct platen_options o;
    struct platen_job *job = NULL;
    struct platen_summary sum = {.size = sizeof(sum)};
    put("page.pgm", "P5 2 2 255 abcd");
    platen_options_init(&o, sizeof(o));
    o.threads = 3;
    o.formats = "json";
    o.ctx = &job;
    o.progress = cancel_at_once;
    ck_assert_int_eq(platen_pipeline_parse("gray", 4, PLATEN_FORM_TEXT, &p, NULL, &err), PLATEN_OK);
    ck_assert_int_eq(platen_job_new(p, &o, &job, &err), PLATEN_OK);
    for (int i = 0; i < 5000; i++)
        ck_assert_int_eq(platen_job_add(job, in_dir("page.pgm"), &err), PLATEN_OK);
    ck_assert_int_eq(platen_job_run(job, &sum, &err), PLATEN_ERR_CANCELED);
    ck_assert_uint_eq(sum.pages, 5000);
    ck_assert_uint_ge(sum.done, 3);
    ck_assert_uint_lt(sum.done, 200); /* the pages in flight at most */
    ck_assert_int_eq(platen_job_run(job, &sum, &err), PLATEN_ERR_ARG);
    platen_job_free(job);
    platen_pipeline_free(p);
}
END_TEST

static void *cancel_when_it_reads(void *job)
{
    int fd = open(in_dir("fifo"), O_WRONLY); /* returns when it is open for reading */
    platen_job_cancel(job);
    return (void *)(intptr_t)fd;
}

START_TEST(cancel_wakes_what_waits_for_a_pipe)
{
    struct platen_pipeline *p = NULL;
    struct platen_options o;
    struct platen_job *job = NULL;
    struct platen_summary sum = {.size = sizeof(sum)};
    pthread_t thread;
    void *fd;
    ck_assert_int_eq(mkfifo(in_dir("fifo"), 0600), 0);
    platen_options_init(&o, sizeof(o));
    o.threads = 2;
    o.formats = "json";
    ck_assert_int_eq(platen_pipeline_parse("gray", 4, PLATEN_FORM_TEXT, &p, NULL, &err), PLATEN_OK);
    ck_assert_int_eq(platen_job_new(p, &o, &job, &err), PLATEN_OK);
    ck_assert_int_eq(platen_job_add(job, in_dir("fifo"), &err), PLATEN_OK);
    ck_assert_int_eq(pthread_create(&thread, NULL, cancel_when_it_reads, job), 0);
    ck_assert_int_eq(platen_job_run(job, &sum, &err), PLATEN_ERR_CANCELED);
    ck_assert_uint_eq(sum.done + sum.failed, 0);
    pthread_join(thread, &fd);
    close((int)(intptr_t)fd);
    platen_job_free(job);
    platen_pipeline_free(p);
}
END_TEST

/* ---- requests ---- */

struct asked {
    platen_status status;
    char text[400];
    bool begun;
    atomic_int answers;
};

static void on_answer(void *ctx, const struct platen_answer *a)
{
    struct asked *to = ctx;
    to->status = a->status;
    to->begun = a->begun;
    snprintf(to->text, sizeof(to->text), "%.*s", (int)a->data_bytes, (const char *)a->data);
    atomic_fetch_add(&to->answers, 1);
}

static struct platen_job *asked_job(const char *spec, int threads, struct platen_pipeline **p)
{
    struct platen_options o;
    struct platen_job *job = NULL;
    platen_options_init(&o, sizeof(o));
    o.threads = threads;
    o.requests = true;
    ck_assert_int_eq(platen_pipeline_parse(spec, strlen(spec), PLATEN_FORM_TEXT, p, NULL, &err),
                     PLATEN_OK);
    ck_assert_int_eq(platen_job_new(*p, &o, &job, &err), PLATEN_OK);
    return job;
}

static struct platen_request *ask(struct platen_job *job, const char *bytes, const char *format,
                                  struct asked *to, platen_status want)
{
    struct platen_request *r = NULL;
    struct platen_picture pic = {.size = sizeof(pic),
                                 .data = bytes,
                                 .data_bytes = strlen(bytes),
                                 .name = "x.pgm",
                                 .format = format,
                                 .ctx = to,
                                 .answer = on_answer};
    ck_assert_int_eq(platen_job_ask(job, &pic, &r, &err), want);
    ck_assert(!r == (want != PLATEN_OK));
    return r;
}

#define PAGE "P5 2 2 255 abcd"
#define N_ASKED 40

static void *run_in_thread(void *ctx)
{
    struct platen_summary sum = {.size = sizeof(sum)};
    struct platen_error ignored;
    return (void *)(intptr_t)platen_job_run(ctx, &sum, &ignored);
}

/* Some before the job runs, some while it does, one thread after the other and all at once. */
START_TEST(requests_are_answered_once)
{
    static struct asked asked[N_ASKED];
    struct platen_request *r[N_ASKED];
    struct platen_pipeline *p = NULL;
    void *status;
    pthread_t runner;
    struct platen_job *job = asked_job("gray", _i, &p);
    memset(asked, 0, sizeof(asked));
    for (int i = 0; i < N_ASKED; i++) {
        if (i == N_ASKED / 2)
            ck_assert_int_eq(pthread_create(&runner, NULL, run_in_thread, job), 0);
        r[i] = ask(job, i % 8 ? PAGE : "rubbish", "pnm", &asked[i], PLATEN_OK);
    }
    platen_job_close(job);
    ck_assert_int_eq(pthread_join(runner, &status), 0);
    ck_assert_int_eq((intptr_t)status, PLATEN_OK);
    for (int i = 0; i < N_ASKED; i++) {
        ck_assert_int_eq(asked[i].answers, 1);
        ck_assert_int_eq(asked[i].status, i % 8 ? PLATEN_OK : PLATEN_ERR_FORMAT);
        ck_assert_str_eq(asked[i].text, i % 8 ? "P5\n2 2\n255\nabcd"
                                              : "unable to decode 'x.pgm': plain text: no picture");
        platen_request_free(r[i]);
    }
    ask(job, PAGE, "pnm", &asked[0], PLATEN_ERR_CANCELED);
    platen_job_free(job);
    platen_pipeline_free(p);
}
END_TEST

START_TEST(requests_that_nobody_wants)
{
    struct asked asked = {0}, kept = {0};
    struct platen_pipeline *p = NULL;
    struct platen_summary sum = {.size = sizeof(sum)};
    struct platen_job *job = asked_job("gray", 1, &p);
    ask(job, PAGE, "txt", &asked, PLATEN_ERR_ARG); /* the pipeline does not recognize */
    ask(job, PAGE, "nonsense", &asked, PLATEN_ERR_ARG);
    ck_assert_int_eq(platen_job_add(job, "a.png", &err), PLATEN_ERR_ARG);
    struct platen_request *last = ask(job, PAGE, "png", &kept, PLATEN_OK);
    struct platen_request *r = ask(job, PAGE, "png", &asked, PLATEN_OK);
    ck_assert_uint_eq(platen_job_waiting(job), 2);
    platen_request_cancel(job, r);
    platen_request_cancel(job, r);
    ck_assert_int_eq(asked.answers, 1);
    ck_assert_int_eq(asked.status, PLATEN_ERR_CANCELED);
    ck_assert(!asked.begun);
    ck_assert_uint_eq(platen_job_waiting(job), 1);
    platen_job_close(job);
    ck_assert_int_eq(platen_job_run(job, &sum, &err), PLATEN_OK);
    ck_assert_int_eq(kept.answers, 1);
    ck_assert(kept.begun);
    ck_assert_uint_eq(sum.done, 1);
    platen_request_free(r);
    platen_request_free(last);
    platen_job_free(job);
    platen_pipeline_free(p);
}
END_TEST

struct cancels {
    struct platen_job *job;
    struct platen_request *r;
    struct asked answer;
};

static void *cancel_soon(void *ctx)
{
    struct cancels *c = ctx;
    struct timespec t = {0, 5000000};
    while (platen_job_waiting(c->job)) /* until it is begun */
        nanosleep(&t, NULL);
    platen_request_cancel(c->job, c->r);
    platen_job_close(c->job);
    return NULL;
}

/* A page of many operations takes seconds: it ends between two of them. */
START_TEST(a_request_ends_while_it_is_read)
{
    char spec[400] = "gauss:9";
    size_t n = 4000 * 4000;
    struct cancels c = {0};
    struct platen_pipeline *p = NULL;
    pthread_t thread;
    for (int i = 0; i < 39; i++)
        strcat(spec, ",gauss:9");
    char *page = malloc(n + 20);
    int head = snprintf(page, 20, "P5 4000 4000 255 ");
    memset(page + head, 'w', n);
    c.job = asked_job(spec, 1, &p);
    struct platen_picture pic = {.size = sizeof(pic),
                                 .data = page,
                                 .data_bytes = n + (size_t)head,
                                 .format = "png",
                                 .ctx = &c.answer,
                                 .answer = on_answer};
    ck_assert_int_eq(platen_job_ask(c.job, &pic, &c.r, &err), PLATEN_OK);
    ck_assert_int_eq(pthread_create(&thread, NULL, cancel_soon, &c), 0);
    ck_assert_ptr_null(run_in_thread(c.job));
    pthread_join(thread, NULL);
    ck_assert_int_eq(c.answer.status, PLATEN_ERR_CANCELED);
    ck_assert(c.answer.begun);
    platen_request_free(c.r);
    platen_job_free(c.job);
    platen_pipeline_free(p);
    free(page);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("job");
    TCase *t = tcase_create("job");
    tcase_add_unchecked_fixture(t, setup, teardown);
    tcase_add_test(t, cgroup_share_is_the_least_on_the_path);
    tcase_add_test(t, caches_are_those_of_one_core);
    tcase_add_test(t, cgroup_memory_is_the_least_on_the_path);
    tcase_add_test(t, directories_are_read_in_byte_order);
    tcase_add_test(t, output_names_stay_below_their_directory);
    tcase_add_loop_test(t, pages_after_the_first_allocate_nothing, 0, 2);
    tcase_add_test(t, formats_go_to_streams_of_their_own);
    tcase_add_test(t, cancel_ends_a_job_and_a_job_runs_once);
    tcase_add_test(t, cancel_wakes_what_waits_for_a_pipe);
    tcase_add_loop_test(t, requests_are_answered_once, 1, 5);
    tcase_add_test(t, requests_that_nobody_wants);
    tcase_add_test(t, a_request_ends_while_it_is_read);
    suite_add_tcase(s, t);
    return run_suite(s);
}
