/* SPDX-License-Identifier: BSD-2-Clause */
/* The end of a document that stands behind another one: its pages as they were, with the text. */
#include "output/pdf/pdf_end.h"
#include "output/pdf/pdf_font.h"
#include "output/pdf/pdf_stream.h"

static void put_text(struct pl_pdf_ending *e, const struct pl_pdf_page *p, enum pl_pdf_text which)
{
    pl_str_add(e->out, p->text[which].len ? p->text[which].s : "", p->text[which].len);
}

/* The streams of a page that stays: one that saves the state of graphics, those of its content, and
 * one that restores the state and shows the text. */
static void put_changed_contents(struct pl_pdf_ending *e, const struct pl_pdf_page *p)
{
    size_t number = p->number;
    if (p->text_at) {
        e->offset[number] = p->text_at;
        pl_str_puts(e->out, "/Contents [");
        for (int i = 0; i <= p->n_below; i++)
            pl_str_printf(e->out, "%zu 0 R ", e->base + PL_PDF_OBJECT_SAVE);
    } else {
        pl_str_puts(e->out, "/Contents [");
    }
    if (p->stripped_at) {
        const size_t stripped = number + (p->text_at > 0);
        e->offset[stripped] = p->stripped_at;
        pl_str_printf(e->out, "%zu 0 R ", e->base + stripped);
    } else {
        put_text(e, p, PL_PDF_OLD_CONTENTS);
    }
    if (p->text_at)
        pl_str_printf(e->out, "%zu 0 R", e->base + number);
    pl_str_puts(e->out, "]\n");
}

/* The dictionary of a page as it was, but for its content and one font more. */
static void put_changed_page(struct pl_pdf_ending *e, struct pl_pdf_page *p)
{
    p->page_at = pl_pdf_end_place(e);
    pl_str_printf(e->out, "%d %d obj\n<< ", p->object, p->generation);
    put_text(e, p, PL_PDF_OLD_ENTRIES);
    put_changed_contents(e, p);
    pl_str_puts(e->out, "/Resources << ");
    put_text(e, p, PL_PDF_OLD_RESOURCES);
    pl_str_puts(e->out, "/Font << ");
    put_text(e, p, PL_PDF_OLD_FONTS);
    pl_str_printf(e->out, "/" PL_PDF_FONT " %zu 0 R >> >> >>\nendobj\n",
                  e->base + PL_PDF_OBJECT_FONT);
}

/* The catalogue as it was, with bookmarks and a language where it had none. */
static void put_changed_catalog(struct pl_pdf_ending *e)
{
    const struct pl_pdf *pdf = &e->st->pdf;
    const struct pl_pdf_place *place = &pdf->place;
    const bool outline = pdf->outline.n && !place->has_outline,
               language = *pl_pdf_language_of(pdf) && !place->has_language;
    if (!place->catalog || !(outline || language))
        return;
    e->catalog_at = pl_pdf_end_place(e);
    pl_str_printf(e->out, "%d %d obj\n<< ", place->catalog, place->catalog_generation);
    put_text(e, &pdf->pages[0], PL_PDF_OLD_CATALOG);
    if (language)
        pl_str_printf(e->out, "/Lang (%s) ", pl_pdf_language_of(pdf));
    if (outline)
        pl_str_printf(e->out, "/Outlines %zu 0 R ", e->base + pl_pdf_next_number(pdf));
    pl_str_puts(e->out, ">>\nendobj\n");
}

/* What stands in the trailer, or in the dictionary of a table that is a stream. */
static void put_trailer_entries(struct pl_pdf_ending *e, size_t size)
{
    put_text(e, &e->st->pdf.pages[0], PL_PDF_OLD_TRAILER);
    pl_str_printf(e->out, "/Size %zu /Prev %llu", size,
                  (unsigned long long)e->st->pdf.place.xref_at);
}

