/* SPDX-License-Identifier: BSD-2-Clause */
/* Pages to a PDF document: objects are written as pages come, and what names them at the end. */
#include "output/pdf/pdf_write.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "base/mem.h"
#include "output/emitters.h"
#include "output/pdf/pdf_a.h"
#include "output/pdf/pdf_font.h"
#include "output/pdf/pdf_stream.h"

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
#define ARCHIVE_OBJECTS 2
/* Behind another document those of the font come first, from its first free number on, then a
 * stream that saves the state of graphics, and of each page its text and its new content, either of
 * which may be missing. */
enum { SAVE = FIRST_PAGE, FIRST_LAYER };

void pl_pdf_done(struct pl_pdf *pdf)
{
    for (size_t i = 0; i < pdf->n; i++) {
        for (int k = 0; k < PL_PDF_OLD_TEXTS; k++)
            pl_str_done(&pdf->pages[i].text[k]);
        pl_str_done(&pdf->pages[i].label);
    }
    pl_free(pdf->pages);
    pl_str_done(&pdf->path);
    pl_pdf_outline_done(&pdf->outline);
    *pdf = (struct pl_pdf){0};
}

/* What is added to the numbers of objects. */
static size_t base_of(const struct pl_pdf *pdf)
{
    return pdf->update ? (size_t)pdf->place.free_object - FONT : 0;
}

/* The number of the next object, of which base_of() is not a part. */
static size_t next_number(const struct pl_pdf *pdf)
{
    if (!pdf->n)
        return pdf->update ? FIRST_LAYER : FIRST_PAGE;
    const struct pl_pdf_page *last = &pdf->pages[pdf->n - 1];
    if (pdf->update)
        return last->number + (last->text_at > 0) + (last->stripped_at > 0);
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

/* Notes the input file of the last page, which has a bookmark where there are several. */
static platen_status note_file(struct pl_pdf *pdf, const struct pl_pdf_part *part, const char *path,
                               struct platen_error *err)
{
    const struct pl_pdf_mark top = {.page = pdf->n - 1, .at = {0, part->height_pt}};
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
        const struct pl_pdf_mark mark = {.level = 1, .page = pdf->n - 1, .at = h.at};
        s = pl_pdf_outline_add(&pdf->outline, &mark, at, h.text_bytes, err);
        at += h.text_bytes;
    }
    return s;
}

