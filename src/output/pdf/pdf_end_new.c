/* SPDX-License-Identifier: BSD-2-Clause */
/* The end of a new document: its pages, the font, the catalogue and the table of objects. */
#include <math.h>

#include "output/pdf/pdf_a.h"
#include "output/pdf/pdf_end.h"
#include "output/pdf/pdf_font.h"
#include "output/pdf/pdf_info.h"
#include "output/pdf/pdf_stream.h"

/* The size of the largest page, with its margins. */
static void find_largest(const struct pl_pdf *pdf, double ret[2])
{
    ret[0] = ret[1] = 0;
    for (size_t i = 0; i < pdf->n; i++) {
        const double *box = pdf->pages[i].box;
        double width = box[2] - box[0], height = box[3] - box[1];
        pl_pdf_sheet_around(&pdf->sheet, &width, &height);
        ret[0] = fmax(ret[0], width);
        ret[1] = fmax(ret[1], height);
    }
}

static void put_page(struct pl_pdf_ending *e, const struct pl_pdf_page *p, const double most[2])
{
    double box[4];
    pl_pdf_sheet_box(&e->st->pdf.sheet, most, p->box[2] - p->box[0], p->box[3] - p->box[1], box);
    e->offset[p->number + PL_PDF_OF_TEXT] = p->text_at;
    pl_pdf_end_object(e, p->number + PL_PDF_OF_PAGE);
    pl_str_printf(e->out, "<< /Type /Page /Parent %d 0 R /MediaBox [", PL_PDF_OBJECT_PAGES);
    for (int i = 0; i < 4; i++) {
        pl_str_puts(e->out, i ? " " : "");
        pl_str_number(e->out, box[i] + p->box[i % 2], 4);
    }
    pl_str_printf(e->out, "] /Contents %zu 0 R /Resources << /Font << /" PL_PDF_FONT " %d 0 R >> ",
                  p->number + PL_PDF_OF_TEXT, PL_PDF_OBJECT_FONT);
    if (p->image_at) {
        e->offset[p->number + PL_PDF_OF_IMAGE] = p->image_at;
        if (p->shared_at)
            e->offset[p->number + PL_PDF_OF_SHARED] = p->shared_at;
        pl_str_printf(e->out, "/XObject << /Im %zu 0 R >> ", p->number + PL_PDF_OF_IMAGE);
    }
    pl_str_puts(e->out, ">> >>\nendobj\n");
}

/* What the inputs called the pages, which are counted where they have no names. */
static void put_labels(struct pl_pdf_ending *e)
{
    const struct pl_pdf *pdf = &e->st->pdf;
    bool any = false;
    for (size_t i = 0; i < pdf->n; i++)
        any = any || pdf->pages[i].label.len;
    if (!any)
        return;
    pl_str_puts(e->out, "/PageLabels << /Nums [");
    for (size_t i = 0; i < pdf->n; i++)
        if (pdf->pages[i].label.len)
            pl_str_printf(e->out, "\n%zu << /P <feff%s> >>", i, pdf->pages[i].label.s);
        else if (!i || pdf->pages[i - 1].label.len)
            pl_str_printf(e->out, "\n%zu << /S /D /St %zu >>", i, i + 1);
    pl_str_puts(e->out, "] >> ");
}

/* What the document tells of itself is what the only input file told. */
static const struct pl_str *info_of(const struct pl_pdf *pdf)
{
    static const struct pl_str nothing;
    return pdf->files == 1 ? &pdf->info : &nothing;
}

/* The last two objects of an archive: its metadata, and the profile of its colours. */
static void put_archive(struct pl_pdf_ending *e)
{
    struct pl_str plain = {0};
    if (!e->st->pdf.archive)
        return;
    pl_pdf_a_metadata(info_of(&e->st->pdf), &plain);
    pl_pdf_end_object(e, e->objects - PL_PDF_ARCHIVE_OBJECTS);
    pl_str_puts(e->out, "<< /Type /Metadata /Subtype /XML ");
    pl_pdf_put_stream(e->out, plain.s, plain.len);
    pl_str_puts(e->out, "endobj\n");
    pl_str_reset(&plain);
    pl_pdf_a_profile(&plain);
    pl_pdf_end_packed(e, e->objects - 1, "/N 3 ", &plain);
    e->out->failed = e->out->failed || plain.failed;
    pl_str_done(&plain);
}

static void put_catalog(struct pl_pdf_ending *e)
{
    pl_pdf_end_object(e, PL_PDF_OBJECT_PAGES);
    pl_str_printf(e->out, "<< /Type /Pages /Count %zu /Kids [", e->st->pdf.n);
    for (size_t i = 0; i < e->st->pdf.n; i++)
        pl_str_printf(e->out, "%s%zu 0 R", i % 8 ? " " : "\n",
                      e->st->pdf.pages[i].number + PL_PDF_OF_PAGE);
    pl_str_puts(e->out, "] >>\nendobj\n");
    pl_pdf_end_object(e, PL_PDF_OBJECT_CATALOG);
    pl_str_printf(e->out, "<< /Type /Catalog /Pages %d 0 R ", PL_PDF_OBJECT_PAGES);
    const char *told = pl_pdf_info_language(info_of(&e->st->pdf)),
               *language = told ? told : pl_pdf_language_of(&e->st->pdf);
    if (*language)
        pl_str_printf(e->out, "/Lang (%s) ", language);
    if (e->st->pdf.outline.n)
        pl_str_printf(e->out, "/Outlines %zu 0 R ", pl_pdf_next_number(&e->st->pdf));
    put_labels(e);
    if (e->st->pdf.archive)
        pl_pdf_a_entries(e->objects - PL_PDF_ARCHIVE_OBJECTS, e->objects - 1, e->out);
    pl_str_puts(e->out, ">>\nendobj\n");
    pl_pdf_end_object(e, PL_PDF_OBJECT_INFO);
    pl_str_puts(e->out, "<< ");
    pl_pdf_info_put(info_of(&e->st->pdf), e->out);
    pl_str_puts(e->out, "/Producer (platen) >>\nendobj\n");
}

static void put_trailer(struct pl_pdf_ending *e)
{
    const uint64_t at = pl_pdf_end_place(e);
    pl_str_printf(e->out, "xref\n0 %zu\n0000000000 65535 f \n", e->objects);
    for (size_t i = 1; i < e->objects; i++)
        pl_pdf_end_entry(e, e->offset[i], 0);
    pl_str_printf(e->out, "trailer\n<< /Size %zu /Root %d 0 R /Info %d 0 R ", e->objects,
                  PL_PDF_OBJECT_CATALOG, PL_PDF_OBJECT_INFO);
    if (e->st->pdf.archive)
        pl_pdf_a_identifier(e->st->pdf.sum, e->offset, e->objects, e->out);
    pl_str_puts(e->out, ">>\n");
    pl_pdf_end_startxref(e, at);
}

void pl_pdf_end_new(struct pl_pdf_ending *e)
{
    double most[2];
    find_largest(&e->st->pdf, most);
    for (size_t i = 0; i < e->st->pdf.n; i++)
        put_page(e, &e->st->pdf.pages[i], most);
    pl_pdf_end_font(e);
    pl_pdf_end_outline(e);
    put_catalog(e);
    put_archive(e);
    put_trailer(e);
}
