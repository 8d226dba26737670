/* SPDX-License-Identifier: BSD-2-Clause */
/* The picture of a page in a PDF. */
#ifndef PL_OUTPUT_PDF_PICTURE_H
#define PL_OUTPUT_PDF_PICTURE_H

#include "output/emit.h"

/* Appends the picture as the body of an object: as the bytes of its file where PDF can have them,
 * else packed with the same pixels. *ret_turn is the EXIF orientation that is left to do when it is
 * placed. Fails as pl_image_load() does. */
PL_MUST_USE platen_status pl_pdf_put_picture(const struct pl_env *env,
                                             const struct pl_page_result *page, struct pl_str *out,
                                             int *ret_turn, struct platen_error *err);

#endif
