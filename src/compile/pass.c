/* SPDX-License-Identifier: BSD-2-Clause */
/* The list of passes, and their run over a graph. */
#include "compile/pass.h"

#include <string.h>

const struct pl_pass pl_passes[PL_PASS_COUNT] = {
#define PL_PASS(name, help) {#name, help, pl_pass_##name},
#include "compile/passes.def"
#undef PL_PASS
};

static bool find_pass(const char *name, size_t n, uint32_t *ret)
{
    for (int i = 0; i < PL_PASS_COUNT; i++)
        if (strlen(pl_passes[i].name) == n && !strncmp(pl_passes[i].name, name, n)) {
            *ret = 1u << i;
            return true;
        }
    return false;
}

platen_status pl_passes_parse(const char *list, uint32_t *ret, struct platen_error *err)
{
    uint32_t set = *list == '-' ? PL_PASS_ALL : 0, bit = 0;
    for (const char *p = list; *p; p += *p == ',') {
        size_t n = strcspn(p, ",");
        const bool off = *p == '-';
        if (n == 3 && !strncmp(p, "all", n))
            set = PL_PASS_ALL;
        else if (n == 4 && !strncmp(p, "none", n))
            set = 0;
        else if (find_pass(p + off, n - off, &bit))
            set = off ? set & ~bit : set | bit;
        else
            return pl_fail(err, PLATEN_ERR_ARG, "'%.*s' is no pass", (int)PL_MIN(n, 40u), p);
        p += n;
    }
    *ret = set;
    return PLATEN_OK;
}

static void list_operators(const struct pl_ir *g, const char *when, struct pl_str *log)
{
    size_t count[PL_OP_COUNT] = {0}, bytes = 0;
    for (size_t i = 0; i < g->n_nodes; i++)
        count[g->nodes[i].op->id]++;
    for (size_t i = 0; i < g->n_values; i++)
        bytes += g->values[i].t.data ? pl_tensor_bytes(&g->values[i].t) : 0;
    pl_str_printf(log, "%s: %zu nodes, %zu bytes of constants\n", when, g->n_nodes, bytes);
    for (int i = 0; i < PL_OP_COUNT; i++)
        if (count[i])
            pl_str_printf(log, "%7zu  %s\n", count[i], pl_op_by_id(i)->name);
}

platen_status pl_optimize(struct pl_ir *g, uint32_t passes, struct pl_str *log,
                          struct platen_error *err)
{
    platen_status s = PLATEN_OK;
    if (log)
        list_operators(g, "before", log);
    for (int i = 0; i < PL_PASS_COUNT && !s; i++) {
        size_t changes = 0;
        if (!(passes & 1u << i))
            continue;
        s = pl_rewrite_graph(g, pl_passes[i].run, NULL, &changes, err);
        if (log && !s)
            pl_str_printf(log, "%7zu  %s: %s\n", changes, pl_passes[i].name, pl_passes[i].help);
    }
    if (log && !s)
        list_operators(g, "after", log);
    return s;
}
