/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows of light letters in one dark area of a page. */
#ifndef PL_PREPROCESS_CLEAN_REVERSE_ROWS_H
#define PL_PREPROCESS_CLEAN_REVERSE_ROWS_H

#include "preprocess/clean/reverse.h"

/* Finds the boxes of those rows in a part of a page, in its pixels, where what is at most as light
 * as `level` is dark and letters are at least min_letter_px high. Errors as pl_reverse_find(). */
PL_MUST_USE platen_status pl_reverse_rows(const struct pl_env *env, const struct pl_image *gray,
                                          uint8_t level, int min_letter_px, struct pl_reverse *ret,
                                          struct platen_error *err);

#endif
