/* SPDX-License-Identifier: BSD-2-Clause */
/* Pages to a PDF document: objects are written as pages come, and what names them at the end. */
#include "output/pdf_write.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "output/emitters.h"
#include "output/pdf_font.h"
#include "output/pdf_stream.h"

/* The numbers of the objects: these, and then those of each page. A picture is not in every page.
 */
enum {
    CATALOG = 1,
    PAGES,
    INFO,
    FONT,
    CHARACTERS,
    DESCRIPTOR,
    FONT_FILE,
    GLYPHS,
    UNICODE,
    FIRST_PAGE
};
enum { TEXT, PAGE, IMAGE };

void pl_pdf_done(struct pl_pdf *pdf)
{
    pl_free(pdf->pages);
    *pdf = (struct pl_pdf){0};
}

/* The number of the next object. */
static size_t next_number(const struct pl_pdf *pdf)
{
    if (!pdf->n)
        return FIRST_PAGE;
    const struct pl_pdf_page *last = &pdf->pages[pdf->n - 1];
    return last->number + (last->image_at ? IMAGE : PAGE) + 1;
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

static void put_object(struct pl_str *out, size_t number, const char *body, size_t n)
{
    pl_str_printf(out, "%zu 0 obj\n", number);
    pl_str_add(out, body, n);
    pl_str_puts(out, "endobj\n");
}

static platen_status join_page(struct pl_stream *st, const struct pl_str *chunk, struct pl_str *out,
                               struct platen_error *err)
{
    struct pl_pdf_part part;
    const size_t start = out->len, number = next_number(&st->pdf);
    struct pl_pdf_page *page = add_page(&st->pdf);
    if (!page)
        return pl_fail_nomem(err, sizeof(*page), "the pages of a document");
    memcpy(&part, chunk->s, sizeof(part));
    *page = (struct pl_pdf_page){
        .number = number, .width_pt = part.width_pt, .height_pt = part.height_pt};
    if (part.image_bytes) {
        page->image_at = st->at;
        put_object(out, number + IMAGE, chunk->s + sizeof(part), part.image_bytes);
    }
    page->text_at = st->at + (out->len - start);
    put_object(out, number + TEXT, chunk->s + sizeof(part) + part.image_bytes, part.text_bytes);
    st->at += out->len - start;
    return pl_emit_finish(out, err);
}

/* ---- the end of the document ---- */

struct ending {
    struct pl_stream *st;
    struct pl_str *out;
    size_t start;     /* of `out` */
    uint64_t *offset; /* of object i */
    size_t objects;   /* numbers in use, 0 included */
};

static void begin_object(struct ending *e, size_t number)
{
    e->offset[number] = e->st->at + (e->out->len - e->start);
    pl_str_printf(e->out, "%zu 0 obj\n", number);
}

static void put_page(struct ending *e, const struct pl_pdf_page *p)
{
    e->offset[p->number + TEXT] = p->text_at;
    begin_object(e, p->number + PAGE);
    pl_str_printf(e->out, "<< /Type /Page /Parent %d 0 R /MediaBox [0 0 ", PAGES);
    pl_str_number(e->out, p->width_pt, 4);
    pl_str_putc(e->out, ' ');
    pl_str_number(e->out, p->height_pt, 4);
    pl_str_printf(e->out, "] /Contents %zu 0 R /Resources << /Font << /" PL_PDF_FONT " %d 0 R >> ",
                  p->number + TEXT, FONT);
    if (p->image_at) {
        e->offset[p->number + IMAGE] = p->image_at;
        pl_str_printf(e->out, "/XObject << /Im %zu 0 R >> ", p->number + IMAGE);
    }
    pl_str_puts(e->out, ">> >>\nendobj\n");
}

/* An object that holds `plain`, deflated; `more` stands in its dictionary. */
static void put_packed(struct ending *e, size_t number, const char *more, struct pl_str *plain)
{
    begin_object(e, number);
    pl_str_printf(e->out, "<< %s", more);
    pl_pdf_put_packed(e->out, plain);
    pl_str_puts(e->out, "endobj\n");
}

static void put_font_streams(struct ending *e)
{
    struct pl_str plain = {0};
    char length[32];
    pl_pdf_font_file(&plain);
    snprintf(length, sizeof(length), "/Length1 %zu ", plain.len);
    put_packed(e, FONT_FILE, length, &plain);
    pl_str_reset(&plain);
    pl_pdf_font_glyphs(&plain);
    put_packed(e, GLYPHS, "", &plain);
    pl_str_reset(&plain);
    pl_pdf_font_unicode(&plain);
    put_packed(e, UNICODE, "", &plain);
    pl_str_done(&plain);
}

static void put_font(struct ending *e)
{
    begin_object(e, FONT);
    pl_str_printf(e->out,
                  "<< /Type /Font /Subtype /Type0 /BaseFont /Platen /Encoding /Identity-H "
                  "/DescendantFonts [%d 0 R] /ToUnicode %d 0 R >>\nendobj\n",
                  CHARACTERS, UNICODE);
    begin_object(e, CHARACTERS);
    pl_str_printf(e->out,
                  "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Platen /CIDSystemInfo << "
                  "/Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor %d 0 R "
                  "/DW %d /CIDToGIDMap %d 0 R >>\nendobj\n",
                  DESCRIPTOR, PL_PDF_CHAR, GLYPHS);
    begin_object(e, DESCRIPTOR);
    pl_str_printf(e->out,
                  "<< /Type /FontDescriptor /FontName /Platen /Flags 5 /FontBBox [0 %d %d %d] "
                  "/ItalicAngle 0 /Ascent %d /Descent %d /CapHeight %d /StemV 80 /FontFile2 %d 0 R "
                  ">>\nendobj\n",
                  PL_PDF_DESCENT, PL_PDF_CHAR, PL_PDF_ASCENT, PL_PDF_ASCENT, PL_PDF_DESCENT,
                  PL_PDF_ASCENT, FONT_FILE);
    put_font_streams(e);
}

static void put_catalog(struct ending *e)
{
    begin_object(e, PAGES);
    pl_str_printf(e->out, "<< /Type /Pages /Count %zu /Kids [", e->st->pdf.n);
    for (size_t i = 0; i < e->st->pdf.n; i++)
        pl_str_printf(e->out, "%s%zu 0 R", i % 8 ? " " : "\n", e->st->pdf.pages[i].number + PAGE);
    pl_str_puts(e->out, "] >>\nendobj\n");
    begin_object(e, CATALOG);
    pl_str_printf(e->out, "<< /Type /Catalog /Pages %d 0 R >>\nendobj\n", PAGES);
    begin_object(e, INFO);
    pl_str_puts(e->out, "<< /Producer (platen) >>\nendobj\n");
}

static void put_trailer(struct ending *e)
{
    uint64_t at = e->st->at + (e->out->len - e->start);
    pl_str_printf(e->out, "xref\n0 %zu\n0000000000 65535 f \n", e->objects);
    for (size_t i = 1; i < e->objects; i++)
        pl_str_printf(e->out, "%010llu 00000 n \n", (unsigned long long)e->offset[i]);
    pl_str_printf(e->out,
                  "trailer\n<< /Size %zu /Root %d 0 R /Info %d 0 R >>\nstartxref\n%llu\n%%%%EOF\n",
                  e->objects, CATALOG, INFO, (unsigned long long)at);
}

static platen_status join_end(struct pl_stream *st, struct pl_str *out, struct platen_error *err)
{
    struct ending e = {.st = st, .out = out, .start = out->len, .objects = next_number(&st->pdf)};
    if (st->at >= 9999999999ull)
        return pl_fail(err, PLATEN_ERR_LIMIT, "a pdf cannot be longer than 10^10 bytes");
    e.offset = pl_alloc_zero(e.objects, sizeof(*e.offset));
    if (!e.offset)
        return pl_fail_nomem(err, e.objects * sizeof(*e.offset), "the end of a document");
    for (size_t i = 0; i < st->pdf.n; i++)
        put_page(&e, &st->pdf.pages[i]);
    put_font(&e);
    put_catalog(&e);
    put_trailer(&e);
    pl_free(e.offset);
    return pl_emit_finish(out, err);
}

platen_status pl_pdf_join(struct pl_stream *st, const struct pl_str *page, struct pl_str *out,
                          struct platen_error *err)
{
    return page ? join_page(st, page, out, err) : join_end(st, out, err);
}
