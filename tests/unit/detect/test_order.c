/* SPDX-License-Identifier: BSD-2-Clause */
/* Reading order, and lines that are parted where columns are, on pages drawn here. */
#include <check.h>
#include <string.h>

#include "base/mem.h"
#include "detect/order/order.h"
#include "layout/steps.h"
#include "tests/unit/detect/detect_fixture.h"

/* Both lines of a row as one. */
static struct pl_line fuse(struct fixture *f, const struct pl_line *a, const struct pl_line *b)
{
    struct pl_line fused = *a;
    struct pl_rect *gaps = PL_NEW(&f->arena, struct pl_rect, a->n_gaps + b->n_gaps);
    memcpy(gaps, a->gaps, a->n_gaps * sizeof(*gaps));
    memcpy(gaps + a->n_gaps, b->gaps, b->n_gaps * sizeof(*gaps));
    fused.box = pl_rect_union(a->box, b->box);
    fused.gaps = gaps;
    fused.n_gaps += b->n_gaps;
    return fused;
}

START_TEST(columns_are_read_one_after_the_other)
{
    struct fixture f;
    setup(&f, 900, 600);
    text(&f, 200, 80, "xxlx xlxx xxlx lxx", 2);
    paragraph(&f, 60, 160, "xxlxp xlxx xxxp xlxxl xxxx", 8);
    paragraph(&f, 480, 160, "xxlxp xlxx xxxp xlxxl xxxx", 8);
    text(&f, 60, 520, "xxlxp xxxlx xlxxp xxxx xxxxx lxxx xxxx xxx xlxxp xlxx xxxp xxlxx", 1);
    detect_lines(&f, 18);
    ck_assert_int_eq(line_at(&f, 0)->box.x0, 200);
    ck_assert_double_eq_tol(line_at(&f, 0)->xheight_px, 2 * XHEIGHT, 0.01);
    for (size_t i = 0; i < 16; i++) {
        const struct pl_line *l = line_at(&f, 1 + i);
        ck_assert_int_eq(l->box.x0, i < 8 ? 60 : 480);
        ck_assert_double_eq_tol(l->base_y, 160 + 36 * (int)(i % 8), 0.01);
    }
    ck_assert_double_eq_tol(line_at(&f, 17)->base_y, 520, 0.01);
    detect_with(&f, "lines", 1); /* single: across the page */
    ck_assert_uint_eq(count_lines(&f), 10);
    teardown(&f);
}
END_TEST

/* Phrases in level rows are cells of a form, but on facing pages. */
START_TEST(facing_pages_are_read_one_after_the_other)
{
    struct fixture f;
    for (int folded = 0; folded < 2; folded++) {
        setup(&f, 900, 600);
        f.page.to_input = PL_AFFINE_IDENTITY;
        for (int i = 0; i < 6; i++) {
            text(&f, 60, 100 + 60 * i, "xxlxp xlxx", 1);
            text(&f, 500, 100 + 60 * i, "xlxx", 1);
        }
        f.page.sheet =
            (struct pl_sheet){.known = true, .folded = folded, .fold = {{440, 0}, {460, 600}}};
        detect_lines(&f, 12);
        for (size_t i = 0; i < 12; i++)
            ck_assert_int_eq(line_at(&f, i)->box.x0, (folded ? i < 6 : i % 2 == 0) ? 60 : 500);
        teardown(&f);
    }
    setup(&f, 900, 600); /* a sheet that was folded: its lines go on */
    f.page.to_input = PL_AFFINE_IDENTITY;
    for (int i = 0; i < 8; i++)
        text(&f, i % 2 ? 300 : 40, 160 + 36 * i, "xxlxpxlxxxxxpxlxxlxxxxxxlxpxlxxxxxpx", 1);
    f.page.sheet = (struct pl_sheet){.known = true, .folded = true, .fold = {{440, 0}, {460, 600}}};
    detect_lines(&f, 8);
    for (size_t i = 0; i < 8; i++)
        ck_assert_double_eq_tol(line_at(&f, i)->base_y, 160 + 36 * (int)i, 0.01);
    teardown(&f);
}
END_TEST

/* Rows at equal distances: an indented one between rows that are flush begins a paragraph, where it
 * is a long one, be it that a single one looks like the end of an entry that hangs; the lines of an
 * address do not. */
