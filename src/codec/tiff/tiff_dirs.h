/* SPDX-License-Identifier: BSD-2-Clause */
/* The chain of directories of a TIFF, from its bytes alone: Adobe TIFF 6.0, section 2, and BigTIFF.
 * Nothing outside src/codec includes this. */
#ifndef PL_CODEC_TIFF_DIRS_H
#define PL_CODEC_TIFF_DIRS_H

#include "codec/decode.h"

/* Directories in one file; one more is refused. */
#define PL_TIFF_MAX_DIRECTORIES 10000

/* The directories of the pages; thumbnails and masks are none. */
struct pl_tiff_pages {
    uint64_t *at; /* where the directory of each lies; pl_free() */
    int n;
    bool ring; /* the chain leads back: the last one of `at` cannot be read, and stands for that */
};

/* Walks over the chain once. Where it leads out of the file, or into directories that others lie
 * over, there is a page more, which cannot be read. PLATEN_ERR_LIMIT, _NOMEM, or _FORMAT when there
 * is no header. */
PL_MUST_USE platen_status pl_tiff_find_pages(const uint8_t *data, size_t n,
                                             struct pl_tiff_pages *ret, struct platen_error *err);

/* Finds where the directory of the page lies that src->opt names, or of the first one: 0 where
 * there is none. Fails as pl_tiff_find_pages() does. */
PL_MUST_USE platen_status pl_tiff_find_page(const struct pl_source *src, uint64_t *ret,
                                            struct platen_error *err);

#endif
