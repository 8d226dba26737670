/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines of letters far larger or smaller than the usual ones of their page, as titles of posters
 * and small print have them: the network looks for each at another scale. */
#ifndef PL_DETECT_SIZES_H
#define PL_DETECT_SIZES_H

#include "detect/ink/survey.h"
#include "detect/net/text_band.h"

enum pl_text_size { PL_TEXT_USUAL, PL_TEXT_LARGE, PL_TEXT_SMALL };

/* Gives the part of the page where there is ink that may be such letters, large or small ones, and
 * their height in *ret_glyph_px. Returns false where there is none. */
bool pl_sizes_wanted(const struct pl_found *found, enum pl_text_size size, struct pl_rect *ret_part,
                     double *ret_glyph_px);

/* Takes the bands that were seen at their scale into those of the page: only lines of such letters,
 * and none that meets a line of usual text, as bar codes and signatures do. Other bands that meet
 * them are pieces of their letters, or several of their lines, and go. PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_sizes_take(struct pl_survey *survey, enum pl_text_size size,
                                        const struct pl_text_bands *seen,
                                        struct pl_text_bands *bands, struct platen_error *err);

#endif
