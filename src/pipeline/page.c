#include "pipeline/page.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "detect/order.h"
#include "pipeline/upright.h"

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

const char *pl_part_suffix(int part)
{
    static const char *const suffixes[] = {"", "-1", "-2"};
    return suffixes[part];
}

static double seconds_since(const struct timespec *mark, const struct timespec *now)
{
    return (double)(now->tv_sec - mark->tv_sec) + (double)(now->tv_nsec - mark->tv_nsec) * 1e-9;
}

/* Processor time of this worker, and of others that helped it. */
static double cpu_s(const struct pl_page_worker *w)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9 + pl_pool_helped_s(w->env.pool);
}

/* Books the time since the last call on the stage that ran, and starts `next`. */
static void enter_stage(struct pl_page_worker *w, enum platen_stage next)
{
    struct timespec wall;
    double cpu = cpu_s(w);
    clock_gettime(CLOCK_MONOTONIC, &wall);
    double ms = seconds_since(&w->wall_mark, &wall) * 1e3;
    w->ms[w->stage] += ms;
    w->page_ms[w->stage] += ms;
    w->core_s[w->stage] += cpu - w->cpu_mark_s;
    w->stage = next;
    w->wall_mark = wall;
    w->cpu_mark_s = cpu;
}

static void start_clock(struct pl_page_worker *w)
{
    memset(w->ms, 0, sizeof(w->ms));
    memset(w->page_ms, 0, sizeof(w->page_ms));
    w->stage = PLATEN_STAGE_DECODE;
    clock_gettime(CLOCK_MONOTONIC, &w->wall_mark);
    w->cpu_mark_s = cpu_s(w);
}

/* Books the page's times; a stage that it did not come to has none. */
static void stop_clock(struct pl_page_worker *w)
{
    double sum = 0;
    enter_stage(w, PLATEN_STAGE_DECODE);
    for (int i = 0; i < PLATEN_STAGES; i++) {
        sum += w->page_ms[i];
        if (w->page_ms[i] > 0)
            pl_times_add(&w->times[i], w->page_ms[i]);
    }
    pl_times_add(&w->page_times, sum);
}

/* Appends "'PATH': ", with what would break the line shown as a question mark. */
static void put_name(struct pl_str *out, const char *path)
{
    pl_str_putc(out, '\'');
    for (; *path; path++)
        pl_str_putc(out, (unsigned char)*path < 0x20 || *path == 0x7f ? '?' : *path);
    pl_str_puts(out, "': ");
}

/* "unable to VERB 'PATH': " + the error's text, whatever the length of the path. */
static platen_status fail_page(struct pl_page_worker *w, platen_status s, const char *verb,
                               const char *path, const char *reason)
{
    pl_str_reset(&w->message);
    pl_str_printf(&w->message, "unable to %s ", verb);
    put_name(&w->message, path);
    pl_str_puts(&w->message, reason);
    return s;
}

/* Share of the ink that looks like text above which it is told that it lies in no line. */
#define MAX_LEFTOVER 0.03
#define MIN_LEFTOVER 3 /* boxes: less is no more than a blot */

