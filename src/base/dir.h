/* SPDX-License-Identifier: BSD-2-Clause */
/* Directories as descriptors: where a path leads is settled once, and no link below a directory of
 * outputs is followed. */
#ifndef PL_BASE_DIR_H
#define PL_BASE_DIR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/* Makes the directory of `path` and those above it (mkdir -p of dirname). PLATEN_ERR_IO. */
PL_MUST_USE platen_status pl_dir_make_parents(const char *path, struct platen_error *err);

/* The same, and brings the names of all of them to the disk. */
PL_MUST_USE platen_status pl_dir_make_parents_durable(const char *path, struct platen_error *err);

/* Opens the directory of `path` and makes those that are missing; *ret_leaf is the rest of `path`.
 * The first root_bytes of it are a directory that the user named, where links are followed. The
 * directories below that are made by platen, so that a link in the place of one is an error; no
 * part of them is "..". With 0 the user named them all. With `durable` the entries of the
 * directories below the root are on the disk. The descriptor serves for the calls with `at` only.
 * PLATEN_ERR_IO, PLATEN_ERR_LIMIT. */
PL_MUST_USE platen_status pl_dir_open_parent(const char *path, size_t root_bytes, bool durable,
                                             int *ret_fd, const char **ret_leaf,
                                             struct platen_error *err);

/* Brings the entries of the directory to the disk. False leaves errno. */
bool pl_dir_sync(int dir_fd);

#endif
