/* SPDX-License-Identifier: BSD-2-Clause */
/* One HTML page that needs nothing else: each picture with its text over it, for people who check,
 * and below it the text for reading. Words that were read with little confidence are marked. */
#include <math.h>
#include <string.h>

#include "codec/codec.h"
#include "output/emitters.h"
#include "output/prose.h"
#include "output/view.h"

/* Words below these confidences are marked. */
#define DOUBT 0.9f
#define STRONG_DOUBT 0.7f

static void put_base64(const uint8_t *p, size_t n, struct pl_str *out)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char text[4 * 1024];
    size_t k = 0;
    for (size_t i = 0; i < n; i += 3) {
        size_t rest = PL_MIN(n - i, (size_t)3);
        uint32_t v = (uint32_t)p[i] << 16 | (rest > 1 ? (uint32_t)p[i + 1] << 8 : 0) |
                     (rest > 2 ? p[i + 2] : 0u);
        text[k++] = digits[v >> 18];
        text[k++] = digits[v >> 12 & 63];
        text[k++] = rest > 1 ? digits[v >> 6 & 63] : '=';
        text[k++] = rest > 2 ? digits[v & 63] : '=';
        if (k == sizeof(text) || i + 3 >= n) {
            pl_str_add(out, text, k);
            k = 0;
        }
    }
}

/* Adds the picture: the bytes of the input file where every browser shows that format, else PNG. */
static platen_status put_picture(const struct pl_env *env, const struct pl_page_result *page,
                                 struct pl_str *out, struct platen_error *err)
{
    static const char *const shown[] = {"jpeg", "png", "gif", "bmp"};
    struct pl_flaw told; /* when the page was read */
    struct pl_load_options opt = {.max_pixels = page->max_pixels,
                                  .page = page->page,
                                  .pdf_text = page->pdf_text,
                                  .raster = page->raster,
                                  .ret_flaw = &told};
    struct pl_image_info info;
    platen_status s = pl_image_probe(page->source, page->source_bytes, &opt, &info, err);
    for (size_t i = 0; !s && i < PL_ARRAY_LEN(shown); i++)
        if (!strcmp(info.format, shown[i])) {
            pl_str_printf(out, "<img alt=\"\" src=\"data:image/%s;base64,", info.format);
            put_base64(page->source, page->source_bytes, out);
            pl_str_puts(out, "\">\n");
            return PLATEN_OK;
        }
    pl_auto_image im = {0};
    struct pl_str png = {0};
    if (!s)
        s = pl_image_load(env, page->source, page->source_bytes, &opt, &im, err);
    if (!s)
        s = pl_png_encode(&im, &png, err);
    if (!s) {
        pl_str_puts(out, "<img alt=\"\" src=\"data:image/png;base64,");
        put_base64((const uint8_t *)png.s, png.len, out);
        pl_str_puts(out, "\">\n");
    }
    pl_str_done(&png);
    return s;
}

static void put_number(const char *before, double x, struct pl_str *out)
{
    pl_str_puts(out, before);
    pl_str_number(out, x, 1);
}

/* Puts the box of a word and its text, stretched to the box and turned as the line is. */
static void put_word(const struct pl_page_result *page, const struct pl_line *l,
                     const struct pl_word *w, struct pl_str *out)
{
    struct pl_quad q = pl_view_quad(page, l, w->box);
    struct pl_point a = pl_view_baseline(page, l, w->box.x0),
                    b = pl_view_baseline(page, l, w->box.x1);
    double height = l->ascent_px + l->descent_px;
    pl_str_printf(out, "<g%s><title>",
                  w->conf < STRONG_DOUBT ? " class=\"bad\""
                  : w->conf < DOUBT      ? " class=\"low\""
                                         : "");
    pl_str_xml(out, w->text, strlen(w->text));
    put_number(" – ", floor((double)w->conf * 1000) / 10, out);
    pl_str_puts(out, " %</title><polygon points=\"");
    for (int i = 0; i < 4; i++) {
        put_number(i ? " " : "", q.p[i].x, out);
        put_number(",", q.p[i].y, out);
    }
    put_number("\"/><text textLength=\"", hypot(b.x - a.x, b.y - a.y), out);
    put_number("\" lengthAdjust=\"spacingAndGlyphs\" font-size=\"",
               height >= 1 ? height : pl_rect_height(w->box), out);
    put_number("\" transform=\"translate(", a.x, out);
    put_number(" ", a.y, out);
    put_number(") rotate(", atan2(b.y - a.y, b.x - a.x) * 180 / M_PI, out);
    pl_str_puts(out, ")\">");
    pl_str_xml(out, w->text, strlen(w->text));
    pl_str_puts(out, "</text></g>\n");
}

