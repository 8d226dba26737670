/* SPDX-License-Identifier: BSD-2-Clause */
/* libvips with one worker, memory to memory, its pipeline and the allocation of the result
 * included. */
#include <vips/vips.h>

#include "peers.h"

static VipsImage *gray, *color;

static void prepare(const struct peer_data *d)
{
    size_t n = (size_t)d->width * (size_t)d->height;
    if (VIPS_INIT("peers"))
        peer_fail(vips_error_buffer());
    vips_concurrency_set(1);
    vips_cache_set_max(0);
    gray = vips_image_new_from_memory(d->gray, n, d->width, d->height, 1, VIPS_FORMAT_UCHAR);
    color = vips_image_new_from_memory(d->rgb, 3 * n, d->width, d->height, 3, VIPS_FORMAT_UCHAR);
    gray->Type = VIPS_INTERPRETATION_B_W;
    color->Type = VIPS_INTERPRETATION_sRGB;
}

static int rotate(VipsImage **out)
{
    VipsInterpolate *bilinear = vips_interpolate_new("bilinear");
    int s = vips_rotate(gray, out, 1.7, "interpolate", bilinear, NULL);
    g_object_unref(bilinear);
    return s;
}

static int start(enum peer_case c, VipsImage **out)
{
    switch (c) {
    case CASE_gray_rgb:
        return vips_colourspace(color, out, VIPS_INTERPRETATION_B_W, NULL);
    case CASE_invert:
        return vips_invert(gray, out, NULL);
    case CASE_threshold:
        return vips_moreeq_const1(gray, out, 129, NULL);
    case CASE_histogram:
        return vips_hist_find(gray, out, NULL);
    case CASE_normalize:
        return vips_linear1(gray, out, 1 / 127.5, -1, NULL);
    case CASE_half_size:
        return vips_shrink(gray, out, 2, 2, NULL);
    case CASE_rotate_1_7:
        return rotate(out);
    case CASE_rotate_90:
        return vips_rot90(gray, out, NULL);
    case CASE_median_3:
        return vips_median(gray, out, 3, NULL);
    case CASE_gauss_5:
        return vips_gaussblur(gray, out, 1, NULL);
    case CASE_gauss_sigma_5:
        return vips_gaussblur(gray, out, 5, NULL);
    default:
        return -1;
    }
}

static bool run(enum peer_case c, const struct peer_data *d, struct peer_result *ret)
{
    VipsImage *lazy = NULL;
    size_t bytes;
    (void)d;
    (void)ret; /* its roundings are its own: nothing to compare */
    if (start(c, &lazy))
        return false;
    void *px = vips_image_write_to_memory(lazy, &bytes);
    if (!px)
        peer_fail(vips_error_buffer());
    g_free(px);
    g_object_unref(lazy);
    return true;
}

const struct peer peer_vips = {"libvips", prepare, run};
