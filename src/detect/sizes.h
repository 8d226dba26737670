/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines of letters far larger or smaller than the usual ones of their page, as titles of posters
 * and small print have them: the network looks for each at another scale. A scale serves for some
 * three heights of letters, so that a page may need several looks both ways. */
#ifndef PL_DETECT_SIZES_H
#define PL_DETECT_SIZES_H

#include "detect/ink/survey.h"
#include "detect/net/text_band.h"

enum { PL_MAX_SIZE_LOOKS = 16 };

/* A look at a part of the page for letters of another size. */
struct pl_size_look {
    struct pl_rect part;
    double glyph_px;          /* height of letters that are seen best */
    double least_px, most_px; /* heights of the blobs that may be such letters */
};

/* Gives the looks for which the page has ink, ret[0..*ret_n), those for large letters first.
 * Returns false when memory is short. */
PL_MUST_USE bool pl_sizes_list(struct pl_found *found, struct pl_size_look ret[PL_MAX_SIZE_LOOKS],
                               size_t *ret_n);

/* Takes the bands that a look saw into those of the page: only lines of its letters, and none that
 * meets a line of other text, as bar codes and signatures do. Other bands that meet them are pieces
 * of their letters, or several of their lines, and go. PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_sizes_take(struct pl_survey *survey, const struct pl_size_look *look,
                                        const struct pl_text_bands *seen,
                                        struct pl_text_bands *bands, struct platen_error *err);

#endif
