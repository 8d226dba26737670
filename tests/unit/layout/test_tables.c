/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables on pages of words laid out here: 10 px for each character, letters 14 px high, rows of
 * text 30 px apart; rules 2 px thick. */
#include <check.h>
#include <string.h>

#include "layout/steps.h"
#include "layout/tables.h"
#include "tests/unit/suite.h"

#define MAX_LINES 128
#define MAX_WORDS 16
#define CHAR_PX 10
#define GLYPH_PX 14

struct fixture {
    struct pl_arena arena;
    struct pl_line lines[MAX_LINES];
    struct pl_word words[MAX_LINES][MAX_WORDS];
    char texts[MAX_LINES][2][128];
    struct pl_rule rules[64];
    struct pl_block block;
    struct pl_regions regions;
};

static void setup(struct fixture *f)
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
static void line(struct fixture *f, int x, int y, const char *text)
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

static void level(struct fixture *f, int y, int x0, int x1)
{
    f->rules[f->regions.n_rules++] = (struct pl_rule){{x0, y, x1, y + 2}, false};
}

static void upright(struct fixture *f, int x, int y0, int y1)
{
    f->rules[f->regions.n_rules++] = (struct pl_rule){{x, y0, x + 2, y1}, true};
}

static const struct pl_block *find(struct fixture *f, size_t blocks)
{
    ck_assert(pl_tables_ruled(&f->arena, &f->regions));
    ck_assert(pl_blocks_name(&f->arena, &f->regions));
    pl_flow_tell(NULL, NULL, &f->regions);
    ck_assert_uint_eq(f->regions.n_blocks, blocks);
    return f->regions.blocks;
}

/* The cell that has the place, and checks that there is one only. */
static const struct pl_cell *cell_at(const struct pl_table *t, int row, int column)
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

static void expect(const struct pl_table *t, int row, int column, const char *text)
{
    const struct pl_cell *c = cell_at(t, row, column);
    ck_assert_uint_eq(c->n_lines, *text != 0);
    if (*text)
        ck_assert_str_eq(c->lines->text, text);
}

/* Of the rules alone: a page in one block has columns of words, too. */
static void no_ruled_table(struct fixture *f)
{
    ck_assert(pl_tables_ruled(&f->arena, &f->regions));
    for (size_t b = 0; b < f->regions.n_blocks; b++)
        ck_assert_ptr_null(f->regions.blocks[b].table);
    pl_arena_done(&f->arena);
}

/* A grid of three rows and columns; the first cell of row 1 spans two columns, and one line runs
 * through two cells. */
START_TEST(rules_part_cells)
{
    struct fixture f;
    setup(&f);
    for (int i = 0; i < 4; i++)
        level(&f, 100 + 40 * i, 100, 702);
    upright(&f, 100, 100, 222);
    upright(&f, 300, 100, 142);
    upright(&f, 300, 180, 222);
    upright(&f, 500, 100, 222);
    upright(&f, 700, 100, 222);
    line(&f, 110, 60, "before the table");
    line(&f, 110, 115, "Item                Size");
    line(&f, 510, 115, "Price");
    line(&f, 110, 155, "both columns");
    line(&f, 510, 155, "12.50");
    line(&f, 110, 195, "bolt");
    line(&f, 510, 195, "3.20");
    line(&f, 110, 260, "behind the table");
    const struct pl_block *b = find(&f, 3);
    ck_assert_ptr_null(b[0].table);
    ck_assert_str_eq(b[0].lines->text, "before the table");
    ck_assert_str_eq(b[2].lines->text, "behind the table");
    const struct pl_table *t = b[1].table;
    ck_assert_int_eq(b[1].kind, PL_BLOCK_TABLE);
    ck_assert_int_eq(t->n_rows, 3);
    ck_assert_int_eq(t->n_columns, 3);
    ck_assert_int_eq(t->n_head, 1);
    expect(t, 0, 0, "Item");
    expect(t, 0, 1, "Size");
    expect(t, 0, 2, "Price");
    expect(t, 1, 0, "both columns");
    ck_assert_ptr_eq(cell_at(t, 1, 0), cell_at(t, 1, 1));
    expect(t, 2, 1, "");
    expect(t, 2, 2, "3.20");
    pl_arena_done(&f.arena);
}
END_TEST

/* Columns are ruled, rows are not: rows of text are rows of the table, but for a line that goes on
 * in its column; columns of words without a rule between them are columns. */
START_TEST(rows_of_text_are_rows)
{
    struct fixture f;
    setup(&f);
    level(&f, 100, 100, 702);
    level(&f, 140, 100, 702);
    level(&f, 400, 100, 702);
    upright(&f, 100, 100, 402);
    upright(&f, 350, 100, 402);
    upright(&f, 520, 100, 402);
    upright(&f, 700, 100, 402);
    line(&f, 110, 115, "No     Name");
    line(&f, 360, 115, "Remark");
    line(&f, 560, 115, "Price");
    for (int i = 0; i < 4; i++) {
        line(&f, 110, 150 + 30 * i, i % 2 ? "12     Bolt" : "7      Screw");
        line(&f, 360, 150 + 30 * i, i == 3 ? "made of brass" : "brass");
        line(&f, 600, 150 + 30 * i, "12.50");
    }
    line(&f, 360, 270, "and copper");
    const struct pl_table *t = find(&f, 1)[0].table;
    ck_assert_int_eq(t->n_rows, 5);
    ck_assert_int_eq(t->n_columns, 4);
    ck_assert_int_eq(t->n_head, 1);
    expect(t, 0, 0, "No");
    expect(t, 0, 1, "Name");
    expect(t, 2, 1, "Bolt");
    ck_assert_uint_eq(cell_at(t, 4, 2)->n_lines, 2);
    ck_assert_int_eq(cell_at(t, 4, 2)->lines[1].join, PL_JOIN_BLANK);
    pl_arena_done(&f.arena);
}
END_TEST

