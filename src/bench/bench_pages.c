/* SPDX-License-Identifier: BSD-2-Clause */
/* `platen bench threads`, `platen bench batching`: whole runs over the caller's pages. */
#include "bench/bench.h"

#include <stdio.h>

#include "host/host.h"

#define ROUNDS 5
#define PIPELINE "@document"

struct run {
    const struct platen_pipeline *pipeline;
    const struct pl_bench_input *in;
    size_t pages;
    struct platen_error failed; /* the first page that failed */
    int threads[PL_TURNS_MOST_WAYS], batch_max[PL_TURNS_MOST_WAYS];
};

static platen_status drop(void *ctx, const void *data, size_t n, struct platen_error *err)
{
    (void)ctx, (void)data, (void)n, (void)err;
    return PLATEN_OK;
}

static void keep_failure(void *ctx, platen_status why, const char *message)
{
    struct run *r = ctx;
    (void)why;
    if (!r->failed.text[0])
        snprintf(r->failed.text, sizeof(r->failed.text), "%s", message);
}

static platen_status run_job(struct platen_job *job, struct run *r, struct platen_error *err)
{
    struct platen_summary sum = {.size = sizeof(sum)};
    platen_status s = PLATEN_OK;
    for (size_t i = 0; !s && i < r->in->n; i++)
        s = platen_job_add(job, r->in->names[i], err);
    s = s ? s : platen_job_run(job, &sum, err);
    if (!s && (sum.failed || !sum.done))
        s = pl_fail(err, PLATEN_ERR_ARG, "%s", r->failed.text[0] ? r->failed.text : "no page");
    r->pages = sum.done;
    return s;
}

static platen_status run_way(void *ctx, size_t way, struct platen_error *err)
{
    struct run *r = ctx;
    struct platen_options o;
    struct platen_job *job = NULL;
    platen_options_init(&o, sizeof(o));
    o.threads = r->threads[way];
    o.batch_max = r->batch_max[way];
    o.models = r->in->models;
    o.formats = "ndjson";
    o.write = drop;
    o.fail_fast = true;
    o.failure = keep_failure;
    o.ctx = r;
    platen_status s = platen_job_new(r->pipeline, &o, &job, err);
    s = s ? s : run_job(job, r, err);
    platen_job_free(job);
    return s;
}

static platen_status bench_runs(struct run *r, struct pl_bench_case *c, struct pl_turns *t,
                                const struct pl_bench_reader *to, struct platen_error *err)
{
    struct platen_pipeline *p = NULL;
    char data[32];
    platen_status s =
        platen_pipeline_parse(PIPELINE, sizeof(PIPELINE) - 1, PLATEN_FORM_TEXT, &p, NULL, err);
    r->pipeline = p;
    /* the first run tells how many pages there are */
    s = s ? s : run_way(r, 0, err);
    snprintf(data, sizeof(data), "%zu page%s", r->pages, r->pages == 1 ? "" : "s");
    c->data = data;
    c->unit = "ms/page";
    c->unit_ns = 1e6 * (double)PL_MAX(r->pages, (size_t)1);
    t->rounds = ROUNDS;
    s = s ? s : pl_bench_case(c, t, run_way, r, to, err);
    platen_pipeline_free(p);
    return s;
}

platen_status pl_bench_threads(const struct pl_bench_input *in, const struct pl_bench_reader *to,
                               struct platen_error *err)
{
    char text[PL_TURNS_MOST_WAYS][16];
    const char *ways[PL_TURNS_MOST_WAYS];
    struct run r = {.in = in};
    struct pl_bench_case c = {.subject = "threads", .ways = ways};
    struct pl_turns t = {.clock = CLOCK_MONOTONIC};
    const int cores = platen_cores();
    for (int threads = 1; t.ways < PL_TURNS_MOST_WAYS; threads = PL_MIN(2 * threads, cores)) {
        r.threads[t.ways] = threads;
        snprintf(text[t.ways], sizeof(text[0]), "-j%d", threads);
        ways[t.ways] = text[t.ways];
        t.ways++;
        if (threads == cores)
            break;
    }
    return bench_runs(&r, &c, &t, to, err);
}

platen_status pl_bench_batching(const struct pl_bench_input *in, const struct pl_bench_reader *to,
                                struct platen_error *err)
{
    static const char *const ways[] = {"--batch-max 1", "--batch-max 4", "--batch-max 16",
                                       "--batch-max 64"};
    struct run r = {.in = in, .threads = {1, 1, 1, 1}, .batch_max = {1, 4, 16, PLATEN_MAX_BATCH}};
    struct pl_bench_case c = {.subject = "batching", .ways = ways};
    struct pl_turns t = {.ways = PL_ARRAY_LEN(ways), .clock = CLOCK_PROCESS_CPUTIME_ID};
    return bench_runs(&r, &c, &t, to, err);
}