static void warn_of_leftover(struct pl_page_worker *w, const struct pl_input *in,
                             const struct pl_regions *r)
{
    double left = (double)r->unexplained_px,
           all = left + (double)r->ink_in_lines_px + (double)r->unread_px;
    if (!(left > MAX_LEFTOVER * all) || r->n_unexplained < MIN_LEFTOVER || w->message.len)
        return;
    put_name(&w->message, in->label);
    pl_str_printf(&w->message, "%.0f %% of the ink that looks like text lies in no line",
                  100 * left / all);
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

/* Pictures of a page that are alive at once, in bytes a pixel: measured, grey is below 4. */
#define GRAY_PAGE_BYTES 4
#define COLOR_PAGE_BYTES 12

/* Waits until there is memory for the picture that the header promises. What has no header that can
 * be read will not be decoded either. */
static void admit(const struct pl_plan *plan, struct pl_page_worker *w, const struct pl_map *map)
{
    struct pl_image_info info = {0};
    uint64_t bytes = 1;
    if (!pl_image_probe(map->data, map->size, &info, NULL))
        bytes += (uint64_t)info.width * (uint64_t)info.height *
                 (plan->load.gray || info.channels < 3 ? GRAY_PAGE_BYTES : COLOR_PAGE_BYTES);
    pl_gate_enter(plan->gate, bytes);
    w->admitted_bytes = bytes;
}

/* `map` holds the file afterwards if a format wants it, else nothing. */
static platen_status load(const struct pl_plan *plan, struct pl_page_worker *w,
                          const struct pl_input *in, struct pl_map *map, struct pl_image *ret,
                          struct platen_error *err)
{
    if (in->error)
        return fail_page(w, pl_fail(err, PLATEN_ERR_IO, "%s", in->error), "open", in->path,
                         in->error);
    platen_status s = PLATEN_OK;
    if (in->data)
        *map = pl_map_borrow(in->data, in->size);
    else
        s = pl_map_open(in->path, PL_MAX_INPUT_BYTES, map, err);
    if (s)
        return fail_page(w, s, "open", in->label, pl_error_reason(err));
    admit(plan, w, map);
    struct pl_load_options opt = plan->load;
    opt.page = in->page;
    opt.mapped = map->kind == PL_MAP_MAPPED;
    s = pl_image_load(&w->env, map->data, map->size, &opt, ret, err);
    if (!plan->source)
        pl_map_close(map);
    return s ? fail_page(w, s, "decode", in->label, err->text) : PLATEN_OK;
}

/* A page, or a part of one, on its way. */
struct part {
    const struct pl_input *in;
    int number;   /* 1 or 2 of a page that was made two, else 0 */
    size_t steps; /* of stage one that are behind it */
    struct pl_page_image page;
    struct pl_page_image doubtful; /* `page` where its way up was left in doubt, until it is read */
    size_t doubtful_steps;
};

static platen_status write_step(const struct pl_plan *plan, struct pl_page_worker *w,
                                const struct part *part, const char *name, struct platen_error *err)
{
    if (!plan->steps_dir)
        return PLATEN_OK;
    enter_stage(w, PLATEN_STAGE_OUTPUT);
    pl_str_reset(&w->path);
    pl_str_printf(&w->path, "%s/%s%s/%02zu-%s.png", plan->steps_dir, part->in->stem,
                  pl_part_suffix(part->number), part->steps, name);
    pl_str_reset(&w->scratch);
    platen_status s = pl_png_encode(&part->page.image, &w->scratch, err);
    if (!s && (w->scratch.failed || w->path.failed))
        s = pl_fail_nomem(err, w->scratch.len, "a step picture");
    if (!s)
        s = pl_file_write(w->path.s, w->scratch.s, w->scratch.len, err);
    enter_stage(w, PLATEN_STAGE_PREPROCESS);
    return s;
}

/* Where an operation has just left the way up of a page in doubt and lines can be read: the page is
 * kept as it is, for settle_upright() to ask how well it was read; before it can be made two pages,
 * it is asked at once. */
static platen_status note_doubt(const struct pl_plan *plan, struct pl_page_worker *w,
                                enum pl_upright before, struct part *part, struct platen_error *err)
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
                              struct part *part, struct part *ret_second, struct platen_error *err)
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
                                struct part *part, struct part *ret_second,
                                struct platen_error *err)
{
    enter_stage(w, PLATEN_STAGE_PREPROCESS);
    platen_status s = part->steps ? PLATEN_OK : write_step(plan, w, part, "input", err);
    while (!s && part->steps < plan->pipeline->n_preprocess)
        s = run_step(plan, w, part, ret_second, err);
    pl_page_image_forget_ink(&part->page);
    return s;
}

static platen_status recognize(struct pl_page_worker *w, const struct pl_step *step,
                               const struct pl_page_image *page, struct pl_regions *regions,
                               struct platen_error *err)
{
    pl_auto_image gray = {0};
    platen_status s = pl_page_image_gray(&w->env, page, &gray, err);
    if (!s)
        s = pl_recognize_page(step->op.recognize, w->team, &w->env, &w->arena, &gray, regions,
                              step->args, err);
    if (!s)
        pl_turned_settle(regions);
    if (!s && !pl_order_again(&w->arena, regions))
        s = pl_fail(err, PLATEN_ERR_NOMEM, "out of memory for the reading order");
    return s ? pl_fail_prefix(err, s, "%s: ", step->info->name) : PLATEN_OK;
}

