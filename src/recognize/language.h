/* SPDX-License-Identifier: BSD-2-Clause */
/* The language model: how likely each character is after those before it, from the sum of a few
 * rows of one 8-bit table that the last characters choose (platen-model.5). */
#ifndef PL_RECOGNIZE_LANGUAGE_H
#define PL_RECOGNIZE_LANGUAGE_H

#include "base/map.h"
#include "base/text.h"
#include "nn/container.h"
#include "simd/kernels.h"

/* How many symbols a guess looks at, and how many rows it adds up. */
#define PL_LANGUAGE_HISTORY 16
#define PL_LANGUAGE_CONTEXTS 7
#define PL_LANGUAGE_MAX_SYMBOLS 128
#define PL_LANGUAGE_MAX_WIDTH 256
#define PL_LANGUAGE_SECTIONS 4

/* An opened model, which does not change. Symbols are numbers from 0 to n_symbols - 1: 0 is the
 * blank, and the beginning and end of a line; the last one stands for every character that has
 * none. */
struct pl_language {
    size_t n_symbols;
    const char *const *alphabet;
    uint32_t rows;
    size_t width;
    const uint8_t *table;   /* of kernel embed_sum_u8 */
    const float *bias;      /* n_symbols */
    const float *weights;   /* width rows of n_symbols */
    uint8_t symbol_of[128]; /* of ASCII */
    uint8_t small[128];     /* the symbol's small letter, or itself */
    bool letter[128];       /* of a symbol */
    size_t bytes;           /* of the file */
    struct pl_map map;      /* empty when the bytes are borrowed */
    struct pl_nn_range section[PL_LANGUAGE_SECTIONS];
    struct pl_nn_meta *meta;
    size_t n_meta;
    struct pl_arena arena;
};

/* Opens and checks a file. PLATEN_ERR_IO, _FORMAT, _UNSUPPORTED, _LIMIT, _NOMEM. */
PL_MUST_USE platen_status pl_language_open(const char *path, struct pl_language **ret,
                                           struct platen_error *err);
/* Does the same with bytes that stay valid as long as the model, and are aligned to 16 bytes. */
PL_MUST_USE platen_status pl_language_open_memory(const void *data, size_t n,
                                                  struct pl_language **ret,
                                                  struct platen_error *err);
void pl_language_free(struct pl_language *l);
/* Appends what `platen model info` prints: name, size, sections, metadata. */
void pl_language_describe(const struct pl_language *l, struct pl_str *out);

/* Returns the symbol of a code point. Digits share that of '0', typographic quotes and dashes
 * those of ASCII. */
uint8_t pl_language_symbol(const struct pl_language *l, uint32_t code_point);

/* Sets ret[s] to the natural logarithm of the probability of symbol s after `history`, whose
 * newest symbol is the last. A line begins after PL_LANGUAGE_HISTORY blanks. The bits are the
 * same on every ISA. */
void pl_language_guess(const struct pl_language *l, const struct pl_kernels *k,
                       const uint8_t history[PL_LANGUAGE_HISTORY],
                       float ret[PL_LANGUAGE_MAX_SYMBOLS]);

/* Natural logarithm of the probability of text[0..n) at the beginning of a line; what follows the
 * last whole character of it does not count. */
double pl_language_likelihood(const struct pl_language *l, const struct pl_kernels *k,
                              const char *text, size_t n);

PL_DEFINE_AUTO(language)

#endif
