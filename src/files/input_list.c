/* SPDX-License-Identifier: BSD-2-Clause */
/* The list of inputs as it grows. */
#include "base/mem.h"
#include "files/walk.h"

void pl_inputs_init(struct pl_inputs *in)
{
    *in = (struct pl_inputs){0};
    pl_arena_init(&in->arena);
}

void pl_inputs_done(struct pl_inputs *in)
{
    for (struct pl_archive *a = in->archives; a; a = a->next)
        pl_map_close(&a->map);
    pl_arena_done(&in->arena);
    pl_free(in->v);
    pl_free(in->spare);
    pl_passed_done(&in->passed);
    pl_map_close(&in->from_stdin);
    *in = (struct pl_inputs){0};
}

void pl_inputs_reset(struct pl_inputs *in)
{
    pl_arena_reset(&in->arena);
    in->n = 0;
}

platen_status pl_inputs_nomem(struct platen_error *err)
{
    return pl_fail_nomem(err, sizeof(struct pl_input), "the list of inputs");
}

platen_status pl_inputs_push(struct pl_inputs *in, const char *path, const char *name,
                             const char *error, struct platen_error *err)
{
    if (!path || !name)
        return pl_inputs_nomem(err);
    if (in->n == in->cap) {
        size_t cap = PL_MAX(in->cap * 2, (size_t)64);
        struct pl_input *v = pl_realloc(in->v, cap, sizeof(*v));
        if (!v)
            return pl_inputs_nomem(err);
        in->v = v;
        in->cap = cap;
    }
    in->v[in->n++] = (struct pl_input){
        .path = path, .name = name, .file = name, .stem = name, .error = error, .label = path};
    return PLATEN_OK;
}

platen_status pl_inputs_push_lost(struct pl_inputs *in, const char *path, const char *name,
                                  const char *error, struct platen_error *err)
{
    platen_status s = pl_inputs_push(in, path, name, error, err);
    if (!s)
        in->v[in->n - 1].lost = true;
    return s;
}

platen_status pl_inputs_replace(struct pl_inputs *in, pl_replace_fn *replace, void *ctx,
                                struct platen_error *err)
{
    struct pl_input *old = in->v;
    const size_t n = in->n, cap = in->cap;
    platen_status s = PLATEN_OK;
    in->v = in->spare;
    in->cap = in->spare_cap;
    in->n = 0;
    for (size_t i = 0; !s && i < n; i++)
        s = replace(in, &old[i], ctx, err);
    in->spare = old;
    in->spare_cap = cap;
    return s;
}
