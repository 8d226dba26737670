/* SPDX-License-Identifier: BSD-2-Clause */
/* What several steps of detection share. */
#include "detect/ink/ink_steps.h"

#include <assert.h>

platen_status pl_survey_nomem(const struct pl_survey *survey, struct platen_error *err)
{
    return pl_fail_nomem(err, survey->arena->refused_bytes, "the survey of a page");
}

uint32_t pl_rows_of(const struct pl_rows *r, double y)
{
    assert(r->n_rows > 0 && r->pitch > 0);
    double row = (y - r->y0) / r->pitch;
    if (!(row > 0))
        return 0;
    return row >= r->n_rows ? r->n_rows - 1 : (uint32_t)row;
}

/* Limit of rows: a far outlier would ask for very many. */
#define MAX_ROWS 65536.0

bool pl_rows_build(struct pl_survey *survey, const double *y, uint32_t n, double pitch,
                   struct pl_rows *ret)
{
    double lo = 0, hi = 0;
    for (uint32_t i = 0; i < n; i++) {
        lo = i && lo < y[i] ? lo : y[i];
        hi = i && hi > y[i] ? hi : y[i];
    }
    pitch = PL_MAX(PL_MAX(pitch, 1.0), (hi - lo) / MAX_ROWS);
    struct pl_rows r = {.y0 = lo, .pitch = pitch, .n_rows = (uint32_t)((hi - lo) / pitch) + 1};
    r.first = PL_SURVEY_NEW(survey, uint32_t, r.n_rows + 1);
    r.item = PL_SURVEY_NEW(survey, uint32_t, n);
    if (!r.first || !r.item)
        return false;
    for (uint32_t i = 0; i < n; i++)
        r.first[pl_rows_of(&r, y[i]) + 1]++;
    for (uint32_t i = 0; i < r.n_rows; i++)
        r.first[i + 1] += r.first[i];
    for (uint32_t i = n; i-- > 0;) /* downward, since each row is filled from its end */
        r.item[--r.first[pl_rows_of(&r, y[i]) + 1]] = i;
    for (uint32_t i = 0; i < r.n_rows; i++) /* starts now stand one too high: shift them back */
        r.first[i] = r.first[i + 1];
    r.first[r.n_rows] = n;
    *ret = r;
    return true;
}
