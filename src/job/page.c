#include "job/page.h"

#include <string.h>

#include "base/file.h"
#include "base/map.h"
#include "base/mem.h"
#include "layout/settle.h"
#include "job/page_out.h"
#include "job/upright.h"

_Static_assert((int)PLATEN_STAGE_OUTPUT == (int)PL_STAGE_COUNT, "stages of platen.h and emit.h");

void pl_page_worker_init(struct pl_page_worker *w)
{
    *w = (struct pl_page_worker){0};
    pl_arena_init(&w->arena);
    pl_arena_init(&w->names);
}

void pl_page_worker_done(struct pl_page_worker *w)
{
    pl_arena_done(&w->arena);
    pl_arena_done(&w->names);
    pl_detector_free(w->net.own);
    pl_db_net_free(w->net.imported);
    for (int i = 0; i < PL_MAX_PARTS; i++)
        pl_str_done(&w->out[i]);
    pl_str_done(&w->message);
    pl_str_done(&w->scratch);
    pl_str_done(&w->file);
    pl_str_done(&w->path);
}

/* Appends "'PATH'". */
static void put_name(struct pl_str *out, const char *path)
{
    pl_str_putc(out, '\'');
    pl_str_name(out, path, strlen(path), PL_NAME_SHOWN);
    pl_str_putc(out, '\'');
}

void pl_page_worker_rest(struct pl_page_worker *w)
{
    pl_arena_done(&w->arena);
    for (int i = 0; i < PL_MAX_PARTS; i++)
        pl_str_done(&w->out[i]);
    pl_str_done(&w->message);
    pl_str_done(&w->scratch);
    pl_str_done(&w->file);
    pl_bufpool_trim(w->env.bufs);
    pl_mem_trim();
}

/* Notes why a page failed; tell_failure() says it when its turn comes. */
static platen_status fail_page(struct pl_page *page, platen_status s, const char *verb,
                               const char *path, const char *reason)
{
    page->verb = verb;
    page->culprit = path;
    page->reason = reason;
    return s;
}

/* "unable to VERB 'PATH': " + the error's text, whatever the length of the path. */
static void tell_failure(struct pl_page_worker *w, const struct pl_page *page)
{
    pl_str_printf(&w->message, "unable to %s ", page->verb);
    put_name(&w->message, page->culprit);
    pl_str_puts(&w->message, ": ");
    pl_str_puts(&w->message, page->reason);
}

/* Share of the ink that looks like text above which it is told that it lies in no line, or was
 * found but not read: of that there is more, signatures and drawings. */
#define MAX_LEFTOVER 0.03
#define MIN_LEFTOVER 3 /* boxes: less is no more than a blot */
#define MAX_UNREAD 0.2

/* Begins the page's warning with its name, or parts one thing to say from the one before it: a page
 * has one warning. */
static void begin_warning(struct pl_page_worker *w, const struct pl_input *in)
{
    if (w->message.len) {
        pl_str_puts(&w->message, "; ");
        return;
    }
    put_name(&w->message, in->label);
    w->name_bytes = w->message.len;
    pl_str_puts(&w->message, ": ");
}

static void warn_of_flaw(struct pl_page_worker *w, const struct pl_page *page)
{
    if (!page->flaw)
        return;
    begin_warning(w, &page->in);
    pl_str_puts(&w->message, page->flaw);
}

/* Only one of the two parts of a page adds to its warning: the first that has much left over. */
static void warn_of_leftover(struct pl_page_worker *w, const struct pl_input *in,
                             const struct pl_regions *r)
{
    double left = (double)r->unexplained_px,
           all = left + (double)r->ink_in_lines_px + (double)r->unread_px;
    bool outside = left > MAX_LEFTOVER * all && r->n_unexplained >= MIN_LEFTOVER,
         unread = (double)r->unread_px > MAX_UNREAD * all;
    if (!(outside || unread) || w->share > 0)
        return;
    w->share = ((outside ? left : 0) + (unread ? (double)r->unread_px : 0)) / all;
    begin_warning(w, in);
    pl_str_puts(&w->message, "of the ink that looks like text ");
    if (outside)
        pl_str_printf(&w->message, "%.0f %% lies in no line", 100 * left / all);
    if (unread)
        pl_str_printf(&w->message, "%s%.0f %% was not read", outside ? ", " : "",
                      100 * (double)r->unread_px / all);
}

