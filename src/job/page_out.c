/* SPDX-License-Identifier: BSD-2-Clause */
#include "job/page_out.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#include "base/file.h"

/* Returns what the names of a part's outputs have behind that of the page: "" for part 0, the whole
 * page. */
static const char *suffix_of(int part)
{
    static const char *const suffixes[] = {"", "-1", "-2"};
    return suffixes[part];
}

bool pl_plan_grows(const struct pl_plan *plan)
{
    const struct pl_emitter *e = plan->formats[0];
    return !plan->output_dir && !e->single && !e->tail && !e->join;
}

/* Makes a whole file of the page in w->scratch, in w->file. */
static platen_status wrap(const struct pl_emitter *e, struct pl_page_worker *w,
                          struct platen_error *err)
{
    struct pl_stream stream;
    pl_stream_init(&stream, e);
    pl_str_reset(&w->file);
    platen_status s = pl_stream_page(&stream, &w->scratch, &w->file, err);
    s = s ? s : pl_stream_end(&stream, &w->file, err);
    pl_stream_done(&stream);
    return s;
}

platen_status pl_page_may_put(const struct pl_plan *plan, const char *path,
                              const struct pl_input *in, struct platen_error *err)
{
    const char *victim = pl_kept_find(plan->kept, path);
    if (pl_file_is_same(path, in->path))
        return pl_fail(err, PLATEN_ERR_ARG, "its output would take its place");
    if (victim)
        return pl_fail(err, PLATEN_ERR_ARG, "its output would take the place of '%s'", victim);
    return PLATEN_OK;
}

/* Writes the file that w->path names below the directory `dir`. A file that would take the place of
 * one that the job reads is refused. */
static platen_status put_file(struct pl_page_worker *w, const struct pl_plan *plan, const char *dir,
                              const struct pl_input *in, const struct pl_str *bytes,
                              struct platen_error *err)
{
    const struct pl_file_rules rules = {.root_bytes = strlen(dir),
                                        .durable = plan->durable && dir == plan->output_dir};
    platen_status s = pl_page_may_put(plan, w->path.s, in, err);
    return s ? s : pl_file_put(w->path.s, &rules, bytes->len ? bytes->s : "", bytes->len, err);
}

static platen_status make_file(struct pl_page_worker *w, const struct pl_emitter *e,
                               const struct pl_page_result *result, struct platen_error *err)
{
    pl_str_reset(&w->scratch);
    platen_status s = e->emit(&w->env, result, &w->scratch, err);
    s = s ? s : pl_input_check(&w->page->in, &w->page->map, err);
    return s ? s : wrap(e, w, err);
}

void pl_output_path(struct pl_str *out, const char *dir, const char *stem, int part,
                    const struct pl_emitter *e, size_t piece)
{
    pl_str_reset(out);
    pl_str_printf(out, "%s/%s%s.", dir, stem, suffix_of(part));
    if (piece)
        pl_str_printf(out, "%s-%zu.", e->piece, piece);
    pl_str_puts(out, e->extension);
}

static platen_status write_file(struct pl_page_worker *w, const struct pl_emitter *e,
                                const struct pl_page_result *result, struct platen_error *err)
{
    struct pl_page *page = w->page;
    platen_status s = make_file(w, e, result, err);
    pl_output_path(&w->path, page->plan->output_dir, page->in.stem, result->part, e, result->piece);
    if (!s && w->path.failed)
        s = pl_fail_nomem(err, w->path.len, "the name of an output");
    if (s)
        return s;
    s = put_file(w, page->plan, page->plan->output_dir, &page->in, &w->file, err);
    page->output_bytes += w->file.len;
    if (s && (err->os_errno == ENOSPC || err->os_errno == EDQUOT))
        page->disk_full = true;
    return s;
}

