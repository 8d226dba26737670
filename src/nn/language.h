/* The language model: how likely each character is after those before it, from the sum of a few
 * rows of one 8-bit table that the last characters choose (platen-model.5). */
#ifndef PL_NN_LANGUAGE_H
#define PL_NN_LANGUAGE_H

#include "nn/model.h"
#include "simd/kernels.h"

/* Symbols that a guess looks at, and the rows that it adds up. */
#define PL_LANGUAGE_HISTORY 16
#define PL_LANGUAGE_CONTEXTS 7

/* An opened model; fixed by the file. Symbols are numbers 0 to n_symbols - 1: 0 is the blank and
 * the beginning and end of a line, the last one stands for every character that has none. */
struct pl_language {
    size_t n_symbols; /* at most 128 */
    const char *const *alphabet;
    uint32_t rows;
    size_t width;
    const uint8_t *table;   /* of kernel embed_sum_u8 */
    const float *bias;      /* n_symbols */
    const float *weights;   /* width rows of n_symbols */
    uint8_t symbol_of[128]; /* of ASCII */
    uint8_t small[128];     /* the symbol's small letter, or itself */
    bool letter[128];       /* of a symbol */
};

/* Symbol of a code point: digits share that of '0', typographic quotes and dashes those of ASCII.
 */
uint8_t pl_language_symbol(const struct pl_language *l, uint32_t code_point);

/* ret[s] = natural logarithm of the probability of symbol s after `history`, the newest last; a
 * line begins after PL_LANGUAGE_HISTORY blanks. The same bits on every ISA. */
void pl_language_guess(const struct pl_language *l, const struct pl_kernels *k,
                       const uint8_t history[PL_LANGUAGE_HISTORY], float ret[128]);

#endif
