/* SPDX-License-Identifier: BSD-2-Clause */
/* Passes: rewrites of an imported network that keep its results and make it cheaper to run. Each
 * stands in its own file below pass/ and on one line of passes.def. */
#ifndef PL_COMPILE_PASS_H
#define PL_COMPILE_PASS_H

#include "base/text.h"
#include "nn/operators.h"

/* A pass at work. It visits the nodes in the order in which they run, so that what a node reads is
 * in its final form before the node is visited. */
struct pl_rewrite {
    struct pl_ir *g;
    uint32_t *n_reads; /* of a value: edges of nodes that matter, and outputs of the graph */
    uint32_t *forward; /* a value to the one that is read in its place */
    bool *dead;        /* nodes that no output depends on */
    size_t max_values; /* room in g->values; n_reads and forward have as much */
    size_t max_nodes;  /* room in g->nodes, and in dead */
    size_t changes;
    struct pl_kernels kernels; /* scalar: as good as any for constants */
    struct pl_arena scratch;   /* until the end of the pass */
    struct platen_error *err;
    void *ctx;
};

typedef platen_status pl_pass_fn(struct pl_rewrite *r);

struct pl_pass {
    const char *name, *help;
    pl_pass_fn *run;
};

enum pl_pass_id {
#define PL_PASS(name, help) PL_PASS_##name,
#include "compile/passes.def"
#undef PL_PASS
    PL_PASS_COUNT
};

#define PL_PASS_ALL ((1u << PL_PASS_COUNT) - 1)

extern const struct pl_pass pl_passes[PL_PASS_COUNT];

#define PL_PASS(name, help) pl_pass_fn pl_pass_##name;
#include "compile/passes.def"
#undef PL_PASS

/* "fold,cse" names passes to run, "-fold,-cse" those to leave out of all, "all" and "none" begin
 * with these. PLATEN_ERR_ARG for an unknown name. */
PL_MUST_USE platen_status pl_passes_parse(const char *list, uint32_t *ret,
                                          struct platen_error *err);

/* Runs the passes of the set, in the order of passes.def; `log`, if not NULL, gets the operators of
 * the graph before and after, and the changes of each pass. */
PL_MUST_USE platen_status pl_optimize(struct pl_ir *g, uint32_t passes, struct pl_str *log,
                                      struct platen_error *err);

/* Tells whether a graph computes in float16 or bfloat16, which pass `half` changes: constants or
 * inputs are of these types. */
bool pl_is_of_halves(const struct pl_ir *g);

/* ---- rewrite.c ---- */

/* Runs one pass, or another rewrite, over the graph. The function finds `ctx` in r->ctx.
 * *ret_changes, which may be NULL, becomes the number of changes. */
PL_MUST_USE platen_status pl_rewrite_graph(struct pl_ir *g, pl_pass_fn *fn, void *ctx,
                                           size_t *ret_changes, struct platen_error *err);

/* What passes are made of. */

/* The constant behind an edge, or NULL. */
const struct pl_tensor *pl_rw_const(const struct pl_rewrite *r, uint32_t value);
/* The constant behind input i of a node, or NULL where the input is left out or is no constant. */
const struct pl_tensor *pl_rw_in(const struct pl_rewrite *r, const struct pl_ir_node *n,
                                 uint32_t i);
/* The one number of a float32 constant of one element. */
bool pl_rw_scalar(const struct pl_rewrite *r, uint32_t value, float *ret);
/* The node that writes what input i of n reads, when n alone reads it; else NULL. */
struct pl_ir_node *pl_rw_feeder(const struct pl_rewrite *r, const struct pl_ir_node *n, uint32_t i);
/* Node i when a pass should look at it: alive, its inputs those that are read now. */
struct pl_ir_node *pl_rw_visit(struct pl_rewrite *r, size_t i);

/* Takes a node out of the graph; its outputs have no writer then. */
void pl_rw_remove(struct pl_rewrite *r, struct pl_ir_node *n);
/* Removes a node that copies: its first output becomes `from`. False, and nothing changes, when
 * both are outputs or inputs of the graph. */
bool pl_rw_bypass(struct pl_rewrite *r, struct pl_ir_node *n, uint32_t from);
/* Removes n, whose one output `into` writes from now on, in the place of its own first one. */
void pl_rw_absorb(struct pl_rewrite *r, struct pl_ir_node *into, struct pl_ir_node *n);
/* Sets input i of n, which may lie beyond the last: those between are left out. The others stay. */
PL_MUST_USE platen_status pl_rw_set_input(struct pl_rewrite *r, struct pl_ir_node *n, uint32_t i,
                                          uint32_t value);
/* Adds or replaces an attribute; its lists and names live as long as the graph. */
PL_MUST_USE platen_status pl_rw_set_attr(struct pl_rewrite *r, struct pl_ir_node *n,
                                         struct pl_attr attr);
/* Adds a constant of the type and shape of `shape`, or of float32 where that has no type; its data,
 * all zeros, is t->data. */
PL_MUST_USE platen_status pl_rw_new_const(struct pl_rewrite *r, const char *name,
                                          const struct pl_tensor *shape, uint32_t *ret,
                                          struct pl_tensor **ret_tensor);
/* Computes a node whose inputs are constants and takes it out of the graph. It stays where it
 * fails, which the run will tell, or its results are large. */
PL_MUST_USE platen_status pl_rw_fold(struct pl_rewrite *r, struct pl_ir_node *n);
/* The values of a float32 tensor repeat along nothing but axis 1 of tensors of `rank`: one value,
 * or `channels`. */
bool pl_rw_per_channel(const struct pl_tensor *t, int rank, size_t channels);

#endif
