/* SPDX-License-Identifier: BSD-2-Clause */
/* Bands of large and of small letters, as a network would tell them at other scales. */
#include "tests/unit/detect/detect_fixture.h"

#include "detect/lines.h"
#include "detect/sizes.h"

#define ROWS 3
#define ROW(i) (40 + 50 * (i))
#define TIMES 5 /* larger than usual is the title */
#define TITLE 330

/* A page, and the bands of its three rows and of two pieces of what stands below them. */
struct page {
    struct fixture f;
    struct pl_found found;
    float middle[ROWS + 3];
    struct pl_text_band band[ROWS + 2], from_afar;
    struct pl_text_bands bands, seen;
};

static struct pl_text_band level_band(float *middle, double x0, double x1, double y, double half)
{
    *middle = (float)y;
    return (struct pl_text_band){x0, x1, x0, 1, 1, middle, half};
}

static void open_page(struct page *p)
{
    setup(&p->f, 900, 500);
    for (int i = 0; i < ROWS; i++) {
        text(&p->f, 40, ROW(i), "xlppp pppx lpppl", 1);
        p->band[i] = level_band(&p->middle[i], 30, 320, ROW(i) - XHEIGHT / 2, 16);
    }
    p->bands = (struct pl_text_bands){.v = p->band, .n = ROWS};
    p->seen = (struct pl_text_bands){.v = &p->from_afar, .n = 1};
}

static void find(struct page *p)
{
    p->found = (struct pl_found){
        .survey = {.env = &p->f.env, .arena = &p->f.arena, .min_height = 4, .max_height = 160}};
    ck_assert_int_eq(pl_lines_find(&p->found, &p->f.page.image, true, NULL), PLATEN_OK);
}

/* Gives the look for the largest letters, or for the smallest ones. Returns whether the page has
 * one; the look is for such letters in any case. */
static bool look_for(struct page *p, bool large, struct pl_size_look *ret)
{
    struct pl_size_look looks[PL_MAX_SIZE_LOOKS];
    size_t n;
    bool any = false;
    const double size = p->found.survey.size;
    *ret = large ? (struct pl_size_look){.least_px = 2.5 * size, .most_px = 700}
                 : (struct pl_size_look){.least_px = 4, .most_px = 0.5 * size};
    ck_assert(pl_sizes_list(&p->found, looks, &n));
    for (size_t i = 0; i < n; i++)
        if ((looks[i].glyph_px > size) == large) {
            *ret = looks[i];
            any = true;
        }
    return any;
}

static void take(struct page *p, bool large)
{
    struct pl_size_look look;
    find(p);
    look_for(p, large, &look);
    ck_assert_int_eq(pl_sizes_take(&p->found.survey, &look, &p->seen, &p->bands, NULL), PLATEN_OK);
}

static bool is_wanted(struct page *p, bool large)
{
    struct pl_size_look look;
    return look_for(p, large, &look);
}

static void close_page(struct page *p)
{
    pl_survey_done(&p->found.survey);
    teardown(&p->f);
}

/* A title takes the place of its pieces; the rows above it stay, though one reaches into its band.
 */
START_TEST(a_title_is_one_band)
{
    struct page p = {0};
    open_page(&p);
    const int end = text(&p.f, 40, TITLE, "xlxx", TIMES);
    const double middle = TITLE - TIMES * XHEIGHT / 2, half = middle - ROW(ROWS - 1) + 6;
    for (size_t i = 0; i < 2; i++)
        p.band[p.bands.n++] =
            level_band(&p.middle[ROWS + i], i ? 120 : 40, i ? 160 : 70, middle, 20);
    p.from_afar = level_band(&p.middle[ROWS + 2], 20, end + 20, middle, half);
    take(&p, true);
    ck_assert(is_wanted(&p, true));
    ck_assert_uint_eq(p.bands.n, ROWS + 1);
    for (size_t i = 0; i < ROWS; i++)
        ck_assert(p.bands.v[i].middle == &p.middle[i]);
    ck_assert(p.bands.v[ROWS].middle == &p.middle[ROWS + 2]);
    close_page(&p);
}
END_TEST

