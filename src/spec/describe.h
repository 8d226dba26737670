/* SPDX-License-Identifier: BSD-2-Clause */
/* What the describing functions of platen.h share. */
#ifndef PL_SPEC_DESCRIBE_H
#define PL_SPEC_DESCRIBE_H

#include "base/text.h"
#include "spec/spec.h"

/* Gives the text to the caller of the library, or PLATEN_ERR_NOMEM when a part of it is lost. */
PL_MUST_USE platen_status pl_describe_give(struct pl_str *text, char **ret,
                                           struct platen_error *err);

#endif
