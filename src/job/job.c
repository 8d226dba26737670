/* SPDX-License-Identifier: BSD-2-Clause */
/* A job before it runs: makes a plan of its options, takes inputs and requests. */
#include "job/job.h"

#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/sized.h"
#include "host/host.h"
#include "models/networks.h"
#include "job/formats.h"
#include "simd/cpu.h"

/* Places of a frame: noise makes one of them differ now and then. */
#define PLATEN_FRAME_CHANGE 2

_Static_assert(PLATEN_MAX_BATCH == PL_LINE_MAX_STRIPS, "lines of one call");

void platen_options_init(struct platen_options *o, size_t size)
{
    const struct platen_options defaults = {
        .opt_level = PLATEN_OPT_FULL, .max_pixels = 250000000, .frame_change = PLATEN_FRAME_CHANGE};
    o->size = size;
    pl_sized_give(o, &defaults, sizeof(defaults));
}

static platen_status add_formats(struct platen_job *job, struct platen_error *err)
{
    if (job->o.page) {
        if (job->o.formats || job->o.output_dir || job->o.output_file || job->o.write ||
            job->o.write_format)
            return pl_fail(err, PLATEN_ERR_ARG, "a job that tells its pages has no outputs");
        pl_plan_add_tree(&job->plan);
        return PLATEN_OK;
    }
    const char *list = job->o.formats ? job->o.formats : platen_pipeline_format(job->plan.pipeline);
    for (;;) {
        size_t n = strcspn(list, ",");
        platen_status s = pl_plan_add_format(&job->plan, list, n, err);
        if (s)
            return s;
        if (!list[n])
            break;
        list += n + 1;
    }
    if (job->o.write_format && (job->o.output_file || job->o.output_dir || job->o.write))
        return pl_fail(err, PLATEN_ERR_ARG, "formats that are told apart have no other output");
    if (job->plan.n_formats > 1 && !job->o.output_dir && !job->o.write_format)
        return pl_fail(err, PLATEN_ERR_ARG, "several formats need an output directory");
    return PLATEN_OK;
}

/* Which formats make one file of many pages below the directory, and of which pages. */
static platen_status choose_documents(struct platen_job *job, struct platen_error *err)
{
    const char *name = job->o.join;
    for (size_t i = 0; i < job->plan.n_formats; i++)
        job->plan.documents =
            job->plan.documents || (job->o.output_dir && job->plan.formats[i]->document);
    job->source.settled.joined = name;
    if (!name)
        return PLATEN_OK;
    if (!*name || strchr(name, '/'))
        return pl_fail(err, PLATEN_ERR_ARG, "'%.80s' is no name for a document", name);
    return job->plan.documents ? PLATEN_OK
                               : pl_fail(err, PLATEN_ERR_ARG,
                                         "to join inputs needs an output directory, and a format "
                                         "that makes documents there (pdf, textpdf, tiff)");
}

static platen_status choose_kernels(struct platen_job *job, struct platen_error *err)
{
    bool fast = job->o.opt_level == PLATEN_OPT_SIMD || job->o.opt_level == PLATEN_OPT_FULL;
    enum pl_isa isa = fast ? pl_isa_best() : PL_ISA_SCALAR;
    if (job->o.isa) {
        platen_status s = pl_isa_choose(job->o.isa, &isa, err);
        if (s)
            return s;
    }
    pl_kernels_init(&job->kernels, isa);
    return PLATEN_OK;
}

static platen_status choose_threads(struct platen_job *job, struct platen_error *err)
{
    if (job->o.threads < 0 || job->o.threads > PLATEN_MAX_THREADS)
        return pl_fail(err, PLATEN_ERR_ARG, "the number of threads is outside 1..%d",
                       PLATEN_MAX_THREADS);
    bool parallel = job->o.opt_level == PLATEN_OPT_PARALLEL || job->o.opt_level == PLATEN_OPT_FULL;
    job->threads = job->o.threads ? job->o.threads : parallel ? platen_cores() : 1;
    return PLATEN_OK;
}

/* How many lines are not kept waiting for others: with more a call of the network is hardly any
 * faster for each. */
#define BATCH_PREFERRED 16

