/* SPDX-License-Identifier: BSD-2-Clause */
/* One output file that grows by whole pages, and the journal beside it that tells which. */
#ifndef PL_FILES_STREAM_FILE_H
#define PL_FILES_STREAM_FILE_H

#include "files/journal.h"

struct pl_stream_file {
    const char *path;
    struct pl_journal *journal;
    struct pl_writer fresh;  /* until the first page is whole: what is there stays so long */
    struct pl_appender file; /* takes bytes from then on */
    struct pl_str lines;     /* lines of whole pages that are not in the journal yet */
    double synced_s;         /* when lines were last written */
    bool named;              /* the target has been replaced by this run's file */
    bool any;                /* it holds a page that was read */
    bool durable; /* may be set after opening: the journal tells of what is on the disk */
    uint64_t at, whole, told; /* bytes; those of whole pages; those that the journal tells of */
    uint64_t sum;             /* of the bytes behind the whole pages */
};

/* Whether the target can grow: it is no pipe or device. With `late`, where names of inputs come
 * while pages run and one of them may be the target, only what is not there yet. */
bool pl_stream_file_grows(const char *path, bool late);
/* With `resume` the pages that are whole in the target stay, and what follows them is cut off.
 * PLATEN_ERR_ARG when another run writes to it, or when it holds pages of which something else was
 * asked, or what the journal does not know. */
PL_MUST_USE platen_status pl_stream_file_open(struct pl_stream_file *f, const char *path,
                                              struct pl_journal *j, const char *key, bool resume,
                                              struct platen_error *err);
PL_MUST_USE platen_status pl_stream_file_add(struct pl_stream_file *f, const void *data, size_t n,
                                             struct platen_error *err);
/* What was added is a page, of which the journal gets this line: at once or, where pages are to be
 * on the disk before, with those of a second and at the latest when the file is closed. */
PL_MUST_USE platen_status pl_stream_file_note(struct pl_stream_file *f, const struct pl_str *line,
                                              struct platen_error *err);
/* Closes it. A target of which nothing was begun is replaced only by a run that came to its end
 * (`complete`). */
PL_MUST_USE platen_status pl_stream_file_close(struct pl_stream_file *f, bool complete,
                                               struct platen_error *err);

#endif
