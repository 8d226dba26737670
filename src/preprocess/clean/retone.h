/* SPDX-License-Identifier: BSD-2-Clause */
/* New greys for old ones, over the whole page or part by part. */
#ifndef PL_PREPROCESS_CLEAN_RETONE_H
#define PL_PREPROCESS_CLEAN_RETONE_H

#include "op/op.h"

#define PL_RETONE_MAX_TILES 8 /* a side */

/* Fills the table of new greys of a page or a part whose histogram, of one pixel at least, is
 * `hist`; that may be changed. `args` are those of the operation. */
typedef void pl_retone_fn(uint32_t hist[256], const void *args, uint8_t lut[256]);

/* Replaces the greys of a page, which is made grey; a black and white one stays as it is. The page
 * is divided into tiles x tiles parts, fewer where they would be smaller than RETONE_TILE_PX, with
 * a table for each; between the middles of parts, tables are interpolated. tiles is 1 to
 * PL_RETONE_MAX_TILES. PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_page_retone(const struct pl_env *env, struct pl_page_image *page,
                                         int tiles, pl_retone_fn *fn, const void *args,
                                         struct platen_error *err);

#endif
