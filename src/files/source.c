/* SPDX-License-Identifier: BSD-2-Clause */
#include "files/source.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/system.h"
#include "files/walk.h"

void pl_source_init(struct pl_input_source *src)
{
    int ends[2] = {-1, -1};
    if (pl_system_pipe(ends))
        fcntl(ends[1], F_SETFL, O_NONBLOCK);
    *src = (struct pl_input_source){
        .wake_fd = ends[0], .wake_end = ends[1], .shard_index = 1, .shard_count = 1};
    src->list.fd = -1;
    pl_inputs_init(&src->settled);
    pl_inputs_init(&src->entry);
    pthread_mutex_init(&src->lock, NULL);
}

void pl_source_done(struct pl_input_source *src)
{
    if (src->live)
        pl_records_close(&src->list);
    pl_frames_close(&src->frames);
    if (src->wake_fd >= 0) {
        close(src->wake_fd);
        close(src->wake_end);
    }
    pl_inputs_done(&src->settled);
    pl_inputs_done(&src->entry);
    pthread_mutex_destroy(&src->lock);
}

platen_status pl_source_open_list(struct pl_input_source *src, const char *path, bool nul_ended,
                                  struct platen_error *err)
{
    bool from_stdin = !strcmp(path, "-");
    if (src->live)
        return pl_fail(err, PLATEN_ERR_ARG, "a job takes one list of inputs");
    if (from_stdin && src->settled.stdin_taken)
        return pl_fail(err, PLATEN_ERR_ARG, "standard input is named twice");
    src->settled.stdin_taken = src->settled.stdin_taken || from_stdin;
    platen_status s = pl_records_open(&src->list, path, nul_ended ? '\0' : '\n', err);
    if (s)
        return pl_fail_prefix(err, s, "list '%s': ", path);
    src->live = true;
    src->list_path = path;
    src->list.wake_fd = src->wake_fd;
    return PLATEN_OK;
}

platen_status pl_source_open_frames(struct pl_input_source *src, const char *path,
                                    struct platen_error *err)
{
    if (src->live || src->settled.n)
        return pl_fail(err, PLATEN_ERR_ARG, "a stream of frames is the only input");
    src->live = true;
    return pl_frames_open(&src->frames, path, src->wake_fd, err);
}

void pl_source_stop(struct pl_input_source *src)
{
    int kept = errno;
    ssize_t n = src->wake_fd < 0 ? 0 : write(src->wake_end, "", 1);
    (void)n; /* it can fail only when the pipe is full */
    errno = kept;
}

/* Fails for a name that leads to the file of the output, which has been begun: its bytes would be
 * lost. */
static platen_status check_output(const struct pl_input_source *src, struct platen_error *err)
{
    for (size_t i = 0; src->output && i < src->entry.n; i++)
        if (pl_file_is_same(src->output, src->entry.v[i].path))
            return pl_fail(err, PLATEN_ERR_ARG, "the output would take the place of '%s'",
                           src->entry.v[i].path);
    return PLATEN_OK;
}

/* Fills src->entry with the pages of the next name of the list; it stays empty at the end, and when
 * the next name does not come in time. */
static platen_status read_entry(struct pl_input_source *src, int wait_ms, struct platen_error *err)
{
    const char *name;
    size_t n;
    platen_status s = PLATEN_OK;
    src->entry_at = 0;
    src->entry.stdin_taken = src->settled.stdin_taken;
    do {
        pl_inputs_reset(&src->entry);
        s = pl_records_next(&src->list, wait_ms, &name, &n, err);
        if (!s && name)
            s = pl_inputs_add_record(&src->entry, name, n, err);
        if (s)
            return pl_fail_prefix(err, s, "list '%s': ", src->list_path);
        s = pl_inputs_split(&src->entry, err);
        s = s ? s : check_output(src, err);
        pl_inputs_shard(&src->entry, false, src->shard_index, src->shard_count);
    } while (!s && name && !src->entry.n);
    return s;
}

