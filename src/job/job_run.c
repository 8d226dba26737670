/* SPDX-License-Identifier: BSD-2-Clause */
/* The run of a job: a thread pool and workers, where the output goes, and the figures. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/sized.h"
#include "job/crew.h"
#include "job/exec.h"
#include "host/host.h"
#include "job/job.h"
#include "files/merge_shards.h"
#include "job/protect.h"
#include "job/earlier/resume.h"

/* Whether inputs come that nobody could look into yet: by a list, a pipe or a request. Regular
 * files were looked into when the inputs were settled. */
static bool inputs_come_later(const struct platen_job *job)
{
    const struct pl_inputs *in = &job->source.settled;
    struct stat st;
    bool later = job->o.requests || job->source.live;
    for (size_t i = 0; i < in->n && !later; i++)
        later = !in->v[i].data && (stat(in->v[i].path, &st) || !S_ISREG(st.st_mode));
    return later;
}

static platen_status write_to_file(void *ctx, const void *data, size_t n, struct platen_error *err)
{
    return pl_writer_add(ctx, data, n, err);
}

/* Drops the bytes, for a caller who wants the figures alone. */
static platen_status write_nothing(void *ctx, const void *data, size_t n, struct platen_error *err)
{
    (void)ctx, (void)data, (void)n, (void)err;
    return PLATEN_OK;
}

static bool is_there(const char *path)
{
    struct stat st;
    return !stat(path, &st) && S_ISREG(st.st_mode);
}

/* Runs with the stream going to the file, which appears whole. After a cancel it has the pages that
 * were done, but does not take the place of a file that is there; where there is nothing to write,
 * that stays, too. */
static platen_status run_to_file(const struct platen_job *job, struct pl_exec *x,
                                 struct platen_error *err)
{
    const char *const path = job->o.output_file;
    struct platen_error kept;
    struct pl_writer w;
    struct platen_error ignored; /* the first error counts */
    platen_status s = pl_writer_open_until(&w, path, x->plan->wake_fd, err);
    if (s)
        return s;
    w.durable = x->plan->durable;
    x->write = write_to_file;
    x->write_ctx = &w;
    s = pl_exec_run(x, err);
    const bool keeps = s == PLATEN_ERR_CANCELED && is_there(path);
    if (keeps && job->o.notice) {
        (void)!pl_fail(&kept, s, "'%s' is what it was before: nothing incomplete takes its place",
                       path);
        job->o.notice(job->o.ctx, kept.text);
    }
    if (keeps || (s && s != PLATEN_ERR_CANCELED) || pl_exec_left_nothing(x, x->plan->formats[0])) {
        pl_writer_abort(&w);
        return s;
    }
    platen_status committed = pl_writer_commit(&w, s ? &ignored : err);
    return s ? s : committed;
}

/* Brings the journal to the disk, however the run ended. Of two errors the first is returned. */
static platen_status sync_journal(struct pl_journal *j, platen_status s, struct platen_error *err)
{
    struct platen_error ignored;
    platen_status synced = j->open ? pl_appender_sync(&j->file, s ? &ignored : err) : PLATEN_OK;
    return s ? s : synced;
}

static platen_status add_to_stream(void *ctx, const void *data, size_t n, struct platen_error *err)
{
    return pl_stream_file_add(ctx, data, n, err);
}

/* Runs with the pages going to the file as they come; whole pages stay in it however the run ends.
 */
static platen_status run_to_growing(struct platen_job *job, struct pl_exec *x,
                                    struct platen_error *err)
{
    struct pl_stream_file f;
    struct platen_error ignored; /* the first error counts */
    platen_status s =
        pl_stream_file_open(&f, job->o.output_file, &job->journal, job->key, job->o.resume, err);
    if (!s) {
        f.durable = job->plan.durable;
        if (job->o.resume)
            pl_resume_stream(job, &x->cautious);
        x->growing = &f;
        x->journal = &job->journal;
        x->write = add_to_stream;
        x->write_ctx = &f;
        s = pl_exec_run(x, err);
        platen_status closed = pl_stream_file_close(&f, !s, s ? &ignored : err);
        s = s ? s : closed;
    }
    s = sync_journal(&job->journal, s, err);
    pl_journal_close(&job->journal);
    return s;
}

