/* SPDX-License-Identifier: BSD-2-Clause */
#include "job/protect.h"

#include "base/dir.h"
#include "job/earlier/stale.h"

static const char *words_of(const struct platen_job *job)
{
    const struct pl_step *step = pl_spec_step(job->plan.pipeline, PLATEN_STAGE_RECOGNIZE);
    const struct pl_param *file = step ? pl_op_param_naming(step->info, PL_NAMES_FILE) : NULL;
    return file ? pl_arg_text(file, step->args) : NULL;
}

static platen_status keep_all(struct platen_job *job, struct platen_error *err)
{
    const struct pl_inputs *in = &job->source.settled;
    const char *const others[] = {job->list_path,       words_of(job),         job->o.pipeline_file,
                                  job->model_path.s,    job->quick_path.s,     job->detector_path.s,
                                  job->language_path.s, job->identifier_path.s};
    platen_status s = PLATEN_OK;
    for (size_t i = 0; !s && i < PL_ARRAY_LEN(others); i++)
        s = pl_kept_add(&job->kept, others[i], err);
    for (size_t i = 0; !s && i < job->further.models.n; i++) {
        s = pl_kept_add(&job->kept, job->further.v[i].path.s, err);
        s = s ? s : pl_kept_add(&job->kept, job->further.v[i].language_path.s, err);
    }
    for (size_t i = 0; !s && i < job->languages.n; i++)
        s = pl_kept_add(&job->kept, job->languages.v[i].path.s, err);
    for (size_t i = 0; !s && i < in->n; i++)
        s = pl_kept_add(&job->kept, in->v[i].path, err);
    s = s ? s : pl_kept_add(&job->kept, job->source.frames.path, err);
    for (const struct pl_archive *a = in->archives; !s && a; a = a->next)
        s = pl_kept_add(&job->kept, a->path, err);
    pl_kept_settle(&job->kept);
    return s;
}

/* Makes the directories of outputs, and brings their names to the disk before anything is in them.
 */
static platen_status make_durable(const struct platen_job *job, struct platen_error *err)
{
    struct pl_str path = {0};
    if (!job->o.durable || job->o.manifest || !(job->source.settled.n || job->o.frames))
        return PLATEN_OK;
    if (!job->o.output_dir)
        return job->o.output_file ? pl_dir_make_parents_durable(job->o.output_file, err)
                                  : PLATEN_OK;
    pl_str_printf(&path, "%s/.", job->o.output_dir);
    platen_status s = path.failed ? pl_fail_nomem(err, path.len, "a name")
                                  : pl_dir_make_parents_durable(path.s, err);
    pl_str_done(&path);
    return s;
}

platen_status pl_job_protect(struct platen_job *job, struct platen_error *err)
{
    const char *const files[] = {job->o.output_dir ? NULL : job->o.output_file, job->o.manifest,
                                 job->o.passed_over};
    if (!files[0] && !files[1] && !files[2] && !job->o.output_dir && !job->o.steps_dir)
        return PLATEN_OK;
    platen_status s = keep_all(job, err);
    for (size_t i = 0; !s && i < PL_ARRAY_LEN(files); i++) {
        const char *victim = files[i] ? pl_kept_find(&job->kept, files[i]) : NULL;
        if (victim)
            s = pl_fail(err, PLATEN_ERR_ARG, "the output would take the place of '%s'", victim);
    }
    job->source.output = files[0];
    s = s ? s : pl_stale_tell(job, err);
    return s ? s : make_durable(job, err);
}
