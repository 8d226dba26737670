/* SPDX-License-Identifier: BSD-2-Clause */
/* Symbols at their places (ITU-T T.88, 6.4): text regions, and symbols that are made of others. */
#ifndef PL_CODEC_PDF_JBIG2_TEXT_H
#define PL_CODEC_PDF_JBIG2_TEXT_H

#include "codec/pdf/jbig2_huffman.h"
#include "codec/pdf/jbig2_symbols.h"

/* The kinds of numbers of which each has contexts of its own in the arithmetic code, and the first
 * three a table in the Huffman code. Names are those of the standard, without IA. */
enum {
    PL_JB_DT,
    PL_JB_FS,
    PL_JB_DS,
    PL_JB_TEXT_TABLES,
    PL_JB_IT = PL_JB_TEXT_TABLES,
    PL_JB_RI,
    PL_JB_RDW,
    PL_JB_RDH,
    PL_JB_RDX,
    PL_JB_RDY,
    PL_JB_TEXT_INTS
};

struct pl_jb_text {
    uint32_t instances; /* how many symbols are placed */
    int log_strips;     /* the rows of a strip are 1 << log_strips */
    int corner; /* of a symbol, that its place is of: 0 bottom left, 1 top left, 2 and 3 right */
    bool transposed;
    enum pl_jb_operator op;
    int offset; /* between symbols */
    bool refined;
    struct pl_jb_refine refine;
    /* The arithmetic code. */
    struct pl_mq *mq;
    int id_bits;
    uint8_t (*ints)[512]; /* PL_JB_TEXT_INTS of them */
    uint8_t *ids;
    uint8_t *refine_contexts;
    /* The Huffman code; bits = NULL for the arithmetic one. */
    struct pl_jb_bits *bits;
    struct pl_jb_table tables[PL_JB_TEXT_TABLES], id_table;
};

/* Sets the contexts of the arithmetic code for t->id_bits; pl_jb_text_done() frees them. */
PL_MUST_USE platen_status pl_jb_text_contexts(struct pl_jb_text *t, struct pl_jb_budget *budget);
void pl_jb_text_done(struct pl_jb_text *t);

/* Draws t->instances symbols of `in` on `to`, strip by strip. */
platen_status pl_jb_text_draw(const struct pl_jb_text *t, const struct pl_jb_symbols *in,
                              struct pl_jb_budget *budget, struct pl_jb_bitmap *to);
/* Decodes a symbol that is wider by dw and higher by dh than `old`, which lies at (dx, dy) on it.
 */
platen_status pl_jb_text_refine(const struct pl_jb_text *t, int64_t dw, int64_t dh, int64_t dx,
                                int64_t dy, const struct pl_jb_bitmap *old,
                                struct pl_jb_budget *budget, struct pl_jb_bitmap *ret);

/* Decodes the data of a text region behind the region's head; `to` has its size. */
platen_status pl_jb_read_text(struct pl_jb_bytes *data, const struct pl_jb_symbols *in,
                              struct pl_jb_budget *budget, struct pl_jb_bitmap *to);

#endif