/* Returns whether the run has a journal. One page alone is soon read again and needs none. */
static bool wants_journal(const struct platen_job *job)
{
    return pl_plan_grows(&job->plan) &&
           pl_stream_file_grows(job->o.output_file, job->source.live && !job->o.frames) &&
           (job->o.resume || job->source.live || job->source.settled.n > 1);
}

static bool goes_to_file(const struct platen_job *job)
{
    return job->o.output_file && !job->o.output_dir;
}

/* Another run has the journal of the directory. */
static void tell_no_journal(struct platen_job *job)
{
    struct platen_error text;
    job->unnoted = true;
    (void)!pl_fail(&text, PLATEN_ERR_ARG,
                   "another run writes to '%s', too: what this one does is not noted there, and "
                   "--resume will not know of it",
                   job->o.output_dir);
    if (job->o.notice)
        job->o.notice(job->o.ctx, text.text);
}

static platen_status run_to_dir(struct platen_job *job, struct pl_exec *x, struct platen_error *err)
{
    struct pl_journal *j = &job->journal;
    struct platen_error ignored; /* the first error counts */
    if (!job->source.settled.n)
        return pl_exec_run(x, err); /* nothing is written then, not even a directory */
    if (job->o.join)
        pl_key_add_inputs(&job->source.settled, job->key);
    platen_status s = pl_journal_open(j, job->o.output_dir, job->source.shard_index,
                                      job->source.shard_count, job->key, job->o.resume, err);
    if (!s && !j->open)
        tell_no_journal(job);
    if (!s && job->o.resume)
        s = pl_resume_dir(job, &x->cautious, err);
    if (!s) {
        x->journal = j;
        s = pl_exec_run(x, err);
    }
    s = sync_journal(j, s, err);
    platen_status tidied = j->untidy ? pl_merge_tidy(j->path.s, s ? &ignored : err) : PLATEN_OK;
    pl_journal_close(j);
    return s ? s : tidied;
}

