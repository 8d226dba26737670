#include "spec/spec.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "spec/spec_build.h"

const struct pl_preset pl_presets[] = {
    {"document", "gray,invert:auto,orient,deskew | lines | ctc", "scanned pages (the default)"},
    {"receipt", "gray,invert:auto,background,orient,deskew | lines | ctc", "narrow till receipts"},
    {"photo", "gray,invert:auto,background,orient,deskew | lines | ctc",
     "pages photographed in uneven light"},
    {"line", "gray,invert:auto | line | ctc:min-conf=0", "pictures of a single text line"},
    {"clean",
     "gray,invert:auto,background,orient,deskew,rescale,unrule,despeckle,border:clear,whiten",
     "clean grey pages for other engines; add binarize for black and white"},
    {"none", "gray | lines | ctc", "pages that are clean and straight already"},
    {NULL, NULL, NULL},
};

const char *pl_spec_stage_name(enum pl_spec_stage stage)
{
    static const char *const names[] = {"preprocess", "detect", "recognize"};
    return (unsigned)stage < PL_SPEC_STAGES ? names[stage] : "unknown";
}

const struct pl_op_info *pl_spec_op(enum pl_spec_stage stage, size_t i, struct pl_step *ret)
{
    struct pl_step step = {0};
    switch (stage) {
    case PL_SPEC_PREPROCESS:
        step.op.preprocess = pl_preprocess_ops[i];
        step.info = step.op.preprocess ? &step.op.preprocess->info : NULL;
        break;
    case PL_SPEC_DETECT:
        step.op.detect = pl_detect_ops[i];
        step.info = step.op.detect ? &step.op.detect->info : NULL;
        break;
    case PL_SPEC_RECOGNIZE:
        step.op.recognize = pl_recognize_ops[i];
        step.info = step.op.recognize ? &step.op.recognize->info : NULL;
        break;
    case PL_SPEC_STAGES:
        break;
    }
    if (ret)
        *ret = step;
    return step.info;
}

const struct pl_step *pl_spec_step(const struct platen_pipeline *p, enum pl_spec_stage stage)
{
    if (stage == PL_SPEC_PREPROCESS || p->stages <= (int)stage)
        return NULL;
    return &p->steps[p->n_preprocess + (size_t)stage - 1];
}

void pl_spec_free(struct platen_pipeline *p)
{
    if (!p)
        return;
    pl_arena_done(&p->arena);
    pl_free(p);
}

