/* SPDX-License-Identifier: BSD-2-Clause */
/* Plain text: a line per row of text, an empty line between blocks. */
#include <string.h>

#include "output/emitters.h"

/* Returns whether b goes on in the row of a, as the amount behind the name of an item does. A line
 * that begins before the other ends would not be read as its end. */
static bool goes_on(const struct pl_line *a, const struct pl_line *b)
{
    return b->box.x0 >= a->box.x1 && pl_same_row(a, b);
}

static void add_block(const struct pl_block *b, struct pl_str *out)
{
    for (size_t i = 0; i < b->n_lines; i++) {
        const struct pl_line *line = &b->lines[i];
        if (i)
            pl_str_putc(out, goes_on(line - 1, line) ? ' ' : '\n');
        pl_str_puts(out, line->text);
    }
    pl_str_putc(out, '\n');
}

static platen_status txt_emit(const struct pl_env *env PL_UNUSED, const struct pl_page_result *page,
                              struct pl_str *out, struct platen_error *err)
{
    for (size_t i = 0; i < page->regions->n_blocks; i++) {
        if (i)
            pl_str_putc(out, '\n');
        add_block(&page->regions->blocks[i], out);
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