/* Between two rules, too, columns meet where rows have a blank in one place and the head has the
 * white of columns; a row that is not full goes on with the one above only where it stands under
 * it: one that begins further to the left is a row of its own, even if the line above was full. */
START_TEST(close_columns_between_rules)
{
    struct fixture f;
    setup(&f);
    static const int edges[] = {100, 300, 420, 540, 660, 800};
    for (size_t i = 0; i < PL_ARRAY_LEN(edges); i++)
        upright(&f, edges[i], 100, 502);
    level(&f, 100, 100, 802);
    level(&f, 140, 100, 802);
    level(&f, 500, 100, 802);
    line(&f, 110, 115, "No    Name");
    line(&f, 310, 115, "Made of");
    line(&f, 430, 115, "Size");
    line(&f, 550, 115, "Weight");
    line(&f, 710, 115, "Price");
    for (int i = 0; i < 5; i++) {
        line(&f, 110, 150 + 60 * i, i % 2 ? "12.1" : "12.1 remarks:");
        if (i % 2)
            line(&f, 160, 150 + 60 * i, "remarks:");
        line(&f, 320, 150 + 60 * i, "old");
        line(&f, 160, 180 + 60 * i, i % 2 ? "iron-bolt-2" : "long-screw-31");
        line(&f, 310, 180 + 60 * i, "brass");
        line(&f, 430, 180 + 60 * i, "12 mm");
        line(&f, 550, 180 + 60 * i, "80 g");
        line(&f, 710, 180 + 60 * i, "12.50");
    }
    const struct pl_table *t = find(&f, 1)[0].table;
    ck_assert_int_eq(t->n_rows, 11);
    ck_assert_int_eq(t->n_columns, 6);
    expect(t, 0, 0, "No");
    expect(t, 0, 1, "Name");
    expect(t, 1, 0, "12.1");
    expect(t, 1, 1, "remarks:");
    expect(t, 2, 1, "long-screw-31");
    expect(t, 2, 5, "12.50");
    expect(t, 3, 1, "remarks:");
    pl_arena_done(&f.arena);
}
END_TEST

/* A grid of n rows of two columns, of which the first has three columns of words. */
static void columns_in_a_column(struct fixture *f, int n, int row_px)
{
    setup(f);
    for (int i = 0; i <= n; i++)
        level(f, 100 + row_px * i, 100, 702);
    for (int i = 0; i < 3; i++)
        upright(f, (const int[]){100, 500, 700}[i], 100, 102 + row_px * n);
    for (int i = 0; i < n; i++) {
        line(f, 110, 110 + row_px * i, i ? "1.0  SPOT  bolt" : "No   Type  Name");
        line(f, 510, 110 + row_px * i, i ? "12.50" : "Price");
    }
}

/* Words of rows that rules part stand in columns, too; not those of cells with several rows of
 * text. */
START_TEST(columns_between_ruled_rows)
{
    struct fixture f;
    columns_in_a_column(&f, 6, 40);
    const struct pl_table *t = find(&f, 1)[0].table;
    ck_assert_int_eq(t->n_rows, 6);
    ck_assert_int_eq(t->n_columns, 4);
    expect(t, 0, 1, "Type");
    expect(t, 1, 0, "1.0");
    expect(t, 5, 2, "bolt");
    expect(t, 5, 3, "12.50");
    pl_arena_done(&f.arena);
    columns_in_a_column(&f, 6, 80);
    for (int i = 0; i < 6; i++)
        line(&f, 110, 140 + 80 * i, "and  more  of it");
    t = find(&f, 1)[0].table;
    ck_assert_int_eq(t->n_rows, 6);
    ck_assert_int_eq(t->n_columns, 2);
    pl_arena_done(&f.arena);
}
END_TEST

/* Three of nine rows have numbers before their text, as the first of several of one item has: the
 * text of the others begins where that of the three does. Rows of numbers alone tell nothing. */
START_TEST(rows_without_numbers)
{
    for (int numbers = 0; numbers < 2; numbers++) {
        struct fixture f;
        setup(&f);
        for (int i = 0; i < 10; i++)
            level(&f, 100 + 40 * i, 100, 702);
        for (int i = 0; i < 3; i++)
            upright(&f, (const int[]){100, 500, 700}[i], 100, 462);
        for (int i = 0; i < 9; i++) {
            line(&f, i < 3 || numbers ? 110 : 170, 110 + 40 * i,
                 i < 3     ? "1.0   bolt"
                 : numbers ? "1.0"
                           : "bolt");
            line(&f, 510, 110 + 40 * i, "12.50");
        }
        const struct pl_table *t = find(&f, 1)[0].table;
        ck_assert_int_eq(t->n_columns, numbers ? 2 : 3);
        expect(t, 0, 0, numbers ? "1.0   bolt" : "1.0");
        expect(t, 5, 0, numbers ? "1.0" : "");
        pl_arena_done(&f.arena);
    }
}
END_TEST

