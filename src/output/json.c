/* SPDX-License-Identifier: BSD-2-Clause */
/* JSON (RFC 8259): the whole result tree. All boxes and points are pixels of the input picture. */
#include <string.h>

#include "config.h"
#include "output/emitters.h"
#include "output/prose.h"
#include "output/view.h"

/* Digits after the point. */
enum { CONF_DIGITS = 4, PIXEL_DIGITS = 2, ANGLE_DIGITS = 3, MS_DIGITS = 2, TIME_DIGITS = 3 };

struct json {
    struct pl_str *out;
    bool pretty; /* objects over several lines; arrays of numbers and words stay on one; else it is
                    a record of ndjson */
    int depth;
    int flat_depth; /* at this depth and below nothing breaks lines; 0 = nowhere */
    bool first;     /* nothing in the present object or array yet */
    const struct pl_page_result *page;
};

static bool is_flat(const struct json *j)
{
    return !j->pretty || (j->flat_depth && j->depth >= j->flat_depth);
}

static void break_line(struct json *j)
{
    pl_str_putc(j->out, '\n');
    for (int i = 0; i < j->depth; i++)
        pl_str_puts(j->out, "  ");
}

/* Puts comma, line break and key (NULL inside arrays) of the next value. */
static void item(struct json *j, const char *key)
{
    if (!j->first)
        pl_str_putc(j->out, ',');
    if (!is_flat(j))
        break_line(j);
    else if (!j->first && j->pretty)
        pl_str_putc(j->out, ' ');
    j->first = false;
    if (!key)
        return;
    pl_str_json(j->out, key, strlen(key));
    pl_str_puts(j->out, j->pretty ? ": " : ":");
}

static void open_group(struct json *j, const char *key, char bracket)
{
    if (j->depth)
        item(j, key);
    pl_str_putc(j->out, bracket);
    j->depth++;
    j->first = true;
}

static void open_flat(struct json *j, const char *key, char bracket)
{
    open_group(j, key, bracket);
    if (!j->flat_depth)
        j->flat_depth = j->depth;
}

static void close_group(struct json *j, char bracket)
{
    bool flat = is_flat(j), empty = j->first;
    if (j->flat_depth == j->depth)
        j->flat_depth = 0;
    j->depth--;
    j->first = false;
    if (!flat && !empty)
        break_line(j);
    pl_str_putc(j->out, bracket);
}

static void put_text(struct json *j, const char *key, const char *s)
{
    item(j, key);
    pl_str_json(j->out, s, strlen(s));
}

static void put_number(struct json *j, const char *key, double x, int digits)
{
    item(j, key);
    pl_str_number(j->out, x, digits);
}

static void put_point(struct json *j, struct pl_point p)
{
    open_flat(j, NULL, '[');
    put_number(j, NULL, p.x, PIXEL_DIGITS);
    put_number(j, NULL, p.y, PIXEL_DIGITS);
    close_group(j, ']');
}

static void put_box(struct json *j, const char *key, const struct pl_line *l, struct pl_rect r)
{
    struct pl_rect b = pl_view_box(j->page, l, r);
    open_flat(j, key, '[');
    put_number(j, NULL, b.x0, 0);
    put_number(j, NULL, b.y0, 0);
    put_number(j, NULL, b.x1, 0);
    put_number(j, NULL, b.y1, 0);
    close_group(j, ']');
}

static void put_quad(struct json *j, const char *key, struct pl_quad q)
{
    open_flat(j, key, '[');
    for (int i = 0; i < 4; i++)
        put_point(j, q.p[i]);
    close_group(j, ']');
}

static void put_word(struct json *j, const struct pl_line *l, const struct pl_word *w)
{
    open_flat(j, NULL, '{');
    put_text(j, "text", w->text);
    put_number(j, "conf", (double)w->conf, CONF_DIGITS);
    if (!j->page->slim) {
        open_flat(j, "char_conf", '[');
        for (size_t i = 0; i < w->n_chars; i++)
            put_number(j, NULL, (double)w->char_conf[i], CONF_DIGITS);
        close_group(j, ']');
    }
    put_box(j, "box", l, w->box);
    if (!j->page->slim)
        put_quad(j, "quad", pl_view_corners(j->page, l, w->box));
    close_group(j, '}');
}

static void put_line(struct json *j, const struct pl_line *l)
{
    open_group(j, NULL, '{');
    if (j->page->recognized) {
        put_text(j, "text", l->text ? l->text : "");
        put_number(j, "conf", (double)l->conf, CONF_DIGITS);
        if (l->language)
            put_text(j, "lang", l->language);
    }
    put_box(j, "box", l, l->box);
    open_flat(j, "baseline", '[');
    struct pl_point p[PL_BASELINE_POINTS];
    size_t n = pl_view_baseline_points(j->page, l, p);
    for (size_t i = 0; i < n; i++)
        put_point(j, p[i]);
    close_group(j, ']');
    if (j->page->recognized) {
        open_group(j, "words", '[');
        for (size_t i = 0; i < l->n_words; i++)
            put_word(j, l, &l->words[i]);
        close_group(j, ']');
    }
    close_group(j, '}');
}

