/* SPDX-License-Identifier: BSD-2-Clause */
/* Pages to a PDF document: objects are written as pages come, and what names them at the end
 * (pdf_end.h). */
#include "output/pdf/pdf_write.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "output/emitters.h"
#include "output/pdf/pdf_end.h"
#include "output/pdf/pdf_stream.h"

#define PT_OF_INCH 72.0
#define MAX_LEVEL 64 /* of a bookmark that is carried over */

void pl_pdf_done(struct pl_pdf *pdf)
{
    for (size_t i = 0; i < pdf->n; i++) {
        for (int k = 0; k < PL_PDF_OLD_TEXTS; k++)
            pl_str_done(&pdf->pages[i].text[k]);
        pl_str_done(&pdf->pages[i].label);
    }
    pl_free(pdf->pages);
    pl_str_done(&pdf->path);
    pl_str_done(&pdf->shared);
    pl_str_done(&pdf->info);
    pl_pdf_outline_done(&pdf->outline);
    *pdf = (struct pl_pdf){0};
}

static struct pl_pdf_page *add_page(struct pl_pdf *pdf)
{
    if (pdf->n == pdf->cap) {
        size_t cap = PL_MAX(pdf->cap * 2, (size_t)16);
        struct pl_pdf_page *more = pl_realloc(pdf->pages, cap, sizeof(*more));
        if (!more)
            return NULL;
        pdf->pages = more;
        pdf->cap = cap;
    }
    return &pdf->pages[pdf->n++];
}

static void count_language(struct pl_pdf *pdf, const char *tag)
{
    for (size_t i = 0; i < PL_ARRAY_LEN(pdf->languages) && *tag; i++) {
        struct pl_pdf_language *l = &pdf->languages[i];
        if (!l->pages)
            snprintf(l->tag, sizeof(l->tag), "%s", tag);
        if (!strcmp(l->tag, tag)) {
            l->pages++;
            break;
        }
    }
}

static void put_object(struct pl_str *out, size_t number, const char *body, size_t n)
{
    pl_str_printf(out, "%zu 0 obj\n", number);
    pl_str_add(out, body, n);
    pl_str_puts(out, "endobj\n");
}

/* Notes the input file of the last page, which has a bookmark where there are several. */
static platen_status note_file(struct pl_pdf *pdf, const struct pl_pdf_part *part, const char *path,
                               struct platen_error *err)
{
    const struct pl_pdf_mark top = {.page = pdf->n - 1, .at = {part->box[0], part->box[3]}};
    if (pdf->files && pdf->path.len == part->path_bytes &&
        !memcmp(pdf->path.s, path, part->path_bytes))
        return PLATEN_OK;
    pdf->files++;
    pl_str_reset(&pdf->path);
    pl_str_add(&pdf->path, path, part->path_bytes);
    if (pdf->path.failed)
        return pl_fail_nomem(err, part->path_bytes, "the name of an input");
    return pl_pdf_outline_add(&pdf->outline, &top, path + part->path_bytes, part->title_bytes, err);
}

/* Makes bookmarks of the headings of the last page. */
static platen_status note_headings(struct pl_pdf *pdf, const struct pl_pdf_part *part,
                                   const char *at, struct platen_error *err)
{
    struct pl_pdf_heading h;
    platen_status s = PLATEN_OK;
    for (size_t i = 0; !s && i < part->n_headings; i++) {
        memcpy(&h, at, sizeof(h));
        at += sizeof(h);
        const struct pl_pdf_mark mark = {
            .level = (int)PL_MAX(h.level, (size_t)1), .page = pdf->n - 1, .at = h.at};
        s = pl_pdf_outline_add(&pdf->outline, &mark, at, h.text_bytes, err);
        at += h.text_bytes;
    }
    return s;
}

/* Takes the bookmarks that lead to the last page of a new document. */
static platen_status note_carried(struct pl_pdf *pdf, const struct pl_pdf_part *part,
                                  const char *at, struct platen_error *err)
{
    const char *end = at + part->update_bytes[PL_PDF_CARRIED_MARKS];
    const double *box = part->box;
    struct pl_pdf_carried_mark c;
    platen_status s = PLATEN_OK;
    while (!s && (size_t)(end - at) > sizeof(c)) {
        memcpy(&c, at, sizeof(c));
        at += sizeof(c);
        const size_t n = PL_MIN(c.title_bytes, (size_t)(end - at));
        const struct pl_pdf_mark mark = {
            .order = (size_t)PL_MAX(c.order, 1),
            .level = PL_CLAMP(c.level, 0, MAX_LEVEL) + 1,
            .page = pdf->n - 1,
            .at = {PL_CLAMP(box[0] + c.at.x * PT_OF_INCH, box[0], box[2]),
                   PL_CLAMP(box[3] - c.at.y * PT_OF_INCH, box[1], box[3])}};
        s = pl_pdf_outline_add(&pdf->outline, &mark, at, n, err);
        at += n;
    }
    return s;
}

