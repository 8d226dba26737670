/* SPDX-License-Identifier: BSD-2-Clause */
/* Plain text: a line per row of text, an empty line between blocks. */
#include "output/emitters.h"
#include "output/prose.h"
#include "output/view.h"

/* Returns whether b goes on in the row of a, as the amount behind the name of an item does. A line
 * that begins before the other ends would not be read as its end. */
static bool goes_on(const struct pl_line *a, const struct pl_line *b)
{
    return b->box.x0 >= a->box.x1 && pl_same_row(a, b);
}

static void add_lines(const struct pl_block *b, struct pl_str *out)
{
    for (size_t i = 0; i < b->n_lines; i++) {
        const struct pl_line *line = &b->lines[i];
        if (i)
            pl_str_putc(out, goes_on(line - 1, line) ? ' ' : '\n');
        pl_str_puts(out, line->text);
    }
    pl_str_putc(out, '\n');
}

/* A row of a table is one line, unless a cell of it has several paragraphs: these stand below each
 * other, and cells beside them on lines of their own. */
static void add_table(const struct pl_table *t, bool join, struct pl_str *out)
{
    const struct pl_cell *last = NULL;
    for (size_t i = 0; i < t->n_cells; i++) {
        const struct pl_cell *c = &t->cells[i];
        if (!c->n_lines)
            continue;
        const bool row =
            last && last->row == c->row && pl_cell_is_joined(last) && pl_cell_is_joined(c);
        if (last)
            pl_str_putc(out, row ? ' ' : '\n');
        if (join)
            pl_prose_cell(c, "\n", out);
        else
            pl_view_cell_text(c, pl_cell_is_joined(c) ? " " : "\n", out);
        last = c;
    }
    pl_str_putc(out, '\n');
}

static void add_field(const struct pl_block *b, struct pl_str *out)
{
    pl_prose_label(b, out);
    pl_str_putc(out, '\n');
    pl_prose_value(b, "\n", out);
    if (b->n_label < b->n_lines)
        pl_str_putc(out, '\n');
}

static void add_paragraphs(const struct pl_page_result *page, struct pl_str *out)
{
    for (struct pl_piece p = {0}, last = p; pl_piece_next(page->regions, &p); last = p) {
        if (last.block && last.block != p.block)
            pl_str_putc(out, '\n');
        if (p.kind == PL_PIECE_TABLE) {
            add_table(p.block->table, true, out);
        } else if (p.kind == PL_PIECE_CODE) {
            pl_prose_code(p.block, out);
        } else if (p.kind == PL_PIECE_FIELD) {
            add_field(p.block, out);
        } else {
            pl_piece_join(&p, out);
            pl_str_putc(out, '\n');
        }
    }
}

static platen_status txt_emit(const struct pl_env *env PL_UNUSED, const struct pl_page_result *page,
                              struct pl_str *out, struct platen_error *err)
{
    if (page->join_lines)
        add_paragraphs(page, out);
    for (size_t i = 0; !page->join_lines && i < page->regions->n_blocks; i++) {
        const struct pl_block *b = &page->regions->blocks[i];
        if (i)
            pl_str_putc(out, '\n');
        if (b->table)
            add_table(b->table, false, out);
        else if (b->code)
            pl_prose_code(b, out);
        else
            add_lines(b, out);
    }
    return pl_emit_finish(out, err);
}

const struct pl_emitter pl_emit_txt = {
    .name = "txt",
    .extension = "txt",
    .media_type = "text/plain; charset=utf-8",
    .help = "the text, a line per row and an empty line between blocks",
    .separator = "\f",
    .needs = PLATEN_STAGE_RECOGNIZE,
    .emit = txt_emit,
};
