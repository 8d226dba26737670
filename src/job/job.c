/* SPDX-License-Identifier: BSD-2-Clause */
/* A job before it runs: makes a plan of its options, opens models, takes inputs and requests. */
#include "job/job.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/sized.h"
#include "host/host.h"
#include "models/models.h"
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

/* Opens the language model of model X.platen, which is X.lm.platen. That it is missing is an error
 * only where it was asked for. */
static platen_status open_language(struct platen_job *job, const struct pl_str *model,
                                   enum pl_language_wish wish, struct platen_error *err)
{
    struct pl_str *path = &job->language_path;
    if (wish == PL_LANGUAGE_OFF)
        return PLATEN_OK;
    pl_models_language(model->s, path);
    if (path->failed)
        return pl_fail_nomem(err, model->len, "a model's name");
    if (wish != PL_LANGUAGE_ON && access(path->s, F_OK) && errno == ENOENT)
        return PLATEN_OK;
    return pl_language_open(path->s, &job->language, err);
}

/* Opens what tells the language of what model X.platen reads, X.lang.platen, where it is. */
static platen_status open_identifier(struct platen_job *job, const struct pl_str *model,
                                     struct platen_error *err)
{
    struct pl_str *path = &job->identifier_path;
    pl_models_identifier(model->s, path);
    if (path->failed)
        return pl_fail_nomem(err, model->len, "a model's name");
    if (access(path->s, F_OK) && errno == ENOENT)
        return PLATEN_OK;
    return pl_identifier_open(path->s, &job->identifier, err);
}

/* Opens the smaller network that reads lines before model X.platen, X.quick.platen, where it is. */
static platen_status open_quick(struct platen_job *job, const struct pl_str *model,
                                struct platen_error *err)
{
    struct pl_str *path = &job->quick_path;
    pl_models_quick(model->s, path);
    if (path->failed)
        return pl_fail_nomem(err, model->len, "a model's name");
    if (access(path->s, F_OK) && errno == ENOENT)
        return PLATEN_OK;
    platen_status s = pl_network_load(path->s, NULL, &job->quick, err);
    if (s)
        return s;
    pl_device_take(&job->device, job->quick, path->s);
    s = pl_line_model_add_quick(&job->line, job->quick, err);
    s = s ? s : pl_recognize_try(job->quick, &job->line, &job->kernels, err);
    return s ? pl_fail_prefix(err, s, "'%s': ", path->s) : s;
}

/* What is read beside `eng` where no model is named. */
static const struct {
    const char *name;
    enum pl_further_use use;
} further[] = {{"vietnamese", PL_FURTHER_LANGUAGE}, {"cyrillic-greek", PL_FURTHER_TRIAL}};

static void name_model(struct platen_job *job)
{
    const char *name = pl_network_meta(job->model, "name");
    const char *version = pl_network_meta(job->model, "version");
    if (name)
        snprintf(job->plan.model, sizeof(job->plan.model), "%s%s%s", name, version ? " " : "",
                 version ? version : "");
}

/* Adds the further models that are installed. */
static platen_status add_further(struct platen_job *job, struct platen_error *err)
{
    struct pl_str path = {0};
    platen_status s = PLATEN_OK;
    for (size_t i = 0; i < PL_ARRAY_LEN(further) && !s; i++)
        if (!pl_models_find(further[i].name, job->o.models, &path, NULL))
            s = pl_further_add(&job->further, path.s, further[i].use, err);
    pl_str_done(&path);
    return s;
}

/* Finds the model that reads lines and the further ones: as they are named, else `eng`, and those
 * that are installed where characters are not restricted. */
