/* zlib streams as a whole, through libdeflate. */
#ifndef PL_IMAGE_DEFLATE_H
#define PL_IMAGE_DEFLATE_H

#include "base/status.h"
#include "base/text.h"

/* *ret = whether packed[0..n) is one whole stream that makes exactly `bytes` bytes, with a right
 * checksum; else their content is undefined. PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_inflate(const uint8_t *packed, size_t n, uint8_t *to, size_t bytes,
                                     bool *ret, struct platen_error *err);
/* Appends data[0..n) as a stream, packed fast rather than small. PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_deflate(const uint8_t *data, size_t n, struct pl_str *out,
                                     struct platen_error *err);

#endif
