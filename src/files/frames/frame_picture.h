/* SPDX-License-Identifier: BSD-2-Clause */
/* Frames as pictures: a file that a page is read from, and the brightness that is compared. */
#ifndef PL_FILES_FRAME_PICTURE_H
#define PL_FILES_FRAME_PICTURE_H

#include "base/map.h"
#include "files/frames/framing.h"
#include "image/image.h"

/* Makes a file of the frame data[0..n), in memory of its own: a PGM or, unless `gray`, of colours a
 * PPM; what is coded is copied. Colours of YUV are those of BT.601. PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_frame_file(const struct pl_framing *f, const uint8_t *data, size_t n,
                                        bool gray, struct pl_map *ret, struct platen_error *err);
/* The frame in grey. Its pixels may be those of `data`. As pl_image_load(). */
PL_MUST_USE platen_status pl_frame_gray(const struct pl_env *env, const struct pl_framing *f,
                                        const uint8_t *data, size_t n, uint64_t max_pixels,
                                        struct pl_image *ret, struct platen_error *err);

#endif
