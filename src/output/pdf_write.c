/* SPDX-License-Identifier: BSD-2-Clause */
/* Pages to a PDF document: objects are written as pages come, and what names them at the end. */
#include "output/pdf_write.h"

#include <string.h>

#include "base/mem.h"
#include "output/emitters.h"

/* The numbers of the objects: these, three for each page, and two for each font at last. */
enum { CATALOG = 1, PAGES, FONTS, INFO, WIDTHS, FIRST_PAGE };
enum { IMAGE, TEXT, PAGE, PER_PAGE };

void pl_pdf_done(struct pl_pdf *pdf)
{
    pl_free(pdf->pages);
    *pdf = (struct pl_pdf){0};
}

static bool has_font(const struct pl_pdf *pdf, size_t f)
{
    return pdf->fonts[f / 64] >> (f % 64) & 1;
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
    size_t start = out->len, number = FIRST_PAGE + PER_PAGE * st->pdf.n;
    struct pl_pdf_page *page = add_page(&st->pdf);
    if (!page)
        return pl_fail_nomem(err, sizeof(*page), "the pages of a document");
    memcpy(&part, chunk->s, sizeof(part));
    *page = (struct pl_pdf_page){.width_pt = part.width_pt, .height_pt = part.height_pt};
    for (size_t i = 0; i < PL_ARRAY_LEN(part.fonts); i++)
        st->pdf.fonts[i] |= part.fonts[i];
    page->image_at = st->at;
    put_object(out, number + IMAGE, chunk->s + sizeof(part), part.image_bytes);
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

static void put_page(struct ending *e, size_t i)
{
    const struct pl_pdf_page *p = &e->st->pdf.pages[i];
    size_t number = FIRST_PAGE + PER_PAGE * i;
    e->offset[number + IMAGE] = p->image_at;
    e->offset[number + TEXT] = p->text_at;
    begin_object(e, number + PAGE);
    pl_str_printf(e->out, "<< /Type /Page /Parent %d 0 R /MediaBox [0 0 ", PAGES);
    pl_str_number(e->out, p->width_pt, 4);
    pl_str_putc(e->out, ' ');
    pl_str_number(e->out, p->height_pt, 4);
    pl_str_printf(e->out,
                  "] /Contents %zu 0 R /Resources << /Font %d 0 R /XObject << /Im %zu 0 R >> >> "
                  ">>\nendobj\n",
                  number + TEXT, FONTS, number + IMAGE);
}

/* A font that is never drawn: half an em for every code, and what the codes mean. */
static void put_font(struct ending *e, size_t number, unsigned font)
{
    struct pl_str map = {0};
    begin_object(e, number);
    pl_str_printf(e->out,
                  "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /FirstChar 0 /LastChar 255 "
                  "/Widths %d 0 R /ToUnicode %zu 0 R >>\nendobj\n",
                  WIDTHS, number + 1);
    pl_str_puts(&map, "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n"
                      "/CMapName /platen def\n/CMapType 2 def\n"
                      "1 begincodespacerange\n<00> <ff>\nendcodespacerange\n"
                      "1 beginbfrange\n<00> <ff> <");
    uint32_t c = (uint32_t)font << 8;
    if (c < 0x10000) /* UTF-16: one unit or two */
        pl_str_printf(&map, "%04x", (unsigned)c);
    else
        pl_str_printf(&map, "%04x%04x", 0xd800 + ((unsigned)(c - 0x10000) >> 10),
                      0xdc00 + ((unsigned)(c - 0x10000) & 0x3ff));
    pl_str_puts(&map, ">\nendbfrange\nendcmap\n"
                      "CMapName currentdict /CMap defineresource pop\nend\nend\n");
    begin_object(e, number + 1);
    pl_str_printf(e->out, "<< /Length %zu >>\nstream\n", map.len);
    pl_str_add(e->out, map.failed ? "" : map.s, map.failed ? 0 : map.len);
    pl_str_puts(e->out, "endstream\nendobj\n");
    e->out->failed = e->out->failed || map.failed;
    pl_str_done(&map);
}

static void put_fonts(struct ending *e)
{
    size_t first = FIRST_PAGE + PER_PAGE * e->st->pdf.n, number = first;
    begin_object(e, WIDTHS);
    pl_str_putc(e->out, '[');
    for (int i = 0; i < 256; i++)
        pl_str_puts(e->out, i % 16 ? " 500" : "\n500");
    pl_str_puts(e->out, "]\nendobj\n");
    for (unsigned f = 0; f < PL_PDF_FONTS; f++)
        if (has_font(&e->st->pdf, f)) {
            put_font(e, number, f);
            number += 2;
        }
    begin_object(e, FONTS);
    pl_str_puts(e->out, "<<");
    number = first;
    for (unsigned f = 0; f < PL_PDF_FONTS; f++)
        if (has_font(&e->st->pdf, f)) {
            pl_str_printf(e->out, " /F%x %zu 0 R", f, number);
            number += 2;
        }
    pl_str_puts(e->out, " >>\nendobj\n");
}

static void put_catalog(struct ending *e)
{
    begin_object(e, PAGES);
    pl_str_printf(e->out, "<< /Type /Pages /Count %zu /Kids [", e->st->pdf.n);
    for (size_t i = 0; i < e->st->pdf.n; i++)
        pl_str_printf(e->out, "%s%zu 0 R", i % 8 ? " " : "\n", FIRST_PAGE + PER_PAGE * i + PAGE);
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

static size_t count_objects(const struct pl_pdf *pdf)
{
    size_t n = FIRST_PAGE + PER_PAGE * pdf->n;
    for (size_t f = 0; f < PL_PDF_FONTS; f++)
        n += has_font(pdf, f) ? 2 : 0;
    return n;
}

static platen_status join_end(struct pl_stream *st, struct pl_str *out, struct platen_error *err)
{
    struct ending e = {.st = st, .out = out, .start = out->len, .objects = count_objects(&st->pdf)};
    if (st->at >= 9999999999ull)
        return pl_fail(err, PLATEN_ERR_LIMIT, "a pdf cannot be longer than 10^10 bytes");
    e.offset = pl_alloc_zero(e.objects, sizeof(*e.offset));
    if (!e.offset)
        return pl_fail_nomem(err, e.objects * sizeof(*e.offset), "the end of a document");
    for (size_t i = 0; i < st->pdf.n; i++)
        put_page(&e, i);
    put_fonts(&e);
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
