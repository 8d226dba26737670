/* SPDX-License-Identifier: BSD-2-Clause */
/* Arrays of the command line: .npy files, in sets of one for each input of a network. */
#ifndef PL_MODELS_ARRAYS_H
#define PL_MODELS_ARRAYS_H

#include "base/arena.h"
#include "base/map.h"
#include "base/status.h"
#include "nn/ir.h"

struct pl_arrays {
    struct pl_arena arena;
    struct pl_map *maps;
    struct pl_tensor *tensors; /* in the files' own bytes */
    size_t n;
};

/* Opens the files paths[0..n), and those of a directory, *.npy in the order of their names;
 * PLATEN_ERR_ARG when it has none. */
PL_MUST_USE platen_status pl_arrays_open(struct pl_arrays *a, const char *const *paths, size_t n,
                                         struct platen_error *err);
void pl_arrays_done(struct pl_arrays *a);
/* The number of sets for g; PLATEN_ERR_ARG when the arrays do not fill sets, or there is none. */
PL_MUST_USE platen_status pl_arrays_sets(const struct pl_arrays *a, const struct pl_ir *g,
                                         size_t *ret, struct platen_error *err);

#endif
