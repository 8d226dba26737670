/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of file types: signs, extensions and decoders of what is read, and the words for what
 * is not. Nothing outside src/codec includes this. */
#ifndef PL_CODEC_TYPES_H
#define PL_CODEC_TYPES_H

#include "codec/decode.h"
#include "codec/stored.h"

#define PL_FILE_SIGNS 2

/* Does what pl_image_stored() does; ret->turn is 1 before, the rest zero. */
typedef bool pl_stored_fn(const struct pl_source *src, struct pl_stored *ret);
pl_stored_fn pl_jpeg_stored, pl_png_stored, pl_tiff_stored, pl_jp2_stored, pl_pdf_stored;

/* What files of a type have in the same place; '?' stands for any byte. */
struct pl_file_sign {
    const char *magic;
    size_t bytes, offset;
};

struct pl_file_type {
    const char *name;       /* of what is decoded "PNG", else with its article "a HEIC picture" */
    const char *extensions; /* by which the files of a directory are taken for pictures, in small
                               letters, parted by single blanks; NULL = by none */
    struct pl_file_sign signs[PL_FILE_SIGNS]; /* any of which tells the type */
    pl_decode_fn *decode;                     /* NULL = the type is not read */
    pl_probe_fn *probe;
    pl_pages_fn *pages;   /* NULL = a file is one picture */
    pl_end_fn *end;       /* NULL = the format does not tell, or nobody asks */
    pl_ends_fn *ends;     /* in its place, where there are several such places */
    pl_moves_fn *moves;   /* NULL = the format has one picture, or animations of it are not read */
    pl_stored_fn *stored; /* NULL = none of its pictures is stored as in PDF */
    bool own_header;      /* its size and pages are read by what is written here, every step */
    unsigned library;     /* of PL_LIBRARIES_ALL, that it needs; 0 = none of these */
    /* Memory that decoding takes, in bytes a pixel: a fixed part, and one for each channel. */
    struct {
        unsigned pixel, channel;
    } memory;
    const char *hint;     /* of a type that is not read: why, and what to do */
    platen_status status; /* of a type that is not read */
};

/* Of what is in no file, opt->raster. */
extern const struct pl_file_type pl_raster_type;

/* What a file that begins with data[0..n), n > 0, is; NULL when it is like nothing known. */
const struct pl_file_type *pl_file_type_of(const uint8_t *data, size_t n);

/* Whether the first bytes alone are too weak a sign: TGA has no magic number, and BMP one of two
 * letters. */
bool pl_file_type_is_guess(const struct pl_file_type *t, const uint8_t *data, size_t n);

#endif