/* Takes what the document of the first page tells of itself. */
static void note_info(struct pl_pdf *pdf, const struct pl_pdf_part *part, const char *at)
{
    if (pdf->n == 1)
        pl_str_add(&pdf->info, at, part->update_bytes[PL_PDF_CARRIED_INFO]);
}

/* Whether the last object that pictures share is this one. */
static bool is_kept(const struct pl_pdf *pdf, const char *shared, size_t n)
{
    return pdf->shared.len == n && !memcmp(pdf->shared.s, shared, n);
}

static void keep_shared(struct pl_pdf *pdf, const char *shared, size_t n, size_t number)
{
    pl_str_reset(&pdf->shared);
    pl_str_add(&pdf->shared, shared, n);
    pdf->shared_number = number;
}

/* A picture, whose dictionary names what it shares. */
static void put_image(struct pl_str *out, const struct pl_pdf *pdf, size_t number,
                      const struct pl_pdf_part *part, const char *body)
{
    static const char begin[] = "<< ";
    const size_t n = part->shared_bytes ? sizeof(begin) - 1 : 0;
    assert(!memcmp(body, begin, n));
    pl_str_printf(out, "%zu 0 obj\n", number);
    if (n)
        pl_str_printf(out, "<< /DecodeParms << /JBIG2Globals %zu 0 R >> ", pdf->shared_number);
    pl_str_add(out, body + n, part->image_bytes - n);
    pl_str_puts(out, "endobj\n");
}

/* A page of a new document. */
static void join_new(struct pl_stream *st, const struct pl_pdf_part *part, const char *objects,
                     struct pl_pdf_page *page, struct pl_str *out)
{
    const size_t start = out->len;
    const char *shared = objects + part->image_bytes;
    if (part->shared_bytes && !is_kept(&st->pdf, shared, part->shared_bytes)) {
        page->shared_at = st->at;
        put_object(out, page->number + PL_PDF_OF_SHARED, shared, part->shared_bytes);
        keep_shared(&st->pdf, shared, part->shared_bytes, page->number + PL_PDF_OF_SHARED);
    }
    if (part->image_bytes) {
        page->image_at = st->at + (out->len - start);
        put_image(out, &st->pdf, page->number + PL_PDF_OF_IMAGE, part, objects);
    }
    page->text_at = st->at + (out->len - start);
    put_object(out, page->number + PL_PDF_OF_TEXT, shared + part->shared_bytes, part->text_bytes);
    out->failed = out->failed || st->pdf.shared.failed;
}

/* A page that stays. Its new dictionary is written at the end. */
static void join_layer(struct pl_stream *st, const struct pl_pdf_part *part, const char *objects,
                       struct pl_pdf_page *page, struct pl_str *out)
{
    const size_t start = out->len;
    if (st->pdf.n == 1) {
        st->pdf.place = part->place;
        pl_str_putc(out, '\n'); /* the document before may end without */
    }
    page->object = part->place.object;
    page->generation = part->place.generation;
    page->n_below = part->place.n_below;
    size_t number = pl_pdf_base_of(&st->pdf) + page->number;
    if (part->text_bytes) {
        page->text_at = st->at + (out->len - start);
        put_object(out, number++, objects, part->text_bytes);
        objects += part->text_bytes;
    }
    if (part->stripped_bytes) {
        page->stripped_at = st->at + (out->len - start);
        put_object(out, number, objects, part->stripped_bytes);
        objects += part->stripped_bytes;
    }
    for (int i = 0; i < PL_PDF_OLD_TEXTS; i++) {
        const bool of_document = i == PL_PDF_OLD_TRAILER || i == PL_PDF_OLD_CATALOG;
        if (!of_document || st->pdf.n == 1)
            pl_str_add(&page->text[i], objects, part->update_bytes[i]);
        objects += part->update_bytes[i];
        out->failed = out->failed || page->text[i].failed;
    }
}

