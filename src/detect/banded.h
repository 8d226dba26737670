/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines of the ink in the bands where a network sees text. */
#ifndef PL_DETECT_BANDED_H
#define PL_DETECT_BANDED_H

#include "detect/ink/survey.h"
#include "detect/net/text_band.h"

/* Gives the lines of a page that pl_lines_find() went over and of which a network told the bands:
 * the ink of each band is a line, and so are groups that were found in no band, if they look like
 * print. PLATEN_ERR_NOMEM, _LIMIT, _CANCELED. */
PL_MUST_USE platen_status pl_banded_lines(struct pl_found *found, const struct pl_text_bands *bands,
                                          bool columns, struct pl_regions *ret,
                                          struct platen_error *err);

#endif