/* The text form: a cursor, and where the thing that is being read began. */
struct reader {
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
static void point(struct reader *r, size_t at)
{
    r->start = at;
    snprintf(r->b.where, sizeof(r->b.where), "column %zu", column_of(r->text, at));
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void skip_space(struct reader *r)
{
    while (r->at < r->n && is_space(r->text[r->at]))
        r->at++;
}

/* Reads up to one of `stops` or the end, without the space around it; points at it. A character
 * behind a backslash is no stop and no space. */
static const char *read_word(struct reader *r, const char *stops, size_t *ret_n)
{
    skip_space(r);
    size_t begin = r->at, end = begin;
    while (r->at < r->n && !(r->text[r->at] && strchr(stops, r->text[r->at]))) {
        bool escape = r->text[r->at] == '\\' && r->at + 1 < r->n;
        bool space = is_space(r->text[r->at]);
        r->at += escape ? 2 : 1;
        end = space ? end : r->at;
    }
    point(r, begin);
    *ret_n = end - begin;
    return r->text + begin;
}

static bool at_char(struct reader *r, char c)
{
    if (r->at >= r->n || r->text[r->at] != c)
        return false;
    r->at++;
    return true;
}

/* A value without its backslashes. */
static platen_status set_value(struct reader *r, size_t i, const char *word, size_t n)
{
    char plain[PL_SPEC_MAX_TEXT];
    size_t len = 0;
    for (size_t at = 0; at < n; at++) {
        at += word[at] == '\\' && at + 1 < n;
        plain[len++] = word[at];
    }
    return pl_spec_build_text(&r->b, i, plain, len);
}

static platen_status read_param(struct reader *r)
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

static platen_status read_op(struct reader *r, enum pl_spec_stage stage)
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

static platen_status read_stage(struct reader *r, enum pl_spec_stage stage)
{
    for (;;) {
        platen_status s = read_op(r, stage);
        if (s || !at_char(r, ','))
            return s;
        if (stage != PL_SPEC_PREPROCESS) {
            point(r, r->at - 1);
            return pl_spec_build_fail(&r->b, PLATEN_ERR_ARG, "the %s stage has one operation",
                                      pl_spec_stage_name(stage));
        }
    }
}

static platen_status read_pipeline(struct reader *r)
{
    for (unsigned stage = 0; stage < PL_SPEC_STAGES; stage++) {
        platen_status s = read_stage(r, (enum pl_spec_stage)stage);
        if (s || !at_char(r, '|'))
            return s;
    }
    point(r, r->at - 1);
    return pl_spec_build_fail(&r->b, PLATEN_ERR_ARG,
                              "more than three stages (preprocess | detect | recognize)");
}

static platen_status parse_text(struct reader *r, size_t *ret_column, struct platen_error *err)
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

static platen_status find_preset(const char *name, size_t n, const char **ret,
                                 struct platen_error *err)
{
    struct pl_spec_nearest best = {0};
    for (const struct pl_preset *p = pl_presets; p->name; p++) {
        if (strlen(p->name) == n && !memcmp(p->name, name, n)) {
            *ret = p->text;
            return PLATEN_OK;
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
    while (n && is_space(text[n - 1]) && !(n > 1 && text[n - 2] == '\\'))
        n--;
    if (!s && n && text[0] == '@') {
        const char *body = NULL;
        s = find_preset(text + 1, n - 1, &body, err);
        column = s ? 2 : 0;
        text = body;
        n = body ? strlen(body) : 0;
    }
    struct reader r = {.text = text, .n = n};
    if (!s)
        s = parse_text(&r, &column, err);
    if (!s)
        *ret = r.b.p;
    else if (ret_column)
        *ret_column = column;
    return s;
}

/* With a backslash before what would end the value, or be dropped at its ends. */
static void print_text(const char *text, struct pl_str *out)
{
    for (const char *p = text; *p; p++) {
        bool end = p == text || !p[1];
        if (strchr(",|:\\", *p) || (end && is_space(*p)))
            pl_str_putc(out, '\\');
        pl_str_putc(out, *p);
    }
}

void pl_spec_print_value(const struct pl_param *param, const struct pl_arg *arg, struct pl_str *out)
{
    if (param->kind == PL_PARAM_CHOICE)
        pl_str_puts(out, param->choices[(size_t)arg->number]);
    else if (param->kind == PL_PARAM_TEXT)
        print_text(arg->text ? arg->text : "", out);
    else if (param->def_text && arg->number == param->def)
        pl_str_puts(out, param->def_text);
    else
        pl_str_number(out, arg->number, 9);
}

static void print_step(const struct pl_step *step, struct pl_str *out)
{
    pl_str_puts(out, step->info->name);
    for (size_t i = 0; i < step->info->n_params; i++) {
        const struct pl_param *param = &step->info->params[i];
        if (param->kind == PL_PARAM_TEXT && !step->args[i].text)
            continue;
        pl_str_printf(out, ":%s=", param->name);
        pl_spec_print_value(param, &step->args[i], out);
    }
}

void pl_spec_print(const struct platen_pipeline *p, struct pl_str *out)
{
    size_t n = p->n_preprocess + (size_t)p->stages - 1;
    for (size_t i = 0; i < n; i++) {
        if (i)
            pl_str_puts(out, i < p->n_preprocess ? "," : " | ");
        print_step(&p->steps[i], out);
    }
}
