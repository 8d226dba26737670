/* SPDX-License-Identifier: BSD-2-Clause */
/* A job of requests: what it is asked, and what it may be. */
#include <string.h>

#include "base/mem.h"
#include "base/sized.h"
#include "files/walk.h"
#include "job/formats.h"
#include "job/job.h"

static platen_status choose_pipeline(const struct platen_job *job,
                                     const struct platen_pipeline *wanted, struct pl_plan *plan,
                                     struct platen_error *err)
{
    bool known = !wanted || wanted == job->plan.pipeline;
    for (size_t i = 0; i < job->o.n_pipelines; i++)
        known = known || job->o.pipelines[i] == wanted;
    if (wanted && known)
        plan->pipeline = wanted;
    return known ? PLATEN_OK
                 : pl_fail(err, PLATEN_ERR_ARG, "this job has not been given that pipeline");
}

/* Puts the pipeline as the request wants it into its plan. */
static platen_status vary_pipeline(struct platen_job *job, const struct platen_picture *pic,
                                   struct platen_request *r, struct platen_error *err)
{
    const struct pl_variant_wish wish = {r->plan.pipeline, pic->lang, pic->lm};
    if (!pic->lang && !pic->lm)
        return PLATEN_OK;
    r->variants = &job->variants;
    platen_status s = pl_variants_take(&job->variants, &wish, &r->variant, err);
    if (s)
        return s;
    r->plan.pipeline = r->variant->pipeline;
    r->plan.decoding = &r->variant->decoding;
    return PLATEN_OK;
}

/* Takes the pixels, all of which must be there. */
static platen_status take_pixels(const struct platen_picture *pic, struct platen_request *r,
                                 struct platen_error *err)
{
    const uint64_t row = (uint64_t)PL_MAX(pic->width, 0) * (uint64_t)PL_MAX(pic->channels, 0),
                   stride = pic->stride_bytes ? (uint64_t)PL_MAX(pic->stride_bytes, 0) : row;
    if (pic->width < 1 || pic->height < 1)
        return pl_fail(err, PLATEN_ERR_ARG, "a picture of %d x %d pixels", pic->width, pic->height);
    if (pic->channels != 1 && pic->channels != 3 && pic->channels != 4)
        return pl_fail(err, PLATEN_ERR_ARG, "pixels have 1, 3 or 4 channels, not %d",
                       pic->channels);
    if (stride < row)
        return pl_fail(err, PLATEN_ERR_ARG, "a row of pixels is longer than the stride of %d bytes",
                       pic->stride_bytes);
    const uint64_t bytes = (uint64_t)(pic->height - 1) * stride + row; /* below 2^63 */
    if (pic->data_bytes < bytes)
        return pl_fail(err, PLATEN_ERR_ARG, "the pixels take %llu bytes, and there are %zu",
                       (unsigned long long)bytes, pic->data_bytes);
    r->raster =
        (struct pl_raster){pic->data, pic->width, pic->height, pic->channels, (size_t)stride};
    r->in.v[0].raster = &r->raster;
    r->in.v[0].size = 0;
    return PLATEN_OK;
}

/* Makes a plan of one format, and an input of the file. */
static platen_status make_request(struct platen_job *job, const struct platen_picture *pic,
                                  struct platen_request *r, struct platen_error *err)
{
    const char *name = pic->name ? pic->name : "-";
    r->plan = job->plan;
    r->ctx = pic->ctx;
    r->answer = pic->answer;
    pl_inputs_init(&r->in);
    platen_status s = choose_pipeline(job, pic->pipeline, &r->plan, err);
    s = s ? s : vary_pipeline(job, pic, r, err);
    if (s)
        return s;
    if (pic->format)
        s = pl_plan_add_format(&r->plan, pic->format, strlen(pic->format), err);
    else
        pl_plan_add_tree(&r->plan);
    if (!s && pic->pages)
        s = pl_page_ranges_parse(pic->pages, &r->in.wanted, err);
    s = s ? s : pl_inputs_push(&r->in, name, name, NULL, err);
    if (s)
        return s;
    r->plan.load.gray = !pl_plan_needs_color(&r->plan);
    r->in.v[0].data = pic->data;
    r->in.v[0].size = pic->data_bytes;
    const bool is_raw = pic->width || pic->height || pic->channels || pic->stride_bytes;
    return is_raw ? take_pixels(pic, r, err) : PLATEN_OK;
}

platen_status platen_job_ask(struct platen_job *job, const struct platen_picture *pic,
                             struct platen_request **ret, struct platen_error *err)
{
    struct platen_picture picture = {.name = NULL};
    platen_status s = PL_NEED(err, job, pic, ret);
    s = s ? s : pl_sized_take(&picture, sizeof(picture), pic, "platen_picture", err);
    s = s ? s : PL_NEED(err, picture.data);
    s = s ? s : PL_NEED_WHEN(err, true, picture.answer);
    if (s)
        return s;
    if (!job->o.requests)
        return pl_fail(err, PLATEN_ERR_ARG, "this job takes no requests");
    struct platen_request *r = pl_alloc_zero(1, sizeof(*r));
    if (!r)
        return pl_fail_nomem(err, sizeof(*r), "a request");
    s = make_request(job, &picture, r, err);
    *ret = r; /* the caller has the request before its answer can come */
    if (!s)
        s = pl_requests_add(&job->requests, r, err);
    if (!s)
        return PLATEN_OK;
    pl_asked_free(r);
    *ret = NULL;
    return s;
}

void platen_request_cancel(struct platen_job *job, struct platen_request *r)
{
    pl_requests_cancel(&job->requests, r);
}

void platen_request_free(struct platen_request *r)
{
    if (r)
        pl_asked_free(r);
}

int platen_job_threads(const struct platen_job *job)
{
    return job->threads;
}

void platen_job_calls(const struct platen_job *job, uint64_t *ret_calls, uint64_t *ret_lines)
{
    *ret_calls = atomic_load(&job->calls.n);
    *ret_lines = atomic_load(&job->calls.strips);
}

size_t platen_job_waiting(struct platen_job *job)
{
    return pl_requests_waiting(&job->requests);
}

void platen_job_close(struct platen_job *job)
{
    pl_requests_close(&job->requests);
}
