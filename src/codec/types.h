/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of file types: which decoder reads what, and what else a file may be. Nothing outside
 * src/codec includes this. */
#ifndef PL_CODEC_TYPES_H
#define PL_CODEC_TYPES_H

#include "codec/decode.h"

struct pl_file_type {
    const char *name;  /* of what is decoded "PNG", else with its article "a HEIC picture" */
    const char *magic; /* its first bytes, '?' stands for any; NULL = told in another way */
    size_t magic_bytes, offset;
    pl_decode_fn *decode; /* NULL = not read */
    pl_probe_fn *probe;
    pl_pages_fn *pages;   /* NULL = a file is one picture */
    const char *hint;     /* of what is not read: why, and what to do */
    platen_status status; /* of what is not read */
};

/* What a file that begins with data[0..n), n > 0, is; NULL when it is like nothing known. */
const struct pl_file_type *pl_file_type_of(const uint8_t *data, size_t n);

/* Whether the first bytes alone are too weak a sign: TGA has no magic number, and BMP one of two
 * letters. */
bool pl_file_type_is_guess(const struct pl_file_type *t, const uint8_t *data, size_t n);

#endif
