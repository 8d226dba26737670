/* SPDX-License-Identifier: BSD-2-Clause */
/* The way of a page, in the order in which it runs: into memory (page_in.c), through the four
 * stages, and into the formats (page_out.c). A page is one part; the operation `split` may make two
 * parts of it, which go the rest of the way one after the other.
 *
 * A batch (batch.c) takes a page through pl_page_open(), pl_page_begin(), pl_pages_recognize() and
 * pl_page_end(), the third for several pages at once. A part that no batch waits for goes the same
 * way alone: the second of two, and a page that is turned upright after it was read. */
#include "job/page.h"

#include <assert.h>
#include <string.h>

#include "base/map.h"
#include "job/page_in.h"
#include "job/page_message.h"
#include "job/page_out.h"
#include "layout/settle.h"

/* Returns how the lines of the worker's page are read, for recognition and layout. */
static struct pl_reader reader_of(struct pl_page_worker *w)
{
    const struct pl_step *step = pl_spec_step(w->page->plan->pipeline, PLATEN_STAGE_RECOGNIZE);
    return (struct pl_reader){.op = step ? pl_recognize_op_of(step->info) : NULL,
                              .args = step ? step->args : NULL,
                              .team = w->team,
                              .env = &w->env,
                              .arena = &w->arena};
}

/* ---- before the stages: the page becomes a picture ---- */

static platen_status load_picture(struct pl_page_worker *w, struct pl_page *page)
{
    pl_auto_image image = {0};
    platen_status s = pl_page_load(w, page, &image);
    if (s)
        return s;
    page->width = image.width;
    page->height = image.height;
    if (page->plan->dpi > 0)
        image.dpi_x = image.dpi_y = page->plan->dpi;
    page->dpi_x = image.dpi_x;
    page->dpi_y = image.dpi_y;
    page->first.image = (struct pl_page_image){.image = image, .to_input = PL_AFFINE_IDENTITY};
    image = (struct pl_image){0};
    return PLATEN_OK;
}

/* ---- stage one: preprocess ---- */

/* Notes where an operation has just left the way up of a page in doubt, or turned it to where its
 * letters tell, which is wrong of scripts with more letters below the line than above it. Reading
 * settles it, so that there is none where no lines are read, nor a weak one before a division. */
static platen_status note_doubt(struct pl_page_worker *w, const struct pl_page_image *before,
                                struct pl_part *part, struct platen_error *err)
{
    const struct pl_reader reader = reader_of(w);
    const bool divides = w->page->plan->pipeline->divides;
    const bool doubtful = part->image.upright == PL_UPRIGHT_DOUBTFUL;
    const bool new = doubtful ? before->upright != PL_UPRIGHT_DOUBTFUL
                              : part->image.turned_by_letters && !before->turned_by_letters;
    if (!reader.op || !new || (divides && !doubtful))
        return PLATEN_OK;
    return pl_doubt_note(&reader, divides, part->steps + 1, &part->image, &part->doubt, err);
}

/* Runs the next operation. Where that makes two pages of one, `part` becomes the first of them, and
 * the other is page->second. */
static platen_status run_step(struct pl_page_worker *w, struct pl_part *part,
                              struct platen_error *err)
{
    struct pl_part *second = &w->page->second;
    const struct pl_step *step = &w->page->plan->pipeline->steps[part->steps];
    const struct pl_preprocess_op *op = pl_preprocess_op_of(step->info);
    const struct pl_page_image before = part->image; /* its way up alone counts */
    platen_status s = pl_env_check(&w->env, err);
    if (s)
        return s;
    s = op->divide ? op->divide(&w->env, &part->image, step->args, &second->image, err)
                   : op->run(&w->env, &part->image, step->args, err);
    s = s ? s : note_doubt(w, &before, part, err);
    if (s)
        return pl_fail_prefix(err, s, "%s: ", step->info->name);
    part->steps++;
    if (op->divide && second->image.image.store) {
        part->number = 1;
        second->number = 2;
        second->steps = part->steps;
        s = pl_page_put_step(w, second, step->info->name, err);
    }
    return s ? s : pl_page_put_step(w, part, step->info->name, err);
}

/* Runs the operations that the part has not behind it. */
static platen_status preprocess(struct pl_page_worker *w, struct pl_part *part,
                                struct platen_error *err)
{
    pl_clock_enter(&w->clock, PLATEN_STAGE_PREPROCESS);
    platen_status s = part->steps ? PLATEN_OK : pl_page_put_step(w, part, "input", err);
    while (!s && part->steps < w->page->plan->pipeline->n_preprocess)
        s = run_step(w, part, err);
    pl_page_image_forget_ink(&part->image);
    return s;
}

/* ---- stage two: detect ---- */

