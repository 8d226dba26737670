/* SPDX-License-Identifier: BSD-2-Clause */
/* Filling in a platen_error: set and return in one call. */
#ifndef PL_BASE_STATUS_H
#define PL_BASE_STATUS_H

#include "base/attr.h"
#include "platen.h"

/* Fills err (may be NULL) with the code and the text and returns the code. The text starts in lower
 * case, has no full stop, quotes its subject and never ends in a newline; control characters in it
 * are replaced by '?'. Longer texts are cut at a character boundary. */
PL_MUST_USE platen_status pl_fail(struct platen_error *err, platen_status code, const char *fmt,
                                  ...) PL_PRINTF(3, 4);

/* As pl_fail(), and adds ": " and the name of errno as it was at the call. */
PL_MUST_USE platen_status pl_fail_errno(struct platen_error *err, platen_status code,
                                        const char *fmt, ...) PL_PRINTF(3, 4);

/* Puts words in front of an error that is already set ("unable to decode 'a.png': " + text). */
PL_MUST_USE platen_status pl_fail_prefix(struct platen_error *err, platen_status code,
                                         const char *fmt, ...) PL_PRINTF(3, 4);

/* What the operating system says, or else the error's own text. */
const char *pl_error_reason(const struct platen_error *err);

/* The error of an allocation that failed: PLATEN_ERR_NOMEM, "out of memory (N bytes for WHAT)". */
PL_MUST_USE platen_status pl_fail_nomem(struct platen_error *err, size_t bytes, const char *what);

/* PLATEN_ERR_ARG when one of these pointers, at most PL_NEEDED of them, is NULL: what a function of
 * platen.h does first with what its caller must not leave out. The message names function and
 * parameter. */
#define PL_NEED(err, ...)                                                                          \
    pl_need((const void *const[PL_NEEDED + 1]){__VA_ARGS__, pl_need_end}, __func__, #__VA_ARGS__,  \
            err)
enum { PL_NEEDED = 4 };
extern const char pl_need_end[];
PL_MUST_USE platen_status pl_need(const void *const *pointers, const char *function,
                                  const char *names, struct platen_error *err);
/* The same of one pointer, also to a function, that may be NULL unless `when`. */
#define PL_NEED_WHEN(err, when, p)                                                                 \
    ((when) && !(p) ? pl_fail(err, PLATEN_ERR_ARG, "%s: %s is NULL", __func__, #p) : PLATEN_OK)

#endif