bool pl_plan_needs_color(const struct pl_plan *plan)
{
    bool gray = false, picture = plan->steps_dir;
    for (size_t i = 0; !gray && i < plan->pipeline->n_preprocess; i++) {
        const struct pl_preprocess_op *op = plan->pipeline->steps[i].op.preprocess;
        if (op->color && strcmp(op->info.name, "gray"))
            return true;
        gray = !strcmp(op->info.name, "gray");
    }
    for (size_t i = 0; i < plan->n_formats; i++)
        picture = picture || (plan->formats[i]->binary && !plan->formats[i]->source);
    return picture && !gray;
}

/* So many bytes of a pipe or of standard input may be read, whatever the budget is. */
#define LEAST_INPUT_BYTES ((uint64_t)16 << 20)

static platen_status open_file(struct pl_page_worker *w, struct pl_page *page)
{
    const struct pl_input *in = &page->in;
    platen_status s = PLATEN_OK;
    if (atomic_load_explicit(page->plan->cancel, memory_order_relaxed))
        return pl_fail(&page->err, PLATEN_ERR_CANCELED, "canceled");
    s = pl_env_check(&w->env, &page->err);
    if (s)
        return s;
    if (in->error)
        return fail_page(page, pl_fail(&page->err, PLATEN_ERR_IO, "%s", in->error), "open",
                         in->path, in->error);
    if (in->data)
        page->map = pl_map_borrow(in->data, in->size);
    else
        s = pl_map_open_head(in->path, PL_MAX_INPUT_BYTES, page->plan->wake_fd, &page->map,
                             &page->err);
    if (s == PLATEN_ERR_CANCELED)
        return s;
    if (s)
        return fail_page(page, s, "open", in->label, pl_error_reason(&page->err));
    if (page->map.unread && pl_image_known(page->map.data, page->map.size))
        page->bytes = PL_MAX(page->plan->gate->budget_bytes, 1); /* it may be as long as that */
    else
        page->bytes = pl_page_estimate(page);
    return s;
}

void pl_page_open(struct pl_page_worker *w, struct pl_page *page)
{
    w->env.cancel = page->cancel;
    pl_clock_start(&w->clock, &page->spans, PLATEN_STAGE_DECODE);
    page->status = open_file(w, page);
    pl_clock_stop(&w->clock);
}

bool pl_page_try_enter(struct pl_page *page)
{
    page->inside = page->status || pl_gate_try(page->plan->gate, page->bytes);
    return page->inside;
}

void pl_page_leave(struct pl_page *page)
{
    if (page->inside && page->bytes)
        pl_gate_leave(page->plan->gate, page->bytes);
    page->inside = false;
}

/* Reads the rest of a pipe whose head looks like a picture. The page holds the whole budget of the
 * gate meanwhile, for the length is known only at the end. */
static platen_status read_rest(struct pl_page *page)
{
    const struct pl_plan *plan = page->plan;
    const uint64_t most = PL_CLAMP(plan->gate->budget_bytes, LEAST_INPUT_BYTES, PL_MAX_INPUT_BYTES);
    if (!page->map.unread || !pl_image_known(page->map.data, page->map.size))
        return PLATEN_OK;
    platen_status s = pl_map_read_rest(&page->map, most, plan->wake_fd, &page->err);
    if (s == PLATEN_ERR_CANCELED)
        return s;
    if (s == PLATEN_ERR_LIMIT)
        s = pl_fail(&page->err, s, "longer than the memory that there is for it: %llu bytes",
                    (unsigned long long)most);
    if (s)
        return fail_page(page, s, "read", page->in.label, pl_error_reason(&page->err));
    const uint64_t bytes = PL_MIN(pl_page_estimate(page), page->bytes);
    pl_gate_give(plan->gate, page->bytes - bytes);
    page->bytes = bytes;
    return PLATEN_OK;
}

