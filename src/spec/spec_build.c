/* SPDX-License-Identifier: BSD-2-Clause */
#include "spec/spec_build.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"

/* Longest piece of the user's text that a message repeats. */
#define QUOTED 40
#define QUOTE(s, n) (int)pl_utf8_prefix((s), (n), QUOTED), (s)

platen_status pl_spec_build_init(struct pl_spec_builder *b, struct platen_error *err)
{
    *b = (struct pl_spec_builder){.err = err};
    b->p = pl_alloc_zero(1, sizeof(*b->p));
    if (!b->p)
        return pl_fail_nomem(err, sizeof(*b->p), "the pipeline");
    pl_arena_init(&b->p->arena);
    b->p->steps = PL_NEW(&b->p->arena, struct pl_step, PL_SPEC_MAX_OPS + 2);
    if (!b->p->steps) {
        pl_spec_free(pl_steal(b->p));
        return pl_fail_nomem(err, sizeof(struct pl_step), "the pipeline");
    }
    return PLATEN_OK;
}

platen_status pl_spec_build_fail(struct pl_spec_builder *b, platen_status code, const char *fmt,
                                 ...)
{
    char text[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof(text), fmt, ap);
    va_end(ap);
    if (!b->where[0]) /* no text of a pipeline */
        return pl_fail(b->err, code, "%s", text);
    return pl_fail(b->err, code, "pipeline, %s: %s", b->where, text);
}

void pl_spec_nearest_add(struct pl_spec_nearest *best, const char *candidate, const char *name,
                         size_t n)
{
    char small[QUOTED];
    const size_t k = PL_MIN(n, sizeof(small));
    for (size_t i = 0; i < k; i++) /* what there is has small letters */
        small[i] = (char)tolower((unsigned char)name[i]);
    size_t d = pl_edit_distance(candidate, strlen(candidate), small, k) + (n - k);
    if (!best->name || d < best->distance)
        *best = (struct pl_spec_nearest){candidate, d};
}

const char *pl_spec_nearest_text(const struct pl_spec_nearest *best, size_t n, char *buf,
                                 size_t size)
{
    buf[0] = '\0';
    if (best->name && best->distance <= (n + 2) / 3)
        snprintf(buf, size, "; did you mean '%s'?", best->name);
    return buf;
}

static bool equal(const char *name, const char *s, size_t n)
{
    return strlen(name) == n && !memcmp(name, s, n);
}

/* "unknown operation", or the right one in the wrong stage, or one with a slip of the key. */
static platen_status fail_unknown_op(struct pl_spec_builder *b, enum platen_stage stage,
                                     const char *name, size_t n)
{
    const struct pl_op_info *other;
    for (unsigned s = PLATEN_STAGE_PREPROCESS; s <= PLATEN_STAGE_RECOGNIZE; s++) {
        other = pl_operation_find(pl_spec_ops((enum platen_stage)s), name, n);
        if (other)
            return pl_spec_build_fail(
                b, PLATEN_ERR_ARG,
                "'%s' belongs to the %s stage, not to %s (preprocess | detect | recognize)",
                other->name, platen_stage_name((enum platen_stage)s), platen_stage_name(stage));
    }
    struct pl_spec_nearest best = {0};
    for (size_t i = 0; (other = pl_spec_ops(stage)[i]); i++)
        pl_spec_nearest_add(&best, other->name, name, n);
    char hint[96];
    return pl_spec_build_fail(b, PLATEN_ERR_ARG, "unknown %s operation '%.*s'%s",
                              platen_stage_name(stage), QUOTE(name, n),
                              pl_spec_nearest_text(&best, n, hint, sizeof(hint)));
}

/* Room for the arguments of an operation, and for which of them the text names: these lie in the
 * builder. */
static platen_status begin_args(struct pl_spec_builder *b, const struct pl_op_info *op)
{
    b->args = pl_arena_alloc(&b->p->arena, 1, op->args_size);
    b->given = PL_NEW(&b->p->arena, bool, op->n_params);
    return b->args && b->given ? PLATEN_OK : pl_fail_nomem(b->err, op->args_size, "the pipeline");
}

