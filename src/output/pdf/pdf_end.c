/* SPDX-License-Identifier: BSD-2-Clause */
#include "output/pdf/pdf_end.h"

#include <stdio.h>

#include "output/pdf/pdf_font.h"
#include "output/pdf/pdf_stream.h"

size_t pl_pdf_base_of(const struct pl_pdf *pdf)
{
    return pdf->update ? (size_t)pdf->place.free_object - PL_PDF_OBJECT_FONT : 0;
}

size_t pl_pdf_next_number(const struct pl_pdf *pdf)
{
    if (!pdf->n)
        return pdf->update ? PL_PDF_OBJECT_FIRST_LAYER : PL_PDF_OBJECT_FIRST_PAGE;
    const struct pl_pdf_page *last = &pdf->pages[pdf->n - 1];
    if (pdf->update)
        return last->number + (last->text_at > 0) + (last->stripped_at > 0);
    return last->number + 1 +
           (last->shared_at  ? PL_PDF_OF_SHARED
            : last->image_at ? PL_PDF_OF_IMAGE
                             : PL_PDF_OF_PAGE);
}

const char *pl_pdf_language_of(const struct pl_pdf *pdf)
{
    const struct pl_pdf_language *most = pdf->languages;
    for (size_t i = 1; i < PL_ARRAY_LEN(pdf->languages); i++)
        most = pdf->languages[i].pages > most->pages ? &pdf->languages[i] : most;
    return most->tag;
}

uint64_t pl_pdf_end_place(const struct pl_pdf_ending *e)
{
    return e->st->at + (e->out->len - e->start);
}

void pl_pdf_end_object(struct pl_pdf_ending *e, size_t number)
{
    e->offset[number] = pl_pdf_end_place(e);
    pl_str_printf(e->out, "%zu 0 obj\n", e->base + number);
}

void pl_pdf_end_packed(struct pl_pdf_ending *e, size_t number, const char *more,
                       struct pl_str *plain)
{
    pl_pdf_end_object(e, number);
    pl_str_printf(e->out, "<< %s", more);
    pl_pdf_put_packed(e->out, plain);
    pl_str_puts(e->out, "endobj\n");
}

static void put_font_streams(struct pl_pdf_ending *e)
{
    struct pl_str plain = {0};
    char length[32];
    pl_pdf_font_file(&plain);
    snprintf(length, sizeof(length), "/Length1 %zu ", plain.len);
    pl_pdf_end_packed(e, PL_PDF_OBJECT_FONT_FILE, length, &plain);
    pl_str_reset(&plain);
    pl_pdf_font_glyphs(&plain);
    pl_pdf_end_packed(e, PL_PDF_OBJECT_GLYPHS, "", &plain);
    pl_str_reset(&plain);
    pl_pdf_font_unicode(&plain);
    pl_pdf_end_packed(e, PL_PDF_OBJECT_UNICODE, "", &plain);
    pl_str_done(&plain);
}

void pl_pdf_end_font(struct pl_pdf_ending *e)
{
    pl_pdf_end_object(e, PL_PDF_OBJECT_FONT);
    pl_str_printf(e->out,
                  "<< /Type /Font /Subtype /Type0 /BaseFont /Platen /Encoding /Identity-H "
                  "/DescendantFonts [%zu 0 R] /ToUnicode %zu 0 R >>\nendobj\n",
                  e->base + PL_PDF_OBJECT_CHARACTERS, e->base + PL_PDF_OBJECT_UNICODE);
    pl_pdf_end_object(e, PL_PDF_OBJECT_CHARACTERS);
    pl_str_printf(e->out,
                  "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Platen /CIDSystemInfo << "
                  "/Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor %zu 0 R "
                  "/DW %d /CIDToGIDMap %zu 0 R >>\nendobj\n",
                  e->base + PL_PDF_OBJECT_DESCRIPTOR, PL_PDF_CHAR, e->base + PL_PDF_OBJECT_GLYPHS);
    pl_pdf_end_object(e, PL_PDF_OBJECT_DESCRIPTOR);
    pl_str_printf(
        e->out,
        "<< /Type /FontDescriptor /FontName /Platen /Flags 5 /FontBBox [0 %d %d %d] "
        "/ItalicAngle 0 /Ascent %d /Descent %d /CapHeight %d /StemV 80 /FontFile2 %zu 0 R "
        ">>\nendobj\n",
        PL_PDF_DESCENT, PL_PDF_CHAR, PL_PDF_ASCENT, PL_PDF_ASCENT, PL_PDF_DESCENT, PL_PDF_ASCENT,
        e->base + PL_PDF_OBJECT_FONT_FILE);
    put_font_streams(e);
}

void pl_pdf_end_outline(struct pl_pdf_ending *e)
{
    const struct pl_pdf *pdf = &e->st->pdf;
    const size_t root = pl_pdf_next_number(pdf);
    for (size_t i = 0; pdf->outline.n && i <= pdf->outline.n; i++) {
        pl_pdf_end_object(e, root + i);
        const struct pl_pdf_page *page = &pdf->pages[pdf->outline.v[i].page];
        pl_pdf_outline_put(&pdf->outline, i, e->base + root,
                           pdf->update ? (size_t)page->object : page->number + PL_PDF_OF_PAGE,
                           page->generation, e->out);
        pl_str_puts(e->out, "endobj\n");
    }
}

void pl_pdf_end_entry(struct pl_pdf_ending *e, uint64_t at, int generation)
{
    pl_str_printf(e->out, "%010llu %05d n \n", (unsigned long long)at, generation);
}

void pl_pdf_end_startxref(struct pl_pdf_ending *e, uint64_t table_at)
{
    pl_str_printf(e->out, "startxref\n%llu\n%%%%EOF\n", (unsigned long long)table_at);
}