/* Fails when standard input holds a second picture behind this one, which would be lost. */
static platen_status check_alone(struct pl_page *page)
{
    if (page->in.data || strcmp(page->in.path, "-") ||
        !pl_image_is_followed(page->map.data, page->map.size))
        return PLATEN_OK;
    platen_status s = pl_fail(&page->err, PLATEN_ERR_UNSUPPORTED,
                              "standard input holds more than one picture; give each one a file, "
                              "or a run of its own");
    return fail_page(page, s, "read", page->in.label, page->err.text);
}

/* page->map holds the file afterwards if a format wants it, else nothing. */
static platen_status load(struct pl_page_worker *w, struct pl_page *page, struct pl_image *ret)
{
    const struct pl_plan *plan = page->plan;
    struct pl_load_options opt = plan->load;
    opt.page = page->in.page;
    opt.page_at = page->in.page_at;
    opt.ret_flaw = &page->flaw;
    opt.mapped = page->map.kind == PL_MAP_MAPPED;
    platen_status s = pl_image_load(&w->env, page->map.data, page->map.size, &opt, ret, &page->err),
                  changed = pl_map_check(&page->map, page->in.path, false, &page->err);
    if (!s && changed)
        pl_image_done(ret);
    s = changed ? changed : s;
    if (!plan->source)
        pl_map_close(&page->map);
    return s ? fail_page(page, s, "decode", page->in.label, page->err.text) : PLATEN_OK;
}

static platen_status write_step(const struct pl_plan *plan, struct pl_page_worker *w,
                                const struct pl_part *part, const char *name,
                                struct platen_error *err)
{
    if (!plan->steps_dir)
        return PLATEN_OK;
    pl_clock_enter(&w->clock, PLATEN_STAGE_OUTPUT);
    pl_str_reset(&w->path);
    pl_str_printf(&w->path, "%s/%s%s/%02zu-%s.png", plan->steps_dir, part->in->stem,
                  pl_part_suffix(part->number), part->steps, name);
    pl_str_reset(&w->scratch);
    platen_status s = pl_png_encode(&part->page.image, &w->scratch, err);
    if (!s && (w->scratch.failed || w->path.failed))
        s = pl_fail_nomem(err, w->scratch.len, "a step picture");
    if (!s)
        s = pl_page_put(w, plan, plan->steps_dir, part->in, &w->scratch, err);
    pl_clock_enter(&w->clock, PLATEN_STAGE_PREPROCESS);
    return s;
}

/* Where an operation has just left the way up of a page in doubt and lines can be read: the page is
 * kept as it is, for settle_upright() to ask how well it was read; before it can be made two pages,
 * it is asked at once. */
static platen_status note_doubt(const struct pl_plan *plan, struct pl_page_worker *w,
                                enum pl_upright before, struct pl_part *part,
                                struct platen_error *err)
{
    const struct pl_step *step = pl_spec_step(plan->pipeline, PL_SPEC_RECOGNIZE);
    struct pl_page_image *page = &part->page;
    if (!step || page->upright != PL_UPRIGHT_DOUBTFUL || before == PL_UPRIGHT_DOUBTFUL)
        return PLATEN_OK;
    if (plan->pipeline->divides)
        return pl_upright_vote(w->team, &w->env, &w->arena, step->op.recognize, step->args, page,
                               err);
    part->doubtful = *page;
    part->doubtful.image = pl_image_ref(&page->image);
    part->doubtful.gray = pl_image_ref(&page->gray);
    part->doubtful.ink = (struct pl_ink){0};
    part->doubtful_steps = part->steps + 1;
    return PLATEN_OK;
}

