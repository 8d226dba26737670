/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether a frame shows something else than an earlier one. */
#ifndef PL_FILES_FRAME_CHANGE_H
#define PL_FILES_FRAME_CHANGE_H

#include "image/image.h"

/* The places of a frame: the mean of each square of it, which has little of a camera's noise. The
 * frame is grey. As pl_resample(). */
PL_MUST_USE platen_status pl_frame_places(const struct pl_env *env, const struct pl_image *frame,
                                          struct pl_image *ret, struct platen_error *err);
/* How many places differ, those of two frames of one size; that of all where the sizes differ. What
 * all places have in common is no difference: the light may become brighter. Neither is what
 * most of them do: the noise is measured. */
size_t pl_frame_places_changed(const struct pl_image *a, const struct pl_image *b);

#endif