static platen_status copy(struct pl_arena *arena, const struct pl_input *in, struct pl_input *ret,
                          struct platen_error *err)
{
    const char *const from[] = {in->path, in->name, in->stem, in->label, in->error, in->page_label};
    const char *to[PL_ARRAY_LEN(from)] = {0};
    for (size_t i = 0; i < PL_ARRAY_LEN(from); i++) {
        to[i] = from[i] ? pl_arena_strndup(arena, from[i], strlen(from[i])) : NULL;
        if (from[i] && !to[i])
            return pl_fail_nomem(err, strlen(from[i]), "a name");
    }
    *ret = *in;
    ret->path = to[0];
    ret->name = to[1];
    ret->file = ret->document =
        NULL; /* only of outputs below a directory, which wait for no list */
    ret->stem = to[2];
    ret->label = to[3];
    ret->error = to[4];
    ret->page_label = to[5];
    return PLATEN_OK;
}

/* Names frame 12 of cam.y4m "cam-000012.y4m", of standard input "stdin-000012". */
static platen_status name_frame(struct pl_arena *arena, const char *path, struct pl_input *ret,
                                struct platen_error *err)
{
    const char *slash = strrchr(path, '/');
    const char *name = !strcmp(path, "-") ? "stdin" : slash ? slash + 1 : path;
    ret->path = path;
    ret->name = ret->file = name;
    ret->label = pl_arena_printf(arena, "%s#%d", path, ret->frame);
    ret->stem = pl_arena_printf(arena, "%s-%06d", pl_inputs_stem(arena, name), ret->frame);
    return ret->label && ret->stem ? PLATEN_OK : pl_fail_nomem(err, strlen(path), "a name");
}

/* Takes the next frame that is to be read; nothing with a limit to the wait, for the one before it
 * is to be told first. */
static platen_status take_frame(struct pl_input_source *src, struct pl_arena *arena, int wait_ms,
                                struct pl_input *ret, bool *ret_any, struct platen_error *err)
{
    struct pl_frame frame;
    *ret_any = false;
    if (wait_ms >= 0)
        return PLATEN_OK;
    *ret = (struct pl_input){.head = PL_NEW(arena, struct pl_map, 1)};
    if (!ret->head)
        return pl_fail_nomem(err, sizeof(*ret->head), "a frame");
    platen_status s = pl_frames_next(&src->frames, &frame, ret_any, err);
    src->ended = s || !*ret_any;
    if (!*ret_any)
        return s;
    ret->frame = frame.number;
    ret->time_s = frame.time_s;
    s = name_frame(arena, src->frames.path, ret, err);
    if (s)
        pl_map_close(&frame.map);
    *ret->head = frame.map;
    return s;
}

static platen_status take_input(struct pl_input_source *src, struct pl_arena *arena, int wait_ms,
                                struct pl_input *ret, bool *ret_any, struct platen_error *err)
{
    if (src->frames.path)
        return take_frame(src, arena, wait_ms, ret, ret_any, err);
    *ret_any = true;
    if (src->given < src->settled.n) {
        *ret = src->settled.v[src->given];
        return PLATEN_OK;
    }
    platen_status s = PLATEN_OK;
    if (src->live && src->entry_at == src->entry.n)
        s = read_entry(src, wait_ms, err);
    *ret_any = !s && src->entry_at < src->entry.n;
    src->ended = s || (!*ret_any && (!src->live || src->list.eof));
    return *ret_any ? copy(arena, &src->entry.v[src->entry_at++], ret, err) : s;
}

/* Takes the lock; false where that fails. Its holder may wait for the list for long, so that with a
 * limit to the wait the lock is not waited for either. */
static bool enter(struct pl_input_source *src, int wait_ms)
{
    if (src->live && wait_ms >= 0)
        return !pthread_mutex_trylock(&src->lock);
    return !pthread_mutex_lock(&src->lock);
}

platen_status pl_source_next(struct pl_input_source *src, struct pl_arena *arena, int wait_ms,
                             struct pl_input *ret, size_t *ret_index, bool *ret_any,
                             struct platen_error *err)
{
    *ret_any = false;
    if (!enter(src, wait_ms))
        return PLATEN_OK;
    platen_status s = PLATEN_OK;
    if (!src->ended)
        s = take_input(src, arena, wait_ms, ret, ret_any, err);
    *ret_any = *ret_any && !s;
    *ret_index = src->given;
    src->given += *ret_any;
    pthread_mutex_unlock(&src->lock);
    return s;
}

size_t pl_source_count(const struct pl_input_source *src, bool *ret_all)
{
    size_t given = atomic_load(&src->given);
    *ret_all =
        !src->live || (atomic_load(&src->ended) && !src->list.woken && !src->frames.canceled);
    return PL_MAX(given, src->settled.n);
}
