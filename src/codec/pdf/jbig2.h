/* SPDX-License-Identifier: BSD-2-Clause */
/* JBIG2 as it stands in PDF (ITU-T T.88, ISO/IEC 14492): generic, refinement, symbol, text and
 * halftone regions in the arithmetic code, in MMR and in the Huffman code, each where it may be.
 * Refused by name are regions with colours, and extensions without which a page is not whole. */
#ifndef PL_CODEC_PDF_JBIG2_H
#define PL_CODEC_PDF_JBIG2_H

#include "codec/decode.h"

/* Decodes the segments of a page behind those of globals[0..n_globals), which may be none, to a
 * bilevel picture of that size, 0 for black: of *ret the image and its damage. Of `src` the data,
 * env and max_pixels count.
 * PLATEN_ERR_FORMAT, _UNSUPPORTED, _LIMIT, _NOMEM. */
PL_MUST_USE platen_status pl_jbig2_decode(const struct pl_source *src, const uint8_t *globals,
                                          size_t n_globals, int width, int height,
                                          struct pl_decoded *ret, struct platen_error *err);

#endif
