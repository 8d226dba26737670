#include "nn/language.h"

#include <math.h>
#include <string.h>

#include "base/fmath.h"
#include "nn/graph.h"
#include "nn/le.h"

#define MAX_SYMBOLS 128
#define OUTP_HEADER_BYTES 8
#define WORD_LETTERS 15 /* of the word so far that count */

/* ---- opening ---- */

/* The one code point of every symbol; letters are a to z and A to Z. */
static platen_status read_symbols(struct pl_model *m, struct platen_error *err)
{
    struct pl_language *l = &m->language;
    uint8_t other = (uint8_t)(l->n_symbols - 1);
    platen_status s = pl_nn_read_alphabet(m, l->n_symbols, false, &l->alphabet, err);
    if (s)
        return s;
    memset(l->symbol_of, other, sizeof(l->symbol_of));
    for (size_t i = 0; i + 1 < l->n_symbols; i++) {
        uint32_t c;
        size_t n = strlen(l->alphabet[i]);
        if (pl_utf8_get(l->alphabet[i], n, &c) != n || c > 127 || l->symbol_of[c] != other ||
            (i == 0) != (c == ' '))
            return pl_fail(err, PLATEN_ERR_FORMAT,
                           "symbol %zu is not an ASCII character of its own", i);
        l->symbol_of[c] = (uint8_t)i;
        l->letter[i] = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }
    for (size_t i = 0; i < l->n_symbols; i++)
        l->small[i] = (uint8_t)i;
    for (uint32_t c = 'A'; c <= 'Z'; c++)
        if (l->symbol_of[c] != other && l->symbol_of[c - 'A' + 'a'] != other)
            l->small[l->symbol_of[c]] = l->symbol_of[c - 'A' + 'a'];
    return PLATEN_OK;
}

static bool floats_ok(const float *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!(fabsf(v[i]) <= 1e6f)) /* a NaN fails, too */
            return false;
    return true;
}

static platen_status read_table(struct pl_model *m, struct platen_error *err)
{
    struct pl_language *l = &m->language;
    if (m->section[PL_NN_EMBD].size != (l->width + 8) * l->rows)
        return pl_fail(err, PLATEN_ERR_FORMAT, "section 'EMBD' is not %u rows of %zu", l->rows,
                       l->width);
    l->table = m->section[PL_NN_EMBD].data;
    for (uint32_t r = 0; r < l->rows; r++) {
        const uint8_t *end = l->table + (l->width + 8) * r + l->width;
        float v[2] = {pl_lef32(end), pl_lef32(end + 4)};
        if (!floats_ok(v, 2))
            return pl_fail(err, PLATEN_ERR_FORMAT, "row %u has a bad scale or offset", r);
    }
    return PLATEN_OK;
}

platen_status pl_nn_read_language(struct pl_model *m, struct platen_error *err)
{
    struct pl_language *l = &m->language;
    const struct pl_nn_range *out = &m->section[PL_NN_OUTP];
    if (out->size < OUTP_HEADER_BYTES)
        return pl_fail(err, PLATEN_ERR_FORMAT, "section 'OUTP' is too short");
    l->rows = pl_le32(out->data);
    l->width = pl_le32(out->data + 4);
    if (l->rows < 1 || l->rows > PL_NN_MAX_ROWS || l->width < 1 || l->width > PL_NN_MAX_WIDTH)
        return pl_fail(err, PLATEN_ERR_LIMIT, "the table has a shape beyond the limits");
    size_t floats = (out->size - OUTP_HEADER_BYTES) / 4;
    l->n_symbols = floats / (l->width + 1);
    if (out->size != OUTP_HEADER_BYTES + 4 * l->n_symbols * (l->width + 1) || l->n_symbols < 2 ||
        l->n_symbols > MAX_SYMBOLS)
        return pl_fail(err, PLATEN_ERR_FORMAT, "section 'OUTP' does not fit 2 to %d symbols",
                       MAX_SYMBOLS);
    l->bias = (const float *)(const void *)(out->data + OUTP_HEADER_BYTES);
    l->weights = l->bias + l->n_symbols;
    if (!floats_ok(l->bias, floats))
        return pl_fail(err, PLATEN_ERR_FORMAT, "section 'OUTP' has a bad number");
    platen_status s = read_table(m, err);
    return s ? s : read_symbols(m, err);
}

/* ---- guessing ---- */

uint8_t pl_language_symbol(const struct pl_language *l, uint32_t c)
{
    if (c >= '0' && c <= '9')
        c = '0';
    if (c == 0x2018 || c == 0x2019)
        c = '\'';
    if (c == 0x201c || c == 0x201d)
        c = '"';
    if (c == 0x2013 || c == 0x2014)
        c = '-';
    return c < 128 ? l->symbol_of[c] : (uint8_t)(l->n_symbols - 1);
}

static uint32_t mix(uint32_t h, uint32_t symbol)
{
    h = (h + symbol + 1) * 0x9e3779b1u;
    return h ^ h >> 15;
}

/* The rows of the seven contexts: the last one to three characters, the last four to six and the
 * word so far without regard to case. */
static void choose_rows(const struct pl_language *l, const uint8_t *history,
                        uint32_t ret[PL_LANGUAGE_CONTEXTS])
{
    const uint8_t *end = history + PL_LANGUAGE_HISTORY;
    uint32_t h = 0;
    for (uint32_t order = 1; order <= 3; order++)
        ret[order - 1] = (h = mix(h, end[-(int)order])) + order;
    h = 0;
    for (uint32_t order = 1; order <= 6; order++) {
        h = mix(h, l->small[end[-(int)order]]);
        if (order > 3)
            ret[order - 1] = h + order;
    }
    h = 0;
    for (int back = 1; back <= WORD_LETTERS && l->letter[end[-back]]; back++)
        h = mix(h, l->small[end[-back]]);
    ret[6] = h + 7;
    for (size_t i = 0; i < PL_LANGUAGE_CONTEXTS; i++)
        ret[i] = (uint32_t)((uint64_t)mix(ret[i], 0) * l->rows >> 32);
}

/* v[i] becomes the logarithm of its share of the sum of exponentials. */
static void log_softmax(const struct pl_kernels *k, float *v, size_t n)
{
    uint32_t best;
    float share;
    k->softmax_top(&best, &share, v, 1, n);
    const float all = v[best] - pl_logf(share);
    for (size_t i = 0; i < n; i++)
        v[i] -= all;
}

void pl_language_guess(const struct pl_language *l, const struct pl_kernels *k,
                       const uint8_t history[PL_LANGUAGE_HISTORY], float ret[MAX_SYMBOLS])
{
    uint32_t rows[PL_LANGUAGE_CONTEXTS];
    float sum[PL_NN_MAX_WIDTH];
    choose_rows(l, history, rows);
    k->embed_sum_u8(sum, l->width, l->table, rows, PL_LANGUAGE_CONTEXTS);
    memcpy(ret, l->bias, l->n_symbols * sizeof(*ret));
    for (size_t d = 0; d < l->width; d++)
        for (size_t s = 0; s < l->n_symbols; s++)
            ret[s] += sum[d] * l->weights[d * l->n_symbols + s];
    log_softmax(k, ret, l->n_symbols);
}