/* Rows within the same frame that no rules part into columns have others. */
START_TEST(rows_without_rules_have_other_columns)
{
    struct fixture f;
    setup(&f);
    for (int i = 0; i < 10; i++)
        level(&f, 100 + 40 * i, 100, 702);
    for (int i = 0; i < 4; i++)
        upright(&f, (const int[]){100, 300, 500, 700}[i], 100, i % 3 ? 222 : 462);
    for (int i = 0; i < 9; i++)
        for (int k = 0; k < (i < 3 ? 3 : 1); k++)
            line(&f, 110 + 200 * k, 110 + 40 * i,
                 i < 3 ? "bolt" : "Sep    0.00    9.00    a wide text    0.00");
    ck_assert_int_eq(find(&f, 2)[0].table->n_columns, 3);
    pl_arena_done(&f.arena);
}
END_TEST

/* Within the frame of the page, whose rules stand close to those of a table, rows below the table
 * run from side to side: they are none of it, whatever rules part them, and another table. */
START_TEST(rows_below_in_a_frame)
{
    struct fixture f;
    setup(&f);
    for (int i = 0; i < 8; i++)
        level(&f, 100 + 40 * i, 80, i == 6 ? 250 : 722);
    for (int i = 0; i < 6; i++)
        upright(&f, (const int[]){80, 100, 300, 500, 700, 720}[i], 100, i / 2 == 1 ? 222 : 382);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            line(&f, 110 + 200 * k, 110 + 40 * i, "bolt");
    for (int i = 0; i < 4; i++)
        line(&f, 110, 230 + 40 * i, "Sep    0.00    9.00    0.00    a-wide-text-and    0.00");
    const struct pl_block *b = find(&f, 2);
    ck_assert_int_eq(b[0].table->n_rows, 3);
    ck_assert_int_eq(b[0].table->n_columns, 3);
    ck_assert_int_eq(b[1].table->n_rows, 4);
    ck_assert_int_eq(b[1].table->n_columns, 6);
    pl_arena_done(&f.arena);
}
END_TEST

/* A box of sums stands below the rows of a list, whose rules between columns run through it: its
 * rule parts the columns beside it, too, so that the label over two columns stays in its row. */
START_TEST(sums_are_rows_of_their_own)
{
    struct fixture f;
    setup(&f);
    level(&f, 100, 100, 702);
    level(&f, 140, 100, 702);
    level(&f, 240, 440, 702);
    level(&f, 320, 100, 702);
    for (int i = 0; i < 5; i++)
        upright(&f, 100 + 150 * i, 100, 322);
    line(&f, 110, 115, "No");
    line(&f, 260, 115, "Name");
    line(&f, 410, 115, "Count");
    line(&f, 560, 115, "Price");
    for (int i = 0; i < 3; i++) {
        line(&f, 110, 150 + 30 * i, "7");
        line(&f, 260, 150 + 30 * i, "bolt");
        line(&f, 410, 150 + 30 * i, "2");
        line(&f, 610, 150 + 30 * i, "3.20");
    }
    line(&f, 380, 255, "Gross");
    line(&f, 610, 255, "9.60");
    line(&f, 380, 285, "Net");
    line(&f, 610, 285, "8.16");
    const struct pl_table *t = find(&f, 1)[0].table;
    ck_assert_int_eq(t->n_rows, 6);
    expect(t, 3, 1, "bolt");
    expect(t, 3, 2, "2");
    ck_assert_ptr_eq(cell_at(t, 4, 1), cell_at(t, 4, 2));
    expect(t, 4, 1, "Gross");
    expect(t, 4, 3, "9.60");
    pl_arena_done(&f.arena);
}
END_TEST

/* Prose in two columns with rules around them, below titles, is no table; nor is a drawing whose
 * lines run through text. */
START_TEST(frames_are_no_tables)
{
    struct fixture f;
    setup(&f);
    level(&f, 100, 100, 702);
    level(&f, 140, 100, 702);
    level(&f, 600, 100, 702);
    upright(&f, 100, 100, 602);
    upright(&f, 400, 100, 602);
    upright(&f, 700, 100, 602);
    line(&f, 110, 115, "left title");
    line(&f, 410, 115, "right title");
    for (int i = 0; i < 12; i++) {
        line(&f, 110, 150 + 30 * i, i % 5 == 4 ? "ends here" : "it goes on and on and so it");
        line(&f, 410, 150 + 30 * i, i % 4 == 3 ? "short" : "and so it goes on and on at");
    }
    no_ruled_table(&f);
    setup(&f);
    level(&f, 100, 200, 602);
    level(&f, 200, 200, 602);
    level(&f, 300, 200, 602);
    upright(&f, 200, 100, 302);
    upright(&f, 400, 100, 302);
    upright(&f, 600, 100, 302);
    for (int i = 0; i < 4; i++) {
        line(&f, 120, 130 + 50 * i, "someone of that name");
        line(&f, 520, 130 + 50 * i, "someone of that name");
    }
    no_ruled_table(&f);
}
END_TEST

/* Without rules: four rows of three columns; the white between two is as wide as two x-heights at
 * least, and a row may span them. */
