/* SPDX-License-Identifier: BSD-2-Clause */
/* ALTO 4 (Library of Congress): pages of text blocks, lines, strings and the spaces between. */
#include <string.h>

#include "config.h"
#include "output/emitters.h"
#include "output/view.h"

static void put_box(struct pl_rect b, struct pl_str *out)
{
    pl_str_printf(out, " HPOS=\"%d\" VPOS=\"%d\" WIDTH=\"%d\" HEIGHT=\"%d\"", b.x0, b.y0,
                  pl_rect_width(b), pl_rect_height(b));
}

static void put_string(const struct pl_page_result *page, const struct pl_line *l,
                       const struct pl_word *w, size_t number, struct pl_str *out)
{
    pl_str_printf(out, "            <String ID=\"string_%zu_%zu\"", page->number, number);
    put_box(pl_view_box(page, l, w->box), out);
    pl_str_puts(out, " WC=\"");
    pl_str_number(out, (double)w->conf, 4);
    pl_str_putc(out, '"');
    pl_view_attribute(out, "CONTENT", w->text);
    pl_str_puts(out, "/>\n");
}

/* Puts the space between word w and the one before it. */
static void put_space(const struct pl_page_result *page, const struct pl_line *l, size_t w,
                      struct pl_str *out)
{
    struct pl_rect a = pl_view_box(page, l, l->words[w - 1].box),
                   b = pl_view_box(page, l, l->words[w].box);
    const int left = l->from_right ? b.x1 : a.x1, right = l->from_right ? a.x0 : b.x0;
    pl_str_printf(out, "            <SP HPOS=\"%d\" VPOS=\"%d\" WIDTH=\"%d\"/>\n", left, a.y0,
                  PL_MAX(right - left, 0));
}

static void put_line(const struct pl_page_result *page, const struct pl_line *l, size_t number,
                     size_t *words, struct pl_str *out)
{
    struct pl_point p[PL_BASELINE_POINTS];
    size_t n = pl_view_baseline_points(page, l, p);
    pl_str_printf(out, "          <TextLine ID=\"line_%zu_%zu\"", page->number, number);
    put_box(pl_view_box(page, l, l->box), out);
    if (l->language)
        pl_view_attribute(out, "LANG", l->language);
    pl_str_puts(out, " BASELINE=\"");
    for (size_t i = 0; i < n; i++) {
        pl_str_number(out, p[i].x, 2);
        pl_str_putc(out, ',');
        pl_str_number(out, p[i].y, 2);
        pl_str_puts(out, i + 1 < n ? " " : "\">\n");
    }
    for (size_t w = 0; w < l->n_words; w++) {
        if (w)
            put_space(page, l, w, out);
        put_string(page, l, &l->words[w], ++*words, out);
    }
    pl_str_puts(out, "          </TextLine>\n");
}

#define LAYOUT "  <Layout>\n"

/* Puts what stands before the pages of a document whose first one this is. */
static void put_head(const struct pl_page_result *page, struct pl_str *out)
{
    pl_str_puts(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                     "<alto xmlns=\"http://www.loc.gov/standards/alto/ns-v4#\"\n"
                     "      xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"\n"
                     "      xsi:schemaLocation=\"http://www.loc.gov/standards/alto/ns-v4# "
                     "http://www.loc.gov/standards/alto/v4/alto-4-4.xsd\" SCHEMAVERSION=\"4.4\">\n"
                     "  <Description>\n"
                     "    <MeasurementUnit>pixel</MeasurementUnit>\n"
                     "    <sourceImageInformation>\n"
                     "      <fileName>");
    pl_str_xml_name(out, page->path, strlen(page->path));
    pl_str_puts(out, "</fileName>\n"
                     "    </sourceImageInformation>\n"
                     "    <Processing ID=\"processing_1\">\n"
                     "      <processingCategory>contentGeneration</processingCategory>\n"
                     "      <processingSoftware>\n"
                     "        <softwareName>platen</softwareName>\n"
                     "        <softwareVersion>" PL_VERSION "</softwareVersion>\n"
                     "      </processingSoftware>\n"
                     "    </Processing>\n"
                     "  </Description>\n"
                     "  <Tags>\n");
    for (enum pl_block_kind k = PL_BLOCK_TEXT + 1; k < PL_BLOCK_KINDS; k++) {
        const char *kind = pl_view_kind(&(struct pl_block){.kind = k});
        pl_str_printf(out, "    <LayoutTag ID=\"%s\" LABEL=\"%s\"/>\n", kind, kind);
    }
    pl_str_puts(out, "  </Tags>\n" LAYOUT);
}

