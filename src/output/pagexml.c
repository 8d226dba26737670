/* SPDX-License-Identifier: BSD-2-Clause */
/* PAGE XML, content schema 2019-07-15 (PRImA): regions in reading order, lines with baselines, and
 * words with text where the pipeline recognizes. */
#include <math.h>
#include <string.h>

#include "output/emitters.h"
#include "output/view.h"

struct pagexml_writer {
    const struct pl_page_result *page;
    struct pl_str *out;
    size_t region, line, word; /* so far, for the ids */
};

static void put_point(const struct pagexml_writer *w, struct pl_point p, const char *before)
{
    long x = lround(PL_CLAMP(p.x, 0, w->page->width)),
         y = lround(PL_CLAMP(p.y, 0, w->page->height));
    pl_str_printf(w->out, "%s%ld,%ld", before, x, y);
}

static void put_coords(const struct pagexml_writer *w, const struct pl_line *l, struct pl_rect r)
{
    struct pl_quad q = pl_view_quad(w->page, l, r);
    pl_str_puts(w->out, "<Coords points=\"");
    for (int i = 0; i < 4; i++)
        put_point(w, q.p[i], i ? " " : "");
    pl_str_puts(w->out, "\"/>");
}

static void put_text(const struct pagexml_writer *w, const char *text, double conf)
{
    pl_str_puts(w->out, "<TextEquiv conf=\"");
    pl_str_number(w->out, conf, 4);
    pl_str_puts(w->out, "\"><Unicode>");
    pl_str_xml(w->out, text, strlen(text));
    pl_str_puts(w->out, "</Unicode></TextEquiv>");
}

static void put_word(struct pagexml_writer *w, const struct pl_line *l, const struct pl_word *word)
{
    pl_str_printf(w->out, "        <Word id=\"w%zu\">", ++w->word);
    put_coords(w, l, word->box);
    put_text(w, word->text, (double)word->conf);
    pl_str_puts(w->out, "</Word>\n");
}

/* The schema has English names of languages; others than these are "other". */
static void put_language(const struct pagexml_writer *w, const char *tag)
{
    static const char *const names[][2] = {
        {"af", "Afrikaans"}, {"az", "Azerbaijani"},     {"be", "Belarusian"},
        {"bg", "Bulgarian"}, {"br", "Breton"},          {"ca", "Catalan"},
        {"cs", "Czech"},     {"cy", "Welsh"},           {"da", "Danish"},
        {"de", "German"},    {"el", "Greek"},           {"en", "English"},
        {"eo", "Esperanto"}, {"es", "Spanish"},         {"et", "Estonian"},
        {"eu", "Basque"},    {"fi", "Finnish"},         {"fo", "Faroese"},
        {"fr", "French"},    {"fy", "Western Frisian"}, {"ga", "Irish"},
        {"gd", "Gaelic"},    {"gl", "Galician"},        {"hr", "Croatian"},
        {"ht", "Haitian"},   {"hu", "Hungarian"},       {"id", "Indonesian"},
        {"is", "Icelandic"}, {"it", "Italian"},         {"ku", "Kurdish"},
        {"la", "Latin"},     {"lb", "Luxembourgish"},   {"lt", "Lithuanian"},
        {"lv", "Latvian"},   {"mk", "Macedonian"},      {"mt", "Maltese"},
        {"nl", "Dutch"},     {"no", "Norwegian"},       {"oc", "Occitan"},
        {"pl", "Polish"},    {"pt", "Portuguese"},      {"ro", "Romanian"},
        {"ru", "Russian"},   {"sk", "Slovak"},          {"sl", "Slovene"},
        {"sq", "Albanian"},  {"sr", "Serbian"},         {"sv", "Swedish"},
        {"sw", "Swahili"},   {"tl", "Tagalog"},         {"tr", "Turkish"},
        {"uk", "Ukrainian"}, {"vi", "Vietnamese"},
    };
    const char *name = "other";
    if (!tag)
        return;
    for (size_t i = 0; i < PL_ARRAY_LEN(names); i++)
        if (!strcmp(names[i][0], tag))
            name = names[i][1];
    pl_view_attribute(w->out, "primaryLanguage", name);
}

static void put_line(struct pagexml_writer *w, const struct pl_line *l)
{
    pl_str_printf(w->out, "      <TextLine id=\"l%zu\"", ++w->line);
    put_language(w, l->language);
    pl_str_puts(w->out, ">\n        ");
    put_coords(w, l, l->box);
    pl_str_puts(w->out, "\n        <Baseline points=\"");
    struct pl_point p[PL_BASELINE_POINTS];
    size_t n = pl_view_baseline_points(w->page, l, p);
    for (size_t i = 0; i < n; i++)
        put_point(w, p[i], i ? " " : "");
    pl_str_puts(w->out, "\"/>\n");
    for (size_t i = 0; i < l->n_words; i++)
        put_word(w, l, &l->words[i]);
    if (l->n_words) {
        pl_str_puts(w->out, "        ");
        put_text(w, l->text, (double)l->conf);
        pl_str_putc(w->out, '\n');
    }
    pl_str_puts(w->out, "      </TextLine>\n");
}

static void put_lines(struct pagexml_writer *w, const struct pl_line *lines, size_t n)
{
    for (size_t i = 0; i < n; i++)
        put_line(w, &lines[i]);
}

static void put_cell(struct pagexml_writer *w, const struct pl_table *t, const struct pl_cell *c)
{
    pl_str_printf(w->out, "    <TextRegion id=\"r%zu\">\n      ", ++w->region);
    put_coords(w, NULL, c->box);
    pl_str_printf(w->out,
                  "\n      <Roles><TableCellRole rowIndex=\"%d\" columnIndex=\"%d\" rowSpan=\"%d\" "
                  "colSpan=\"%d\" header=\"%s\"/></Roles>\n",
                  c->row, c->column, c->n_rows, c->n_columns,
                  c->row < t->n_head ? "true" : "false");
    put_lines(w, c->lines, c->n_lines);
    pl_str_puts(w->out, "    </TextRegion>\n");
}

