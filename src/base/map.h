/* SPDX-License-Identifier: BSD-2-Clause */
/* The bytes of a file that is read: mapped, or in memory. */
#ifndef PL_BASE_MAP_H
#define PL_BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "base/status.h"

struct pl_map_guard;

/* The bytes of a file: mapped, or in memory where the file is not mapped. */
struct pl_map {
    const uint8_t *data;
    size_t size;
    enum { PL_MAP_ALLOCATED, PL_MAP_MAPPED, PL_MAP_BORROWED } kind; /* how to give it back */
    struct pl_map_guard *guard;                                     /* of a mapped file */
    uint64_t device, inode;                                         /* of a mapped file */
    struct timespec written;                                        /* the last time, likewise */
    bool unread; /* a pipe of which data is the beginning: pl_map_read_rest() */
    int fd;      /* of what is unread */
};

/* What tells a version of a file from all others. */
struct pl_file_version {
    uint64_t device, inode, bytes;
    struct timespec written, changed;
};

/* Gives the version of the file that was mapped as data[0..n), when that was opened. Returns false
 * where these bytes are no such mapping, and where another version may have the same times, since
 * it came at once. */
bool pl_map_version(const void *data, size_t n, struct pl_file_version *ret);
bool pl_file_version_is(const struct pl_file_version *a, const struct pl_file_version *b);

/* Maps `path`; "-" is standard input. What cannot be mapped (a pipe) is read into memory.
 * PLATEN_ERR_IO names the reason, PLATEN_ERR_LIMIT when the file is longer than max_bytes. The name
 * itself is left to the caller's prefix.
 *
 * A mapped file that becomes shorter under its reader does not end the process by SIGBUS: zeros
 * stand where its bytes were, and pl_map_check() fails from then on. */
PL_MUST_USE platen_status pl_map_open(const char *path, size_t max_bytes, struct pl_map *ret,
                                      struct platen_error *err);
/* The same, but of a pipe or a device only the beginning is read, ret->unread tells, and it is
 * waited for only until wake_fd can be read: then PLATEN_ERR_CANCELED. */
PL_MUST_USE platen_status pl_map_open_head(const char *path, size_t max_bytes, int wake_fd,
                                           struct pl_map *ret, struct platen_error *err);
/* Maps a regular file that is there, and waits for nobody but its storage. false where that is not
 * to be had, for whatever reason: nothing was tried that pl_map_open_head() would not do again. */
bool pl_map_open_ahead(const char *path, size_t max_bytes, struct pl_map *ret);
/* Asks the system for the first bytes of a mapped file, and does not wait for them. */
void pl_map_ask_for(const struct pl_map *m, size_t bytes);
/* Reads what pl_map_open_head() left, if anything. m->data may move. */
PL_MUST_USE platen_status pl_map_read_rest(struct pl_map *m, size_t max_bytes, int wake_fd,
                                           struct platen_error *err);
/* As pl_map_open(), but a file up to PL_MAP_READ_BYTES is read into memory: what becomes of it
 * later does not matter. */
#define PL_MAP_READ_BYTES ((size_t)16 << 20)
PL_MUST_USE platen_status pl_map_read(const char *path, size_t max_bytes, struct pl_map *ret,
                                      struct platen_error *err);
/* To be asked when the bytes of `path` were used: PLATEN_ERR_IO where they may have been others
 * than the file had when it was opened. A file of that name that took the place of this one does
 * not matter, and with `may_grow` nothing that was added behind its bytes. */
PL_MUST_USE platen_status pl_map_check(const struct pl_map *m, const char *path, bool may_grow,
                                       struct platen_error *err);
/* Bytes that are in memory already, and stay their owner's. */
struct pl_map pl_map_borrow(const void *data, size_t n);
void pl_map_close(struct pl_map *m);
/* Of a mapped file, at[0..n) was read and need not stay in memory: it comes back when it is read
 * again. */
void pl_map_forget(const uint8_t *at, size_t n);

#endif
