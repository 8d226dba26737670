/* SPDX-License-Identifier: BSD-2-Clause */
/* What a pipeline is: its stages and steps, the presets, and its canonical text. */
#include <string.h>

#include "base/mem.h"
#include "spec/spec.h"

const struct pl_preset pl_presets[] = {
    {"document",
     "gray,square,invert:auto,background:mode=shaded,orient,deskew | regions:else=lines | ctc",
     "scanned pages (the default)"},
    {"receipt", "gray,square,invert:auto,background,orient,deskew | regions:else=lines | ctc",
     "narrow till receipts"},
    {"photo", "gray,square,invert:auto,background,orient,deskew | regions:else=lines | ctc",
     "pages photographed in uneven light"},
    {"line", "gray,invert:auto | line | ctc:min-conf=0", "pictures of a single text line"},
    {"clean",
     "gray,square,invert:auto,background,orient,deskew,rescale,unrule,despeckle,border:clear,"
     "whiten",
     "clean grey pages for other engines; add binarize for black and white"},
    {"none", "gray | lines | ctc", "pages that are clean and straight already"},
    {NULL, NULL, NULL},
};

const struct pl_op_info *const *pl_spec_ops(enum platen_stage stage)
{
    static const struct pl_op_info *const *const ops[PLATEN_STAGES] = {
        [PLATEN_STAGE_PREPROCESS] = pl_preprocess_ops,
        [PLATEN_STAGE_DETECT] = pl_detect_ops,
        [PLATEN_STAGE_RECOGNIZE] = pl_recognize_ops,
    };
    return ops[stage];
}

const struct pl_step *pl_spec_step(const struct platen_pipeline *p, enum platen_stage stage)
{
    if (stage <= PLATEN_STAGE_PREPROCESS || stage > p->last)
        return NULL;
    return &p->steps[p->n_preprocess + (size_t)(stage - PLATEN_STAGE_DETECT)];
}

void pl_spec_free(struct platen_pipeline *p)
{
    if (!p)
        return;
    pl_arena_done(&p->arena);
    pl_free(p);
}

platen_status pl_spec_copy(const struct platen_pipeline *p, struct platen_pipeline **ret,
                           struct platen_error *err)
{
    const size_t n = p->n_preprocess + (size_t)(p->last - PLATEN_STAGE_PREPROCESS);
    struct platen_pipeline *copy = pl_alloc_zero(1, sizeof(*copy));
    if (!copy)
        return pl_fail_nomem(err, sizeof(*copy), "the pipeline");
    *copy = *p;
    pl_arena_init(&copy->arena);
    copy->steps = PL_NEW(&copy->arena, struct pl_step, n);
    if (!copy->steps) {
        pl_spec_free(copy);
        return pl_fail_nomem(err, n * sizeof(struct pl_step), "the pipeline");
    }
    memcpy(copy->steps, p->steps, n * sizeof(*copy->steps));
    *ret = copy;
    return PLATEN_OK;
}

bool pl_spec_is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* With a backslash before what would end the value, or be dropped at its ends. */
static void print_text(const char *text, struct pl_str *out)
{
    for (const char *p = text; *p; p++) {
        bool end = p == text || !p[1];
        if (strchr(",|:\\", *p) || (end && pl_spec_is_space(*p)))
            pl_str_putc(out, '\\');
        pl_str_putc(out, *p);
    }
}

void pl_spec_print_value(const struct pl_param *param, double number, const char *text,
                         struct pl_str *out)
{
    if (param->kind == PL_PARAM_TEXT)
        print_text(text ? text : "", out);
    else if (param->kind == PL_PARAM_CHOICE)
        pl_str_puts(out, param->choices[(size_t)number]);
    else if (param->def_text && number == param->def)
        pl_str_puts(out, param->def_text);
    else
        pl_str_number(out, number, 9);
}

static void print_step(const struct pl_step *step, struct pl_str *out)
{
    pl_str_puts(out, step->info->name);
    for (size_t i = 0; i < step->info->n_params; i++) {
        const struct pl_param *param = &step->info->params[i];
        const char *text = pl_arg_text(param, step->args);
        if (param->kind == PL_PARAM_TEXT && !text)
            continue;
        pl_str_printf(out, ":%s=", param->name);
        pl_spec_print_value(param, pl_arg_number(param, step->args), text, out);
    }
}

void pl_spec_print(const struct platen_pipeline *p, struct pl_str *out)
{
    size_t n = p->n_preprocess + (size_t)(p->last - PLATEN_STAGE_PREPROCESS);
    for (size_t i = 0; i < n; i++) {
        if (i)
            pl_str_puts(out, i < p->n_preprocess ? "," : " | ");
        print_step(&p->steps[i], out);
    }
}
