/* SPDX-License-Identifier: BSD-2-Clause */
#include "job/requests/asked.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"
#include "output/tree.h"

/* Whether the answer is the PDF that was given, with text added behind its bytes. */
static bool updates(const struct platen_request *r)
{
    return r->in.v[0].is_pdf && r->plan.formats[0] == pl_emitter_find("pdf", 3) &&
           r->plan.load.pdf_text != PLATEN_PDF_TEXT_FORCE && !r->plan.pipeline->divides;
}

platen_status pl_asked_open(struct platen_request *r, struct platen_error *err)
{
    r->known = r->in.v[0].raster || pl_image_known(r->in.v[0].data, r->in.v[0].size);
    platen_status s = pl_inputs_split(&r->in, err);
    if (!s && r->in.v[0].error)
        s = pl_fail(err, PLATEN_ERR_ARG, "%s", r->in.v[0].error);
    if (!s && r->plan.formats[0]->single && r->in.n > 1)
        s = pl_fail(err, PLATEN_ERR_ARG,
                    "format '%s' holds one page, and there are %zu: choose one",
                    r->plan.formats[0]->name, r->in.n);
    if (s)
        return s;
    r->pages = pl_alloc_zero(r->in.n, sizeof(*r->pages));
    if (!r->pages)
        return pl_fail_nomem(err, r->in.n * sizeof(*r->pages), "the pages of a file");
    r->plan.update = updates(r);
    for (size_t i = 0; i < r->in.n; i++)
        r->in.v[i].stays = r->plan.update;
    r->failed = SIZE_MAX;
    r->opened = true;
    return PLATEN_OK;
}

struct pl_page pl_asked_page(struct platen_request *r, size_t i)
{
    assert(r->opened && i < r->in.n);
    return (struct pl_page){
        .plan = &r->plan, .in = r->in.v[i], .index = i, .cancel = &r->cancel, .ctx = r};
}

void pl_asked_fail(struct platen_request *r, size_t i, platen_status s, const char *reason)
{
    if (r->status && i >= r->failed)
        return;
    r->failed = i;
    r->status = s;
    pl_str_reset(&r->message);
    pl_str_puts(&r->message, reason && *reason ? reason : platen_status_name(s));
}

/* Takes over what the worker warns of in its page. */
static void keep_warning(struct platen_request *r, struct pl_page_worker *w, size_t i)
{
    struct pl_asked_page *to = &r->pages[i];
    if (!w->message.len)
        return;
    to->warning = w->message;
    to->share = w->share;
    w->message = (struct pl_str){0};
    if (!to->warning.failed)
        pl_str_add(&to->name, to->warning.s, w->name_bytes);
    if (to->warning.failed || to->name.failed)
        pl_asked_fail(r, i, PLATEN_ERR_NOMEM, NULL);
}

uint64_t pl_asked_keep(struct platen_request *r, struct pl_page_worker *w,
                       const struct pl_page *page)
{
    struct pl_asked_page *to = &r->pages[page->index];
    /* json and ndjson tell of pages that failed; one that was asked for alone has no answer then */
    const bool told = w->n_out && r->in.n > 1 && page->status != PLATEN_ERR_CANCELED;
    uint64_t bytes = 0;
    assert(w->n_out <= PL_MAX_PARTS);
    if (page->status && !told)
        pl_asked_fail(r, page->index, page->status, w->message.failed ? NULL : w->message.s);
    if (!page->status)
        keep_warning(r, w, page->index);
    r->read += !page->status;
    r->lines += page->lines;
    for (int i = 0; i < PLATEN_STAGES; i++)
        r->ms[i] += page->spans.part[i];
    for (to->n_out = 0; to->n_out < w->n_out; to->n_out++) {
        struct pl_str *from = &w->out[to->n_out];
        bytes += from->len;
        to->out[to->n_out] = *from; /* the worker's next page takes another one */
        *from = (struct pl_str){0};
    }
    r->bytes += bytes;
    return bytes;
}