START_TEST(indented_rows_begin_paragraphs)
{
    static const char row[] = "xxlxp xlxx xxxp xlxxl xxxx xlxxx xlx";
    static const size_t rows[] = {2, 4, 3};
    struct fixture f;
    for (int is_address = 0; is_address < 2; is_address++) {
        setup(&f, 900, 500);
        for (int i = 0; i < 9; i++)
            text(&f, i % 4 == 2 ? 120 : 60, 80 + 36 * i,
                 is_address && i % 4 && i % 4 < 3 ? "xlx"
                 : !is_address && i == 2          ? "xxlxp xlxx xxxp xlxxl xx"
                                                  : row,
                 1);
        detect_lines(&f, 9);
        ck_assert_uint_eq(f.regions.n_blocks, is_address ? 1 : 3);
        for (size_t i = 0; i < f.regions.n_blocks && !is_address; i++)
            ck_assert_uint_eq(f.regions.blocks[i].n_lines, rows[i]);
        teardown(&f);
    }
}
END_TEST

/* Rows of entries that hang, as in a list of books, begin no paragraphs, be they as long as others;
 * entries of two rows and of three take turns. */
START_TEST(hanging_rows_begin_no_paragraphs)
{
    static const char full[] = "xxlxp xlxx xxxp xlxxl xxxx xlxxx xlx xx",
                      rest[] = "xxlxp xlxx xxxp xlxxl xxxx",
                      last[] = "xxlxp xlxx xxxp xlxxl xxxx xlxx xlxxx";
    struct fixture f;
    for (int rows = 2; rows <= 3; rows++) {
        setup(&f, 900, 600);
        for (int i = 0; i < 4 * rows; i++)
            text(&f, i % rows ? 100 : 60, 80 + 36 * i,
                 i % rows != rows - 1 ? full
                 : i > 4              ? last
                                      : rest,
                 1);
        text(&f, 60, 80 + 36 * 4 * rows, full, 1);
        text(&f, 100, 80 + 36 * (4 * rows + 1), last, 1);
        text(&f, 60, 80 + 36 * (4 * rows + 2), rest, 1);
        detect_lines(&f, (size_t)(4 * rows + 3));
        ck_assert_uint_eq(f.regions.n_blocks, 1);
        teardown(&f);
    }
}
END_TEST

/* Of paragraphs of two rows each, more steps may lead from one to the next than within them. */
START_TEST(white_parts_short_paragraphs)
{
    static const char row[] = "xxlxp xlxx xxxp xlxxl xxxx xlxxx xlx";
    struct fixture f;
    setup(&f, 900, 600);
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 2 - i / 4; j++)
            text(&f, 60, 80 + 100 * i + 36 * j, row, 1);
    detect_lines(&f, 9);
    ck_assert_uint_eq(f.regions.n_blocks, 5);
    teardown(&f);
}
END_TEST

/* Two columns make room for a caption in the middle: each is still read down to its end. */
START_TEST(columns_flow_around_a_caption)
{
    static const char wide[] = "xxlxp xlxx xxxp xlxxl xxxx xlxxx xlx",
                      narrow[] = "xxlxp xlxx xxxp xlxxl";
    struct fixture f;
    setup(&f, 1200, 800);
    paragraph(&f, 60, 100, wide, 6);
    paragraph(&f, 60, 316, narrow, 4);
    paragraph(&f, 60, 460, wide, 6);
    paragraph(&f, 520, 100, wide, 6);
    paragraph(&f, 700, 316, narrow, 4);
    paragraph(&f, 520, 460, wide, 6);
    paragraph(&f, 455, 334, "xlxx xlx", 3);
    detect_lines(&f, 35);
    for (size_t i = 0; i < 32; i++) {
        const struct pl_line *l = line_at(&f, i);
        ck_assert_double_eq_tol(l->base_y, 100 + 36 * (int)(i % 16), 0.01);
        ck_assert_int_eq(l->box.x0 > 510, i >= 16);
    }
    for (size_t i = 32; i < 35; i++)
        ck_assert_int_eq(line_at(&f, i)->box.x0, 455);
    teardown(&f);
}
END_TEST

/* A full column beside a title over the others, which lie level: down the columns, the title before
 * its own. The head of the page, far above, comes first. */
START_TEST(columns_beside_a_wide_title)
{
    static const char row[] = "xxlxp xlxx xxxp xlxxl";
    struct fixture f;
    setup(&f, 1400, 900);
    text(&f, 560, 60, "xlx xxlx", 1);
    paragraph(&f, 60, 170, row, 18);
    text(&f, 460, 170, "xlxxp xxlx xxxl xxxp", 2);
    for (int column = 0; column < 3; column++)
        paragraph(&f, 460 + 310 * column, 350, column == 1 ? "xlxx xl lxxx xxp" : row, 12);
    detect_lines(&f, 56);
    ck_assert_double_eq_tol(line_at(&f, 0)->base_y, 60, 0.01);
    for (size_t i = 0; i < 18; i++)
        assert_at(&f, 1 + i, 60, 170 + 36 * (int)i);
    assert_at(&f, 19, 460, 170);
    for (size_t i = 0; i < 36; i++)
        assert_at(&f, 20 + i, 460 + 310 * (int)(i / 12), 350 + 36 * (int)(i % 12));
    teardown(&f);
}
END_TEST

