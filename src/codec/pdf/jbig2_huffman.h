/* SPDX-License-Identifier: BSD-2-Clause */
/* The Huffman codes of JBIG2: numbers in the standard tables or the file's own, and symbols (ITU-T
 * T.88, annex B). */
#ifndef PL_CODEC_PDF_JBIG2_HUFFMAN_H
#define PL_CODEC_PDF_JBIG2_HUFFMAN_H

#include "codec/pdf/jbig2_bitmap.h"

/* The bits of a segment, the highest of each byte first. */
struct pl_jb_bits {
    struct pl_jb_bytes *from; /* whose `over` is also set where there is no code of these bits */
    uint32_t byte;            /* the last one that was taken */
    int left;                 /* bits of it that were not */
};
/* Returns the next n bits, at most 32, as a number. */
uint32_t pl_jb_take_bits(struct pl_jb_bits *b, int n);
/* Passes over what is left of the last byte. */
void pl_jb_align(struct pl_jb_bits *b);

#define PL_JB_CODE_BITS 32 /* of the longest code */

/* A code in which each of n things has a word, which follows from the lengths of all words (B.3).
 */
struct pl_jb_table {
    uint32_t count[PL_JB_CODE_BITS + 1]; /* words of each length; those of length 0 do not count */
    uint32_t *things;                    /* by their words: shorter ones first */
    const struct pl_jb_line *lines;      /* the numbers that things are; NULL = symbols */
    struct pl_jb_line *own_lines;        /* these, where a file brought them along; or NULL */
    bool borrowed;                       /* all of that is another table's */
};
/* Makes standard table B.`number`, 1 to 15. */
PL_MUST_USE platen_status pl_jb_table_standard(struct pl_jb_budget *budget, int number,
                                               struct pl_jb_table *ret);
/* Decodes the data of a segment that is a table (B.2). PLATEN_ERR_FORMAT, _LIMIT, _NOMEM. */
PL_MUST_USE platen_status pl_jb_table_read(struct pl_jb_bytes *data, struct pl_jb_budget *budget,
                                           struct pl_jb_table *ret);
void pl_jb_table_done(struct pl_jb_table *t);

/* The tables of the file's own to which a segment refers, in that order. */
struct pl_jb_own_tables {
    const struct pl_jb_table **v;
    uint32_t n, taken;
};

/* Where the flags of a segment choose the table of a kind of numbers: one of n standard tables from
 * B.`first` on, or with the highest value of the field the next one of the file's own. */
struct pl_jb_choice {
    uint8_t shift, mask, first, n;
};
/* Makes the tables that the flags choose: ret[i] as choices[i] says. All of ret[0..n) are then for
 * pl_jb_table_done(), also after an error if they were zero before. */
PL_MUST_USE platen_status pl_jb_tables_choose(struct pl_jb_budget *budget,
                                              const struct pl_jb_choice *choices, int n,
                                              uint32_t flags, struct pl_jb_own_tables *own,
                                              struct pl_jb_table *ret);

/* Returns the next thing, or 0 and sets `over`. */
uint32_t pl_jb_huffman_thing(struct pl_jb_bits *b, const struct pl_jb_table *t);
/* Reads the next number of a table that has lines. Returns false for "out of band". */
bool pl_jb_huffman_int(struct pl_jb_bits *b, const struct pl_jb_table *t, int32_t *ret);
/* Reads the code of n symbols, which stands before the text that uses it (7.4.3.1.7). */
PL_MUST_USE platen_status pl_jb_huffman_symbols(struct pl_jb_bits *b, uint32_t n,
                                                struct pl_jb_budget *budget,
                                                struct pl_jb_table *ret);

#endif