static platen_status choose_batches(struct platen_job *job, struct platen_error *err)
{
    const struct platen_options *o = &job->o;
    if (o->batch_max < 0 || o->batch_max > PLATEN_MAX_BATCH || o->batch_preferred < 0 ||
        o->batch_preferred > PLATEN_MAX_BATCH)
        return pl_fail(err, PLATEN_ERR_ARG, "the lines of a batch are outside 1..%d",
                       PLATEN_MAX_BATCH);
    if (o->batch_wait_ms < 0 || o->batch_wait_ms > PLATEN_MAX_WAIT_MS ||
        !(o->target_latency_ms >= 0))
        return pl_fail(err, PLATEN_ERR_ARG, "the wait for a batch is outside 0..%d ms",
                       PLATEN_MAX_WAIT_MS);
    job->calls.most = o->batch_max ? (size_t)o->batch_max : PLATEN_MAX_BATCH;
    job->batch_preferred = o->batch_preferred ? (size_t)o->batch_preferred : BATCH_PREFERRED;
    return PLATEN_OK;
}

/* Memory of the process before it holds pages: model and code, and the scratch of each thread. */
#define BASE_BYTES ((uint64_t)12 << 20)
#define THREAD_BYTES ((uint64_t)4 << 20)

static void open_gate(struct platen_job *job)
{
    uint64_t fixed = BASE_BYTES + THREAD_BYTES * (uint64_t)job->threads;
    job->max_mem_bytes = job->o.max_mem_bytes ? job->o.max_mem_bytes : pl_host_memory_bytes() / 2;
    pl_gate_init(&job->gate, job->max_mem_bytes > fixed ? job->max_mem_bytes - fixed : 0);
    job->plan.gate = &job->gate;
}

/* A job of requests has no outputs of its own: each request names its format. Its models and
 * decoders are those of its own pipeline, as is the network of detection if that has one. */
static platen_status check_requests(const struct platen_job *job, struct platen_error *err)
{
    const struct platen_options *o = &job->o;
    for (size_t i = 0; i < o->n_pipelines; i++)
        if (!pl_job_shares_models(job, o->pipelines[i]))
            return pl_fail(err, PLATEN_ERR_ARG,
                           "pipeline %zu of those that requests may name needs a network, "
                           "characters, words or a weight of its own",
                           i + 1);
    if (o->formats || o->output_dir || o->output_file || o->steps_dir || o->manifest || o->resume)
        return pl_fail(err, PLATEN_ERR_ARG, "a job of requests has no outputs of its own");
    return PLATEN_OK;
}

/* A stream of frames comes once, and nothing in it is known before. */
static platen_status check_frames(struct platen_job *job, struct platen_error *err)
{
    const struct platen_options *o = &job->o;
    if (!o->frames)
        return PLATEN_OK;
    if (o->tar || o->requests || o->manifest || o->pages || o->resume)
        return pl_fail(err, PLATEN_ERR_ARG,
                       "frames come once: they are no archive, no request, and have no manifest, "
                       "choice of pages or resume");
    if (job->plan.documents)
        return pl_fail(err, PLATEN_ERR_ARG,
                       "frames make one document: it needs a file, not a directory");
    if (o->frame_change < 0 || o->frame_change > PLATEN_MAX_FRAME_CHANGE)
        return pl_fail(err, PLATEN_ERR_ARG, "the change of a frame is outside 0..%d places",
                       PLATEN_MAX_FRAME_CHANGE);
    return pl_framing_parse(o->frames, &job->source.frames.framing, err);
}

/* Takes what the plan of pages has from the options as they are. */
static void fill_plan(struct platen_job *job)
{
    const struct platen_options *o = &job->o;
    struct pl_plan *plan = &job->plan;
    plan->output_dir = o->output_dir;
    plan->steps_dir = o->steps_dir;
    plan->times = o->times;
    plan->dpi = (float)o->dpi;
    plan->slim = o->slim;
    plan->join_lines = o->join_lines;
    plan->clean_pdf = o->clean_pdf;
    plan->pdfa = o->pdfa;
    plan->durable = o->durable;
    plan->cancel = &job->stop;
    plan->wake_fd = job->source.wake_fd;
    plan->kept = &job->kept;
}