/* Head and foot of a page have rows at both ends; they are read before and after the columns. */
START_TEST(heads_beside_and_above_columns)
{
    static const char row[] = "xxlxp xlxx xxxp xlxxl xxxx";
    struct fixture f;
    setup(&f, 900, 900);
    for (int i = 0; i < 2; i++) {
        text(&f, 60, 60 + 36 * i, "xlx xxlx", 1);
        text(&f, 700, 60 + 36 * i, "xlxx xl", 1);
    }
    paragraph(&f, 60, 220, row, 15);
    paragraph(&f, 480, 220, row, 14);
    text(&f, 60, 850, "xxlx", 1);
    text(&f, 700, 850, "lxl", 1);
    detect_lines(&f, 35);
    for (size_t i = 0; i < 4; i++)
        assert_at(&f, i, i % 2 ? 700 : 60, 60 + 36 * (int)(i / 2));
    for (size_t i = 0; i < 29; i++)
        assert_at(&f, 4 + i, i < 15 ? 60 : 480, 220 + 36 * (int)(i % 15));
    assert_at(&f, 33, 60, 850);
    assert_at(&f, 34, 700, 850);
    teardown(&f);
}
END_TEST

/* The address in a letter stands below the sender's: it is read after what stands beside that, but
 * running text goes on down its column. */
START_TEST(short_columns_end_together)
{
    static const char row[] = "xxlxp xlxx xxxp xlxxl";
    for (int running = 0; running < 2; running++) {
        const int n = running ? 11 : 5;
        struct fixture f;
        setup(&f, 900, 1100);
        paragraph(&f, 60, 100, row, n);
        paragraph(&f, 480, 100, row, n);
        paragraph(&f, 60, 220 + 36 * n, row, 5);
        detect_lines(&f, 2 * (size_t)n + 5);
        assert_at(&f, (size_t)n, running ? 60 : 480, running ? 220 + 36 * n : 100);
        assert_at(&f, 2 * (size_t)n, running ? 480 : 60,
                  running ? 100 + 36 * (n - 5) : 220 + 36 * n);
        teardown(&f);
    }
}
END_TEST

/* The corridor that is the longest goes first: what stands over the two columns on its right is
 * read after the one on its left. */
START_TEST(longest_corridor_first)
{
    static const char row[] = "xxlxp xlxx xxxp xlxxl",
                      wide[] = "xxlxp xlxx xxxp xlxxl xxxp xlxx xxlxp xlxxl";
    struct fixture f;
    setup(&f, 1400, 900);
    paragraph(&f, 60, 400, row, 7);
    paragraph(&f, 460, 100, wide, 5);
    paragraph(&f, 460, 310, row, 12);
    paragraph(&f, 850, 310, row, 12);
    detect_lines(&f, 36);
    for (size_t i = 0; i < 7; i++)
        assert_at(&f, i, 60, 400 + 36 * (int)i);
    assert_at(&f, 7, 460, 100);
    assert_at(&f, 24, 850, 310);
    teardown(&f);
}
END_TEST

/* A title whose words stand on both sides of the fold is no part of the columns above it. */
START_TEST(titles_over_the_fold)
{
    static const char row[] = "xxlxp xlxx xxxp xlxxl xx";
    struct fixture f;
    setup(&f, 1000, 900);
    paragraph(&f, 60, 100, row, 12);
    paragraph(&f, 480, 100, row, 12);
    int end = text(&f, 200, 600, "xlxx xl", 2);
    text(&f, end + 45, 600, "xxlx xxl", 2);
    paragraph(&f, 60, 700, "xlx xxl", 2);
    detect(&f);
    ck_assert_uint_ge(count_lines(&f), 27);
    for (size_t i = 0; i < 24; i++)
        assert_at(&f, i, i < 12 ? 60 : 480, 100 + 36 * (int)(i % 12));
    assert_at(&f, 24, 200, 600);
    assert_at(&f, count_lines(&f) - 1, 60, 736);
    teardown(&f);
}
END_TEST

/* A rule across two columns ends both, what stands above it is read first; but where it is shorter
 * than the text or an upright one goes on through it, as in a grid of quarters, it does not. */
