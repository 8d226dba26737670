/* SPDX-License-Identifier: BSD-2-Clause */
/* Joins pages to one output, with what stands before, between and behind them. */
#include <string.h>

#include "output/emitters.h"

void pl_stream_init(struct pl_stream *st, const struct pl_emitter *e)
{
    *st = (struct pl_stream){.emitter = e};
}

void pl_stream_begin_behind(struct pl_stream *st, uint64_t n)
{
    st->at = n;
    st->any = true;
    st->pdf.update = true;
}

void pl_stream_done(struct pl_stream *st)
{
    pl_pdf_done(&st->pdf);
    pl_str_done(&st->held);
}

static void add_to_stream(struct pl_stream *st, struct pl_str *out, const char *text)
{
    if (!text)
        return;
    pl_str_puts(out, text);
    st->at += strlen(text);
}

platen_status pl_stream_page(struct pl_stream *st, const struct pl_str *page, struct pl_str *out,
                             struct platen_error *err)
{
    const struct pl_emitter *e = st->emitter;
    add_to_stream(st, out, st->any ? e->separator : e->head);
    st->any = true;
    if (e->join)
        return e->join(st, page, out, err);
    pl_str_add(out, page->len ? page->s : "", page->len);
    st->at += page->len;
    return pl_emit_finish(out, err);
}

platen_status pl_stream_end(struct pl_stream *st, struct pl_str *out, struct platen_error *err)
{
    const struct pl_emitter *e = st->emitter;
    if (!st->any)
        add_to_stream(st, out, e->head);
    if (e->join)
        return e->join(st, NULL, out, err);
    add_to_stream(st, out, e->tail);
    return pl_emit_finish(out, err);
}
