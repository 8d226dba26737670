/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines of letters far larger than the usual ones of their page, as posters and title pages have:
 * the network looks for them in a picture of the page that is made smaller. */
#ifndef PL_DETECT_LARGE_H
#define PL_DETECT_LARGE_H

#include "detect/ink/survey.h"
#include "detect/net/text_band.h"

/* Returns whether a page has ink that may be such letters. */
bool pl_has_large_ink(const struct pl_survey *survey);

/* Takes the bands that were seen in the smaller picture into those of the page: only lines of large
 * letters, and none that meets a line of usual text, as bar codes and signatures do. Other bands
 * that meet them are pieces of their letters and go. PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_large_bands_take(const struct pl_survey *survey,
                                              const struct pl_text_bands *seen,
                                              struct pl_text_bands *bands,
                                              struct platen_error *err);

#endif
