/* Files: mapped read-only, or written whole (temporary name, then rename). */
#ifndef PL_BASE_FILE_H
#define PL_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* The bytes of a file: mapped, or read into memory where the file cannot be mapped (a pipe). */
struct pl_map {
    const uint8_t *data;
    size_t size;
    enum { PL_MAP_ALLOCATED, PL_MAP_MAPPED, PL_MAP_BORROWED } kind; /* how to give it back */
};

/* Maps `path`; "-" is standard input. PLATEN_ERR_IO names the reason, PLATEN_ERR_LIMIT when the
 * file is longer than max_bytes. The name itself is left to the caller's prefix. */
PL_MUST_USE platen_status pl_map_open(const char *path, size_t max_bytes, struct pl_map *ret,
                                      struct platen_error *err);
/* Bytes that are in memory already, and stay their owner's. */
struct pl_map pl_map_borrow(const void *data, size_t n);
void pl_map_close(struct pl_map *m);
/* Of a mapped file, at[0..n) was read and need not stay in memory: it comes back when it is read
 * again. */
void pl_map_forget(const uint8_t *at, size_t n);

/* Writes data[0..n) to `path` through a temporary file in the same directory and rename(): readers
 * see the old file or the whole new one; pipes and devices are written to. Parent directories are
 * made. "-" is standard output. */
PL_MUST_USE platen_status pl_file_write(const char *path, const void *data, size_t n,
                                        struct platen_error *err);

/* A file that grows piece by piece and appears whole: its temporary file is renamed by the commit.
 * What is there already and is no file but a pipe or a device is written as it stands. Borrows
 * `path`. Texts name the file. */
struct pl_writer {
    const char *path;
    int fd;         /* -1 = not open */
    char tmp[4200]; /* empty = none */
};

PL_MUST_USE platen_status pl_writer_open(struct pl_writer *w, const char *path,
                                         struct platen_error *err);
PL_MUST_USE platen_status pl_writer_add(struct pl_writer *w, const void *data, size_t n,
                                        struct platen_error *err);
/* Closes the file in every case; on failure nothing of it is left. */
PL_MUST_USE platen_status pl_writer_commit(struct pl_writer *w, struct platen_error *err);
/* Throws the file away; one that is not open is fine. */
void pl_writer_abort(struct pl_writer *w);

/* Whether both names lead to one file that is there. */
bool pl_file_is_same(const char *a, const char *b);

/* Makes the directory of `path` and those above it (mkdir -p of dirname). */
PL_MUST_USE platen_status pl_file_make_parents(const char *path, struct platen_error *err);

/* A file that grows record by record, locked: one process at a time has it. */
struct pl_appender {
    const char *path; /* borrowed */
    int fd;
};

/* Opens `path`, making it if need be. PLATEN_ERR_IO; err->os_errno is EWOULDBLOCK when another
 * process has it. */
PL_MUST_USE platen_status pl_appender_open(struct pl_appender *a, const char *path,
                                           struct platen_error *err);
/* Keeps the first n bytes; records are added behind them. */
PL_MUST_USE platen_status pl_appender_cut(struct pl_appender *a, size_t n,
                                          struct platen_error *err);
PL_MUST_USE platen_status pl_appender_add(struct pl_appender *a, const void *data, size_t n,
                                          struct platen_error *err);
void pl_appender_close(struct pl_appender *a);
/* Takes the file away; close it afterwards. */
void pl_appender_remove(struct pl_appender *a);

/* The records of a file or a pipe as they come: lines, or pieces that end in NUL. */
struct pl_records {
    int fd;
    int wake_fd; /* reading ends when this one can be read; -1 = none */
    char end;    /* '\n', before which '\r' may stand, or '\0'; the last record may lack it */
    char *buf;
    size_t at, len;  /* buf[at..len) is not yet given out */
    bool eof, woken; /* woken: by wake_fd, with records left perhaps */
};

/* "-" is standard input. PLATEN_ERR_IO. */
PL_MUST_USE platen_status pl_records_open(struct pl_records *r, const char *path, char end,
                                          struct platen_error *err);
/* Waits for the next record, at most so many milliseconds (-1 = any time; only where there is a
 * wake_fd), and gives its n bytes without their end, valid until the next call; NULL when it did
 * not come in time, behind the last one (then r->eof), and when wake_fd ends it. PLATEN_ERR_IO,
 * PLATEN_ERR_NOMEM, PLATEN_ERR_LIMIT for a record of more than PL_MAX_RECORD_BYTES. */
PL_MUST_USE platen_status pl_records_next(struct pl_records *r, int wait_ms, const char **ret,
                                          size_t *ret_n, struct platen_error *err);
void pl_records_close(struct pl_records *r);

#define PL_MAX_RECORD_BYTES ((size_t)1 << 16)

/* Fault injection for tests: the n-th read or write from now fails (1 = the next; 0 = none). */
void pl_file_fail_at(uint64_t n, int os_errno);

#endif