static platen_status check_options(const struct platen_options *o, struct platen_error *err)
{
    if (!(o->dpi >= 0 && o->dpi <= PLATEN_MAX_DPI))
        return pl_fail(err, PLATEN_ERR_ARG, "the resolution is outside 0..%d", PLATEN_MAX_DPI);
    if ((unsigned)o->pdf_text > PLATEN_PDF_TEXT_REDO)
        return pl_fail(err, PLATEN_ERR_ARG, "unknown use of the text of a PDF");
    if ((unsigned)o->opt_level > PLATEN_OPT_FULL)
        return pl_fail(err, PLATEN_ERR_ARG, "unknown optimization level");
    return PLATEN_OK;
}

static platen_status init_job(struct platen_job *job, struct platen_error *err)
{
    fill_plan(job);
    if (job->plan.wake_fd < 0)
        return pl_fail_errno(err, PLATEN_ERR_INTERNAL, "unable to make an event");
    platen_status s = check_options(&job->o, err);
    if (s)
        return s;
    s = job->o.requests ? check_requests(job, err) : add_formats(job, err);
    s = s ? s
          : pl_pdf_sheet_read(job->o.page_size, job->o.margins, job->o.align, &job->plan.sheet,
                              err);
    s = s ? s : choose_kernels(job, err);
    s = s ? s : choose_threads(job, err);
    s = s ? s : choose_batches(job, err);
    s = s ? s : choose_documents(job, err);
    s = s ? s : check_frames(job, err);
    bool grows = !s && job->o.output_file && pl_plan_grows(&job->plan);
    if (!s && job->o.resume && !job->o.output_dir && !grows)
        s = pl_fail(err, PLATEN_ERR_ARG,
                    "to resume needs an output directory (with a slash), or one file that pages "
                    "are added to (ndjson, tsv, txt, layout, json)");
    s = s ? s : pl_device_open(&job->device, job->o.device, err);
    s = s ? s : pl_job_open_model(job, err);
    s = s ? s : pl_job_open_detector(job, err);
    pl_job_watch_models(job);
    job->plan.load = (struct pl_load_options){.gray = !pl_plan_needs_color(&job->plan),
                                              .max_pixels = job->o.max_pixels,
                                              .pdf_text = job->o.pdf_text};
    if (!s && (job->o.output_dir || grows))
        s = pl_key_make(&job->plan,
                        &(struct pl_key_models){
                            .detector = job->detector_path.len ? job->detector_path.s : NULL,
                            .recognizer = job->model ? job->model_path.s : NULL,
                            .quick = job->quick,
                            .language = job->language,
                            .identifier = job->identifier,
                            .further = &job->further,
                            .languages = &job->languages},
                        job->o.output_dir && !job->plan.documents ? NULL : job->o.pages, job->key,
                        err);
    job->bufs = s ? NULL : pl_bufpool_new();
    return s || job->bufs ? s : pl_fail_nomem(err, 0, "the buffer pool");
}

/* Of a file given by name, and of one that a list names. */
static platen_status choose_pages(struct platen_job *job, struct platen_error *err)
{
    if (!job->o.pages)
        return PLATEN_OK;
    platen_status s = pl_page_ranges_parse(job->o.pages, &job->source.settled.wanted, err);
    job->source.entry.wanted = job->source.settled.wanted;
    return s;
}

platen_status platen_job_new(const struct platen_pipeline *p, const struct platen_options *o,
                             struct platen_job **ret, struct platen_error *err)
{
    struct platen_options own;
    platen_options_init(&own, sizeof(own));
    platen_status s = PL_NEED(err, p, o, ret);
    s = s ? s : pl_sized_take(&own, sizeof(own), o, "platen_options", err);
    s = s ? s : PL_NEED_WHEN(err, own.n_pipelines, own.pipelines);
    if (s)
        return s;
    struct platen_job *job = pl_alloc_zero(1, sizeof(*job));
    if (!job)
        return pl_fail_nomem(err, sizeof(*job), "the job");
    job->o = own;
    job->status_fd = -1;
    job->plan.pipeline = p;
    pl_source_init(&job->source);
    struct pl_inputs *const inputs[] = {&job->source.settled, &job->source.entry};
    for (size_t i = 0; i < PL_ARRAY_LEN(inputs); i++) {
        inputs[i]->all_files = own.all_files;
        inputs[i]->outputs[0] = own.output_dir;
        inputs[i]->outputs[1] = own.steps_dir;
        inputs[i]->passed.keep_names = own.passed_over;
    }
    pl_requests_init(&job->requests);
    pl_variants_init(&job->variants, &job->decoding);
    s = choose_pages(job, err);
    s = s ? s : init_job(job, err);
    open_gate(job);
    if (s)
        platen_job_free(job);
    else
        *ret = job;
    return s;
}