START_TEST(aligned_columns_are_a_table)
{
    struct fixture f;
    setup(&f);
    line(&f, 100, 100, "Item      Size      Price");
    for (int i = 1; i < 5; i++)
        line(&f, 100, 100 + 30 * i, "bolt      12        12.50");
    const struct pl_block *b = find(&f, 1);
    ck_assert_int_eq(b->kind, PL_BLOCK_TABLE);
    ck_assert_int_eq(b->table->n_rows, 5);
    ck_assert_int_eq(b->table->n_columns, 3);
    ck_assert_int_eq(b->table->n_head, 1);
    expect(b->table, 0, 1, "Size");
    expect(b->table, 4, 2, "12.50");
    ck_assert_uint_eq(b->n_lines, 15);
    pl_arena_done(&f.arena);
}
END_TEST

/* A cell stands in a column also where the row before has none in it. */
START_TEST(rows_with_holes_are_a_table)
{
    struct fixture f;
    setup(&f);
    line(&f, 100, 100, "Item      Size      Price");
    line(&f, 100, 130, "bolt      12        12.50");
    line(&f, 100, 160, "nut       13");
    line(&f, 100, 190, "washer              0.50");
    const struct pl_block *b = find(&f, 1);
    ck_assert_int_eq(b->kind, PL_BLOCK_TABLE);
    ck_assert_int_eq(b->table->n_columns, 3);
    expect(b->table, 3, 2, "0.50");
    pl_arena_done(&f.arena);
}
END_TEST

/* Three rows are enough where they have four columns; with three they may stand so by chance, and
 * so may two rows. */
START_TEST(few_rows_want_many_columns)
{
    struct fixture f;
    setup(&f);
    line(&f, 100, 100, "Code      %         Amount    Tax");
    line(&f, 100, 130, "SR        6         140.00    8.40");
    line(&f, 100, 160, "ZR        0         20.00     0.00");
    ck_assert_int_eq(find(&f, 1)->table->n_columns, 4);
    pl_arena_done(&f.arena);
    setup(&f);
    line(&f, 100, 100, "Code      %         Tax");
    line(&f, 100, 130, "SR        6         8.40");
    line(&f, 100, 160, "ZR        0         0.00");
    ck_assert_ptr_null(find(&f, 1)->table);
    pl_arena_done(&f.arena);
    setup(&f);
    line(&f, 100, 100, "a      b      c      d      e      f      g      h");
    line(&f, 100, 130, "1      2      3      4      5      6      7      8");
    ck_assert_ptr_null(find(&f, 1)->table);
    pl_arena_done(&f.arena);
}
END_TEST

/* Makes blocks of the lines: block i begins with line first[i]. */
static void split(struct fixture *f, const size_t *first, size_t n, struct pl_block *blocks)
{
    for (size_t i = 0; i < n; i++) {
        const size_t end = i + 1 < n ? first[i + 1] : f->block.n_lines;
        blocks[i] = (struct pl_block){
            .lines = f->lines + first[i], .n_lines = end - first[i], .box = f->lines[first[i]].box};
        for (size_t k = first[i]; k < end; k++)
            blocks[i].box = pl_rect_union(blocks[i].box, f->lines[k].box);
    }
    f->regions.blocks = blocks;
    f->regions.n_blocks = n;
}

/* A page of five rows from y on, with what stands above and below them in blocks of their own. */
static void parted(struct fixture *f, const char *above, const char *below, int white,
                   struct pl_block blocks[3])
{
    setup(f);
    line(f, 100, 300 - GLYPH_PX - white, above);
    for (int i = 0; i < 5; i++)
        line(f, 100, 300 + 30 * i, "bolt      12        12.50");
    line(f, 100, 420 + GLYPH_PX + white, below);
    split(f, (const size_t[]){0, 1, 6}, 3, blocks);
}

/* The head and the sums of a table, and a second part of it, are of the table also where white or
 * a rule parts them from it. */
START_TEST(parts_of_a_table_are_joined)
{
    struct fixture f;
    struct pl_block blocks[3];
    parted(&f, "Item      Size      Price", "sum                 62.50", 60, blocks);
    const struct pl_block *b = find(&f, 1);
    ck_assert_int_eq(b->table->n_rows, 7);
    ck_assert_int_eq(b->table->n_columns, 3);
    ck_assert_int_eq(b->table->n_head, 1);
    expect(b->table, 0, 1, "Size");
    expect(b->table, 6, 0, "sum");
    expect(b->table, 6, 2, "62.50");
    pl_arena_done(&f.arena);

    setup(&f);
    for (int i = 0; i < 8; i++)
        line(&f, 100, 300 + 30 * i + (i < 4 ? 0 : 30), "bolt      12        12.50");
    split(&f, (const size_t[]){0, 4}, 2, blocks);
    ck_assert_int_eq(find(&f, 1)->table->n_rows, 8);
    pl_arena_done(&f.arena);
}
END_TEST

/* What is farther away is not, nor what fills few columns or runs across them. */
START_TEST(other_blocks_stay)
{
    struct fixture f;
    struct pl_block blocks[3];
    parted(&f, "Item      Size      Price", "sum                 62.50", 61, blocks);
    ck_assert_int_eq(find(&f, 3)[1].table->n_rows, 5);
    pl_arena_done(&f.arena);
    parted(&f, "Items of our stock  Price", "a note on all of it 62.50", 30, blocks);
    ck_assert_int_eq(find(&f, 3)[1].table->n_rows, 5);
    pl_arena_done(&f.arena);
    parted(&f, "Items", "                    Sizes", 30, blocks);
    ck_assert_int_eq(find(&f, 3)[1].table->n_rows, 5);
    pl_arena_done(&f.arena);
}
END_TEST