START_TEST(a_rule_across_ends_the_columns)
{
    static const char row[] = "xxlxp xlxx xxxp xlxxl xxxx";
    enum { ROWS = 7, LOWER = 420 };
    const struct {
        int x1;        /* where the rule ends; 0 = there is none */
        int upright_x; /* 0 = none goes through it */
        bool ends;
    } tried[] = {
        {0, 0, false}, {850, 0, true}, {700, 0, false}, {850, 452, false}, {850, 20, true}};
    for (size_t k = 0; k < PL_ARRAY_LEN(tried); k++) {
        struct fixture f;
        setup(&f, 900, 700);
        for (int i = 0; i < 4; i++)
            paragraph(&f, i % 2 ? 480 : 60, i < 2 ? 100 : LOWER, row, ROWS);
        if (tried[k].x1)
            fill(&f, 50, 366, tried[k].x1, 368);
        if (tried[k].upright_x)
            fill(&f, tried[k].upright_x, 80, tried[k].upright_x + 2, 650);
        detect_lines(&f, 4 * ROWS);
        for (int i = 0; i < 4 * ROWS; i++) {
            const int part = i / ROWS, right = tried[k].ends ? part % 2 : part / 2,
                      lower = tried[k].ends ? part / 2 : part % 2;
            assert_at(&f, (size_t)i, right ? 480 : 60, (lower ? LOWER : 100) + 36 * (i % ROWS));
        }
        teardown(&f);
    }
}
END_TEST

/* Three columns over two with short titles, and three under two whose last rows are short: what is
 * nearer to the rows that end the three columns is read with those. */
START_TEST(short_rows_beside_other_columns)
{
    static const char narrow[] = "xxlxp xlxx xxxp xlxxl",
                      wide[] = "xxlxp xlxx xxxp xlxxl xxxx xlxxx xlx";
    enum { THREE_PX = 400, THREE = 12, TWO_PX = 560, TWO = 7 };
    for (int below = 0; below < 2; below++) {
        const int three = below ? 540 : 100, end = below ? 36 * (TWO - 1) + 54 : -54;
        struct fixture f;
        setup(&f, 1300, 1000);
        for (int i = 0; i < 3; i++)
            paragraph(&f, 60 + THREE_PX * i, three, narrow, THREE);
        for (int i = 0; i < 2; i++) {
            const int two = (below ? 100 : 704) + (below ? -2 * i : 2 * i);
            paragraph(&f, 60 + TWO_PX * i, two, wide, TWO);
            text(&f, 60 + TWO_PX * i, two + end, "xlx", 1);
        }
        detect_lines(&f, 3 * THREE + 2 * (TWO + 1));
        size_t at = below ? 2 * (TWO + 1) : 0;
        for (int i = 0; i < 3 * THREE; i++)
            assert_at(&f, at + (size_t)i, 60 + THREE_PX * (i / THREE), three + 36 * (i % THREE));
        at = below ? 0 : 3 * THREE;
        for (int i = 0; i < 2; i++, at += TWO + 1) {
            const int two = (below ? 100 : 704) + (below ? -2 * i : 2 * i);
            assert_at(&f, at + (below ? TWO : 0), 60 + TWO_PX * i, two + end);
            for (int k = 0; k < TWO; k++)
                assert_at(&f, at + (size_t)k + !below, 60 + TWO_PX * i, two + 36 * k);
        }
        teardown(&f);
    }
}
END_TEST

/* A row of both columns that was taken for one line, for want of rows level with it, is parted
 * where the columns are; a full row below them with a wide space there is not. */
START_TEST(lines_are_parted_at_columns)
{
    static const char row[] = "xxlxp xlxx xxxp xlxxl xxxx";
    struct fixture f;
    setup(&f, 900, 800);
    paragraph(&f, 60, 100, row, 12);
    paragraph(&f, 480, 100, row, 12);
    text(&f, 60, 620, "xxlxp xlxx xxxp xlxxl xxxx", 1);
    text(&f, 480, 620, "xxlxp xlxx xxxp xlxxl xxxx", 1);
    detect(&f);
    struct pl_line *lines = PL_NEW(&f.arena, struct pl_line, 25);
    ck_assert_uint_eq(count_lines(&f), 26);
    for (size_t i = 0, k = 0; i < 26; i++) {
        const struct pl_line *l = line_at(&f, i);
        bool fused = l->base_y > 610 || (l->base_y > 270 && l->base_y < 290);
        if (fused && l->box.x0 > 400)
            continue;
        lines[k] = *l;
        if (fused)
            lines[k] = fuse(&f, l, line_of(&f, 480, (int)l->base_y));
        k++;
    }
    ck_assert(pl_order_lines(&f.arena, lines, 24, &f.regions));
    ck_assert_uint_eq(count_lines(&f), 25);
    for (size_t i = 0; i < 24; i++)
        assert_at(&f, i, i < 12 ? 60 : 480, 100 + 36 * (int)(i % 12));
    ck_assert_uint_eq(line_at(&f, 5)->n_gaps, 5);
    ck_assert_uint_eq(line_at(&f, 17)->n_gaps, 5);
    assert_at(&f, 24, 60, 620);
    ck_assert_uint_eq(line_at(&f, 24)->n_gaps, 10);
    teardown(&f);
}
END_TEST