/* Headings become bookmarks where the file has none of its own. */
static platen_status finish_page(struct pl_pdf *pdf, const struct pl_pdf_part *part,
                                 const char *headings, struct pl_str *out, struct platen_error *err)
{
    platen_status s = part->has_marks ? PLATEN_OK : note_headings(pdf, part, headings, err);
    return s ? s : pl_emit_finish(out, err);
}

static platen_status join_page(struct pl_stream *st, const struct pl_str *chunk, struct pl_str *out,
                               struct platen_error *err)
{
    assert(chunk->len >= sizeof(struct pl_pdf_part));
    struct pl_pdf_part part;
    const size_t start = out->len, number = pl_pdf_next_number(&st->pdf);
    memcpy(&part, chunk->s, sizeof(part));
    if (st->pdf.update && !part.text_bytes && !part.stripped_bytes)
        return PLATEN_OK;
    count_language(&st->pdf, part.language);
    st->pdf.archive = part.archive;
    st->pdf.sheet = part.sheet;
    if (part.archive)
        st->pdf.sum = pl_pdf_sum(st->pdf.sum, chunk->s + sizeof(part), chunk->len - sizeof(part));
    struct pl_pdf_page *page = add_page(&st->pdf);
    if (!page)
        return pl_fail_nomem(err, sizeof(*page), "the pages of a document");
    *page = (struct pl_pdf_page){.number = number};
    memcpy(page->box, part.box, sizeof(page->box));
    if (st->pdf.update)
        join_layer(st, &part, chunk->s + sizeof(part), page, out);
    else
        join_new(st, &part, chunk->s + sizeof(part), page, out);
    st->at += out->len - start;
    const char *label = chunk->s + chunk->len - part.label_bytes,
               *names = label - part.title_bytes - part.path_bytes;
    if (!st->pdf.update && part.label_bytes)
        pl_pdf_put_utf16(&page->label, label, part.label_bytes);
    out->failed = out->failed || page->label.failed;
    const char *headings = names - part.heading_bytes,
               *marks = headings - part.update_bytes[PL_PDF_CARRIED_MARKS],
               *info = marks - part.update_bytes[PL_PDF_CARRIED_INFO];
    platen_status s = note_file(&st->pdf, &part, names, err);
    if (st->pdf.update)
        return s ? s : finish_page(&st->pdf, &part, headings, out, err);
    note_info(&st->pdf, &part, info);
    out->failed = out->failed || st->pdf.info.failed;
    s = s ? s : note_carried(&st->pdf, &part, marks, err);
    return s ? s : finish_page(&st->pdf, &part, headings, out, err);
}

/* Returns how many objects the bookmarks are. One input file alone has none, and those of a
 * document that stays are all that it has. */
static size_t settle_outline(struct pl_pdf *pdf)
{
    if (pdf->files == 1)
        pl_pdf_outline_drop_first(&pdf->outline);
    pl_pdf_outline_link(&pdf->outline);
    return pdf->outline.n && !pdf->place.has_outline ? pdf->outline.n + 1 : 0;
}

static platen_status join_end(struct pl_stream *st, struct pl_str *out, struct platen_error *err)
{
    const size_t marks = settle_outline(&st->pdf);
    struct pl_pdf_ending e = {.st = st,
                              .out = out,
                              .start = out->len,
                              .base = pl_pdf_base_of(&st->pdf),
                              .objects = pl_pdf_next_number(&st->pdf) + marks +
                                         (st->pdf.archive ? PL_PDF_ARCHIVE_OBJECTS : 0)};
    if (st->pdf.update && !st->pdf.n)
        return PLATEN_OK; /* no page gets text */
    if (st->at >= 9999999999ull)
        return pl_fail(err, PLATEN_ERR_LIMIT, "a pdf cannot be longer than 10^10 bytes");
    e.offset = pl_alloc_zero(e.objects, sizeof(*e.offset));
    if (!e.offset)
        return pl_fail_nomem(err, e.objects * sizeof(*e.offset), "the end of a document");
    if (st->pdf.update)
        pl_pdf_end_layers(&e);
    else
        pl_pdf_end_new(&e);
    pl_free(e.offset);
    st->at += out->len - e.start;
    return pl_emit_finish(out, err);
}

platen_status pl_pdf_join(struct pl_stream *st, const struct pl_str *page, struct pl_str *out,
                          struct platen_error *err)
{
    return page ? join_page(st, page, out, err) : join_end(st, out, err);
}
