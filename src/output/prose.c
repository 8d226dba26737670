/* SPDX-License-Identifier: BSD-2-Clause */
#include "output/prose.h"

#include <math.h>
#include <string.h>

/* Returns whether a mark of n bytes stands before a blank, or alone before other lines of a piece.
 */
static bool is_mark(const struct pl_piece *p, size_t n)
{
    const char *s = p->lines->text;
    return s[n] == ' ' || (!s[n] && p->n_lines > 1);
}

/* Returns the bytes of the bullet with which the piece begins; 0 = it has none. */
static size_t bullet_bytes(const struct pl_piece *p)
{
    static const char *const bullets[] = {"\xE2\x80\xA2", "\xE2\x96\xA0", "\xC2\xB7", "-", "*"};
    for (size_t i = 0; i < PL_ARRAY_LEN(bullets); i++) {
        const size_t n = strlen(bullets[i]);
        if (!strncmp(p->lines->text, bullets[i], n) && is_mark(p, n))
            return n;
    }
    return 0;
}

static bool is_numbered(const struct pl_piece *p)
{
    const char *s = p->lines->text;
    const size_t n = strspn(s, "0123456789");
    return n > 0 && n < 4 && (s[n] == '.' || s[n] == ')') && is_mark(p, n + 1);
}

static enum pl_piece_kind kind_of(const struct pl_piece *p)
{
    const struct pl_block *b = p->block;
    if (b->table || b->n_label)
        return b->table ? PL_PIECE_TABLE : PL_PIECE_FIELD;
    if (b->code)
        return PL_PIECE_CODE;
    switch (b->kind) {
    case PL_BLOCK_HEADING:
        return PL_PIECE_HEADING;
    case PL_BLOCK_HEADER:
    case PL_BLOCK_FOOTER:
        return PL_PIECE_MARGIN;
    default:
        return bullet_bytes(p)  ? PL_PIECE_ITEM
               : is_numbered(p) ? PL_PIECE_NUMBER
                                : PL_PIECE_PARAGRAPH;
    }
}

/* Returns the end of the piece that begins with line i: a paragraph, or the whole block. */
static size_t piece_end(const struct pl_block *b, size_t i)
{
    if (b->kind == PL_BLOCK_HEADING || b->kind == PL_BLOCK_TABLE || b->code || b->n_label)
        return b->n_lines;
    for (i++; i < b->n_lines && b->lines[i].join != PL_JOIN_NONE; i++)
        continue;
    return i;
}

/* Returns whether the lines are all of one row. */
static bool is_one_row(const struct pl_line *lines, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (!pl_same_row(&lines[i - 1], &lines[i]))
            return false;
    return true;
}

/* Moves the end of a piece behind the lines of further blocks that go on from it. */
static void go_on(const struct pl_regions *r, struct pl_piece *piece)
{
    while (!piece->next_line && piece->next_block < r->n_blocks &&
           r->blocks[piece->next_block].lines->join != PL_JOIN_NONE) {
        const struct pl_block *b = &r->blocks[piece->next_block];
        const size_t end = piece_end(b, 0);
        piece->next_block += end == b->n_lines;
        piece->next_line = end == b->n_lines ? 0 : end;
    }
}

bool pl_piece_next(const struct pl_regions *r, struct pl_piece *piece)
{
    const struct pl_piece last = *piece;
    if (last.next_block == r->n_blocks)
        return false;
    const struct pl_block *b = &r->blocks[last.next_block];
    const size_t i = last.next_line, end = piece_end(b, i);
    *piece = (struct pl_piece){.block = b,
                               .lines = b->lines + i,
                               .n_lines = end - i,
                               .at_block = last.next_block,
                               .next_block = last.next_block + (end == b->n_lines),
                               .next_line = end == b->n_lines ? 0 : end};
    piece->kind = kind_of(piece);
    const bool is_text = piece->kind == PL_PIECE_PARAGRAPH || piece->kind == PL_PIECE_MARGIN;
    piece->attached = i && is_text && last.kind == piece->kind && last.block == b &&
                      is_one_row(piece->lines, piece->n_lines) &&
                      is_one_row(last.lines, last.n_lines);
    go_on(r, piece);
    return true;
}