/* Ragged columns of phrases, level with each other, are no table. */
START_TEST(level_columns_of_phrases)
{
    static const char *const row[] = {"xl xlx lxx", "xxlxp xlxx xxxp xlxxl xxxx", "xl xxlxp lxx"};
    struct fixture f;
    setup(&f, 1000, 700);
    for (int i = 0; i < 15; i++) {
        text(&f, 60, 80 + 36 * i, row[i % 3], 1);
        text(&f, 520, 80 + 36 * i, row[(i + 1) % 3], 1);
    }
    detect_lines(&f, 30);
    for (size_t i = 0; i < 30; i++)
        assert_at(&f, i, i < 15 ? 60 : 520, 80 + 36 * (int)(i % 15));
    teardown(&f);
}
END_TEST

/* Labels and what stands beside them, level or a little lower, are read row by row. */
START_TEST(forms_are_read_by_rows)
{
    static const char *const label[] = {"xlxx xx lxxx", "xlxxlx", "xx lxlx xx", "lxxlx xlx"};
    static const char *const value[] = {"xlxp xlxxlxxp xx xlx xxlxp", "xxlxp xx lxx", "xlx"};
    for (int drop = 0; drop <= 12; drop += 12) { /* of the values */
        struct fixture f;
        setup(&f, 1000, 1000);
        for (int i = 0; i < 12; i++) {
            text(&f, 60, 80 + 70 * i, label[i % 4], 1);
            text(&f, 400, 80 + 70 * i + drop, value[i % 3], 1);
        }
        detect_lines(&f, 24);
        for (size_t i = 0; i < 24; i++)
            assert_at(&f, i, i % 2 ? 400 : 60, 80 + 70 * (int)(i / 2) + (i % 2 ? drop : 0));
        teardown(&f);
    }
}
END_TEST

/* A name in large type and, beside it and level with its top, text in smaller type: where that
 * begins there and goes on below, flush and in its type, the name stands before that line, not
 * between it and the next. */
START_TEST(large_type_parts_no_text_beside_it)
{
    const struct {
        int next_x, scale; /* of the text below the first line */
        int above;         /* the baseline of a line above that; 0 = there is none */
        bool first;        /* the name is read first */
    } tried[] = {{500, 1, 0, true}, {600, 1, 0, false}, {500, 2, 0, false}, {500, 1, 46, false}};
    for (size_t k = 0; k < PL_ARRAY_LEN(tried); k++)
        for (int right = 0; right < 2; right++) { /* the name */
            struct fixture f;
            const int large = right ? 950 : 60;
            setup(&f, 1400, 500);
            text(&f, large, 100, "xlxx lxx", 2);
            if (tried[k].above)
                text(&f, 500, tried[k].above, "lxxl xx", 1);
            text(&f, 500, 82, "xxlxp xlxx xxxp", 1);
            text(&f, tried[k].next_x, 134, "lxx xxlx", tried[k].scale);
            text(&f, 60, 300, "xxlxp xlxx xxxp xlxxl xxxx xxlxp", 1);
            const size_t at = tried[k].above > 0;
            detect_lines(&f, 4 + at);
            const bool before = tried[k].first && !right;
            assert_at(&f, at + !before, large, 100);
            assert_at(&f, at + before, 500, 82);
            assert_at(&f, at + 2, tried[k].next_x, 134);
            teardown(&f);
        }
}
END_TEST

/* The name in the head of a page with an address below, and lines to its right whose rows are not
 * level with those, are read one after the other; not where the rows are level, nor below the
 * beginning of the page. */
