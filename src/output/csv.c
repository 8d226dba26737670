/* SPDX-License-Identifier: BSD-2-Clause */
/* Comma-separated values (RFC 4180), of tables and fields alone. A cell that spans several places
 * stands in the first, and the others are empty. The fields of a page are one table, in the place
 * of the first of them: a row for each, of its label and what was filled in. */
#include <string.h>

#include "output/emitters.h"
#include "output/prose.h"

static void put_field(const char *s, size_t n, struct pl_str *out)
{
    if (!memchr(s, '"', n) && !memchr(s, ',', n) && !memchr(s, '\n', n) && !memchr(s, '\r', n)) {
        pl_str_add(out, s, n);
        return;
    }
    pl_str_putc(out, '"');
    for (size_t i = 0; i < n; i++) {
        if (s[i] == '"')
            pl_str_putc(out, '"');
        pl_str_putc(out, s[i]);
    }
    pl_str_putc(out, '"');
}

static void put_cell(const struct pl_cell *c, struct pl_str *scratch, struct pl_str *out)
{
    pl_str_reset(scratch);
    pl_prose_cell(c, "\n", scratch);
    put_field(scratch->len ? scratch->s : "", scratch->len, out);
    out->failed |= scratch->failed;
}

static void put_table(const struct pl_table *t, struct pl_str *scratch, struct pl_str *out)
{
    const struct pl_cell *c = t->cells, *end = t->cells + t->n_cells;
    for (int r = 0; r < t->n_rows; r++) {
        for (int column = 0; column < t->n_columns; column++) {
            if (column)
                pl_str_putc(out, ',');
            if (c < end && c->row == r && c->column == column)
                put_cell(c++, scratch, out);
        }
        pl_str_puts(out, "\r\n");
    }
}

static void put_fields(const struct pl_regions *r, struct pl_str *scratch, struct pl_str *out)
{
    for (size_t i = 0; i < r->n_blocks; i++) {
        const struct pl_block *b = &r->blocks[i];
        if (!b->n_label)
            continue;
        for (int value = 0; value < 2; value++) {
            pl_str_reset(scratch);
            if (value)
                pl_prose_value(b, "\n", scratch);
            else
                pl_prose_label(b, scratch);
            put_field(scratch->len ? scratch->s : "", scratch->len, out);
            pl_str_puts(out, value ? "\r\n" : ",");
        }
    }
    out->failed |= scratch->failed;
}

/* Returns whether block i is a table of the output, or the first of the fields, which are one. */
static bool is_table(const struct pl_regions *r, size_t i)
{
    for (size_t k = 0; k < i && r->blocks[i].n_label; k++)
        if (r->blocks[k].n_label)
            return false;
    return r->blocks[i].table || r->blocks[i].n_label;
}

static size_t count_tables(const struct pl_page_result *page)
{
    size_t n = 0;
    for (size_t i = 0; i < page->regions->n_blocks; i++)
        n += is_table(page->regions, i);
    return n;
}

static platen_status csv_emit(const struct pl_env *env PL_UNUSED, const struct pl_page_result *page,
                              struct pl_str *out, struct platen_error *err)
{
    struct pl_str scratch = {0};
    size_t n = 0;
    for (size_t i = 0; i < page->regions->n_blocks; i++) {
        const struct pl_table *t = page->regions->blocks[i].table;
        if (!is_table(page->regions, i) || (page->piece && ++n != page->piece))
            continue;
        if (t)
            put_table(t, &scratch, out);
        else
            put_fields(page->regions, &scratch, out);
        if (!page->piece)
            pl_str_puts(out, "\r\n");
    }
    pl_str_done(&scratch);
    return pl_emit_finish(out, err);
}

const struct pl_emitter pl_emit_csv = {
    .name = "csv",
    .extension = "csv",
    .media_type = "text/csv; charset=utf-8",
    .help = "tables and fields of forms alone: a file each below a directory, else in turn",
    .needs = PLATEN_STAGE_RECOGNIZE,
    .piece = "table",
    .count_pieces = count_tables,
    .emit = csv_emit,
};
