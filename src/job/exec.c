/* SPDX-License-Identifier: BSD-2-Clause */
#include "job/exec.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "host/host.h"
#include "files/ahead.h"
#include "job/documents.h"
#include "job/new_pdf.h"
#include "output/tree.h"

#define WINDOW_PER_WORKER 16
/* Files that are opened before a worker needs them, and the part of the memory for pages that their
 * bytes may come to. */
#define AHEAD_PER_WORKER 4
#define AHEAD_PART 8
#define MOST_AHEAD_BYTES ((uint64_t)64 << 20)
/* Of one file: a decoder seldom needs all of a longer one for a page. */
#define AHEAD_FILE_BYTES ((size_t)8 << 20)

/* A finished page that waits for those before it. */
struct slot {
    bool ready;
    platen_status status;
    bool disk_full, fatal;
    struct platen_error err; /* of an error that ends the run */
    struct pl_input in;      /* of a page that a list named, without its texts */
    struct pl_str out[PL_MAX_OUTS], message;
    uint8_t format_of[PL_MAX_OUTS];
    size_t name_bytes;  /* where the name ends in the text of a warning */
    double share;       /* the share of the ink that the warning tells */
    bool damaged;       /* rows of the page may be missing */
    struct pl_str note; /* of the journal, for a stream that grows */
    struct pl_page_told told;
    struct pl_str told_of; /* pl_new_pdf_name() of the page */
    struct pl_input_state input;
    uint64_t output_bytes;
    int n_out;
};

struct exec_run {
    struct pl_exec *x;
    pthread_mutex_t lock;
    pthread_cond_t turn; /* signalled when `next` moves */
    struct slot *ring;   /* page i waits in ring[i % window] */
    size_t window, next; /* next: the page whose turn it is */
    size_t waiting;      /* pages that are made and not finished */
    size_t inside;       /* pages that are taken and not made; counted where x->cautious */
    bool alone;          /* the page that is inside is read alone: none is taken beside it */
    struct pl_stream streams[PL_MAX_FORMATS]; /* without an output directory */
    struct pl_str bytes;                      /* what a stream grows by */
    struct pl_map document;                   /* the PDF that stays; the stream begins with it */
    struct pl_documents documents;            /* where the plan has some */
    struct pl_ahead ahead;
    struct pl_new_pdf new_pdf; /* the file of the pages that are finished now */
    bool ended;                /* the run ended early, by fail_fast or an error */
    bool broken_off;           /* a page is missing where the stream that grows goes on */
    platen_status fatal;
    struct platen_error fatal_err;
    platen_status list; /* the failure of the list of names */
    struct platen_error list_err;
};

static void end_early(struct exec_run *r)
{
    r->ended = true;
    atomic_store(r->x->stop, true);
    pl_source_stop(r->x->source);
}

/* Notes an error that ends the run; only the first one counts. `err` may be r->fatal_err. */
static void fail_run(struct exec_run *r, platen_status s, const struct platen_error *err)
{
    if (!s || r->fatal)
        return;
    r->fatal = s;
    r->fatal_err = *err;
    end_early(r);
}

static platen_status fail_full(const struct exec_run *r, struct platen_error *err)
{
    return pl_fail(err, PLATEN_ERR_IO,
                   "stopped: no room is left in '%s'; what is there is complete",
                   r->x->plan->output_dir);
}

static void fail_journal(struct exec_run *r, platen_status s, struct platen_error *err)
{
    bool full = s && r->x->plan->output_dir && (err->os_errno == ENOSPC || err->os_errno == EDQUOT);
    fail_run(r, full ? fail_full(r, err) : s, err);
}

/* Writes what the stream of a format grew by, unless its making failed. */
static void write_bytes(struct exec_run *r, size_t format, platen_status s)
{
    struct pl_exec *x = r->x;
    if (!s && r->bytes.len)
        s = x->write_format
                ? x->write_format(x->ctx, format, r->bytes.s, r->bytes.len, &r->fatal_err)
                : x->write(x->write_ctx, r->bytes.s, r->bytes.len, &r->fatal_err);
    pl_str_reset(&r->bytes);
    fail_run(r, s, &r->fatal_err);
}