START_TEST(the_head_of_a_letter_is_read_by_its_piles)
{
    const struct {
        int up, pitch; /* of the rows on the right, the first one above that of the name */
        int above;     /* of a line above the head; 0 = none */
        bool piles;
    } tried[] = {{20, 58, 0, true}, {0, 40, 0, false}, {20, 58, 160, false}};
    for (size_t k = 0; k < PL_ARRAY_LEN(tried); k++) {
        struct fixture f;
        const int y = 100 + tried[k].above;
        setup(&f, 1200, 700);
        if (tried[k].above)
            text(&f, 60, 100, "xlx xxlx lx xlx lxx lxx xxlx lx xlx lxxx", 1);
        text(&f, 60, y, "xlxx lxx", 2);
        for (int i = 0; i < 4; i++) {
            if (i > 0)
                text(&f, 60, y + 40 * i, "xxlxp xlxx", 1);
            text(&f, 600, y - tried[k].up + tried[k].pitch * i, "lxxl xxlxp", 1);
        }
        const int end = y - tried[k].up + 3 * tried[k].pitch + 120;
        text(&f, 60, end, "xxlxp xlxx xxxp xlxxl xxxx xxlxp xlx xxlx lx xlx lxx", 1);
        detect_lines(&f, 9 + (tried[k].above > 0));
        const size_t at = tried[k].above > 0;
        bool piles = true;
        for (size_t i = 0; i < 8; i++)
            piles &= line_at(&f, at + i)->box.x0 == (i < 4 ? 60 : 600);
        ck_assert_int_eq(piles, tried[k].piles);
        assert_at(&f, at + 8, 60, end);
        teardown(&f);
    }
}
END_TEST

/* What recognition finds to be no text no longer parts the columns: it leaves the blocks, and its
 * ink the lines, as that of words which are doubted does. */
START_TEST(order_without_what_is_no_text)
{
    struct pl_word words[] = {{.box = {0, 0, 30, 10}}, {.box = {40, 0, 50, 10}}};
    struct fixture f;
    setup(&f, 1200, 800);
    paragraph(&f, 60, 100, "xxlxp xlxx xxxp xlxxl xxxx xlxxx", 14);
    paragraph(&f, 620, 100, "xxlxp xlxx xxxp xlxxl xxxx xlxxx", 14);
    detect(&f);
    struct pl_line *lines = PL_NEW(&f.arena, struct pl_line, 29);
    ck_assert_uint_eq(count_lines(&f), 28);
    for (size_t i = 0; i < 28; i++) {
        lines[i] = *line_at(&f, i);
        ck_assert_uint_gt(lines[i].ink_px, 0);
        lines[i].words = words;
        lines[i].n_words = 1;
        lines[i].ink_px = 100;
    }
    lines[5].n_doubted = 1;
    lines[28] = lines[3]; /* a stroke of a picture, from one column to the other */
    lines[28].box.x1 = 1000;
    lines[28].base_y += 18;
    lines[28].n_words = 0;
    ck_assert(pl_order_lines(&f.arena, lines, 29, &f.regions));
    ck_assert_int_eq(line_at(&f, 1)->box.x0 > 600, 1); /* rows: too few of them above */
    f.regions.ink_in_lines_px = 2900;
    ck_assert(pl_unread_part(&f.arena, &f.regions));
    for (size_t i = 0; i < 28; i++) {
        ck_assert_double_eq_tol(line_at(&f, i)->base_y, 100 + 36 * (int)(i % 14), 0.01);
        ck_assert_int_eq(line_at(&f, i)->box.x0 > 600, i >= 14);
    }
    ck_assert_uint_eq(count_lines(&f), 28);
    ck_assert_uint_eq(f.regions.n_unread, 1);
    ck_assert_int_eq(f.regions.unread[0].box.x1, 1000);
    ck_assert_uint_eq(f.regions.unread_px, 125);
    ck_assert_uint_eq(f.regions.ink_in_lines_px, 2775);
    teardown(&f);
}
END_TEST

/* Rows of two columns, made by hand: glyphs of 20 px, rows 36 px apart. */
#define SHORT_ROWS 8 /* too few for running text */
#define LONG_ROWS 13
#define COLUMN_PX 300
struct two_columns {
    struct pl_line lines[4 * LONG_ROWS];
    struct pl_rect words[4 * LONG_ROWS][4];
};

/* A line of n words. */
static void put_line(struct two_columns *t, int at, struct pl_point place, int width, size_t n)
{
    const int x = (int)place.x, base = (int)place.y, step = width / (int)n;
    struct pl_rect *words = t->words[at];
    for (int i = 0; i < (int)n; i++)
        words[i] = (struct pl_rect){x + i * step, base - 20, x + (i + 1) * step - 8, base};
    words[n - 1].x1 = x + width;
    t->lines[at] = (struct pl_line){.box = {x, base - 20, x + width, base},
                                    .base_y = base,
                                    .glyph_px = 20,
                                    .gaps = words,
                                    .n_gaps = n};
}

static struct pl_point place_of(int column, int row)
{
    return (struct pl_point){60 + 420 * column, 100 + 36 * row};
}

