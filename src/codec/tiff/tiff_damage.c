/* SPDX-License-Identifier: BSD-2-Clause */
/* Failures of libtiff, and the parts of a picture that they cost. */
#include "codec/tiff/tiff_reader.h"

#include <string.h>

platen_status pl_tiff_fail(struct tiff_reader *r)
{
    if (!r->status)
        r->status = pl_fail(&r->err, PLATEN_ERR_FORMAT, "damaged tiff");
    return r->status;
}

void pl_tiff_note_damage(struct tiff_reader *r)
{
    if (!r->why.code) {
        (void)!pl_tiff_fail(r);
        r->why = r->err;
    }
    r->status = PLATEN_OK;
}

void pl_tiff_lose(struct tiff_reader *r, struct pl_image *im, struct pl_rect part)
{
    pl_tiff_note_damage(r);
    for (int y = part.y0; y < part.y1; y++)
        memset(pl_image_row(im, y) + (size_t)part.x0 * im->format, 255,
               (size_t)(part.x1 - part.x0) * im->format);
    if ((uint32_t)part.y1 <= r->lost_end)
        return;
    r->lost += (uint32_t)part.y1 - PL_MAX(r->lost_end, (uint32_t)part.y0);
    r->lost_end = (uint32_t)part.y1;
}
