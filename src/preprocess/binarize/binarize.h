/* SPDX-License-Identifier: BSD-2-Clause */
/* Grey to bilevel, for the operations of stage one and for detect's own use. */
#ifndef PL_PREPROCESS_BINARIZE_BINARIZE_H
#define PL_PREPROCESS_BINARIZE_BINARIZE_H

#include "image/bits.h"

/* Largest window of the local methods: its sums of squares still fit 32 bits. */
#define PL_LOCAL_MAX_WINDOW 255
/* What keeps faint print at 150 to 400 dpi and still leaves paper clean. */
#define PL_LOCAL_WINDOW_PX 61
#define PL_SAUVOLA_K 0.2

/* A pixel g is ink where g <= t; m and s are mean and standard deviation of its window;
 * the papers are named in kernels.def. */
enum pl_local_method {
    PL_LOCAL_SAUVOLA, /* t = m (1 + k (s / 128 - 1)) */
    PL_LOCAL_WOLF, /* t = m + k (s / S - 1) (m - M), S the largest s and M the darkest grey of the
                    * page */
    PL_LOCAL_NICK, /* t = m - k sqrt(s s + m m (1 - 1 / n)), n the pixels of the window */
    PL_LOCAL_MEAN, /* t = m - k, k whole */
};

struct pl_local_threshold {
    enum pl_local_method method;
    int window_px; /* its side: odd, at most PL_LOCAL_MAX_WINDOW */
    double k;
};

/* By local thresholds; `gray` is PL_GRAY8. PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_binarize_local(const struct pl_env *env, const struct pl_image *gray,
                                            const struct pl_local_threshold *t,
                                            struct pl_image *ret, struct platen_error *err);
/* The same by Sauvola's method. */
PL_MUST_USE platen_status pl_binarize_sauvola(const struct pl_env *env, const struct pl_image *gray,
                                              int window_px, double k, struct pl_image *ret,
                                              struct platen_error *err);
/* The same as packed bits. */
PL_MUST_USE platen_status pl_bits_sauvola(const struct pl_env *env, const struct pl_image *gray,
                                          int window_px, double k, struct pl_bits *ret,
                                          struct platen_error *err);
/* One threshold for the whole picture: Otsu (IEEE Trans. SMC 9, 1979). */
PL_MUST_USE platen_status pl_binarize_otsu(const struct pl_env *env, const struct pl_image *gray,
                                           struct pl_image *ret, struct platen_error *err);
/* By what the picture calls for (binarize_auto.c): ink begins at `share` of the way from the grey
 * of the paper to that of the ink around. */
#define PL_AUTO_LEVEL 0.45
PL_MUST_USE platen_status pl_binarize_auto(const struct pl_env *env, const struct pl_image *gray,
                                           double share, struct pl_image *ret,
                                           struct platen_error *err);
/* By one threshold: ink is what is not above `level`. */
PL_MUST_USE platen_status pl_binarize_level(const struct pl_env *env, const struct pl_image *gray,
                                            uint8_t level, struct pl_image *ret,
                                            struct platen_error *err);

/* A picture split at Otsu's level. */
struct pl_otsu {
    uint8_t level;
    double dark, light; /* mean grey of the classes; equal on a flat picture */
    double separation;  /* share of the variance that lies between the classes, 0..1 */
};

/* Splits `gray`, which is PL_GRAY8. */
struct pl_otsu pl_otsu_find(const struct pl_env *env, const struct pl_image *gray);
/* Splits the pixels of a histogram: the classes up to `level` and above it have the greatest
 * variance between them, the lowest such level where there are several. The level is 127 where all
 * pixels have one grey. Where there are none it is that, too, and the means are no numbers. */
struct pl_otsu pl_otsu_of(const uint32_t hist[256]);

/* An empty bilevel picture of like's size and resolution. */
PL_MUST_USE platen_status pl_bilevel_init(const struct pl_env *env, const struct pl_image *like,
                                          struct pl_image *ret, struct platen_error *err);

#endif