static platen_status find_models(struct platen_job *job, const struct pl_recognize_args *args,
                                 struct platen_error *err)
{
    const char *names = job->o.model ? job->o.model : "eng";
    struct pl_str name = {0}, path = {0};
    platen_status s = PLATEN_OK;
    bool first = true;
    for (const char *p = names; p && !s; first = false) {
        const size_t n = access(p, F_OK) ? strcspn(p, ",") : strlen(p);
        pl_str_reset(&name);
        pl_str_add(&name, p, n);
        p = p[n] ? p + n + 1 : NULL;
        s = name.failed
                ? pl_fail_nomem(err, n, "a model's name")
                : pl_models_find(name.s, job->o.models, first ? &job->model_path : &path, err);
        if (!s && !first)
            s = pl_further_add(&job->further, path.s, PL_FURTHER_LANGUAGE | PL_FURTHER_TRIAL, err);
    }
    const bool chosen = args->chars && !pl_chars_are_others(args->chars);
    if (!s && !job->o.model && !chosen)
        s = add_further(job, err);
    pl_str_done(&name);
    pl_str_done(&path);
    return s;
}

static platen_status open_model(struct platen_job *job, struct platen_error *err)
{
    const struct pl_step *step = pl_spec_step(job->plan.pipeline, PLATEN_STAGE_RECOGNIZE);
    pl_further_init(&job->further, &job->kernels, &job->device, step ? step->args : NULL);
    job->plan.further = &job->further;
    job->plan.languages = &job->languages;
    if (!step)
        return PLATEN_OK;
    struct pl_str *path = &job->model_path;
    platen_status s = find_models(job, step->args, err);
    s = s ? s : pl_network_load(path->s, NULL, &job->model, err);
    if (s)
        return s;
    pl_device_take(&job->device, job->model, path->s);
    s = pl_line_model_read(job->model, &job->line, err);
    s = s ? s : pl_recognize_try(job->model, &job->line, &job->kernels, err);
    if (s)
        return pl_fail_prefix(err, s, "'%s': ", path->s);
    s = open_quick(job, path, err);
    s = s ? s : open_language(job, path, pl_recognize_language_wish(step->args), err);
    s = s ? s : open_identifier(job, path, err);
    name_model(job);
    const bool other = !s && job->language && job->identifier;
    s = other ? pl_languages_find(&job->languages, path->s, job->identifier, err) : s;
    const struct pl_text_models text = {.language = job->language,
                                        .identifier = job->identifier,
                                        .others = other ? &job->languages.models : NULL};
    s = s ? s : pl_recognize_decoder(&job->line, &text, step->args, &job->decoder, err);
    if (s)
        return s;
    job->further.identifier = job->identifier;
    job->further.words = job->decoder->lexicon;
    job->decoding = (struct pl_decoding){job->decoder, &job->further.models};
    job->plan.decoding = &job->decoding;
    return job->o.model ? pl_further_open_all(&job->further, err) : PLATEN_OK;
}

/* Lists the files of the models for the pages, each of which checks that they have not changed. */
static void watch_models(struct platen_job *job)
{
    struct pl_plan *plan = &job->plan;
    if (job->model)
        plan->models[plan->n_models++] =
            (struct pl_shared_file){&job->model->map, job->model_path.s};
    if (job->quick)
        plan->models[plan->n_models++] =
            (struct pl_shared_file){&job->quick->map, job->quick_path.s};
    if (job->language)
        plan->models[plan->n_models++] =
            (struct pl_shared_file){&job->language->s.map, job->language_path.s};
    if (job->identifier)
        plan->models[plan->n_models++] =
            (struct pl_shared_file){&job->identifier->s.map, job->identifier_path.s};
    if (job->detector)
        plan->models[plan->n_models++] =
            (struct pl_shared_file){&job->detector->map, job->detector_path.s};
}

/* Tries the network of a detect operation before any page is read. */
static platen_status try_detector(struct platen_job *job, const struct pl_step *step,
                                  struct platen_error *err)
{
    pl_auto(db_net) imported = NULL;
    pl_auto(detector) own = NULL;
    platen_status s = PLATEN_OK;
    const struct pl_detect_op *op = pl_detect_op_of(step->info);
    if (op->open) {
        s = op->open(job->detector, &job->kernels, step->args, &imported, err);
        return s ? s : pl_db_net_try(imported, &(struct pl_db_map){0}, err);
    }
    s = pl_detector_new(job->detector, &job->kernels, &own, err);
    return s ? s : pl_detector_try(own, err);
}

