/* SPDX-License-Identifier: BSD-2-Clause */
/* The two ways into a PNG. libpng is the judge: whatever the fast way does not know or like is left
 * to it, and so is every message about damage. Only a compressed stream of odd form whose checksum
 * holds is taken here and refused there. */
#ifndef PL_CODEC_PNG_H
#define PL_CODEC_PNG_H

#include "codec/decode.h"

/* What one ancillary chunk may hold; libpng refuses more. */
#define PL_PNG_MAX_CHUNK_BYTES 8000000u
/* Deflate makes at most 1032 bytes of one; a byte of a 1-bit row is 8 pixels. */
#define PL_PNG_MAX_PIXELS_PER_BYTE (1032u * 8u)

/* Any PNG, through libpng. */
pl_decode_fn pl_png_decode_any;
/* What a picture may take besides itself where that makes reading faster. */
#define PL_PNG_SPARE_BYTES ((size_t)1 << 22)
/* Whole files of 8 bits a sample or 1-bit grey, neither interlaced nor with a transparent key:
 * unpacked as a whole by libdeflate where that takes no more than spare_bytes besides the picture,
 * else strip by strip by ISA-L; the filters undone by kernels. *ret_done says whether it was such a
 * file, and whole; if not, nothing is known about it. PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_png_decode_plain(const struct pl_source *src, size_t spare_bytes,
                                              struct pl_decoded *ret, bool *ret_done,
                                              struct platen_error *err);

#endif
