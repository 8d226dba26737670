/* SPDX-License-Identifier: BSD-2-Clause */
/* From the grey page to the network's input: a line cut along its baseline, levelled, scaled and
 * normalised. train/line.py does the same to the training lines; the two must agree. */
#ifndef PL_RECOGNIZE_STRIP_H
#define PL_RECOGNIZE_STRIP_H

#include "page/result.h"
#include "image/image.h"
#include "recognize/line_model.h"

/* A piece of a line: page columns x0..x1-1, the rows of its left end y0..y1-1; other columns follow
 * slope and curve. Lines are one piece unless they are very long. */
struct pl_strip_cut {
    int x0, x1, y0, y1;
    double slope; /* as pl_shear() has both; 0 and NULL when the line is level enough for a view */
    const struct pl_curve *curve;
    int columns;   /* of the scaled piece, without padding; at least 1 */
    bool in_gap;   /* x1 lies between two words, and another piece follows */
    bool mirrored; /* the strip shows it as a mirror does */
};

/* Blank rows above and below the ink, in ink heights: the margin the network was trained with. */
#define PL_STRIP_MARGIN 0.08
/* Widest piece, in columns of the scaled strip. */
#define PL_STRIP_MAX_COLUMNS 16384

/* The piece of the line that starts at page column `from` (its box's left end first); false when
 * nothing is left. Pieces end in the middle of a gap between two words where there is one. */
bool pl_strip_next(const struct pl_line *line, int page_width, int page_height,
                   const struct pl_line_model *model, int from, struct pl_strip_cut *ret);

/* Returns the columns of the padded piece, a multiple of the stride. */
int pl_strip_padded(const struct pl_line_model *model, int columns);

/* Writes the quantised and padded piece: model->height rows of pl_strip_padded() bytes. gray is the
 * page. PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_strip_make(const struct pl_env *env, const struct pl_image *gray,
                                        const struct pl_line_model *model,
                                        const struct pl_strip_cut *cut, uint8_t *dst,
                                        struct platen_error *err);

/* lut[g] = quantised value of grey g on a strip with this histogram of n > 0 pixels:
 * clamp(floor((hi - g) / (hi - lo) / input_scale + 1/2) + input_zero, 0, 255), lo and hi the 1 %
 * and 97 % quantiles, held at least 24 apart. */
void pl_strip_levels(const struct pl_line_model *model, const uint32_t hist[256], uint64_t n,
                     uint8_t lut[256]);

#endif
