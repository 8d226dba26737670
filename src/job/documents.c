/* SPDX-License-Identifier: BSD-2-Clause */
#include "job/documents.h"

#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "job/page_out.h"

#define PIECE_BYTES ((size_t)1 << 20) /* of a document that stays, written at once */

static struct pl_file_rules rules_of(const struct pl_documents *d)
{
    return (struct pl_file_rules){.root_bytes = strlen(d->plan->output_dir),
                                  .durable = d->plan->durable};
}

static void forget(struct pl_documents *d)
{
    for (size_t i = 0; i < d->plan->n_formats; i++) {
        struct pl_document_file *f = &d->files[i];
        if (f->open) {
            pl_writer_abort(&f->file);
            pl_stream_done(&f->stream);
        }
        f->open = false;
    }
    pl_map_close(&d->source);
    d->status = PLATEN_OK;
    d->broken = false;
}

void pl_documents_done(struct pl_documents *d)
{
    forget(d);
    for (size_t i = 0; i < d->plan->n_formats; i++)
        pl_str_done(&d->files[i].path);
    pl_free(d->notes);
    pl_str_done(&d->out);
}

/* Writes the bytes of the document that stays. */
static platen_status write_source(struct pl_documents *d, struct pl_document_file *f,
                                  const struct pl_input *in, struct platen_error *err)
{
    platen_status s = PLATEN_OK;
    if (in->data)
        d->source = pl_map_borrow(in->data, in->size);
    else
        s = pl_map_open(in->path, PL_MAX_INPUT_BYTES, &d->source, err);
    if (s)
        return pl_fail_prefix(err, s, "'%s': ", in->path);
    for (size_t at = 0; !s && at < d->source.size; at += PIECE_BYTES)
        s = pl_writer_add(&f->file, d->source.data + at, PL_MIN(PIECE_BYTES, d->source.size - at),
                          err);
    pl_stream_begin_behind(&f->stream, d->source.size);
    return s;
}

static platen_status open_file(struct pl_documents *d, size_t format, const struct pl_input *in,
                               struct platen_error *err)
{
    struct pl_document_file *f = &d->files[format];
    const struct pl_emitter *e = d->plan->formats[format];
    const struct pl_file_rules rules = rules_of(d);
    pl_str_reset(&f->path);
    pl_str_printf(&f->path, "%s/%s.%s", d->plan->output_dir, in->document, e->extension);
    if (f->path.failed)
        return pl_fail_nomem(err, f->path.len, "the name of an output");
    platen_status s = pl_page_may_put(d->plan, f->path.s, in, err);
    s = s ? s : pl_writer_open_below(&f->file, f->path.s, &rules, err);
    if (s)
        return s;
    pl_stream_init(&f->stream, e);
    f->open = true;
    return in->stays && e->source ? write_source(d, f, in, err) : PLATEN_OK;
}

static platen_status write_out(struct pl_documents *d, struct pl_document_file *f, platen_status s,
                               struct platen_error *err)
{
    if (!s && d->out.len)
        s = pl_writer_add(&f->file, d->out.s, d->out.len, err);
    pl_str_reset(&d->out);
    return s;
}

static platen_status add_texts(struct pl_documents *d, const struct pl_input *in,
                               const struct pl_document_page *page, struct platen_error *err)
{
    platen_status s = PLATEN_OK;
    for (int i = 0; !s && i < page->n_out; i++) {
        struct pl_document_file *f = &d->files[page->format_of[i]];
        s = f->open ? PLATEN_OK : open_file(d, page->format_of[i], in, err);
        if (!s)
            s = write_out(d, f, pl_stream_page(&f->stream, &page->out[i], &d->out, err), err);
    }
    return s;
}

static platen_status note_page(struct pl_documents *d, size_t index,
                               const struct pl_document_page *page, struct platen_error *err)
{
    const size_t i = index - d->first;
    if (i >= d->cap) {
        size_t cap = PL_MAX(d->cap * 2, (size_t)64);
        struct pl_document_note *more = pl_realloc(d->notes, cap, sizeof(*more));
        if (!more)
            return pl_fail_nomem(err, cap * sizeof(*more), "the pages of a document");
        d->notes = more;
        d->cap = cap;
    }
    d->notes[i] = (struct pl_document_note){
        .state = page->state, .bytes = page->bytes, .lacking = page->status != PLATEN_OK};
    return PLATEN_OK;
}

/* Ends the files and gives them their names; *ret_bytes is their length. */
static platen_status commit(struct pl_documents *d, const struct pl_input *in, uint64_t *ret_bytes,
                            struct platen_error *err)
{
    platen_status s = pl_map_check(&d->source, in->path, false, err);
    *ret_bytes = 0;
    for (size_t i = 0; !s && i < d->plan->n_formats; i++) {
        struct pl_document_file *f = &d->files[i];
        if (!f->open)
            continue;
        s = pl_stream_end(&f->stream, &d->out, err);
        *ret_bytes += f->stream.at;
        s = write_out(d, f, s, err);
        if (!s)
            s = pl_writer_commit(&f->file, err);
        else
            pl_writer_abort(&f->file);
        pl_stream_done(&f->stream);
        f->open = false;
    }
    return s;
}

/* Tells the journal of the pages that are in the documents, which have `bytes` all in all. */
static platen_status note_pages(struct pl_documents *d, size_t end, uint64_t bytes,
                                struct platen_error *err)
{
    platen_status s = PLATEN_OK;
    for (size_t i = d->first; !s && i < end; i++) {
        const struct pl_document_note *note = &d->notes[i - d->first];
        if (!note->lacking)
            s = pl_journal_add(d->journal, &d->inputs->v[i], &note->state, note->bytes + bytes,
                               NULL, err);
    }
    return s;
}

/* Adds the page; where a document cannot be written, none of its later pages can. */
static platen_status add_page(struct pl_documents *d, size_t index,
                              const struct pl_document_page *page, struct platen_error *err)
{
    platen_status s = note_page(d, index, page, err);
    if (!s && d->status) {
        *err = d->err;
        return d->status;
    }
    s = s || page->status ? s : add_texts(d, &d->inputs->v[index], page, err);
    d->status = s;
    if (s)
        d->err = *err;
    return s;
}

platen_status pl_documents_add(struct pl_documents *d, size_t index,
                               const struct pl_document_page *page, platen_status *ret_journal,
                               struct platen_error *err)
{
    const struct pl_input *in = &d->inputs->v[index];
    uint64_t bytes;
    *ret_journal = PLATEN_OK;
    if (in->done)
        return PLATEN_OK;
    if (pl_inputs_begins_document(d->inputs, index))
        d->first = index;
    d->broken = d->broken || page->status == PLATEN_ERR_CANCELED;
    platen_status s = add_page(d, index, page, err);
    if (!pl_inputs_ends_document(d->inputs, index))
        return s;
    if (!s && !d->broken) {
        s = commit(d, in, &bytes, err);
        if (!s)
            *ret_journal = note_pages(d, index + 1, bytes, err);
    }
    forget(d);
    return s;
}
