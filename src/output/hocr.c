/* SPDX-License-Identifier: BSD-2-Clause */
/* hOCR 1.2 as XHTML 1.0: page, area, paragraph (one in an area), line, word. */
#include <math.h>
#include <string.h>

#include "output/emitters.h"
#include "output/view.h"

struct hocr_writer {
    const struct pl_page_result *page;
    struct pl_str *out;
    size_t blocks, pars, lines, words; /* so far, for the ids */
};

static void put_box(const struct hocr_writer *w, const struct pl_line *l, struct pl_rect r)
{
    struct pl_rect b = pl_view_box(w->page, l, r);
    pl_str_printf(w->out, "bbox %d %d %d %d", b.x0, b.y0, b.x1, b.y1);
}

static void put_word(struct hocr_writer *w, const struct pl_line *l, const struct pl_word *word)
{
    pl_str_printf(w->out, "\n      <span class=\"ocrx_word\" id=\"word_%zu_%zu\" title=\"",
                  w->page->number, ++w->words);
    put_box(w, l, word->box);
    pl_str_puts(w->out, "; x_wconf ");
    pl_str_number(w->out, (double)word->conf * 100, 0);
    pl_str_puts(w->out, "\">");
    pl_str_xml(w->out, word->text, strlen(word->text));
    pl_str_puts(w->out, "</span>");
}

/* The baseline as hOCR has it: slope, and height above the bottom left corner of the box, in whole
 * pixels: OCRmyPDF reads no others. A line that does not run from left to right in the input has
 * the angle of its text instead. */
static void put_baseline(const struct hocr_writer *w, const struct pl_line *l)
{
    struct pl_point a = pl_view_baseline(w->page, l, l->box.x0),
                    b = pl_view_baseline(w->page, l, l->box.x1);
    struct pl_rect box = pl_view_box(w->page, l, l->box);
    if (!(b.x - a.x >= 1)) {
        double angle = atan2(a.y - b.y, b.x - a.x) * 180 / M_PI;
        pl_str_puts(w->out, "; textangle ");
        pl_str_number(w->out, angle < 0 ? angle + 360 : angle, 2);
        return;
    }
    double slope = (b.y - a.y) / (b.x - a.x);
    pl_str_puts(w->out, "; baseline ");
    pl_str_number(w->out, slope, 4);
    pl_str_putc(w->out, ' ');
    pl_str_number(w->out, a.y + slope * (box.x0 - a.x) - box.y1, 0);
}

static void put_line(struct hocr_writer *w, const struct pl_line *l)
{
    pl_str_printf(w->out, "\n     <span class=\"ocr_line\" id=\"line_%zu_%zu\"", w->page->number,
                  ++w->lines);
    if (l->language)
        pl_view_attribute(w->out, "lang", l->language);
    pl_str_puts(w->out, " title=\"");
    put_box(w, l, l->box);
    put_baseline(w, l);
    if (l->ascent_px + l->descent_px > 0) {
        pl_str_puts(w->out, "; x_size ");
        pl_str_number(w->out, l->ascent_px + l->descent_px, 2);
        pl_str_puts(w->out, "; x_descenders ");
        pl_str_number(w->out, l->descent_px, 2);
        pl_str_puts(w->out, "; x_ascenders ");
        pl_str_number(w->out, l->ascent_px - l->xheight_px, 2);
    }
    pl_str_puts(w->out, "\">");
    for (size_t i = 0; i < l->n_words; i++)
        put_word(w, l, &l->words[i]);
    pl_str_puts(w->out, "\n     </span>");
}

/* The paragraph is a <p> of just that class in every kind of block: others are passed over by
 * OCRmyPDF. */
static void put_par(struct hocr_writer *w, struct pl_rect box, const struct pl_line *lines,
                    size_t n)
{
    pl_str_printf(w->out, "\n    <p class=\"ocr_par\" id=\"par_%zu_%zu\"%s title=\"",
                  w->page->number, ++w->pars, n && lines[0].from_right ? " dir=\"rtl\"" : "");
    put_box(w, NULL, box);
    pl_str_puts(w->out, "\">");
    for (size_t i = 0; i < n; i++)
        put_line(w, &lines[i]);
    pl_str_puts(w->out, "\n    </p>");
}

