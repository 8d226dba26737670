/* SPDX-License-Identifier: BSD-2-Clause */
/* The fields of a directory of a TIFF: Adobe TIFF 6.0, section 2, and BigTIFF. Any bytes may be
 * asked: what lies behind the end of the file is 0. Nothing outside src/codec includes this. */
#ifndef PL_CODEC_TIFF_FIELDS_H
#define PL_CODEC_TIFF_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Tags of fields. */
enum {
    PL_TIFF_SUBFILE = 254,     /* bit 0: a thumbnail, bit 2: a mask */
    PL_TIFF_OLD_SUBFILE = 255, /* 2: a thumbnail */
    PL_TIFF_WIDTH = 256,
    PL_TIFF_HEIGHT = 257,
    PL_TIFF_BITS = 258,
    PL_TIFF_COMPRESSION = 259, /* 4: fax of group 4, 7: JPEG */
    PL_TIFF_PHOTOMETRIC = 262, /* 0: 0 is white, 1: 0 is black, 2: RGB, 6: YCbCr */
    PL_TIFF_FILL_ORDER = 266,  /* 2: the first pixel of a byte is in its lowest bit */
    PL_TIFF_STRIP_OFFSETS = 273,
    PL_TIFF_ORIENTATION = 274,
    PL_TIFF_SAMPLES = 277,
    PL_TIFF_STRIP_ROWS = 278,
    PL_TIFF_STRIP_BYTES = 279,
    PL_TIFF_PLANAR = 284, /* 2: each sample in strips of its own */
    PL_TIFF_TILE_OFFSETS = 324,
    PL_TIFF_TILE_BYTES = 325,
    PL_TIFF_JPEG_TABLES = 347, /* a JPEG of the tables that all strips share */
};

struct pl_tiff_file {
    const uint8_t *data;
    size_t n;
    bool big_endian, big_tiff;
    uint64_t first;
};

/* One directory: its entries lie at `entries`, `count` of them. */
struct pl_tiff_directory {
    uint64_t entries, count, next, end;
};

struct pl_tiff_field {
    unsigned tag, type;
    uint64_t count, at; /* of its values */
};

/* Reads the header; returns false where there is none. */
bool pl_tiff_begin(struct pl_tiff_file *f, const uint8_t *data, size_t n);
/* Returns false when the directory does not lie in the file. */
bool pl_tiff_read_directory(const struct pl_tiff_file *f, uint64_t at,
                            struct pl_tiff_directory *ret);
/* Bytes of an entry of a directory, and of a value of that type; 0 of a type that is unknown. */
unsigned pl_tiff_entry_bytes(const struct pl_tiff_file *f);
unsigned pl_tiff_value_bytes(unsigned type);
/* Field i of the directory, i < d->count, and value i of the field, i < v->count. */
struct pl_tiff_field pl_tiff_read_field(const struct pl_tiff_file *f,
                                        const struct pl_tiff_directory *d, uint64_t i);
uint64_t pl_tiff_value(const struct pl_tiff_file *f, const struct pl_tiff_field *v, uint64_t i);
/* The first field of that tag, as libtiff takes it; where there is none, or one without a value, it
 * has a count of 0. */
struct pl_tiff_field pl_tiff_find_field(const struct pl_tiff_file *f,
                                        const struct pl_tiff_directory *d, unsigned tag);
/* Its first value; 0 where there is none. */
uint64_t pl_tiff_number(const struct pl_tiff_file *f, const struct pl_tiff_directory *d,
                        unsigned tag);

#endif
