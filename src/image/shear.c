#include "image/shear.h"

#include <math.h>

platen_status pl_shear(const struct pl_env *env, const struct pl_image *im, struct pl_rect r,
                       double slope, uint8_t border, struct pl_image *ret, struct platen_error *err)
{
    int width = pl_rect_width(r), height = pl_rect_height(r);
    platen_status s = pl_image_init(env, width, height, PL_GRAY8, ret, err);
    if (s)
        return s;
    int64_t dy = (int64_t)rint(slope * 65536); /* per column, in the kernel's 16.16 */
    for (int y = 0; y < height; y++)
        env->k->warp_row(pl_image_row(ret, y), (size_t)width, im->px, im->stride_bytes, im->width,
                         im->height, (int64_t)r.x0 * 65536, ((int64_t)r.y0 + y) * 65536 + dy / 2,
                         65536, dy, border);
    return PLATEN_OK;
}
