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
    uint32_t *n_reads; /* How often nodes that are not dead, and outputs, read each value. */
    uint32_t *forward; /* The value that is read in the place of each value, often itself. */
    bool *dead;        /* Whether no output depends on each node. */
    size_t max_values; /* g->values, n_reads and forward have room for this many values. */
    size_t max_nodes;  /* g->nodes and dead have room for this many nodes. */
    size_t changes;
    struct pl_kernels kernels; /* Constants are computed with the scalar kernels. */
    struct pl_arena scratch;   /* What lies here lasts until the end of the pass. */
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

/* Reads a list of passes: "fold,cse" are the passes to run, "-fold,-cse" are left out of all of
 * them, and "all" or "none" may stand first. PLATEN_ERR_ARG for an unknown name. */
PL_MUST_USE platen_status pl_passes_parse(const char *list, uint32_t *ret,
                                          struct platen_error *err);

/* Runs the passes of the set, in the order of passes.def; `log`, if not NULL, gets the operators of
 * the graph before and after, and the changes of each pass. */
PL_MUST_USE platen_status pl_optimize(struct pl_ir *g, uint32_t passes, struct pl_str *log,
                                      struct platen_error *err);

/* Tells whether constants or inputs of a graph are of type float16 or bfloat16; pass `half` makes
 * it compute in float32. */
bool pl_is_of_halves(const struct pl_ir *g);

/* ---- ranks.c ---- */

/* What is known of a value whatever the sizes of the inputs are: how many axes it has and how many
 * elements, each -1 where the graph does not tell. */
struct pl_extent {
    int64_t rank, count;
};

/* *ret becomes an array, for the time of the pass, with what is known of each value.
 * PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_rw_extents(struct pl_rewrite *r, struct pl_extent **ret);

/* ---- rewrite.c ---- */

/* Runs one pass, or another rewrite, over the graph. The function finds `ctx` in r->ctx.
 * *ret_changes, which may be NULL, becomes the number of changes. */
PL_MUST_USE platen_status pl_rewrite_graph(struct pl_ir *g, pl_pass_fn *fn, void *ctx,
                                           size_t *ret_changes, struct platen_error *err);

/* What passes are made of. */

/* Returns the constant that an edge carries, or NULL. */
const struct pl_tensor *pl_rw_const(const struct pl_rewrite *r, uint32_t value);
/* Returns the constant that is input i of a node, or NULL where the input is left out or is no
 * constant. */
const struct pl_tensor *pl_rw_in(const struct pl_rewrite *r, const struct pl_ir_node *n,
                                 uint32_t i);
/* Reads the number of a float32 constant that has one element; false for any other value. */
bool pl_rw_scalar(const struct pl_rewrite *r, uint32_t value, float *ret);
/* Returns the node that writes what input i of n reads, when n alone reads it; else NULL. */
struct pl_ir_node *pl_rw_feeder(const struct pl_rewrite *r, const struct pl_ir_node *n, uint32_t i);
/* Returns node i with its inputs forwarded, or NULL when it is removed or dead. */
struct pl_ir_node *pl_rw_visit(struct pl_rewrite *r, size_t i);

/* Takes a node out of the graph; its outputs have no writer then. */
void pl_rw_remove(struct pl_rewrite *r, struct pl_ir_node *n);
/* Removes a node that copies: its first output becomes `from`. Returns false, and changes nothing,
 * when both are outputs or inputs of the graph. */
bool pl_rw_bypass(struct pl_rewrite *r, struct pl_ir_node *n, uint32_t from);
/* Removes n. From now on `into` writes the one output of n in the place of its own first output. */
void pl_rw_absorb(struct pl_rewrite *r, struct pl_ir_node *into, struct pl_ir_node *n);
/* Sets input i of n and keeps the other inputs. It may lie beyond the last one; the inputs between
 * are left out then. */
PL_MUST_USE platen_status pl_rw_set_input(struct pl_rewrite *r, struct pl_ir_node *n, uint32_t i,
                                          uint32_t value);
/* Adds or replaces an attribute; its lists and names live as long as the graph. */
PL_MUST_USE platen_status pl_rw_set_attr(struct pl_rewrite *r, struct pl_ir_node *n,
                                         struct pl_attr attr);
/* Adds a constant of the type and shape of `shape`, or of float32 where that has no type. Its data
 * (*ret_tensor)->data is all zeros, for the caller to fill. */
PL_MUST_USE platen_status pl_rw_new_const(struct pl_rewrite *r, const char *name,
                                          const struct pl_tensor *shape, uint32_t *ret,
                                          struct pl_tensor **ret_tensor);
/* Computes a node whose inputs are constants and takes it out of the graph. A node that fails
 * stays, since the run will tell why, and so does one whose results are large. */
PL_MUST_USE platen_status pl_rw_fold(struct pl_rewrite *r, struct pl_ir_node *n);
/* Tells whether a float32 tensor, broadcast to tensors of `rank` axes, varies along axis 1 alone:
 * it has one value, or one for each of `channels`. */
bool pl_rw_per_channel(const struct pl_tensor *t, int rank, size_t channels);

#endif
