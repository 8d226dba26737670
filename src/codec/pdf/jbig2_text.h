/* SPDX-License-Identifier: BSD-2-Clause */
/* Symbols at their places (ITU-T T.88, 6.4): text regions, and symbols that are made of others. */
#ifndef PL_CODEC_PDF_JBIG2_TEXT_H
#define PL_CODEC_PDF_JBIG2_TEXT_H

#include "codec/pdf/jbig2_huffman.h"
#include "codec/pdf/jbig2_symbols.h"

/* The kinds of numbers of which each has contexts of its own in the arithmetic code, and those
 * before PL_JB_TEXT_TABLES a table in the Huffman code. Names are those of the standard, without
 * IA.
 */
enum {
    PL_JB_FS,
    PL_JB_DS,
    PL_JB_DT,
    PL_JB_RDW,
    PL_JB_RDH,
    PL_JB_RDX,
    PL_JB_RDY,
    PL_JB_RSIZE, /* of the Huffman code alone */
    PL_JB_TEXT_TABLES,
    PL_JB_IT = PL_JB_TEXT_TABLES,
    PL_JB_RI,
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
    /* The arithmetic code; refined symbols are in it everywhere. */
    struct pl_mq *mq;
    int id_bits;
    uint8_t (*ints)[512]; /* PL_JB_TEXT_INTS of them */
    uint8_t *ids;
    uint8_t *refine_contexts;
    /* The Huffman code; bits = NULL for the arithmetic one. */
    struct pl_jb_bits *bits;
    struct pl_jb_table tables[PL_JB_TEXT_TABLES];
    struct pl_jb_table id_table; /* of no word where symbols are told by id_bits bits */
};

/* Sets the contexts of the arithmetic code for t->id_bits; pl_jb_text_done() frees them. */
PL_MUST_USE platen_status pl_jb_text_contexts(struct pl_jb_text *t, struct pl_jb_budget *budget);
/* Makes the tables that the Huffman flags of a text region choose (7.4.3.1.2). */
PL_MUST_USE platen_status pl_jb_text_tables(struct pl_jb_text *t, uint32_t flags,
                                            struct pl_jb_own_tables *own,
                                            struct pl_jb_budget *budget);
#define PL_JB_AGGREGATE_TABLES 0x1540 /* these flags for symbols that are made of others */
void pl_jb_text_done(struct pl_jb_text *t);

/* Draws t->instances symbols of `in` on `to`, strip by strip. */
platen_status pl_jb_text_draw(const struct pl_jb_text *t, const struct pl_jb_symbols *in,
                              struct pl_jb_budget *budget, struct pl_jb_bitmap *to);
/* Decodes a symbol of this size from one of `in`, which it tells, and refines. */
platen_status pl_jb_text_refine_one(const struct pl_jb_text *t, const struct pl_jb_symbols *in,
                                    int64_t width, int64_t height, struct pl_jb_budget *budget,
                                    struct pl_jb_bitmap *ret);

/* Decodes the data of a text region behind the region's head; `to` has its size. */
platen_status pl_jb_read_text(struct pl_jb_bytes *data, struct pl_jb_given *in,
                              struct pl_jb_budget *budget, struct pl_jb_bitmap *to);

#endif
