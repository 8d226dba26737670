/* SPDX-License-Identifier: BSD-2-Clause */
/* The sheet that a picture shows, and what lies around it. */
#ifndef PL_PREPROCESS_GEOMETRY_SHEETS_H
#define PL_PREPROCESS_GEOMETRY_SHEETS_H

#include "op/op.h"

/* Fills page->sheet by the grey picture, unless that is known already. What changes the
 * light of a page or adds paper around it calls it first. PLATEN_ERR_NOMEM, PLATEN_ERR_LIMIT. */
PL_MUST_USE platen_status pl_sheet_find(const struct pl_env *env, struct pl_page_image *page,
                                        struct platen_error *err);

/* Returns the box of what does not lie around the page, on its present picture: all of that where
 * nobody looked. */
struct pl_rect pl_sheet_box(const struct pl_page_image *page);

/* Finds the fold in the middle of a book that is upright on a grey picture: its upper end in ret[0]
 * and its lower one in ret[1], where *ret_found is set. `book` is not empty and inside of it.
 * PLATEN_ERR_NOMEM, PLATEN_ERR_LIMIT. */
PL_MUST_USE platen_status pl_fold_find(const struct pl_env *env, const struct pl_image *gray,
                                       struct pl_rect book, struct pl_point ret[2], bool *ret_found,
                                       struct platen_error *err);

#endif