/* Returns what names the network of a pipeline's detect stage; NULL where it has none. */
static const struct pl_param *net_param(const struct platen_pipeline *p)
{
    const struct pl_step *step = pl_spec_step(p, PLATEN_STAGE_DETECT);
    return step ? pl_op_param_naming(step->info, PL_NAMES_MODEL) : NULL;
}

/* Returns the pipeline whose network is opened: the job's own, or the first of those that requests
 * may name which has one; NULL where none has. */
static const struct platen_pipeline *net_pipeline(const struct platen_job *job)
{
    if (net_param(job->plan.pipeline))
        return job->plan.pipeline;
    for (size_t i = 0; i < job->o.n_pipelines; i++)
        if (net_param(job->o.pipelines[i]))
            return job->o.pipelines[i];
    return NULL;
}

/* Returns whether a step of detection runs without its network where that is not installed. */
static bool goes_without(const struct pl_step *step)
{
    const struct pl_detect_op *op = pl_detect_op_of(step->info);
    return op->goes_without && op->goes_without(step->args);
}

/* Opens the network of the detect stage, if its operation has one. */
static platen_status open_detector(struct platen_job *job, struct platen_error *err)
{
    const struct platen_pipeline *p = net_pipeline(job);
    if (!p)
        return PLATEN_OK;
    const struct pl_step *step = pl_spec_step(p, PLATEN_STAGE_DETECT);
    struct pl_str *path = &job->detector_path;
    const char *name = pl_arg_text(net_param(p), step->args);
    if (!name)
        return pl_fail(err, PLATEN_ERR_ARG, "%s needs a network: %s:model=FILE", step->info->name,
                       step->info->name);
    platen_status s = pl_models_find(name, job->o.models, path, err);
    if (s == PLATEN_ERR_IO && goes_without(step)) {
        pl_str_reset(path);
        return PLATEN_OK;
    }
    s = s ? s : pl_network_load(path->s, NULL, &job->detector, err);
    if (s)
        return s;
    pl_device_take(&job->device, job->detector, path->s);
    job->detect = step;
    s = try_detector(job, step, err);
    return s ? pl_fail_prefix(err, s, "'%s': ", path->s) : s;
}

/* Whether a pipeline has no network for detection, or that of pipeline `with`. */
static bool shares_net(const struct platen_pipeline *p, const struct platen_pipeline *with)
{
    if (!net_param(p))
        return true;
    const struct pl_step *a = pl_spec_step(p, PLATEN_STAGE_DETECT),
                         *b = pl_spec_step(with, PLATEN_STAGE_DETECT);
    const char *model = pl_arg_text(net_param(p), a->args),
               *other = pl_arg_text(net_param(with), b->args);
    return a->info == b->info && !pl_detect_op_of(a->info)->open && !strcmp(model, other) &&
           goes_without(a) >= goes_without(b);
}

/* Whether a pipeline can do with the decoders of the job's own, and with the network of pipeline
 * `net`, NULL where none has one. */
static bool goes_beside(const struct platen_pipeline *p, const struct platen_pipeline *own,
                        const struct platen_pipeline *net)
{
    const struct pl_step *read = pl_spec_step(p, PLATEN_STAGE_RECOGNIZE),
                         *own_read = pl_spec_step(own, PLATEN_STAGE_RECOGNIZE);
    return shares_net(p, net) &&
           (!read || (own_read && pl_recognize_decodes_alike(read->args, own_read->args)));
}

/* A job of requests has no outputs of its own: each request names its format. Its models and
 * decoders are those of its own pipeline, as is the network of detection if that has one. */
