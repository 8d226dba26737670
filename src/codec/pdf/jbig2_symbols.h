/* SPDX-License-Identifier: BSD-2-Clause */
/* Symbol dictionaries, text regions, patterns and halftones of JBIG2 (ITU-T T.88, 6.4 to 6.7). */
#ifndef PL_CODEC_PDF_JBIG2_SYMBOLS_H
#define PL_CODEC_PDF_JBIG2_SYMBOLS_H

#include "codec/pdf/jbig2_bitmap.h"

/* The bytes of a segment that are not read yet; a read behind the end gives 0 and sets `over`. */
struct pl_jb_bytes {
    const uint8_t *at, *end;
    bool over;
};
uint32_t pl_jb_take(struct pl_jb_bytes *b, int bytes);

/* Symbols or patterns; `own` are those that this list made, and frees. */
struct pl_jb_symbols {
    struct pl_jb_bitmap *v;
    uint32_t n;
    bool own;
};
void pl_jb_symbols_done(struct pl_jb_symbols *s);

/* Decodes the data of a symbol dictionary segment. `in` are the symbols of those that it refers to,
 * one after the other. What is exported is copied. */
platen_status pl_jb_read_symbols(struct pl_jb_bytes *data, const struct pl_jb_symbols *in,
                                 struct pl_jb_budget *budget, struct pl_jb_symbols *ret);
/* The data of a text region behind the region's head; `to` has its size. */
platen_status pl_jb_read_text(struct pl_jb_bytes *data, const struct pl_jb_symbols *in,
                              struct pl_jb_budget *budget, struct pl_jb_bitmap *to);
/* The data of a pattern dictionary. */
platen_status pl_jb_read_patterns(struct pl_jb_bytes *data, struct pl_jb_budget *budget,
                                  struct pl_jb_symbols *ret);
/* The data of a halftone region behind the region's head. */
platen_status pl_jb_read_halftone(struct pl_jb_bytes *data, const struct pl_jb_symbols *patterns,
                                  struct pl_jb_budget *budget, struct pl_jb_bitmap *to);

/* The flags of the adaptive pixels of a generic region. */
void pl_jb_take_at(struct pl_jb_bytes *b, struct pl_jb_generic *g);

platen_status pl_jb_damaged(struct pl_jb_budget *budget, const char *what);

#endif
