/* SPDX-License-Identifier: BSD-2-Clause */
/* The chunks of a PNG (ISO/IEC 15948) whose picture data stand in a PDF as they are. Nothing
 * outside src/codec includes this. */
#ifndef PL_CODEC_PNG_CHUNKS_H
#define PL_CODEC_PNG_CHUNKS_H

#include "codec/stored.h"

/* Appends what the chunks of picture data hold, one after the other: the stream that is deflated.
 */
void pl_png_put_data(const struct pl_stored *p, struct pl_str *out);

#endif