platen_status pl_spec_build_op(struct pl_spec_builder *b, enum platen_stage stage, const char *name,
                               size_t n)
{
    const struct pl_op_info *op = pl_operation_find(pl_spec_ops(stage), name, n);
    if (!op)
        return fail_unknown_op(b, stage, name, n);
    if (stage == PLATEN_STAGE_PREPROCESS && b->n_steps == PL_SPEC_MAX_OPS)
        return pl_spec_build_fail(b, PLATEN_ERR_LIMIT, "more than %d operations", PL_SPEC_MAX_OPS);
    bool divides = stage == PLATEN_STAGE_PREPROCESS && pl_preprocess_op_of(op)->divide;
    if (divides && b->p->divides)
        return pl_spec_build_fail(b, PLATEN_ERR_ARG, "a second '%s'", op->name);
    b->p->divides = b->p->divides || divides;
    platen_status s = begin_args(b, op);
    if (s)
        return s;
    pl_args_init(op, b->args);
    b->p->steps[b->n_steps++] = (struct pl_step){op, b->args};
    b->p->n_preprocess += stage == PLATEN_STAGE_PREPROCESS;
    b->p->last = stage;
    return PLATEN_OK;
}

static const struct pl_op_info *last(const struct pl_spec_builder *b)
{
    assert(b->n_steps > 0);
    return b->p->steps[b->n_steps - 1].info;
}

static platen_status mark(struct pl_spec_builder *b, size_t i, size_t *ret_index)
{
    assert(i < last(b)->n_params);
    if (b->given[i])
        return pl_spec_build_fail(b, PLATEN_ERR_ARG, "'%s' of %s is given twice",
                                  last(b)->params[i].name, last(b)->name);
    b->given[i] = true;
    *ret_index = i;
    return PLATEN_OK;
}

platen_status pl_spec_build_key(struct pl_spec_builder *b, const char *key, size_t n,
                                size_t *ret_index)
{
    const struct pl_op_info *op = last(b);
    struct pl_spec_nearest best = {0};
    for (size_t i = 0; i < op->n_params; i++) {
        if (equal(op->params[i].name, key, n))
            return mark(b, i, ret_index);
        pl_spec_nearest_add(&best, op->params[i].name, key, n);
    }
    char hint[96];
    if (!op->n_params)
        return pl_spec_build_fail(b, PLATEN_ERR_ARG, "%s takes no parameters", op->name);
    return pl_spec_build_fail(b, PLATEN_ERR_ARG, "%s has no parameter '%.*s'%s", op->name,
                              QUOTE(key, n), pl_spec_nearest_text(&best, n, hint, sizeof(hint)));
}

platen_status pl_spec_build_first(struct pl_spec_builder *b, const char *value, size_t n,
                                  size_t *ret_index)
{
    const struct pl_op_info *op = last(b);
    if (!op->n_params)
        return pl_spec_build_fail(b, PLATEN_ERR_ARG, "%s takes no parameters", op->name);
    if (b->given[0])
        return pl_spec_build_fail(b, PLATEN_ERR_ARG,
                                  "'%.*s' needs a name: only '%s' of %s can go without",
                                  QUOTE(value, n), op->params[0].name, op->name);
    return mark(b, 0, ret_index);
}

static platen_status fail_range(struct pl_spec_builder *b, const struct pl_param *param,
                                double value)
{
    struct pl_str text = {0};
    pl_str_number(&text, value, 6);
    pl_str_puts(&text, " is outside ");
    pl_str_number(&text, param->min, 6);
    pl_str_puts(&text, "..");
    pl_str_number(&text, param->max, 6);
    platen_status s = pl_spec_build_fail(b, PLATEN_ERR_ARG, "'%s' of %s: %s", param->name,
                                         last(b)->name, text.failed ? "out of range" : text.s);
    pl_str_done(&text);
    return s;
}

platen_status pl_spec_build_number(struct pl_spec_builder *b, size_t i, double value)
{
    const struct pl_param *param = &last(b)->params[i];
    if (param->kind != PL_PARAM_NUMBER && param->kind != PL_PARAM_INT)
        return pl_spec_build_fail(b, PLATEN_ERR_ARG, "'%s' of %s is a word, not a number",
                                  param->name, last(b)->name);
    if (!isfinite(value) || value < param->min || value > param->max)
        return fail_range(b, param, value);
    if (param->kind == PL_PARAM_INT && value != nearbyint(value))
        return pl_spec_build_fail(b, PLATEN_ERR_ARG, "'%s' of %s is a whole number", param->name,
                                  last(b)->name);
    pl_arg_set_number(param, b->args, value);
    return PLATEN_OK;
}

