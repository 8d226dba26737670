/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines of the ink in bands that are given, as a network would tell them. */
#include "tests/unit/detect/detect_fixture.h"

#include "detect/banded.h"
#include "detect/lines.h"

#define ROWS 6
#define ROW(i) (60 + 50 * (i))
#define HALF 16.0

/* A level band around the row of that baseline. */
static struct pl_text_band band(double x0, double x1, float *middle, int base)
{
    *middle = (float)base - XHEIGHT / 2;
    return (struct pl_text_band){x0, x1, x0, 1, 1, middle, HALF};
}

/* Six rows of words, of which the fourth has a lone letter far to the right; others stand between
 * two rows and below all of them. Returns the column where the words end. */
static int draw(struct fixture *f)
{
    int end = 0;
    setup(f, 700, 500);
    for (int i = 0; i < ROWS; i++)
        end = text(f, 40, ROW(i), "xlxpx xxlx lxpxl", 1);
    text(f, 420, ROW(3), "x", 1);
    text(f, 420, ROW(4) + 25, "x", 1);
    text(f, 420, 460, "x", 1);
    return end;
}

static size_t find_in(struct fixture *f, const struct pl_text_bands *bands, struct pl_rect *ret)
{
    struct pl_found found = {
        .survey = {.env = &f->env, .arena = &f->arena, .min_height = 4, .max_height = 100}};
    size_t k = 0;
    ck_assert_int_eq(pl_lines_find(&found, &f->page.image, true, NULL), PLATEN_OK);
    ck_assert_int_eq(pl_banded_lines(&found, bands, true, &f->regions, NULL), PLATEN_OK);
    pl_survey_done(&found.survey);
    const struct pl_regions *r = &f->regions;
    ck_assert_uint_eq(r->ink_in_lines_px + r->rules_px + r->graphics_px + r->specks_px +
                          r->unexplained_px,
                      r->ink_px);
    for (size_t b = 0; b < r->n_blocks; b++)
        for (size_t i = 0; i < r->blocks[b].n_lines; i++)
            ret[k++] = r->blocks[b].lines[i].box;
    return k;
}

static size_t find(struct fixture *f, const struct pl_text_band *v, size_t n, struct pl_rect *ret)
{
    return find_in(f, &(struct pl_text_bands){.v = (struct pl_text_band *)(uintptr_t)v, .n = n},
                   ret);
}

static size_t count_in(const struct pl_rect *box, size_t n, struct pl_rect in)
{
    size_t k = 0;
    for (size_t i = 0; i < n; i++)
        k += box[i].x0 >= in.x0 && box[i].x1 <= in.x1 && box[i].y0 >= in.y0 && box[i].y1 <= in.y1;
    return k;
}

/* A lone letter in the row of a band is print though no band has it, one in no row is none unless
 * it stands between dashes. Where a row has two bands, it is two lines. */
START_TEST(bands_make_the_lines)
{
    struct fixture f;
    struct pl_rect box[64];
    struct pl_text_band v[ROWS + 1];
    float middle[ROWS + 1];
    draw(&f);
    text(&f, 200, 480, "- x -", 1);
    for (int i = 0; i < ROWS; i++)
        v[i] = band(30, 320, &middle[i], ROW(i));
    size_t n = find(&f, v, ROWS, box);
    ck_assert_uint_eq(n, ROWS + 2);
    ck_assert_uint_eq(count_in(box, n, (struct pl_rect){400, ROW(3) - 20, 450, ROW(3) + 5}), 1);
    ck_assert_uint_eq(count_in(box, n, (struct pl_rect){190, 450, 290, 490}), 1);
    ck_assert_uint_eq(count_in(box, n, (struct pl_rect){400, 400, 450, 480}), 0);
    v[2] = band(30, 105, &middle[2], ROW(2));
    v[ROWS] = band(106, 320, &middle[ROWS], ROW(2));
    n = find(&f, v, ROWS + 1, box);
    ck_assert_uint_eq(count_in(box, n, (struct pl_rect){30, ROW(2) - 25, 320, ROW(2) + 10}), 2);
    teardown(&f);
}
END_TEST

/* Rows in no band are no lines; a band without ink is one as it stands. */
START_TEST(no_band_no_line)
{
    struct fixture f;
    struct pl_rect box[64];
    float middle;
    draw(&f);
    struct pl_text_band far = band(500, 690, &middle, 490);
    size_t n = find(&f, &far, 1, box);
    ck_assert_uint_eq(n, 1);
    ck_assert_int_eq(box[0].x0, 500);
    ck_assert_int_eq(box[0].x1, 690);
    ck_assert_uint_eq(find(&f, NULL, 0, box), 0);
    ck_assert_uint_gt(f.regions.unexplained_px, 0);
    teardown(&f);
}
END_TEST

