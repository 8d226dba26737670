/* SPDX-License-Identifier: BSD-2-Clause */
#include "page/sheet.h"

#include <math.h>

bool pl_sheet_is_around(const struct pl_sheet *sheet, struct pl_point input)
{
    if (!sheet->any_around)
        return false;
    const struct pl_point cell = pl_affine_apply(&sheet->to_cells, input.x, input.y);
    if (!(cell.x >= 0 && cell.y >= 0 && cell.x < PL_SHEET_CELLS && cell.y < PL_SHEET_CELLS))
        return false;
    return sheet->around[(int)cell.y] >> (int)cell.x & 1;
}

bool pl_sheet_fold(const struct pl_sheet *sheet, const struct pl_affine *to_input,
                   struct pl_point ret[2])
{
    if (!sheet->folded)
        return false;
    const struct pl_affine back = pl_affine_inverse(to_input);
    struct pl_point a = pl_affine_apply(&back, sheet->fold[0].x, sheet->fold[0].y),
                    b = pl_affine_apply(&back, sheet->fold[1].x, sheet->fold[1].y);
    if (fabs(a.x - b.x) >= fabs(a.y - b.y))
        return false;
    ret[0] = a.y < b.y ? a : b;
    ret[1] = a.y < b.y ? b : a;
    return true;
}