static void put_block(const struct pl_page_result *page, const struct pl_block *b,
                      struct pl_str *out)
{
    pl_str_printf(out, "<g class=\"block %s\">\n", pl_view_kind(b));
    for (size_t k = 0; k < b->n_lines; k++)
        for (size_t w = 0; w < b->lines[k].n_words; w++)
            put_word(page, &b->lines[k], &b->lines[k].words[w], out);
    pl_str_puts(out, "</g>\n");
}

/* ---- the text for reading, below the picture ---- */

/* Appends a text with what would be markup escaped, and `end` in place of each line feed. */
static void put_escaped(const struct pl_str *text, const char *end, struct pl_str *out)
{
    const char *s = text->len ? text->s : "";
    for (size_t n; *s; s += n) {
        n = strcspn(s, "\n");
        pl_str_xml(out, s, n);
        if (s[n]) {
            pl_str_puts(out, end);
            n++;
        }
    }
    out->failed |= text->failed;
}

static void put_cell(const struct pl_cell *c, const char *name, struct pl_str *scratch,
                     struct pl_str *out)
{
    pl_str_printf(out, "<%s", name);
    if (c->n_rows > 1)
        pl_str_printf(out, " rowspan=\"%d\"", c->n_rows);
    if (c->n_columns > 1)
        pl_str_printf(out, " colspan=\"%d\"", c->n_columns);
    pl_str_putc(out, '>');
    pl_str_reset(scratch);
    pl_prose_cell(c, "\n", scratch);
    put_escaped(scratch, "<br/>", out);
    pl_str_printf(out, "</%s>", name);
}

static void put_table(const struct pl_table *t, struct pl_str *scratch, struct pl_str *out)
{
    const struct pl_cell *c = t->cells, *end = t->cells + t->n_cells;
    pl_str_puts(out, "<table>\n");
    for (int r = 0; r < t->n_rows; r++) {
        const bool head = r < t->n_head;
        pl_str_puts(out, r == 0 && head ? "<thead>\n" : r == t->n_head ? "<tbody>\n" : "");
        pl_str_puts(out, "<tr>");
        for (; c < end && c->row == r; c++)
            put_cell(c, head ? "th" : "td", scratch, out);
        pl_str_puts(out, "</tr>\n");
        pl_str_puts(out, r + 1 == t->n_rows   ? head ? "</thead>\n" : "</tbody>\n"
                         : r + 1 == t->n_head ? "</thead>\n"
                                              : "");
    }
    pl_str_puts(out, "</table>\n");
}

static void put_field(const struct pl_block *b, struct pl_str *scratch, struct pl_str *out)
{
    pl_str_puts(out, "<dt>");
    pl_str_reset(scratch);
    pl_prose_label(b, scratch);
    put_escaped(scratch, "<br/>", out);
    pl_str_puts(out, "</dt>\n<dd>");
    pl_str_reset(scratch);
    pl_prose_value(b, "\n", scratch);
    put_escaped(scratch, "<br/>", out);
    pl_str_puts(out, "</dd>\n");
}

static void put_piece(const struct pl_piece *p, struct pl_str *scratch, struct pl_str *out)
{
    static const char *const names[] = {[PL_PIECE_PARAGRAPH] = "p",
                                        [PL_PIECE_ITEM] = "li",
                                        [PL_PIECE_NUMBER] = "p",
                                        [PL_PIECE_MARGIN] = "small"};
    if (p->kind == PL_PIECE_TABLE) {
        put_table(p->block->table, scratch, out);
        return;
    }
    if (p->kind == PL_PIECE_FIELD) {
        put_field(p->block, scratch, out);
        return;
    }
    pl_str_reset(scratch);
    if (p->kind == PL_PIECE_CODE) {
        pl_str_puts(out, "<pre>");
        pl_prose_code(p->block, scratch);
        put_escaped(scratch, "\n", out);
        pl_str_puts(out, "</pre>\n");
        return;
    }
    /* The name of the picture, above, is a heading of level 2. */
    static const char *const headings[PL_MOST_LEVELS + 1] = {"h3", "h3", "h4", "h5", "h6"};
    const char *name = p->kind == PL_PIECE_HEADING ? headings[p->block->level] : names[p->kind];
    pl_piece_text(p, scratch);
    pl_str_printf(out, "<%s%s%s>", name, p->attached ? " class=\"row\"" : "",
                  p->n_lines && p->lines[0].from_right ? " dir=\"rtl\"" : "");
    put_escaped(scratch, "<br/>", out);
    pl_str_printf(out, "</%s>\n", name);
}

static const char *list_of(enum pl_piece_kind kind)
{
    static const char *const names[] = {[PL_PIECE_ITEM] = "ul", [PL_PIECE_FIELD] = "dl"};
    return (size_t)kind < PL_ARRAY_LEN(names) ? names[kind] : NULL;
}

