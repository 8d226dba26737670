/* SPDX-License-Identifier: BSD-2-Clause */
/* Running whatever network opened, on small inputs. */
#ifndef TESTS_FUZZ_RUN_NETWORK_H
#define TESTS_FUZZ_RUN_NETWORK_H

#include <stdlib.h>

#include "nn/operators.h"
#include "nn/session.h"
#include "tests/best_kernels.h"

#define MAX_BYTES ((size_t)1 << 16) /* of values: bounds the time of a run, too */

/* An input of the declared shape; sizes that may vary are 3. */
static inline bool make_input(const struct pl_ir_value *v, struct pl_arena *arena,
                              struct pl_tensor *t)
{
    int64_t dims[PL_MAX_RANK];
    for (int i = 0; i < v->t.rank; i++)
        dims[i] = v->t.dims[i] < 0 ? 3 : v->t.dims[i];
    if (!pl_tensor_shape(t, v->t.type, PL_MAX(v->t.rank, 0), dims) ||
        pl_tensor_bytes(t) > MAX_BYTES)
        return false;
    t->data = pl_arena_alloc(arena, pl_tensor_bytes(t) + 1, 1);
    for (size_t i = 0; t->data && i < pl_tensor_bytes(t); i++)
        ((uint8_t *)t->data)[i] = (uint8_t)(i % 5);
    return t->data;
}

/* Two pictures of a column each, and one between them. */
static inline platen_status run_joined(struct pl_session *s, const struct pl_tensor *in,
                                       struct platen_error *err)
{
    static const int64_t at = 1;
    static const struct pl_joints two = {&at, 1, 1, 3};
    pl_session_join(s, &two);
    return pl_session_run(s, in, err);
}

static inline void run_network(const struct pl_ir *g)
{
    struct platen_error err = {0};
    struct pl_session *s = NULL;
    struct pl_arena arena;
    pl_arena_init(&arena);
    struct pl_tensor *in = PL_NEW(&arena, struct pl_tensor, g->n_inputs);
    bool ok = in && g->n_nodes <= 64 && !pl_session_new(g, best_kernels(), MAX_BYTES, &s, &err);
    for (size_t i = 0; i < g->n_inputs && ok; i++)
        ok = make_input(&g->values[g->inputs[i]], &arena, &in[i]);
    if (ok && pl_session_run(s, in, &err) && !err.text[0])
        abort(); /* refused without a reason */
    err.text[0] = '\0';
    if (ok && g->n_inputs == 1 && in->rank && in->dims[in->rank - 1] == 3 &&
        run_joined(s, in, &err) && !err.text[0])
        abort();
    pl_session_free(s);
    pl_arena_done(&arena);
}

#endif