/* Appends a line behind what it goes on from. */
static void join_line(const struct pl_line *line, struct pl_str *out)
{
    if (line->join == PL_JOIN_HYPHEN && out->len)
        out->s[--out->len] = 0;
    else if (line->join != PL_JOIN_WORD)
        pl_str_putc(out, ' ');
    pl_str_puts(out, line->text);
}

void pl_prose_join(const struct pl_line *lines, size_t n, struct pl_str *out)
{
    pl_str_puts(out, lines->text);
    for (size_t i = 1; i < n; i++)
        join_line(&lines[i], out);
}

/* Appends the lines of a piece from line i on, and those in blocks behind its own. */
static void join_rest(const struct pl_piece *p, size_t i, struct pl_str *out)
{
    for (; i < p->n_lines; i++)
        join_line(&p->lines[i], out);
    for (size_t b = p->at_block + 1; b < p->next_block + (p->next_line > 0); b++) {
        const struct pl_block *block = p->block + (b - p->at_block);
        const size_t end = b < p->next_block ? block->n_lines : p->next_line;
        for (i = 0; i < end; i++)
            join_line(&block->lines[i], out);
    }
}

void pl_piece_join(const struct pl_piece *piece, struct pl_str *out)
{
    pl_str_puts(out, piece->lines->text);
    join_rest(piece, 1, out);
}

void pl_piece_text(const struct pl_piece *piece, struct pl_str *out)
{
    const char *first = piece->lines->text;
    size_t i = 1;
    if (piece->kind == PL_PIECE_ITEM) {
        first += bullet_bytes(piece);
        first = *first ? first + 1 : piece->lines[i++].text;
    }
    pl_str_puts(out, first);
    join_rest(piece, i, out);
}

void pl_prose_cell(const struct pl_cell *c, const char *apart, struct pl_str *out)
{
    for (size_t i = 0, end; i < c->n_lines; i = end) {
        for (end = i + 1; end < c->n_lines && c->lines[end].join != PL_JOIN_NONE; end++)
            continue;
        if (i)
            pl_str_puts(out, apart);
        pl_prose_join(&c->lines[i], end - i, out);
    }
}

void pl_prose_label(const struct pl_block *field, struct pl_str *out)
{
    pl_prose_join(field->lines, field->n_label, out);
}

void pl_prose_value(const struct pl_block *field, const char *apart, struct pl_str *out)
{
    const struct pl_cell value = {.lines = field->lines + field->n_label,
                                  .n_lines = field->n_lines - field->n_label};
    pl_prose_cell(&value, apart, out);
}

/* Appends a line from column *column of its row on: each word in its own column, or behind a blank
 * where that is taken. */
static void put_code_line(const struct pl_block *code, const struct pl_line *line, long *column,
                          struct pl_str *out)
{
    for (size_t w = 0; w < line->n_words; w++) {
        const struct pl_word *word = &line->words[w];
        const long own = lround((word->box.x0 - code->box.x0) / code->code->pitch_px),
                   begin = *column ? PL_MAX(own, *column + 1) : own;
        for (; *column < begin; ++*column)
            pl_str_putc(out, ' ');
        pl_str_puts(out, word->text);
        *column += (long)word->n_chars;
    }
}

void pl_prose_code(const struct pl_block *code, struct pl_str *out)
{
    long column = 0;
    for (size_t i = 0; i < code->n_lines; i++) {
        const struct pl_line *l = &code->lines[i];
        if (i && !pl_same_row(l - 1, l)) {
            for (long n = lround((l->base_y - l[-1].base_y) / code->code->step_px); n > 1; n--)
                pl_str_putc(out, '\n');
            pl_str_putc(out, '\n');
            column = 0;
        }
        put_code_line(code, l, &column, out);
    }
    pl_str_putc(out, '\n');
}

bool pl_cell_is_joined(const struct pl_cell *c)
{
    for (size_t i = 1; i < c->n_lines; i++)
        if (c->lines[i].join == PL_JOIN_NONE)
            return false;
    return true;
}
