/* The run of a job: a thread pool and workers, where the output goes, and the figures. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/mem.h"
#include "pipeline/crew.h"
#include "pipeline/exec.h"
#include "pipeline/host.h"
#include "pipeline/job.h"

static platen_status write_to_file(void *ctx, const void *data, size_t n, struct platen_error *err)
{
    return pl_writer_add(ctx, data, n, err);
}

/* Nowhere: for a caller who wants the figures only. */
static platen_status write_nothing(void *ctx, const void *data, size_t n, struct platen_error *err)
{
    (void)ctx, (void)data, (void)n, (void)err;
    return PLATEN_OK;
}

/* Runs with the stream going to the file, which appears whole even after a cancel. */
static platen_status run_to_file(struct pl_exec *x, const char *path, struct platen_error *err)
{
    struct pl_writer w;
    struct platen_error ignored; /* the first error counts */
    platen_status s = pl_writer_open(&w, path, err);
    if (s)
        return s;
    x->write = write_to_file;
    x->write_ctx = &w;
    s = pl_exec_run(x, err);
    if (s && s != PLATEN_ERR_CANCELED) {
        pl_writer_abort(&w);
        return s;
    }
    platen_status committed = pl_writer_commit(&w, s ? &ignored : err);
    return s ? s : committed;
}

/* Whether every output of the page, or of a part of it, is there; adds their bytes. */
static bool has_outputs(const struct platen_job *job, const struct pl_input *in, int part,
                        struct pl_str *scratch, uint64_t *bytes)
{
    struct stat st;
    for (size_t i = 0; i < job->plan.n_formats; i++) {
        pl_str_reset(scratch);
        pl_str_printf(scratch, "%s/%s%s.%s", job->o.output_dir, in->stem, pl_part_suffix(part),
                      job->plan.formats[i]->extension);
        if (scratch->failed || stat(scratch->s, &st))
            return false;
        *bytes += (uint64_t)st.st_size;
    }
    return true;
}

/* Whether the outputs are there, and so many bytes in all. */
static bool is_complete(const struct platen_job *job, const struct pl_input *in, uint64_t bytes,
                        struct pl_str *scratch)
{
    uint64_t whole = 0, parts = 0;
    if (has_outputs(job, in, 0, scratch, &whole) && whole == bytes)
        return true;
    return job->plan.pipeline->divides && has_outputs(job, in, 1, scratch, &parts) &&
           has_outputs(job, in, 2, scratch, &parts) && parts == bytes;
}

/* Marks the inputs that an earlier run completed and whose outputs are still there. */
static void mark_done(struct platen_job *job)
{
    struct pl_str scratch = {0};
    uint64_t bytes = 0;
    for (size_t i = 0; i < job->source.settled.n; i++) {
        struct pl_input *in = &job->source.settled.v[i];
        struct pl_input_state state = pl_input_state_of(in);
        in->done = pl_journal_has(&job->journal, in, &state, &bytes) &&
                   is_complete(job, in, bytes, &scratch);
    }
    pl_str_done(&scratch);
}

static platen_status run_to_dir(struct platen_job *job, struct pl_exec *x, struct platen_error *err)
{
    if (!job->source.settled.n)
        return pl_exec_run(x, err); /* nothing is written then, not even a directory */
    platen_status s = pl_journal_open(&job->journal, job->o.output_dir, job->source.shard_index,
                                      job->source.shard_count, job->key, job->o.resume, err);
    if (!s) {
        x->journal = &job->journal;
        if (job->o.resume)
            mark_done(job);
        s = pl_exec_run(x, err);
    }
    pl_journal_finish(&job->journal, s || job->o.resume || x->done < job->source.settled.n);
    return s;
}

static platen_status run_exec(struct platen_job *job, struct pl_exec *x, struct platen_error *err)
{
    x->plan = &job->plan;
    x->source = &job->source;
    x->stop = &job->stop;
    x->fail_fast = job->o.fail_fast;
    x->unordered = job->o.unordered;
    x->ctx = x->write_ctx = job->o.ctx;
    x->write = job->o.write ? job->o.write : write_nothing;
    x->failure = job->o.failure;
    x->warning = job->o.warning;
    x->progress = job->o.progress;
    if (job->o.requests) {
        pl_exec_serve(x, &job->requests);
        return PLATEN_OK;
    }
    if (job->o.output_file && !job->o.output_dir)
        return run_to_file(x, job->o.output_file, err);
    return job->o.output_dir ? run_to_dir(job, x, err) : pl_exec_run(x, err);
}

static uint64_t own_allocations(void)
{
    return pl_mem_count() - pl_mem_codec_count();
}

static struct platen_queue summarize_queue(const struct pl_depth *d, double wall_s)
{
    return (struct platen_queue){pl_depth_mean(d, wall_s), d->most};
}