/* Runs the next step; where that makes two pages of one, `part` becomes the first of them. */
static platen_status run_step(const struct pl_plan *plan, struct pl_page_worker *w,
                              struct pl_part *part, struct pl_part *ret_second,
                              struct platen_error *err)
{
    const struct pl_step *step = &plan->pipeline->steps[part->steps];
    const struct pl_preprocess_op *op = step->op.preprocess;
    const enum pl_upright before = part->page.upright;
    platen_status s = pl_env_check(&w->env, err);
    if (s)
        return s;
    s = op->divide ? op->divide(&w->env, &part->page, step->args, &ret_second->page, err)
                   : op->run(&w->env, &part->page, step->args, err);
    s = s ? s : note_doubt(plan, w, before, part, err);
    if (s)
        return pl_fail_prefix(err, s, "%s: ", step->info->name);
    part->steps++;
    if (op->divide && ret_second->page.image.store) {
        part->number = 1;
        ret_second->in = part->in;
        ret_second->number = 2;
        ret_second->steps = part->steps;
        s = write_step(plan, w, ret_second, step->info->name, err);
    }
    return s ? s : write_step(plan, w, part, step->info->name, err);
}

static platen_status preprocess(const struct pl_plan *plan, struct pl_page_worker *w,
                                struct pl_part *part, struct pl_part *ret_second,
                                struct platen_error *err)
{
    pl_clock_enter(&w->clock, PLATEN_STAGE_PREPROCESS);
    platen_status s = part->steps ? PLATEN_OK : write_step(plan, w, part, "input", err);
    while (!s && part->steps < plan->pipeline->n_preprocess)
        s = run_step(plan, w, part, ret_second, err);
    pl_page_image_forget_ink(&part->page);
    return s;
}

static platen_status detect(const struct pl_plan *plan, struct pl_page_worker *w,
                            struct pl_part *part, struct platen_error *err)
{
    const struct pl_step *step = pl_spec_step(plan->pipeline, PL_SPEC_DETECT);
    platen_status s = pl_env_check(&w->env, err);
    if (s || !step)
        return s;
    pl_clock_enter(&w->clock, PLATEN_STAGE_DETECT);
    s = step->op.detect->run(&w->net, &w->env, &w->arena, &part->page, step->args, &part->regions,
                             err);
    return s ? pl_fail_prefix(err, s, "%s: ", step->info->name) : PLATEN_OK;
}

/* Stage four, of a pipeline that finds lines. */
static platen_status settle_layout(const struct pl_plan *plan, struct pl_page_worker *w,
                                   struct pl_regions *regions, struct platen_error *err)
{
    if (plan->pipeline->stages < 2)
        return PLATEN_OK;
    return pl_layout_settle(&w->arena, w->env.k, w->team ? w->team[0] : NULL, regions, err);
}

/* The stages behind the first of a part that no batch waits for. */
static platen_status read_alone(const struct pl_plan *plan, struct pl_page_worker *w,
                                struct pl_part *part, struct platen_error *err)
{
    const struct pl_step *step = pl_spec_step(plan->pipeline, PL_SPEC_RECOGNIZE);
    pl_auto_image gray = {0};
    part->regions = (struct pl_regions){0};
    platen_status s = detect(plan, w, part, err);
    if (!s && step) {
        pl_clock_enter(&w->clock, PLATEN_STAGE_RECOGNIZE);
        s = pl_page_image_gray(&w->env, &part->page, &gray, err);
        s = s ? s
              : pl_recognize_page(step->op.recognize, w->team, &w->env, &w->arena, &gray,
                                  &part->regions, step->args, err);
        s = s ? pl_fail_prefix(err, s, "%s: ", step->info->name) : s;
    }
    return s ? s : settle_layout(plan, w, &part->regions, err);
}

static size_t count_lines(const struct pl_regions *regions)
{
    size_t n = 0;
    for (size_t b = 0; b < regions->n_blocks; b++)
        for (size_t i = 0; i < regions->blocks[b].n_lines; i++)
            n += regions->blocks[b].lines[i].text && *regions->blocks[b].lines[i].text;
    return n;
}

/* Settles the way up of a page that was left in doubt and has been read as it stands: read well, it
 * is upright; else, where that can tell, lines of it are read each way up, and where another one
 * wins, it is turned and all that followed done again. */
