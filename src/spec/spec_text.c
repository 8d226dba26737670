/* SPDX-License-Identifier: BSD-2-Clause */
/* The text form of a pipeline: OP[:KEY=VALUE]...,OP | OP | OP, or @PRESET. */
#include <stdio.h>
#include <string.h>

#include "spec/spec_build.h"

/* The text form: a cursor, and where the thing that is being read began. */
struct spec_text {
    struct pl_spec_builder b;
    const char *text;
    size_t n, at, start;
};

static size_t column_of(const char *text, size_t at)
{
    size_t column = 1;
    for (size_t i = 0; i < at; i++)
        column += ((unsigned char)text[i] & 0xc0) != 0x80;
    return column;
}

/* Messages from now on point at byte `at`. */
static void point(struct spec_text *r, size_t at)
{
    r->start = at;
    snprintf(r->b.where, sizeof(r->b.where), "column %zu", column_of(r->text, at));
}

static void skip_space(struct spec_text *r)
{
    while (r->at < r->n && pl_spec_is_space(r->text[r->at]))
        r->at++;
}

/* Reads up to one of `stops` or the end, without the space around it; points at it. A character
 * behind a backslash is no stop and no space. */
static const char *read_word(struct spec_text *r, const char *stops, size_t *ret_n)
{
    skip_space(r);
    size_t begin = r->at, end = begin;
    while (r->at < r->n && !(r->text[r->at] && strchr(stops, r->text[r->at]))) {
        bool escape = r->text[r->at] == '\\' && r->at + 1 < r->n;
        bool space = pl_spec_is_space(r->text[r->at]);
        r->at += escape ? 2 : 1;
        end = space ? end : r->at;
    }
    point(r, begin);
    *ret_n = end - begin;
    return r->text + begin;
}

static bool at_char(struct spec_text *r, char c)
{
    if (r->at >= r->n || r->text[r->at] != c)
        return false;
    r->at++;
    return true;
}

/* A value without its backslashes. */
static platen_status set_value(struct spec_text *r, size_t i, const char *word, size_t n)
{
    char plain[PL_SPEC_MAX_TEXT];
    size_t len = 0;
    for (size_t at = 0; at < n; at++) {
        at += word[at] == '\\' && at + 1 < n;
        plain[len++] = word[at];
    }
    return pl_spec_build_text(&r->b, i, plain, len);
}

static platen_status read_param(struct spec_text *r)
{
    size_t n, i, key_at = r->at;
    const char *word = read_word(r, ",:|=", &n);
    platen_status s;
    if (at_char(r, '=')) {
        s = pl_spec_build_key(&r->b, word, n, &i);
        if (s)
            return s;
        word = read_word(r, ",:|", &n);
    } else {
        s = pl_spec_build_first(&r->b, word, n, &i);
        if (s)
            return s;
    }
    if (!n) {
        point(r, PL_MAX(r->at, key_at));
        return pl_spec_build_fail(&r->b, PLATEN_ERR_ARG, "a value is missing");
    }
    return set_value(r, i, word, n);
}

static platen_status read_op(struct spec_text *r, enum platen_stage stage)
{
    size_t n;
    const char *name = read_word(r, ",:|", &n);
    if (!n)
        return pl_spec_build_fail(&r->b, PLATEN_ERR_ARG, "an operation is missing");
    platen_status s = pl_spec_build_op(&r->b, stage, name, n);
    while (!s && at_char(r, ':'))
        s = read_param(r);
    return s;
}

static platen_status read_stage(struct spec_text *r, enum platen_stage stage)
{
    for (;;) {
        platen_status s = read_op(r, stage);
        if (s || !at_char(r, ','))
            return s;
        if (stage != PLATEN_STAGE_PREPROCESS) {
            point(r, r->at - 1);
            return pl_spec_build_fail(&r->b, PLATEN_ERR_ARG, "the %s stage has one operation",
                                      platen_stage_name(stage));
        }
    }
}

static platen_status read_pipeline(struct spec_text *r)
{
    for (unsigned stage = PLATEN_STAGE_PREPROCESS; stage <= PLATEN_STAGE_RECOGNIZE; stage++) {
        platen_status s = read_stage(r, (enum platen_stage)stage);
        if (s || !at_char(r, '|'))
            return s;
    }
    point(r, r->at - 1);
    return pl_spec_build_fail(&r->b, PLATEN_ERR_ARG,
                              "more than three stages (preprocess | detect | recognize)");
}

static platen_status parse_text(struct spec_text *r, size_t *ret_column, struct platen_error *err)
{
    platen_status s = pl_spec_build_init(&r->b, err);
    if (s)
        return s;
    s = read_pipeline(r);
    if (s) {
        *ret_column = s == PLATEN_ERR_NOMEM ? 0 : column_of(r->text, r->start);
        pl_spec_free(r->b.p);
    }
    return s;
}

/* A preset with more behind its name. */
static platen_status refuse_more(const char *name, size_t n, struct platen_error *err)
{
    return pl_fail(err, PLATEN_ERR_ARG,
                   "pipeline, column %zu: preset '%.*s' stands alone; 'platen ops' has its "
                   "operations, to be copied and changed",
                   n + 2, (int)n, name);
}

static platen_status find_preset(const char *name, size_t n, const char **ret, size_t *ret_column,
                                 struct platen_error *err)
{
    struct pl_spec_nearest best = {0};
    size_t end = 0;
    while (end < n && !strchr(" \t\r\n,|:", name[end]))
        end++;
    for (const struct pl_preset *p = pl_presets; p->name; p++) {
        if (strlen(p->name) == n && !memcmp(p->name, name, n)) {
            *ret = p->text;
            return PLATEN_OK;
        }
        if (strlen(p->name) == end && !memcmp(p->name, name, end)) {
            *ret_column = end + 2;
            return refuse_more(name, end, err);
        }
        pl_spec_nearest_add(&best, p->name, name, n);
    }
    char hint[96];
    return pl_fail(err, PLATEN_ERR_ARG, "pipeline, column 2: unknown preset '%.*s'%s",
                   (int)pl_utf8_prefix(name, n, 40), name,
                   pl_spec_nearest_text(&best, n, hint, sizeof(hint)));
}

platen_status pl_spec_parse(const char *text, size_t n, struct platen_pipeline **ret,
                            size_t *ret_column, struct platen_error *err)
{
    size_t column = 0;
    platen_status s = PLATEN_OK;
    if (n > PL_SPEC_MAX_TEXT)
        s = pl_fail(err, PLATEN_ERR_LIMIT, "pipeline: longer than %d bytes", PL_SPEC_MAX_TEXT);
    while (n && pl_spec_is_space(text[n - 1]) && !(n > 1 && text[n - 2] == '\\'))
        n--;
    if (!s && n && text[0] == '@') {
        const char *body = NULL;
        column = 2;
        s = find_preset(text + 1, n - 1, &body, &column, err);
        column = s ? column : 0;
        text = body;
        n = body ? strlen(body) : 0;
    }
    struct spec_text r = {.text = text, .n = n};
    if (!s)
        s = parse_text(&r, &column, err);
    if (!s)
        *ret = r.b.p;
    else if (ret_column)
        *ret_column = column;
    return s;
}
