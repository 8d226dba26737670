/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/io_fault.h"
#include "base/system.h"

/* Names begin with it and go on with 16 hexadecimal digits. */
#define PREFIX ".platen-tmp-"
#define DIGITS 16
#define MAX_TRIES 100

static void make_name(char tmp[PL_TEMPORARY_BYTES])
{
    uint64_t x;
    if (getentropy(&x, sizeof(x))) { /* a name that is taken is passed */
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        x = (uint64_t)now.tv_nsec << 32 ^ (uint64_t)getpid();
    }
    snprintf(tmp, PL_TEMPORARY_BYTES, PREFIX "%016llx", (unsigned long long)x);
}

static bool is_ours(const char *name)
{
    const size_t n = strlen(PREFIX);
    return !strncmp(name, PREFIX, n) && strspn(name + n, "0123456789abcdef") == DIGITS &&
           !name[n + DIGITS];
}

/* The lock tells what is being written from what a killed process left; it ends with the process.
 * File systems without locks have none to tell. */
static bool lock(int fd)
{
    return !flock(fd, LOCK_EX | LOCK_NB) || errno != EWOULDBLOCK;
}

/* Whether fd is open to what is called `name`. */
static bool is_still(int fd, int dir_fd, const char *name)
{
    struct stat mine, there;
    return !fstat(fd, &mine) && !fstatat(dir_fd, name, &there, AT_SYMLINK_NOFOLLOW) &&
           mine.st_ino == there.st_ino && mine.st_dev == there.st_dev;
}

/* Removes the file if it is one of this user's that no live process has. */
static void remove_left(int dir_fd, const char *name)
{
    struct stat st;
    if (fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) || !S_ISREG(st.st_mode) ||
        st.st_nlink != 1 || st.st_uid != geteuid())
        return;
    int fd = openat(dir_fd, name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return;
    if (!flock(fd, LOCK_EX | LOCK_NB) && is_still(fd, dir_fd, name))
        unlinkat(dir_fd, name, 0);
    close(fd);
}

/* Directories that this process looked through, by their hash; one that falls out is looked through
 * again. */
static _Atomic uint64_t swept[64];

static bool was_swept(int dir_fd)
{
    struct stat st;
    if (fstat(dir_fd, &st))
        return true;
    uint64_t key = ((uint64_t)st.st_ino * 0x9e3779b97f4a7c15u ^ (uint64_t)st.st_dev) | 1;
    return atomic_exchange(&swept[key >> 58], key) == key;
}

/* Removes what killed processes left in the directory, once. */
static void sweep(int dir_fd)
{
    if (was_swept(dir_fd))
        return;
    int fd = openat(dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = fd < 0 ? NULL : fdopendir(fd);
    if (!d && fd >= 0)
        close(fd);
    for (struct dirent *e; d && (e = readdir(d));)
        if (is_ours(e->d_name))
            remove_left(fd, e->d_name);
    if (d)
        closedir(d);
}

static int open_named(int dir_fd, mode_t mode, char tmp[PL_TEMPORARY_BYTES])
{
    sweep(dir_fd);
    for (int i = 0; i < MAX_TRIES; i++) {
        make_name(tmp);
        int fd = pl_io_fails() ? -1
                               : openat(dir_fd, tmp,
                                        O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
        if (fd < 0 && errno != EEXIST)
            return -1;
        if (fd >= 0 && lock(fd) && is_still(fd, dir_fd, tmp))
            return fd;
        if (fd >= 0) /* removed by another process before it was locked */
            close(fd);
    }
    errno = EEXIST;
    return -1;
}

static bool knows_no_unnamed(int reason)
{
    return reason == EOPNOTSUPP || reason == EISDIR || reason == ENOENT || reason == EINVAL;
}

int pl_temporary_open(int dir_fd, mode_t mode, char tmp[PL_TEMPORARY_BYTES])
{
    tmp[0] = '\0';
    int fd = pl_io_fails() ? -1 : pl_system_open_unnamed(dir_fd, mode);
    if (fd < 0 && knows_no_unnamed(errno))
        return open_named(dir_fd, mode, tmp);
    if (fd >= 0)
        lock(fd);
    return fd;
}

static bool link_as(int fd, int dir_fd, const char *name)
{
    return !pl_io_fails() && pl_system_name(fd, dir_fd, name);
}

/* Gives the file a random name, for a link cannot take the place of what is there. */
static bool link_as_random(int fd, int dir_fd, char tmp[PL_TEMPORARY_BYTES])
{
    sweep(dir_fd);
    for (int i = 0; i < MAX_TRIES; i++) {
        make_name(tmp);
        if (link_as(fd, dir_fd, tmp))
            return true;
        if (errno != EEXIST)
            break;
    }
    *tmp = '\0';
    return false;
}

bool pl_temporary_name(int fd, int dir_fd, const char *leaf, char tmp[PL_TEMPORARY_BYTES])
{
    if (!*tmp && link_as(fd, dir_fd, leaf))
        return true;
    if (!*tmp && (errno != EEXIST || !link_as_random(fd, dir_fd, tmp)))
        return false;
    return !pl_io_fails() && !renameat(dir_fd, tmp, dir_fd, leaf);
}

void pl_temporary_remove(int dir_fd, const char tmp[PL_TEMPORARY_BYTES])
{
    if (*tmp)
        unlinkat(dir_fd, tmp, 0);
}
