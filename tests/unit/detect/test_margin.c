/* SPDX-License-Identifier: BSD-2-Clause */
/* Notes in the margin, beside pages of lines made by hand. */
#include <check.h>

#include "detect/order/order.h"
#include "tests/unit/detect/detect_fixture.h"

#define TEXT_ROWS 8 /* too few for a column */
#define TEXT_X 300
#define TEXT_PX 400
#define TEXT_PITCH 40
#define TEXT_SIZE 20
#define MOST_LINES 32

struct made_page {
    struct pl_line lines[MOST_LINES];
    struct pl_rect words[MOST_LINES][4];
    uint32_t n;
};

static void put_line(struct made_page *m, int x, int base, int width, int size, size_t words)
{
    assert(m->n < MOST_LINES && words <= 4);
    const int step = width / (int)words;
    for (int i = 0; i < (int)words; i++)
        m->words[m->n][i] =
            (struct pl_rect){x + i * step, base - size, x + (i + 1) * step - 8, base};
    m->words[m->n][words - 1].x1 = x + width;
    m->lines[m->n] = (struct pl_line){.box = {x, base - size, x + width, base},
                                      .base_y = base,
                                      .glyph_px = size,
                                      .ascent_px = size,
                                      .xheight_px = 0.7 * size,
                                      .gaps = m->words[m->n],
                                      .n_gaps = words};
    m->n++;
}

static void put_text(struct made_page *m)
{
    m->n = 0;
    for (int i = 0; i < TEXT_ROWS; i++)
        put_line(m, TEXT_X, 100 + TEXT_PITCH * i, TEXT_PX - (i % 3) * 10, TEXT_SIZE, 4);
}

static void put_note(struct made_page *m, int x, int base, int size, int pitch, int rows)
{
    for (int i = 0; i < rows; i++)
        put_line(m, x, base + pitch * i, 5 * size, size, 1);
}

static void order(struct fixture *f, const struct made_page *m)
{
    setup(f, 1000, 600);
    f->regions = (struct pl_regions){.glyph_px = TEXT_SIZE};
    ck_assert(pl_order_lines(&f->arena, m->lines, m->n, &f->regions));
    ck_assert_uint_eq(count_lines(f), m->n);
}

/* Returns whether the text is whole and a note of n rows follows it. */
static bool is_behind(struct fixture *f, size_t n)
{
    bool behind = true;
    for (size_t i = 0; i < TEXT_ROWS; i++)
        behind &= line_at(f, i)->box.x0 == TEXT_X;
    return behind && f->regions.blocks[f->regions.n_blocks - 1].n_lines == n;
}

static bool reads_note(int x, int base, int size, int pitch, int rows)
{
    struct made_page m;
    struct fixture f;
    put_text(&m);
    put_note(&m, x, base, size, pitch, rows);
    order(&f, &m);
    const bool is = is_behind(&f, (size_t)rows);
    teardown(&f);
    return is;
}

START_TEST(notes_follow_the_text_beside_them)
{
    const int left = TEXT_X - 130, right = TEXT_X + TEXT_PX + 40, level = 100 + TEXT_PITCH;
    ck_assert(reads_note(left, 148, 14, 22, 3));
    ck_assert(reads_note(right, 148, 14, 22, 3));
    ck_assert(reads_note(left, level, 14, TEXT_PITCH / 2, 3)); /* small type */
    ck_assert(!reads_note(left, level, 14, TEXT_PITCH, 3));
    ck_assert(!reads_note(left, level, TEXT_SIZE, TEXT_PITCH, 3));     /* labels */
    ck_assert(reads_note(left, level + 20, TEXT_SIZE, TEXT_PITCH, 3)); /* between the rows */
    ck_assert(!reads_note(TEXT_X - 75, 148, 14, 22, 3));               /* close to the text */
    ck_assert(!reads_note(left - 100, 110, 4, 9, 13));                 /* many rows */
    ck_assert(!reads_note(left, 148, 14, 80, 2));                      /* far from each other */
}
END_TEST

/* The first note begins beside the first paragraph, the other one beside the second. */
START_TEST(each_note_follows_its_paragraph)
{
    struct made_page m;
    struct fixture f;
    put_text(&m);
    for (uint32_t i = 4; i < TEXT_ROWS; i++) { /* white between rows four and five */
        m.lines[i].base_y += TEXT_PITCH;
        m.lines[i].box.y0 += TEXT_PITCH;
        m.lines[i].box.y1 += TEXT_PITCH;
    }
    put_note(&m, 180, 128, 14, 22, 2);
    put_note(&m, 750, 330, 14, 22, 3);
    order(&f, &m);
    static const size_t lines[] = {4, 2, 4, 3};
    ck_assert_uint_eq(f.regions.n_blocks, 4);
    for (size_t i = 0; i < 4; i++)
        ck_assert_uint_eq(f.regions.blocks[i].n_lines, lines[i]);
    teardown(&f);
}
END_TEST

/* Beside another line, beside lines that are not prose, and where a line runs over its white, a
 * pile of small rows is no note. */
START_TEST(notes_stand_free_beside_prose)
{
    struct made_page m;
    struct fixture f;
    for (int which = 0; which < 4; which++) {
        put_text(&m);
        for (uint32_t i = 0; i < TEXT_ROWS && which == 1; i++)
            m.lines[i].n_gaps = 2;
        put_note(&m, 200, 148, 14, 22, 3);
        if (which == 2)
            put_line(&m, 60, 170, 60, 14, 1);
        if (which == 3)
            put_line(&m, 200, 250, 300, 14, 4);
        order(&f, &m);
        ck_assert_int_eq(is_behind(&f, 3), which == 0);
        teardown(&f);
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("margin");
    tcase_add_test(tc, notes_follow_the_text_beside_them);
    tcase_add_test(tc, each_note_follows_its_paragraph);
    tcase_add_test(tc, notes_stand_free_beside_prose);
    return run_detect_suite("margin", tc);
}
