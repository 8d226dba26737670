/* SPDX-License-Identifier: BSD-2-Clause */
/* What this process may still do: Landlock for files, a filter for system calls. */
#ifndef PL_BASE_SANDBOX_H
#define PL_BASE_SANDBOX_H

#include "base/landlock.h"
#include "base/status.h"

/* Rules on their way to being in force. */
struct pl_sandbox {
    bool require; /* what cannot be had is an error; else it is left out */
    int abi;      /* of Landlock; 0 = without */
    int rules;    /* a descriptor, or -1 */
};

/* PLATEN_ERR_UNSUPPORTED when all of it is required, and the kernel or the build lacks some. */
PL_MUST_USE platen_status pl_sandbox_begin(struct pl_sandbox *sb, bool require,
                                           struct platen_error *err);
/* A name that is not there grants nothing. */
PL_MUST_USE platen_status pl_sandbox_allow(struct pl_sandbox *sb, const char *path,
                                           enum pl_landlock_grant grant, struct platen_error *err);
/* Puts it in force, for good: the files for this thread and those that it makes, the system calls
 * for the whole process. */
PL_MUST_USE platen_status pl_sandbox_enter(struct pl_sandbox *sb, struct platen_error *err);
/* Throws the rules away; also after pl_sandbox_enter(). */
void pl_sandbox_done(struct pl_sandbox *sb);

/* Whether this build keeps a sandbox at all: sanitizers and coverage need what it takes. */
bool pl_sandbox_built(void);
/* What is in force: the level of Landlock, 0 = none; and the filter. */
int pl_sandbox_landlock(void);
bool pl_sandbox_seccomp(void);

/* Where `err` is of an open() of `path` that the sandbox alone refused, its text becomes that.
 * amode as of access(). Returns err->code. */
platen_status pl_sandbox_explain(struct platen_error *err, const char *path, int amode);

#endif