static void put_table(struct pl_pdf_ending *e)
{
    const uint64_t at = pl_pdf_end_place(e);
    const struct pl_pdf_place *place = &e->st->pdf.place;
    pl_str_puts(e->out, "xref\n");
    if (e->catalog_at) {
        pl_str_printf(e->out, "%d 1\n", place->catalog);
        pl_pdf_end_entry(e, e->catalog_at, place->catalog_generation);
    }
    for (size_t i = 0; i < e->st->pdf.n; i++) {
        pl_str_printf(e->out, "%d 1\n", e->st->pdf.pages[i].object);
        pl_pdf_end_entry(e, e->st->pdf.pages[i].page_at, e->st->pdf.pages[i].generation);
    }
    pl_str_printf(e->out, "%zu %zu\n", e->base + PL_PDF_OBJECT_FONT,
                  e->objects - PL_PDF_OBJECT_FONT);
    for (size_t i = PL_PDF_OBJECT_FONT; i < e->objects; i++)
        pl_pdf_end_entry(e, e->offset[i], 0);
    pl_str_puts(e->out, "trailer\n<< ");
    put_trailer_entries(e, e->base + e->objects);
    pl_str_puts(e->out, " >>\n");
    pl_pdf_end_startxref(e, at);
}

/* One byte for the kind, five for the place, two for the generation. */
static void put_stream_entry(struct pl_pdf_ending *e, uint64_t at, int generation)
{
    pl_str_putc(e->out, 1);
    for (int shift = 32; shift >= 0; shift -= 8)
        pl_str_putc(e->out, (char)(at >> shift & 0xff));
    pl_str_putc(e->out, (char)(generation >> 8 & 0xff));
    pl_str_putc(e->out, (char)(generation & 0xff));
}

/* A document whose table is a stream gets another such one, which is the last object. */
static void put_table_stream(struct pl_pdf_ending *e)
{
    const uint64_t at = pl_pdf_end_place(e);
    const size_t n = e->st->pdf.n, own = e->base + e->objects,
                 entries = e->objects - PL_PDF_OBJECT_FONT + 1;
    const struct pl_pdf_place *place = &e->st->pdf.place;
    const bool catalog = e->catalog_at > 0;
    pl_str_printf(e->out, "%zu 0 obj\n<< /Type /XRef /W [1 5 2] /Index [", own);
    if (catalog)
        pl_str_printf(e->out, "%d 1 ", place->catalog);
    for (size_t i = 0; i < n; i++)
        pl_str_printf(e->out, "%d 1 ", e->st->pdf.pages[i].object);
    pl_str_printf(e->out, "%zu %zu]\n", e->base + PL_PDF_OBJECT_FONT, entries);
    put_trailer_entries(e, own + 1);
    pl_str_printf(e->out, " /Length %zu >>\nstream\n", (catalog + n + entries) * 8);
    if (catalog)
        put_stream_entry(e, e->catalog_at, place->catalog_generation);
    for (size_t i = 0; i < n; i++)
        put_stream_entry(e, e->st->pdf.pages[i].page_at, e->st->pdf.pages[i].generation);
    for (size_t i = PL_PDF_OBJECT_FONT; i < e->objects; i++)
        put_stream_entry(e, e->offset[i], 0);
    put_stream_entry(e, at, 0);
    pl_str_puts(e->out, "\nendstream\nendobj\n");
    pl_pdf_end_startxref(e, at);
}

void pl_pdf_end_layers(struct pl_pdf_ending *e)
{
    pl_pdf_end_object(e, PL_PDF_OBJECT_SAVE);
    pl_str_puts(e->out, "<< ");
    pl_pdf_put_stream(e->out, "q", 1);
    pl_str_puts(e->out, "endobj\n");
    pl_pdf_end_font(e);
    for (size_t i = 0; i < e->st->pdf.n; i++)
        put_changed_page(e, &e->st->pdf.pages[i]);
    if (!e->st->pdf.place.has_outline)
        pl_pdf_end_outline(e);
    put_changed_catalog(e);
    if (e->st->pdf.place.xref_stream)
        put_table_stream(e);
    else
        put_table(e);
}