/* Removes the files of pieces from `piece` on, which an earlier run left. */
static platen_status remove_pieces(struct pl_page_worker *w, const struct pl_emitter *e,
                                   const struct pl_page_result *result, size_t piece,
                                   struct platen_error *err)
{
    const struct pl_plan *plan = w->page->plan;
    const struct pl_file_rules rules = {.root_bytes = strlen(plan->output_dir)};
    bool removed = true;
    platen_status s = PLATEN_OK;
    for (; !s && removed; piece++) {
        pl_output_path(&w->path, plan->output_dir, w->page->in.stem, result->part, e, piece);
        if (w->path.failed)
            return pl_fail_nomem(err, w->path.len, "the name of an output");
        if (pl_kept_find(plan->kept, w->path.s))
            return PLATEN_OK;
        s = pl_file_remove(w->path.s, &rules, &removed, err);
    }
    return s;
}

/* Writes the file of the page, or one for each of its pieces. */
static platen_status write_files(struct pl_page_worker *w, const struct pl_emitter *e,
                                 const struct pl_page_result *result, struct platen_error *err)
{
    struct pl_page_result one = *result;
    if (!e->piece)
        return write_file(w, e, result, err);
    const size_t n = e->count_pieces(result);
    platen_status s = remove_pieces(w, e, result, n + 1, err);
    for (one.piece = 1; !s && one.piece <= n; one.piece++)
        s = write_file(w, e, &one, err);
    return s;
}

/* Brings the names of the files beside w->path to the disk, before the journal has the page. */
static platen_status sync_files(struct pl_page_worker *w, const struct pl_plan *plan,
                                struct platen_error *err)
{
    const struct pl_file_rules rules = {.root_bytes = strlen(plan->output_dir), .durable = true};
    return pl_file_sync(w->path.s, &rules, err);
}

platen_status pl_page_put_step(struct pl_page_worker *w, const struct pl_part *part,
                               const char *name, struct platen_error *err)
{
    const struct pl_input *in = &w->page->in;
    const struct pl_plan *plan = w->page->plan;
    if (!plan->steps_dir)
        return PLATEN_OK;
    pl_clock_enter(&w->clock, PLATEN_STAGE_OUTPUT);
    pl_str_reset(&w->path);
    pl_str_printf(&w->path, "%s/%s%s/%02zu-%s.png", plan->steps_dir, in->stem,
                  suffix_of(part->number), part->steps, name);
    pl_str_reset(&w->scratch);
    platen_status s = pl_png_encode(&part->image.image, &w->scratch, err);
    if (!s && (w->scratch.failed || w->path.failed))
        s = pl_fail_nomem(err, w->scratch.len, "a step picture");
    if (!s)
        s = put_file(w, plan, plan->steps_dir, in, &w->scratch, err);
    pl_clock_enter(&w->clock, PLATEN_STAGE_PREPROCESS);
    return s;
}

/* Adds the result to w->out in one of the plan's formats. */
static platen_status emit_text(struct pl_page_worker *w, size_t format,
                               const struct pl_page_result *result, struct platen_error *err)
{
    assert((size_t)w->n_out < PL_ARRAY_LEN(w->out));
    struct pl_str *out = &w->out[w->n_out];
    w->format_of[w->n_out++] = (uint8_t)format;
    platen_status s = w->page->plan->formats[format]->emit(&w->env, result, out, err);
    return !s && out->failed ? pl_fail_nomem(err, out->len, "an output") : s;
}

/* Adds the result to w->out, for a stream or a document, or writes files of the page. Where one
 * format cannot have it, as the PDF that no text can be added to, the files of the others are
 * written all the same; the first error counts. */
static platen_status emit_result(struct pl_page_worker *w, const struct pl_page_result *result)
{
    struct pl_page *page = w->page;
    const struct pl_plan *plan = page->plan;
    platen_status s = PLATEN_OK;
    bool files = false;
    struct platen_error later;
    pl_clock_enter(&w->clock, PLATEN_STAGE_OUTPUT);
    for (size_t i = 0; i < plan->n_formats; i++) {
        const bool file = plan->output_dir && !plan->formats[i]->document;
        struct platen_error *err = s ? &later : &page->err;
        const platen_status one =
            file ? write_files(w, plan->formats[i], result, err) : emit_text(w, i, result, err);
        s = s ? s : one;
        files = files || file;
    }
    if (w->n_out && !s)
        s = pl_input_check(&page->in, &page->map, &page->err);
    if (files && plan->durable && !s) /* the files of a page share a directory */
        s = sync_files(w, plan, &page->err);
    return s;
}