static void order_by_hand(struct fixture *f, const struct two_columns *t, uint32_t n, size_t want)
{
    f->regions = (struct pl_regions){
        .glyph_px = 20, .rules = f->regions.rules, .n_rules = f->regions.n_rules};
    ck_assert(pl_order_lines(&f->arena, t->lines, n, &f->regions));
    ck_assert_uint_eq(count_lines(f), want);
}

/* Two short columns of prose are columns where the lines of both are phrases. Those of one are
 * enough where its rows stand between the others, as those of labels and values do not; where those
 * of neither are, they may be a list. */
START_TEST(one_column_of_phrases_is_enough)
{
    for (int phrases = 0; phrases < 4; phrases++) /* on the left, on the right, none, both */
        for (int drop = 0; drop <= 18; drop += 18) {
            const bool columns = phrases == 3 || (phrases < 2 && drop);
            struct two_columns t;
            struct fixture f;
            setup(&f, 900, 500);
            for (int i = 0; i < 2 * SHORT_ROWS; i++) {
                struct pl_point p = place_of(i % 2, i / 2);
                p.y += i % 2 * drop;
                put_line(&t, i, p, COLUMN_PX, phrases == 3 || i % 2 == phrases ? 4 : 1);
            }
            order_by_hand(&f, &t, 2 * SHORT_ROWS, 2 * SHORT_ROWS);
            for (int i = 0; i < 2 * SHORT_ROWS; i++) {
                const int column = columns ? i / SHORT_ROWS : i % 2;
                const struct pl_point p = place_of(column, columns ? i % SHORT_ROWS : i / 2);
                assert_at(&f, (size_t)i, (int)p.x, (int)p.y + column * drop);
            }
            teardown(&f);
        }
}
END_TEST

/* What a line has on the right of the white between columns begins with its word there: were it
 * taken for longer, the column would not look full, and nothing be parted. */
START_TEST(the_right_part_of_a_line_begins_there)
{
    struct two_columns t;
    struct fixture f;
    uint32_t n = 0;
    setup(&f, 900, 500);
    for (int row = 0; row < SHORT_ROWS; row++) {
        put_line(&t, (int)n++, place_of(0, row), COLUMN_PX, row % 4 == 2 ? 1 : 4);
        put_line(&t, (int)n++, place_of(1, row), COLUMN_PX, 3);
        if (row % 4 == 2) { /* both lines were taken for one */
            n--;
            memcpy(t.words[n - 1] + 1, t.words[n], 3 * sizeof(struct pl_rect));
            t.lines[n - 1].box.x1 = t.lines[n].box.x1;
            t.lines[n - 1].n_gaps = 4;
        }
    }
    order_by_hand(&f, &t, n, 2 * SHORT_ROWS);
    for (int i = 0; i < 2 * SHORT_ROWS; i++) {
        const struct pl_point p = place_of(i / SHORT_ROWS, i % SHORT_ROWS);
        assert_at(&f, (size_t)i, (int)p.x, (int)p.y);
    }
    teardown(&f);
}
END_TEST

/* Short lines level with running text are its labels, and are read row by row; where they stand
 * between its rows they are a column. */
START_TEST(labels_are_level_with_what_they_label)
{
    for (int drop = 0; drop <= 12; drop += 12) {
        struct two_columns t;
        struct fixture f;
        setup(&f, 900, 700);
        for (int i = 0; i < 2 * LONG_ROWS; i++) {
            struct pl_point p = place_of(i % 2, i / 2);
            p.y += i % 2 ? 0 : drop;
            put_line(&t, i, p, i % 2 ? COLUMN_PX : 120, i % 2 ? 4 : 1);
        }
        order_by_hand(&f, &t, 2 * LONG_ROWS, 2 * LONG_ROWS);
        for (int i = 0; i < 2 * LONG_ROWS; i++) {
            const struct pl_point p =
                drop ? place_of(i / LONG_ROWS, i % LONG_ROWS) : place_of(i % 2, i / 2);
            assert_at(&f, (size_t)i, (int)p.x, (int)p.y + (drop && i < LONG_ROWS ? drop : 0));
        }
        teardown(&f);
    }
}
END_TEST

/* A rule on the baseline between the words on both sides, on which nothing stands, is a blank to be
 * filled in: its row is one, and parts the columns above from those below. */
