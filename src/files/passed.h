/* SPDX-License-Identifier: BSD-2-Clause */
/* What a walk through directories passed over: how many files of which kind, and their names. */
#ifndef PL_FILES_PASSED_H
#define PL_FILES_PASSED_H

#include "base/text.h"

#define PL_PASSED_KINDS 64
#define PL_PASSED_KIND_BYTES 24

struct pl_passed_kind {
    char name[PL_PASSED_KIND_BYTES]; /* ".pdf", "without extension" */
    size_t n;
};

struct pl_passed {
    size_t n;
    struct pl_passed_kind kinds[PL_PASSED_KINDS];
    size_t n_kinds;
    bool keep_names;     /* set before the walk */
    struct pl_str names; /* each with a newline behind it */
};

/* Counts the file `path`, whose name in its directory is `name`; `kind` NULL = by its extension. */
void pl_passed_add(struct pl_passed *p, const char *path, const char *name, const char *kind);
/* Adds all that `more` has. */
void pl_passed_join(struct pl_passed *p, const struct pl_passed *more);
/* "12 files: 8 .xps, 3 .jxl, 1 without extension", the most frequent first. */
void pl_passed_tell(const struct pl_passed *p, struct pl_str *out);
void pl_passed_done(struct pl_passed *p);

#endif
