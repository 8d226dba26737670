/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether a picture shows dark print on light, or light on dark. */
#ifndef PL_PREPROCESS_CLEAN_POLARITY_H
#define PL_PREPROCESS_CLEAN_POLARITY_H

#include "image/image.h"

/* Positive when most print of a grey picture is light on dark, negative when most is dark on light,
 * 0 when there is none. Tiles vote, each by its amount of print: how often its rows cross the level
 * between its darks and its lights. */
int64_t pl_polarity(const struct pl_env *env, const struct pl_image *gray);

#endif
