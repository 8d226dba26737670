/* Stage three: lines of a page to text. */
#ifndef PL_RECOGNIZE_RECOGNIZE_H
#define PL_RECOGNIZE_RECOGNIZE_H

#include "base/arena.h"
#include "detect/region.h"
#include "nn/run.h"
#include "preprocess/op.h"

struct pl_recognizer; /* one per worker: a runner, strips and scratch */

/* The model is borrowed and must outlive the recognizer. */
PL_MUST_USE platen_status pl_recognizer_new(const struct pl_model *m, const struct pl_kernels *k,
                                            struct pl_recognizer **ret, struct platen_error *err);
void pl_recognizer_free(struct pl_recognizer *r);

/* Reads every line of `regions` from the grey picture and fills words, text and confidence (0..1)
 * in place; new objects lie in `arena`. A line in which nothing is read, or nothing that an
 * operation trusts, gets text "" and no words; it stays in the tree, and its confidence tells
 * which: 0, or that of what was read. */
typedef platen_status pl_recognize_fn(struct pl_recognizer *r, const struct pl_env *env,
                                      struct pl_arena *arena, const struct pl_image *gray,
                                      struct pl_regions *regions, const struct pl_arg *args,
                                      struct platen_error *err);

struct pl_recognize_op {
    struct pl_op_info info;
    pl_recognize_fn *run;
};

extern const struct pl_recognize_op *const pl_recognize_ops[]; /* NULL-terminated */
const struct pl_recognize_op *pl_recognize_find(const char *name, size_t n);

PL_DEFINE_AUTO(recognizer)

#endif