/* Returns the number of a page, or of a part of it, in the outputs: in files of its own and where
 * all pages are of one file, that of the page in its file; else it rises along the stream. */
static size_t number_of(const struct pl_page *page, const struct pl_part *part)
{
    const struct pl_plan *plan = page->plan;
    const bool divides = plan->pipeline->divides; /* each input of a stream has two numbers then */
    if (plan->output_dir || (plan->one_file && !divides && !page->in.frame))
        return (size_t)PL_MAX(page->in.page, 1);
    return page->index * (divides ? PL_MAX_PARTS : 1) + 1 + (part->number == 2);
}

/* Returns how many lines have text. */
static size_t count_lines(const struct pl_regions *regions)
{
    size_t n = 0;
    for (size_t b = 0; b < regions->n_blocks; b++)
        for (size_t i = 0; i < regions->blocks[b].n_lines; i++)
            n += regions->blocks[b].lines[i].text && *regions->blocks[b].lines[i].text;
    return n;
}

platen_status pl_page_emit(struct pl_page_worker *w, const struct pl_part *part)
{
    struct pl_page *page = w->page;
    const struct pl_plan *plan = page->plan;
    const struct pl_page_result result = {
        .path = page->in.path,
        .file = page->in.file,
        .page = PL_MAX(page->in.page, 1),
        .frame = page->in.frame,
        .time_s = page->in.time_s,
        .page_label = page->in.page_label,
        .page_at = page->in.page_at,
        .part = part->number,
        .number = number_of(page, part),
        .width = page->width,
        .height = page->height,
        .dpi_x = page->dpi_x,
        .dpi_y = page->dpi_y,
        .flaw = page->flaw.text[0] ? page->flaw.text : NULL,
        .damaged = page->flaw.damaged,
        .ms = plan->times ? page->spans.part : NULL,
        .slim = plan->slim,
        .join_lines = plan->join_lines,
        .clean = plan->clean_pdf,
        .pdfa = plan->pdfa,
        .sheet = &plan->sheet,
        .model = plan->model[0] ? plan->model : NULL,
        .image = &part->image,
        .regions = plan->pipeline->last >= PLATEN_STAGE_DETECT ? &part->regions : NULL,
        .recognized = plan->pipeline->last >= PLATEN_STAGE_RECOGNIZE,
        .update = page->in.stays,
        .pdf_text = plan->load.pdf_text,
        .told = &page->told,
        .has_own_dpi = plan->dpi <= 0,
        .source = page->map.data,
        .source_bytes = page->map.size,
        .raster = page->in.raster,
        .max_pixels = plan->load.max_pixels,
    };
    page->lines += count_lines(&part->regions);
    return emit_result(w, &result);
}

void pl_page_reset_out(struct pl_page_worker *w)
{
    for (int i = 0; i < PL_MAX_OUTS; i++)
        pl_str_reset(&w->out[i]);
    w->n_out = 0;
}

void pl_page_emit_failure(struct pl_page_worker *w)
{
    const struct pl_page *page = w->page;
    const struct pl_plan *plan = page->plan;
    struct platen_error ignored; /* the page has failed already, and its message is written */
    struct pl_page_result result = {
        .path = page->in.path,
        .page = PL_MAX(page->in.page, 1),
        .frame = page->in.frame,
        .time_s = page->in.time_s,
        .page_label = page->in.page_label,
        .number = page->index + 1,
        .status = page->status,
        .error = page->err.text,
        .model = page->plan->model[0] ? page->plan->model : NULL,
    };
    pl_page_reset_out(w);
    for (size_t i = 0; i < plan->n_formats && !plan->output_dir && !page->in.told; i++)
        if (plan->formats[i]->failures && emit_text(w, i, &result, &ignored))
            pl_str_reset(&w->out[--w->n_out]);
}
