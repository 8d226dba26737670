/* SPDX-License-Identifier: BSD-2-Clause */
/* The picture of a page in a PDF. */
#ifndef PL_OUTPUT_PDF_PICTURE_H
#define PL_OUTPUT_PDF_PICTURE_H

#include "output/emit.h"

/* What was appended of a picture. */
struct pl_pdf_picture {
    int turn; /* the EXIF orientation that is left to do when it is placed */
    size_t bytes;
    size_t shared_bytes; /* behind them, of what its decoder wants before it; or 0 */
};

/* Appends the picture as the body of an object: as the bytes of its file where PDF can have them,
 * else packed with the same pixels. A JBIG2 picture may need a stream that others share: that is
 * the body of a second object, which the dictionary of the first does not name. Fails as
 * pl_image_load() does. */
PL_MUST_USE platen_status pl_pdf_put_picture(const struct pl_env *env,
                                             const struct pl_page_result *page, struct pl_str *out,
                                             struct pl_pdf_picture *ret, struct platen_error *err);

#endif
