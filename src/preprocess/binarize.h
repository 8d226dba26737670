/* Grey to bilevel, for the operations of stage one and for detect's own use. */
#ifndef PL_PREPROCESS_BINARIZE_H
#define PL_PREPROCESS_BINARIZE_H

#include "image/image.h"

/* Largest window of Sauvola's method: its sums of squares still fit 32 bits. */
#define PL_SAUVOLA_MAX_WINDOW 255
/* What keeps faint print at 150 to 400 dpi and still leaves paper clean. */
#define PL_SAUVOLA_WINDOW_PX 61
#define PL_SAUVOLA_K 0.2

/* Sauvola's threshold (Pattern Recognition 33, 2000) in a window of window_px x window_px, odd and
 * at most PL_SAUVOLA_MAX_WINDOW; `gray` is PL_GRAY8. PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_binarize_sauvola(const struct pl_env *env, const struct pl_image *gray,
                                              int window_px, double k, struct pl_image *ret,
                                              struct platen_error *err);
/* One threshold for the whole picture: Otsu (IEEE Trans. SMC 9, 1979). */
PL_MUST_USE platen_status pl_binarize_otsu(const struct pl_env *env, const struct pl_image *gray,
                                           struct pl_image *ret, struct platen_error *err);

#endif