/* Begins the stream with the bytes of the document that stays. */
static void write_document(struct exec_run *r)
{
    const size_t piece = (size_t)1 << 20;
    for (size_t at = 0; at < r->document.size && !r->fatal; at += piece)
        fail_run(r,
                 r->x->write(r->x->write_ctx, r->document.data + at,
                             PL_MIN(piece, r->document.size - at), &r->fatal_err),
                 &r->fatal_err);
    pl_stream_begin_behind(&r->streams[0], r->document.size);
}

static void write_page(struct exec_run *r, size_t format, const struct pl_str *page)
{
    if (r->x->plan->update && !r->streams[format].any)
        write_document(r);
    if (r->x->page)
        r->x->page(r->x->ctx, pl_tree_page(page));
    else if (!r->fatal)
        write_bytes(r, format, pl_stream_page(&r->streams[format], page, &r->bytes, &r->fatal_err));
}

bool pl_exec_left_nothing(const struct pl_exec *x, const struct pl_emitter *format)
{
    return (format->single || format->join) && !x->done;
}

/* Writes the end of the streams, after a cancel, too, so that what is written is whole. */
static void write_end(struct exec_run *r)
{
    const struct pl_plan *plan = r->x->plan;
    for (size_t i = 0; i < plan->n_formats && !plan->output_dir && !r->fatal; i++)
        if (!pl_exec_left_nothing(r->x, plan->formats[i]))
            write_bytes(r, i, pl_stream_end(&r->streams[i], &r->bytes, &r->fatal_err));
}

static const char *text_of(const struct pl_str *message)
{
    return message->s && !message->failed ? message->s : "out of memory";
}

/* Takes back in the journal that a page was begun, since it is made, and waits for what comes
 * before it in its output: a run that is killed meanwhile is not killed by this page. */
static void note_made(struct exec_run *r, const struct pl_page *page)
{
    struct platen_error err;
    struct pl_input in = page->in;
    in.begun = 0;
    fail_journal(r, pl_journal_leave(r->x->journal, &in, &page->input, &err), &err);
}

/* Whether a page that is made comes into the growing stream, and with `durable` to the disk, only
 * later, or never. */
static bool comes_later(const struct exec_run *r, const struct pl_page *page)
{
    return page->index != r->next || r->ended || r->broken_off || r->x->growing->durable;
}

/* Notes in the journal what became of a page, as soon as it is made. That it is in its output is
 * noted when it is there, if that is a stream or a document. */
static void note_page(struct exec_run *r, const struct pl_page_worker *w,
                      const struct pl_page *page)
{
    struct pl_journal *j = r->x->journal;
    struct platen_error err;
    const bool shared = r->x->growing || r->x->plan->documents;
    const bool left = page->status == PLATEN_ERR_CANCELED || page->fatal;
    if (!j || page->in.done)
        return;
    if (shared && !page->status) {
        if (!r->x->growing || comes_later(r, page))
            note_made(r, page);
        return;
    }
    if (r->x->growing && !left)
        return;
    fail_journal(r,
                 left ? pl_journal_leave(j, &page->in, &page->input, &err)
                      : pl_journal_add(j, &page->in, &page->input, page->output_bytes,
                                       page->status ? text_of(&w->message) : NULL, &err),
                 &err);
}

/* Whether no other page is read beside this one. */
static bool is_alone(const struct pl_input *in)
{
    return in->begun && !in->given_up && !in->done;
}

/* Called when a page is made; workers with pages that are read alone may be waiting for that. */
static void leave(struct exec_run *r)
{
    if (!r->x->cautious)
        return;
    assert(r->inside > 0 && (!r->alone || r->inside == 1));
    r->inside--;
    r->alone = false;
    pthread_cond_broadcast(&r->turn);
}

/* Warns by a text that begins with a name of so many bytes. */
static void warn(const struct pl_exec *x, const struct pl_str *text, size_t name_bytes,
                 double share)
{
    struct pl_str name = {0};
    if (!x->warning || text->failed)
        return;
    pl_str_add(&name, text->s, name_bytes);
    if (!name.failed)
        x->warning(x->ctx, &(struct platen_warning){.size = sizeof(struct platen_warning),
                                                    .text = text_of(text),
                                                    .name = name.s,
                                                    .share = share});
    pl_str_done(&name);
}