/* Where all rows have a blank in one place and the head has the white of columns, two columns meet;
 * a word that runs across is of both. */
START_TEST(heads_part_columns_that_are_close)
{
    struct fixture f;
    setup(&f);
    line(&f, 100, 100, "Day   Item                Price");
    for (int i = 1; i < 12; i++)
        line(&f, 100, 100 + 30 * i,
             i % 2 ? "31Jul large bolt          12.50" : "01Aug nut                  2.50");
    line(&f, 100, 460, "31Julwasher               12.50");
    const struct pl_block *b = find(&f, 1);
    ck_assert_int_eq(b->table->n_columns, 3);
    expect(b->table, 0, 1, "Item");
    expect(b->table, 1, 0, "31Jul");
    expect(b->table, 1, 1, "large bolt");
    expect(b->table, 2, 1, "nut");
    ck_assert_int_eq(cell_at(b->table, 12, 0)->n_columns, 2);
    pl_arena_done(&f.arena);
}
END_TEST

/* So do names that have lines under them, each one of its own; not names on one line. */
START_TEST(underlined_names_part_columns)
{
    for (int own = 0; own < 2; own++) {
        struct fixture f;
        setup(&f);
        line(&f, 100, 100, "Day   Item          Price");
        for (int i = 1; i < 12; i++)
            line(&f, 100, 100 + 30 * i, "01Jul bolt          12.50");
        f.words[0][0].box.x1 = 150; /* as wide as what is below */
        level(&f, 116, 100, own ? 150 : 200);
        if (own)
            level(&f, 116, 160, 200);
        const struct pl_table *t = find(&f, 1)[0].table;
        ck_assert_int_eq(t->n_columns, own ? 3 : 2);
        expect(t, 1, 0, own ? "01Jul" : "01Jul bolt");
        pl_arena_done(&f.arena);
    }
}
END_TEST

/* Without such a head they are words of one column. */
START_TEST(blanks_in_one_place_part_none)
{
    struct fixture f;
    setup(&f);
    line(&f, 100, 100, "Part No.            Table No.");
    for (int i = 1; i < 12; i++)
        line(&f, 100, 100 + 30 * i,
             i % 2 ? "12                  13 A" : "104                 14 B");
    const struct pl_block *b = find(&f, 1);
    ck_assert_int_eq(b->table->n_columns, 2);
    expect(b->table, 1, 1, "13 A");
    pl_arena_done(&f.arena);
}
END_TEST

/* Finds a list of twelve rows within a block of prose, and checks that it is a table of n_rows
 * rows; `above` is the row before it. */
static void list_in_a_block(struct fixture *f, const char *above, size_t lines_above, int n_rows)
{
    setup(f);
    for (int i = 0; i < 10; i++)
        line(f, 100, 100 + 30 * i, "thank you for your order of the twelfth");
    line(f, 100, 400, above);
    for (int i = 0; i < 12; i++)
        line(f, 100, 430 + 30 * i,
             i % 2 ? "bolt             12    1.50" : "washer          100   12.25");
    line(f, 100, 790, "with all our good wishes to your wife");
    line(f, 100, 820, "and the children we remain as ever");
    const struct pl_block *b = find(f, 3);
    ck_assert_uint_eq(b[0].n_lines, lines_above);
    ck_assert_ptr_nonnull(b[1].table);
    ck_assert_int_eq(b[1].table->n_rows, n_rows);
    expect(b[1].table, n_rows - 1, 2, "1.50");
    ck_assert_uint_eq(b[2].n_lines, 2);
    pl_arena_done(&f->arena);
}

/* An item of an order and, below it, days with names of their own: words of each stand across the
 * white of the other. Each kind of rows has columns of its own; an edge that can be that of both is
 * one, and beyond the days the columns of items go on. Two such rows are no kind. */
START_TEST(rows_of_two_kinds)
{
    for (int n = 2; n <= 4; n += 2) {
        struct fixture f;
        setup(&f);
        for (int i = 0; i < 4; i++) {
            line(&f, 100, 100 + 60 * i, "bolt        12          12.50     6.00    steel");
            if (i < n)
                line(&f, 105, 130 + 60 * i, "  every-week  from-a-monday   sundays");
        }
        const struct pl_table *t = find(&f, 1)[0].table;
        ck_assert_ptr_nonnull(t);
        if (n > 2) {
            ck_assert_int_eq(t->n_columns, 6);
            expect(t, 0, 0, "bolt");
            expect(t, 0, 1, "12");
            ck_assert_int_eq(cell_at(t, 0, 1)->n_columns, 2);
            expect(t, 0, 3, "12.50");
            expect(t, 0, 5, "steel");
            expect(t, 1, 0, "every-week");
            ck_assert_int_eq(cell_at(t, 1, 0)->n_columns, 2);
            expect(t, 1, 2, "from-a-monday");
            ck_assert_int_eq(cell_at(t, 1, 2)->n_columns, 2);
            expect(t, 1, 4, "sundays");
            expect(t, 1, 5, "");
        } else {
            ck_assert_int_eq(t->n_columns, 4);
        }
        pl_arena_done(&f.arena);
    }
}
END_TEST

