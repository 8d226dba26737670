/* SPDX-License-Identifier: BSD-2-Clause */
#include "job/page_in.h"

#include <string.h>

#include "base/map.h"
#include "job/page_message.h"

bool pl_plan_needs_color(const struct pl_plan *plan)
{
    bool gray = false, picture = plan->steps_dir;
    for (size_t i = 0; !gray && i < plan->pipeline->n_preprocess; i++) {
        const struct pl_preprocess_op *op = pl_preprocess_op_of(plan->pipeline->steps[i].info);
        if (op->color && !op->makes_gray)
            return true;
        gray = op->makes_gray;
    }
    for (size_t i = 0; i < plan->n_formats; i++)
        picture =
            picture || (plan->formats[i]->binary && (plan->clean_pdf || !plan->formats[i]->source));
    return picture && !gray;
}

static platen_status estimate(struct pl_page *page, uint64_t *ret)
{
    platen_status s = pl_page_estimate(page, ret);
    return s ? pl_page_fail(page, s, "decode", page->in.label, page->err.text) : s;
}

static platen_status open_file(struct pl_page_worker *w, struct pl_page *page)
{
    const struct pl_input *in = &page->in;
    platen_status s = PLATEN_OK;
    if (in->head) {
        page->map = *in->head;
        *in->head = (struct pl_map){0};
    }
    if (atomic_load_explicit(page->plan->cancel, memory_order_relaxed))
        return pl_fail(&page->err, PLATEN_ERR_CANCELED, "canceled");
    s = pl_env_check(&w->env, &page->err);
    if (s)
        return s;
    if (in->error)
        return pl_page_fail(page, pl_fail(&page->err, pl_input_status(in), "%s", in->error), "open",
                            in->path, in->error);
    if (in->data) {
        page->map = pl_map_borrow(in->data, in->size);
    } else if (!in->head && !page->map.data) {
        s = pl_map_open_head(in->path, PL_MAX_INPUT_BYTES, page->plan->wake_fd, &page->map,
                             &page->err);
    }
    if (s == PLATEN_ERR_CANCELED)
        return s;
    if (s)
        return pl_page_fail(page, s, "open", in->label, pl_error_reason(&page->err));
    if (page->map.unread && pl_image_known(page->map.data, page->map.size))
        page->bytes = PL_MAX(page->plan->gate->budget_bytes, 1); /* it may be as long as that */
    else
        s = estimate(page, &page->bytes);
    return s;
}

void pl_page_open(struct pl_page_worker *w, struct pl_page *page)
{
    w->env.cancel = page->cancel;
    pl_clock_start(&w->clock, &page->spans, PLATEN_STAGE_DECODE);
    page->status = open_file(w, page);
    pl_clock_stop(&w->clock);
}

void pl_page_enter(struct pl_page *page)
{
    if (page->inside)
        return;
    pl_gate_enter(page->plan->gate, page->bytes);
    page->inside = true;
}

bool pl_page_try_enter(struct pl_page *page)
{
    if (page->status)
        return true;
    page->inside = pl_gate_try(page->plan->gate, page->bytes);
    return page->inside;
}

void pl_page_leave(struct pl_page *page)
{
    if (page->inside)
        pl_gate_leave(page->plan->gate, page->bytes);
    page->inside = false;
}

/* Reads the rest of a pipe whose head looks like a picture. The page holds the whole budget of the
 * gate meanwhile, for the length is known only at the end. */
static platen_status read_rest(struct pl_page *page)
{
    const struct pl_plan *plan = page->plan;
    const uint64_t most = pl_gate_input_bytes(plan->gate);
    if (!page->map.unread || !pl_image_known(page->map.data, page->map.size))
        return PLATEN_OK;
    platen_status s = pl_map_read_rest(&page->map, most, plan->wake_fd, &page->err);
    if (s == PLATEN_ERR_CANCELED)
        return s;
    if (s == PLATEN_ERR_LIMIT)
        s = pl_fail(&page->err, s, "longer than the memory that there is for it: %llu bytes",
                    (unsigned long long)most);
    if (s)
        return pl_page_fail(page, s, "read", page->in.label, pl_error_reason(&page->err));
    uint64_t bytes;
    s = estimate(page, &bytes);
    if (s)
        return s;
    bytes = PL_MIN(bytes, page->bytes);
    pl_gate_give(plan->gate, page->bytes - bytes);
    page->bytes = bytes;
    return PLATEN_OK;
}

/* Fails when standard input holds a second picture behind this one, which would be lost. */
static platen_status check_alone(struct pl_page *page)
{
    if (page->in.data || page->in.frame || strcmp(page->in.path, "-") ||
        pl_image_next(page->map.data, page->map.size) == page->map.size)
        return PLATEN_OK;
    platen_status s = pl_fail(&page->err, PLATEN_ERR_UNSUPPORTED,
                              "standard input holds more than one picture, and must be the only "
                              "input then");
    return pl_page_fail(page, s, "read", page->in.label, page->err.text);
}

/* Whether the picture of the page stands for the page in a new PDF. */
static bool goes_to_new_pdf(const struct pl_page *page)
{
    const struct pl_plan *plan = page->plan;
    const struct pl_emitter *pdf = pl_emitter_find("pdf", 3);
    bool any = false;
    for (size_t i = 0; i < plan->n_formats; i++)
        any = any || plan->formats[i] == pdf;
    return any && !page->in.stays;
}

static platen_status decode_picture(struct pl_page_worker *w, struct pl_page *page,
                                    struct pl_image *ret)
{
    const struct pl_plan *plan = page->plan;
    struct pl_load_options opt = plan->load;
    opt.page = page->in.page;
    opt.page_at = page->in.page_at;
    opt.raster = page->in.raster;
    opt.layer = page->in.stays;
    opt.pixels = plan->n_formats > 1;
    opt.ret_flaw = &page->flaw;
    opt.anew = page->anew = goes_to_new_pdf(page);
    opt.ret_told = &page->told;
    opt.mapped = page->map.kind == PL_MAP_MAPPED;
    opt.probed_pixels = page->pixels;
    opt.probed_bytes = page->decode_bytes;
    platen_status s = pl_image_load(&w->env, page->map.data, page->map.size, &opt, ret, &page->err),
                  changed = pl_input_check(&page->in, &page->map, &page->err);
    if (!s && changed)
        pl_image_done(ret);
    s = changed ? changed : s;
    if (!plan->source)
        pl_map_close(&page->map);
    return s ? pl_page_fail(page, s, "decode", page->in.label, page->err.text) : PLATEN_OK;
}

platen_status pl_page_load(struct pl_page_worker *w, struct pl_page *page, struct pl_image *ret)
{
    platen_status s = read_rest(page);
    s = s ? s : check_alone(page);
    return s ? s : decode_picture(w, page, ret);
}
