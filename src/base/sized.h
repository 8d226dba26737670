/* SPDX-License-Identifier: BSD-2-Clause */
/* Structs of platen.h between a caller and a library that were built from different versions.
 *
 * Such a struct begins with its size, as the caller's header has it, and grows at its end alone:
 * what an older caller lacks is a tail of members, which have their defaults. These structs end
 * without padding, for a caller leaves padding unset and it would count as a member. */
#ifndef PL_BASE_SIZED_H
#define PL_BASE_SIZED_H

#include "base/status.h"

/* PLATEN_ERR_ARG when the struct at `s` has no plausible size: the caller forgot to set it. `what`
 * is the name of the struct. */
PL_MUST_USE platen_status pl_sized_check(const void *s, const char *what, struct platen_error *err);
/* Copies the caller's struct `from` over `to`, which holds the defaults of the `known_bytes` that
 * this library knows, as far as both go; the size in `to` becomes known_bytes. PLATEN_ERR_ARG as
 * pl_sized_check(), and when a newer caller has set a member that this library does not know. */
PL_MUST_USE platen_status pl_sized_take(void *to, size_t known_bytes, const void *from,
                                        const char *what, struct platen_error *err);
/* Copies `from`, a whole struct of this library, over the caller's struct `to` as far as that goes.
 * The size in `to` stays; members that this library does not know become zero. */
void pl_sized_give(void *to, const void *from, size_t known_bytes);

#endif
