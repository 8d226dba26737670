/* SPDX-License-Identifier: BSD-2-Clause */
/* Records of shards: which pages they are of, and where they lie. */
#ifndef PL_FILES_MERGE_SHARDS_H
#define PL_FILES_MERGE_SHARDS_H

#include "base/arena.h"
#include "base/status.h"

/* A line of ndjson, of a journal or of a manifest. */
struct pl_record {
    const char *path;
    size_t page;            /* from 1 */
    size_t part;            /* 1 or 2 of a page that was split; else 0 */
    size_t file, at, bytes; /* the line without its newline */
    size_t order;           /* in which it was read */
    int rank;               /* of the lines of a page the last one of the highest rank counts */
    bool ok;
    bool open; /* of a journal: the page was begun, and that is all that is known */
};

struct pl_merge {
    struct pl_arena arena;
    struct pl_record *v;
    size_t n, cap;
    size_t repeated;  /* lines for which another one of the same page counts */
    size_t malformed; /* lines that are no record, or have no end */
};

void pl_merge_init(struct pl_merge *m);
void pl_merge_done(struct pl_merge *m);
/* Adds the lines of data[0..n), which are file number `file`. PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_merge_read(struct pl_merge *m, size_t file, const char *data, size_t n,
                                        struct platen_error *err);
/* Sorts by path, with '/' before every other character, and page: the order in which a directory is
 * read. Of the same page, or part of one, the last line that is ok stays, or else the last one; and
 * a failure does not stay beside parts of its page. */
void pl_merge_settle(struct pl_merge *m);
/* Leaves one line for each page in the journal, which this process holds: as a merge would.
 * PLATEN_ERR_NOMEM; where it cannot be written, it stays as it is. */
PL_MUST_USE platen_status pl_merge_tidy(const char *journal, struct platen_error *err);

#endif
