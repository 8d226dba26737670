/* SPDX-License-Identifier: BSD-2-Clause */
/* Files that are written: whole, then named; or record by record. */
#ifndef PL_BASE_FILE_H
#define PL_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "base/temporary.h"

/* Writes data[0..n) to a file that the user named: readers see the old one or the whole new one;
 * pipes and devices are written to. A file that is replaced keeps its mode, and its owner where
 * that is allowed; a link is replaced, not followed. Parent directories are made. "-" is standard
 * output. */
PL_MUST_USE platen_status pl_file_write(const char *path, const void *data, size_t n,
                                        struct platen_error *err);

/* A directory of outputs. */
struct pl_file_rules {
    /* The first bytes of a path name the directory. Below it no link is followed, and only a
     * regular file or a link gives way to an output. */
    size_t root_bytes;
    /* The bytes are on the disk before the file has its name; that is there after pl_file_sync().
     */
    bool durable;
};

/* The same for a file below a directory of outputs. */
PL_MUST_USE platen_status pl_file_put(const char *path, const struct pl_file_rules *rules,
                                      const void *data, size_t n, struct platen_error *err);
/* Brings the name of a file that was put there to the disk, with those of all others in its
 * directory. */
PL_MUST_USE platen_status pl_file_sync(const char *path, const struct pl_file_rules *rules,
                                       struct platen_error *err);

/* Removes a regular file from below such a directory; *ret_removed tells whether there was one.
 * PLATEN_ERR_IO, and what pl_file_put() says of directories. */
PL_MUST_USE platen_status pl_file_remove(const char *path, const struct pl_file_rules *rules,
                                         bool *ret_removed, struct platen_error *err);

/* A file that grows piece by piece and appears whole at the commit. Until then it has no name, or,
 * where a file system knows no such files, a random one beside the target; a killed process leaves
 * nothing but that, which a later one removes. What is there already and is no file but a pipe or a
 * device is written as it stands. Borrows `path`. Texts name the file. */
struct pl_writer {
    const char *path, *leaf; /* leaf: its name in the directory */
    int dir_fd, fd;          /* -1 = not open */
    int wake_fd;             /* -1 = none */
    bool special;            /* written as it stands */
    bool durable; /* may be set before the commit: the file and its name are on the disk then */
    char tmp[PL_TEMPORARY_BYTES]; /* empty = none */
};

/* Begins the file, in whose place is what stood there until pl_writer_commit(), which, or
 * pl_writer_abort(), is to be called then. PLATEN_ERR_IO. A FIFO waits for a reader. */
PL_MUST_USE platen_status pl_writer_open(struct pl_writer *w, const char *path,
                                         struct platen_error *err);
/* The same, but the readers of a pipe are waited for only until wake_fd can be read: then this, and
 * pl_writer_add() soon after, fail with PLATEN_ERR_CANCELED. */
PL_MUST_USE platen_status pl_writer_open_until(struct pl_writer *w, const char *path, int wake_fd,
                                               struct platen_error *err);
/* The same for a file below a directory of outputs. */
PL_MUST_USE platen_status pl_writer_open_below(struct pl_writer *w, const char *path,
                                               const struct pl_file_rules *rules,
                                               struct platen_error *err);
/* Appends data[0..n). PLATEN_ERR_IO; then the file is to be thrown away. */
PL_MUST_USE platen_status pl_writer_add(struct pl_writer *w, const void *data, size_t n,
                                        struct platen_error *err);
/* Closes the file in every case; on failure nothing of it is left. */
PL_MUST_USE platen_status pl_writer_commit(struct pl_writer *w, struct platen_error *err);
/* Throws the file away; one that is not open is fine. */
void pl_writer_abort(struct pl_writer *w);

/* Whether both names lead to one file that is there. */
bool pl_file_is_same(const char *a, const char *b);

/* A file that grows record by record, locked: one process at a time has it. */
struct pl_appender {
    const char *path, *leaf; /* borrowed; leaf: its name in the directory */
    int dir_fd, fd;
};

/* Opens `path`, making it if need be. What is there must be a regular file without other names that
 * belongs to this user or to the owner of its directory; a link is not followed, nothing is waited
 * for. PLATEN_ERR_IO; err->os_errno is EWOULDBLOCK when another process has it. */
PL_MUST_USE platen_status pl_appender_open(struct pl_appender *a, const char *path,
                                           struct platen_error *err);
/* Keeps the first n bytes; records are added behind them. */
PL_MUST_USE platen_status pl_appender_cut(struct pl_appender *a, size_t n,
                                          struct platen_error *err);
PL_MUST_USE platen_status pl_appender_add(struct pl_appender *a, const void *data, size_t n,
                                          struct platen_error *err);
/* What was added is on the disk afterwards, and the file's name. */
PL_MUST_USE platen_status pl_appender_sync(struct pl_appender *a, struct platen_error *err);
void pl_appender_close(struct pl_appender *a);
/* Takes the file away; close it afterwards. */
void pl_appender_remove(struct pl_appender *a);

#endif