static void put_cell(struct json *j, const struct pl_block *b, const struct pl_cell *c)
{
    struct pl_str text = {0};
    open_flat(j, NULL, '{');
    put_number(j, "row", c->row, 0);
    put_number(j, "column", c->column, 0);
    put_number(j, "rows", c->n_rows, 0);
    put_number(j, "columns", c->n_columns, 0);
    put_box(j, "box", NULL, c->box);
    if (j->page->recognized) {
        pl_prose_cell(c, "\n", &text);
        item(j, "text");
        pl_str_json(j->out, text.len ? text.s : "", text.len);
    }
    open_group(j, "lines", '[');
    for (size_t i = 0; i < c->n_lines; i++)
        put_number(j, NULL, (double)(c->lines - b->lines) + (double)i, 0);
    close_group(j, ']');
    close_group(j, '}');
    j->out->failed |= text.failed;
    pl_str_done(&text);
}

static void put_table(struct json *j, const struct pl_block *b)
{
    const struct pl_table *t = b->table;
    open_group(j, "table", '{');
    put_number(j, "rows", t->n_rows, 0);
    put_number(j, "columns", t->n_columns, 0);
    put_number(j, "head", t->n_head, 0);
    open_group(j, "cells", '[');
    for (size_t i = 0; i < t->n_cells; i++)
        put_cell(j, b, &t->cells[i]);
    close_group(j, ']');
    close_group(j, '}');
}

/* Puts the label of a field and what was filled in. */
static void put_field(struct json *j, const struct pl_block *b)
{
    struct pl_str text = {0};
    open_flat(j, "field", '{');
    put_number(j, "label_lines", (double)b->n_label, 0);
    if (j->page->recognized) {
        pl_prose_label(b, &text);
        put_text(j, "label", text.len ? text.s : "");
        pl_str_reset(&text);
        pl_prose_value(b, "\n", &text);
        put_text(j, "value", text.len ? text.s : "");
    }
    close_group(j, '}');
    j->out->failed |= text.failed;
    pl_str_done(&text);
}

static void put_block(struct json *j, const struct pl_block *b)
{
    open_group(j, NULL, '{');
    put_text(j, "kind", pl_view_kind(b));
    if (b->level)
        put_number(j, "level", b->level, 0);
    put_box(j, "box", NULL, b->box);
    open_group(j, "lines", '[');
    for (size_t i = 0; i < b->n_lines; i++)
        put_line(j, &b->lines[i]);
    close_group(j, ']');
    if (b->table)
        put_table(j, b);
    if (b->n_label)
        put_field(j, b);
    close_group(j, '}');
}

static void put_ink(struct json *j, const char *key, uint64_t px)
{
    uint64_t all = j->page->regions->ink_px;
    open_flat(j, key, '{');
    put_number(j, "px", (double)px, 0);
    put_number(j, "share", all ? (double)px / (double)all : 0, CONF_DIGITS);
    close_group(j, '}');
}

static void put_unread(struct json *j, const struct pl_line *l, struct pl_rect box, float conf)
{
    open_flat(j, NULL, '{');
    put_box(j, "box", l, box);
    put_number(j, "conf", (double)conf, CONF_DIGITS);
    close_group(j, '}');
}

/* Adds lines in which nothing was read, and words that were read but left out of their lines. */
static void put_all_unread(struct json *j, const struct pl_regions *r)
{
    open_group(j, "unread_boxes", '[');
    for (size_t i = 0; i < r->n_unread; i++)
        put_unread(j, &r->unread[i], r->unread[i].box, r->unread[i].conf);
    for (size_t b = 0; b < r->n_blocks; b++)
        for (size_t i = 0; i < r->blocks[b].n_lines; i++) {
            const struct pl_line *l = &r->blocks[b].lines[i];
            for (const struct pl_word *w = l->words + l->n_words;
                 w < l->words + l->n_words + l->n_doubted; w++)
                put_unread(j, l, w->box, w->conf);
        }
    close_group(j, ']');
}

/* Puts the ink of the page by what it was taken for, in pixels of the page picture. */
static void put_leftover(struct json *j, const struct pl_regions *r)
{
    open_group(j, "leftover", '{');
    put_number(j, "ink_px", (double)r->ink_px, 0);
    put_ink(j, "in_lines", r->ink_in_lines_px);
    if (j->page->recognized)
        put_ink(j, "unread", r->unread_px);
    put_ink(j, "rules", r->rules_px);
    put_ink(j, "graphics", r->graphics_px);
    put_ink(j, "specks", r->specks_px);
    put_ink(j, "unexplained", r->unexplained_px);
    open_group(j, "boxes", '[');
    for (size_t i = 0; i < r->n_unexplained; i++)
        put_box(j, NULL, NULL, r->unexplained[i]);
    close_group(j, ']');
    if (j->page->recognized)
        put_all_unread(j, r);
    close_group(j, '}');
}

