/* SPDX-License-Identifier: BSD-2-Clause */
#include "output/tree.h"

#include <stdalign.h>
#include <string.h>

#include "output/emitters.h"
#include "output/prose.h"
#include "output/view.h"

/* Every object of a tree begins at a multiple of this. */
#define ALIGNMENT alignof(max_align_t)

_Static_assert((int)PLATEN_BLOCK_TEXT == (int)PL_BLOCK_TEXT &&
                   (int)PLATEN_BLOCK_CODE == (int)PL_BLOCK_CODE &&
                   (int)PLATEN_BLOCK_CODE + 1 == (int)PL_BLOCK_KINDS,
               "kinds of blocks of platen.h and result.h");
_Static_assert((int)PLATEN_UPRIGHT_SURE == (int)PL_UPRIGHT_SURE &&
                   (int)PLATEN_UPRIGHT_DOUBTFUL == (int)PL_UPRIGHT_DOUBTFUL,
               "ways up of platen.h and page_image.h");

/* A tree is made twice by the same functions: first to count its bytes, when take_room() gives NULL
 * and nothing is written, and then in its place. */
struct builder {
    const struct pl_page_result *page;
    char *base; /* NULL while bytes are counted */
    size_t used;
    bool failed; /* memory was short */
};

static void *take_room(struct builder *b, size_t n, size_t size)
{
    char *p = b->base ? b->base + b->used : NULL;
    b->used += (n * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return p;
}

static const char *take_text(struct builder *b, const char *s)
{
    const size_t n = strlen(s) + 1;
    char *p = take_room(b, n, 1);
    return p ? memcpy(p, s, n) : NULL;
}

static struct platen_box box_of(const struct builder *b, const struct pl_line *l, struct pl_rect r)
{
    const struct pl_rect box = pl_view_box(b->page, l, r);
    return (struct platen_box){box.x0, box.y0, box.x1, box.y1};
}

static const struct platen_word *take_word(struct builder *b, const struct pl_line *l,
                                           const struct pl_word *from)
{
    struct platen_word *w = take_room(b, 1, sizeof(*w));
    float *char_conf = take_room(b, from->n_chars, sizeof(*char_conf));
    const char *text = take_text(b, from->text);
    if (!w)
        return NULL;
    if (from->n_chars)
        memcpy(char_conf, from->char_conf, from->n_chars * sizeof(*char_conf));
    *w = (struct platen_word){.size = sizeof(*w),
                              .box = box_of(b, l, from->box),
                              .text = text,
                              .conf = (double)from->conf,
                              .char_conf = char_conf,
                              .n_chars = from->n_chars};
    const struct pl_quad q = pl_view_corners(b->page, l, from->box);
    for (int i = 0; i < 4; i++)
        w->quad[i] = (struct platen_point){q.p[i].x, q.p[i].y};
    return w;
}

static const struct platen_line *take_line(struct builder *b, const struct pl_line *from, int row)
{
    struct pl_point p[PL_BASELINE_POINTS];
    const size_t n_baseline = pl_view_baseline_points(b->page, from, p);
    struct platen_line *l = take_room(b, 1, sizeof(*l));
    struct platen_point *baseline = take_room(b, n_baseline, sizeof(*baseline));
    const struct platen_word **words = take_room(b, from->n_words, sizeof(*words));
    const char *text = take_text(b, from->text ? from->text : "");
    const char *lang = from->language ? take_text(b, from->language) : NULL;
    for (size_t i = 0; i < from->n_words; i++) {
        const struct platen_word *word = take_word(b, from, &from->words[i]);
        if (words)
            words[i] = word;
    }
    if (!l)
        return NULL;
    for (size_t i = 0; i < n_baseline; i++)
        baseline[i] = (struct platen_point){p[i].x, p[i].y};
    *l = (struct platen_line){.size = sizeof(*l),
                              .box = box_of(b, from, from->box),
                              .baseline = baseline,
                              .n_baseline = n_baseline,
                              .text = text,
                              .conf = b->page->recognized ? (double)from->conf : 0,
                              .words = words,
                              .n_words = from->n_words,
                              .row = row,
                              .lang = lang};
    return l;
}

/* With `rows`, lines that do not go on in the row of the line before them begin another one. */
static const struct platen_line *const *take_lines(struct builder *b, const struct pl_line *from,
                                                   size_t n, bool rows)
{
    const struct platen_line **lines = take_room(b, n, sizeof(*lines));
    int row = 0;
    for (size_t i = 0; i < n; i++) {
        row += rows && i && !pl_same_row(&from[i - 1], &from[i]);
        const struct platen_line *line = take_line(b, &from[i], row);
        if (lines)
            lines[i] = line;
    }
    return lines;
}

/* `lines` are those of the block. */
static const struct platen_cell *take_cell(struct builder *b, const struct pl_block *block,
                                           const struct pl_cell *from,
                                           const struct platen_line *const *lines)
{
    struct pl_str text = {0};
    struct platen_cell *c = take_room(b, 1, sizeof(*c));
    if (b->page->recognized)
        pl_prose_cell(from, "\n", &text);
    b->failed |= text.failed;
    const char *copy = take_text(b, text.len ? text.s : "");
    pl_str_done(&text);
    if (c)
        *c = (struct platen_cell){.size = sizeof(*c),
                                  .box = box_of(b, NULL, from->box),
                                  .row = from->row,
                                  .column = from->column,
                                  .n_rows = from->n_rows,
                                  .n_columns = from->n_columns,
                                  .lines =
                                      from->n_lines ? lines + (from->lines - block->lines) : lines,
                                  .n_lines = from->n_lines,
                                  .text = copy};
    return c;
}

static void take_table(struct builder *b, const struct pl_block *from, struct platen_block *block)
{
    const struct pl_table *t = from->table;
    const struct platen_cell **cells = take_room(b, t->n_cells, sizeof(*cells));
    for (size_t i = 0; i < t->n_cells; i++) {
        const struct platen_cell *cell =
            take_cell(b, from, &t->cells[i], block ? block->lines : NULL);
        if (cells)
            cells[i] = cell;
    }
    if (!block)
        return;
    block->n_rows = t->n_rows;
    block->n_columns = t->n_columns;
    block->n_head = t->n_head;
    block->cells = cells;
    block->n_cells = t->n_cells;
}

typedef void prose(const struct pl_block *field, struct pl_str *out);

static void put_value(const struct pl_block *field, struct pl_str *out)
{
    pl_prose_value(field, "\n", out);
}

/* Takes the text of a part of a field; NULL for another block. */
static const char *take_part(struct builder *b, const struct pl_block *from, prose *part)
{
    struct pl_str text = {0};
    if (!from->n_label)
        return NULL;
    if (b->page->recognized)
        part(from, &text);
    b->failed |= text.failed;
    const char *copy = take_text(b, text.len ? text.s : "");
    pl_str_done(&text);
    return copy;
}

static const struct platen_block *take_block(struct builder *b, const struct pl_block *from)
{
    struct platen_block *block = take_room(b, 1, sizeof(*block));
    const struct platen_line *const *lines = take_lines(b, from->lines, from->n_lines, true);
    const char *label = take_part(b, from, pl_prose_label), *value = take_part(b, from, put_value);
    if (block)
        *block = (struct platen_block){.size = sizeof(*block),
                                       .kind = (enum platen_block_kind)from->kind,
                                       .box = box_of(b, NULL, from->box),
                                       .lines = lines,
                                       .n_lines = from->n_lines,
                                       .label = label,
                                       .value = value,
                                       .n_label = from->n_label,
                                       .level = from->level};
    if (from->table)
        take_table(b, from, block);
    return block;
}

static const struct platen_box *take_unexplained(struct builder *b, const struct pl_regions *from)
{
    struct platen_box *boxes = take_room(b, from->n_unexplained, sizeof(*boxes));
    for (size_t i = 0; boxes && i < from->n_unexplained; i++)
        boxes[i] = box_of(b, NULL, from->unexplained[i]);
    return boxes;
}

static void take_page(struct builder *b)
{
    static const struct pl_regions nothing;
    const struct pl_page_result *from = b->page;
    const struct pl_regions *regions = from->regions ? from->regions : &nothing;
    const size_t n = regions->n_blocks;
    struct platen_page *page = take_room(b, 1, sizeof(*page));
    const struct platen_block **blocks = take_room(b, n, sizeof(*blocks));
    const char *path = take_text(b, from->path);
    const char *page_label = from->page_label ? take_text(b, from->page_label) : NULL;
    const char *lang = regions->language ? take_text(b, regions->language) : NULL;
    const char *flaw = from->flaw ? take_text(b, from->flaw) : NULL;
    const char *script = regions->misread ? take_text(b, regions->misread) : NULL;
    for (size_t i = 0; i < n; i++) {
        const struct platen_block *block = take_block(b, &regions->blocks[i]);
        if (blocks)
            blocks[i] = block;
    }
    const struct platen_line *const *unread =
        take_lines(b, regions->unread, regions->n_unread, false);
    const struct platen_box *unexplained = take_unexplained(b, regions);
    if (!page)
        return;
    const bool known = from->dpi_x > 0 && from->dpi_y > 0;
    *page = (struct platen_page){.size = sizeof(*page),
                                 .path = path,
                                 .page = from->frame ? from->frame : from->page,
                                 .part = from->part,
                                 .width = from->width,
                                 .height = from->height,
                                 .dpi_x = known ? (double)from->dpi_x : 0,
                                 .dpi_y = known ? (double)from->dpi_y : 0,
                                 .quarters = from->image->quarters,
                                 .upright = (enum platen_upright)from->image->upright,
                                 .angle_deg = from->image->angle_deg,
                                 .blocks = blocks,
                                 .n_blocks = n,
                                 .page_label = page_label,
                                 .unread = unread,
                                 .n_unread = regions->n_unread,
                                 .unexplained = unexplained,
                                 .n_unexplained = regions->n_unexplained,
                                 .lang = lang,
                                 .unread_script = script,
                                 .flaw = flaw,
                                 .damaged = from->damaged};
}

/* Returns where the tree begins in the text, whose memory may be aligned less than the tree. */
static size_t tree_start(const struct pl_str *text)
{
    return -(uintptr_t)text->s % ALIGNMENT;
}

static platen_status tree_emit(const struct pl_env *env PL_UNUSED,
                               const struct pl_page_result *page, struct pl_str *out,
                               struct platen_error *err)
{
    struct builder b = {.page = page};
    take_page(&b);
    const size_t bytes = b.used + ALIGNMENT;
    if (b.failed || !pl_str_room(out, bytes))
        return pl_fail_nomem(err, bytes, "the result of a page");
    b.base = out->s + tree_start(out);
    b.used = 0;
    take_page(&b);
    out->len = bytes;
    return b.failed ? pl_fail_nomem(err, bytes, "the result of a page") : PLATEN_OK;
}

const struct platen_page *pl_tree_page(const struct pl_str *text)
{
    return (const struct platen_page *)(const void *)(text->s + tree_start(text));
}

const struct pl_emitter pl_emit_tree = {
    .name = "tree",
    .extension = "",
    .media_type = "",
    .help = "",
    .needs = 1,
    .emit = tree_emit,
};
