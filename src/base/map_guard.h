/* SPDX-License-Identifier: BSD-2-Clause */
/* Mapped files that may become shorter under their reader; nothing outside map.c includes this. */
#ifndef PL_BASE_MAP_GUARD_H
#define PL_BASE_MAP_GUARD_H

#include "base/map.h"

/* Guards the mapping data[0..n), until it is dropped: where its file has no bytes any more, zeros
 * are read, and the guard is torn. `version` goes with it. NULL when so many are guarded already
 * that there is no room. */
struct pl_map_guard *pl_map_guard_take(const void *data, size_t n,
                                       const struct pl_file_version *version);
/* Gives the version that goes with the mapping data[0..n), which stays meanwhile. Returns false
 * where it is not guarded, or torn. */
bool pl_map_guard_version(const void *data, size_t n, struct pl_file_version *ret);
void pl_map_guard_drop(struct pl_map_guard *g);
bool pl_map_guard_torn(const struct pl_map_guard *g);

#endif
