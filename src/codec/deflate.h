/* SPDX-License-Identifier: BSD-2-Clause */
/* zlib streams: as a whole through libdeflate, which is the faster, or unpacked piece by piece
 * through ISA-L, which needs no room for all of it. */
#ifndef PL_CODEC_DEFLATE_H
#define PL_CODEC_DEFLATE_H

#include "base/bufpool.h"
#include "base/status.h"
#include "base/text.h"

/* A stream on its way. */
struct pl_inflate;

/* NULL when memory is short. */
struct pl_inflate *pl_inflate_new(struct pl_bufpool *bufs);
/* NULL is fine. */
void pl_inflate_free(struct pl_inflate *z, struct pl_bufpool *bufs);
/* The next n bytes of the stream, below 2^32, borrowed until they are used up: which they are when
 * pl_inflate_take() gives less than it was asked for. */
void pl_inflate_feed(struct pl_inflate *z, const uint8_t *packed, size_t n);
/* Unpacks up to n bytes, below 2^32, and returns how many; *ret_ok = false when the stream is
 * damaged. */
size_t pl_inflate_take(struct pl_inflate *z, uint8_t *to, size_t n, bool *ret_ok);
/* The stream has come to its end, its checksum is right, and all that was fed is used. */
bool pl_inflate_ended(const struct pl_inflate *z);

/* Unpacks the whole stream packed[0..n) to exactly `bytes` bytes; *ret = whether it was whole and
 * held as many, else nothing is known of `to`. PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_inflate(const uint8_t *packed, size_t n, uint8_t *to, size_t bytes,
                                     bool *ret, struct platen_error *err);

/* Appends data[0..n) as a stream, packed fast rather than small. PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_deflate(const uint8_t *data, size_t n, struct pl_str *out,
                                     struct platen_error *err);

#endif
