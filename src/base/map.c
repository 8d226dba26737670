/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/map.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io_fault.h"
#include "base/map_guard.h"
#include "base/mem.h"
#include "base/sandbox.h"
#include "base/system.h"
#include "base/wait.h"

#define TRUNCATED "truncated while it was read"

/* Of a pipe: what tells what it is, in one piece. */
#define HEAD_BYTES ((size_t)1 << 16)

static platen_status fail_io(const char *what, struct platen_error *err)
{
    if (errno == ECANCELED)
        return pl_fail(err, PLATEN_ERR_CANCELED, "canceled");
    return pl_fail_errno(err, PLATEN_ERR_IO, "unable to %s", what);
}

struct how {
    size_t max_bytes, read_bytes; /* files up to read_bytes are read */
    bool head;
    int wake_fd; /* as in pl_wait_read() */
};

/* Reads up to `most` bytes from fd behind the m->size that are there, in m->data, which has room
 * for `cap`. PLATEN_ERR_LIMIT when there are more, unless only the head is wanted. *ret_end: the
 * end was reached. */
static platen_status read_to(int fd, const struct how *how, size_t cap, struct pl_map *m,
                             bool *ret_end, struct platen_error *err)
{
    uint8_t *buf = (uint8_t *)(uintptr_t)m->data;
    const size_t most = how->head ? HEAD_BYTES : how->max_bytes + 1;
    *ret_end = false;
    while (!*ret_end && m->size < most) {
        if (m->size == cap) {
            size_t wanted = PL_MIN(PL_MAX(cap * 2, HEAD_BYTES), most);
            uint8_t *more = pl_realloc(buf, wanted, 1);
            if (!more)
                return pl_fail_nomem(err, wanted, "the input");
            m->data = buf = more;
            cap = wanted;
        }
        ssize_t n = pl_wait_read(fd, buf + m->size, cap - m->size, how->wake_fd);
        if (n < 0)
            return fail_io("read", err);
        m->size += (size_t)n;
        *ret_end = n == 0;
    }
    return m->size > how->max_bytes
               ? pl_fail(err, PLATEN_ERR_LIMIT, "longer than %zu bytes", how->max_bytes)
               : PLATEN_OK;
}

/* Of what cannot be mapped: all, or the head, and then fd is ret's if there is more. */
static platen_status read_fd(int fd, const struct how *how, struct pl_map *ret,
                             struct platen_error *err)
{
    struct pl_map m = {.kind = PL_MAP_ALLOCATED, .fd = fd};
    bool end;
    platen_status s = read_to(fd, how, 0, &m, &end, err);
    if (s) {
        pl_map_close(&m);
        return s;
    }
    m.unread = !end;
    *ret = m;
    return PLATEN_OK;
}

/* Aligned as a mapping is for what models need. One that becomes shorter meanwhile is an error. */
static platen_status read_file(int fd, size_t n, struct pl_map *ret, struct platen_error *err)
{
    uint8_t *buf = pl_alloc_aligned(n);
    if (!buf)
        return pl_fail_nomem(err, n, "the input");
    struct pl_map m = {.data = buf, .size = n, .kind = PL_MAP_ALLOCATED};
    platen_status s = PLATEN_OK;
    for (size_t at = 0; !s && at < n;) {
        ssize_t got = pl_io_fails() ? -1 : read(fd, buf + at, n - at);
        if (got < 0 && errno != EINTR)
            s = fail_io("read", err);
        else if (got == 0)
            s = pl_fail(err, PLATEN_ERR_IO, TRUNCATED);
        at += (size_t)PL_MAX(got, 0);
    }
    if (s)
        pl_map_close(&m);
    else
        *ret = m;
    return s;
}

/* Seconds behind a change of a file in which a further one may leave the same times: those of FAT
 * count by two seconds, and all others by some milliseconds at most. */
#define SETTLED_S 2

static bool is_settled(struct timespec t, struct timespec now)
{
    return now.tv_sec - t.tv_sec > SETTLED_S;
}

/* The version of a file; without a length where a further one may look the same. */
static struct pl_file_version version_of(const struct stat *st)
{
    const struct timespec written = pl_system_written(st), changed = pl_system_changed(st);
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    const bool settled = is_settled(written, now) && is_settled(changed, now);
    return (struct pl_file_version){.device = st->st_dev,
                                    .inode = st->st_ino,
                                    .bytes = settled ? (uint64_t)st->st_size : 0,
                                    .written = written,
                                    .changed = changed};
}

bool pl_map_version(const void *data, size_t n, struct pl_file_version *ret)
{
    return pl_map_guard_version(data, n, ret) && ret->bytes;
}

