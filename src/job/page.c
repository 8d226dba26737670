/* SPDX-License-Identifier: BSD-2-Clause */
/* The way of a page: into memory (page_in.c), through the four stages (src/stages), and into the
 * formats (page_out.c). A page is one part; the operation `split` may make two parts of it, which
 * go the rest of the way one after the other.
 *
 * A batch (batch.c) takes a page through pl_page_open(), pl_page_begin(), pl_pages_recognize() and
 * pl_page_end(), the third for several pages at once. */
#include "job/page.h"

#include <assert.h>
#include <string.h>

#include "base/map.h"
#include "job/page_in.h"
#include "job/new_pdf.h"
#include "job/page_message.h"
#include "job/page_out.h"

/* ---- the worker as what runs the stages ---- */

static void enter_stage(void *ctx, enum platen_stage stage)
{
    struct pl_page_worker *w = ctx;
    pl_clock_enter(&w->clock, stage);
}

static platen_status put_step(void *ctx, const struct pl_part *part, const char *name,
                              struct platen_error *err)
{
    return pl_page_put_step(ctx, part, name, err);
}

static struct pl_stages stages_of(struct pl_page_worker *w)
{
    return (struct pl_stages){.pipeline = w->page->plan->pipeline,
                              .env = &w->env,
                              .arena = &w->arena,
                              .net = &w->net,
                              .team = w->team,
                              .decoding = w->page->plan->decoding,
                              .ctx = w,
                              .enter = enter_stage,
                              .stepped = put_step};
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
    page->first.other = &page->second;
    image = (struct pl_image){0};
    return PLATEN_OK;
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
    pl_page_warn_of_doubt(w, &w->page->in, &part->regions);
    pl_page_warn_of_order(w, &w->page->in, &part->regions);
    pl_page_warn_of_leftover(w, &w->page->in, &part->regions);
    s = pl_page_emit(w, part);
    pl_page_image_done(&part->image);
    return s;
}

/* ---- the whole way ---- */

/* Goes from the file to where the lines of the page can be read. */
static platen_status run_to_reading(struct pl_page_worker *w, struct pl_page *page)
{
    platen_status s = load_picture(w, page);
    if (s)
        return s;
    const struct pl_stages stages = stages_of(w);
    s = pl_stages_begin(&stages, &page->first, &page->err);
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
    const struct pl_stages stages = stages_of(w);
    pl_stages_recognize(&stages, readings, k);
    pl_clock_stop(&w->clock);
    share_time(pages, n, &spans);
}

/* Goes on from where the lines of the first part have been read. */
static platen_status run_from_reading(struct pl_page_worker *w, struct pl_page *page)
{
    const struct pl_stages stages = stages_of(w);
    platen_status s = pl_stages_end(&stages, &page->first, &page->err);
    s = s ? s : put_out(w, &page->first);
    if (!s && page->second.image.image.store) { /* a page that can be divided is in no batch */
        pl_arena_reset(&w->arena);
        pl_clock_enter(&w->clock, PLATEN_STAGE_PREPROCESS);
        memset(page->spans.part, 0, sizeof(page->spans.part));
        s = pl_stages_run(&stages, &page->second, &page->err);
        s = s ? s : put_out(w, &page->second);
    }
    return s ? pl_page_fail(page, s, "process", page->in.label, page->err.text) : s;
}

void pl_page_end(struct pl_page_worker *w, struct pl_page *page)
{
    w->page = page;
    w->env.cancel = page->cancel;
    pl_page_reset_out(w);
    pl_str_reset(&w->message);
    pl_str_reset(&w->told_of);
    w->share = 0;
    w->damaged = page->flaw.damaged;
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
    w->share = PL_MAX(w->share, page->flaw.lost_share);
    pl_new_pdf_name(page, &w->told_of);
    pl_part_done(&page->first);
    pl_part_done(&page->second);
    pl_map_close(&page->map);
    pl_page_leave(page);
    pl_clock_stop(&w->clock);
    if (page->status != PLATEN_ERR_CANCELED)
        pl_clock_page(&w->clock, &page->spans);
    w->env.cancel = NULL;
}
