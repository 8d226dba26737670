/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether a picture shows dark print on light, or light on dark. */
#ifndef PL_PREPROCESS_CLEAN_POLARITY_H
#define PL_PREPROCESS_CLEAN_POLARITY_H

#include "image/image.h"

struct pl_polarity {
    /* Positive when most print is light on dark, negative when most is dark on light, 0 when there
     * is none. */
    int64_t vote;
    uint8_t light_level; /* what is lighter is as the light print is; 255 without any */
};

/* Tells that of a grey picture. Tiles vote, each by its amount of print: how often its rows cross
 * the level between its darks and its lights. */
struct pl_polarity pl_polarity(const struct pl_env *env, const struct pl_image *gray);

#endif
