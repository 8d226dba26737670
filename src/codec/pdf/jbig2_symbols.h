/* SPDX-License-Identifier: BSD-2-Clause */
/* Symbol dictionaries, patterns and halftones of JBIG2 (ITU-T T.88, 6.5 to 6.7). */
#ifndef PL_CODEC_PDF_JBIG2_SYMBOLS_H
#define PL_CODEC_PDF_JBIG2_SYMBOLS_H

#include "codec/pdf/jbig2_bitmap.h"
#include "codec/pdf/jbig2_huffman.h"

/* Symbols or patterns; `own` are those that this list made, and frees. */
struct pl_jb_symbols {
    struct pl_jb_bitmap *v;
    uint32_t n;
    struct pl_jb_kept *kept; /* with which another dictionary may go on; or NULL */
    bool own;
};
void pl_jb_symbols_done(struct pl_jb_symbols *s);

/* What a segment is given by those that it refers to: the symbols or patterns of all, one after the
 * other, what the last dictionary kept, and the tables. All is borrowed, but for the lists. */
struct pl_jb_given {
    struct pl_jb_symbols symbols;
    struct pl_jb_own_tables tables;
};

#define PL_JB_MAX_SYMBOLS (1u << 20)

/* Returns the bits that tell n things apart. */
static inline int pl_jb_bits_for(uint32_t n)
{
    int bits = 0;
    while (bits < 31 && 1u << bits < n)
        bits++;
    return bits;
}

/* Decodes the data of a symbol dictionary segment. What is exported is copied. */
platen_status pl_jb_read_symbols(struct pl_jb_bytes *data, struct pl_jb_given *in,
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