/* Rows that look like one line from afar are none, whether they have bands or not. */
START_TEST(usual_rows_are_no_title)
{
    struct page p = {0};
    open_page(&p);
    p.from_afar = level_band(&p.middle[ROWS + 2], 30, 320, ROW(1) - XHEIGHT / 2, 60);
    take(&p, true);
    ck_assert(!is_wanted(&p, true) && !is_wanted(&p, false));
    ck_assert_uint_eq(p.bands.n, ROWS);
    p.bands.n = 0;
    pl_survey_done(&p.found.survey);
    take(&p, true);
    ck_assert_uint_eq(p.bands.n, 0);
    close_page(&p);
}
END_TEST

/* Bars beside a row of usual text, as of a bar code, are no title; nor are two letters, as of a
 * signature. */
START_TEST(bars_and_signatures_are_no_title)
{
    for (int bars = 0; bars < 2; bars++) {
        struct page p = {0};
        open_page(&p);
        for (int i = 0; i < (bars ? 5 : 2); i++)
            fill(&p.f, 340 + 34 * i, ROW(1) - 40, 364 + 34 * i, ROW(1) + 30);
        p.from_afar = level_band(&p.middle[ROWS + 2], bars ? 250 : 330, 600, ROW(1) - 5, 60);
        take(&p, true);
        ck_assert(is_wanted(&p, true));
        ck_assert_uint_eq(p.bands.n, ROWS);
        close_page(&p);
    }
}
END_TEST

/* Small print below large rows is looked for where it stands, and its two lines take the place of
 * the one that was seen of both. A band in the strokes of a large row is none. */
START_TEST(small_print_has_its_lines)
{
    struct page p = {0};
    struct pl_size_look look;
    setup(&p.f, 900, 500);
    for (int i = 0; i < 3; i++)
        text(&p.f, 40, 100 + 100 * i, "xlxpx xxlx", 4);
    for (int i = 0; i < 2; i++)
        text(&p.f, 40, 420 + 30 * i, "xlxxxxlxxxlxx", 1);
    p.band[0] = level_band(&p.middle[0], 30, 600, 300 - 2 * XHEIGHT, 60);
    p.band[1] = level_band(&p.middle[1], 30, 440, 430, 30);
    p.bands = (struct pl_text_bands){.v = p.band, .n = 2};
    struct pl_text_band seen[3];
    for (int i = 0; i < 2; i++)
        seen[i] = level_band(&p.middle[2 + i], 30, 440, 420 + 30 * i - XHEIGHT / 2, 12);
    seen[2] = level_band(&p.middle[4], 30, 600, 300 - XHEIGHT, 12);
    p.seen = (struct pl_text_bands){.v = seen, .n = 3};
    take(&p, false);
    ck_assert(look_for(&p, false, &look));
    ck_assert_double_ge(look.glyph_px, XHEIGHT);
    ck_assert_double_le(look.glyph_px, ASCENT);
    ck_assert_int_gt(look.part.y0, 300);
    ck_assert_int_lt(look.part.y0, 400);
    ck_assert_uint_eq(p.bands.n, 3);
    ck_assert(p.bands.v[0].middle == &p.middle[0]);
    for (size_t i = 1; i < 3; i++)
        ck_assert(p.bands.v[i].middle == &p.middle[1 + i]);
    close_page(&p);
}
END_TEST

/* The large letters of a poster are not its usual text, though they make longer lines; but the dots
 * of dotted lines are not either. */
START_TEST(posters_have_the_size_of_their_text)
{
    for (int dots = 0; dots < 2; dots++) {
        struct page p = {0};
        setup(&p.f, 1000, 700);
        for (int i = 0; i < 3; i++)
            text(&p.f, 50, 150 + 150 * i, "xxxpxxxxx", TIMES);
        for (int i = 0; i < 4; i++)
            for (int x = 0; x < (dots ? 100 : 0); x++)
                fill(&p.f, 50 + 7 * x, 500 + 40 * i, 54 + 7 * x, 504 + 40 * i);
        for (int i = 0; i < (dots ? 0 : 4); i++)
            text(&p.f, 50, 500 + 40 * i, "xxxxx xxxxxx xxxx xxx xxxx", 1);
        take(&p, false);
        ck_assert_double_eq_tol(p.found.survey.size, XHEIGHT * (dots ? TIMES : 1), 1.5 * TIMES);
        close_page(&p);
    }
}
END_TEST

