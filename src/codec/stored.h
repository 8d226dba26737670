/* SPDX-License-Identifier: BSD-2-Clause */
/* Pictures as their files store them, where PDF stores pictures in the same way (ISO 32000-1, 7.4):
 * the bytes can be copied, and nothing is decoded. */
#ifndef PL_CODEC_STORED_H
#define PL_CODEC_STORED_H

#include "base/text.h"
#include "codec/codec.h"

enum pl_stored_form {
    PL_STORED_NONE,
    PL_STORED_JPEG,      /* DCTDecode */
    PL_STORED_TIFF_JPEG, /* the same, in the strips of a TIFF */
    PL_STORED_JPEG2000,  /* JPXDecode */
    PL_STORED_PNG,       /* FlateDecode with the predictors of PNG */
    PL_STORED_FAX,       /* CCITTFaxDecode */
    PL_STORED_JBIG2,     /* JBIG2Decode */
};

struct pl_stored {
    enum pl_stored_form form;
    int width, height, turn; /* as it is stored, and the EXIF orientation, 1 to 8, that it wants */
    int channels;            /* of the picture: 1 grey or of a palette, 3 RGB, 4 inks of print */
    int bits;                /* of a sample; of JPEG 2000 nobody needs to know */
    const uint8_t *palette;  /* of PNG: n_colors of three bytes each; or NULL */
    int n_colors;
    bool inverted;       /* the least of each sample is what the most would be: /Decode [1 0 ...] */
    int color_transform; /* JPEG: what /DecodeParms says of it, plus one; 0 = nothing */
    int k;               /* fax: < 0 group 4, 0 rows of one dimension, > 0 rows of both kinds */
    bool aligned;        /* fax: rows begin at whole bytes */
    bool ends_told;      /* fax: a code stands at the end of each row */
    bool black_is_1;     /* fax: runs of black are white, and the other way round */
    bool low_bit_first;  /* fax: in the file, not in what pl_stored_put() appends */
    bool boxed;          /* JPEG 2000: the file has boxes around its code stream */
    uint64_t directory;  /* JPEG in TIFF: of the page, in `data`, which is the whole file */
    const uint8_t *data; /* in the file: what is copied, of PNG from its first chunk on */
    size_t n;
    size_t bytes;          /* that pl_stored_put() appends */
    const uint8_t *shared; /* JBIG2: a stream before `data`, of several pictures; or NULL */
    size_t n_shared;
    uint8_t *own; /* of a PDF, whose streams are packed and encrypted: the bytes of both; or NULL */
};

/* Returns whether the picture of the page that opt names, or of the first one where opt is NULL, is
 * stored in such a form. Of a file that pl_image_load() decodes: damage in what only a decoder sees
 * is not found here. env may be NULL: it tells of cancellation. *ret points into the file, and is
 * for pl_stored_done(); where the picture is not stored so, its form and turn are right as far as
 * they are set. */
bool pl_image_stored(const struct pl_env *env, const uint8_t *data, size_t n,
                     const struct pl_load_options *opt, struct pl_stored *ret);
void pl_stored_done(struct pl_stored *p);
/* Appends the bytes of the stream, without `shared`. */
void pl_stored_put(const struct pl_stored *p, struct pl_str *out);

#endif