/* A word in two bands is in one line, words are not joined. */
START_TEST(no_band_parts_a_word)
{
    struct fixture f;
    struct pl_rect box[64];
    struct pl_text_band v[ROWS + 1];
    float middle[ROWS + 1];
    draw(&f);
    for (int i = 0; i < ROWS; i++)
        v[i] = band(30, 320, &middle[i], ROW(i));
    size_t n = find(&f, v, ROWS, box), first = 0;
    while (box[first].y1 < ROW(2) - 5 || box[first].y0 > ROW(2))
        first++;
    const struct pl_rect whole = box[first];
    v[2] = band(30, whole.x1 - 30, &middle[2], ROW(2));
    v[ROWS] = band(whole.x1 - 29, 320, &middle[ROWS], ROW(2));
    ck_assert_uint_eq(find(&f, v, ROWS + 1, box), n);
    ck_assert_uint_eq(count_in(box, n, whole), 1);
    teardown(&f);
}
END_TEST

/* Returns the left end of the line of a row, which no other line stands before. */
static int begin_of(const struct pl_rect *box, size_t n, int row)
{
    int x0 = 700;
    for (size_t i = 0; i < n; i++)
        if (box[i].y0 < ROW(row) - 5 && box[i].y1 > ROW(row) - 5 && box[i].x1 > 100 &&
            box[i].x1 < 400)
            x0 = PL_MIN(x0, box[i].x0);
    ck_assert_uint_eq(count_in(box, n, (struct pl_rect){0, ROW(row) - 25, 35, ROW(row) + 20}), 0);
    return x0;
}

/* A dot before a row joins its line: where a band has the dot alone, where none has it and there is
 * another one like it, and where two bands have it. One in no band that is smaller than others is
 * dirt, and a dot on the baseline is none of a list. */
START_TEST(bullets_are_in_their_lines)
{
    struct fixture f;
    struct pl_rect box[64];
    struct pl_text_band v[2 * ROWS];
    float middle[2 * ROWS];
    draw(&f);
    for (int i = 0; i < ROWS; i++) {
        const int side = i == 3 ? 5 : 10, y = i == 4 ? ROW(4) - 7 : ROW(i) - 12;
        fill(&f, 12, y, 12 + side, y + side);
        v[i] = band(i == 5 ? 6 : 35, 320, &middle[i], ROW(i));
    }
    v[ROWS] = band(6, 26, &middle[ROWS], ROW(0));
    v[ROWS + 1] = band(6, 26, &middle[ROWS + 1], ROW(1));
    v[ROWS + 2] = band(6, 26, &middle[ROWS + 2], ROW(5) + 6);
    const size_t n = find(&f, v, ROWS + 3, box);
    for (int i = 0; i < ROWS; i++)
        ck_assert_int_eq(begin_of(box, n, i), i == 3 || i == 4 ? 40 : 12);
    teardown(&f);
}
END_TEST

/* Where a glyph stands between a dot and its row, each with a band of its own, the dot is no
 * bullet: its line would have the glyph in it a second time. */
START_TEST(no_bullet_beyond_a_glyph)
{
    struct fixture f;
    struct pl_rect box[64];
    struct pl_text_band v[3 * ROWS];
    float middle[3 * ROWS];
    size_t n = 0;
    setup(&f, 700, 500);
    for (int i = 0; i < ROWS; i++) {
        fill(&f, 12, ROW(i) - 12, 22, ROW(i) - 2);
        text(&f, 40, ROW(i), i == 2 ? "x" : "", 1);
        text(&f, 70, ROW(i), "xlxpx xxlx lxpxl", 1);
        v[n] = band(62, 350, &middle[n], ROW(i));
        n++;
        v[n] = band(6, 26, &middle[n], ROW(i));
        n++;
    }
    v[n] = band(34, 60, &middle[n], ROW(2));
    n = find(&f, v, n + 1, box);
    ck_assert_uint_eq(n, ROWS + 2);
    for (int i = 0; i < ROWS; i++)
        ck_assert_uint_eq(
            count_in(box, n, (struct pl_rect){i == 2 ? 70 : 12, ROW(i) - 25, 350, ROW(i) + 10}), 1);
    ck_assert_uint_eq(count_in(box, n, (struct pl_rect){12, ROW(2) - 25, 55, ROW(2) + 10}), 2);
    teardown(&f);
}
END_TEST