START_TEST(blanks_are_filled_in_by_rows)
{
    const int end = 60 + COLUMN_PX, base = 100 + 36 * 3;
    const struct {
        struct pl_rule rule; /* in the fourth row */
        bool rows;
    } tried[] = {
        {{{end + 8, base, 472, base + 2}, false}, true},
        {{{end - 4, base + 8, 472, base + 10}, false}, true},
        {{{end + 8, base, 472, base + 2}, true}, false},        /* it stands */
        {{{end + 8, base + 10, 472, base + 12}, false}, false}, /* below */
        {{{end + 31, base, 472 - 31, base + 2}, false}, false}, /* apart from both */
        {{{end + 8, base, 780, base + 2}, false}, false},       /* filled in */
        {{{60, base, 472, base + 2}, false}, false},            /* words underlined */
    };
    for (size_t k = 0; k < PL_ARRAY_LEN(tried); k++) {
        struct two_columns t;
        struct fixture f;
        setup(&f, 900, 500);
        for (int i = 0; i < 2 * SHORT_ROWS; i++)
            put_line(&t, i, place_of(i % 2, i / 2), COLUMN_PX, 4);
        f.regions.rules = &tried[k].rule;
        f.regions.n_rules = 1;
        order_by_hand(&f, &t, 2 * SHORT_ROWS, 2 * SHORT_ROWS);
        for (int i = 0; i < 2 * SHORT_ROWS; i++) {
            const struct pl_point p =
                tried[k].rows ? place_of(i % 2, i / 2) : place_of(i / SHORT_ROWS, i % SHORT_ROWS);
            assert_at(&f, (size_t)i, (int)p.x, (int)p.y);
        }
        teardown(&f);
    }
}
END_TEST

/* Puts a row of three words to both ends of a column, with white of the same width between them, as
 * lines of their own; returns how many. */
static int put_stretched(struct two_columns *t, int at, struct pl_point place, int middle_px)
{
    const int white = (COLUMN_PX - 2 * 60 - middle_px) / 2;
    const struct pl_point middle = {place.x + 60 + white, place.y},
                          right = {place.x + COLUMN_PX - 60, place.y};
    put_line(t, at, place, 60, 1);
    put_line(t, at + 1, middle, middle_px, 1);
    put_line(t, at + 2, right, 60, 1);
    return 3;
}

/* Justified rows of few words have white as wide as between cells, and are several lines. Where
 * they begin and end with the others, which are one line each, they are rows of a column; where all
 * rows are so they are those of a table, and read row by row. */
START_TEST(stretched_rows_are_rows_of_a_column)
{
    for (int cells = 0; cells < 2; cells++) {
        struct two_columns t;
        struct fixture f;
        int n = 0;
        setup(&f, 900, 500);
        for (int i = 0; i < 2 * SHORT_ROWS; i++) {
            const struct pl_point p = place_of(i % 2, i / 2);
            if (i / 2 % 3 == 0)
                n += put_stretched(&t, n, p, cells ? 60 : 40 + 10 * (i / 4));
            else if (cells)
                n += put_stretched(&t, n, p, 60);
            else
                put_line(&t, n++, p, COLUMN_PX, 4);
        }
        order_by_hand(&f, &t, (uint32_t)n, (size_t)n);
        for (int i = 0; i < n; i++)
            ck_assert_int_eq(line_at(&f, (size_t)i)->box.x0 > 470,
                             (cells ? i % 6 >= 3 : i >= n / 2));
        teardown(&f);
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("order");
    tcase_add_test(tc, columns_are_read_one_after_the_other);
    tcase_add_test(tc, facing_pages_are_read_one_after_the_other);
    tcase_add_test(tc, indented_rows_begin_paragraphs);
    tcase_add_test(tc, hanging_rows_begin_no_paragraphs);
    tcase_add_test(tc, white_parts_short_paragraphs);
    tcase_add_test(tc, columns_flow_around_a_caption);
    tcase_add_test(tc, columns_beside_a_wide_title);
    tcase_add_test(tc, heads_beside_and_above_columns);
    tcase_add_test(tc, short_columns_end_together);
    tcase_add_test(tc, longest_corridor_first);
    tcase_add_test(tc, titles_over_the_fold);
    tcase_add_test(tc, a_rule_across_ends_the_columns);
    tcase_add_test(tc, short_rows_beside_other_columns);
    tcase_add_test(tc, lines_are_parted_at_columns);
    tcase_add_test(tc, level_columns_of_phrases);
    tcase_add_test(tc, forms_are_read_by_rows);
    tcase_add_test(tc, large_type_parts_no_text_beside_it);
    tcase_add_test(tc, the_head_of_a_letter_is_read_by_its_piles);
    tcase_add_test(tc, order_without_what_is_no_text);
    tcase_add_test(tc, one_column_of_phrases_is_enough);
    tcase_add_test(tc, the_right_part_of_a_line_begins_there);
    tcase_add_test(tc, labels_are_level_with_what_they_label);
    tcase_add_test(tc, blanks_are_filled_in_by_rows);
    tcase_add_test(tc, stretched_rows_are_rows_of_a_column);
    return run_detect_suite("order", tc);
}
