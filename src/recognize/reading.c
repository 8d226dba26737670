/* SPDX-License-Identifier: BSD-2-Clause */
/* The pictures of a page whose lines are being read. */
#include "recognize/recognize.h"

void pl_reading_done(struct pl_reading *r)
{
    for (size_t i = 0; i < PL_ARRAY_LEN(r->turned); i++)
        pl_image_done(&r->turned[i]);
}

const struct pl_image *pl_reading_picture(const struct pl_reading *r, const struct pl_line *line)
{
    return &r->turned[line->quarters];
}
