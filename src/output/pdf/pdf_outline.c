/* SPDX-License-Identifier: BSD-2-Clause */
#include "output/pdf/pdf_outline.h"

#include "base/mem.h"
#include "output/pdf/pdf_stream.h"

void pl_pdf_outline_done(struct pl_pdf_outline *o)
{
    for (size_t i = 0; o->v && i <= o->n; i++)
        pl_str_done(&o->v[i].title);
    pl_free(o->v);
    *o = (struct pl_pdf_outline){0};
}

static platen_status reserve(struct pl_pdf_outline *o, struct platen_error *err)
{
    if (o->n + 1 < o->cap)
        return PLATEN_OK;
    const size_t cap = PL_MAX(o->cap * 2, (size_t)16);
    struct pl_pdf_mark *more = pl_realloc(o->v, cap, sizeof(*more));
    if (!more)
        return pl_fail_nomem(err, cap * sizeof(*more), "the bookmarks of a document");
    if (!o->v)
        more[0] = (struct pl_pdf_mark){.level = -1};
    o->v = more;
    o->cap = cap;
    return PLATEN_OK;
}

platen_status pl_pdf_outline_add(struct pl_pdf_outline *o, const struct pl_pdf_mark *place,
                                 const char *text, size_t n, struct platen_error *err)
{
    platen_status s = reserve(o, err);
    if (s)
        return s;
    struct pl_pdf_mark *mark = &o->v[o->n + 1];
    *mark = (struct pl_pdf_mark){
        .order = place->order, .level = place->level, .page = place->page, .at = place->at};
    pl_pdf_put_utf16(&mark->title, text, n);
    o->n++;
    if (mark->title.failed)
        return pl_fail_nomem(err, n, "a bookmark");
    for (; mark[-1].order > mark->order && mark->order; mark--) {
        const struct pl_pdf_mark before = mark[-1];
        mark[-1] = mark[0];
        mark[0] = before;
    }
    return PLATEN_OK;
}

void pl_pdf_outline_drop_first(struct pl_pdf_outline *o)
{
    pl_str_done(&o->v[1].title);
    for (size_t i = 1; i < o->n; i++)
        o->v[i] = o->v[i + 1];
    o->n--;
}

void pl_pdf_outline_link(struct pl_pdf_outline *o)
{
    for (size_t i = 1; i <= o->n; i++) {
        struct pl_pdf_mark *mark = &o->v[i];
        mark->parent = i - 1;
        while (o->v[mark->parent].level >= mark->level)
            mark->parent = o->v[mark->parent].parent;
        struct pl_pdf_mark *parent = &o->v[mark->parent];
        mark->previous = parent->last;
        if (parent->last)
            o->v[parent->last].next = i;
        else
            parent->first = i;
        parent->last = i;
        parent->children++;
    }
}

static void put_link(struct pl_str *out, const char *key, size_t root, size_t mark)
{
    if (mark)
        pl_str_printf(out, "/%s %zu 0 R ", key, root + mark);
}

void pl_pdf_outline_put(const struct pl_pdf_outline *o, size_t i, size_t root, size_t page,
                        int generation, struct pl_str *out)
{
    const struct pl_pdf_mark *mark = &o->v[i];
    pl_str_puts(out, "<< ");
    if (i) {
        pl_str_printf(out, "/Title <feff%s> /Parent %zu 0 R /Dest [%zu %d R /XYZ ",
                      mark->title.len ? mark->title.s : "", root + mark->parent, page, generation);
        pl_str_number(out, mark->at.x, 2);
        pl_str_putc(out, ' ');
        pl_str_number(out, mark->at.y, 2);
        pl_str_puts(out, " null] ");
    } else {
        pl_str_puts(out, "/Type /Outlines ");
    }
    put_link(out, "Prev", root, mark->previous);
    put_link(out, "Next", root, mark->next);
    put_link(out, "First", root, mark->first);
    put_link(out, "Last", root, mark->last);
    if (mark->children) /* below zero: a mark that is shown without those in it */
        pl_str_printf(out, "/Count %s%zu ", i ? "-" : "", mark->children);
    pl_str_puts(out, ">>\n");
}
