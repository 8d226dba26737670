#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"

static _Atomic uint64_t fail_countdown;
static atomic_int fail_errno;

void pl_file_fail_at(uint64_t n, int os_errno)
{
    atomic_store(&fail_errno, os_errno);
    atomic_store(&fail_countdown, n);
}

/* True when this operation is the one that a test wants to fail. */
static bool injected(void)
{
    uint64_t n = atomic_load(&fail_countdown);
    if (!n || atomic_fetch_sub(&fail_countdown, 1) != 1)
        return false;
    errno = atomic_load(&fail_errno);
    return true;
}

static platen_status read_all(int fd, size_t max_bytes, struct pl_map *ret,
                              struct platen_error *err)
{
    size_t cap = 0, len = 0;
    uint8_t *buf = NULL;
    for (;;) {
        if (len == cap) {
            uint8_t *more = pl_realloc(buf, PL_MAX(cap * 2, (size_t)1 << 16), 1);
            if (!more) {
                pl_free(buf);
                return pl_fail_nomem(err, cap * 2, "the input");
            }
            buf = more;
            cap = PL_MAX(cap * 2, (size_t)1 << 16);
        }
        ssize_t n = injected() ? -1 : read(fd, buf + len, cap - len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            platen_status s = pl_fail_errno(err, PLATEN_ERR_IO, "unable to read");
            pl_free(buf);
            return s;
        }
        len += (size_t)n;
        if (len > max_bytes) {
            pl_free(buf);
            return pl_fail(err, PLATEN_ERR_LIMIT, "longer than %zu bytes", max_bytes);
        }
        if (n == 0)
            break;
    }
    *ret = (struct pl_map){buf, len, PL_MAP_ALLOCATED};
    return PLATEN_OK;
}

static platen_status map_fd(int fd, size_t max_bytes, struct pl_map *ret, struct platen_error *err)
{
    struct stat st;
    if (injected() || fstat(fd, &st))
        return pl_fail_errno(err, PLATEN_ERR_IO, "unable to read");
    if (S_ISDIR(st.st_mode))
        return pl_fail(err, PLATEN_ERR_IO, "is a directory");
    if (!S_ISREG(st.st_mode) || st.st_size == 0)
        return read_all(fd, max_bytes, ret, err);
    if ((uint64_t)st.st_size > max_bytes)
        return pl_fail(err, PLATEN_ERR_LIMIT, "%lld bytes long, more than the limit of %zu",
                       (long long)st.st_size, max_bytes);
    void *p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (p == MAP_FAILED)
        return read_all(fd, max_bytes, ret, err);
    *ret = (struct pl_map){p, (size_t)st.st_size, PL_MAP_MAPPED};
    return PLATEN_OK;
}

platen_status pl_map_open(const char *path, size_t max_bytes, struct pl_map *ret,
                          struct platen_error *err)
{
    if (!strcmp(path, "-"))
        return read_all(STDIN_FILENO, max_bytes, ret, err);
    int fd = injected() ? -1 : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return pl_fail_errno(err, PLATEN_ERR_IO, "unable to open");
    platen_status s = map_fd(fd, max_bytes, ret, err);
    close(fd);
    return s;
}

struct pl_map pl_map_borrow(const void *data, size_t n)
{
    return (struct pl_map){data, n, PL_MAP_BORROWED};
}