static platen_status check_requests(const struct platen_job *job, struct platen_error *err)
{
    const struct platen_options *o = &job->o;
    for (size_t i = 0; i < o->n_pipelines; i++)
        if (!goes_beside(o->pipelines[i], job->plan.pipeline, net_pipeline(job)))
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

static platen_status init_job(struct platen_job *job, struct platen_error *err)
{
    job->plan.output_dir = job->o.output_dir;
    job->plan.steps_dir = job->o.steps_dir;
    job->plan.times = job->o.times;
    job->plan.dpi = (float)job->o.dpi;
    job->plan.slim = job->o.slim;
    job->plan.join_lines = job->o.join_lines;
    job->plan.clean_pdf = job->o.clean_pdf;
    job->plan.pdfa = job->o.pdfa;
    job->plan.cancel = &job->stop;
    job->plan.wake_fd = job->source.wake_fd;
    if (job->plan.wake_fd < 0)
        return pl_fail_errno(err, PLATEN_ERR_INTERNAL, "unable to make an event");
    job->plan.kept = &job->kept;
    job->plan.durable = job->o.durable;
    if (!(job->o.dpi >= 0 && job->o.dpi <= PLATEN_MAX_DPI))
        return pl_fail(err, PLATEN_ERR_ARG, "the resolution is outside 0..%d", PLATEN_MAX_DPI);
    if ((unsigned)job->o.pdf_text > PLATEN_PDF_TEXT_REDO)
        return pl_fail(err, PLATEN_ERR_ARG, "unknown use of the text of a PDF");
    if ((unsigned)job->o.opt_level > PLATEN_OPT_FULL)
        return pl_fail(err, PLATEN_ERR_ARG, "unknown optimization level");
    platen_status s = job->o.requests ? check_requests(job, err) : add_formats(job, err);
    s = s ? s
          : pl_pdf_sheet_read(job->o.page_size, job->o.margins, job->o.align, &job->plan.sheet,
                              err);
    if (!s)
        s = choose_kernels(job, err);
    if (!s)
        s = choose_threads(job, err);
    if (!s)
        s = choose_batches(job, err);
    s = s ? s : choose_documents(job, err);
    s = s ? s : check_frames(job, err);
    bool grows = !s && job->o.output_file && pl_plan_grows(&job->plan);
    if (!s && job->o.resume && !job->o.output_dir && !grows)
        s = pl_fail(err, PLATEN_ERR_ARG,
                    "to resume needs an output directory (with a slash), or one file that pages "
                    "are added to (ndjson, tsv, txt, layout, json)");
    s = s ? s : pl_device_open(&job->device, job->o.device, err);
    if (!s)
        s = open_model(job, err);
    if (!s)
        s = open_detector(job, err);
    watch_models(job);
    job->plan.load = (struct pl_load_options){.gray = !pl_plan_needs_color(&job->plan),
                                              .max_pixels = job->o.max_pixels,
                                              .pdf_text = job->o.pdf_text};
    if (!s && (job->o.output_dir || grows))
        s = pl_key_make(
            &job->plan,
            &(struct pl_key_models){job->detector_path.len ? job->detector_path.s : NULL,
                                    job->model ? job->model_path.s : NULL, job->quick != NULL,
                                    job->language != NULL, job->identifier != NULL, &job->further,
                                    &job->languages},
            job->o.output_dir && !job->plan.documents ? NULL : job->o.pages, job->key, err);
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
    platen_status s = pl_sized_take(&own, sizeof(own), o, "platen_options", err);
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
    platen_status s = check_inputs(job, err);
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
    bool names_matter = job->o.output_dir || job->o.steps_dir /* two of them must not meet */
                        || job->o.resume;
    platen_status s = check_inputs(job, err);
    if (!s && job->o.frames)
        s = pl_fail(err, PLATEN_ERR_ARG, "a stream of frames is the only input");
    if (s)
        return s;
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