/* Rows that go on with a few cells do not hide that the columns of the others meet at blanks. */
START_TEST(rows_of_a_kind_go_on)
{
    struct fixture f;
    setup(&f);
    line(&f, 100, 100, "Day   Item                Price     Sum       No    Of    In");
    for (int i = 0; i < 6; i++) {
        line(&f, 100, 130 + 120 * i,
             "31Jul nut                 12.50     25.00     a1    b2    c3");
        line(&f, 100, 160 + 120 * i, "      of steel            each      net");
        line(&f, 100, 190 + 120 * i, "      in boxes            each      net");
        line(&f, 100, 220 + 120 * i, "   every-monday-noon  in-may        sunday");
    }
    const struct pl_table *t = find(&f, 1)[0].table;
    expect(t, 1, 0, "31Jul");
    expect(t, 4, 0, "every-monday-noon");
    pl_arena_done(&f.arena);
}
END_TEST

/* A list within a block of other rows is a table of its own, with the names of its columns, but
 * without a row that runs across these; prose that was widened, whose gaps stand under each other
 * by chance, is none. */
START_TEST(a_list_in_a_block_is_a_table)
{
    struct fixture f;
    list_in_a_block(&f, "Item           Count", 10, 13);
    list_in_a_block(&f, "as soon as our       in", 11, 12);
    setup(&f);
    line(&f, 100, 100, "thank you for your order of the twelfth");
    line(&f, 100, 130, "which we will send to you in two parts");
    line(&f, 100, 160, "as soon as our ship has come in");
    line(&f, 100, 190, "and is   unloaded and   all the goods are");
    line(&f, 100, 220, "there    which   takes a day or two when");
    line(&f, 100, 250, "it is    not a holiday of the   city nor");
    line(&f, 100, 280, "one of   the men who do that   work is");
    line(&f, 100, 310, "ill      of the   fever that we have here");
    line(&f, 100, 340, "with all our good wishes to your wife");
    line(&f, 100, 370, "and the children we remain as ever");
    line(&f, 100, 400, "your most humble servants in this");
    ck_assert_ptr_null(find(&f, 1)->table);
    pl_arena_done(&f.arena);
}
END_TEST

/* Labels with values, and to their right n rows of `beside`, from y on and so far apart. */
static void text_beside_text(struct fixture *f, const char *beside, int n, int y, int pitch)
{
    int left = 0, right = 0;
    setup(f);
    while (left < 7 || right < n)
        if (right == n || (left < 7 && 310 + 30 * left <= y + pitch * right))
            line(f, 100, 310 + 30 * left++, "Label     value");
        else
            line(f, 400, y + pitch * right++, beside);
}

/* What stands beside a table in rows of its own is another block, and a table if it has cells that
 * it would lose as text; rows that are a bit lower, by about as much each, are of the table. */
START_TEST(text_beside_a_table)
{
    struct fixture f;
    text_beside_text(&f, "Street-and-town", 5, 300, 40);
    const struct pl_block *b = find(&f, 2);
    ck_assert_int_eq(b[0].table->n_rows, 7);
    ck_assert_int_eq(b[0].table->n_columns, 2);
    ck_assert_ptr_null(b[1].table);
    ck_assert_uint_eq(b[1].n_lines, 5);
    pl_arena_done(&f.arena);
    text_beside_text(&f, "No       12345", 4, 300, 40);
    b = find(&f, 2);
    ck_assert_int_eq(b[0].table->n_rows, 7);
    ck_assert_int_eq(b[1].table->n_rows, 4);
    ck_assert_int_eq(b[1].table->n_columns, 2);
    pl_arena_done(&f.arena);
    text_beside_text(&f, "No       12345", 3, 300, 40);
    ck_assert_int_eq(find(&f, 1)[0].table->n_columns, 4);
    pl_arena_done(&f.arena);
    for (int lower = 0; lower < 2; lower++) {
        text_beside_text(&f, "No       12345", 7, lower ? 316 : 309, lower ? 30 : 31);
        b = find(&f, 1);
        ck_assert_int_eq(b[0].table->n_rows, 7);
        ck_assert_int_eq(b[0].table->n_columns, 4);
        pl_arena_done(&f.arena);
    }
}
END_TEST

/* Rows with wide gaps of which few stand under each other are no table. */
START_TEST(gaps_at_random_are_no_table)
{
    struct fixture f;
    setup(&f);
    for (int i = 0; i < 5; i++)
        line(&f, 100, 100 + 30 * i, "one      two");
    for (int i = 5; i < 14; i++)
        line(&f, 100, 100 + 30 * i, i % 2 ? "a                    line" : "another     line");
    ck_assert_ptr_null(find(&f, 1)->table);
    pl_arena_done(&f.arena);
}
END_TEST

/* Above the rows of cells there may be an empty one and a title, which are no part of the table;
 * within it one without text is none of its rows. Figures do not name columns. */