static void put_null(struct json *j, const char *key)
{
    item(j, key);
    pl_str_puts(j->out, "null");
}

static void put_dpi(struct json *j)
{
    const struct pl_page_result *page = j->page;
    if (!(page->dpi_x > 0 && page->dpi_y > 0)) {
        put_null(j, "dpi");
        return;
    }
    open_flat(j, "dpi", '[');
    put_number(j, NULL, (double)page->dpi_x, PIXEL_DIGITS);
    put_number(j, NULL, (double)page->dpi_y, PIXEL_DIGITS);
    close_group(j, ']');
}

static void put_times(struct json *j)
{
    open_flat(j, "ms", '{');
    for (int i = 0; i < PLATEN_STAGE_OUTPUT; i++)
        put_number(j, platen_stage_name((enum platen_stage)i), j->page->ms[i], MS_DIGITS);
    close_group(j, '}');
}

/* Puts what made a record: the program and the model. */
static void put_maker(struct json *j)
{
    if (j->pretty)
        return;
    put_text(j, "program", "platen " PL_VERSION);
    if (j->page->model)
        put_text(j, "model", j->page->model);
}

/* Puts the text of the page, as format txt has it, as one value, and its confidence. */
static void put_whole_text(struct json *j)
{
    struct pl_str text = {0};
    const double conf = pl_regions_conf(j->page->regions);
    if (pl_emit_txt.emit(NULL, j->page, &text, NULL))
        j->out->failed = true;
    item(j, "text");
    pl_str_json(j->out, text.len ? text.s : "", text.len);
    if (conf < 0)
        put_null(j, "conf");
    else
        put_number(j, "conf", conf, CONF_DIGITS);
    pl_str_done(&text);
}

static void put_done(struct json *j)
{
    const struct pl_page_result *page = j->page;
    put_number(j, "width", page->width, 0);
    put_number(j, "height", page->height, 0);
    put_dpi(j);
    if (page->image->upright != PL_UPRIGHT_UNASKED) {
        put_number(j, "turn", 90.0 * page->image->quarters, 0);
        put_text(j, "upright", page->image->upright == PL_UPRIGHT_SURE ? "sure" : "doubtful");
    }
    put_number(j, "angle", page->image->angle_deg, ANGLE_DIGITS);
    put_maker(j);
    put_text(j, "status", "ok");
    if (page->flaw)
        put_text(j, "flaw", page->flaw);
    if (page->regions && page->regions->language)
        put_text(j, "lang", page->regions->language);
    if (page->regions && page->regions->misread)
        put_text(j, "unread_script", page->regions->misread);
    if (page->recognized && !j->pretty)
        put_whole_text(j);
    if (page->regions) {
        open_group(j, "blocks", '[');
        for (size_t i = 0; i < page->regions->n_blocks; i++)
            put_block(j, &page->regions->blocks[i]);
        close_group(j, ']');
        put_leftover(j, page->regions);
    }
    if (page->ms)
        put_times(j);
}

static platen_status json_emit(const struct pl_page_result *page, bool pretty, struct pl_str *out,
                               struct platen_error *err)
{
    struct json j = {.out = out, .pretty = pretty, .page = page};
    open_group(&j, NULL, '{');
    item(&j, "path");
    pl_str_json_name(j.out, page->path, strlen(page->path));
    put_number(&j, "page", page->frame ? page->frame : page->page, 0);
    if (page->frame)
        put_number(&j, "time_s", page->time_s, TIME_DIGITS);
    if (page->page_label)
        put_text(&j, "page_label", page->page_label);
    if (page->part)
        put_number(&j, "part", page->part, 0);
    if (page->status) {
        put_maker(&j);
        put_text(&j, "status", platen_status_name(page->status));
        put_text(&j, "code", platen_status_code(page->status));
        put_text(&j, "error", page->error ? page->error : "");
    } else {
        put_done(&j);
    }
    close_group(&j, '}');
    pl_str_putc(out, '\n');
    return pl_emit_finish(out, err);
}

static platen_status emit_json(const struct pl_env *env PL_UNUSED,
                               const struct pl_page_result *page, struct pl_str *out,
                               struct platen_error *err)
{
    return json_emit(page, true, out, err);
}

static platen_status emit_ndjson(const struct pl_env *env PL_UNUSED,
                                 const struct pl_page_result *page, struct pl_str *out,
                                 struct platen_error *err)
{
    return json_emit(page, false, out, err);
}

const struct pl_emitter pl_emit_json = {
    .name = "json",
    .extension = "json",
    .media_type = "application/json",
    .help = "the result tree as a JSON object: text, confidence, boxes, leftover ink; or an error",
    .needs = PLATEN_STAGE_PREPROCESS,
    .failures = true,
    .emit = emit_json,
};

const struct pl_emitter pl_emit_ndjson = {
    .name = "ndjson",
    .extension = "ndjson",
    .media_type = "application/x-ndjson",
    .help = "the same on one line, with the text of the page",
    .needs = PLATEN_STAGE_PREPROCESS,
    .failures = true,
    .emit = emit_ndjson,
};
