/* SPDX-License-Identifier: BSD-2-Clause */
/* `platen ops`: the registries as text for people and as JSON. */
#include <string.h>

#include "spec/describe.h"

#include "base/mem.h"
#include "base/sized.h"
#include "output/emit.h"
#include "spec/spec_build.h"

platen_status pl_describe_give(struct pl_str *text, char **ret, struct platen_error *err)
{
    pl_str_add(text, "", 0);
    if (text->failed) {
        pl_str_done(text);
        return pl_fail_nomem(err, 0, "a description");
    }
    *ret = text->s;
    return PLATEN_OK;
}

static void param_default(const struct pl_param *p, struct pl_str *out)
{
    pl_spec_print_value(p, p->def, p->def_text, out);
}

/* "0..1", "2..401, whole", "auto, yes, no", "text" */
static void param_range(const struct pl_param *p, struct pl_str *out)
{
    if (p->kind == PL_PARAM_TEXT) {
        pl_str_puts(out, "text");
    } else if (p->kind == PL_PARAM_CHOICE) {
        for (size_t i = 0; p->choices[i]; i++)
            pl_str_printf(out, "%s%s", i ? ", " : "", p->choices[i]);
    } else {
        pl_str_number(out, p->min, 9);
        pl_str_puts(out, "..");
        pl_str_number(out, p->max, 9);
        pl_str_puts(out, p->kind == PL_PARAM_INT ? ", whole" : "");
        pl_str_printf(out, "%s%s", p->def_text ? " or " : "", p->def_text ? p->def_text : "");
    }
    if (p->unit && p->unit[0])
        pl_str_printf(out, " %s", p->unit);
}

static void op_text(const struct pl_op_info *op, struct pl_str *out)
{
    pl_str_printf(out, "  %-12s %s\n", op->name, op->help);
    for (size_t i = 0; i < op->n_params; i++) {
        const struct pl_param *p = &op->params[i];
        pl_str_printf(out, "    %s=", p->name);
        param_default(p, out);
        pl_str_puts(out, "  (");
        param_range(p, out);
        pl_str_printf(out, ")  %s\n", p->help);
    }
}

static void json_string(struct pl_str *out, const char *key, const char *value)
{
    pl_str_printf(out, "\"%s\": ", key);
    pl_str_json(out, value, strlen(value));
}

static void param_json(const struct pl_param *p, struct pl_str *out)
{
    static const char *const kinds[] = {"number", "int", "choice", "text"};
    pl_str_putc(out, '{');
    json_string(out, "name", p->name);
    pl_str_printf(out, ", \"kind\": \"%s\", ", kinds[p->kind]);
    if (p->kind == PL_PARAM_NUMBER || p->kind == PL_PARAM_INT) {
        pl_str_puts(out, "\"min\": ");
        pl_str_number(out, p->min, 9);
        pl_str_puts(out, ", \"max\": ");
        pl_str_number(out, p->max, 9);
        pl_str_puts(out, ", \"default\": ");
        pl_str_puts(out, p->def_text ? "\"" : "");
        param_default(p, out);
        pl_str_puts(out, p->def_text ? "\"" : "");
    } else {
        struct pl_str def = {0};
        param_default(p, &def);
        pl_str_add(&def, "", 0);
        if (!def.failed)
            json_string(out, "default", def.s);
        out->failed = out->failed || def.failed;
        pl_str_done(&def);
    }
    if (p->kind == PL_PARAM_CHOICE) {
        pl_str_puts(out, ", \"choices\": [");
        for (size_t i = 0; p->choices[i]; i++) {
            pl_str_puts(out, i ? ", " : "");
            pl_str_json(out, p->choices[i], strlen(p->choices[i]));
        }
        pl_str_putc(out, ']');
    }
    pl_str_puts(out, ", ");
    json_string(out, "unit", p->unit ? p->unit : "");
    pl_str_puts(out, ", ");
    json_string(out, "help", p->help);
    pl_str_putc(out, '}');
}

static void op_json(enum platen_stage stage, const struct pl_op_info *op, struct pl_str *out)
{
    pl_str_puts(out, "    {");
    json_string(out, "name", op->name);
    pl_str_puts(out, ", ");
    json_string(out, "stage", platen_stage_name(stage));
    pl_str_puts(out, ", ");
    json_string(out, "help", op->help);
    pl_str_puts(out, ", \"params\": [");
    for (size_t i = 0; i < op->n_params; i++) {
        pl_str_puts(out, i ? ",\n      " : "\n      ");
        param_json(&op->params[i], out);
    }
    pl_str_puts(out, "]}");
}

