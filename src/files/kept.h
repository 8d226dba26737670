/* SPDX-License-Identifier: BSD-2-Clause */
/* Files that no output may take the place of: inputs, and what else a run reads. */
#ifndef PL_FILES_KEPT_H
#define PL_FILES_KEPT_H

#include <stddef.h>

#include "base/status.h"

struct pl_kept_file;

struct pl_kept {
    struct pl_kept_file *v; /* sorted by pl_kept_settle() */
    size_t n, cap;
};

/* Adds a file by any of its names, which is borrowed; NULL, "-" and what is no regular file change
 * nothing. PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_kept_add(struct pl_kept *k, const char *path,
                                      struct platen_error *err);
/* Before the first question, and after the last file. */
void pl_kept_settle(struct pl_kept *k);
/* The name under which the file that `path` leads to was added; NULL = none of these. For any
 * thread. */
const char *pl_kept_find(const struct pl_kept *k, const char *path);
void pl_kept_done(struct pl_kept *k);

#endif