void pl_map_close(struct pl_map *m)
{
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

bool pl_file_is_same(const char *a, const char *b)
{
    struct stat x, y;
    return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static bool write_all(int fd, const uint8_t *p, size_t n)
{
    while (n) {
        ssize_t k = injected() ? -1 : write(fd, p, n);
        if (k < 0 && errno == EINTR)
            continue;
        if (k < 0)
            return false;
        p += k;
        n -= (size_t)k;
    }
    return true;
}

platen_status pl_file_make_parents(const char *path, struct platen_error *err)
{
    char dir[4096];
    size_t n = strlen(path);
    if (n >= sizeof(dir))
        return pl_fail(err, PLATEN_ERR_LIMIT, "unable to write '%s': the name is too long", path);
    for (size_t i = 1; i < n; i++) {
        if (path[i] != '/')
            continue;
        memcpy(dir, path, i);
        dir[i] = '\0';
        if (mkdir(dir, 0777) && errno != EEXIST)
            return pl_fail_errno(err, PLATEN_ERR_IO, "unable to make directory '%s'", dir);
    }
    return PLATEN_OK;
}

/* Opens and locks a file for this process, so that what a killed process left behind can be told
 * from what another one is writing: then -1 and EWOULDBLOCK. The lock ends with the process. */
static int open_locked(const char *path)
{
    struct stat mine, there;
    for (;;) {
        int fd = injected() ? -1 : open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
        if (fd < 0)
            return -1;
        if (flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK) {
            close(fd);
            errno = EWOULDBLOCK;
            return -1;
        }
        if (!fstat(fd, &mine) && !stat(path, &there) && mine.st_ino == there.st_ino &&
            mine.st_dev == there.st_dev)
            return fd;
        close(fd); /* renamed or removed by its owner between the two calls */
    }
}

/* Fills tmp with a name beside path and opens it; the mode follows the umask. The name is always
 * the same: what a killed process left is written over when its work is done again. */
static int open_temporary(const char *path, char *tmp, size_t size)
{
    int n = snprintf(tmp, size, "%s.tmp", path);
    if (n < 0 || (size_t)n >= size) {
        errno = ENAMETOOLONG;
        return -1;
    }
    int fd = open_locked(tmp);
    if (fd >= 0 && ftruncate(fd, 0)) {
        close(fd);
        return -1;
    }
    return fd;
}

/* A pipe, a device or a socket, perhaps behind a link: nothing that may be replaced. */
static bool is_special(const char *path)
{
    struct stat st;
    return !stat(path, &st) && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

static platen_status fail_write(const struct pl_writer *w, struct platen_error *err)
{
    return pl_fail_errno(err, PLATEN_ERR_IO, "unable to write '%s'", w->path);
}

platen_status pl_writer_open(struct pl_writer *w, const char *path, struct platen_error *err)
{
    w->path = path;
    w->fd = -1;
    w->tmp[0] = '\0';
    platen_status s = pl_file_make_parents(path, err);
    if (s)
        return s;
    w->fd = is_special(path) ? open(path, O_WRONLY | O_CLOEXEC)
                             : open_temporary(path, w->tmp, sizeof(w->tmp));
    return w->fd < 0 ? fail_write(w, err) : PLATEN_OK;
}

platen_status pl_writer_add(struct pl_writer *w, const void *data, size_t n,
                            struct platen_error *err)
{
    return write_all(w->fd, data, n) ? PLATEN_OK : fail_write(w, err);
}

static void remove_temporary(const struct pl_writer *w)
{
    if (*w->tmp)
        unlink(w->tmp);
}

/* The copy's close() tells what a file system may say only then, while the lock is still held. */
platen_status pl_writer_commit(struct pl_writer *w, struct platen_error *err)
{
    int copy = dup(w->fd);
    bool done = copy >= 0 && !close(copy) && !injected() && (!*w->tmp || !rename(w->tmp, w->path));
    platen_status s = done ? PLATEN_OK : fail_write(w, err);
    if (!done)
        remove_temporary(w);
    close(w->fd);
    w->fd = -1;
    return s;
}

void pl_writer_abort(struct pl_writer *w)
{
    if (w->fd < 0)
        return;
    remove_temporary(w);
    close(w->fd);
    w->fd = -1;
}

platen_status pl_file_write(const char *path, const void *data, size_t n, struct platen_error *err)
{
    if (!strcmp(path, "-")) {
        if (!write_all(STDOUT_FILENO, data, n))
            return pl_fail_errno(err, PLATEN_ERR_IO, "unable to write standard output");
        return PLATEN_OK;
    }
    struct pl_writer w;
    platen_status s = pl_writer_open(&w, path, err);
    if (s)
        return s;
    s = pl_writer_add(&w, data, n, err);
    if (s) {
        pl_writer_abort(&w);
        return s;
    }
    return pl_writer_commit(&w, err);
}

platen_status pl_appender_open(struct pl_appender *a, const char *path, struct platen_error *err)
{
    *a = (struct pl_appender){path, open_locked(path)};
    return a->fd < 0 ? pl_fail_errno(err, PLATEN_ERR_IO, "unable to open '%s'", path) : PLATEN_OK;
}

platen_status pl_appender_cut(struct pl_appender *a, size_t n, struct platen_error *err)
{
    if (!injected() && !ftruncate(a->fd, (off_t)n) && lseek(a->fd, 0, SEEK_END) >= 0)
        return PLATEN_OK;
    return pl_fail_errno(err, PLATEN_ERR_IO, "unable to write '%s'", a->path);
}

platen_status pl_appender_add(struct pl_appender *a, const void *data, size_t n,
                              struct platen_error *err)
{
    if (write_all(a->fd, data, n))
        return PLATEN_OK;
    return pl_fail_errno(err, PLATEN_ERR_IO, "unable to write '%s'", a->path);
}

void pl_appender_close(struct pl_appender *a)
{
    close(a->fd);
    a->fd = -1;
}

void pl_appender_remove(struct pl_appender *a)
{
    unlink(a->path);
}

platen_status pl_records_open(struct pl_records *r, const char *path, char end,
                              struct platen_error *err)
{
    *r = (struct pl_records){.fd = STDIN_FILENO, .wake_fd = -1, .end = end};
    if (!strcmp(path, "-"))
        return PLATEN_OK;
    r->fd = injected() ? -1 : open(path, O_RDONLY | O_CLOEXEC);
    return r->fd < 0 ? pl_fail_errno(err, PLATEN_ERR_IO, "unable to open") : PLATEN_OK;
}

void pl_records_close(struct pl_records *r)
{
    if (r->fd > STDIN_FILENO)
        close(r->fd);
    pl_free(r->buf);
    *r = (struct pl_records){.fd = -1, .wake_fd = -1};
}

enum wait { WAIT_BYTES, WAIT_NONE_YET, WAIT_WOKEN };

static enum wait wait_for_bytes(const struct pl_records *r, int wait_ms)
{
    struct pollfd v[] = {{r->fd, POLLIN, 0}, {r->wake_fd, POLLIN, 0}};
    int n = 1;
    while (r->wake_fd >= 0 && (n = poll(v, 2, wait_ms)) < 0 && errno == EINTR)
        continue;
    return v[1].revents ? WAIT_WOKEN : n ? WAIT_BYTES : WAIT_NONE_YET;
}

/* *ret_any = false: nothing came in time. */
static platen_status read_more(struct pl_records *r, int wait_ms, bool *ret_any,
                               struct platen_error *err)
{
    if (r->at) { /* what is left of the record that has begun */
        memmove(r->buf, r->buf + r->at, r->len - r->at);
        r->len -= r->at;
        r->at = 0;
    }
    if (!r->buf) {
        r->buf = pl_alloc(PL_MAX_RECORD_BYTES, 1);
        if (!r->buf)
            return pl_fail_nomem(err, PL_MAX_RECORD_BYTES, "a list");
    }
    if (r->len == PL_MAX_RECORD_BYTES)
        return pl_fail(err, PLATEN_ERR_LIMIT, "a name of more than %zu bytes", PL_MAX_RECORD_BYTES);
    for (;;) {
        enum wait w = wait_for_bytes(r, wait_ms);
        *ret_any = w != WAIT_NONE_YET;
        if (w == WAIT_NONE_YET)
            return PLATEN_OK;
        if (w == WAIT_WOKEN) {
            r->len = 0;
            r->eof = r->woken = true;
            return PLATEN_OK;
        }
        ssize_t n = injected() ? -1 : read(r->fd, r->buf + r->len, PL_MAX_RECORD_BYTES - r->len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return pl_fail_errno(err, PLATEN_ERR_IO, "unable to read");
        r->len += (size_t)n;
        r->eof = n == 0;
        return PLATEN_OK;
    }
}

platen_status pl_records_next(struct pl_records *r, int wait_ms, const char **ret, size_t *ret_n,
                              struct platen_error *err)
{
    size_t seen = 0; /* bytes of the record without its end */
    bool any = true;
    *ret = NULL;
    while (any) {
        const char *from = r->len > r->at ? r->buf + r->at : NULL;
        const char *stop = from ? memchr(from + seen, r->end, r->len - r->at - seen) : NULL;
        seen = r->len - r->at;
        if (stop || r->eof) {
            *ret_n = stop ? (size_t)(stop - from) : seen;
            *ret = stop || seen ? from : NULL;
            r->at += *ret_n + (stop != NULL);
            if (r->end == '\n' && *ret_n && from[*ret_n - 1] == '\r')
                --*ret_n;
            return PLATEN_OK;
        }
        platen_status s = read_more(r, wait_ms, &any, err);
        if (s)
            return s;
    }
    return PLATEN_OK;
}
