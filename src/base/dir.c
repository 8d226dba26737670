/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/dir.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io_fault.h"
#include "base/system.h"

#define MAX_PATH_BYTES 4096

static platen_status fail_write(const char *path, struct platen_error *err)
{
    return pl_fail_errno(err, PLATEN_ERR_IO, "unable to write '%s'", path);
}

platen_status pl_dir_make_parents(const char *path, struct platen_error *err)
{
    char dir[MAX_PATH_BYTES + 2];
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

bool pl_dir_sync(int dir_fd)
{
    int fd = openat(dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool done = fd >= 0 && !pl_io_fails() && !fsync(fd);
    int kept = errno;
    if (fd >= 0)
        close(fd);
    errno = kept;
    return done || kept == EINVAL; /* a file system that cannot */
}

platen_status pl_dir_make_parents_durable(const char *path, struct platen_error *err)
{
    char dir[MAX_PATH_BYTES + 2] = "./";
    platen_status s = pl_dir_make_parents(path, err);
    for (size_t i = 0; !s && path[i]; i++) {
        if (i && path[i] != '/') /* the directory that the first name is in, then each of them */
            continue;
        if (path[i] == '/') {
            memcpy(dir, path, i + 1);
            dir[i + 1] = '\0';
        }
        int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (fd < 0 && errno == EACCES) /* then it is not this user who made what is in it */
            continue;
        if (fd < 0 || !pl_dir_sync(fd))
            s = fail_write(path, err);
        if (fd >= 0)
            close(fd);
    }
    return s;
}

/* What the user named: path[0..n), which is shorter than MAX_PATH_BYTES. */
static platen_status open_root(const char *path, size_t n, int *ret_fd, struct platen_error *err)
{
    char dir[MAX_PATH_BYTES + 2] = "./";
    const int flags = pl_system_directory;
    if (n) {
        memcpy(dir, path, n);
        strcpy(dir + n, "/");
    }
    int fd = pl_io_fails() ? -1 : open(dir, flags);
    if (fd < 0 && errno == ENOENT) {
        platen_status s = pl_dir_make_parents(dir, err);
        if (s)
            return s;
        fd = open(dir, flags);
    }
    *ret_fd = fd;
    return fd < 0 ? fail_write(path, err) : PLATEN_OK;
}

static bool is_link(int dir_fd, const char *name)
{
    struct stat st;
    return !fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) && S_ISLNK(st.st_mode);
}

/* Goes from *fd down to the directory `name` in it, which ends path[0..n). */
static platen_status descend(int *fd, const char *name, const char *path, size_t n, bool durable,
                             struct platen_error *err)
{
    int flags = pl_system_directory | O_NOFOLLOW;
    int next = pl_io_fails() ? -1 : openat(*fd, name, flags);
    if (next < 0 && errno == ENOENT && (!mkdirat(*fd, name, 0777) || errno == EEXIST))
        next = openat(*fd, name, flags);
    if (next < 0 && errno == ENOTDIR && is_link(*fd, name))
        return pl_fail(err, PLATEN_ERR_IO,
                       "unable to write '%s': '%.*s' is a link, and none is followed below an "
                       "output directory",
                       path, (int)n, path);
    if (next < 0 || (durable && !pl_dir_sync(*fd))) {
        platen_status s = fail_write(path, err);
        if (next >= 0)
            close(next);
        return s;
    }
    close(*fd);
    *fd = next;
    return PLATEN_OK;
}

platen_status pl_dir_open_parent(const char *path, size_t root_bytes, bool durable, int *ret_fd,
                                 const char **ret_leaf, struct platen_error *err)
{
    const char *slash = strrchr(path, '/'), *leaf = slash ? slash + 1 : path, *p, *stop;
    char name[MAX_PATH_BYTES];
    int fd;
    if (strlen(path) >= MAX_PATH_BYTES)
        return pl_fail(err, PLATEN_ERR_LIMIT, "unable to write '%s': the name is too long", path);
    platen_status s = open_root(path, root_bytes ? root_bytes : (size_t)(leaf - path), &fd, err);
    if (s)
        return s;
    for (p = root_bytes ? path + root_bytes : leaf; !s && p < leaf; p = stop + 1) {
        stop = strchr(p, '/');
        size_t n = (size_t)(stop - p);
        if (!n)
            continue;
        memcpy(name, p, n);
        name[n] = '\0';
        s = descend(&fd, name, path, (size_t)(stop - path), durable, err);
    }
    if (s) {
        close(fd);
        return s;
    }
    *ret_fd = fd;
    *ret_leaf = leaf;
    return PLATEN_OK;
}
