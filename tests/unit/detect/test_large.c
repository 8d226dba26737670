/* SPDX-License-Identifier: BSD-2-Clause */
/* Bands of large letters, as a network would tell them of a picture made smaller. */
#include "tests/unit/detect/detect_fixture.h"

#include "detect/large.h"
#include "detect/lines.h"

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

static void take(struct page *p)
{
    p->found = (struct pl_found){
        .survey = {.env = &p->f.env, .arena = &p->f.arena, .min_height = 4, .max_height = 160}};
    ck_assert_int_eq(pl_lines_find(&p->found, &p->f.page.image, true, NULL), PLATEN_OK);
    ck_assert_int_eq(pl_large_bands_take(&p->found.survey, &p->seen, &p->bands, NULL), PLATEN_OK);
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
    take(&p);
    ck_assert(pl_has_large_ink(&p.found.survey));
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
    take(&p);
    ck_assert(!pl_has_large_ink(&p.found.survey));
    ck_assert_uint_eq(p.bands.n, ROWS);
    p.bands.n = 0;
    ck_assert_int_eq(pl_large_bands_take(&p.found.survey, &p.seen, &p.bands, NULL), PLATEN_OK);
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
        take(&p);
        ck_assert(pl_has_large_ink(&p.found.survey));
        ck_assert_uint_eq(p.bands.n, ROWS);
        close_page(&p);
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("large");
    tcase_add_test(tc, a_title_is_one_band);
    tcase_add_test(tc, usual_rows_are_no_title);
    tcase_add_test(tc, bars_and_signatures_are_no_title);
    return run_detect_suite("large", tc);
}
