/* SPDX-License-Identifier: BSD-2-Clause */
/* What language models and identifiers have in common: a file whose table gives each of its names a
 * score, by the sum of the rows that a text chooses (platen-model.5). */
#ifndef PL_RECOGNIZE_SCORER_H
#define PL_RECOGNIZE_SCORER_H

#include "base/map.h"
#include "base/text.h"
#include "nn/container.h"
#include "simd/kernels.h"

#define PL_SCORER_MAX_NAMES 256
#define PL_SCORER_MAX_WIDTH 256
/* Sections, of which the last one may lack: words, of language models. */
#define PL_SCORER_SECTIONS 5
#define PL_SCORER_WORDS 4

/* Fixed by the file. */
struct pl_scorer {
    size_t n;                 /* names, 2 to PL_SCORER_MAX_NAMES */
    const char *const *names; /* UTF-8 */
    uint32_t rows;
    size_t width;
    const uint8_t *table; /* of kernel embed_sum_u8 */
    const float *bias;    /* n */
    const float *weights; /* width rows of n */
    size_t bytes;         /* of the file */
    int major;            /* version of the file */
    struct pl_map map;    /* empty when the bytes are borrowed */
    struct pl_nn_range section[PL_SCORER_SECTIONS];
    struct pl_nn_meta *meta;
    size_t n_meta;
    struct pl_arena arena;
};

/* Reads a file of version `major`.0, which may have words or may not, into *s, which is zero, from
 * bytes that stay valid as long as the scorer and are aligned to 16. PLATEN_ERR_FORMAT,
 * _UNSUPPORTED, _LIMIT, _NOMEM; what *s then holds is given back by pl_scorer_done(). */
PL_MUST_USE platen_status pl_scorer_read(const void *data, size_t n, int major, bool words,
                                         struct pl_scorer *s, struct platen_error *err);
void pl_scorer_done(struct pl_scorer *s);
/* Appends what `platen model info` prints; `what` is the line about the names. */
void pl_scorer_describe(const struct pl_scorer *s, const char *what, struct pl_str *out);

/* Returns the row that a context chooses which was mixed to h, its number added. */
uint32_t pl_scorer_row(const struct pl_scorer *s, uint32_t h);
/* Returns h with a symbol mixed in; a context begins with 0. */
static inline uint32_t pl_scorer_mix(uint32_t h, uint32_t symbol)
{
    h = (h + symbol + 1) * 0x9e3779b1u;
    return h ^ h >> 15;
}

/* ret[i] = natural logarithm of the probability of name i, by the sum of rows. The same bits on
 * every ISA. */
void pl_scorer_guess(const struct pl_scorer *s, const struct pl_kernels *k, const float *sum,
                     float *ret);

#endif