static void put_table(struct pagexml_writer *w, const struct pl_block *b)
{
    pl_str_printf(w->out, "    <TableRegion id=\"t%zu\" rows=\"%d\" columns=\"%d\">\n      ",
                  w->region + 1, b->table->n_rows, b->table->n_columns);
    put_coords(w, NULL, b->box);
    pl_str_putc(w->out, '\n');
    for (size_t i = 0; i < b->table->n_cells; i++)
        put_cell(w, b->table, &b->table->cells[i]);
    pl_str_puts(w->out, "    </TableRegion>\n");
}

static void put_region(struct pagexml_writer *w, const struct pl_block *b)
{
    if (b->table) {
        put_table(w, b);
        return;
    }
    pl_str_printf(w->out, "    <TextRegion id=\"r%zu\"", ++w->region);
    if (b->kind == PL_BLOCK_CODE) /* the format has no name for it */
        pl_view_attribute(w->out, "type", "other");
    else if (b->kind != PL_BLOCK_TEXT) /* the names are those of the format */
        pl_view_attribute(w->out, "type", pl_view_kind(b));
    pl_str_puts(w->out, ">\n      ");
    put_coords(w, NULL, b->box);
    pl_str_putc(w->out, '\n');
    put_lines(w, b->lines, b->n_lines);
    pl_str_puts(w->out, "    </TextRegion>\n");
}

/* The schema wants dates, and the bytes are to be the same for every run: none is told. */
static void put_head(const struct pagexml_writer *w)
{
    const struct pl_page_result *page = w->page;
    pl_str_puts(w->out,
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                "<PcGts xmlns=\"http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15\"\n"
                "       xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"\n"
                "       xsi:schemaLocation=\"http://schema.primaresearch.org/PAGE/gts/pagecontent/"
                "2019-07-15 http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15/"
                "pagecontent.xsd\">\n"
                "  <Metadata>\n"
                "    <Creator>platen</Creator>\n"
                "    <Created>1970-01-01T00:00:00Z</Created>\n"
                "    <LastChange>1970-01-01T00:00:00Z</LastChange>\n"
                "  </Metadata>\n"
                "  <Page");
    pl_str_puts(w->out, " imageFilename=\"");
    pl_str_xml_name(w->out, page->path, strlen(page->path));
    pl_str_putc(w->out, '"');
    pl_str_printf(w->out, " imageWidth=\"%d\" imageHeight=\"%d\"", page->width, page->height);
    /* "rotate the picture clockwise by so many degrees to set it straight" */
    pl_str_puts(w->out, " orientation=\"");
    pl_str_number(w->out, page->image->angle_deg, 3);
    pl_str_puts(w->out, "\"");
    put_language(w, page->regions->language);
    pl_str_printf(w->out, " custom=\"pageNumber {value:%d;}", page->page);
    if (page->page_label) {
        pl_str_puts(w->out, " pageLabel {value:");
        pl_str_xml(w->out, page->page_label, strlen(page->page_label));
        pl_str_puts(w->out, ";}");
    }
    pl_str_putc(w->out, '"');
    pl_str_puts(w->out, ">\n");
}

/* A table of the reading order is a group of its cells, of which the first has the number
 * `region`. */
static void put_table_order(const struct pagexml_writer *w, size_t index, size_t region,
                            size_t n_cells)
{
    pl_str_printf(w->out,
                  "        <OrderedGroupIndexed id=\"order_t%zu\" regionRef=\"t%zu\" "
                  "index=\"%zu\">\n",
                  region, region, index);
    for (size_t i = 0; i < n_cells; i++)
        pl_str_printf(w->out, "          <RegionRefIndexed index=\"%zu\" regionRef=\"r%zu\"/>\n", i,
                      region + i);
    pl_str_puts(w->out, "        </OrderedGroupIndexed>\n");
}

static void put_order(const struct pagexml_writer *w, const struct pl_regions *r)
{
    size_t region = 1;
    if (!r->n_blocks)
        return;
    pl_str_puts(w->out, "    <ReadingOrder>\n      <OrderedGroup id=\"order\">\n");
    for (size_t i = 0; i < r->n_blocks; i++) {
        const struct pl_table *t = r->blocks[i].table;
        if (t)
            put_table_order(w, i, region, t->n_cells);
        else
            pl_str_printf(w->out, "        <RegionRefIndexed index=\"%zu\" regionRef=\"r%zu\"/>\n",
                          i, region);
        region += t ? t->n_cells : 1;
    }
    pl_str_puts(w->out, "      </OrderedGroup>\n    </ReadingOrder>\n");
}

static platen_status pagexml_emit(const struct pl_env *env PL_UNUSED,
                                  const struct pl_page_result *page, struct pl_str *out,
                                  struct platen_error *err)
{
    struct pagexml_writer w = {.page = page, .out = out};
    put_head(&w);
    put_order(&w, page->regions);
    for (size_t i = 0; i < page->regions->n_blocks; i++)
        put_region(&w, &page->regions->blocks[i]);
    pl_str_puts(out, "  </Page>\n</PcGts>\n");
    return pl_emit_finish(out, err);
}

const struct pl_emitter pl_emit_page = {
    .name = "page",
    .extension = "page.xml",
    .media_type = "application/xml",
    .help = "PAGE XML 2019: regions, lines, baselines, and words where they are read",
    .single = true,
    .needs = PLATEN_STAGE_DETECT,
    .emit = pagexml_emit,
};