static platen_status run_exec(struct platen_job *job, struct pl_exec *x, struct platen_error *err)
{
    x->plan = &job->plan;
    x->source = &job->source;
    x->stop = &job->stop;
    x->fail_fast = job->o.fail_fast;
    x->unordered = job->o.unordered && !job->plan.documents;
    x->ctx = x->write_ctx = job->o.ctx;
    x->write = job->o.write ? job->o.write : write_nothing;
    x->failure = job->o.failure;
    x->warning = job->o.warning;
    x->progress = job->o.progress;
    x->page = job->o.page;
    x->write_format = job->o.write_format;
    if (job->o.requests) {
        pl_exec_serve(x, &job->requests);
        return PLATEN_OK;
    }
    if (goes_to_file(job))
        return wants_journal(job) ? run_to_growing(job, x, err) : run_to_file(job, x, err);
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

/* Counts what the directories of the command line and of lists held beside pictures. */
static void summarize_passed(struct platen_job *job, struct platen_summary *ret)
{
    struct pl_inputs *settled = &job->source.settled, *listed = &job->source.entry;
    struct pl_str text = {0};
    pl_passed_join(&settled->passed, &listed->passed);
    ret->elsewhere = settled->elsewhere + listed->elsewhere;
    ret->passed_over = settled->passed.n;
    if (ret->passed_over)
        pl_passed_tell(&settled->passed, &text);
    if (text.s && !text.failed)
        snprintf(ret->passed_kinds, sizeof(ret->passed_kinds), "%s", text.s);
    pl_str_done(&text);
}

static platen_status write_passed(const struct platen_job *job, struct platen_error *err)
{
    const struct pl_str *names = &job->source.settled.passed.names;
    if (!job->o.passed_over)
        return PLATEN_OK;
    if (names->failed)
        return pl_fail_nomem(err, names->len, "names that were passed over");
    return pl_file_write(job->o.passed_over, names->len ? names->s : "", names->len, err);
}

static void summarize(struct platen_job *job, const struct pl_exec *x, const struct pl_crew *crew,
                      double wall_s, struct platen_summary *ret)
{
    struct pl_bufpool_stats bufs = pl_bufpool_stats(job->bufs);
    bool all;
    uint64_t allocations = own_allocations() - job->allocations_before;
    struct platen_summary sum = {
        .pages = pl_source_count(&job->source, &all) + job->requests.asked,
        .failed = x->failed,
        .done = x->done,
        .damaged = x->damaged,
        .skipped = x->skipped,
        .wall_s = wall_s,
        .peak_rss_bytes = pl_host_peak_bytes(job->status_fd),
        .buffer_gets = bufs.gets,
        .buffer_hits = bufs.hits,
        .buffer_peak_bytes = bufs.peak_bytes,
        .allocations = allocations,
        .max_mem_bytes = job->max_mem_bytes,
        .pages_at_once = job->gate.most_inside,
        .promised_bytes = job->gate.most_bytes,
        .pages_delayed = job->gate.delayed,
        .threads = job->threads,
        .isa = pl_isa_name(job->kernels.isa),
        .resumable =
            !job->unnoted && (job->o.output_dir || (goes_to_file(job) && wants_journal(job))),
    };
    summarize_passed(job, &sum);
    sum.frames = (size_t)job->source.frames.n;
    sum.frames_same = (size_t)job->source.frames.same;
    pl_crew_summarize(crew, &sum);
    sum.waiting_memory = summarize_queue(&job->gate.waiting, wall_s);
    sum.waiting_turn = summarize_queue(&x->waiting, wall_s);
    sum.line_calls = atomic_load(&job->calls.n);
    sum.line_strips = atomic_load(&job->calls.strips);
    const struct pl_network *const networks[] = {job->model, job->quick, job->detector};
    for (size_t i = 0; i < PL_ARRAY_LEN(networks); i++) {
        sum.models += networks[i] != NULL;
        sum.model_bytes += networks[i] ? networks[i]->map.size : 0;
    }
    sum.models += job->language != NULL;
    sum.model_bytes += job->language ? job->language->s.bytes : 0;
    sum.models += job->identifier != NULL;
    sum.model_bytes += job->identifier ? job->identifier->s.bytes : 0;
    pl_further_count(&job->further, &sum.models, &sum.model_bytes);
    pl_languages_count(&job->languages, &sum.models, &sum.model_bytes);
    const char *name = job->model ? pl_network_meta(job->model, "name") : NULL;
    snprintf(sum.model, sizeof(sum.model), "%s", name ? name : "");
    snprintf(sum.device, sizeof(sum.device), "%s", pl_device_name(&job->device));
    pl_sized_give(ret, &sum, sizeof(sum));
}

/* Makes ready what late files need, before threads are made and files are given up. */
static platen_status make_ready(const struct platen_job *job, struct platen_error *err)
{
    return inputs_come_later(job) && !job->o.manifest ? pl_image_files_may_come(err) : PLATEN_OK;
}

/* Starts the program that renders drawn pages, before threads are made and files are given up. */
static platen_status start_renderer(struct platen_job *job, struct platen_error *err)
{
    if (!job->o.pdf_renderer || job->o.manifest || job->o.frames ||
        !(job->source.settled.may_be_drawn || inputs_come_later(job)))
        return PLATEN_OK;
    job->renders = true;
    return pl_image_renderer_start(job->o.pdf_renderer, !job->o.pdf_renderer_open, err);
}

static platen_status check_single(const struct pl_plan *plan, struct platen_error *err)
{
    for (size_t i = 0; i < plan->n_formats; i++)
        if (plan->formats[i]->single)
            return pl_fail(err, PLATEN_ERR_ARG,
                           "several pages in format '%s' need an output directory",
                           plan->formats[i]->name);
    return PLATEN_OK;
}

/* Whether the input is a file whose bytes stay where they are while the job runs. */
static bool stays(const struct pl_input *in)
{
    struct stat st;
    return in->data || (!stat(in->path, &st) && S_ISREG(st.st_mode));
}

/* Whether PDFs stay where they become a PDF each, and their pages are not to become pictures. */
static bool may_update(const struct platen_job *job)
{
    const struct pl_plan *plan = &job->plan;
    bool has_pdf = false;
    for (size_t i = 0; i < plan->n_formats; i++)
        has_pdf = has_pdf || plan->formats[i] == pl_emitter_find("pdf", 3);
    return has_pdf && !job->o.clean_pdf && !job->o.pdfa && !plan->sheet.wanted &&
           job->o.pdf_text != PLATEN_PDF_TEXT_FORCE && !job->o.requests && !job->source.live &&
           !plan->pipeline->divides;
}

/* Whether all inputs are known and pages of one file. */
static bool are_of_one_file(const struct platen_job *job)
{
    const struct pl_inputs *in = &job->source.settled;
    for (size_t i = 1; i < in->n; i++)
        if (pl_inputs_is_first(in, i))
            return false;
    return in->n && !inputs_come_later(job);
}

/* Tells of every input whether another page of its file follows. */
static void find_ends(struct pl_inputs *in)
{
    for (size_t i = 0; i + 1 < in->n; i++)
        in->v[i].more = !pl_inputs_is_first(in, i + 1);
}

/* Tells of every input whether the PDF that it is a page of stays. Of a stream, or one document of
 * all inputs, that is so where all inputs are pages of one file. */
static void find_updates(struct platen_job *job)
{
    struct pl_inputs *in = &job->source.settled;
    struct pl_plan *plan = &job->plan;
    const bool one = !job->o.output_dir || in->joined;
    if (!may_update(job) || (one && !plan->one_file))
        return;
    bool any = false;
    for (size_t i = 0; i < in->n; i++) {
        in->v[i].stays = in->v[i].is_pdf && !in->v[i].error && stays(&in->v[i]);
        any = any || in->v[i].stays;
    }
    plan->update = any && !job->o.output_dir && plan->n_formats == 1;
    if (!job->o.output_dir && !plan->update)
        for (size_t i = 0; i < in->n; i++)
            in->v[i].stays = false;
    if (any)
        pl_image_load_libraries(PL_LIBRARY_PDF);
}

/* A new document has no place for text that is not read. */
static platen_status check_pdf_text(const struct platen_job *job, struct platen_error *err)
{
    const struct pl_inputs *in = &job->source.settled;
    bool lost = job->source.live || job->o.requests;
    for (size_t i = 0; i < in->n; i++)
        lost = lost || (in->v[i].is_pdf && !in->v[i].stays);
    if (job->o.pdf_text != PLATEN_PDF_TEXT_SKIP || !lost)
        return PLATEN_OK;
    for (size_t i = 0; i < job->plan.n_formats; i++)
        if (job->plan.formats[i]->source)
            return pl_fail(err, PLATEN_ERR_ARG,
                           "pages that are skipped have their text only where one PDF becomes one "
                           "PDF: not in format '%s' here",
                           job->plan.formats[i]->name);
    return PLATEN_OK;
}

/* Opens what holds several inputs. What is read of a pipe stays in memory for all of them, so that
 * these get the rest. */
static platen_status open_holders(struct platen_job *job, struct platen_error *err)
{
    struct pl_gate *gate = &job->gate;
    struct pl_inputs *in = &job->source.settled;
    const size_t most = pl_gate_input_bytes(gate);
    uint64_t held = 0;
    platen_status s = PLATEN_OK;
    if (job->o.tar)
        s = pl_inputs_read_archives(in, most, job->plan.wake_fd, err);
    else if (!job->source.live && !job->o.manifest)
        s = pl_inputs_read_stdin(in, most, job->plan.wake_fd, err);
    if (in->n && in->v[0].data && in->from_stdin.kind == PL_MAP_ALLOCATED)
        held += in->from_stdin.size;
    for (const struct pl_archive *a = in->archives; a; a = a->next)
        held += a->map.kind == PL_MAP_ALLOCATED ? a->map.size : 0;
    gate->budget_bytes -= PL_MIN(gate->budget_bytes, held);
    return s;
}

/* Of the budget the stream of frames takes a share of its own: half of it is for its bytes, the
 * rest for the frame that is compared, at no more than three bytes a pixel. */
#define FRAMES_SHARE 4

static void give_frames_room(struct platen_job *job)
{
    struct pl_frames *f = &job->source.frames;
    const uint64_t share = pl_gate_input_bytes(&job->gate) / FRAMES_SHARE;
    if (!job->o.frames)
        return;
    f->env = (struct pl_env){.k = &job->kernels, .bufs = job->bufs};
    f->gray = job->plan.load.gray;
    f->change = (size_t)job->o.frame_change;
    f->most_bytes = (size_t)share / 2;
    f->max_pixels = PL_MIN(job->o.max_pixels, share / 6);
    job->gate.budget_bytes -= PL_MIN(job->gate.budget_bytes, share);
}

static unsigned naming_of(const struct platen_job *job)
{
    return (job->o.output_dir || job->o.steps_dir ? PL_NAMES_UNIQUE : 0) |
           (job->plan.pipeline->divides ? PL_NAMES_PARTS : 0) |
           (job->plan.documents ? PL_NAMES_DOCUMENTS : 0);
}

platen_status pl_job_settle(struct platen_job *job, struct platen_error *err)
{
    if (job->settled)
        return PLATEN_OK;
    job->settled = true;
    job->start_s = pl_host_seconds();
    job->allocations_before = own_allocations();
    platen_status s = open_holders(job, err);
    give_frames_room(job);
    s = s ? s : pl_inputs_split(&job->source.settled, err);
    if (!s)
        s = pl_inputs_name(&job->source.settled, naming_of(job), err);
    if (!s)
        s = pl_job_protect(job, err);
    if (s)
        return s;
    pl_inputs_shard(&job->source.settled, job->plan.documents, job->source.shard_index,
                    job->source.shard_count);
    s = make_ready(job, err);
    s = s ? s : start_renderer(job, err);
    if (s)
        return s;
    job->plan.one_file = are_of_one_file(job);
    find_ends(&job->source.settled);
    find_updates(job);
    s = check_pdf_text(job, err);
    if (s)
        return s;
    bool several =
        job->source.settled.n > 1 || job->plan.pipeline->divides || job->source.frames.path;
    return job->o.output_dir || job->o.requests || !several ? PLATEN_OK
                                                            : check_single(&job->plan, err);
}

/* Writes a line for each page, with the members by which ndjson names it. */
static platen_status write_manifest(const struct platen_job *job, struct platen_error *err)
{
    struct pl_str text = {0};
    for (size_t i = 0; i < job->source.settled.n; i++) {
        const struct pl_input *in = &job->source.settled.v[i];
        pl_str_puts(&text, "{\"path\":");
        pl_str_json_name(&text, in->path, strlen(in->path));
        pl_str_printf(&text, ",\"page\":%d}\n", PL_MAX(in->page, 1));
    }
    platen_status s = text.failed
                          ? pl_fail_nomem(err, text.len, "the manifest")
                          : pl_file_write(job->o.manifest, text.len ? text.s : "", text.len, err);
    pl_str_done(&text);
    return s;
}

/* Tells the inputs that are known not to be readable, in a run that reads nothing; returns their
 * number. */
static size_t tell_unreadable(const struct platen_job *job)
{
    struct pl_str text = {0};
    size_t n = 0;
    for (size_t i = 0; i < job->source.settled.n; i++) {
        const struct pl_input *in = &job->source.settled.v[i];
        if (!in->error)
            continue;
        n++;
        pl_str_reset(&text);
        pl_str_puts(&text, "unable to open '");
        pl_str_name(&text, in->path, strlen(in->path), PL_NAME_SHOWN);
        pl_str_printf(&text, "': %s", in->error);
        if (job->o.failure && !text.failed)
            job->o.failure(job->o.ctx, pl_input_status(in), text.s);
    }
    pl_str_done(&text);
    return n;
}

/* Returns how lines of several pages are read together. Nothing waits for inputs that are there
 * already. */
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
    platen_status s = PL_NEED(err, job, ret);
    s = s ? s : pl_sized_check(ret, "platen_summary", err);
    if (s)
        return s;
    const struct pl_batch_rules rules = batch_rules(job);
    s = job->ran ? pl_fail(err, PLATEN_ERR_ARG, "a job runs once") : pl_job_settle(job, err);
    job->ran = true;
    if (job->o.manifest) {
        x.failed = s ? 0 : tell_unreadable(job);
        s = s ? s : write_manifest(job, err);
        summarize(job, &x, &crew, 0, ret);
        return s ? s : write_passed(job, err);
    }
    pl_device_tell(&job->device, job->o.notice, job->o.ctx);
    if (!s)
        s = pl_pool_new(job->threads, &pool, err);
    if (!s)
        s = pl_crew_init(&crew,
                         &(struct pl_crew_kit){.kernels = &job->kernels,
                                               .bufs = job->bufs,
                                               .model = job->model,
                                               .line = &job->line,
                                               .n_further = job->further.models.n,
                                               .calls = &job->calls,
                                               .rules = &rules,
                                               .detect = job->detect,
                                               .detector = job->detector,
                                               .max_pixels = job->o.max_pixels},
                         pool, err);
    x.pool = pool;
    x.batches = crew.batches;
    if (!s)
        s = run_exec(job, &x, err);
    pl_requests_abandon(&job->requests); /* if it could not begin */
    summarize(job, &x, &crew, pl_host_seconds() - job->start_s, ret);
    pl_crew_done(&crew);
    pl_device_check(&job->device);
    pl_device_tell(&job->device, job->o.notice, job->o.ctx);
    return s ? s : write_passed(job, err);
}