/* Letters twenty times as large as the text are graphics beside it, and print of a twentieth is
 * specks; both are looked for at the height that they have. */
START_TEST(very_large_and_small_letters_have_looks)
{
    for (int large = 0; large < 2; large++) {
        struct page p = {0};
        struct pl_size_look look;
        setup(&p.f, 1600, 900);
        text(&p.f, 40, 500, "xlxx", 20);
        for (int i = 0; i < (large ? 8 : 1); i++)
            text(&p.f, 40, 600 + 35 * i, large ? "xxlpx xxlxx lxxx xxlppp xxp" : "xxl xxlx", 1);
        find(&p);
        ck_assert_double_eq_tol(p.found.survey.size, XHEIGHT * (large ? 1 : 20), large ? 6 : 120);
        ck_assert(look_for(&p, large, &look));
        ck_assert_double_ge(look.glyph_px, XHEIGHT * (large ? 20 : 1));
        ck_assert_double_le(look.glyph_px, ASCENT * (large ? 20 : 1));
        ck_assert_int_eq(look.part.x1, 1600);
        close_page(&p);
    }
}
END_TEST

/* Where small print stands beside a large word, and the network sees one line of both, each has its
 * part of that, whichever is the usual text. */
START_TEST(a_word_and_print_beside_it_are_two_bands)
{
    for (int large = 0; large < 2; large++) {
        struct page p = {0};
        setup(&p.f, 1600, 900);
        const int end = text(&p.f, 40, 400, "xlxx", 20), middle = 400 - 10 * XHEIGHT;
        const int last = text(&p.f, end + 60, middle + 7, "xxlxx lxxlxx", 1);
        for (int i = 0; i < (large ? 8 : 0); i++)
            text(&p.f, 40, 600 + 35 * i, "xxlpx xxlxx lxxx xxlppp xxp", 1);
        p.bands = (struct pl_text_bands){.v = p.band, .n = 1};
        p.seen = (struct pl_text_bands){.v = &p.from_afar, .n = 1};
        struct pl_text_band word = level_band(&p.middle[0], 0, last + 60, middle, 220),
                            print = level_band(&p.middle[1], end + 50, last + 10, middle, 14);
        p.band[0] = large ? print : word;
        p.from_afar = large ? word : print;
        take(&p, large);
        ck_assert_uint_eq(p.bands.n, 2);
        const struct pl_text_band *kept = &p.bands.v[!large ? 0 : 1],
                                  *other = &p.bands.v[large ? 0 : 1];
        ck_assert_double_le(kept->x1, end);
        ck_assert_double_ge(other->x0, end);
        close_page(&p);
    }
}
END_TEST

/* A band of bars is no line, whatever it meets. */
START_TEST(a_bar_code_is_no_title)
{
    struct page p = {0};
    open_page(&p);
    for (int i = 0; i < 20; i++)
        fill(&p.f, 40 + 20 * i, 300, 50 + 20 * i, 400);
    p.from_afar = level_band(&p.middle[ROWS + 2], 20, 460, 350, 60);
    take(&p, true);
    ck_assert_uint_eq(p.bands.n, ROWS);
    close_page(&p);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("sizes");
    tcase_add_test(tc, a_title_is_one_band);
    tcase_add_test(tc, usual_rows_are_no_title);
    tcase_add_test(tc, bars_and_signatures_are_no_title);
    tcase_add_test(tc, small_print_has_its_lines);
    tcase_add_test(tc, posters_have_the_size_of_their_text);
    tcase_add_test(tc, very_large_and_small_letters_have_looks);
    tcase_add_test(tc, a_word_and_print_beside_it_are_two_bands);
    tcase_add_test(tc, a_bar_code_is_no_title);
    return run_detect_suite("sizes", tc);
}