static void count_page(struct exec_run *r, const struct slot *page)
{
    struct pl_exec *x = r->x;
    bool failed = page->status != PLATEN_OK;
    x->done += !failed;
    x->failed += failed;
    x->damaged += !failed && page->damaged;
    x->skipped += page->in.done;
    if (failed && x->failure)
        x->failure(x->ctx, page->status, text_of(&page->message));
    if (!failed && !page->in.done && page->message.len)
        warn(x, &page->message, page->name_bytes, page->share);
    if (pl_new_pdf_add(&r->new_pdf, &page->told, &page->told_of, page->in.more))
        warn(x, &r->new_pdf.text, r->new_pdf.name_bytes, 0);
    if (x->progress) {
        struct platen_progress now = {
            .size = sizeof(now), .done = x->done, .failed = x->failed, .skipped = x->skipped};
        now.total = pl_source_count(x->source, &now.all_known);
        x->progress(x->ctx, &now);
    }
    if (failed && x->fail_fast)
        end_early(r);
}

/* Adds the page to its documents. Where that fails the page fails. */
static void add_to_documents(struct exec_run *r, struct slot *page)
{
    const struct pl_document_page made = {.status = page->status,
                                          .state = page->input,
                                          .bytes = page->output_bytes,
                                          .out = page->out,
                                          .format_of = page->format_of,
                                          .n_out = page->n_out};
    struct platen_error err;
    platen_status journal, s = pl_documents_add(&r->documents, r->next, &made, &journal, &err);
    fail_journal(r, journal, &err);
    if (!s || page->status)
        return;
    page->status = s;
    page->disk_full = err.os_errno == ENOSPC || err.os_errno == EDQUOT;
    pl_str_reset(&page->message);
    pl_str_puts(&page->message, "unable to process '");
    pl_str_name(&page->message, page->in.label, strlen(page->in.label), PL_NAME_SHOWN);
    pl_str_printf(&page->message, "': %s", err.text);
}

static void place_page(struct exec_run *r, const struct slot *page)
{
    struct platen_error err;
    fail_run(r, pl_stream_file_note(r->x->growing, &page->note, &err), &err);
}

/* Tells and writes what became of a page, unless the run ended early. When a disk is full the run
 * ends, for every further page would fail. */
static void finish_page(struct exec_run *r, struct slot *page)
{
    r->broken_off =
        r->broken_off || (r->x->growing && !r->x->unordered && page->status == PLATEN_ERR_CANCELED);
    if (r->x->plan->documents && !r->ended && page->status == PLATEN_ERR_CANCELED)
        add_to_documents(r, page); /* so that these know that they lack it */
    if (r->ended || r->broken_off || page->status == PLATEN_ERR_CANCELED)
        return;
    if (page->fatal)
        fail_run(r, page->status, &page->err);
    if (r->x->plan->documents && !r->fatal)
        add_to_documents(r, page);
    for (int i = 0; i < page->n_out && !r->fatal && !r->x->plan->documents; i++)
        write_page(r, page->format_of[i], &page->out[i]);
    if (!r->fatal && r->x->growing && !page->in.done)
        place_page(r, page);
    if (r->fatal)
        return;
    count_page(r, page);
    if (page->disk_full && !r->fatal)
        fail_run(r, fail_full(r, &r->fatal_err), &r->fatal_err);
}

static void swap_text(struct pl_str *a, struct pl_str *b)
{
    struct pl_str t = *a;
    *a = *b;
    *b = t;
}

static void fill_slot(const struct pl_exec *x, struct slot *slot, struct pl_page_worker *w,
                      const struct pl_page *page)
{
    slot->ready = true;
    slot->status = page->status;
    slot->disk_full = page->disk_full;
    slot->fatal = page->fatal;
    if (page->fatal)
        slot->err = page->err;
    slot->in = page->in;
    slot->input = page->input;
    slot->output_bytes = page->output_bytes;
    slot->n_out = w->n_out;
    if (x->growing && !page->in.done)
        pl_journal_line(x->journal, &page->in, &page->input,
                        page->status ? text_of(&w->message) : NULL, &slot->note);
    for (int i = 0; i < PL_MAX_OUTS; i++)
        swap_text(&slot->out[i], &w->out[i]);
    memcpy(slot->format_of, w->format_of, sizeof(slot->format_of));
    swap_text(&slot->message, &w->message);
    slot->told = page->told;
    swap_text(&slot->told_of, &w->told_of);
    slot->name_bytes = w->name_bytes;
    slot->share = w->share;
    slot->damaged = w->damaged;
}

