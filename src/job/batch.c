/* SPDX-License-Identifier: BSD-2-Clause */
#include "job/batch.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"
#include "host/host.h"
#include "recognize/line_net.h"

platen_status pl_batch_init(struct pl_batch *b, struct pl_page_worker *w,
                            const struct pl_batch_rules *rules, struct platen_error *err)
{
    *b = (struct pl_batch){.w = w, .rules = rules};
    b->enough = rules->target_ms > 0 ? 1 : rules->preferred;
    b->pages = pl_alloc_zero(PL_BATCH_PAGES, sizeof(*b->pages));
    return b->pages ? PLATEN_OK
                    : pl_fail_nomem(err, PL_BATCH_PAGES * sizeof(*b->pages), "pages in hand");
}

void pl_batch_free(struct pl_batch *b)
{
    pl_free(b->pages);
}

void pl_batch_deliver_to(struct pl_batch *b, pl_batch_done_fn *done, void *ctx)
{
    b->done = done;
    b->ctx = ctx;
}

size_t pl_batch_adapt(size_t enough, size_t preferred, double target_ms, double took_ms, bool full)
{
    if (took_ms > target_ms)
        return PL_MAX(enough / 2, (size_t)1);
    return full ? PL_MIN(enough + 1, preferred) : enough;
}

static bool holds_canceled(const struct pl_batch *b)
{
    for (size_t i = 0; i < b->n; i++)
        if (b->pages[i].cancel && atomic_load(b->pages[i].cancel))
            return true;
    return false;
}

int pl_batch_patience(const struct pl_batch *b)
{
    const double waited_ms = b->n ? (pl_host_seconds() - b->since_s) * 1e3 : 0;
    if (!b->n)
        return -1;
    return b->rules->wait_ms > waited_ms && !holds_canceled(b)
               ? (int)(b->rules->wait_ms - waited_ms)
               : 0;
}

static void count_page(struct pl_batch *b, const struct pl_page *page)
{
    if (!page->status) {
        b->size.lines += page->size.lines;
        b->size.columns += page->size.columns;
    }
    b->bytes += page->bytes;
}

bool pl_batch_is_ready(const struct pl_batch *b)
{
    return !b->size.lines || b->size.lines >= b->enough || b->n == PL_BATCH_PAGES ||
           b->size.columns >= PL_LINE_GROUP_PX || b->bytes > PL_BATCH_BYTES ||
           b->pages[0].plan->pipeline->divides;
}

static void adapt(struct pl_batch *b)
{
    const struct pl_batch_rules *r = b->rules;
    if (r->target_ms > 0)
        b->enough =
            pl_batch_adapt(b->enough, r->preferred, r->target_ms,
                           (pl_host_seconds() - b->since_s) * 1e3, b->size.lines >= b->enough);
}

/* Brings the first n pages to their end. Several pages leave the gate before the first of them is
 * delivered: they hold little, and otherwise a worker at the gate could wait for this one while
 * this one waits for its turn to deliver. */
static void finish_first(struct pl_batch *b, size_t n)
{
    assert(n && n <= b->n);
    pl_pages_recognize(b->w, b->pages, n);
    for (size_t i = 0; i < n && n > 1; i++)
        pl_page_leave(&b->pages[i]);
    for (size_t i = 0; i < n; i++) {
        pl_page_end(b->w, &b->pages[i]);
        b->done(b->ctx, b->w, &b->pages[i]);
    }
    adapt(b);
    memmove(b->pages, b->pages + n, (b->n - n) * sizeof(*b->pages));
    b->n -= n;
    b->size = (struct pl_reading_size){0};
    b->bytes = 0;
}

void pl_batch_finish(struct pl_batch *b)
{
    if (b->n)
        finish_first(b, b->n);
}

bool pl_batch_has_room(const struct pl_batch *b, uint64_t bytes)
{
    return b->bytes + bytes <= PL_BATCH_BYTES;
}

/* Returns whether a page that was opened has room beside those before it. A page that failed always
 * has, and is not moved. */
static bool goes_along(const struct pl_batch *b, struct pl_page *page)
{
    return pl_batch_has_room(b, page->bytes) && pl_page_try_enter(page);
}

/* Returns whether reading the file may wait for somebody: a pipe, standard input. */
static bool may_block(const struct pl_page *page)
{
    return !page->in.data && !page->in.frame && !page->in.error && !page->in.done &&
           !page->input.known;
}

void pl_batch_take(struct pl_batch *b, const struct pl_page *given)
{
    assert(b->n < PL_BATCH_PAGES);
    if (b->n && b->pages[0].plan->pipeline != given->plan->pipeline)
        pl_batch_finish(b); /* lines of one call have the same arguments */
    struct pl_page *page = &b->pages[b->n];
    *page = *given;
    if (b->n && may_block(page)) {
        pl_batch_finish(b);
        *b->pages = *page;
        page = b->pages;
    }
    b->n++;
    b->since_s = b->n == 1 ? pl_host_seconds() : b->since_s;
    if (!page->in.done) {
        pl_page_open(b->w, page);
        if (b->n > 1 && !goes_along(b, page)) {
            finish_first(b, b->n - 1);
            page = b->pages;
            b->since_s = pl_host_seconds();
        }
        if (b->n == 1)
            pl_arena_trim(&b->w->arena);
        page->alone = b->n == 1;
        pl_page_begin(b->w, page);
    }
    count_page(b, page);
    if (pl_batch_is_ready(b))
        pl_batch_finish(b);
}
