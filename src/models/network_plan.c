/* SPDX-License-Identifier: BSD-2-Clause */
/* The memory plan of a network for inputs of given sizes, as text. */
#include "models/networks.h"

#include <stdlib.h>

#include "nn/session.h"
#include "spec/describe.h"

/* Reads "1x3x48x320,..." as shapes of the inputs. Their data is never read; that it is there marks
 * the inputs as given. */
static platen_status read_sizes(const char *sizes, const struct pl_ir *g, struct pl_tensor *ret,
                                struct platen_error *err)
{
    static char given;
    const char *p = sizes;
    for (size_t i = 0; i < g->n_inputs; i++) {
        int64_t dims[PL_MAX_RANK];
        int rank = 0;
        char *end;
        while (rank < PL_MAX_RANK) {
            dims[rank] = strtoll(p, &end, 10);
            rank += end != p;
            if (end == p || *end != 'x')
                break;
            p = end + 1;
        }
        const bool last = i + 1 == g->n_inputs;
        p = end;
        if (*p != (last ? '\0' : ',') ||
            !pl_tensor_shape(&ret[i], g->values[g->inputs[i]].t.type, rank, dims))
            return pl_fail(err, PLATEN_ERR_ARG, "sizes '%.80s' are not those of %zu inputs", sizes,
                           g->n_inputs);
        ret[i].data = &given;
        p += !last;
    }
    return PLATEN_OK;
}

static platen_status describe_plan(const struct pl_ir *g, const struct pl_kernels *k,
                                   const char *sizes, struct pl_str *out, struct platen_error *err)
{
    pl_auto(session) session = NULL;
    struct pl_arena arena;
    pl_arena_init(&arena);
    struct pl_tensor *in = PL_NEW(&arena, struct pl_tensor, g->n_inputs);
    platen_status s = in ? read_sizes(sizes, g, in, err)
                         : pl_fail_nomem(err, g->n_inputs * sizeof(*in), "a plan");
    s = s ? s : pl_session_new(g, k, PL_NETWORK_MAX_VALUE_BYTES, &session, err);
    s = s ? s : pl_session_describe(session, in, out, err);
    pl_arena_done(&arena);
    return s;
}

platen_status platen_model_plan(const char *model, const struct platen_network_options *o,
                                const char *sizes, char **ret, struct platen_error *err)
{
    pl_auto(network) n = NULL;
    const char *passes;
    struct pl_kernels k;
    struct pl_str out = {0};
    platen_status s = PL_NEED(err, model, sizes, ret);
    s = s ? s : pl_network_settings(o, &passes, &k, err);
    s = s ? s : pl_network_load(model, passes, &n, err);
    s = s ? s : describe_plan(&n->g, &k, sizes, &out, err);
    if (!s)
        return pl_describe_give(&out, ret, err);
    pl_str_done(&out);
    return s;
}
