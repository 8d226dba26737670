/* SPDX-License-Identifier: BSD-2-Clause */
/* Doubted marks that stand alone, in the rows and columns of the text. */
#include "tests/unit/layout/page_fixture.h"

#define LEFT 200
#define TOP 100
#define DASH "\u2013"
#define TICK "\u2713"

/* Adds a mark of `width` px that was read with that confidence, and doubted. */
static void mark(struct page_fixture *f, int x, int y, int width, const char *text, float conf)
{
    line(f, x, y, text);
    struct pl_line *l = &f->lines[f->block.n_lines - 1];
    l->words->box.x1 = x + width;
    l->words->conf = conf;
    l->box = l->words->box;
    l->text = "";
    l->n_doubted = l->n_words;
    l->n_words = 0;
}

/* Dashes and ticks are kept in rows of cells, below text; a tick that was kept is text for the next
 * one. Elsewhere, where they are as large as drawings and where they were hardly read they are not.
 */
START_TEST(cells_have_dashes_and_ticks)
{
    static const struct {
        const char *text;
        int x, y, width;
        float conf;
        bool kept;
    } tried[] = {
        {DASH, LEFT, TOP + ROW_PX, 10, 0.4f, true},
        {TICK, LEFT, TOP + ROW_PX, 10, 0.4f, true},
        {"-", LEFT, TOP + ROW_PX, 10, 0.4f, true},
        {TICK, LEFT, TOP + ROW_PX, 27, 0.4f, false},     /* too large */
        {TICK, LEFT, TOP + ROW_PX, 10, 0.3f, false},     /* hardly read */
        {TICK, LEFT, TOP + 8 * ROW_PX, 10, 0.9f, false}, /* far below, in no row */
        {TICK, 2 * LEFT, TOP + ROW_PX, 10, 0.9f, false}, /* below nothing */
        {"~", LEFT, TOP + ROW_PX, 10, 0.9f, false},
    };
    for (size_t i = 0; i < PL_ARRAY_LEN(tried); i++) {
        struct page_fixture f;
        setup(&f);
        f.regions.text_height_px = 10;
        line(&f, LEFT - 20, TOP, "Total");
        line(&f, 20, TOP + ROW_PX, "Name");
        mark(&f, tried[i].x, tried[i].y, tried[i].width, tried[i].text, tried[i].conf);
        line(&f, 20, TOP + 2 * ROW_PX, "Name");
        mark(&f, tried[i].x, tried[i].y + ROW_PX, tried[i].width, tried[i].text, tried[i].conf);
        ck_assert(pl_lone_marks_keep(&f.arena, &f.regions));
        for (size_t k = 2; k < 5; k += 2) {
            ck_assert_str_eq(f.lines[k].text, tried[i].kept ? tried[i].text : "");
            ck_assert_uint_eq(f.lines[k].n_words, tried[i].kept);
            ck_assert_uint_eq(f.lines[k].n_doubted, !tried[i].kept);
        }
        pl_arena_done(&f.arena);
    }
}
END_TEST

/* Braces stand where lines of code begin; brackets close to a word, in its row. */
START_TEST(code_and_brackets)
{
    static const struct {
        const char *text;
        int x, y;
        float conf;
        bool kept;
    } tried[] = {
        {"}", LEFT, TOP + ROW_PX, 0.6f, true},  {"}", LEFT + 30, TOP + ROW_PX, 0.6f, false},
        {"}", LEFT, TOP + ROW_PX, 0.4f, false}, {"[]", LEFT - 40, TOP, 0.7f, true},
        {"[]", LEFT - 90, TOP, 0.7f, false},    {"[]", LEFT - 40, TOP, 0.5f, false},
        {"}", LEFT - 40, TOP, 0.7f, false},
    };
    for (size_t i = 0; i < PL_ARRAY_LEN(tried); i++) {
        struct page_fixture f;
        setup(&f);
        f.regions.text_height_px = 10;
        line(&f, LEFT, TOP, "return x;");
        mark(&f, tried[i].x, tried[i].y, 10, tried[i].text, tried[i].conf);
        ck_assert(pl_lone_marks_keep(&f.arena, &f.regions));
        ck_assert_str_eq(f.lines[1].text, tried[i].kept ? tried[i].text : "");
        pl_arena_done(&f.arena);
    }
}
END_TEST

/* A level stroke in which nothing was read is a dash in a cell: level with two others, below one of
 * its column, and not as close to any as words are. It comes to stand in its row. */
START_TEST(strokes_in_cells_are_dashes)
{
    static const struct {
        int x, y, width, ink_px;
        bool kept;
    } tried[] = {
        {LEFT, 6, 10, 18, true},           {LEFT, 6, 5, 10, false}, /* too short */
        {LEFT, 6, 30, 60, false},                                   /* too long */
        {LEFT, 6, 10, 10, false},                                   /* no stroke */
        {LEFT, 13, 10, 20, false},                                  /* as low as an underscore */
        {2 * LEFT + 60, 6, 10, 20, false},                          /* below nothing */
        {LEFT - 40, 6, 10, 20, false},                              /* close to a word */
    };
    for (size_t i = 0; i < PL_ARRAY_LEN(tried); i++) {
        struct page_fixture f;
        setup(&f);
        f.regions.text_height_px = 10;
        line(&f, LEFT - 60, TOP, "Total amount");
        line(&f, LEFT - 85, TOP + ROW_PX, "Note");
        line(&f, LEFT + 60, TOP + ROW_PX, "12.50");
        const int y = TOP + ROW_PX + tried[i].y;
        struct pl_line stroke = {.box = {tried[i].x, y, tried[i].x + tried[i].width, y + 2},
                                 .ink_px = (uint32_t)tried[i].ink_px};
        f.regions.unread = &stroke;
        f.regions.n_unread = 1;
        f.regions.unread_px = stroke.ink_px;
        ck_assert(pl_lone_strokes_keep(&f.arena, &f.regions));
        ck_assert_uint_eq(f.regions.n_unread, !tried[i].kept);
        ck_assert_uint_eq(f.regions.ink_in_lines_px, tried[i].kept ? stroke.ink_px : 0);
        ck_assert_uint_eq(f.block.n_lines, tried[i].kept ? 4 : 3);
        ck_assert_str_eq(f.block.lines[2].text, tried[i].kept ? "-" : "12.50");
        pl_arena_done(&f.arena);
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("lone_marks");
    tcase_add_test(tc, cells_have_dashes_and_ticks);
    tcase_add_test(tc, code_and_brackets);
    tcase_add_test(tc, strokes_in_cells_are_dashes);
    Suite *s = suite_create("lone_marks");
    suite_add_tcase(s, tc);
    return run_suite(s);
}
