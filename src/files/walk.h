/* SPDX-License-Identifier: BSD-2-Clause */
/* Between inputs.c, the walk through its directories, and what else adds to the list. */
#ifndef PL_FILES_WALK_H
#define PL_FILES_WALK_H

#include "files/inputs.h"

/* Returns the path without empty, "." and ".." parts, so that as a name it stays below an output
 * directory; NULL where memory is short. */
char *pl_inputs_relative(struct pl_arena *arena, const char *path);
/* Returns "x/a" of "x/a.png"; a name of which only dots would be left is returned as it is. NULL
 * where memory is short. */
const char *pl_inputs_stem(struct pl_arena *arena, const char *name);
/* Adds what lies below the directory `path`, called `name` in an output directory; both are in the
 * arena. PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_inputs_walk(struct pl_inputs *in, const char *path, const char *name,
                                         struct platen_error *err);

/* Fails with PLATEN_ERR_NOMEM: the list of inputs could not grow. */
PL_MUST_USE platen_status pl_inputs_nomem(struct platen_error *err);
/* Adds an input. path, name and error are in the arena or static; where path or name is NULL memory
 * was short, and PLATEN_ERR_NOMEM is returned. */
PL_MUST_USE platen_status pl_inputs_push(struct pl_inputs *in, const char *path, const char *name,
                                         const char *error, struct platen_error *err);
/* Empties the list, and calls `replace` for every input that was in it, which adds what takes its
 * place. */
typedef platen_status pl_replace_fn(struct pl_inputs *in, struct pl_input *old, void *ctx,
                                    struct platen_error *err);
PL_MUST_USE platen_status pl_inputs_replace(struct pl_inputs *in, pl_replace_fn *replace, void *ctx,
                                            struct platen_error *err);
/* Adds a directory that was not listed to its end, or an entry that may be one, as an input that
 * fails. */
PL_MUST_USE platen_status pl_inputs_push_lost(struct pl_inputs *in, const char *path,
                                              const char *name, const char *error,
                                              struct platen_error *err);

#endif