static platen_status set_choice(struct pl_spec_builder *b, const struct pl_param *param,
                                const char *value, size_t n)
{
    struct pl_str known = {0};
    for (size_t i = 0; param->choices[i]; i++) {
        if (equal(param->choices[i], value, n)) {
            pl_arg_set_number(param, b->args, (double)i);
            pl_str_done(&known);
            return PLATEN_OK;
        }
        pl_str_printf(&known, "%s%s", i ? ", " : "", param->choices[i]);
    }
    platen_status s = pl_spec_build_fail(
        b, PLATEN_ERR_ARG, "'%s' of %s cannot be '%.*s'; it is one of %s", param->name,
        last(b)->name, QUOTE(value, n), known.failed ? "" : known.s);
    pl_str_done(&known);
    return s;
}

static platen_status set_text(struct pl_spec_builder *b, const struct pl_param *param,
                              const char *value, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)value[i] < 0x20)
            return pl_spec_build_fail(b, PLATEN_ERR_ARG, "'%s' of %s holds a control character",
                                      param->name, last(b)->name);
    if (!n)
        return pl_spec_build_fail(b, PLATEN_ERR_ARG, "'%s' of %s is empty", param->name,
                                  last(b)->name);
    const char *text = pl_arena_strndup(&b->p->arena, value, n);
    if (!text)
        return pl_fail_nomem(b->err, n, "the pipeline");
    pl_arg_set_text(param, b->args, text);
    return PLATEN_OK;
}

platen_status pl_spec_build_text(struct pl_spec_builder *b, size_t i, const char *value, size_t n)
{
    const struct pl_param *param = &last(b)->params[i];
    double number;
    switch (param->kind) {
    case PL_PARAM_CHOICE:
        return set_choice(b, param, value, n);
    case PL_PARAM_TEXT:
        return set_text(b, param, value, n);
    case PL_PARAM_NUMBER:
    case PL_PARAM_INT:
        break;
    }
    if (param->def_text && equal(param->def_text, value, n)) {
        pl_arg_set_number(param, b->args, param->def);
        return PLATEN_OK;
    }
    if (!pl_parse_double(value, n, &number))
        return pl_spec_build_fail(b, PLATEN_ERR_ARG, "'%s' of %s is a number, not '%.*s'",
                                  param->name, last(b)->name, QUOTE(value, n));
    return pl_spec_build_number(b, i, number);
}

/* The operation of stage one with that name, whose first parameter it stands for, or the recognize
 * stage; NULL when there is neither. */
static struct pl_step *step_named(const struct platen_pipeline *p, const char *name)
{
    for (size_t i = 0; i < p->n_preprocess; i++)
        if (!strcmp(p->steps[i].info->name, name))
            return &p->steps[i];
    if (pl_operation_find(pl_preprocess_ops, name, strlen(name)) ||
        p->last < PLATEN_STAGE_RECOGNIZE)
        return NULL;
    return &p->steps[p->n_preprocess + 1];
}

platen_status platen_pipeline_set(struct platen_pipeline *p, const char *name, const char *value,
                                  struct platen_error *err)
{
    platen_status s = PL_NEED(err, p, name, value);
    if (s)
        return s;
    struct pl_step *step = step_named(p, name);
    bool first = pl_operation_find(pl_preprocess_ops, name, strlen(name));
    if (!step && first)
        return pl_fail(err, PLATEN_ERR_UNSUPPORTED, "the pipeline has no operation '%s'", name);
    if (!step)
        return pl_fail(err, PLATEN_ERR_UNSUPPORTED, "the pipeline has no recognize stage for '%s'",
                       name);
    struct pl_spec_builder b = {.p = p, .n_steps = (size_t)(step - p->steps) + 1, .err = err};
    s = begin_args(&b, step->info);
    if (s)
        return s;
    memcpy(b.args, step->args, step->info->args_size);
    size_t i = 0;
    if (!first)
        s = pl_spec_build_key(&b, name, strlen(name), &i);
    if (!s)
        s = pl_spec_build_text(&b, i, value, strlen(value));
    if (!s)
        step->args = b.args;
    return s;
}