static void presets(enum platen_form form, struct pl_str *out)
{
    pl_str_puts(out, form == PLATEN_FORM_JSON ? ",\n  \"presets\": [\n" : "\npresets\n");
    for (const struct pl_preset *p = pl_presets; p->name; p++) {
        if (form == PLATEN_FORM_TEXT) {
            pl_str_printf(out, "  @%-11s %s\n    %s\n", p->name, p->help, p->text);
            continue;
        }
        pl_str_puts(out, p == pl_presets ? "    {" : ",\n    {");
        json_string(out, "name", p->name);
        pl_str_puts(out, ", ");
        json_string(out, "pipeline", p->text);
        pl_str_puts(out, ", ");
        json_string(out, "help", p->help);
        pl_str_putc(out, '}');
    }
    if (form == PLATEN_FORM_JSON)
        pl_str_puts(out, "\n  ]");
}

static size_t add_ops(const char *name, enum platen_form form, struct pl_str *out)
{
    size_t found = 0;
    for (unsigned s = PLATEN_STAGE_PREPROCESS; s <= PLATEN_STAGE_RECOGNIZE; s++) {
        const struct pl_op_info *op;
        if (!name && form == PLATEN_FORM_TEXT)
            pl_str_printf(out, "%s%s\n", s > PLATEN_STAGE_PREPROCESS ? "\n" : "",
                          platen_stage_name((enum platen_stage)s));
        for (size_t i = 0; (op = pl_spec_ops((enum platen_stage)s)[i]); i++) {
            if (name && strcmp(name, op->name))
                continue;
            if (form == PLATEN_FORM_TEXT) {
                op_text(op, out);
            } else {
                pl_str_puts(out, found ? ",\n" : "");
                op_json((enum platen_stage)s, op, out);
            }
            found++;
        }
    }
    return found;
}

static platen_status fail_unknown_name(const char *name, struct platen_error *err)
{
    struct pl_spec_nearest best = {0};
    const struct pl_op_info *op;
    char hint[96];
    for (unsigned s = PLATEN_STAGE_PREPROCESS; s <= PLATEN_STAGE_RECOGNIZE; s++)
        for (size_t i = 0; (op = pl_spec_ops((enum platen_stage)s)[i]); i++)
            pl_spec_nearest_add(&best, op->name, name, strlen(name));
    return pl_fail(err, PLATEN_ERR_ARG, "unknown operation '%s'%s", name,
                   pl_spec_nearest_text(&best, strlen(name), hint, sizeof(hint)));
}

platen_status platen_ops_describe(const char *name, enum platen_form form, char **ret,
                                  struct platen_error *err)
{
    struct pl_str out = {0};
    platen_status s = PL_NEED(err, ret);
    if (s)
        return s;
    if (form == PLATEN_FORM_JSON)
        pl_str_puts(&out, "{\n  \"operations\": [\n");
    if (!add_ops(name, form, &out) && name) {
        pl_str_done(&out);
        return fail_unknown_name(name, err);
    }
    if (form == PLATEN_FORM_JSON)
        pl_str_puts(&out, "\n  ]");
    if (!name)
        presets(form, &out);
    if (form == PLATEN_FORM_JSON)
        pl_str_puts(&out, "\n}\n");
    return pl_describe_give(&out, ret, err);
}

platen_status platen_pipeline_print(const struct platen_pipeline *p, char **ret,
                                    struct platen_error *err)
{
    struct pl_str out = {0};
    platen_status s = PL_NEED(err, p, ret);
    if (s)
        return s;
    pl_spec_print(p, &out);
    return pl_describe_give(&out, ret, err);
}

platen_status platen_pipeline_parse(const char *text, size_t n, enum platen_form form,
                                    struct platen_pipeline **ret, size_t *ret_column,
                                    struct platen_error *err)
{
    platen_status s = PL_NEED(err, ret);
    s = s ? s : PL_NEED_WHEN(err, n, text);
    if (s)
        return s;
    return form == PLATEN_FORM_JSON ? pl_spec_parse_json(text, n, ret, ret_column, err)
                                    : pl_spec_parse(text, n, ret, ret_column, err);
}

void platen_pipeline_free(struct platen_pipeline *p)
{
    pl_spec_free(p);
}

int platen_pipeline_stages(const struct platen_pipeline *p)
{
    return (int)p->last;
}

const char *platen_pipeline_format(const struct platen_pipeline *p)
{
    static const char *const fitting[] = {"png", "json", "txt"};
    return fitting[p->last - PLATEN_STAGE_PREPROCESS];
}

bool platen_format_at(size_t i, struct platen_format *ret)
{
    const struct pl_emitter *const *e = pl_emitters;
    while (*e && i--)
        e++;
    if (!*e || !ret || pl_sized_check(ret, "platen_format", NULL))
        return false;
    const struct platen_format known = {.name = (*e)->name,
                                        .extension = (*e)->extension,
                                        .help = (*e)->help,
                                        .stages = (int)(*e)->needs,
                                        .binary = (*e)->binary,
                                        .single = (*e)->single,
                                        .media_type = (*e)->media_type};
    pl_sized_give(ret, &known, sizeof(known));
    return true;
}

void platen_free(void *text)
{
    pl_free(text);
}
