/* SPDX-License-Identifier: BSD-2-Clause */
/* Language models as files, in version 1.0 of the container (platen-model.5). */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "recognize/language.h"
#include "nn/le.h"

#define MAX_ROWS ((uint32_t)1 << 22)
#define MAX_SYMBOL_BYTES 16
#define OUTP_HEADER_BYTES 8

enum { META, ALPH, EMBD, OUTP };

static const char sections[PL_LANGUAGE_SECTIONS][5] = {"META", "ALPH", "EMBD", "OUTP"};

static platen_status read_meta(struct pl_language *l, struct platen_error *err)
{
    static const char *const required[] = {"name", "version", "licence"};
    platen_status s = pl_container_meta(&l->section[META], &l->arena, &l->meta, &l->n_meta, err);
    for (size_t i = 0; i < PL_ARRAY_LEN(required) && !s; i++)
        if (!pl_container_value(l->meta, l->n_meta, required[i]))
            s = pl_fail(err, PLATEN_ERR_FORMAT, "metadata key '%s' is missing", required[i]);
    return s;
}

/* Reads the symbols, each of which ends with a zero. */
static platen_status read_strings(struct pl_language *l, struct platen_error *err)
{
    const struct pl_nn_range *sec = &l->section[ALPH];
    const char **symbol = PL_NEW(&l->arena, const char *, l->n_symbols);
    if (!symbol)
        return pl_fail_nomem(err, l->n_symbols * sizeof(*symbol), "the alphabet");
    const char *p = (const char *)sec->data, *end = p + sec->size;
    for (size_t i = 0; i < l->n_symbols; i++) {
        const char *nul = p < end ? memchr(p, '\0', (size_t)(end - p)) : NULL;
        if (!nul || nul == p || nul - p > MAX_SYMBOL_BYTES ||
            !pl_container_is_text(p, (size_t)(nul - p)))
            return pl_fail(err, PLATEN_ERR_FORMAT, "malformed symbol %zu of the alphabet", i);
        symbol[i] = p;
        p = nul + 1;
    }
    if (p != end)
        return pl_fail(err, PLATEN_ERR_FORMAT, "the alphabet has more symbols than classes");
    l->alphabet = symbol;
    return PLATEN_OK;
}

/* Reads the one code point of every symbol. Letters are a to z and A to Z. */
static platen_status read_symbols(struct pl_language *l, struct platen_error *err)
{
    uint8_t other = (uint8_t)(l->n_symbols - 1);
    platen_status s = read_strings(l, err);
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

static platen_status read_table(struct pl_language *l, struct platen_error *err)
{
    if (l->section[EMBD].size != (l->width + 8) * l->rows)
        return pl_fail(err, PLATEN_ERR_FORMAT, "section 'EMBD' is not %u rows of %zu", l->rows,
                       l->width);
    l->table = l->section[EMBD].data;
    for (uint32_t r = 0; r < l->rows; r++) {
        const uint8_t *end = l->table + (l->width + 8) * r + l->width;
        float v[2] = {pl_lef32(end), pl_lef32(end + 4)};
        if (!floats_ok(v, 2))
            return pl_fail(err, PLATEN_ERR_FORMAT, "row %u has a bad scale or offset", r);
    }
    return PLATEN_OK;
}

static platen_status read_product(struct pl_language *l, struct platen_error *err)
{
    const struct pl_nn_range *out = &l->section[OUTP];
    if (out->size < OUTP_HEADER_BYTES)
        return pl_fail(err, PLATEN_ERR_FORMAT, "section 'OUTP' is too short");
    l->rows = pl_le32(out->data);
    l->width = pl_le32(out->data + 4);
    if (l->rows < 1 || l->rows > MAX_ROWS || l->width < 1 || l->width > PL_LANGUAGE_MAX_WIDTH)
        return pl_fail(err, PLATEN_ERR_LIMIT, "the table has a shape beyond the limits");
    size_t floats = (out->size - OUTP_HEADER_BYTES) / 4;
    l->n_symbols = floats / (l->width + 1);
    if (out->size != OUTP_HEADER_BYTES + 4 * l->n_symbols * (l->width + 1) || l->n_symbols < 2 ||
        l->n_symbols > PL_LANGUAGE_MAX_SYMBOLS)
        return pl_fail(err, PLATEN_ERR_FORMAT, "section 'OUTP' does not fit 2 to %d symbols",
                       PL_LANGUAGE_MAX_SYMBOLS);
    l->bias = (const float *)(const void *)(out->data + OUTP_HEADER_BYTES);
    l->weights = l->bias + l->n_symbols;
    if (!floats_ok(l->bias, floats))
        return pl_fail(err, PLATEN_ERR_FORMAT, "section 'OUTP' has a bad number");
    platen_status s = read_table(l, err);
    return s ? s : read_symbols(l, err);
}

platen_status pl_language_open_memory(const void *data, size_t n, struct pl_language **ret,
                                      struct platen_error *err)
{
    if ((uintptr_t)data % 16)
        return pl_fail(err, PLATEN_ERR_ARG, "model bytes are not aligned to 16");
    pl_auto(language) l = pl_alloc_zero(1, sizeof(*l));
    if (!l)
        return pl_fail_nomem(err, sizeof(*l), "a language model");
    pl_arena_init(&l->arena);
    l->bytes = n;
    platen_status s =
        pl_container_read(data, n, 1, sections, PL_LANGUAGE_SECTIONS, l->section, err);
    s = s ? s : read_meta(l, err);
    s = s ? s : read_product(l, err);
    if (!s)
        *ret = pl_steal(l);
    return s;
}

platen_status pl_language_open(const char *path, struct pl_language **ret, struct platen_error *err)
{
    struct pl_map map = {0};
    struct pl_language *l = NULL;
    platen_status s = pl_map_read(path, PL_CONTAINER_MAX_BYTES, &map, err);
    s = s ? s : pl_language_open_memory(map.data, map.size, &l, err);
    if (s) {
        pl_map_close(&map);
        return pl_fail_prefix(err, s, "unable to open model '%s': ", path);
    }
    l->map = map;
    *ret = l;
    return PLATEN_OK;
}

void pl_language_free(struct pl_language *l)
{
    if (!l)
        return;
    pl_arena_done(&l->arena);
    pl_map_close(&l->map);
    pl_free(l);
}

void pl_language_describe(const struct pl_language *l, struct pl_str *out)
{
    pl_str_printf(out, "%s %s\nfile: %zu bytes, format 1.0, all checksums match\n",
                  pl_container_value(l->meta, l->n_meta, "name"),
                  pl_container_value(l->meta, l->n_meta, "version"), l->bytes);
    for (size_t i = 0; i < PL_LANGUAGE_SECTIONS; i++)
        pl_str_printf(out, "  %s  offset %-8zu %zu bytes\n", sections[i], l->section[i].offset,
                      l->section[i].size);
    pl_str_printf(out,
                  "language model: %zu characters, guessed from %d contexts\n"
                  "table: %u rows of %zu u8, scale and offset beside each row\nmetadata:\n",
                  l->n_symbols, PL_LANGUAGE_CONTEXTS, l->rows, l->width);
    for (size_t i = 0; i < l->n_meta; i++)
        pl_str_printf(out, "  %s=%s\n", l->meta[i].key, l->meta[i].value);
}