/* The dashes of a page number are in its line, whether bands of their own have them or none; those
 * around a longer row are not drawn into its band. */
START_TEST(page_numbers_keep_their_dashes)
{
    struct fixture f;
    struct pl_rect box[64];
    struct pl_text_band v[ROWS + 3];
    float middle[ROWS + 3];
    const struct pl_rect below = {150, 440, 400, 500};
    const int row_end = draw(&f);
    const int x1 = text(&f, 250, 480, "ll", 1), y = 480 - XHEIGHT / 2;
    fill(&f, 250 - 40, y - 1, 250 - 15, y + 1);
    fill(&f, x1 + 15, y - 1, x1 + 40, y + 1);
    fill(&f, 10, ROW(0) - XHEIGHT / 2 - 1, 30, ROW(0) - XHEIGHT / 2 + 1);
    fill(&f, row_end + 10, ROW(0) - XHEIGHT / 2 - 1, row_end + 30, ROW(0) - XHEIGHT / 2 + 1);
    for (int i = 0; i < ROWS; i++)
        v[i] = band(38, row_end + 2, &middle[i], ROW(i));
    v[ROWS] = band(248, x1 + 2, &middle[ROWS], 480);
    v[ROWS + 1] = band(205, 240, &middle[ROWS + 1], 480);
    v[ROWS + 2] = band(x1 + 10, x1 + 45, &middle[ROWS + 2], 480);
    for (size_t more = 0; more <= 2; more += 2) {
        size_t n = find(&f, v, ROWS + 1 + more, box), k = 0;
        ck_assert_uint_eq(count_in(box, n, below), 1);
        while (!count_in(&box[k], 1, below))
            k++;
        ck_assert_int_eq(box[k].x0, 210);
        ck_assert_int_eq(box[k].x1, x1 + 40);
        ck_assert_uint_eq(count_in(box, n, (struct pl_rect){40, 0, row_end, ROW(0) + 10}), 1);
    }
    teardown(&f);
}
END_TEST

/* Letters before a band, and lines in none, are print where text is seen weakly. */
START_TEST(weakly_seen)
{
    struct fixture f;
    struct pl_rect box[64];
    struct pl_text_band v[ROWS];
    float middle[ROWS];
    uint8_t seen[2] = {0, 0};
    struct pl_text_bands bands = {v, ROWS - 2, {seen, 2, 1, 0, 0, 200, 500}};
    draw(&f);
    for (int i = 0; i < ROWS; i++)
        v[i] = band(i ? 30 : 100, 320, &middle[i], ROW(i));
    for (int whole = 0; whole < 2; whole++) {
        seen[0] = seen[1] = (uint8_t)whole;
        size_t n = find_in(&f, &bands, box), left = 0, low = 0;
        for (size_t i = 0; i < n; i++) {
            left += box[i].y1 < ROW(1) - 25 && box[i].x0 < 50;
            low += box[i].y0 > ROW(ROWS - 2) - 25 && box[i].x0 < 50;
        }
        ck_assert_uint_eq(left, (size_t)whole);
        ck_assert_uint_eq(low, (size_t)whole * 2);
    }
    teardown(&f);
}
END_TEST

/* Of a chained row the last letter of a word is of its band; where text is seen weakly, one behind
 * a space is, too, and one farther on is a line of its own; what is lower than the row's letters is
 * none. */
START_TEST(lone_letters_of_a_row)
{
    struct fixture f;
    struct pl_rect box[64];
    struct pl_text_band v[ROWS];
    float middle[ROWS];
    uint8_t seen;
    struct pl_text_bands bands = {v, ROWS, {&seen, 1, 1, 0, 0, 700, 500}};
    draw(&f);
    const int end = text(&f, 40, ROW(1), "xlxpx xxlx lxpxl", 1), far = end + 45;
    text(&f, end + 14, ROW(4), "x", 1);
    text(&f, far, ROW(2), "x", 1);
    fill(&f, far, ROW(1) - 10, far + 8, ROW(1));
    for (int i = 0; i < ROWS; i++)
        v[i] = band(30, i ? end + 5 : end - 6, &middle[i], ROW(i));
    for (int whole = 0; whole < 2; whole++) {
        seen = (uint8_t)whole;
        size_t n = find_in(&f, &bands, box), word = 0, space = 0;
        for (size_t i = 0; i < n; i++) {
            word += box[i].y1 < ROW(1) - 25 && box[i].x1 == end;
            space += box[i].x0 < 50 && box[i].x1 == end + 24;
        }
        ck_assert_uint_eq(word, 1);
        ck_assert_uint_eq(space, (size_t)whole);
        for (int i = 1; i < 3; i++) {
            struct pl_rect alone = {far - 5, ROW(i) - 20, far + 15, ROW(i) + 5};
            ck_assert_uint_eq(count_in(box, n, alone), (size_t)(whole && i == 2));
        }
    }
    teardown(&f);
}
END_TEST