static platen_status settle_upright(const struct pl_plan *plan, struct pl_page_worker *w,
                                    struct pl_part *part, struct platen_error *err)
{
    const struct pl_step *step = pl_spec_step(plan->pipeline, PL_SPEC_RECOGNIZE);
    enum pl_upright read = pl_upright_judge(&part->regions, &part->doubtful.image);
    if (read != PL_UPRIGHT_UNASKED) {
        part->page.upright = read;
        return PLATEN_OK;
    }
    platen_status s = pl_upright_vote(w->team, &w->env, &w->arena, step->op.recognize, step->args,
                                      &part->doubtful, err);
    part->page.upright = part->doubtful.upright;
    if (s || part->doubtful.quarters == part->page.quarters)
        return s;
    pl_page_image_done(&part->page);
    part->page = part->doubtful;
    part->doubtful = (struct pl_page_image){0};
    part->steps = part->doubtful_steps;
    s = write_step(plan, w, part, plan->pipeline->steps[part->steps - 1].info->name, err);
    s = s ? s : preprocess(plan, w, part, NULL, err);
    return s ? s : read_alone(plan, w, part, err);
}

/* Fails when a model's file has changed since it was opened: what was computed with it may be
 * wrong, for this page and for every later one. */
static platen_status check_models(struct pl_page *page)
{
    const struct pl_plan *plan = page->plan;
    struct platen_error err;
    for (size_t i = 0; i < plan->n_models; i++) {
        platen_status s = pl_map_check(plan->models[i].map, plan->models[i].path, false, &err);
        if (!s)
            continue;
        page->fatal = true;
        return pl_fail(&page->err, s, "stopped: the model '%s' was %s; what is there is complete",
                       plan->models[i].path, err.text);
    }
    return PLATEN_OK;
}

/* Writes what comes out of a part that was read. */
static platen_status finish_part(struct pl_page_worker *w, struct pl_part *part)
{
    struct pl_page *page = w->page;
    const struct pl_plan *plan = page->plan;
    const size_t numbers =
        plan->pipeline->divides ? PL_MAX_PARTS : 1; /* of one input in a stream */
    platen_status s =
        part->doubtful.image.store ? settle_upright(plan, w, part, &page->err) : PLATEN_OK;
    pl_page_image_done(&part->doubtful);
    s = s ? s : check_models(page);
    if (s)
        return s;
    page->lines += count_lines(&part->regions);
    warn_of_leftover(w, &page->in, &part->regions);
    struct pl_page_result result = {
        .path = page->in.path,
        .page = PL_MAX(page->in.page, 1),
        .page_at = page->in.page_at,
        .part = part->number,
        .number = plan->output_dir ? 1 : page->index * numbers + 1 + (part->number == 2),
        .width = page->width,
        .height = page->height,
        .dpi_x = page->dpi_x,
        .dpi_y = page->dpi_y,
        .ms = plan->times ? page->spans.part : NULL,
        .image = &part->page,
        .regions = plan->pipeline->stages > 1 ? &part->regions : NULL,
        .recognized = plan->pipeline->stages > 2,
        .source = page->map.data,
        .source_bytes = page->map.size,
    };
    return pl_page_emit(w, &result);
}

/* To where the lines of the page, or of its first part, can be read. */
static platen_status prepare(struct pl_page_worker *w, struct pl_page *page)
{
    const struct pl_plan *plan = page->plan;
    const struct pl_step *step = pl_spec_step(plan->pipeline, PL_SPEC_RECOGNIZE);
    struct pl_part *part = &page->first;
    pl_auto_image image = {0};
    platen_status s = load(w, page, &image);
    if (s)
        return s;
    page->width = image.width;
    page->height = image.height;
    page->dpi_x = image.dpi_x;
    page->dpi_y = image.dpi_y;
    part->in = &page->in;
    part->page = (struct pl_page_image){.image = image, .to_input = PL_AFFINE_IDENTITY};
    image = (struct pl_image){0};
    pl_clock_enter(&w->clock, PLATEN_STAGE_PREPROCESS);
    s = preprocess(plan, w, part, &page->second, &page->err);
    s = s ? s : detect(plan, w, part, &page->err);
    if (!s && step) {
        pl_clock_enter(&w->clock, PLATEN_STAGE_RECOGNIZE);
        page->size = pl_reading_size(w->team[0], &part->regions);
        s = pl_page_image_gray(&w->env, &part->page, &page->gray, &page->err);
        s = s ? pl_fail_prefix(&page->err, s, "%s: ", step->info->name) : s;
        page->reading = (struct pl_reading){
            .gray = &page->gray, .regions = &part->regions, .cancel = page->cancel};
    }
    return s ? fail_page(page, s, "process", page->in.label, page->err.text) : s;
}

