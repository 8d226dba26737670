/* SPDX-License-Identifier: BSD-2-Clause */
/* Pages of words laid out here, for tests of layout: 10 px for each character, letters 14 px high,
 * rows of text ROW_PX apart; rules 2 px thick. */
#ifndef TESTS_UNIT_LAYOUT_PAGE_FIXTURE_H
#define TESTS_UNIT_LAYOUT_PAGE_FIXTURE_H

#include <check.h>
#include <string.h>

#include "layout/steps.h"
#include "tests/unit/suite.h"

#define MAX_LINES 128
#define MAX_WORDS 16
#define CHAR_PX 10
#define GLYPH_PX 14
#define ROW_PX 30

struct page_fixture {
    struct pl_arena arena;
    struct pl_line lines[MAX_LINES];
    struct pl_word words[MAX_LINES][MAX_WORDS];
    char texts[MAX_LINES][2][128];
    struct pl_rule rules[64];
    struct pl_block block;
    struct pl_regions regions;
};

static inline void setup(struct page_fixture *f)
{
    memset(f, 0, sizeof(*f));
    pl_arena_init(&f->arena);
    f->block.lines = f->lines;
    f->regions = (struct pl_regions){.width = 1000,
                                     .height = 1400,
                                     .blocks = &f->block,
                                     .n_blocks = 1,
                                     .rules = f->rules,
                                     .glyph_px = GLYPH_PX};
}

/* A line of words at x; each blank of the text is as wide as a character. */
static inline void line(struct page_fixture *f, int x, int y, const char *text)
{
    const size_t n = f->block.n_lines++;
    struct pl_line *l = &f->lines[n];
    char *copy = f->texts[n][0], *save = NULL;
    strcpy(copy, text);
    strcpy(f->texts[n][1], text);
    *l = (struct pl_line){.text = f->texts[n][1], .words = f->words[n], .conf = 1};
    for (char *w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
        ck_assert_uint_lt(l->n_words, MAX_WORDS);
        const int x0 = x + CHAR_PX * (int)(w - copy), x1 = x0 + CHAR_PX * (int)strlen(w);
        f->words[n][l->n_words++] =
            (struct pl_word){{x0, y, x1, y + GLYPH_PX}, w, 1, NULL, strlen(w)};
    }
    l->box = pl_rect_union(l->words[0].box, l->words[l->n_words - 1].box);
    l->base_y = y + GLYPH_PX;
    l->ascent_px = l->glyph_px = GLYPH_PX;
    l->xheight_px = 10;
    f->block.box = n ? pl_rect_union(f->block.box, l->box) : l->box;
}

/* Lines at x, ROW_PX apart: those of `text`, each ended by a line feed but for the last one. */
static inline void rows(struct page_fixture *f, int x, int y, const char *text)
{
    char row[128];
    for (const char *end; *text; text = *end ? end + 1 : end, y += ROW_PX) {
        end = text + strcspn(text, "\n");
        ck_assert_uint_lt((size_t)(end - text), sizeof(row));
        memcpy(row, text, (size_t)(end - text));
        row[end - text] = '\0';
        line(f, x, y, row);
    }
}

/* The same with n equal lines. */
static inline void rows_of(struct page_fixture *f, int x, int y, int n, const char *text)
{
    for (int i = 0; i < n; i++)
        line(f, x, y + ROW_PX * i, text);
}

static inline void level(struct page_fixture *f, int y, int x0, int x1)
{
    f->rules[f->regions.n_rules++] = (struct pl_rule){{x0, y, x1, y + 2}, false};
}

static inline void upright(struct page_fixture *f, int x, int y0, int y1)
{
    f->rules[f->regions.n_rules++] = (struct pl_rule){{x, y0, x + 2, y1}, true};
}

/* Rules from x0 to x1 at each of these y, and from y0 to y1 at each of these x. */
#define levels(f, x0, x1, ...)                                                                     \
    for (size_t i = 0; i < PL_ARRAY_LEN(((const int[]){__VA_ARGS__})); i++)                        \
    level(f, ((const int[]){__VA_ARGS__})[i], x0, x1)
#define uprights(f, y0, y1, ...)                                                                   \
    for (size_t i = 0; i < PL_ARRAY_LEN(((const int[]){__VA_ARGS__})); i++)                        \
    upright(f, ((const int[]){__VA_ARGS__})[i], y0, y1)

static inline const struct pl_block *find(struct page_fixture *f, size_t blocks)
{
    ck_assert(pl_tables_ruled(&f->arena, &f->regions));
    ck_assert(pl_program_text_tell(&f->arena, &f->regions));
    ck_assert(pl_blocks_name(&f->arena, &f->regions));
    pl_flow_tell(NULL, NULL, &f->regions);
    ck_assert_uint_eq(f->regions.n_blocks, blocks);
    return f->regions.blocks;
}

/* The cell that has the place, and checks that there is one only. */
static inline const struct pl_cell *cell_at(const struct pl_table *t, int row, int column)
{
    const struct pl_cell *found = NULL;
    for (size_t i = 0; i < t->n_cells; i++) {
        const struct pl_cell *c = &t->cells[i];
        if (row >= c->row && row < c->row + c->n_rows && column >= c->column &&
            column < c->column + c->n_columns) {
            ck_assert_ptr_null(found);
            found = c;
        }
    }
    ck_assert_ptr_nonnull(found);
    return found;
}

static inline void expect(const struct pl_table *t, int row, int column, const char *text)
{
    const struct pl_cell *c = cell_at(t, row, column);
    ck_assert_uint_eq(c->n_lines, *text != 0);
    if (*text)
        ck_assert_str_eq(c->lines->text, text);
}

/* The cells of a row from `column` on. */
#define expect_row(t, row, column, ...)                                                            \
    for (int i = 0; i < (int)PL_ARRAY_LEN(((const char *const[]){__VA_ARGS__})); i++)              \
    expect(t, row, (column) + i, ((const char *const[]){__VA_ARGS__})[i])

static inline void expect_size(const struct pl_table *t, int n_rows, int n_columns)
{
    ck_assert_ptr_nonnull(t);
    ck_assert_int_eq(t->n_rows, n_rows);
    ck_assert_int_eq(t->n_columns, n_columns);
}

/* Of the rules alone: a page in one block has columns of words, too. */
static inline void no_ruled_table(struct page_fixture *f)
{
    ck_assert(pl_tables_ruled(&f->arena, &f->regions));
    for (size_t b = 0; b < f->regions.n_blocks; b++)
        ck_assert_ptr_null(f->regions.blocks[b].table);
    pl_arena_done(&f->arena);
}

#endif
