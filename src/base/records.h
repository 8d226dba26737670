/* SPDX-License-Identifier: BSD-2-Clause */
/* Lists that are read record by record, as they come. */
#ifndef PL_BASE_RECORDS_H
#define PL_BASE_RECORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/* The records of a file or a pipe as they come: lines, or pieces that end in NUL. */
struct pl_records {
    int fd;
    int wake_fd; /* reading ends when this one can be read; -1 = none */
    char end;    /* '\n', before which '\r' may stand, or '\0'; the last record may lack it */
    char *buf;
    size_t at, len;  /* buf[at..len) is not yet given out */
    bool begun;      /* the first record was given out */
    bool eof, woken; /* woken: by wake_fd, with records left perhaps */
};

/* "-" is standard input. A mark of byte order before the first line does not count.
 * PLATEN_ERR_IO. */
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

#endif