START_TEST(empty_rows_are_left_out)
{
    struct fixture f;
    setup(&f);
    for (int i = 0; i < 6; i++)
        level(&f, 100 + 40 * i, 100, 702);
    upright(&f, 100, 100, 302);
    upright(&f, 400, 180, 302);
    upright(&f, 700, 100, 302);
    line(&f, 110, 155, "the title of this table");
    for (int i = 2; i < 5; i += 2) {
        line(&f, 110, 115 + 40 * i, "bolt 12");
        line(&f, 410, 115 + 40 * i, "12.50");
    }
    const struct pl_block *b = find(&f, 2);
    ck_assert_str_eq(b[0].lines->text, "the title of this table");
    ck_assert_int_eq(b[1].table->n_rows, 2);
    ck_assert_int_eq(b[1].table->n_head, 0);
    expect(b[1].table, 0, 0, "bolt 12");
    expect(b[1].table, 1, 1, "12.50");
    pl_arena_done(&f.arena);
}
END_TEST

/* Rules around a part of the columns of a larger table make no table of them. */
START_TEST(a_part_of_a_table_is_none)
{
    struct fixture f;
    setup(&f);
    for (int i = 0; i < 6; i++)
        level(&f, 100 + 40 * i, 100, 502);
    for (int i = 0; i < 3; i++)
        upright(&f, 100 + 200 * i, 100, 302);
    for (int i = 0; i < 5; i++) {
        line(&f, 110, 115 + 40 * i, "bolt");
        line(&f, 310, 115 + 40 * i, "brass");
        line(&f, 600, 115 + 40 * i, "12.50");
    }
    no_ruled_table(&f);
}
END_TEST

/* Boxes of other columns that stand on each other are tables of their own. */
START_TEST(other_columns_are_another_table)
{
    struct fixture f;
    setup(&f);
    for (int i = 0; i < 5; i++)
        level(&f, 100 + 40 * i, 100, 702);
    upright(&f, 100, 100, 262);
    upright(&f, 700, 100, 262);
    upright(&f, 250, 100, 182);
    upright(&f, 420, 100, 182);
    upright(&f, 340, 180, 262);
    upright(&f, 560, 180, 262);
    for (int i = 0; i < 2; i++) {
        line(&f, 110, 115 + 40 * i, "one");
        line(&f, 260, 115 + 40 * i, "two");
        line(&f, 430, 115 + 40 * i, "three");
        line(&f, 110, 195 + 40 * i, "four");
        line(&f, 350, 195 + 40 * i, "five");
        line(&f, 570, 195 + 40 * i, "six");
    }
    const struct pl_block *b = find(&f, 2);
    ck_assert_int_eq(b[0].table->n_rows, 2);
    ck_assert_int_eq(b[0].table->n_columns, 3);
    expect(b[0].table, 1, 2, "three");
    expect(b[1].table, 0, 1, "five");
    pl_arena_done(&f.arena);
}
END_TEST

/* A run without width is a pixel wide. */
START_TEST(empty_runs_have_a_place)
{
    const struct pl_rect rows[2][3] = {{{0, 0, 10, 9}, {50, 0, 50, 9}, {90, 0, 99, 9}},
                                       {{0, 20, 10, 29}, {50, 20, 50, 29}, {90, 20, 90, 29}}};
    struct pl_arena arena;
    struct pl_profile p;
    double edges[4];
    pl_arena_init(&arena);
    ck_assert(pl_profile_init(&arena, 6, &p));
    for (int r = 0; r < 2; r++)
        pl_profile_add(&p, rows[r], 3);
    ck_assert_int_eq(pl_profile_edges(&p, 4, edges), 2);
    ck_assert_double_eq(edges[0], 30);
    ck_assert_double_eq(edges[1], 70.5);
    pl_arena_done(&arena);
}
END_TEST

/* A row that is one run tells nothing of columns. */
START_TEST(lone_runs_do_not_count)
{
    const struct pl_rect row[] = {{0, 0, 10, 9}, {50, 0, 60, 9}}, lone = {0, 0, 60, 9};
    struct pl_arena arena;
    struct pl_profile p;
    double edges[4];
    pl_arena_init(&arena);
    ck_assert(pl_profile_init(&arena, 8, &p));
    for (int i = 0; i < 2; i++) {
        pl_profile_add(&p, row, 2);
        pl_profile_add(&p, &lone, 1);
    }
    ck_assert_int_eq(pl_profile_edges(&p, 4, edges), 1);
    ck_assert_double_eq(edges[0], 30);
    pl_arena_done(&arena);
}
END_TEST

/* Lines of a paragraph go on; one that is short, indented or an item begins another. */
START_TEST(lines_go_on)
{
    struct fixture f;
    static const struct {
        int x;
        const char *text;
        enum pl_join join;
    } v[] = {
        {100, "it goes on and on and so it does for a while lon-", PL_JOIN_NONE},
        {100, "ger than the others that came before it and the Co-", PL_JOIN_HYPHEN},
        {100, "Operative society that it was told of by someone", PL_JOIN_WORD},
        {100, "who left", PL_JOIN_BLANK},
        {100, "and another one begins behind a short line here and", PL_JOIN_NONE},
        {130, "a third is indented as paragraphs of books are so it", PL_JOIN_NONE},
        {100, "goes on to the very end of its line and even beyond", PL_JOIN_BLANK},
        {100, "1. item of a list that is as long as the others are", PL_JOIN_NONE},
        {100, "-        whose bullet stands far from its full lines", PL_JOIN_NONE},
        {190, "of which the second is below the first", PL_JOIN_BLANK},
    };
    setup(&f);
    for (int i = 0; i < (int)PL_ARRAY_LEN(v); i++)
        line(&f, v[i].x, 100 + 30 * i, v[i].text);
    pl_flow_tell(NULL, NULL, &f.regions);
    for (size_t i = 0; i < PL_ARRAY_LEN(v); i++)
        ck_assert_msg(f.lines[i].join == v[i].join, "%s", v[i].text);
    pl_arena_done(&f.arena);
}
END_TEST