void pl_page_begin(struct pl_page_worker *w, struct pl_page *page)
{
    w->page = page;
    w->env.cancel = page->cancel;
    pl_clock_start(&w->clock, &page->spans, PLATEN_STAGE_DECODE);
    if (!page->status && !page->inside) {
        pl_gate_enter(page->plan->gate, page->bytes);
        page->inside = true;
    }
    page->status = page->status ? page->status : read_rest(page);
    page->status = page->status ? page->status : check_alone(page);
    page->status = page->status ? page->status : prepare(w, page);
    page->stage = w->clock.stage;
    pl_clock_stop(&w->clock);
}

/* From where its lines have been read to its end. */
static platen_status finish(struct pl_page_worker *w, struct pl_page *page)
{
    const struct pl_plan *plan = page->plan;
    const struct pl_step *step = pl_spec_step(plan->pipeline, PL_SPEC_RECOGNIZE);
    platen_status s = page->reading.status;
    pl_image_done(&page->gray);
    if (s) {
        page->err = page->reading.err;
        s = pl_fail_prefix(&page->err, s, "%s: ", step->info->name);
    }
    s = s ? s : settle_layout(plan, w, &page->first.regions, &page->err);
    s = s ? s : finish_part(w, &page->first);
    pl_page_image_done(&page->first.page);
    if (!s && page->second.page.image.store) { /* a page that can be divided is in no batch */
        pl_arena_reset(&w->arena);
        pl_clock_enter(&w->clock, PLATEN_STAGE_PREPROCESS);
        memset(page->spans.part, 0, sizeof(page->spans.part));
        s = preprocess(plan, w, &page->second, NULL, &page->err);
        s = s ? s : read_alone(plan, w, &page->second, &page->err);
        s = s ? s : finish_part(w, &page->second);
    }
    return s ? fail_page(page, s, "process", page->in.label, page->err.text) : s;
}

void pl_page_end(struct pl_page_worker *w, struct pl_page *page)
{
    struct pl_part *const parts[] = {&page->first, &page->second};
    w->page = page;
    w->env.cancel = page->cancel;
    pl_page_reset_out(w);
    pl_str_reset(&w->message);
    w->share = 0;
    warn_of_flaw(w, page);
    if (page->in.done)
        return;
    pl_clock_start(&w->clock, &page->spans, page->stage);
    page->status = page->status ? page->status : finish(w, page);
    if (page->status && page->status != PLATEN_ERR_CANCELED && !page->fatal && check_models(page))
        page->status = fail_page(page, PLATEN_ERR_IO, "process", page->in.label, page->err.text);
    if (page->status == PLATEN_ERR_CANCELED) {
        pl_page_reset_out(w);
    } else if (page->status) {
        pl_str_reset(&w->message);
        tell_failure(w, page);
        pl_page_emit_failure(w);
    }
    for (size_t i = 0; i < PL_ARRAY_LEN(parts); i++) {
        pl_page_image_done(&parts[i]->page);
        pl_page_image_done(&parts[i]->doubtful);
    }
    pl_image_done(&page->gray);
    pl_map_close(&page->map);
    pl_page_leave(page);
    pl_clock_stop(&w->clock);
    if (page->status != PLATEN_ERR_CANCELED)
        pl_clock_page(&w->clock, &page->spans);
    w->env.cancel = NULL;
}