/* Measures how many pages wait for their turn; those that are finished at once have not waited. */
static void note_waiting(struct exec_run *r)
{
    if (r->waiting != r->x->waiting.now)
        pl_depth_set(&r->x->waiting, r->waiting, pl_host_seconds());
}

/* Hands the worker's result to the ring and finishes every page whose turn it is. A worker hands
 * its pages over in order, and with any in hand waits for nothing else that lasts, so that the
 * worker of page `next` comes here without waiting, and the ring always moves. */
static void deliver(void *ctx, struct pl_page_worker *w, struct pl_page *page)
{
    struct exec_run *r = ctx;
    size_t i = page->index;
    pthread_mutex_lock(&r->lock);
    note_page(r, w, page);
    leave(r);
    if (r->x->unordered)
        i = r->next;
    r->waiting++;
    if (i >= r->next + r->window)
        note_waiting(r);
    while (i >= r->next + r->window)
        pthread_cond_wait(&r->turn, &r->lock);
    assert(i >= r->next && !r->ring[i % r->window].ready); /* each page comes once */
    fill_slot(r->x, &r->ring[i % r->window], w, page);
    for (struct slot *slot; (slot = &r->ring[r->next % r->window])->ready; r->next++) {
        finish_page(r, slot);
        slot->ready = false;
        assert(r->waiting > 0);
        r->waiting--;
    }
    note_waiting(r);
    pthread_cond_broadcast(&r->turn);
    pthread_mutex_unlock(&r->lock);
}

/* Notes that the list of names broke off; the pages before that are still done. */
static void note_list(struct exec_run *r, platen_status s, const struct platen_error *err)
{
    pthread_mutex_lock(&r->lock);
    r->list = s;
    r->list_err = *err;
    pthread_mutex_unlock(&r->lock);
}

/* Takes the next page as pl_source_next() does. A page that is read alone is taken when no other
 * page is being made, and none is taken beside it; a worker that waits for this has no pages in
 * hand. All inputs are settled then. */
static platen_status take_cautiously(struct exec_run *r, struct pl_batch *b, struct pl_page *page,
                                     bool *ret_any, struct platen_error *err)
{
    struct pl_input_source *src = r->x->source;
    pthread_mutex_lock(&r->lock);
    for (;;) {
        const size_t i = atomic_load(&src->given);
        if (!r->alone && !(r->inside && i < src->settled.n && is_alone(&src->settled.v[i])))
            break;
        if (b->n) {
            pthread_mutex_unlock(&r->lock);
            pl_batch_finish(b);
            pthread_mutex_lock(&r->lock);
        } else {
            pthread_cond_wait(&r->turn, &r->lock);
        }
    }
    platen_status s = pl_source_next(src, &b->w->names, 0, &page->in, &page->index, ret_any, err);
    r->inside += *ret_any;
    r->alone = *ret_any && is_alone(&page->in);
    pthread_mutex_unlock(&r->lock);
    return s;
}

/* Notes in the journal that the page is begun, and begins it. */
static void begin_page(struct exec_run *r, struct pl_batch *b, struct pl_page *page)
{
    struct platen_error err;
    page->input = pl_input_state_of(&page->in);
    page->in.number = r->x->growing ? page->index + 1 : 0;
    pl_ahead_take(&r->ahead, page->index, &page->input, &page->map);
    if (r->x->journal && !page->in.done && !page->in.error) {
        pthread_mutex_lock(&r->lock);
        fail_journal(r, pl_journal_begin(r->x->journal, &page->in, &page->input, &err), &err);
        pthread_mutex_unlock(&r->lock);
    }
    pl_batch_take(b, page);
}

/* Takes inputs until there are no more; then the worker is free to help with the lines and rows of
 * the pages that are left. */
static void work(void *ctx, int worker, size_t unused)
{
    struct exec_run *r = ctx;
    struct pl_batch *b = &r->x->batches[worker];
    struct pl_page page = {.plan = r->x->plan};
    struct platen_error err;
    (void)unused;
    pl_batch_deliver_to(b, deliver, r);
    for (bool any = true; any && !atomic_load_explicit(r->x->stop, memory_order_relaxed);) {
        const bool waiting = b->n;
        if (!waiting)
            pl_arena_reset(&b->w->names);
        platen_status s = r->x->cautious
                              ? take_cautiously(r, b, &page, &any, &err)
                              : pl_source_next(r->x->source, &b->w->names, pl_batch_patience(b),
                                               &page.in, &page.index, &any, &err);
        if (s)
            note_list(r, s, &err);
        if (any)
            begin_page(r, b, &page);
        else
            pl_batch_finish(b);
        any = any || waiting; /* with other pages in hand it was not waited for */
    }
    pl_batch_finish(b);
}

