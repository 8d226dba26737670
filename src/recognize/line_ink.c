/* SPDX-License-Identifier: BSD-2-Clause */
#include "recognize/line_ink.h"

#include <math.h>
#include <string.h>

#include "image/range.h"
#include "recognize/grow.h"
#include "recognize/recognize_tuning.def"

/* Returns the rows of the line at column x, cut to the picture. */
static void rows_at(const struct pl_line_ink *k, int x, int *ret_y0, int *ret_y1)
{
    double y = pl_line_y(k->line, x);
    *ret_y0 = (int)fmax(rint(y - k->above), 0);
    *ret_y1 = (int)fmin(rint(y + k->below), k->gray->height);
}

/* Returns the grey that is in the middle between ink and paper. */
static uint8_t middle_grey(const struct pl_line_ink *k, const struct pl_env *env)
{
    uint32_t hist[256] = {0};
    double lo, hi;
    const int y0 = PL_MAX(k->line->box.y0, 0), y1 = PL_MIN(k->line->box.y1, k->gray->height);
    if (y1 <= y0 || k->x1 <= k->x0)
        return 0;
    const size_t width = (size_t)(k->x1 - k->x0), height = (size_t)(y1 - y0);
    env->k->hist_u8(hist, pl_image_row(k->gray, y0) + k->x0, k->gray->stride_bytes, width, height);
    pl_gray_range(hist, (uint64_t)width * height, &lo, &hi);
    return (uint8_t)PL_CLAMP((lo + hi) / 2, 0, 254);
}

platen_status pl_line_ink_measure(struct pl_line_ink *k, const struct pl_env *env,
                                  const struct pl_image *gray, const struct pl_line *l,
                                  struct platen_error *err)
{
    double height = l->ascent_px + l->descent_px;
    k->gray = gray;
    k->x0 = PL_CLAMP(l->box.x0, 0, gray->width);
    k->x1 = PL_CLAMP(l->box.x1, k->x0, gray->width);
    k->line = l;
    k->above = l->ascent_px + INK_BEYOND * height;
    k->below = l->descent_px + INK_BEYOND * height;
    size_t width = (size_t)(k->x1 - k->x0);
    if (!PL_GROW(k->rows, k->rows_cap, width))
        return pl_fail_nomem(err, width * sizeof(*k->rows), "the ink of a line");
    memset(k->rows, 0, width * sizeof(*k->rows));
    k->dark = middle_grey(k, env);
    for (int x = k->x0, end; x < k->x1; x = end) { /* columns of equal rows together */
        int y0, y1, z0, z1;
        rows_at(k, x, &y0, &y1);
        for (end = x + 1; end < k->x1; end++) {
            rows_at(k, end, &z0, &z1);
            if (z0 != y0 || z1 != y1)
                break;
        }
        for (int y = y0; y < y1; y++) {
            const uint8_t *px = pl_image_row(gray, y);
            for (int i = x; i < end; i++)
                k->rows[i - k->x0] = (uint16_t)(k->rows[i - k->x0] + (px[i] <= k->dark));
        }
    }
    return PLATEN_OK;
}

void pl_line_ink_done(struct pl_line_ink *k)
{
    pl_free(k->rows);
}

bool pl_line_ink_gap(const struct pl_line_ink *k, double from, double to, int *ret_x0, int *ret_x1)
{
    int first = (int)fmax(floor(from), k->x0), end = (int)fmin(ceil(to), k->x1), best = 0;
    double most = INK_SPECK * (k->above + k->below);
    for (int x = first, start = first; x < end; x++) {
        if (k->rows[x - k->x0] > most) {
            start = x + 1;
        } else if (x + 1 - start > best) {
            best = x + 1 - start;
            *ret_x0 = start;
            *ret_x1 = x + 1;
        }
    }
    return best > 0;
}

bool pl_line_ink_rows(const struct pl_line_ink *k, struct pl_rect *box)
{
    int x0 = PL_MAX(box->x0, k->x0), x1 = PL_MIN(box->x1, k->x1), top = INT32_MAX, low = -1;
    for (int x = x0; x < x1; x++) {
        int y0, y1;
        rows_at(k, x, &y0, &y1);
        while (y0 < y1 && pl_image_row(k->gray, y0)[x] > k->dark)
            y0++;
        while (y1 > y0 && pl_image_row(k->gray, y1 - 1)[x] > k->dark)
            y1--;
        if (y0 < y1) {
            top = PL_MIN(top, y0);
            low = PL_MAX(low, y1);
        }
    }
    if (low < 0)
        return false;
    box->y0 = top;
    box->y1 = low;
    return true;
}