/* Scripts without blanks have none at a line's end, wherever their paragraphs break. */
START_TEST(lines_without_blanks_go_on)
{
    struct fixture f;
    static const struct {
        const char *text;
        enum pl_join join;
    } v[] = {
        {"控制输出中的文件显示顺序屏幕上字", PL_JOIN_NONE},
        {"体的分辨率如果查询计划器估计它将", PL_JOIN_WORD},
        {"读取的表页太小， 无法达到此限制 GNU", PL_JOIN_WORD},
        {"则不会考虑并行扫描验证已有的图标", PL_JOIN_BLANK},
        {"“缓存”中的文件显示顺序是指“可用”", PL_JOIN_WORD},
        {"资源的项目当显示打印预览时默认执", PL_JOIN_WORD},
        {"行该命令。", PL_JOIN_WORD},
        {"次の段落はここから始まりますので、", PL_JOIN_NONE},
        {"ソフトウェアの一覧を表示する場合は", PL_JOIN_WORD},
        {"한국어는 낱말 사이에 빈칸이 있어요", PL_JOIN_BLANK},
        {"그래서 줄 끝에도 빈칸이 있습니다", PL_JOIN_BLANK},
    };
    setup(&f);
    for (int i = 0; i < (int)PL_ARRAY_LEN(v); i++)
        line(&f, 100, 100 + 30 * i, v[i].text);
    pl_flow_tell(NULL, NULL, &f.regions);
    for (size_t i = 0; i < PL_ARRAY_LEN(v); i++)
        ck_assert_msg(f.lines[i].join == v[i].join, "%s", v[i].text);
    pl_arena_done(&f.arena);
}
END_TEST

/* Each end of each range, and the marks that go along with the script beside them. */
START_TEST(breaks_without_blanks)
{
    static const struct {
        const char *before, *after;
        bool joins;
    } v[] = {
        {"中", "文", true},         {"中", "a", false},      {"a", "中", false},
        {"a", "b", false},          {"中。", "文", true},    {"中", "「文", true},
        {"ｱ", "ﾟ", true},           {"中", "ﾠ", false},    {"中”", "文", true},
        {"中", "“文", true},        {"”", "“", false},       {"a”", "b", false},
        {"\u3041", "\u312F", true}, {"中", "\u3130", false}, {"\U00020000", "\U0003FFFD", true},
        {"가", "나", false},        {"", "中", false},       {"中", "", false},
        {"中 ", "文", false},
    };
    for (size_t i = 0; i < PL_ARRAY_LEN(v); i++)
        ck_assert_msg(pl_unspaced_joins(v[i].before, v[i].after) == v[i].joins, "%s|%s",
                      v[i].before, v[i].after);
    ck_assert(pl_unspaced_begins("中a") && !pl_unspaced_begins("a中") && !pl_unspaced_begins("“") &&
              !pl_unspaced_begins(""));
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("tables");
    tcase_add_test(tc, rules_part_cells);
    tcase_add_test(tc, rows_of_text_are_rows);
    tcase_add_test(tc, close_columns_between_rules);
    tcase_add_test(tc, columns_between_ruled_rows);
    tcase_add_test(tc, rows_without_numbers);
    tcase_add_test(tc, rows_without_rules_have_other_columns);
    tcase_add_test(tc, rows_below_in_a_frame);
    tcase_add_test(tc, sums_are_rows_of_their_own);
    tcase_add_test(tc, frames_are_no_tables);
    tcase_add_test(tc, aligned_columns_are_a_table);
    tcase_add_test(tc, rows_with_holes_are_a_table);
    tcase_add_test(tc, few_rows_want_many_columns);
    tcase_add_test(tc, parts_of_a_table_are_joined);
    tcase_add_test(tc, other_blocks_stay);
    tcase_add_test(tc, heads_part_columns_that_are_close);
    tcase_add_test(tc, underlined_names_part_columns);
    tcase_add_test(tc, blanks_in_one_place_part_none);
    tcase_add_test(tc, rows_of_two_kinds);
    tcase_add_test(tc, rows_of_a_kind_go_on);
    tcase_add_test(tc, a_list_in_a_block_is_a_table);
    tcase_add_test(tc, text_beside_a_table);
    tcase_add_test(tc, gaps_at_random_are_no_table);
    tcase_add_test(tc, empty_rows_are_left_out);
    tcase_add_test(tc, a_part_of_a_table_is_none);
    tcase_add_test(tc, other_columns_are_another_table);
    tcase_add_test(tc, empty_runs_have_a_place);
    tcase_add_test(tc, lone_runs_do_not_count);
    tcase_add_test(tc, lines_go_on);
    tcase_add_test(tc, lines_without_blanks_go_on);
    tcase_add_test(tc, breaks_without_blanks);
    Suite *s = suite_create("tables");
    suite_add_tcase(s, tc);
    return run_suite(s);
}