static bool is_same_time(struct timespec a, struct timespec b)
{
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

bool pl_file_version_is(const struct pl_file_version *a, const struct pl_file_version *b)
{
    return a->device == b->device && a->inode == b->inode && a->bytes == b->bytes &&
           is_same_time(a->written, b->written) && is_same_time(a->changed, b->changed);
}

static bool map_file(int fd, const struct stat *st, struct pl_map *ret)
{
    size_t n = (size_t)st->st_size;
    void *p = mmap(NULL, n, PROT_READ, MAP_PRIVATE, fd, 0);
    if (p == MAP_FAILED)
        return false;
    const struct pl_file_version version = version_of(st);
    struct pl_map_guard *guard = pl_map_guard_take(p, n, &version);
    if (!guard) {
        munmap(p, n);
        return false;
    }
    *ret = (struct pl_map){.data = p,
                           .size = n,
                           .kind = PL_MAP_MAPPED,
                           .guard = guard,
                           .device = st->st_dev,
                           .inode = st->st_ino,
                           .written = pl_system_written(st)};
    return true;
}

static platen_status open_fd(int fd, const struct how *how, struct pl_map *ret,
                             struct platen_error *err)
{
    struct stat st;
    if (pl_io_fails() || fstat(fd, &st))
        return fail_io("read", err);
    if (S_ISDIR(st.st_mode))
        return pl_fail(err, PLATEN_ERR_IO, "is a directory");
    if (!S_ISREG(st.st_mode) || st.st_size == 0)
        return read_fd(fd, how, ret, err);
    if ((uint64_t)st.st_size > how->max_bytes)
        return pl_fail(err, PLATEN_ERR_LIMIT, "%lld bytes long, more than the limit of %zu",
                       (long long)st.st_size, how->max_bytes);
    if ((uint64_t)st.st_size <= how->read_bytes)
        return read_file(fd, (size_t)st.st_size, ret, err);
    return map_file(fd, &st, ret) ? PLATEN_OK : read_fd(fd, how, ret, err);
}

static platen_status open_path(const char *path, const struct how *how, struct pl_map *ret,
                               struct platen_error *err)
{
    struct pl_map m = {0};
    if (!strcmp(path, "-"))
        return read_fd(STDIN_FILENO, how, ret, err);
    int fd = pl_wait_open(AT_FDCWD, path, O_RDONLY, how->wake_fd);
    platen_status s = fd < 0 ? fail_io("open", err) : PLATEN_OK;
    if (s)
        return s == PLATEN_ERR_IO ? pl_sandbox_explain(err, path, R_OK) : s;
    s = open_fd(fd, how, &m, err);
    if (s || !m.unread)
        close(fd);
    if (!s)
        *ret = m;
    return s;
}

platen_status pl_map_open(const char *path, size_t max_bytes, struct pl_map *ret,
                          struct platen_error *err)
{
    return open_path(path, &(struct how){.max_bytes = max_bytes, .wake_fd = -1}, ret, err);
}

platen_status pl_map_read(const char *path, size_t max_bytes, struct pl_map *ret,
                          struct platen_error *err)
{
    const struct how how = {.max_bytes = max_bytes, .read_bytes = PL_MAP_READ_BYTES, .wake_fd = -1};
    return open_path(path, &how, ret, err);
}

platen_status pl_map_open_head(const char *path, size_t max_bytes, int wake_fd, struct pl_map *ret,
                               struct platen_error *err)
{
    const struct how how = {.max_bytes = max_bytes, .head = true, .wake_fd = wake_fd};
    return open_path(path, &how, ret, err);
}

bool pl_map_open_ahead(const char *path, size_t max_bytes, struct pl_map *ret)
{
    struct stat st;
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0)
        return false;
    const bool good = !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size > 0 &&
                      (uint64_t)st.st_size <= max_bytes && map_file(fd, &st, ret);
    close(fd);
    return good;
}

void pl_map_ask_for(const struct pl_map *m, size_t bytes)
{
    madvise((void *)(uintptr_t)m->data, PL_MIN(bytes, m->size), MADV_WILLNEED); /* it may fail */
}

/* Nobody closes standard input here. */
static void close_unread(struct pl_map *m)
{
    if (m->unread && m->fd != STDIN_FILENO)
        close(m->fd);
    m->unread = false;
}

platen_status pl_map_read_rest(struct pl_map *m, size_t max_bytes, int wake_fd,
                               struct platen_error *err)
{
    bool end;
    if (!m->unread)
        return PLATEN_OK;
    platen_status s = read_to(m->fd, &(struct how){.max_bytes = max_bytes, .wake_fd = wake_fd},
                              m->size, m, &end, err);
    close_unread(m);
    return s;
}

platen_status pl_map_check(const struct pl_map *m, const char *path, bool may_grow,
                           struct platen_error *err)
{
    struct stat st;
    if (m->kind != PL_MAP_MAPPED)
        return PLATEN_OK;
    bool torn = pl_map_guard_torn(m->guard),
         same = !stat(path, &st) && st.st_dev == m->device && st.st_ino == m->inode;
    if (torn || (same && (uint64_t)st.st_size < m->size))
        return pl_fail(err, PLATEN_ERR_IO, TRUNCATED);
    const struct timespec written = same ? pl_system_written(&st) : m->written;
    bool grown = same && (uint64_t)st.st_size > m->size,
         changed = same && !is_same_time(written, m->written);
    if ((grown || changed) && !(grown && may_grow))
        return pl_fail(err, PLATEN_ERR_IO, "changed while it was read");
    return PLATEN_OK;
}

struct pl_map pl_map_borrow(const void *data, size_t n)
{
    return (struct pl_map){.data = data, .size = n, .kind = PL_MAP_BORROWED};
}

void pl_map_close(struct pl_map *m)
{
    close_unread(m);
    pl_map_guard_drop(m->guard);
    if (m->kind == PL_MAP_MAPPED)
        munmap((void *)(uintptr_t)m->data, m->size);
    else if (m->kind == PL_MAP_ALLOCATED)
        pl_free((void *)(uintptr_t)m->data);
    *m = (struct pl_map){0};
}

void pl_map_forget(const uint8_t *at, size_t n)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t from = (uintptr_t)at & ~(page - 1), to = ((uintptr_t)at + n) & ~(page - 1);
    if (to > from)
        madvise((void *)from, to - from, MADV_DONTNEED); /* advice: it may fail */
}