static void summarize(struct platen_job *job, const struct pl_exec *x, const struct pl_crew *crew,
                      double wall_s, struct platen_summary *ret)
{
    struct pl_bufpool_stats bufs = pl_bufpool_stats(job->bufs);
    bool all;
    uint64_t allocations = own_allocations() - job->allocations_before;
    *ret = (struct platen_summary){
        .pages = pl_source_count(&job->source, &all) + job->requests.asked,
        .failed = x->failed,
        .done = x->done,
        .skipped = x->skipped,
        .wall_s = wall_s,
        .peak_rss_bytes = pl_host_peak_bytes(),
        .buffer_gets = bufs.gets,
        .buffer_hits = bufs.hits,
        .buffer_peak_bytes = bufs.peak_bytes,
        .allocations = allocations,
        .max_mem_bytes = job->max_mem_bytes,
        .pages_at_once = job->gate.most_inside,
        .pages_delayed = job->gate.delayed,
        .threads = job->threads,
        .isa = pl_isa_name(job->kernels.isa),
    };
    pl_crew_summarize(crew, ret);
    ret->waiting_memory = summarize_queue(&job->gate.waiting, wall_s);
    ret->waiting_turn = summarize_queue(&x->waiting, wall_s);
    ret->line_calls = atomic_load(&job->calls.n);
    ret->line_strips = atomic_load(&job->calls.strips);
    const struct pl_network *const networks[] = {job->model, job->detector};
    for (size_t i = 0; i < PL_ARRAY_LEN(networks); i++) {
        ret->models += networks[i] != NULL;
        ret->model_bytes += networks[i] ? networks[i]->map.size : 0;
    }
    ret->models += job->language != NULL;
    ret->model_bytes += job->language ? job->language->bytes : 0;
    const char *name = job->model ? pl_network_meta(job->model, "name") : NULL;
    snprintf(ret->model, sizeof(ret->model), "%s", name ? name : "");
}

/* An output that is one of the inputs would take its place. */
static platen_status check_file(const struct platen_job *job, struct platen_error *err)
{
    const char *file = job->o.output_dir ? NULL : job->o.output_file;
    for (size_t i = 0; file && i < job->source.settled.n; i++)
        if (pl_file_is_same(file, job->source.settled.v[i].path))
            return pl_fail(err, PLATEN_ERR_ARG, "the output would take the place of '%s'",
                           job->source.settled.v[i].path);
    return PLATEN_OK;
}

/* The checks that need the inputs. */
static platen_status settle_inputs(struct platen_job *job, struct platen_error *err)
{
    if (job->ran)
        return pl_fail(err, PLATEN_ERR_ARG, "a job runs once");
    job->ran = true;
    job->allocations_before = own_allocations();
    platen_status s = pl_inputs_split(&job->source.settled, err);
    if (!s)
        s = pl_inputs_name(&job->source.settled, job->o.output_dir || job->o.steps_dir,
                           job->plan.pipeline->divides, err);
    if (s)
        return s;
    pl_inputs_shard(&job->source.settled, job->source.shard_index, job->source.shard_count);
    bool several = job->source.settled.n > 1 || job->plan.pipeline->divides;
    if (!job->o.output_dir && !job->o.requests && job->plan.formats[0]->single && several)
        return pl_fail(err, PLATEN_ERR_ARG, "several pages in format '%s' need an output directory",
                       job->plan.formats[0]->name);
    return check_file(job, err);
}

/* A line for each page, with the members that ndjson names it by. */
static platen_status write_manifest(const struct platen_job *job, struct platen_error *err)
{
    struct pl_str text = {0};
    for (size_t i = 0; i < job->source.settled.n; i++) {
        const struct pl_input *in = &job->source.settled.v[i];
        pl_str_puts(&text, "{\"path\":");
        pl_str_json(&text, in->path, strlen(in->path));
        pl_str_printf(&text, ",\"page\":%d}\n", PL_MAX(in->page, 1));
    }
    platen_status s = text.failed
                          ? pl_fail_nomem(err, text.len, "the manifest")
                          : pl_file_write(job->o.manifest, text.len ? text.s : "", text.len, err);
    pl_str_done(&text);
    return s;
}

/* How the lines of pages are brought together. Nobody waits for a page of a directory. */
static struct pl_batch_rules batch_rules(const struct platen_job *job)
{
    struct pl_batch_rules r = {.preferred = PL_MIN(job->batch_preferred, job->calls.most)};
    if (job->o.requests || job->source.live) {
        r.wait_ms = job->o.batch_wait_ms;
        r.target_ms = job->o.target_latency_ms;
    }
    return r;
}

platen_status platen_job_run(struct platen_job *job, struct platen_summary *ret,
                             struct platen_error *err)
{
    struct pl_exec x = {0};
    struct pl_crew crew = {0};
    pl_auto(pool) pool = NULL;
    double start = pl_host_seconds();
    const struct pl_batch_rules rules = batch_rules(job);
    platen_status s = settle_inputs(job, err);
    if (job->o.manifest) {
        summarize(job, &x, &crew, 0, ret);
        return s ? s : write_manifest(job, err);
    }
    if (!s)
        s = pl_pool_new(job->threads, &pool, err);
    if (!s)
        s = pl_crew_init(&crew,
                         &(struct pl_crew_kit){&job->kernels, job->bufs, job->model, job->decoder,
                                               &job->calls, &rules,
                                               pl_spec_step(job->plan.pipeline, PL_SPEC_DETECT),
                                               job->detector},
                         pool, err);
    x.pool = pool;
    x.batches = crew.batches;
    if (!s)
        s = run_exec(job, &x, err);
    pl_requests_abandon(&job->requests); /* if it could not begin */
    summarize(job, &x, &crew, pl_host_seconds() - start, ret);
    pl_crew_done(&crew);
    return s;
}
