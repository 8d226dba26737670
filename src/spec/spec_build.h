/* SPDX-License-Identifier: BSD-2-Clause */
/* What both forms of the specification share: names to operations, values to arguments. */
#ifndef PL_SPEC_SPEC_BUILD_H
#define PL_SPEC_SPEC_BUILD_H

#include "spec/spec.h"

/* A pipeline that is being read. `where` is put in front of every message ("column 6"). */
struct pl_spec_builder {
    struct platen_pipeline *p;
    size_t n_steps;
    void *args;  /* of the step that was begun last */
    bool *given; /* whether the text named parameter i of it */
    struct platen_error *err;
    char where[96];
};

/* Makes b->p, a pipeline without steps, for the caller to free. Errors go to `err`, which is
 * borrowed. PLATEN_ERR_NOMEM; then there is none. */
PL_MUST_USE platen_status pl_spec_build_init(struct pl_spec_builder *b, struct platen_error *err);

/* Sets the error: "pipeline, WHERE: ...". */
PL_MUST_USE platen_status pl_spec_build_fail(struct pl_spec_builder *b, platen_status code,
                                             const char *fmt, ...) PL_PRINTF(3, 4);

/* Appends operation `name` of a stage with the defaults of all of its parameters. */
PL_MUST_USE platen_status pl_spec_build_op(struct pl_spec_builder *b, enum platen_stage stage,
                                           const char *name, size_t n);
/* Finds parameter `key` of the last operation and marks it as given. */
PL_MUST_USE platen_status pl_spec_build_key(struct pl_spec_builder *b, const char *key, size_t n,
                                            size_t *ret_index);
/* Marks the first parameter as given: for a value without a key. */
PL_MUST_USE platen_status pl_spec_build_first(struct pl_spec_builder *b, const char *value,
                                              size_t n, size_t *ret_index);
/* The value of parameter i as a number, or as text. */
PL_MUST_USE platen_status pl_spec_build_number(struct pl_spec_builder *b, size_t i, double value);
PL_MUST_USE platen_status pl_spec_build_text(struct pl_spec_builder *b, size_t i, const char *value,
                                             size_t n);

/* The closest of several known names, for "did you mean". Zero-initialise. */
struct pl_spec_nearest {
    const char *name;
    size_t distance;
};

/* Takes a known name for the closest to what was written, name[0..n), if it is; case does not
 * count. */
void pl_spec_nearest_add(struct pl_spec_nearest *best, const char *candidate, const char *name,
                         size_t n);
/* Writes "; did you mean 'X'?" or "" and returns it. */
const char *pl_spec_nearest_text(const struct pl_spec_nearest *best, size_t n, char *buf,
                                 size_t size);

#endif
