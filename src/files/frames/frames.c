/* SPDX-License-Identifier: BSD-2-Clause */
#include "files/frames/frames.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/wait.h"
#include "files/frames/frame_change.h"
#include "host/host.h"

#define PIECE_BYTES ((size_t)1 << 16) /* that are read at once at least */

platen_status pl_frames_open(struct pl_frames *f, const char *path, int wake_fd,
                             struct platen_error *err)
{
    f->fd = !strcmp(path, "-") ? STDIN_FILENO : pl_wait_open(AT_FDCWD, path, O_RDONLY, wake_fd);
    if (f->fd < 0)
        return pl_fail_errno(err, PLATEN_ERR_IO, "unable to open '%s'", path);
    f->path = path;
    f->wake_fd = wake_fd;
    return PLATEN_OK;
}

void pl_frames_close(struct pl_frames *f)
{
    if (f->path && f->fd != STDIN_FILENO)
        close(f->fd);
    pl_free(f->buf);
    pl_image_done(&f->last);
    *f = (struct pl_frames){0};
}

/* Makes room for `wanted` bytes from f->at on, and one behind them. */
static platen_status make_room(struct pl_frames *f, size_t wanted, struct platen_error *err)
{
    if (f->at) {
        memmove(f->buf, f->buf + f->at, f->len - f->at);
        f->len -= f->at;
        f->at = 0;
    }
    if (wanted < f->cap)
        return PLATEN_OK;
    const size_t cap = PL_MIN(PL_MAX(wanted, f->cap * 2), f->most_bytes + PIECE_BYTES) + 1;
    uint8_t *buf = pl_realloc(f->buf, cap, 1);
    if (!buf)
        return pl_fail_nomem(err, cap, "a frame");
    f->buf = buf;
    f->cap = cap;
    return PLATEN_OK;
}

/* Reads more of the stream; a frame needs `wanted` bytes at least. */
static platen_status read_more(struct pl_frames *f, size_t wanted, struct platen_error *err)
{
    const size_t have = f->len - f->at;
    if (have > f->most_bytes || wanted > f->most_bytes)
        return pl_fail(err, PLATEN_ERR_LIMIT,
                       "a frame is longer than the memory that there is for it: %zu bytes",
                       f->most_bytes);
    platen_status s = make_room(f, PL_MAX(have + PIECE_BYTES, wanted), err);
    if (s)
        return s;
    const ssize_t n = pl_wait_read(f->fd, f->buf + f->len, f->cap - 1 - f->len, f->wake_fd);
    f->canceled = n < 0 && errno == ECANCELED;
    if (n < 0 && !f->canceled)
        return pl_fail_errno(err, PLATEN_ERR_IO, "unable to read");
    f->len += (size_t)PL_MAX(n, 0);
    f->end = n <= 0;
    return PLATEN_OK;
}

/* Finds the next frame of the stream; place->any is false where there is none. */
static platen_status find_frame(struct pl_frames *f, struct pl_frame_place *place,
                                struct platen_error *err)
{
    platen_status s = f->buf ? PLATEN_OK : read_more(f, 0, err);
    *place = (struct pl_frame_place){0};
    while (!s && !f->canceled) {
        s = pl_framing_next(&f->framing, f->buf + f->at, f->len - f->at, f->end, place, err);
        f->at += s ? 0 : place->used;
        if (s || place->any || f->end)
            break;
        s = read_more(f, place->wanted - PL_MIN(place->wanted, place->used), err);
    }
    return s;
}

/* Tells whether a frame differs from the last one that was read, and notes it then. */
static platen_status compare_places(struct pl_frames *f, const struct pl_frame_place *place,
                                    bool *ret_differs, struct platen_error *err)
{
    pl_auto_image gray = {0};
    pl_auto_image places = {0};
    *ret_differs = true;
    if (!f->change)
        return PLATEN_OK;
    platen_status s =
        pl_frame_gray(&f->env, &f->framing, place->data, place->bytes, f->max_pixels, &gray, err);
    if (s)
        return s == PLATEN_ERR_NOMEM ? s : PLATEN_OK; /* who reads the frame tells what is wrong */
    s = pl_frame_places(&f->env, &gray, &places, err);
    if (s)
        return s;
    *ret_differs = !f->last.px || pl_frame_places_changed(&f->last, &places) >= f->change;
    if (*ret_differs) {
        pl_image_done(&f->last);
        f->last = places;
        places = (struct pl_image){0};
    }
    return PLATEN_OK;
}

/* Gives the frame a number and a time. */
static platen_status count_frame(struct pl_frames *f, struct pl_frame *ret,
                                 struct platen_error *err)
{
    const double now_s = pl_host_seconds();
    if (f->n == INT_MAX)
        return pl_fail(err, PLATEN_ERR_LIMIT, "more than %d frames", INT_MAX);
    f->first_s = f->n ? f->first_s : now_s;
    ret->time_s = f->framing.fps > 0 ? f->n / f->framing.fps : now_s - f->first_s;
    ret->number = ++f->n;
    return PLATEN_OK;
}

static platen_status next_frame(struct pl_frames *f, struct pl_frame *ret, bool *ret_any,
                                struct platen_error *err)
{
    for (;;) {
        struct pl_frame_place place;
        platen_status s = find_frame(f, &place, err);
        *ret_any = !s && place.any;
        if (!*ret_any)
            return s;
        s = count_frame(f, ret, err);
        s = s ? s : compare_places(f, &place, ret_any, err);
        if (!s && *ret_any)
            s = pl_frame_file(&f->framing, place.data, place.bytes, f->gray, &ret->map, err);
        if (s || *ret_any)
            return s;
        f->same++;
    }
}

/* What is wrong with the stream is no fault of the call. */
platen_status pl_frames_next(struct pl_frames *f, struct pl_frame *ret, bool *ret_any,
                             struct platen_error *err)
{
    platen_status s = next_frame(f, ret, ret_any, err);
    if (!s)
        return s;
    *ret_any = false;
    s = s == PLATEN_ERR_NOMEM ? s : PLATEN_ERR_IO;
    err->code = s;
    return pl_fail_prefix(err, s, "frame %d of '%s': ", f->n + 1, f->path);
}
