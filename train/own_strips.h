/* SPDX-License-Identifier: BSD-2-Clause */
/* The strips of the networks that are trained here, as line.py has them. */
#ifndef OWN_STRIPS_H
#define OWN_STRIPS_H

#include "recognize/line_model.h"

static const struct pl_line_model own_strips = {.height = 32,
                                                .stride = 4,
                                                .pad_left = 8,
                                                .pad_right = 8,
                                                .input_scale = 1.0f / 160,
                                                .input_zero = 48};

#endif