/* Finds the lines of the part, where the pipeline has the stage. */
static platen_status detect_lines(struct pl_page_worker *w, struct pl_part *part,
                                  struct platen_error *err)
{
    const struct pl_step *step = pl_spec_step(w->page->plan->pipeline, PLATEN_STAGE_DETECT);
    part->regions = (struct pl_regions){0};
    platen_status s = pl_env_check(&w->env, err);
    if (s || !step)
        return s;
    pl_clock_enter(&w->clock, PLATEN_STAGE_DETECT);
    s = pl_detect_op_of(step->info)
            ->run(&w->net, &w->env, &w->arena, &part->image, step->args, &part->regions, err);
    return s ? pl_fail_prefix(err, s, "%s: ", step->info->name) : PLATEN_OK;
}

/* ---- stage three: recognize ---- */

/* Puts the name of the operation before the text of its failure; s may be PLATEN_OK. */
static platen_status name_reading_failure(struct pl_page_worker *w, platen_status s,
                                          struct platen_error *err)
{
    const struct pl_step *step = pl_spec_step(w->page->plan->pipeline, PLATEN_STAGE_RECOGNIZE);
    return s ? pl_fail_prefix(err, s, "%s: ", step->info->name) : PLATEN_OK;
}

/* Makes what the lines of the part are read from. */
static platen_status prepare_reading(struct pl_page_worker *w, struct pl_part *part,
                                     struct platen_error *err)
{
    if (!pl_spec_step(w->page->plan->pipeline, PLATEN_STAGE_RECOGNIZE))
        return PLATEN_OK;
    pl_clock_enter(&w->clock, PLATEN_STAGE_RECOGNIZE);
    part->reading = (struct pl_reading){.regions = &part->regions, .cancel = w->env.cancel};
    return name_reading_failure(
        w, pl_page_image_gray(&w->env, &part->image, &part->reading.turned[0], err), err);
}

/* Reads the lines of n parts, whose pages share a pipeline. What fails is in their readings. */
static void read_parts(struct pl_page_worker *w, struct pl_reading *const *readings, size_t n)
{
    const struct pl_reader r = reader_of(w);
    if (r.op)
        r.op->run(r.team, r.env, r.arena, readings, n, r.args);
}

/* Takes over what became of the reading, and gives its picture back. */
static platen_status end_reading(struct pl_page_worker *w, struct pl_part *part,
                                 struct platen_error *err)
{
    pl_reading_done(&part->reading);
    if (part->reading.status)
        *err = part->reading.err;
    return name_reading_failure(w, part->reading.status, err);
}

/* ---- stage four: layout ---- */

static platen_status run_alone(struct pl_page_worker *w, struct pl_part *part,
                               struct platen_error *err);

/* Settles what is decided once the lines are read. A page that is turned upright by that goes
 * through all stages again from where its way up was in doubt. */
static platen_status settle_layout(struct pl_page_worker *w, struct pl_part *part,
                                   struct platen_error *err)
{
    const struct platen_pipeline *pipeline = w->page->plan->pipeline;
    const struct pl_reader reader = reader_of(w);
    bool turned = false;
    if (pipeline->last < PLATEN_STAGE_DETECT)
        return PLATEN_OK;
    platen_status s =
        pl_layout_settle(&reader, &part->image, &part->regions, &part->doubt, &turned, err);
    if (s || !turned)
        return s;
    part->steps = part->doubt.steps;
    s = pl_page_put_step(w, part, pipeline->steps[part->steps - 1].info->name, err);
    return s ? s : run_alone(w, part, err);
}

/* ---- behind the stages: the formats ---- */

/* Fails when a model's file has changed since it was opened: what was computed with it may be
 * wrong, for this page and for every later one. */
static platen_status check_models(struct pl_page *page)
{
    const struct pl_plan *plan = page->plan;
    struct platen_error err;
    const char *path = NULL;
    platen_status s = PLATEN_OK;
    for (size_t i = 0; i < plan->n_models && !s; i++) {
        path = plan->models[i].path;
        s = pl_map_check(plan->models[i].map, path, false, &err);
    }
    s = s ? s : pl_further_check(plan->further, &path, &err);
    s = s ? s : pl_languages_check(plan->languages, &path, &err);
    if (!s)
        return s;
    page->fatal = true;
    return pl_fail(&page->err, s, "stopped: the model '%s' was %s; what is there is complete", path,
                   err.text);
}

/* Writes what comes out of a part whose layout is settled. */
static platen_status put_out(struct pl_page_worker *w, struct pl_part *part)
{
    platen_status s = check_models(w->page);
    if (s)
        return s;
    pl_page_warn_of_script(w, &w->page->in, &part->regions);
    pl_page_warn_of_leftover(w, &w->page->in, &part->regions);
    s = pl_page_emit(w, part);
    pl_page_image_done(&part->image);
    return s;
}

/* ---- the whole way ---- */

/* Takes a part that no batch waits for through the four stages. */
static platen_status run_alone(struct pl_page_worker *w, struct pl_part *part,
                               struct platen_error *err)
{
    platen_status s = preprocess(w, part, err);
    s = s ? s : detect_lines(w, part, err);
    s = s ? s : prepare_reading(w, part, err);
    if (s)
        return s;
    read_parts(w, &(struct pl_reading *){&part->reading}, 1);
    s = end_reading(w, part, err);
    return s ? s : settle_layout(w, part, err);
}

