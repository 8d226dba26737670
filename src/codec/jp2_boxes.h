/* SPDX-License-Identifier: BSD-2-Clause */
/* The boxes of a JPEG 2000 file (ITU-T T.800, annex I), and the header of its code stream (annex
 * A.5.1), from its bytes alone. Nothing outside src/codec includes this. */
#ifndef PL_CODEC_JP2_BOXES_H
#define PL_CODEC_JP2_BOXES_H

#include "codec/stored.h"

/* Bytes of the boxes that a file has before a bare code stream, so that it is what PDF wants. */
#define PL_JP2_HEAD_BYTES 85

/* Appends those boxes. */
void pl_jp2_put_boxes(const struct pl_stored *p, struct pl_str *out);

#endif