static platen_status outcome(struct exec_run *r, struct platen_error *err)
{
    struct pl_exec *x = r->x;
    if (r->fatal) {
        if (err)
            *err = r->fatal_err;
        return r->fatal;
    }
    if (r->list) {
        if (err)
            *err = r->list_err;
        return r->list;
    }
    bool all;
    size_t n = pl_source_count(x->source, &all);
    if (atomic_load(x->stop) && !r->ended && (!all || x->done + x->failed < n))
        return pl_fail(err, PLATEN_ERR_CANCELED, "canceled");
    return PLATEN_OK;
}

static void open_document(struct exec_run *r)
{
    const struct pl_input *in = &r->x->source->settled.v[0];
    platen_status s = PLATEN_OK;
    if (in->data)
        r->document = pl_map_borrow(in->data, in->size);
    else
        s = pl_map_open(in->path, PL_MAX_INPUT_BYTES, &r->document, &r->fatal_err);
    if (s)
        fail_run(r, pl_fail_prefix(&r->fatal_err, s, "'%s': ", in->path), &r->fatal_err);
}

/* The document must still be what it was when its bytes were written. */
static void check_document(struct exec_run *r)
{
    const char *path = r->x->source->settled.v[0].path;
    platen_status s = pl_map_check(&r->document, path, false, &r->fatal_err);
    fail_run(r, s ? pl_fail_prefix(&r->fatal_err, s, "'%s': ", path) : s, &r->fatal_err);
    pl_map_close(&r->document);
}

static void begin_ahead(struct exec_run *r)
{
    struct pl_input_source *source = r->x->source;
    const size_t workers = (size_t)pl_pool_workers(r->x->pool);
    r->ahead = (struct pl_ahead){
        .in = source->settled.v,
        .n = source->settled.n,
        .given = &source->given,
        .most_files = PL_MIN(AHEAD_PER_WORKER * workers, (size_t)PL_AHEAD_FILES),
        .file_bytes = AHEAD_FILE_BYTES,
        .most_bytes = PL_MIN(r->x->plan->gate->budget_bytes / AHEAD_PART, MOST_AHEAD_BYTES)};
    pl_ahead_begin(&r->ahead);
}

platen_status pl_exec_run(struct pl_exec *x, struct platen_error *err)
{
    struct exec_run r = {.x = x};
    r.window = WINDOW_PER_WORKER * (size_t)pl_pool_workers(x->pool);
    r.ring = pl_alloc_zero(r.window, sizeof(*r.ring));
    if (!r.ring)
        return pl_fail_nomem(err, r.window * sizeof(*r.ring), "the pages in flight");
    pthread_mutex_init(&r.lock, NULL);
    pthread_cond_init(&r.turn, NULL);
    for (size_t i = 0; i < x->plan->n_formats; i++)
        pl_stream_init(&r.streams[i], x->plan->formats[i]);
    r.streams[0].any = x->growing && x->growing->any;
    r.documents = (struct pl_documents){
        .plan = x->plan, .inputs = &x->source->settled, .journal = x->journal};
    if (x->plan->update)
        open_document(&r);
    begin_ahead(&r);
    pl_pool_for(x->pool, (size_t)pl_pool_workers(x->pool), work, &r);
    pl_ahead_end(&r.ahead);
    if (x->plan->update && !r.fatal)
        check_document(&r);
    write_end(&r);
    pl_documents_done(&r.documents);
    for (size_t i = 0; i < x->plan->n_formats; i++)
        pl_stream_done(&r.streams[i]);
    pl_str_done(&r.bytes);
    pl_new_pdf_done(&r.new_pdf);
    pthread_cond_destroy(&r.turn);
    pthread_mutex_destroy(&r.lock);
    for (size_t i = 0; i < r.window; i++) {
        for (int k = 0; k < PL_MAX_OUTS; k++)
            pl_str_done(&r.ring[i].out[k]);
        pl_str_done(&r.ring[i].message);
        pl_str_done(&r.ring[i].told_of);
        pl_str_done(&r.ring[i].note);
    }
    pl_free(r.ring);
    return outcome(&r, err);
}