/* The stages behind the first. */
static platen_status read_page(const struct pl_plan *plan, struct pl_page_worker *w,
                               const struct pl_page_image *page, struct pl_regions *regions,
                               struct platen_error *err)
{
    const struct pl_step *detect = pl_spec_step(plan->pipeline, PL_SPEC_DETECT);
    platen_status s = pl_env_check(&w->env, err);
    if (!s && detect) {
        enter_stage(w, PLATEN_STAGE_DETECT);
        s = detect->op.detect->run(&w->net, &w->env, &w->arena, page, detect->args, regions, err);
        if (s)
            s = pl_fail_prefix(err, s, "%s: ", detect->info->name);
    }
    const struct pl_step *step = pl_spec_step(plan->pipeline, PL_SPEC_RECOGNIZE);
    if (!s && step) {
        enter_stage(w, PLATEN_STAGE_RECOGNIZE);
        s = recognize(w, step, page, regions, err);
    }
    if (!s && detect && !pl_blocks_name(&w->arena, regions))
        s = pl_fail(err, PLATEN_ERR_NOMEM, "out of memory for the blocks of the page");
    return s;
}

/* An output must not take the place of the picture that it was made from. */
/* n pages as a whole file in w->file. */
static platen_status wrap(const struct pl_emitter *e, const struct pl_str *pages, int n,
                          struct pl_page_worker *w, struct platen_error *err)
{
    struct pl_stream stream;
    if (e->single && n > 1)
        return pl_fail(err, PLATEN_ERR_ARG, "format '%s' holds one page, not the two of a split",
                       e->name);
    pl_stream_init(&stream, e);
    pl_str_reset(&w->file);
    platen_status s = PLATEN_OK;
    for (int i = 0; !s && i < n; i++)
        s = pl_stream_page(&stream, &pages[i], &w->file, err);
    if (!s)
        s = pl_stream_end(&stream, &w->file, err);
    pl_stream_done(&stream);
    return s;
}

platen_status pl_page_wrap(const struct pl_emitter *e, struct pl_page_worker *w,
                           struct platen_error *err)
{
    return wrap(e, w->out, w->n_out, w, err);
}

static platen_status make_file(struct pl_page_worker *w, const struct pl_emitter *e,
                               const struct pl_page_result *result, struct platen_error *err)
{
    pl_str_reset(&w->scratch);
    platen_status s = e->emit(&w->env, result, &w->scratch, err);
    return s ? s : wrap(e, &w->scratch, 1, w, err);
}

static platen_status write_file(const struct pl_plan *plan, struct pl_page_worker *w,
                                const struct pl_input *in, const struct pl_emitter *e,
                                const struct pl_page_result *result, struct platen_error *err)
{
    platen_status s = make_file(w, e, result, err);
    pl_str_reset(&w->path);
    pl_str_printf(&w->path, "%s/%s%s.%s", plan->output_dir, in->stem, pl_part_suffix(result->part),
                  e->extension);
    if (!s && w->path.failed)
        s = pl_fail_nomem(err, w->path.len, "the name of an output");
    if (s)
        return s;
    if (pl_file_is_same(w->path.s, in->path))
        return pl_fail(err, PLATEN_ERR_ARG, "its output would take its place");
    s = pl_file_write(w->path.s, w->file.len ? w->file.s : "", w->file.len, err);
    w->output_bytes += w->file.len;
    w->disk_full = s && (err->os_errno == ENOSPC || err->os_errno == EDQUOT);
    return s;
}

static platen_status emit(const struct pl_plan *plan, struct pl_page_worker *w,
                          const struct pl_input *in, const struct pl_page_result *result,
                          struct platen_error *err)
{
    struct pl_str *out = &w->out[w->n_out++];
    platen_status s = PLATEN_OK;
    enter_stage(w, PLATEN_STAGE_OUTPUT);
    if (!plan->output_dir)
        s = plan->formats[0]->emit(&w->env, result, out, err);
    for (size_t i = 0; plan->output_dir && !s && i < plan->n_formats; i++)
        s = write_file(plan, w, in, plan->formats[i], result, err);
    if (!s && out->failed)
        s = pl_fail_nomem(err, out->len, "an output");
    return s;
}

static void reset_out(struct pl_page_worker *w)
{
    for (int i = 0; i < PL_MAX_PARTS; i++)
        pl_str_reset(&w->out[i]);
    w->n_out = 0;
}

