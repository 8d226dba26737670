/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows of the result tree. */
#include <check.h>

#include "base/attr.h"
#include "page/result.h"
#include "tests/unit/suite.h"

/* What goes on in a row shares more than half of the lower line's height, and stands upright. */
START_TEST(rows_are_lines_side_by_side)
{
    static const struct {
        int y0, y1, quarters;
        bool same;
    } cases[] = {
        {100, 120, 0, true},  {105, 125, 0, true},  {110, 130, 0, false}, /* half of it */
        {112, 116, 0, true},                                              /* a dash */
        {60, 200, 0, true},                                               /* a big letter */
        {120, 140, 0, false}, {100, 120, 1, false},
    };
    const struct pl_line first = {.box = {50, 100, 200, 120}};
    for (size_t i = 0; i < PL_ARRAY_LEN(cases); i++) {
        const struct pl_line next = {.box = {240, cases[i].y0, 300, cases[i].y1},
                                     .quarters = cases[i].quarters};
        ck_assert_int_eq(pl_same_row(&first, &next), cases[i].same);
        ck_assert_int_eq(pl_same_row(&next, &first), cases[i].same);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("result");
    TCase *tc = tcase_create("result");
    tcase_add_test(tc, rows_are_lines_side_by_side);
    suite_add_tcase(s, tc);
    return run_suite(s);
}
