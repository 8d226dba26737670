/* SPDX-License-Identifier: BSD-2-Clause */
/* Where a run takes its inputs from: those that were settled before it, then a list that is read
 * while it runs; or a stream of frames. */
#ifndef PL_FILES_SOURCE_H
#define PL_FILES_SOURCE_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/records.h"
#include "files/frames/frames.h"
#include "files/inputs.h"

struct pl_input_source {
    struct pl_inputs settled;
    bool live; /* there is a list, whose names are read when their turn comes, or a stream */
    struct pl_frames frames; /* guarded by `lock` */
    const char *list_path;
    const char *output; /* file of the stream, which no name of the list may lead to; or NULL */
    struct pl_records list;
    struct pl_inputs entry; /* the pages of the present name */
    size_t entry_at;
    size_t shard_index, shard_count;
    int wake_fd;          /* can be read once nothing more is wanted; -1 = it could not be made */
    int wake_end;         /* writing here makes it so */
    pthread_mutex_t lock; /* of what is below and the list; the two are read without it */
    atomic_size_t given;  /* inputs handed out */
    atomic_bool ended;    /* no more inputs will come */
};

void pl_source_init(struct pl_input_source *src);
void pl_source_done(struct pl_input_source *src);

/* Opens the list; one a source. PLATEN_ERR_ARG, PLATEN_ERR_IO. `path` is borrowed. */
PL_MUST_USE platen_status pl_source_open_list(struct pl_input_source *src, const char *path,
                                              bool nul_ended, struct platen_error *err);
/* Opens a stream of frames, the only input. `path` is borrowed; of src->frames the members that
 * pl_frames_open() leaves are the caller's. PLATEN_ERR_ARG, PLATEN_ERR_IO. */
PL_MUST_USE platen_status pl_source_open_frames(struct pl_input_source *src, const char *path,
                                                struct platen_error *err);
/* The next input and its number from 0, for any thread; waits for the list, with wait_ms >= 0 only
 * about so long. Its texts lie in the source or in `arena`. *ret_any is false when none came in
 * time, behind the last one, and after pl_source_stop().
 * What a single name brings is an input that fails; PLATEN_ERR_IO, _ARG, _LIMIT and _NOMEM are of
 * the list itself. */
PL_MUST_USE platen_status pl_source_next(struct pl_input_source *src, struct pl_arena *arena,
                                         int wait_ms, struct pl_input *ret, size_t *ret_index,
                                         bool *ret_any, struct platen_error *err);
/* Nothing more is wanted. May be called from a signal handler. */
void pl_source_stop(struct pl_input_source *src);
/* Inputs so far; *ret_all tells whether these are all. */
size_t pl_source_count(const struct pl_input_source *src, bool *ret_all);

#endif
