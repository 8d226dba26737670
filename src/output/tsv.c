/* SPDX-License-Identifier: BSD-2-Clause */
/* Tab-separated values with the twelve columns of Tesseract: a row for the page (level 1), each
 * block (2), paragraph (3, one in a block), line (4) and word (5). */
#include "output/emitters.h"
#include "output/view.h"

struct tsv_place {
    size_t block, line, word;
};

static void put_row(const struct pl_page_result *page, int level, struct tsv_place at,
                    struct pl_rect box, struct pl_str *out)
{
    pl_str_printf(out, "%d\t%zu\t%zu\t%d\t%zu\t%zu\t%d\t%d\t%d\t%d\t", level, page->number,
                  at.block, level > 2, at.line, at.word, box.x0, box.y0, pl_rect_width(box),
                  pl_rect_height(box));
}

/* A cell cannot hold what ends it. */
static void put_cell(const char *s, struct pl_str *out)
{
    for (; *s; s++)
        pl_str_putc(out, (unsigned char)*s < 0x20 || *s == 0x7f ? ' ' : *s);
}

static void put_container(const struct pl_page_result *page, int level, struct tsv_place at,
                          struct pl_rect box, struct pl_str *out)
{
    put_row(page, level, at, box, out);
    pl_str_puts(out, "-1\t\n");
}

static void put_line(const struct pl_page_result *page, const struct pl_line *l,
                     struct tsv_place at, struct pl_str *out)
{
    put_container(page, 4, at, pl_view_box(page, l, l->box), out);
    for (size_t w = 0; w < l->n_words; w++) {
        at.word = w + 1;
        put_row(page, 5, at, pl_view_box(page, l, l->words[w].box), out);
        pl_str_number(out, (double)l->words[w].conf * 100, 2);
        pl_str_putc(out, '\t');
        put_cell(l->words[w].text, out);
        pl_str_putc(out, '\n');
    }
}

static void put_block(const struct pl_page_result *page, const struct pl_block *b,
                      struct tsv_place at, struct pl_str *out)
{
    struct pl_rect box = pl_view_box(page, NULL, b->box);
    put_container(page, 2, at, box, out);
    put_container(page, 3, at, box, out);
    for (size_t i = 0; i < b->n_lines; i++) {
        at.line++;
        put_line(page, &b->lines[i], at, out);
    }
}

static platen_status tsv_emit(const struct pl_env *env PL_UNUSED, const struct pl_page_result *page,
                              struct pl_str *out, struct platen_error *err)
{
    struct tsv_place at = {0};
    put_container(page, 1, at, (struct pl_rect){0, 0, page->width, page->height}, out);
    for (size_t b = 0; b < page->regions->n_blocks; b++) {
        at.block++;
        put_block(page, &page->regions->blocks[b], at, out);
    }
    return pl_emit_finish(out, err);
}

const struct pl_emitter pl_emit_tsv = {
    .name = "tsv",
    .extension = "tsv",
    .media_type = "text/tab-separated-values; charset=utf-8",
    .help = "a table with the columns of Tesseract: level, numbers, box, confidence, text",
    .head = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\t"
            "conf\ttext\n",
    .needs = PLATEN_STAGE_RECOGNIZE,
    .emit = tsv_emit,
};
