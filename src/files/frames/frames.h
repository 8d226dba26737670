/* SPDX-License-Identifier: BSD-2-Clause */
/* A stream of frames, of which those are read that differ from the last one that was. */
#ifndef PL_FILES_FRAMES_H
#define PL_FILES_FRAMES_H

#include "files/frames/frame_picture.h"

struct pl_frames {
    const char *path; /* "-" is standard input; NULL = there is no stream */
    int fd;
    int wake_fd;   /* reading ends when this one can be read */
    bool end;      /* of the stream */
    bool canceled; /* by wake_fd */
    struct pl_framing framing;
    struct pl_env env;   /* for comparing */
    bool gray;           /* pages need no colour */
    uint64_t max_pixels; /* of a coded frame that is compared */
    size_t most_bytes;   /* of a frame in the stream */
    size_t change;       /* places in which a frame differs that is read; 0 = all are read */
    uint8_t *buf;        /* buf[at..len) is not yet used; buf[len] can be read */
    size_t at, len, cap;
    struct pl_image last; /* places of the last frame that was read; or empty */
    int n, same;          /* frames so far, and those of them that were passed over */
    double first_s;       /* when the first one came */
};

struct pl_frame {
    int number;        /* from 1 */
    double time_s;     /* since the first one */
    struct pl_map map; /* the picture as a file; the caller's */
};

/* Opens the stream; `path` is borrowed. PLATEN_ERR_IO. The members that are not named here are to
 * be set before the first frame is asked for. */
PL_MUST_USE platen_status pl_frames_open(struct pl_frames *f, const char *path, int wake_fd,
                                         struct platen_error *err);
void pl_frames_close(struct pl_frames *f);
/* Waits for the next frame that is to be read. *ret_any is false at the end and once f->canceled. A
 * frame that cannot be decoded is one that differs. PLATEN_ERR_IO where the stream breaks off, is
 * none or has a frame that is too long, _NOMEM; there are no frames then. */
PL_MUST_USE platen_status pl_frames_next(struct pl_frames *f, struct pl_frame *ret, bool *ret_any,
                                         struct platen_error *err);

#endif
