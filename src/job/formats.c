/* SPDX-License-Identifier: BSD-2-Clause */
#include "job/formats.h"

#include <string.h>

#include "output/tree.h"
#include "spec/spec_build.h"

static platen_status fail_unknown_format(const char *name, size_t n, struct platen_error *err)
{
    struct pl_spec_nearest best = {0};
    struct pl_str known = {0};
    for (size_t i = 0; pl_emitters[i]; i++) {
        pl_spec_nearest_add(&best, pl_emitters[i]->name, name, n);
        pl_str_printf(&known, "%s%s", i ? ", " : "", pl_emitters[i]->name);
    }
    char hint[96];
    platen_status s = pl_fail(err, PLATEN_ERR_ARG, "unknown format '%.*s' (known: %s)%s",
                              (int)PL_MIN(n, (size_t)40), name, known.failed ? "" : known.s,
                              pl_spec_nearest_text(&best, n, hint, sizeof(hint)));
    pl_str_done(&known);
    return s;
}

platen_status pl_plan_add_format(struct pl_plan *plan, const char *name, size_t n,
                                 struct platen_error *err)
{
    const struct pl_emitter *e = pl_emitter_find(name, n);
    if (!e)
        return fail_unknown_format(name, n, err);
    if (e->needs > plan->pipeline->last)
        return pl_fail(err, PLATEN_ERR_ARG,
                       "format '%s' needs a pipeline with a %s stage; this one ends with %s",
                       e->name, platen_stage_name(e->needs),
                       platen_stage_name(plan->pipeline->last));
    for (size_t i = 0; i < plan->n_formats; i++)
        if (!strcmp(plan->formats[i]->extension, e->extension))
            return pl_fail(err, PLATEN_ERR_ARG, "formats '%s' and '%s' would share a file",
                           plan->formats[i]->name, e->name);
    if (plan->n_formats == PL_MAX_FORMATS)
        return pl_fail(err, PLATEN_ERR_LIMIT, "more than %d formats", PL_MAX_FORMATS);
    plan->formats[plan->n_formats++] = e;
    plan->source = plan->source || e->source;
    return PLATEN_OK;
}

void pl_plan_add_tree(struct pl_plan *plan)
{
    plan->formats[plan->n_formats++] = &pl_emit_tree;
}
