/* Plain text: one line per text line, an empty line between blocks. */
#include <string.h>

#include "output/emitters.h"

/* False when no line of the block has text. */
static bool add_block(const struct pl_block *b, bool parted, struct pl_str *out)
{
    bool any = false;
    for (size_t i = 0; i < b->n_lines; i++) {
        const char *text = b->lines[i].text;
        if (!text || !*text)
            continue;
        if (!any && parted)
            pl_str_putc(out, '\n');
        any = true;
        pl_str_puts(out, text);
        pl_str_putc(out, '\n');
    }
    return any;
}

static platen_status emit(const struct pl_env *env PL_UNUSED, const struct pl_page_result *page,
                          struct pl_str *out, struct platen_error *err)
{
    bool any = false;
    for (size_t i = 0; i < page->regions->n_blocks; i++)
        any |= add_block(&page->regions->blocks[i], any, out);
    return pl_emit_finish(out, err);
}

const struct pl_emitter pl_emit_txt = {
    .name = "txt",
    .extension = "txt",
    .help = "the text, a line per line and an empty line between blocks",
    .separator = "\f",
    .needs = 3,
    .emit = emit,
};