/* Goes from the file to where the lines of the page can be read. */
static platen_status run_to_reading(struct pl_page_worker *w, struct pl_page *page)
{
    platen_status s = load_picture(w, page);
    if (s)
        return s;
    s = preprocess(w, &page->first, &page->err);
    s = s ? s : detect_lines(w, &page->first, &page->err);
    s = s ? s : prepare_reading(w, &page->first, &page->err);
    if (!s && w->team)
        page->size = pl_reading_size(w->team[0], &page->first.regions);
    return s ? pl_page_fail(page, s, "process", page->in.label, page->err.text) : s;
}

void pl_page_begin(struct pl_page_worker *w, struct pl_page *page)
{
    w->page = page;
    w->env.cancel = page->cancel;
    pl_clock_start(&w->clock, &page->spans, PLATEN_STAGE_DECODE);
    if (!page->status)
        pl_page_enter(page);
    page->status = page->status ? page->status : run_to_reading(w, page);
    page->stage = w->clock.stage;
    pl_clock_stop(&w->clock);
}

/* A page that failed, or on which no lines were found, has nothing to read. */
static bool has_lines(const struct pl_page *page)
{
    return !page->status && page->size.lines;
}

/* The time that the lines of several pages took together is shared out by their columns. */
static void share_time(struct pl_page *pages, size_t n, const struct pl_spans *all)
{
    const double ms = all->all[PLATEN_STAGE_RECOGNIZE];
    double columns = 0;
    for (size_t i = 0; i < n; i++)
        columns += has_lines(&pages[i]) ? (double)pages[i].size.columns : 0;
    for (size_t i = 0; i < n; i++) {
        if (!has_lines(&pages[i]))
            continue;
        const double own = ms * (double)pages[i].size.columns / columns;
        pages[i].spans.part[PLATEN_STAGE_RECOGNIZE] += own;
        pages[i].spans.all[PLATEN_STAGE_RECOGNIZE] += own;
    }
}

void pl_pages_recognize(struct pl_page_worker *w, struct pl_page *pages, size_t n)
{
    assert(n <= PL_BATCH_PAGES);
    struct pl_reading *readings[PL_BATCH_PAGES];
    struct pl_spans spans = {{0}, {0}};
    size_t k = 0;
    for (size_t i = 0; i < n; i++)
        if (has_lines(&pages[i]))
            readings[k++] = &pages[i].first.reading;
    if (!k)
        return;
    w->page = pages;
    pl_clock_start(&w->clock, &spans, PLATEN_STAGE_RECOGNIZE);
    read_parts(w, readings, k);
    pl_clock_stop(&w->clock);
    share_time(pages, n, &spans);
}

/* Goes on from where the lines of the first part have been read. */
static platen_status run_from_reading(struct pl_page_worker *w, struct pl_page *page)
{
    platen_status s = end_reading(w, &page->first, &page->err);
    s = s ? s : settle_layout(w, &page->first, &page->err);
    s = s ? s : put_out(w, &page->first);
    if (!s && page->second.image.image.store) { /* a page that can be divided is in no batch */
        pl_arena_reset(&w->arena);
        pl_clock_enter(&w->clock, PLATEN_STAGE_PREPROCESS);
        memset(page->spans.part, 0, sizeof(page->spans.part));
        s = run_alone(w, &page->second, &page->err);
        s = s ? s : put_out(w, &page->second);
    }
    return s ? pl_page_fail(page, s, "process", page->in.label, page->err.text) : s;
}

static void part_done(struct pl_part *part)
{
    pl_page_image_done(&part->image);
    pl_doubt_done(&part->doubt);
    pl_reading_done(&part->reading);
}

void pl_page_end(struct pl_page_worker *w, struct pl_page *page)
{
    w->page = page;
    w->env.cancel = page->cancel;
    pl_page_reset_out(w);
    pl_str_reset(&w->message);
    w->share = 0;
    pl_page_warn_of_flaw(w, page);
    if (page->in.done)
        return;
    pl_clock_start(&w->clock, &page->spans, page->stage);
    page->status = page->status ? page->status : run_from_reading(w, page);
    if (page->status && page->status != PLATEN_ERR_CANCELED && !page->fatal && check_models(page))
        page->status = pl_page_fail(page, PLATEN_ERR_IO, "process", page->in.label, page->err.text);
    if (page->status == PLATEN_ERR_CANCELED) {
        pl_page_reset_out(w);
    } else if (page->status) {
        pl_page_tell_failure(w, page);
        pl_page_emit_failure(w);
    }
    part_done(&page->first);
    part_done(&page->second);
    pl_map_close(&page->map);
    pl_page_leave(page);
    pl_clock_stop(&w->clock);
    if (page->status != PLATEN_ERR_CANCELED)
        pl_clock_page(&w->clock, &page->spans);
    w->env.cancel = NULL;
}
