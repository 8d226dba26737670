#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "pipeline/host.h"
#include "pipeline/inputs.h"
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
    ck_assert_int_eq(pl_inputs_name(&in, true, &err), PLATEN_OK);
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
        ck_assert_int_eq(pl_inputs_name(&in, true, &err), PLATEN_OK);
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

/* Runs n times the same page on one thread and tells the allocations of the run. */
static uint64_t run_pages(const char *spec, const char *page, int n, struct platen_options *o)
{
    struct platen_pipeline *p = NULL;
    struct platen_job *job = NULL;
    struct platen_summary sum;
    o->threads = 1;
    o->models = PL_TEST_ROOT "/models";
    ck_assert_int_eq(platen_pipeline_parse(spec, strlen(spec), PLATEN_FORM_TEXT, &p, NULL, &err),
                     0);
    ck_assert_int_eq(platen_job_new(p, o, &job, &err), PLATEN_OK);
    for (int i = 0; i < n; i++)
        ck_assert_int_eq(platen_job_add(job, page, &err), PLATEN_OK);
    uint64_t before = pl_mem_count();
    ck_assert_int_eq(platen_job_run(job, &sum, &err), PLATEN_OK);
    uint64_t count = pl_mem_count() - before;
    ck_assert_uint_eq(sum.done, n);
    platen_job_free(job);
    platen_pipeline_free(p);
    return count;
}

static uint64_t allocations(const char *page, int n)
{
    size_t bytes = 0;
    struct platen_options o;
    platen_options_init(&o);
    o.ctx = &bytes;
    o.write = count_bytes;
    uint64_t count = run_pages("gray,invert:auto,deskew | lines | ctc", page, n, &o);
    ck_assert_uint_gt(bytes, n);
    return count;
}

/* Of a PNM page: libpng and libjpeg have allocations of their own. */
START_TEST(pages_after_the_first_allocate_nothing)
{
    struct platen_options o;
    platen_options_init(&o);
    o.formats = "pnm";
    o.output_file = in_dir("line.pgm");
    run_pages("gray", PL_TEST_ROOT "/tests/data/lines/02-clean-sans.png", 1, &o);
    uint64_t few = allocations(o.output_file, 20), many = allocations(o.output_file, 60);
    ck_assert_msg(few == many, "%llu allocations for 20 pages, %llu for 60",
                  (unsigned long long)few, (unsigned long long)many);
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
    struct platen_summary sum;
    put("page.pgm", "P5 2 2 255 abcd");
    platen_options_init(&o);
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

int main(void)
{
    Suite *s = suite_create("job");
    TCase *t = tcase_create("job");
    tcase_add_unchecked_fixture(t, setup, teardown);
    tcase_set_timeout(t, 60);
    tcase_add_test(t, cgroup_share_is_the_least_on_the_path);
    tcase_add_test(t, cgroup_memory_is_the_least_on_the_path);
    tcase_add_test(t, directories_are_read_in_byte_order);
    tcase_add_test(t, output_names_stay_below_their_directory);
    tcase_add_test(t, pages_after_the_first_allocate_nothing);
    tcase_add_test(t, cancel_ends_a_job_and_a_job_runs_once);
    suite_add_tcase(s, t);
    return run_suite(s);
}
