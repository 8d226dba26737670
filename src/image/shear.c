/* SPDX-License-Identifier: BSD-2-Clause */
#include "image/shear.h"

#include <assert.h>
#include <math.h>

/* Columns of a straight piece of a curve. */
#define PIECE_PX 16

platen_status pl_shear(const struct pl_env *env, const struct pl_image *im, struct pl_rect r,
                       double slope, const struct pl_curve *curve, uint8_t border,
                       struct pl_image *ret, struct platen_error *err)
{
    assert(im->format == PL_GRAY8 && !pl_rect_empty(r));
    int width = pl_rect_width(r), height = pl_rect_height(r), piece = curve ? PIECE_PX : width;
    platen_status s = pl_image_init(env, width, height, PL_GRAY8, ret, err);
    if (s)
        return s;
    for (int x = 0; x < width; x += piece) {
        int n = PL_MIN(piece, width - x);
        double fall = x * slope, turn = 0;
        if (curve) {
            fall += pl_curve_at(curve, r.x0 + x) - pl_curve_at(curve, r.x0);
            turn = (pl_curve_at(curve, r.x0 + x + n) - pl_curve_at(curve, r.x0 + x)) / n;
        }
        int64_t dy = (int64_t)rint((slope + turn) * 65536); /* per column, in the kernel's 16.16 */
        int64_t top = (int64_t)rint(fall * 65536) + dy / 2;
        for (int y = 0; y < height; y++)
            env->k->warp_row(pl_image_row(ret, y) + x, (size_t)n, im->px, im->stride_bytes,
                             im->width, im->height, ((int64_t)r.x0 + x) * 65536,
                             ((int64_t)r.y0 + y) * 65536 + top, 65536, dy, border);
    }
    return PLATEN_OK;
}