static void put_page_head(const struct pl_page_result *page, struct pl_str *out)
{
    pl_str_printf(out,
                  "    <Page ID=\"page_%zu\" PHYSICAL_IMG_NR=\"%d\" WIDTH=\"%d\" HEIGHT=\"%d\"",
                  page->number, page->page, page->width, page->height);
    if (page->page_label)
        pl_view_attribute(out, "PRINTED_IMG_NR", page->page_label);
    double conf = pl_regions_conf(page->regions);
    if (conf >= 0) {
        pl_str_puts(out, " PC=\"");
        pl_str_number(out, conf, 4);
        pl_str_putc(out, '"');
    }
    pl_str_puts(out, ">\n      <PrintSpace");
    put_box((struct pl_rect){0, 0, page->width, page->height}, out);
    pl_str_puts(out, ">\n");
}

/* Elements of the page so far, for the ids. */
struct alto_count {
    size_t blocks, tables, lines, words;
};

static void put_text_block(const struct pl_page_result *page, struct pl_rect box,
                           enum pl_block_kind kind, const struct pl_line *lines, size_t n,
                           struct alto_count *count, struct pl_str *out)
{
    pl_str_printf(out, "        <TextBlock ID=\"block_%zu_%zu\"", page->number, ++count->blocks);
    put_box(pl_view_box(page, NULL, box), out);
    if (kind != PL_BLOCK_TEXT)
        pl_view_attribute(out, "TAGREFS", pl_view_kind(&(struct pl_block){.kind = kind}));
    if (page->regions->language)
        pl_view_attribute(out, "LANG", page->regions->language);
    pl_str_puts(out, ">\n");
    for (size_t k = 0; k < n; k++)
        put_line(page, &lines[k], ++count->lines, &count->words, out);
    pl_str_puts(out, "        </TextBlock>\n");
}

/* A table is a composed block, and each of its cells that has text a block in it. */
static void put_table(const struct pl_page_result *page, const struct pl_block *b,
                      struct alto_count *count, struct pl_str *out)
{
    pl_str_printf(out, "        <ComposedBlock ID=\"table_%zu_%zu\"", page->number,
                  ++count->tables);
    put_box(pl_view_box(page, NULL, b->box), out);
    pl_str_puts(out, " TAGREFS=\"table\" TYPE=\"table\">\n");
    for (size_t i = 0; i < b->table->n_cells; i++) {
        const struct pl_cell *c = &b->table->cells[i];
        if (c->n_lines)
            put_text_block(page, c->box, PL_BLOCK_TEXT, c->lines, c->n_lines, count, out);
    }
    pl_str_puts(out, "        </ComposedBlock>\n");
}

static platen_status alto_emit(const struct pl_env *env PL_UNUSED,
                               const struct pl_page_result *page, struct pl_str *out,
                               struct platen_error *err)
{
    struct alto_count count = {0};
    put_head(page, out);
    put_page_head(page, out);
    for (size_t i = 0; i < page->regions->n_blocks; i++) {
        const struct pl_block *b = &page->regions->blocks[i];
        if (b->table)
            put_table(page, b, &count, out);
        else
            put_text_block(page, b->box, b->kind, b->lines, b->n_lines, &count, out);
    }
    pl_str_puts(out, "      </PrintSpace>\n    </Page>\n");
    return pl_emit_finish(out, err);
}

/* Each page comes with a head, of which the document has that of the first one. */
static platen_status alto_join(struct pl_stream *st, const struct pl_str *page, struct pl_str *out,
                               struct platen_error *err)
{
    static const char tail[] = "  </Layout>\n</alto>\n";
    const char *from = page ? page->s : tail;
    if (page && st->at)
        from = strstr(from, LAYOUT) + strlen(LAYOUT);
    pl_str_puts(out, from);
    st->at += strlen(from);
    return pl_emit_finish(out, err);
}

const struct pl_emitter pl_emit_alto = {
    .name = "alto",
    .extension = "alto.xml",
    .media_type = "application/xml",
    .help = "ALTO 4.4 XML: blocks, lines, strings, confidences",
    .needs = PLATEN_STAGE_RECOGNIZE,
    .emit = alto_emit,
    .join = alto_join,
};
