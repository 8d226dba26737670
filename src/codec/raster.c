/* SPDX-License-Identifier: BSD-2-Clause */
/* Pixels that a caller has in memory. */
#include <string.h>

#include "codec/types.h"

platen_status pl_raster_decode(const struct pl_source *src, struct pl_decoded *ret,
                               struct platen_error *err)
{
    const struct pl_raster *r = src->opt->raster;
    platen_status s = pl_limits_check(src->opt, (uint64_t)r->width, (uint64_t)r->height, err);
    if (s)
        return s;
    pl_auto_image im = {0};
    s = pl_rows_init(src, r->width, r->height, r->channels, &im, err);
    if (s)
        return s;
    const size_t bytes = (size_t)r->width * (size_t)r->channels;
    uint8_t *row = pl_bufpool_get(src->env->bufs, bytes);
    for (int y = 0; row && y < r->height; y++) {
        memcpy(row, r->px + (size_t)y * r->stride_bytes, bytes); /* pl_rows_put() uses it up */
        pl_rows_put(src->env, &im, y, row, r->channels);
    }
    pl_bufpool_put(src->env->bufs, row, bytes);
    if (!row)
        return pl_fail_nomem(err, bytes, "a row");
    *ret = (struct pl_decoded){.image = pl_image_ref(&im), .turn = 1};
    return PLATEN_OK;
}

platen_status pl_raster_probe(const struct pl_source *src, struct pl_image_info *ret,
                              struct platen_error *err)
{
    const struct pl_raster *r = src->opt->raster;
    (void)err;
    *ret = (struct pl_image_info){"raster", r->width, r->height, r->channels, 0};
    return PLATEN_OK;
}

const struct pl_file_type pl_raster_type = {.name = "picture in memory",
                                            .decode = pl_raster_decode,
                                            .probe = pl_raster_probe,
                                            .own_header = true};
