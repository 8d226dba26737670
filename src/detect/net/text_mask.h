/* SPDX-License-Identifier: BSD-2-Clause */
/* Where on a page there may be text, as a detector says. */
#ifndef PL_DETECT_NET_TEXT_MASK_H
#define PL_DETECT_NET_TEXT_MASK_H

#include "detect/net/detector.h"
#include "image/bits.h"

/* A grid of parts over the page. */
struct pl_text_mask {
    struct pl_image part;                 /* bilevel: 0 = text may be here */
    double part_width_px, part_height_px; /* of the page */
};

/* Runs the detector over a grey page at a scale at which most of its text has the x-height that the
 * network was trained at, and at half of that scale for larger text. `threshold` is that of
 * pl_detector_run(). PLATEN_ERR_NOMEM, PLATEN_ERR_LIMIT. */
PL_MUST_USE platen_status pl_text_mask_make(struct pl_detector *d, const struct pl_env *env,
                                            const struct pl_image *gray, float threshold,
                                            struct pl_text_mask *ret, struct platen_error *err);
/* Parts the ink of a page: *ret_in has that where text may be, *ret_out the rest. PLATEN_ERR_NOMEM.
 */
PL_MUST_USE platen_status pl_text_mask_split(const struct pl_env *env, const struct pl_text_mask *m,
                                             const struct pl_bits *page, struct pl_bits *ret_in,
                                             struct pl_bits *ret_out, struct platen_error *err);
/* A zeroed mask is fine. */
void pl_text_mask_done(struct pl_text_mask *m);

#define pl_auto_text_mask __attribute__((cleanup(pl_text_mask_done))) struct pl_text_mask

#endif
