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

static void take(struct page *p, enum pl_text_size size)
{
    p->found = (struct pl_found){
        .survey = {.env = &p->f.env, .arena = &p->f.arena, .min_height = 4, .max_height = 160}};
    ck_assert_int_eq(pl_lines_find(&p->found, &p->f.page.image, true, NULL), PLATEN_OK);
    ck_assert_int_eq(pl_sizes_take(&p->found.survey, size, &p->seen, &p->bands, NULL), PLATEN_OK);
}

static bool is_wanted(const struct page *p, enum pl_text_size size)
{
    struct pl_rect part;
    double px;
    return pl_sizes_wanted(&p->found, size, &part, &px);
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
    take(&p, PL_TEXT_LARGE);
    ck_assert(is_wanted(&p, PL_TEXT_LARGE));
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
    take(&p, PL_TEXT_LARGE);
    ck_assert(!is_wanted(&p, PL_TEXT_LARGE) && !is_wanted(&p, PL_TEXT_SMALL));
    ck_assert_uint_eq(p.bands.n, ROWS);
    p.bands.n = 0;
    ck_assert_int_eq(pl_sizes_take(&p.found.survey, PL_TEXT_LARGE, &p.seen, &p.bands, NULL),
                     PLATEN_OK);
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
        take(&p, PL_TEXT_LARGE);
        ck_assert(is_wanted(&p, PL_TEXT_LARGE));
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
    struct pl_rect part;
    double px;
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
    take(&p, PL_TEXT_SMALL);
    ck_assert(pl_sizes_wanted(&p.found, PL_TEXT_SMALL, &part, &px));
    ck_assert_double_ge(px, XHEIGHT);
    ck_assert_double_le(px, ASCENT);
    ck_assert_int_gt(part.y0, 300);
    ck_assert_int_lt(part.y0, 400);
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
        take(&p, PL_TEXT_SMALL);
        ck_assert_double_eq_tol(p.found.survey.size, XHEIGHT * (dots ? TIMES : 1), 1.5 * TIMES);
        close_page(&p);
    }
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
    return run_detect_suite("sizes", tc);
}
