/* SPDX-License-Identifier: BSD-2-Clause */
/* Markdown as GitHub has it (GFM): headings, paragraphs, lists and tables. Running heads and feet
 * are comments. */
#include <string.h>

#include "output/emitters.h"
#include "output/prose.h"

static bool is_word(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c & 0x80;
}

/* What the name of a character between "&" and ";" is made of. */
#define ENTITY "#0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/* Returns whether the character at s[i] would be markup. */
static bool is_markup(const char *s, size_t i, bool cell)
{
    const char next = s[i + 1];
    switch (s[i]) {
    case '\\':
    case '`':
    case '*':
        return true;
    case '|':
        return cell;
    case '_':
        return !(i && is_word(s[i - 1]) && is_word(next));
    case '~':
        return next == '~';
    case '<':
        return is_word(next) || (next && strchr("/!?", next));
    case '&':
        return s[i + 1 + strspn(s + i + 1, ENTITY)] == ';';
    case '[':
        return strstr(s + i, "](") || strstr(s + i, "]:");
    default:
        return false;
    }
}

/* Appends text of a line or cell with what would be markup escaped. A line end becomes <br>. */
static void put_text(const char *s, bool cell, struct pl_str *out)
{
    for (size_t i = 0; s[i]; i++) {
        if (s[i] == '\n') {
            pl_str_puts(out, "<br>");
            continue;
        }
        if (is_markup(s, i, cell))
            pl_str_putc(out, '\\');
        pl_str_putc(out, s[i]);
    }
}

/* Appends a paragraph, whose first character may not begin a heading, a quotation or a list. */
static void put_paragraph(const char *s, struct pl_str *out)
{
    const bool rule = *s && strspn(s, "-= ") == strlen(s);
    if (rule || strchr("#>+", *s) || (*s == '-' && s[1] == ' '))
        pl_str_putc(out, '\\');
    put_text(s, false, out);
}

static void put_cells(const struct pl_table *t, int row, struct pl_str *scratch, struct pl_str *out)
{
    const struct pl_cell *c = t->cells, *end = t->cells + t->n_cells;
    while (c < end && c->row < row)
        c++;
    pl_str_putc(out, '|');
    for (int column = 0; column < t->n_columns; column++) {
        pl_str_putc(out, ' ');
        if (c < end && c->row == row && c->column == column) {
            pl_str_reset(scratch);
            pl_prose_cell(c++, "\n", scratch);
            put_text(scratch->len ? scratch->s : "", true, out);
        }
        pl_str_puts(out, " |");
    }
    pl_str_putc(out, '\n');
}

/* The format wants one row of names; a table without has empty ones. */
static void put_table(const struct pl_table *t, struct pl_str *scratch, struct pl_str *out)
{
    put_cells(t, t->n_head ? 0 : t->n_rows, scratch, out);
    pl_str_putc(out, '|');
    for (int column = 0; column < t->n_columns; column++)
        pl_str_puts(out, " --- |");
    pl_str_putc(out, '\n');
    for (int row = t->n_head > 0; row < t->n_rows; row++)
        put_cells(t, row, scratch, out);
}

/* A field is its label in bold, and below it what was filled in. */
static void put_field(const struct pl_block *b, struct pl_str *scratch, struct pl_str *out)
{
    pl_prose_label(b, scratch);
    pl_str_puts(out, "**");
    put_text(scratch->len ? scratch->s : "", false, out);
    pl_str_puts(out, "**");
    pl_str_reset(scratch);
    pl_prose_value(b, "\n", scratch);
    if (scratch->len) {
        pl_str_puts(out, "  \n");
        put_text(scratch->s, false, out);
    }
    pl_str_putc(out, '\n');
}

/* Program text stands between fences, longer than any row of backticks in it, and nothing in it is
 * escaped. */
static void put_code(const struct pl_block *b, struct pl_str *text, struct pl_str *out)
{
    size_t fence = 2;
    pl_prose_code(b, text);
    for (const char *s = text->len ? text->s : ""; *s; s++) {
        const size_t n = strspn(s, "`");
        fence = PL_MAX(fence, n);
        s += n ? n - 1 : 0;
    }
    for (size_t i = 0; i <= fence; i++)
        pl_str_putc(out, '`');
    pl_str_putc(out, '\n');
    pl_str_puts(out, text->len ? text->s : "");
    for (size_t i = 0; i <= fence; i++)
        pl_str_putc(out, '`');
    pl_str_putc(out, '\n');
}

static bool is_item(enum pl_piece_kind kind)
{
    return kind == PL_PIECE_ITEM || kind == PL_PIECE_NUMBER;
}

static void put_piece(const struct pl_piece *p, struct pl_str *text, struct pl_str *out)
{
    pl_str_reset(text);
    if (p->kind == PL_PIECE_TABLE) {
        put_table(p->block->table, text, out);
        return;
    }
    if (p->kind == PL_PIECE_FIELD) {
        put_field(p->block, text, out);
        return;
    }
    if (p->kind == PL_PIECE_CODE) {
        put_code(p->block, text, out);
        return;
    }
    pl_piece_text(p, text);
    const char *s = text->len ? text->s : "";
    for (int i = PL_MAX(p->block->level, 1); p->kind == PL_PIECE_HEADING && i >= 0; i--)
        pl_str_putc(out, i ? '#' : ' ');
    pl_str_puts(out, p->kind == PL_PIECE_ITEM ? "- " : "");
    if (p->kind == PL_PIECE_PARAGRAPH || p->kind == PL_PIECE_MARGIN)
        put_paragraph(s, out);
    else
        put_text(s, false, out);
    pl_str_putc(out, '\n');
}

static platen_status md_emit(const struct pl_env *env PL_UNUSED, const struct pl_page_result *page,
                             struct pl_str *out, struct platen_error *err)
{
    struct pl_str text = {0};
    enum pl_piece_kind last = PL_PIECE_PARAGRAPH;
    for (struct pl_piece p = {0}; pl_piece_next(page->regions, &p); last = p.kind) {
        if (p.attached && out->len)
            out->s[--out->len] = 0; /* a line end within a paragraph follows two blanks */
        if (p.attached)
            pl_str_puts(out, "  \n");
        else if (out->len && !(is_item(p.kind) && last == p.kind))
            pl_str_putc(out, '\n');
        put_piece(&p, &text, out);
    }
    out->failed |= text.failed;
    pl_str_done(&text);
    return pl_emit_finish(out, err);
}

const struct pl_emitter pl_emit_md = {
    .name = "md",
    .extension = "md",
    .media_type = "text/markdown; charset=utf-8; variant=GFM",
    .help = "Markdown: headings, whole paragraphs, lists, tables",
    .separator = "\n",
    .needs = PLATEN_STAGE_RECOGNIZE,
    .emit = md_emit,
};
