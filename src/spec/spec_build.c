#include "spec/spec_build.h"

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
    size_t d = pl_edit_distance(candidate, strlen(candidate), name, n);
    if (!best->name || d < best->distance)
        *best = (struct pl_spec_nearest){candidate, d};
}

const char *pl_spec_nearest_text(const struct pl_spec_nearest *best, size_t n, char *buf,
                                 size_t size)
{
    buf[0] = '\0';
    if (best->name && best->distance <= PL_MAX(n / 3, (size_t)1))
        snprintf(buf, size, "; did you mean '%s'?", best->name);
    return buf;
}

static bool equal(const char *name, const char *s, size_t n)
{
    return strlen(name) == n && !memcmp(name, s, n);
}

static bool find(enum pl_spec_stage stage, const char *name, size_t n, struct pl_step *ret)
{
    for (size_t i = 0; pl_spec_op(stage, i, ret); i++)
        if (equal(ret->info->name, name, n))
            return true;
    return false;
}

/* "unknown operation", or the right one in the wrong stage, or one with a slip of the key. */
static platen_status fail_unknown_op(struct pl_spec_builder *b, enum pl_spec_stage stage,
                                     const char *name, size_t n)
{
    struct pl_step other;
    for (unsigned s = 0; s < PL_SPEC_STAGES; s++)
        if (find((enum pl_spec_stage)s, name, n, &other))
            return pl_spec_build_fail(
                b, PLATEN_ERR_ARG,
                "'%s' belongs to the %s stage, not to %s (preprocess | detect | recognize)",
                other.info->name, pl_spec_stage_name((enum pl_spec_stage)s),
                pl_spec_stage_name(stage));
    struct pl_spec_nearest best = {0};
    for (size_t i = 0; pl_spec_op(stage, i, &other); i++)
        pl_spec_nearest_add(&best, other.info->name, name, n);
    char hint[96];
    return pl_spec_build_fail(b, PLATEN_ERR_ARG, "unknown %s operation '%.*s'%s",
                              pl_spec_stage_name(stage), QUOTE(name, n),
                              pl_spec_nearest_text(&best, n, hint, sizeof(hint)));
}

platen_status pl_spec_build_op(struct pl_spec_builder *b, enum pl_spec_stage stage,
                               const char *name, size_t n)
{
    struct pl_step step;
    if (!find(stage, name, n, &step))
        return fail_unknown_op(b, stage, name, n);
    if (stage == PL_SPEC_PREPROCESS && b->n_steps == PL_SPEC_MAX_OPS)
        return pl_spec_build_fail(b, PLATEN_ERR_LIMIT, "more than %d operations", PL_SPEC_MAX_OPS);
    bool divides = stage == PL_SPEC_PREPROCESS && step.op.preprocess->divide;
    if (divides && b->p->divides)
        return pl_spec_build_fail(b, PLATEN_ERR_ARG, "a second '%s'", step.info->name);
    b->p->divides = b->p->divides || divides;
    struct pl_arg *args = pl_op_defaults(&b->p->arena, step.info);
    bool *given = PL_NEW(&b->p->arena, bool, step.info->n_params);
    if (!args || !given)
        return pl_fail_nomem(b->err, sizeof(*args), "the pipeline");
    step.args = b->args = args;
    b->given = given;
    b->p->steps[b->n_steps++] = step;
    b->p->n_preprocess += stage == PL_SPEC_PREPROCESS;
    b->p->stages = (int)stage + 1;
    return PLATEN_OK;
}

static const struct pl_op_info *last(const struct pl_spec_builder *b)
{
    return b->p->steps[b->n_steps - 1].info;
}

static platen_status mark(struct pl_spec_builder *b, size_t i, size_t *ret_index)
{
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
    b->args[i].number = value;
    return PLATEN_OK;
}

static platen_status set_choice(struct pl_spec_builder *b, const struct pl_param *param,
                                struct pl_arg *arg, const char *value, size_t n)
{
    struct pl_str known = {0};
    for (size_t i = 0; param->choices[i]; i++) {
        if (equal(param->choices[i], value, n)) {
            arg->number = (double)i;
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
                              struct pl_arg *arg, const char *value, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)value[i] < 0x20)
            return pl_spec_build_fail(b, PLATEN_ERR_ARG, "'%s' of %s holds a control character",
                                      param->name, last(b)->name);
    if (!n)
        return pl_spec_build_fail(b, PLATEN_ERR_ARG, "'%s' of %s is empty", param->name,
                                  last(b)->name);
    arg->text = pl_arena_strndup(&b->p->arena, value, n);
    return arg->text ? PLATEN_OK : pl_fail_nomem(b->err, n, "the pipeline");
}

platen_status pl_spec_build_text(struct pl_spec_builder *b, size_t i, const char *value, size_t n)
{
    const struct pl_param *param = &last(b)->params[i];
    double number;
    switch (param->kind) {
    case PL_PARAM_CHOICE:
        return set_choice(b, param, &b->args[i], value, n);
    case PL_PARAM_TEXT:
        return set_text(b, param, &b->args[i], value, n);
    case PL_PARAM_NUMBER:
    case PL_PARAM_INT:
        break;
    }
    if (param->def_text && equal(param->def_text, value, n)) {
        b->args[i].number = param->def;
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
    if (pl_preprocess_find(name, strlen(name)) || p->stages <= PL_SPEC_RECOGNIZE)
        return NULL;
    return &p->steps[p->n_preprocess + 1];
}

platen_status platen_pipeline_set(struct platen_pipeline *p, const char *name, const char *value,
                                  struct platen_error *err)
{
    struct pl_step *step = step_named(p, name);
    bool first = pl_preprocess_find(name, strlen(name));
    if (!step && first)
        return pl_fail(err, PLATEN_ERR_ARG, "the pipeline has no operation '%s'", name);
    if (!step)
        return pl_fail(err, PLATEN_ERR_ARG, "the pipeline has no recognize stage for '%s'", name);
    struct pl_arg *args = PL_NEW(&p->arena, struct pl_arg, step->info->n_params);
    bool *given = PL_NEW(&p->arena, bool, step->info->n_params);
    if (!args || !given)
        return pl_fail_nomem(err, sizeof(*args), "the pipeline");
    memcpy(args, step->args, step->info->n_params * sizeof(*args));
    size_t i = 0, n = (size_t)(step - p->steps);
    struct pl_spec_builder b = {p, n + 1, args, given, err, ""};
    platen_status s = first ? PLATEN_OK : pl_spec_build_key(&b, name, strlen(name), &i);
    if (!s)
        s = pl_spec_build_text(&b, i, value, strlen(value));
    if (!s)
        p->steps[n].args = args;
    return s;
}
