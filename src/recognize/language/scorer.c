/* SPDX-License-Identifier: BSD-2-Clause */
#include "recognize/language/scorer.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/byte_order.h"
#include "base/fmath.h"

#define MAX_ROWS ((uint32_t)1 << 22)
#define MAX_NAME_BYTES 16
#define OUTP_HEADER_BYTES 8

enum { META, ALPH, EMBD, OUTP };

static const char sections[PL_SCORER_SECTIONS][5] = {"META", "ALPH", "EMBD", "OUTP", "WORD"};

static platen_status read_meta(struct pl_scorer *l, struct platen_error *err)
{
    static const char *const required[] = {"name", "version", "licence"};
    platen_status s = pl_container_meta(&l->section[META], &l->arena, &l->meta, &l->n_meta, err);
    for (size_t i = 0; i < PL_ARRAY_LEN(required) && !s; i++)
        if (!pl_container_value(l->meta, l->n_meta, required[i]))
            s = pl_fail(err, PLATEN_ERR_FORMAT, "metadata key '%s' is missing", required[i]);
    return s;
}

/* NUL-terminated names. */
static platen_status read_names(struct pl_scorer *l, struct platen_error *err)
{
    const struct pl_nn_range *sec = &l->section[ALPH];
    const char **names = PL_NEW(&l->arena, const char *, l->n);
    if (!names)
        return pl_fail_nomem(err, l->n * sizeof(*names), "the alphabet");
    const char *p = (const char *)sec->data, *end = p + sec->size;
    for (size_t i = 0; i < l->n; i++) {
        const char *nul = p < end ? memchr(p, '\0', (size_t)(end - p)) : NULL;
        if (!nul || nul == p || nul - p > MAX_NAME_BYTES ||
            !pl_container_is_text(p, (size_t)(nul - p)))
            return pl_fail(err, PLATEN_ERR_FORMAT, "malformed symbol %zu of the alphabet", i);
        names[i] = p;
        p = nul + 1;
    }
    if (p != end)
        return pl_fail(err, PLATEN_ERR_FORMAT, "the alphabet has more symbols than classes");
    l->names = names;
    return PLATEN_OK;
}

static bool floats_ok(const float *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!(fabsf(v[i]) <= 1e6f)) /* a NaN fails, too */
            return false;
    return true;
}

static platen_status read_table(struct pl_scorer *l, struct platen_error *err)
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

static platen_status read_product(struct pl_scorer *l, struct platen_error *err)
{
    const struct pl_nn_range *out = &l->section[OUTP];
    if (out->size < OUTP_HEADER_BYTES)
        return pl_fail(err, PLATEN_ERR_FORMAT, "section 'OUTP' is too short");
    l->rows = pl_le32(out->data);
    l->width = pl_le32(out->data + 4);
    if (l->rows < 1 || l->rows > MAX_ROWS || l->width < 1 || l->width > PL_SCORER_MAX_WIDTH)
        return pl_fail(err, PLATEN_ERR_LIMIT, "the table has a shape beyond the limits");
    size_t floats = (out->size - OUTP_HEADER_BYTES) / 4;
    l->n = floats / (l->width + 1);
    if (out->size != OUTP_HEADER_BYTES + 4 * l->n * (l->width + 1) || l->n < 2 ||
        l->n > PL_SCORER_MAX_NAMES)
        return pl_fail(err, PLATEN_ERR_FORMAT, "section 'OUTP' does not fit 2 to %d symbols",
                       PL_SCORER_MAX_NAMES);
    l->bias = (const float *)(const void *)(out->data + OUTP_HEADER_BYTES);
    l->weights = l->bias + l->n;
    if (!floats_ok(l->bias, floats))
        return pl_fail(err, PLATEN_ERR_FORMAT, "section 'OUTP' has a bad number");
    platen_status s = read_table(l, err);
    return s ? s : read_names(l, err);
}

platen_status pl_scorer_read(const void *data, size_t n, int major, bool words, struct pl_scorer *s,
                             struct platen_error *err)
{
    if ((uintptr_t)data % 16)
        return pl_fail(err, PLATEN_ERR_ARG, "model bytes are not aligned to 16");
    pl_arena_init(&s->arena);
    s->bytes = n;
    s->major = major;
    const struct pl_container_form form = {.major = major,
                                           .names = sections,
                                           .n_sections = PL_SCORER_WORDS + words,
                                           .least = PL_SCORER_WORDS};
    platen_status status = pl_container_read(data, n, &form, s->section, err);
    status = status ? status : read_meta(s, err);
    return status ? status : read_product(s, err);
}

void pl_scorer_done(struct pl_scorer *s)
{
    pl_arena_done(&s->arena);
    pl_map_close(&s->map);
}

void pl_scorer_describe(const struct pl_scorer *s, const char *what, struct pl_str *out)
{
    pl_str_printf(out, "%s %s\nfile: %zu bytes, format %d.0, all checksums match\n",
                  pl_container_value(s->meta, s->n_meta, "name"),
                  pl_container_value(s->meta, s->n_meta, "version"), s->bytes, s->major);
    for (size_t i = 0; i < PL_SCORER_SECTIONS && s->section[i].data; i++)
        pl_str_printf(out, "  %s  offset %-8zu %zu bytes\n", sections[i], s->section[i].offset,
                      s->section[i].size);
    pl_str_printf(out,
                  "%s\ntable: %u rows of %zu u8, scale and offset beside each row: %.1f times less "
                  "than in floats\nmetadata:\n",
                  what, s->rows, s->width,
                  (double)(s->rows * s->width * sizeof(float)) / (double)s->section[EMBD].size);
    for (size_t i = 0; i < s->n_meta; i++)
        pl_str_printf(out, "  %s=%s\n", s->meta[i].key, s->meta[i].value);
}

uint32_t pl_scorer_row(const struct pl_scorer *s, uint32_t h)
{
    return (uint32_t)((uint64_t)pl_scorer_mix(h, 0) * s->rows >> 32);
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

void pl_scorer_guess(const struct pl_scorer *s, const struct pl_kernels *k, const float *sum,
                     float *ret)
{
    assert(s->n <= PL_SCORER_MAX_NAMES && s->width <= PL_SCORER_MAX_WIDTH);
    memcpy(ret, s->bias, s->n * sizeof(*ret));
    for (size_t d = 0; d < s->width; d++)
        for (size_t i = 0; i < s->n; i++)
            ret[i] += sum[d] * s->weights[d * s->n + i];
    log_softmax(k, ret, s->n);
}
