/* SPDX-License-Identifier: BSD-2-Clause */
/* Symbol dictionaries, patterns and halftones of JBIG2 (ITU-T T.88, 6.5 to 6.7). */
#ifndef PL_CODEC_PDF_JBIG2_SYMBOLS_H
#define PL_CODEC_PDF_JBIG2_SYMBOLS_H

#include "codec/pdf/jbig2_bitmap.h"

/* Symbols or patterns; `own` are those that this list made, and frees. */
struct pl_jb_symbols {
    struct pl_jb_bitmap *v;
    uint32_t n;
    bool own;
};
void pl_jb_symbols_done(struct pl_jb_symbols *s);

#define PL_JB_MAX_SYMBOLS (1u << 20)

/* Returns the bits that tell n things apart. */
static inline int pl_jb_bits_for(uint32_t n)
{
    int bits = 0;
    while (bits < 31 && 1u << bits < n)
        bits++;
    return bits;
}

/* Decodes the data of a symbol dictionary segment. `in` are the symbols of those that it refers to,
 * one after the other. What is exported is copied. */
platen_status pl_jb_read_symbols(struct pl_jb_bytes *data, const struct pl_jb_symbols *in,
                                 struct pl_jb_budget *budget, struct pl_jb_symbols *ret);
/* The data of a pattern dictionary. */
platen_status pl_jb_read_patterns(struct pl_jb_bytes *data, struct pl_jb_budget *budget,
                                  struct pl_jb_symbols *ret);
/* The data of a halftone region behind the region's head. */
platen_status pl_jb_read_halftone(struct pl_jb_bytes *data, const struct pl_jb_symbols *patterns,
                                  struct pl_jb_budget *budget, struct pl_jb_bitmap *to);

/* The flags of the adaptive pixels of a generic region. */
void pl_jb_take_at(struct pl_jb_bytes *b, struct pl_jb_generic *g);

#endif