static void put_tag(const char *before, const char *name, struct pl_str *out)
{
    if (name)
        pl_str_printf(out, "%s%s>\n", before, name);
}

static void put_article(const struct pl_page_result *page, struct pl_str *out)
{
    struct pl_str scratch = {0};
    struct pl_piece p = {0};
    const char *list = NULL; /* the element that is open around items of a list, or fields */
    pl_str_puts(out, "<article>\n");
    while (pl_piece_next(page->regions, &p)) {
        const char *wanted = list_of(p.kind);
        if (wanted != list) {
            put_tag("</", list, out);
            put_tag("<", wanted, out);
        }
        list = wanted;
        put_piece(&p, &scratch, out);
    }
    put_tag("</", list, out);
    pl_str_puts(out, "</article>\n");
    pl_str_done(&scratch);
}

static platen_status html_emit(const struct pl_env *env, const struct pl_page_result *page,
                               struct pl_str *out, struct platen_error *err)
{
    pl_str_printf(out, "<section id=\"page_%zu\"", page->number);
    if (page->regions->language)
        pl_view_attribute(out, "lang", page->regions->language);
    pl_str_puts(out, ">\n<h2>");
    pl_str_xml_name(out, page->path, strlen(page->path));
    if (page->page > 1)
        pl_str_printf(out, ", page %d", page->page);
    if (page->page_label) {
        pl_str_puts(out, ", labelled ");
        pl_str_xml(out, page->page_label, strlen(page->page_label));
    }
    if (page->part)
        pl_str_printf(out, ", part %d", page->part);
    pl_str_puts(out, "</h2>\n<div class=\"page\">\n");
    platen_status s = put_picture(env, page, out, err);
    if (s)
        return s;
    pl_str_printf(out, "<svg viewBox=\"0 0 %d %d\">\n", page->width, page->height);
    for (size_t i = 0; i < page->regions->n_blocks; i++)
        put_block(page, &page->regions->blocks[i], out);
    pl_str_puts(out, "</svg>\n</div>\n");
    put_article(page, out);
    pl_str_puts(out, "</section>\n");
    return pl_emit_finish(out, err);
}

const struct pl_emitter pl_emit_html = {
    .name = "html",
    .extension = "html",
    .media_type = "text/html; charset=utf-8",
    .help = "a web page: the pictures, the text over them, doubtful words marked, text and tables",
    .head =
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width\">\n<title>platen</title>\n<style>\n"
        "body { margin: 1em auto; max-width: 1200px; font-family: sans-serif; color: #222 }\n"
        "h2 { font-size: 1em }\n"
        ".page { position: relative; border: 1px solid #bbb }\n"
        ".page img { display: block; width: 100% }\n"
        ".page svg { position: absolute; left: 0; top: 0; width: 100%; height: 100% }\n"
        "article { max-width: 60em; overflow-x: auto }\n"
        "article p { margin: .6em 0 }\n"
        "article p.row { margin: -.6em 0 .6em }\n"
        "dt { font-weight: bold }\n"
        "table { border-collapse: collapse; margin: 1em 0 }\n"
        "td, th { border: 1px solid #bbb; padding: .1em .4em; text-align: left;\n"
        "  vertical-align: top }\n"
        "th { background: #eee }\n"
        "small { display: block; color: #666 }\n"
        "text { fill: transparent; font-family: sans-serif; white-space: pre }\n"
        "polygon { fill: transparent }\n"
        ".low polygon, .key.low { fill: rgba(255, 200, 0, .35); background: #ffe99f }\n"
        ".bad polygon, .key.bad { fill: rgba(255, 40, 40, .35); background: #ffb3b3 }\n"
        ".block g:hover polygon { fill: #fff; stroke: #36c; stroke-width: 2 }\n"
        ".block g:hover text, #over:checked ~ section text { fill: #036 }\n"
        "#over:checked ~ section polygon { fill: rgba(255, 255, 255, .85) }\n"
        "#over:checked ~ section .low polygon { fill: #ffe99f }\n"
        "#over:checked ~ section .bad polygon { fill: #ffb3b3 }\n"
        "</style>\n</head>\n<body>\n"
        "<input type=\"checkbox\" id=\"over\"><label for=\"over\"> show what was read</label>;\n"
        "read with doubt: <span class=\"key low\">below 90 %</span>,\n"
        "<span class=\"key bad\">below 70 %</span>; a word shows its text under the pointer\n",
    .tail = "</body>\n</html>\n",
    .needs = PLATEN_STAGE_RECOGNIZE,
    .source = true,
    .emit = html_emit,
};