/* A heading, a running head, a table and the like is an element around the area, and each cell of a
 * table a paragraph. */
static void put_block(struct hocr_writer *w, const struct pl_block *b)
{
    const bool other = b->kind != PL_BLOCK_TEXT;
    w->blocks++;
    if (other) {
        pl_str_printf(w->out, "\n   <div class=\"%s_%s\" title=\"",
                      b->kind == PL_BLOCK_HEADING || b->kind == PL_BLOCK_CODE ? "ocrx" : "ocr",
                      pl_view_kind(b));
        put_box(w, NULL, b->box);
        pl_str_puts(w->out, "\">");
    }
    pl_str_printf(w->out, "\n   <div class=\"ocr_carea\" id=\"block_%zu_%zu\" title=\"",
                  w->page->number, w->blocks);
    put_box(w, NULL, b->box);
    pl_str_puts(w->out, "\">");
    for (size_t i = 0; b->table && i < b->table->n_cells; i++)
        if (b->table->cells[i].n_lines)
            put_par(w, b->table->cells[i].box, b->table->cells[i].lines,
                    b->table->cells[i].n_lines);
    if (!b->table)
        put_par(w, b->box, b->lines, b->n_lines);
    pl_str_printf(w->out, "\n   </div>%s", other ? "\n   </div>" : "");
}

/* A string inside a title has backslashes before quotes, and then the attribute's own escapes. */
static void put_string(const char *text, struct pl_str *out)
{
    char piece[PL_NAME_PIECE];
    for (size_t n = strlen(text), i = 0; i < n;) {
        i += pl_name_piece(text + i, n - i, PL_NAME_XML, piece);
        const char *p = piece;
        for (size_t k; *p; p += k) {
            k = strcspn(p, "\\\"");
            if (!k)
                pl_str_putc(out, '\\');
            k = PL_MAX(k, (size_t)1);
            pl_str_xml(out, p, k);
        }
    }
}

static platen_status hocr_emit(const struct pl_env *env PL_UNUSED,
                               const struct pl_page_result *page, struct pl_str *out,
                               struct platen_error *err)
{
    struct hocr_writer w = {.page = page, .out = out};
    pl_str_printf(out, "  <div class=\"ocr_page\" id=\"page_%zu\"", page->number);
    if (page->regions->language)
        pl_view_attribute(out, "lang", page->regions->language);
    pl_str_puts(out, " title=\"image &quot;");
    put_string(page->path, out);
    pl_str_printf(out, "&quot;; bbox 0 0 %d %d; ppageno %zu", page->width, page->height,
                  page->number - 1);
    if (page->page_label) {
        pl_str_puts(out, "; lpageno &quot;");
        put_string(page->page_label, out);
        pl_str_puts(out, "&quot;");
    }
    if (page->dpi_x > 0 && page->dpi_y > 0)
        pl_str_printf(out, "; scan_res %.0f %.0f", (double)page->dpi_x, (double)page->dpi_y);
    pl_str_puts(out, "\">");
    for (size_t b = 0; b < page->regions->n_blocks; b++)
        put_block(&w, &page->regions->blocks[b]);
    pl_str_puts(out, "\n  </div>\n");
    return pl_emit_finish(out, err);
}

const struct pl_emitter pl_emit_hocr = {
    .name = "hocr",
    .extension = "hocr",
    .media_type = "application/xhtml+xml",
    .help = "hOCR: XHTML with boxes, baselines and confidences",
    .head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Transitional//EN\" "
            "\"http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd\">\n"
            "<html xmlns=\"http://www.w3.org/1999/xhtml\">\n"
            " <head>\n"
            "  <title></title>\n"
            "  <meta http-equiv=\"Content-Type\" content=\"text/html;charset=utf-8\" />\n"
            "  <meta name=\"ocr-system\" content=\"platen\" />\n"
            "  <meta name=\"ocr-capabilities\" content=\"ocr_page ocr_carea ocr_par ocr_line "
            "ocrx_word ocrx_heading ocr_header ocr_footer ocr_caption ocr_table ocrx_code\" />\n"
            " </head>\n"
            " <body>\n",
    .tail = " </body>\n</html>\n",
    .needs = PLATEN_STAGE_RECOGNIZE,
    .emit = hocr_emit,
};