/* A page of a new document. */
static void join_new(struct pl_stream *st, const struct pl_pdf_part *part, const char *objects,
                     struct pl_pdf_page *page, struct pl_str *out)
{
    const size_t start = out->len;
    if (part->image_bytes) {
        page->image_at = st->at;
        put_object(out, page->number + IMAGE, objects, part->image_bytes);
    }
    page->text_at = st->at + (out->len - start);
    put_object(out, page->number + TEXT, objects + part->image_bytes, part->text_bytes);
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
    size_t number = base_of(&st->pdf) + page->number;
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

static platen_status join_page(struct pl_stream *st, const struct pl_str *chunk, struct pl_str *out,
                               struct platen_error *err)
{
    assert(chunk->len >= sizeof(struct pl_pdf_part));
    struct pl_pdf_part part;
    const size_t start = out->len, number = next_number(&st->pdf);
    memcpy(&part, chunk->s, sizeof(part));
    if (st->pdf.update && !part.text_bytes && !part.stripped_bytes)
        return PLATEN_OK;
    if (!*st->pdf.language)
        memcpy(st->pdf.language, part.language, sizeof(part.language));
    st->pdf.archive = part.archive;
    if (part.archive)
        st->pdf.sum = (uint32_t)crc32_z(st->pdf.sum, (const Bytef *)chunk->s + sizeof(part),
                                        chunk->len - sizeof(part));
    struct pl_pdf_page *page = add_page(&st->pdf);
    if (!page)
        return pl_fail_nomem(err, sizeof(*page), "the pages of a document");
    *page = (struct pl_pdf_page){
        .number = number, .width_pt = part.width_pt, .height_pt = part.height_pt};
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
    platen_status s = note_file(&st->pdf, &part, names, err);
    s = s ? s : note_headings(&st->pdf, &part, names - part.heading_bytes, err);
    return s ? s : pl_emit_finish(out, err);
}

/* ---- the end of the document ---- */

struct pdf_ending {
    struct pl_stream *st;
    struct pl_str *out;
    size_t start;        /* of `out` */
    size_t base;         /* what is added to the numbers of objects */
    uint64_t *offset;    /* of object base + i */
    size_t objects;      /* numbers in use, without the base and those below it */
    uint64_t catalog_at; /* of a document that stays: its new catalogue; 0 = it has the old one */
};

static uint64_t place_of(const struct pdf_ending *e)
{
    return e->st->at + (e->out->len - e->start);
}

static void begin_object(struct pdf_ending *e, size_t number)
{
    e->offset[number] = place_of(e);
    pl_str_printf(e->out, "%zu 0 obj\n", e->base + number);
}

static void put_page(struct pdf_ending *e, const struct pl_pdf_page *p)
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
static void put_packed(struct pdf_ending *e, size_t number, const char *more, struct pl_str *plain)
{
    begin_object(e, number);
    pl_str_printf(e->out, "<< %s", more);
    pl_pdf_put_packed(e->out, plain);
    pl_str_puts(e->out, "endobj\n");
}

static void put_font_streams(struct pdf_ending *e)
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

static void put_font(struct pdf_ending *e)
{
    begin_object(e, FONT);
    pl_str_printf(e->out,
                  "<< /Type /Font /Subtype /Type0 /BaseFont /Platen /Encoding /Identity-H "
                  "/DescendantFonts [%zu 0 R] /ToUnicode %zu 0 R >>\nendobj\n",
                  e->base + CHARACTERS, e->base + UNICODE);
    begin_object(e, CHARACTERS);
    pl_str_printf(e->out,
                  "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Platen /CIDSystemInfo << "
                  "/Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor %zu 0 R "
                  "/DW %d /CIDToGIDMap %zu 0 R >>\nendobj\n",
                  e->base + DESCRIPTOR, PL_PDF_CHAR, e->base + GLYPHS);
    begin_object(e, DESCRIPTOR);
    pl_str_printf(
        e->out,
        "<< /Type /FontDescriptor /FontName /Platen /Flags 5 /FontBBox [0 %d %d %d] "
        "/ItalicAngle 0 /Ascent %d /Descent %d /CapHeight %d /StemV 80 /FontFile2 %zu 0 R "
        ">>\nendobj\n",
        PL_PDF_DESCENT, PL_PDF_CHAR, PL_PDF_ASCENT, PL_PDF_ASCENT, PL_PDF_DESCENT, PL_PDF_ASCENT,
        e->base + FONT_FILE);
    put_font_streams(e);
}

/* What the inputs called the pages, which are counted where they have no names. */
static void put_labels(struct pdf_ending *e)
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

/* The last two objects of an archive: its metadata, and the profile of its colours. */
static void put_archive(struct pdf_ending *e)
{
    struct pl_str plain = {0};
    if (!e->st->pdf.archive)
        return;
    pl_pdf_a_metadata(&plain);
    begin_object(e, e->objects - ARCHIVE_OBJECTS);
    pl_str_puts(e->out, "<< /Type /Metadata /Subtype /XML ");
    pl_pdf_put_stream(e->out, plain.s, plain.len);
    pl_str_puts(e->out, "endobj\n");
    pl_str_reset(&plain);
    pl_pdf_a_profile(&plain);
    put_packed(e, e->objects - 1, "/N 3 ", &plain);
    e->out->failed = e->out->failed || plain.failed;
    pl_str_done(&plain);
}

static void put_catalog(struct pdf_ending *e)
{
    begin_object(e, PAGES);
    pl_str_printf(e->out, "<< /Type /Pages /Count %zu /Kids [", e->st->pdf.n);
    for (size_t i = 0; i < e->st->pdf.n; i++)
        pl_str_printf(e->out, "%s%zu 0 R", i % 8 ? " " : "\n", e->st->pdf.pages[i].number + PAGE);
    pl_str_puts(e->out, "] >>\nendobj\n");
    begin_object(e, CATALOG);
    pl_str_printf(e->out, "<< /Type /Catalog /Pages %d 0 R ", PAGES);
    if (*e->st->pdf.language)
        pl_str_printf(e->out, "/Lang (%s) ", e->st->pdf.language);
    if (e->st->pdf.outline.n)
        pl_str_printf(e->out, "/Outlines %zu 0 R ", next_number(&e->st->pdf));
    put_labels(e);
    if (e->st->pdf.archive)
        pl_pdf_a_entries(e->objects - ARCHIVE_OBJECTS, e->objects - 1, e->out);
    pl_str_puts(e->out, ">>\nendobj\n");
    begin_object(e, INFO);
    pl_str_puts(e->out, "<< /Producer (platen) >>\nendobj\n");
}

/* Bookmarks have the numbers behind those of the pages. */
static void put_outline(struct pdf_ending *e)
{
    const struct pl_pdf *pdf = &e->st->pdf;
    const size_t root = next_number(pdf);
    for (size_t i = 0; pdf->outline.n && i <= pdf->outline.n; i++) {
        begin_object(e, root + i);
        const struct pl_pdf_page *page = &pdf->pages[pdf->outline.v[i].page];
        pl_pdf_outline_put(&pdf->outline, i, e->base + root,
                           pdf->update ? (size_t)page->object : page->number + PAGE,
                           page->generation, e->out);
        pl_str_puts(e->out, "endobj\n");
    }
}

static void put_entry(struct pdf_ending *e, uint64_t at, int generation)
{
    pl_str_printf(e->out, "%010llu %05d n \n", (unsigned long long)at, generation);
}

static void put_end(struct pdf_ending *e, uint64_t table_at)
{
    pl_str_printf(e->out, "startxref\n%llu\n%%%%EOF\n", (unsigned long long)table_at);
}

static void put_trailer(struct pdf_ending *e)
{
    const uint64_t at = place_of(e);
    pl_str_printf(e->out, "xref\n0 %zu\n0000000000 65535 f \n", e->objects);
    for (size_t i = 1; i < e->objects; i++)
        put_entry(e, e->offset[i], 0);
    pl_str_printf(e->out, "trailer\n<< /Size %zu /Root %d 0 R /Info %d 0 R ", e->objects, CATALOG,
                  INFO);
    if (e->st->pdf.archive)
        pl_pdf_a_identifier(e->st->pdf.sum, e->offset, e->objects, e->out);
    pl_str_puts(e->out, ">>\n");
    put_end(e, at);
}

static void end_new(struct pdf_ending *e)
{
    for (size_t i = 0; i < e->st->pdf.n; i++)
        put_page(e, &e->st->pdf.pages[i]);
    put_font(e);
    put_outline(e);
    put_catalog(e);
    put_archive(e);
    put_trailer(e);
}

/* ---- the end of a document that stands behind another one ---- */

static void put_text(struct pdf_ending *e, const struct pl_pdf_page *p, enum pl_pdf_text which)
{
    pl_str_add(e->out, p->text[which].len ? p->text[which].s : "", p->text[which].len);
}

/* The streams of a page that stays: one that saves the state of graphics, those of its content, and
 * one that restores the state and shows the text. */
static void put_changed_contents(struct pdf_ending *e, const struct pl_pdf_page *p)
{
    size_t number = p->number;
    if (p->text_at) {
        e->offset[number] = p->text_at;
        pl_str_printf(e->out, "/Contents [%zu 0 R ", e->base + SAVE);
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
static void put_changed_page(struct pdf_ending *e, struct pl_pdf_page *p)
{
    p->page_at = place_of(e);
    pl_str_printf(e->out, "%d %d obj\n<< ", p->object, p->generation);
    put_text(e, p, PL_PDF_OLD_ENTRIES);
    put_changed_contents(e, p);
    pl_str_puts(e->out, "/Resources << ");
    put_text(e, p, PL_PDF_OLD_RESOURCES);
    pl_str_puts(e->out, "/Font << ");
    put_text(e, p, PL_PDF_OLD_FONTS);
    pl_str_printf(e->out, "/" PL_PDF_FONT " %zu 0 R >> >> >>\nendobj\n", e->base + FONT);
}

/* The catalogue as it was, with bookmarks and a language where it had none. */
static void put_changed_catalog(struct pdf_ending *e)
{
    const struct pl_pdf *pdf = &e->st->pdf;
    const struct pl_pdf_place *place = &pdf->place;
    const bool outline = pdf->outline.n && !place->has_outline,
               language = *pdf->language && !place->has_language;
    if (!place->catalog || !(outline || language))
        return;
    e->catalog_at = place_of(e);
    pl_str_printf(e->out, "%d %d obj\n<< ", place->catalog, place->catalog_generation);
    put_text(e, &pdf->pages[0], PL_PDF_OLD_CATALOG);
    if (language)
        pl_str_printf(e->out, "/Lang (%s) ", pdf->language);
    if (outline)
        pl_str_printf(e->out, "/Outlines %zu 0 R ", e->base + next_number(pdf));
    pl_str_puts(e->out, ">>\nendobj\n");
}

/* What stands in the trailer, or in the dictionary of a table that is a stream. */
static void put_trailer_entries(struct pdf_ending *e, size_t size)
{
    put_text(e, &e->st->pdf.pages[0], PL_PDF_OLD_TRAILER);
    pl_str_printf(e->out, "/Size %zu /Prev %llu", size,
                  (unsigned long long)e->st->pdf.place.xref_at);
}

static void put_table(struct pdf_ending *e)
{
    const uint64_t at = place_of(e);
    const struct pl_pdf_place *place = &e->st->pdf.place;
    pl_str_puts(e->out, "xref\n");
    if (e->catalog_at) {
        pl_str_printf(e->out, "%d 1\n", place->catalog);
        put_entry(e, e->catalog_at, place->catalog_generation);
    }
    for (size_t i = 0; i < e->st->pdf.n; i++) {
        pl_str_printf(e->out, "%d 1\n", e->st->pdf.pages[i].object);
        put_entry(e, e->st->pdf.pages[i].page_at, e->st->pdf.pages[i].generation);
    }
    pl_str_printf(e->out, "%zu %zu\n", e->base + FONT, e->objects - FONT);
    for (size_t i = FONT; i < e->objects; i++)
        put_entry(e, e->offset[i], 0);
    pl_str_puts(e->out, "trailer\n<< ");
    put_trailer_entries(e, e->base + e->objects);
    pl_str_puts(e->out, " >>\n");
    put_end(e, at);
}

/* One byte for the kind, five for the place, two for the generation. */
static void put_stream_entry(struct pdf_ending *e, uint64_t at, int generation)
{
    pl_str_putc(e->out, 1);
    for (int shift = 32; shift >= 0; shift -= 8)
        pl_str_putc(e->out, (char)(at >> shift & 0xff));
    pl_str_putc(e->out, (char)(generation >> 8 & 0xff));
    pl_str_putc(e->out, (char)(generation & 0xff));
}

/* A document whose table is a stream gets another such one, which is the last object. */
static void put_table_stream(struct pdf_ending *e)
{
    const uint64_t at = place_of(e);
    const size_t n = e->st->pdf.n, own = e->base + e->objects, entries = e->objects - FONT + 1;
    const struct pl_pdf_place *place = &e->st->pdf.place;
    const bool catalog = e->catalog_at > 0;
    pl_str_printf(e->out, "%zu 0 obj\n<< /Type /XRef /W [1 5 2] /Index [", own);
    if (catalog)
        pl_str_printf(e->out, "%d 1 ", place->catalog);
    for (size_t i = 0; i < n; i++)
        pl_str_printf(e->out, "%d 1 ", e->st->pdf.pages[i].object);
    pl_str_printf(e->out, "%zu %zu]\n", e->base + FONT, entries);
    put_trailer_entries(e, own + 1);
    pl_str_printf(e->out, " /Length %zu >>\nstream\n", (catalog + n + entries) * 8);
    if (catalog)
        put_stream_entry(e, e->catalog_at, place->catalog_generation);
    for (size_t i = 0; i < n; i++)
        put_stream_entry(e, e->st->pdf.pages[i].page_at, e->st->pdf.pages[i].generation);
    for (size_t i = FONT; i < e->objects; i++)
        put_stream_entry(e, e->offset[i], 0);
    put_stream_entry(e, at, 0);
    pl_str_puts(e->out, "\nendstream\nendobj\n");
    put_end(e, at);
}

static void end_layers(struct pdf_ending *e)
{
    begin_object(e, SAVE);
    pl_str_puts(e->out, "<< ");
    pl_pdf_put_stream(e->out, "q", 1);
    pl_str_puts(e->out, "endobj\n");
    put_font(e);
    for (size_t i = 0; i < e->st->pdf.n; i++)
        put_changed_page(e, &e->st->pdf.pages[i]);
    if (!e->st->pdf.place.has_outline)
        put_outline(e);
    put_changed_catalog(e);
    if (e->st->pdf.place.xref_stream)
        put_table_stream(e);
    else
        put_table(e);
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
    struct pdf_ending e = {.st = st,
                           .out = out,
                           .start = out->len,
                           .base = base_of(&st->pdf),
                           .objects = next_number(&st->pdf) + marks +
                                      (st->pdf.archive ? ARCHIVE_OBJECTS : 0)};
    if (st->pdf.update && !st->pdf.n)
        return PLATEN_OK; /* no page gets text */
    if (st->at >= 9999999999ull)
        return pl_fail(err, PLATEN_ERR_LIMIT, "a pdf cannot be longer than 10^10 bytes");
    e.offset = pl_alloc_zero(e.objects, sizeof(*e.offset));
    if (!e.offset)
        return pl_fail_nomem(err, e.objects * sizeof(*e.offset), "the end of a document");
    if (st->pdf.update)
        end_layers(&e);
    else
        end_new(&e);
    pl_free(e.offset);
    st->at += out->len - e.start;
    return pl_emit_finish(out, err);
}

platen_status pl_pdf_join(struct pl_stream *st, const struct pl_str *page, struct pl_str *out,
                          struct platen_error *err)
{
    return page ? join_page(st, page, out, err) : join_end(st, out, err);
}