/* Of two bands that overlap, a letter goes to that whose middle is nearer; a band that bows follows
 * its row. */
START_TEST(bowed_rows)
{
    struct fixture f;
    struct pl_rect box[64];
    float middle[2][8];
    struct pl_text_band v[2];
    setup(&f, 700, 300);
    f.bow = 30;
    for (int i = 0; i < 2; i++) {
        text(&f, 40, 60 + 34 * i, "xlxpx xxlx lxpxl xlxxx lxlxpx xxlxl xlxxpxx", 1);
        for (int k = 0; k < 8; k++) {
            double side = 2.0 * (40 + 90 * k) / 700 - 1;
            middle[i][k] = (float)(60 + 34 * i - XHEIGHT / 2 + f.bow * (1 - side * side));
        }
        v[i] = (struct pl_text_band){30, 690, 40, 90, 8, middle[i], 40};
    }
    ck_assert_uint_eq(find(&f, v, 2, box), 2);
    for (int i = 0; i < 2; i++)
        ck_assert_int_le(box[i].y1, 60 + 34 * i + 30 + DESCENT + 3);
    teardown(&f);
}
END_TEST

/* A mark above a letter is in the band of the letter, of which it lies outside. */
START_TEST(accents_are_in_their_lines)
{
    struct fixture f;
    struct pl_rect box[64];
    struct pl_text_band v[ROWS];
    float middle[ROWS];
    draw(&f);
    const int x = text(&f, 40, ROW(1), "xlxpx xxlx lxpxl", 1);
    fill(&f, x - 5, ROW(1) - ASCENT - 6, x + 1, ROW(1) - ASCENT - 2);
    for (int i = 0; i < ROWS; i++)
        v[i] = band(30, 320, &middle[i], ROW(i));
    find(&f, v, ROWS, box);
    ck_assert_int_eq(line_of(&f, 40, ROW(1))->box.y0, ROW(1) - ASCENT - 6);
    ck_assert_int_eq(line_of(&f, 40, ROW(2))->box.y0, ROW(2) - ASCENT);
    teardown(&f);
}
END_TEST

/* On a page that is strewn with dirt a line ends with its letters and has its words; elsewhere
 * small ink beside them may be of a faint letter, and stays. */
START_TEST(dirt_is_in_no_line)
{
    struct fixture f;
    struct pl_rect box[64];
    struct pl_text_band v[ROWS];
    float middle[ROWS];
    const int end = draw(&f);
    for (int i = 0; i < ROWS; i++)
        v[i] = band(30, 400, &middle[i], ROW(i));
    find(&f, v, ROWS, box);
    const size_t words = line_of(&f, 40, ROW(0))->n_gaps;
    set_ink(&f, end + 20, ROW(0) - 5);
    find(&f, v, ROWS, box);
    ck_assert_int_eq(line_of(&f, 40, ROW(0))->box.x1, end + 21);
    for (int y = 5; y < 500; y += 7)
        for (int x = 5 + y % 3; x < 700; x += 9)
            set_ink(&f, x, y);
    find(&f, v, ROWS, box);
    ck_assert_int_le(line_of(&f, 40, ROW(0))->box.x1, end);
    ck_assert_uint_eq(line_of(&f, 40, ROW(0))->n_gaps, words);
    teardown(&f);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("banded");
    tcase_add_test(tc, bands_make_the_lines);
    tcase_add_test(tc, no_band_no_line);
    tcase_add_test(tc, no_band_parts_a_word);
    tcase_add_test(tc, bullets_are_in_their_lines);
    tcase_add_test(tc, no_bullet_beyond_a_glyph);
    tcase_add_test(tc, page_numbers_keep_their_dashes);
    tcase_add_test(tc, weakly_seen);
    tcase_add_test(tc, lone_letters_of_a_row);
    tcase_add_test(tc, bowed_rows);
    tcase_add_test(tc, accents_are_in_their_lines);
    tcase_add_test(tc, dirt_is_in_no_line);
    return run_detect_suite("banded", tc);
}