void platen_job_free(struct platen_job *job)
{
    if (!job)
        return;
    if (job->renders)
        pl_image_renderer_stop();
    pl_source_done(&job->source);
    pl_requests_done(&job->requests);
    pl_variants_done(&job->variants);
    pl_gate_done(&job->gate);
    pl_bufpool_free(job->bufs);
    pl_decoder_free(job->decoder);
    pl_line_model_done(&job->line);
    pl_language_free(job->language);
    pl_identifier_free(job->identifier);
    pl_network_free(job->model);
    pl_network_free(job->quick);
    pl_network_free(job->detector);
    pl_further_done(&job->further);
    pl_languages_done(&job->languages);
    pl_device_done(&job->device);
    if (job->status_fd >= 0)
        close(job->status_fd);
    pl_str_done(&job->roots);
    pl_kept_done(&job->kept);
    pl_str_done(&job->model_path);
    pl_str_done(&job->quick_path);
    pl_str_done(&job->detector_path);
    pl_str_done(&job->language_path);
    pl_str_done(&job->identifier_path);
    pl_free(job);
}

static platen_status check_inputs(const struct platen_job *job, struct platen_error *err)
{
    return job->o.requests ? pl_fail(err, PLATEN_ERR_ARG, "a job of requests has no inputs")
                           : PLATEN_OK;
}

/* Opens the stream, whose name is in job->roots. */
static platen_status add_frames(struct platen_job *job, const char *path, struct platen_error *err)
{
    const char *kept = pl_arena_strndup(&job->source.settled.arena, path, strlen(path));
    return kept ? pl_source_open_frames(&job->source, kept, err)
                : pl_fail_nomem(err, strlen(path), "a name");
}

platen_status platen_job_add(struct platen_job *job, const char *path, struct platen_error *err)
{
    platen_status s = PL_NEED(err, job, path);
    s = s ? s : check_inputs(job, err);
    if (s)
        return s;
    pl_str_add(&job->roots, path, strlen(path) + 1);
    if (job->roots.failed)
        return pl_fail_nomem(err, strlen(path), "a name");
    return job->o.frames ? add_frames(job, path, err)
                         : pl_inputs_add(&job->source.settled, path, false, err);
}

platen_status platen_job_add_list(struct platen_job *job, const char *path, bool nul_ended,
                                  struct platen_error *err)
{
    platen_status s = PL_NEED(err, job, path);
    s = s ? s : check_inputs(job, err);
    if (!s && job->o.frames)
        s = pl_fail(err, PLATEN_ERR_ARG, "a stream of frames is the only input");
    if (s)
        return s;
    bool names_matter = job->o.output_dir || job->o.steps_dir /* two of them must not meet */
                        || job->o.resume;
    job->lists = true;
    job->list_path = pl_arena_strndup(&job->source.settled.arena, path, strlen(path));
    if (!job->list_path)
        return pl_fail_nomem(err, strlen(path), "the name of a list");
    if (names_matter || job->o.manifest || job->o.tar || job->plan.formats[0]->single)
        return pl_inputs_add_list(&job->source.settled, path, nul_ended, err);
    return pl_source_open_list(&job->source, path, nul_ended, err);
}

platen_status platen_job_shard(struct platen_job *job, size_t index, size_t count,
                               struct platen_error *err)
{
    platen_status s = PL_NEED(err, job);
    if (s)
        return s;
    if (index < 1 || index > count)
        return pl_fail(err, PLATEN_ERR_ARG, "shard %zu/%zu does not exist", index, count);
    if (job->o.frames)
        return pl_fail(err, PLATEN_ERR_ARG, "a stream of frames has no shares");
    if (job->o.join)
        return pl_fail(err, PLATEN_ERR_ARG, "a share has no document of all inputs");
    job->source.shard_index = index;
    job->source.shard_count = count;
    return PLATEN_OK;
}

void platen_job_cancel(struct platen_job *job)
{
    atomic_store(&job->stop, true);
    pl_source_stop(&job->source);
}