/* Joins the pages to one file. */
static platen_status join_pages(struct platen_request *r, struct pl_str *out,
                                struct platen_error *err)
{
    struct pl_stream stream;
    size_t n = 0;
    platen_status s = PLATEN_OK;
    pl_stream_init(&stream, r->plan.formats[0]);
    if (r->plan.update) {
        pl_str_add(out, r->in.v[0].data, r->in.v[0].size);
        pl_stream_begin_behind(&stream, r->in.v[0].size);
    }
    for (size_t i = 0; i < r->in.n; i++)
        for (int part = 0; part < r->pages[i].n_out && !s; part++) {
            if (n++ && r->plan.formats[0]->single)
                s = pl_fail(err, PLATEN_ERR_ARG,
                            "format '%s' holds one page, not the two of a split",
                            r->plan.formats[0]->name);
            s = s ? s : pl_stream_page(&stream, &r->pages[i].out[part], out, err);
            pl_str_done(&r->pages[i].out[part]);
        }
    s = s ? s : pl_stream_end(&stream, out, err);
    pl_stream_done(&stream);
    return s || !out->failed ? s : pl_fail_nomem(err, out->len, "an answer");
}

/* The pages as structs; *ret is for pl_free(). */
static platen_status list_pages(const struct platen_request *r, struct platen_answer *a,
                                const struct platen_page ***ret, struct platen_error *err)
{
    *ret = pl_alloc(r->in.n * PL_MAX_PARTS, sizeof(**ret));
    if (!*ret)
        return pl_fail_nomem(err, r->in.n * sizeof(**ret), "an answer");
    for (size_t i = 0; i < r->in.n; i++)
        for (int part = 0; part < r->pages[i].n_out; part++)
            (*ret)[a->n_pages++] = pl_tree_page(&r->pages[i].out[part]);
    a->pages = *ret;
    return PLATEN_OK;
}

/* The warnings about the pages; *ret is for pl_free(). */
static platen_status list_warnings(const struct platen_request *r, struct platen_answer *a,
                                   struct platen_warning **ret, struct platen_error *err)
{
    *ret = pl_alloc(r->in.n, sizeof(**ret));
    if (!*ret)
        return pl_fail_nomem(err, r->in.n * sizeof(**ret), "an answer");
    for (size_t i = 0; i < r->in.n; i++) {
        const struct pl_asked_page *page = &r->pages[i];
        if (page->warning.len)
            (*ret)[a->n_warnings++] = (struct platen_warning){.size = sizeof(**ret),
                                                              .text = page->warning.s,
                                                              .name = page->name.s,
                                                              .share = page->share};
    }
    a->warnings = *ret;
    return PLATEN_OK;
}

static void answer_failure(struct platen_request *r, struct platen_answer *a, platen_status s,
                           const char *reason)
{
    a->status = s;
    a->data = reason;
    a->data_bytes = strlen(reason);
    r->answer(r->ctx, a);
}

/* Nothing is read any more. */
static void give_variant(struct platen_request *r)
{
    pl_variants_give(r->variants, r->variant);
    r->variant = NULL;
}

void pl_asked_answer(struct platen_request *r)
{
    give_variant(r);
    struct platen_error err;
    struct pl_str file = {0};
    const struct platen_page **pages = NULL;
    struct platen_warning *warnings = NULL;
    struct platen_answer a = {.size = sizeof(a),
                              .begun = true,
                              .known = r->known,
                              .pages_read = r->read,
                              .lines = r->lines};
    memcpy(a.ms, r->ms, sizeof(a.ms));
    platen_status s = r->status;
    const char *reason =
        r->message.len && !r->message.failed ? r->message.s : platen_status_name(s);
    if (!s) {
        s = r->plan.formats[0] == &pl_emit_tree ? list_pages(r, &a, &pages, &err)
                                                : join_pages(r, &file, &err);
        s = s ? s : list_warnings(r, &a, &warnings, &err);
        reason = err.text;
    }
    if (s) {
        answer_failure(r, &a, s, reason);
    } else {
        a.data = pages ? NULL : file.len ? file.s : "";
        a.data_bytes = file.len;
        r->answer(r->ctx, &a);
    }
    pl_free(warnings);
    pl_free(pages);
    pl_str_done(&file);
}

void pl_asked_refuse(struct platen_request *r, const char *reason)
{
    struct platen_answer a = {.size = sizeof(a)};
    give_variant(r);
    answer_failure(r, &a, PLATEN_ERR_CANCELED, reason);
}

void pl_asked_free(struct platen_request *r)
{
    for (size_t i = 0; r->pages && i < r->in.n; i++) {
        for (int part = 0; part < r->pages[i].n_out; part++)
            pl_str_done(&r->pages[i].out[part]);
        pl_str_done(&r->pages[i].warning);
        pl_str_done(&r->pages[i].name);
    }
    give_variant(r);
    pl_free(r->pages);
    pl_inputs_done(&r->in);
    pl_str_done(&r->message);
    pl_free(r);
}
