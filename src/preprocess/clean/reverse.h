/* SPDX-License-Identifier: BSD-2-Clause */
/* Reverse type: light letters in a dark box on a light page, as in the headings of forms. */
#ifndef PL_PREPROCESS_CLEAN_REVERSE_H
#define PL_PREPROCESS_CLEAN_REVERSE_H

#include "image/image.h"

#define PL_REVERSE_MAX 256

/* Dark boxes with rows of light letters. Of dark places that are more than that (pictures) it is
 * the rows, as wide as the place and reaching at most two letter heights above and below. They do
 * not overlap. */
struct pl_reverse {
    struct pl_rect box[PL_REVERSE_MAX];
    size_t n;
};

/* Finds them in a grey picture of dark print on light paper; further ones than PL_REVERSE_MAX stay
 * as they are. PLATEN_ERR_NOMEM, PLATEN_ERR_LIMIT as pl_components_find(). */
PL_MUST_USE platen_status pl_reverse_find(const struct pl_env *env, const struct pl_image *gray,
                                          struct pl_reverse *ret, struct platen_error *err);

#endif
