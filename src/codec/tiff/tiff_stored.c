/* SPDX-License-Identifier: BSD-2-Clause */
/* Pages of a TIFF that are fax of group 4 in one strip, or JPEG. */
#include "codec/tiff/tiff_dirs.h"
#include "codec/tiff/tiff_fields.h"
#include "codec/tiff/tiff_jpeg.h"
#include "codec/types.h"

#define FAX_4 4

/* Finds the strip in the file; returns false where it is not the only one. */
static bool find_strip(const struct pl_tiff_file *f, const struct pl_tiff_directory *d,
                       struct pl_stored *ret)
{
    const struct pl_tiff_field offset = pl_tiff_find_field(f, d, PL_TIFF_STRIP_OFFSETS),
                               bytes = pl_tiff_find_field(f, d, PL_TIFF_STRIP_BYTES);
    if (offset.count != 1 || bytes.count != 1)
        return false;
    const uint64_t at = pl_tiff_value(f, &offset, 0), n = pl_tiff_value(f, &bytes, 0);
    if (!n || at > f->n || n > f->n - at)
        return false;
    ret->data = f->data + at;
    ret->n = ret->bytes = (size_t)n;
    return true;
}

/* Takes the fields; returns whether they are those of a fax, black and white. */
static bool read_fields(const struct pl_tiff_file *f, const struct pl_tiff_directory *d,
                        struct pl_stored *ret)
{
    const uint64_t width = pl_tiff_number(f, d, PL_TIFF_WIDTH),
                   height = pl_tiff_number(f, d, PL_TIFF_HEIGHT),
                   photometric = pl_tiff_number(f, d, PL_TIFF_PHOTOMETRIC),
                   turn = pl_tiff_number(f, d, PL_TIFF_ORIENTATION);
    if (pl_tiff_number(f, d, PL_TIFF_COMPRESSION) != FAX_4 || photometric > 1 ||
        width > INT32_MAX || height > INT32_MAX || pl_tiff_number(f, d, PL_TIFF_BITS) > 1 ||
        pl_tiff_number(f, d, PL_TIFF_SAMPLES) > 1)
        return false;
    ret->form = PL_STORED_FAX;
    ret->width = (int)width;
    ret->height = (int)height;
    ret->turn = turn >= 1 && turn <= 8 ? (int)turn : 1;
    ret->channels = ret->bits = 1;
    ret->k = -1;
    ret->black_is_1 = photometric == 1;
    ret->low_bit_first = pl_tiff_number(f, d, PL_TIFF_FILL_ORDER) == 2;
    return true;
}

bool pl_tiff_stored(const struct pl_source *src, struct pl_stored *ret)
{
    struct pl_tiff_file f;
    struct pl_tiff_directory d;
    uint64_t at;
    return !pl_tiff_find_page(src, &at, NULL) && pl_tiff_begin(&f, src->data, src->n) &&
           pl_tiff_read_directory(&f, at, &d) &&
           (pl_tiff_jpeg_stored(&f, at, &d, ret) ||
            (read_fields(&f, &d, ret) && find_strip(&f, &d, ret)));
}
