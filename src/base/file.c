/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/file.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/io_fault.h"
#include "base/sandbox.h"
#include "base/wait.h"

bool pl_file_is_same(const char *a, const char *b)
{
    struct stat x, y;
    return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static bool write_all(int fd, const uint8_t *p, size_t n)
{
    while (n) {
        ssize_t k = pl_io_fails() ? -1 : write(fd, p, n);
        if (k < 0 && errno == EINTR)
            continue;
        if (k < 0)
            return false;
        p += k;
        n -= (size_t)k;
    }
    return true;
}

static bool sync_bytes(int fd)
{
    return !pl_io_fails() && (!fsync(fd) || errno == EINVAL); /* EINVAL: a pipe, a device */
}

/* ---- files that appear whole ---- */

static platen_status fail_write(const struct pl_writer *w, struct platen_error *err)
{
    if (errno == ECANCELED)
        return pl_fail(err, PLATEN_ERR_CANCELED, "canceled");
    return pl_fail_errno(err, PLATEN_ERR_IO, "unable to write '%s'", w->path);
}

static void close_writer(struct pl_writer *w)
{
    if (w->fd >= 0)
        close(w->fd);
    if (w->dir_fd >= 0)
        close(w->dir_fd);
    w->fd = w->dir_fd = -1;
}

static bool is_special(mode_t mode)
{
    return !S_ISREG(mode) && !S_ISDIR(mode) && !S_ISLNK(mode);
}

/* Makes the new file as private as the old one, and gives it to the same user and group where that
 * is allowed: where it is not, the group may do no more than everybody. */
static void keep_mode(int fd, const struct stat *old)
{
    struct stat now;
    mode_t mode = old->st_mode & 0777;
    bool same = !fstat(fd, &now) && now.st_uid == old->st_uid && now.st_gid == old->st_gid;
    if (!same && fchown(fd, old->st_uid, old->st_gid) && fchown(fd, (uid_t)-1, old->st_gid))
        mode &= ~(mode_t)070 | (mode & 07) << 3;
    if (fchmod(fd, mode))
        return; /* as narrow as it was made */
}

/* Whether the name is a link to a descriptor of a process, as /dev/stdout is: then what it leads to
 * is written, even a regular file, and the link stays. */
static bool leads_to_descriptor(const struct pl_writer *w)
{
    static const char place[] = "/proc/";
    char to[sizeof(place)];
    ssize_t n = readlinkat(w->dir_fd, w->leaf, to, sizeof(to));
    return n >= (ssize_t)sizeof(place) - 1 && !memcmp(to, place, sizeof(place) - 1);
}

/* A pipe, a device or a socket, perhaps behind a link: nothing that may be replaced. What was
 * redirected to a file grows at its end. */
static platen_status open_special(struct pl_writer *w, bool is_output, struct platen_error *err)
{
    if (is_output)
        return pl_fail(err, PLATEN_ERR_IO, "unable to write '%s': it is not a regular file",
                       w->path);
    w->special = true;
    w->fd = pl_wait_open(w->dir_fd, w->leaf, O_WRONLY | O_APPEND, w->wake_fd);
    return w->fd < 0 ? fail_write(w, err) : PLATEN_OK;
}

static platen_status open_new(struct pl_writer *w, const struct stat *old, struct platen_error *err)
{
    w->fd = pl_temporary_open(w->dir_fd, old ? 0600 : 0666, w->tmp);
    if (w->fd < 0)
        return fail_write(w, err);
    if (old)
        keep_mode(w->fd, old);
    return PLATEN_OK;
}

static platen_status open_target(struct pl_writer *w, bool is_output, struct platen_error *err)
{
    struct stat st, led_to;
    if (fstatat(w->dir_fd, w->leaf, &st, AT_SYMLINK_NOFOLLOW))
        return open_new(w, NULL, err);
    if (is_special(st.st_mode) ||
        (!is_output && S_ISLNK(st.st_mode) && !fstatat(w->dir_fd, w->leaf, &led_to, 0) &&
         (is_special(led_to.st_mode) || leads_to_descriptor(w))))
        return open_special(w, is_output, err);
    if (S_ISDIR(st.st_mode)) {
        errno = EISDIR;
        return fail_write(w, err);
    }
    return open_new(w, S_ISREG(st.st_mode) ? &st : NULL, err);
}

static platen_status open_writer(struct pl_writer *w, const char *path,
                                 const struct pl_file_rules *rules, int wake_fd,
                                 struct platen_error *err)
{
    *w = (struct pl_writer){.path = path, .dir_fd = -1, .fd = -1, .wake_fd = wake_fd};
    platen_status s = pl_dir_open_parent(path, rules->root_bytes, false, &w->dir_fd, &w->leaf, err);
    if (!s)
        s = open_target(w, rules->root_bytes > 0, err);
    if (s)
        close_writer(w);
    return s;
}

static const struct pl_file_rules named_by_user = {0};

platen_status pl_writer_open(struct pl_writer *w, const char *path, struct platen_error *err)
{
    return open_writer(w, path, &named_by_user, -1, err);
}

platen_status pl_writer_open_until(struct pl_writer *w, const char *path, int wake_fd,
                                   struct platen_error *err)
{
    return open_writer(w, path, &named_by_user, wake_fd, err);
}

platen_status pl_writer_open_below(struct pl_writer *w, const char *path,
                                   const struct pl_file_rules *rules, struct platen_error *err)
{
    platen_status s = open_writer(w, path, rules, -1, err);
    w->durable = rules->durable;
    return s == PLATEN_ERR_IO ? pl_sandbox_explain(err, path, W_OK) : s;
}

static bool write_special(const struct pl_writer *w, const uint8_t *p, size_t n)
{
    while (n) {
        ssize_t k = pl_wait_write(w->fd, p, n, w->wake_fd);
        if (k < 0)
            return false;
        p += k;
        n -= (size_t)k;
    }
    return true;
}

platen_status pl_writer_add(struct pl_writer *w, const void *data, size_t n,
                            struct platen_error *err)
{
    assert(w->fd >= 0);
    bool done = w->special ? write_special(w, data, n) : write_all(w->fd, data, n);
    return done ? PLATEN_OK : fail_write(w, err);
}

/* The copy's close() tells what a file system may say only then, while the lock is still held. */
static bool settle(struct pl_writer *w, bool sync)
{
    int copy = pl_io_fails() ? -1 : dup(w->fd);
    return copy >= 0 && !close(copy) && (!sync || sync_bytes(w->fd)) &&
           (w->special || pl_temporary_name(w->fd, w->dir_fd, w->leaf, w->tmp));
}

/* Gives the file its name, its bytes being on the disk if `sync`. */
static platen_status commit(struct pl_writer *w, bool sync, struct platen_error *err)
{
    if (settle(w, sync))
        return PLATEN_OK;
    platen_status s = fail_write(w, err);
    pl_temporary_remove(w->dir_fd, w->tmp);
    return s;
}

platen_status pl_writer_commit(struct pl_writer *w, struct platen_error *err)
{
    platen_status s = commit(w, w->durable, err);
    if (!s && w->durable && !w->special && !pl_dir_sync(w->dir_fd))
        s = fail_write(w, err);
    close_writer(w);
    return s;
}

void pl_writer_abort(struct pl_writer *w)
{
    if (w->fd >= 0)
        pl_temporary_remove(w->dir_fd, w->tmp);
    close_writer(w);
}

platen_status pl_file_put(const char *path, const struct pl_file_rules *rules, const void *data,
                          size_t n, struct platen_error *err)
{
    struct pl_writer w;
    platen_status s = open_writer(&w, path, rules, -1, err);
    if (s)
        return s == PLATEN_ERR_IO ? pl_sandbox_explain(err, path, W_OK) : s;
    s = pl_writer_add(&w, data, n, err);
    if (!s)
        s = commit(&w, rules->durable, err);
    else
        pl_writer_abort(&w);
    close_writer(&w);
    return s;
}

platen_status pl_file_write(const char *path, const void *data, size_t n, struct platen_error *err)
{
    if (strcmp(path, "-"))
        return pl_file_put(path, &named_by_user, data, n, err);
    if (write_all(STDOUT_FILENO, data, n))
        return PLATEN_OK;
    return pl_fail_errno(err, PLATEN_ERR_IO, "unable to write standard output");
}

platen_status pl_file_remove(const char *path, const struct pl_file_rules *rules, bool *ret_removed,
                             struct platen_error *err)
{
    struct stat st;
    int dir_fd;
    const char *leaf;
    *ret_removed = false;
    platen_status s = pl_dir_open_parent(path, rules->root_bytes, false, &dir_fd, &leaf, err);
    if (s)
        return s;
    if (!fstatat(dir_fd, leaf, &st, AT_SYMLINK_NOFOLLOW) && S_ISREG(st.st_mode)) {
        *ret_removed = !unlinkat(dir_fd, leaf, 0);
        if (!*ret_removed)
            s = pl_fail_errno(err, PLATEN_ERR_IO, "unable to remove '%s'", path);
    }
    close(dir_fd);
    return s;
}

platen_status pl_file_sync(const char *path, const struct pl_file_rules *rules,
                           struct platen_error *err)
{
    const char *leaf;
    int fd;
    platen_status s = pl_dir_open_parent(path, rules->root_bytes, rules->durable, &fd, &leaf, err);
    if (s)
        return s;
    if (!pl_dir_sync(fd))
        s = pl_fail_errno(err, PLATEN_ERR_IO, "unable to write '%s'", path);
    close(fd);
    return s;
}

/* ---- files that grow ---- */

/* Why records are not added to a file that was there; NULL = they are. */
static const char *why_not_ours(int dir_fd, const struct stat *st)
{
    struct stat dir;
    if (S_ISLNK(st->st_mode))
        return "it is a link";
    if (!S_ISREG(st->st_mode))
        return "it is not a regular file";
    if (st->st_nlink > 1)
        return "it is a file with other names";
    if (st->st_uid != geteuid() && (fstat(dir_fd, &dir) || st->st_uid != dir.st_uid))
        return "it belongs to another user";
    return NULL;
}

static platen_status fail_append(const struct pl_appender *a, struct platen_error *err)
{
    return pl_fail_errno(err, PLATEN_ERR_IO, "unable to write '%s'", a->path);
}

/* Opens and locks the file unless *ret_why tells why not; -1 leaves errno otherwise. EWOULDBLOCK:
 * another process has it. */
static int open_locked(const struct pl_appender *a, const char **ret_why)
{
    const int flags = O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
    struct stat mine, there;
    for (;;) {
        bool found = !fstatat(a->dir_fd, a->leaf, &there, AT_SYMLINK_NOFOLLOW);
        *ret_why = found ? why_not_ours(a->dir_fd, &there) : NULL;
        if (*ret_why)
            return -1;
        int fd = pl_io_fails() ? -1 : openat(a->dir_fd, a->leaf, flags, 0666);
        if (fd < 0)
            return -1;
        if (flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK) {
            close(fd);
            errno = EWOULDBLOCK;
            return -1;
        }
        if (!fstat(fd, &mine) && !fstatat(a->dir_fd, a->leaf, &there, AT_SYMLINK_NOFOLLOW) &&
            mine.st_ino == there.st_ino && mine.st_dev == there.st_dev &&
            (!found || !why_not_ours(a->dir_fd, &mine)))
            return fd;
        close(fd); /* removed by its owner, or exchanged, between the two calls */
    }
}

platen_status pl_appender_open(struct pl_appender *a, const char *path, struct platen_error *err)
{
    const char *why;
    *a = (struct pl_appender){.path = path, .dir_fd = -1, .fd = -1};
    platen_status s = pl_dir_open_parent(path, 0, false, &a->dir_fd, &a->leaf, err);
    if (s)
        return s;
    a->fd = open_locked(a, &why);
    if (a->fd >= 0)
        return PLATEN_OK;
    s = why ? pl_fail(err, PLATEN_ERR_IO, "unable to open '%s': %s", path, why)
            : pl_fail_errno(err, PLATEN_ERR_IO, "unable to open '%s'", path);
    close(a->dir_fd);
    return s;
}

platen_status pl_appender_cut(struct pl_appender *a, size_t n, struct platen_error *err)
{
    assert(a->fd >= 0);
    bool done = !pl_io_fails() && !ftruncate(a->fd, (off_t)n) && lseek(a->fd, 0, SEEK_END) >= 0;
    return done ? PLATEN_OK : fail_append(a, err);
}

platen_status pl_appender_add(struct pl_appender *a, const void *data, size_t n,
                              struct platen_error *err)
{
    assert(a->fd >= 0);
    return write_all(a->fd, data, n) ? PLATEN_OK : fail_append(a, err);
}

platen_status pl_appender_sync(struct pl_appender *a, struct platen_error *err)
{
    return sync_bytes(a->fd) && pl_dir_sync(a->dir_fd) ? PLATEN_OK : fail_append(a, err);
}

void pl_appender_close(struct pl_appender *a)
{
    close(a->fd);
    close(a->dir_fd);
    a->fd = a->dir_fd = -1;
}

void pl_appender_remove(struct pl_appender *a)
{
    unlinkat(a->dir_fd, a->leaf, 0);
}
