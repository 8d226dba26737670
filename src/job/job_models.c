/* SPDX-License-Identifier: BSD-2-Clause */
/* The models of a job: finds and opens them before it runs. */
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "job/job.h"
#include "models/models.h"
#include "models/networks.h"

/* Names the file that goes with the model in `*model`, by one of the functions of models/models.h.
 * *ret_there tells whether it is there, or cannot be looked at. */
static platen_status find_beside(const struct pl_str *model,
                                 void (*name)(const char *path, struct pl_str *ret),
                                 struct pl_str *ret, bool *ret_there, struct platen_error *err)
{
    name(model->s, ret);
    *ret_there = false;
    if (ret->failed)
        return pl_fail_nomem(err, model->len, "a model's name");
    *ret_there = !access(ret->s, F_OK) || errno != ENOENT;
    return PLATEN_OK;
}

/* Opens the language model of model X.platen, which is X.lm.platen. That it is missing is an error
 * only where it was asked for. */
static platen_status open_language(struct platen_job *job, const struct pl_str *model,
                                   enum pl_language_wish wish, struct platen_error *err)
{
    struct pl_str *path = &job->language_path;
    bool there;
    if (wish == PL_LANGUAGE_OFF)
        return PLATEN_OK;
    platen_status s = find_beside(model, pl_models_language, path, &there, err);
    return s || (wish != PL_LANGUAGE_ON && !there) ? s
                                                   : pl_language_open(path->s, &job->language, err);
}

/* Opens what tells the language of what model X.platen reads, X.lang.platen, where it is. */
static platen_status open_identifier(struct platen_job *job, const struct pl_str *model,
                                     struct platen_error *err)
{
    struct pl_str *path = &job->identifier_path;
    bool there;
    platen_status s = find_beside(model, pl_models_identifier, path, &there, err);
    return s || !there ? s : pl_identifier_open(path->s, &job->identifier, err);
}

/* Opens the smaller network that reads lines before model X.platen, X.quick.platen, where it is. */
static platen_status open_quick(struct platen_job *job, const struct pl_str *model,
                                struct platen_error *err)
{
    struct pl_str *path = &job->quick_path;
    bool there;
    platen_status s = find_beside(model, pl_models_quick, path, &there, err);
    if (s || !there)
        return s;
    s = pl_network_load(path->s, NULL, &job->quick, err);
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
} further[] = {{"latin", PL_FURTHER_LANGUAGE}, {"cyrillic-greek", PL_FURTHER_TRIAL}};

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

platen_status pl_job_open_model(struct platen_job *job, struct platen_error *err)
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

static void watch_file(struct pl_plan *plan, const struct pl_map *map, const struct pl_str *path)
{
    assert(plan->n_models < PL_MAX_MODELS);
    plan->models[plan->n_models++] = (struct pl_shared_file){.map = map, .path = path->s};
}

void pl_job_watch_models(struct platen_job *job)
{
    if (job->model)
        watch_file(&job->plan, &job->model->map, &job->model_path);
    if (job->quick)
        watch_file(&job->plan, &job->quick->map, &job->quick_path);
    if (job->language)
        watch_file(&job->plan, &job->language->s.map, &job->language_path);
    if (job->identifier)
        watch_file(&job->plan, &job->identifier->s.map, &job->identifier_path);
    if (job->detector)
        watch_file(&job->plan, &job->detector->map, &job->detector_path);
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

platen_status pl_job_open_detector(struct platen_job *job, struct platen_error *err)
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

bool pl_job_shares_models(const struct platen_job *job, const struct platen_pipeline *p)
{
    const struct pl_step *read = pl_spec_step(p, PLATEN_STAGE_RECOGNIZE),
                         *own_read = pl_spec_step(job->plan.pipeline, PLATEN_STAGE_RECOGNIZE);
    return shares_net(p, net_pipeline(job)) &&
           (!read || (own_read && pl_recognize_decodes_alike(read->args, own_read->args)));
}