/* In a stream, a format may have a record for a page that failed. */
static void emit_failure(const struct pl_plan *plan, struct pl_page_worker *w,
                         const struct pl_input *in, size_t index, platen_status status,
                         const char *reason)
{
    struct platen_error ignored; /* the page has failed already, and its message is written */
    struct pl_page_result result = {
        .path = in->path,
        .page = PL_MAX(in->page, 1),
        .number = index + 1,
        .status = status,
        .error = reason,
    };
    reset_out(w);
    if (!plan->output_dir && plan->formats[0]->failures)
        w->n_out = !plan->formats[0]->emit(&w->env, &result, &w->out[0], &ignored);
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
                                    struct part *part, struct pl_regions *regions,
                                    struct platen_error *err)
{
    const struct pl_step *step = pl_spec_step(plan->pipeline, PL_SPEC_RECOGNIZE);
    enum pl_upright read = pl_upright_judge(regions, &part->doubtful.image);
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
    *regions = (struct pl_regions){0};
    s = write_step(plan, w, part, plan->pipeline->steps[part->steps - 1].info->name, err);
    s = s ? s : preprocess(plan, w, part, NULL, err);
    return s ? s : read_page(plan, w, &part->page, regions, err);
}

/* Runs the steps that a part has still before it, and writes what comes out. Of `base` it fills in
 * what differs from part to part. */
static platen_status finish_part(const struct pl_plan *plan, struct pl_page_worker *w,
                                 struct part *part, const struct pl_page_result *base,
                                 struct part *ret_second, struct platen_error *err)
{
    struct pl_regions regions = {0};
    struct pl_page_result result = *base;
    platen_status s = preprocess(plan, w, part, ret_second, err);
    if (!s)
        s = read_page(plan, w, &part->page, &regions, err);
    if (!s && part->doubtful.image.store)
        s = settle_upright(plan, w, part, &regions, err);
    pl_page_image_done(&part->doubtful);
    w->lines += s ? 0 : count_lines(&regions);
    if (!s)
        warn_of_leftover(w, part->in, &regions);
    result.part = part->number;
    result.number += part->number == 2 && !plan->output_dir;
    result.image = &part->page;
    result.regions = plan->pipeline->stages > 1 ? &regions : NULL;
    return s ? s : emit(plan, w, part->in, &result, err);
}

/* Takes `image`, the loaded picture; `map` is the file. */
static platen_status process(const struct pl_plan *plan, struct pl_page_worker *w,
                             const struct pl_input *in, size_t index, const struct pl_map *map,
                             struct pl_image *image, struct platen_error *err)
{
    size_t numbers = plan->pipeline->divides ? PL_MAX_PARTS : 1; /* of one input in a stream */
    struct pl_page_result base = {
        .path = in->path,
        .page = PL_MAX(in->page, 1),
        .number = plan->output_dir ? 1 : index * numbers + 1,
        .width = image->width,
        .height = image->height,
        .dpi_x = image->dpi_x,
        .dpi_y = image->dpi_y,
        .ms = plan->times ? w->ms : NULL,
        .recognized = plan->pipeline->stages > 2,
        .source = map->data,
        .source_bytes = map->size,
    };
    struct part first = {.in = in}, second = {0};
    first.page = (struct pl_page_image){.image = *image, .to_input = PL_AFFINE_IDENTITY};
    *image = (struct pl_image){0};
    platen_status s = finish_part(plan, w, &first, &base, &second, err);
    pl_page_image_done(&first.page);
    if (!s && second.page.image.store) {
        pl_arena_reset(&w->arena);
        enter_stage(w, PLATEN_STAGE_PREPROCESS);
        memset(w->ms, 0, sizeof(w->ms));
        s = finish_part(plan, w, &second, &base, NULL, err);
    }
    pl_page_image_done(&second.page);
    return s ? fail_page(w, s, "process", in->label, err->text) : s;
}

platen_status pl_page_run(const struct pl_plan *plan, struct pl_page_worker *w,
                          const struct pl_input *in, size_t index)
{
    struct platen_error err;
    struct pl_map map = {0};
    pl_auto_image image = {0};
    reset_out(w);
    pl_str_reset(&w->message);
    pl_arena_reset(&w->arena);
    w->admitted_bytes = w->output_bytes = w->lines = 0;
    w->disk_full = false;
    start_clock(w);
    if (atomic_load_explicit(plan->cancel, memory_order_relaxed) || pl_env_check(&w->env, &err))
        return PLATEN_ERR_CANCELED;
    w->input = pl_input_state_of(in);
    platen_status s = load(plan, w, in, &map, &image, &err);
    if (!s)
        s = process(plan, w, in, index, &map, &image, &err);
    if (s == PLATEN_ERR_CANCELED)
        reset_out(w);
    else if (s)
        emit_failure(plan, w, in, index, s, err.text);
    pl_image_done(&image);
    pl_map_close(&map);
    if (w->admitted_bytes)
        pl_gate_leave(plan->gate, w->admitted_bytes);
    stop_clock(w);
    return s;
}
