/* SPDX-License-Identifier: BSD-2-Clause */
/* Where a network sees a line of text: a band along the line's middle, which may bow. */
#ifndef PL_DETECT_NET_TEXT_BAND_H
#define PL_DETECT_NET_TEXT_BAND_H

#include "base/arena.h"
#include "detect/net/detector.h"

struct pl_text_band {
    double x0, x1;       /* its ends, px of the page */
    double first, step;  /* middle[i] belongs to column first + i * step */
    int n;               /* numbers of `middle`, at least 1 */
    const float *middle; /* heights of the line's middle, px of the page */
    double half;         /* half of the band's height, px */
};

/* The places where the detector sees text, if only weakly. */
struct pl_text_places {
    const uint8_t *seen; /* 1 or 0, row by row; NULL = nothing is known */
    int width, height;
    double x0, y0;                    /* of the first, px of the page */
    double place_width, place_height; /* px of the page */
};

struct pl_text_bands {
    struct pl_text_band *v;
    size_t n;
    struct pl_text_places places;
};

/* Returns whether text is seen at (x, y) of the page, if only weakly. */
bool pl_text_places_at(const struct pl_text_places *p, double x, double y);

/* Returns the height of the band's middle at column x; it is level beyond the first and the last
 * number. */
double pl_text_band_middle(const struct pl_text_band *b, double x);

/* Gives the heights between which a band lies. */
void pl_text_band_span(const struct pl_text_band *b, double *ret_y0, double *ret_y1);

/* Gives a band for each line that the detector sees in a part of a grey page; they lie in `arena`.
 * The part is scaled so that glyphs of height glyph_px have the height at which the network sees
 * best; it is not enlarged. `threshold` is that of pl_detector_run().
 * PLATEN_ERR_NOMEM, PLATEN_ERR_LIMIT. */
PL_MUST_USE platen_status pl_text_bands_find(struct pl_detector *d, const struct pl_env *env,
                                             struct pl_arena *arena, const struct pl_image *gray,
                                             struct pl_rect part, double glyph_px, float threshold,
                                             struct pl_text_bands *ret, struct platen_error *err);

#endif
