/* SPDX-License-Identifier: BSD-2-Clause */
/* By POSIX alone, but for the few lines that name Apple. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

#include "base/attr.h"
#include "base/system.h"

int pl_system_file(const char *name)
{
    char path[4096];
    const char *folder = getenv("TMPDIR");
    (void)name;
    const int n =
        snprintf(path, sizeof(path), "%s/platen-XXXXXX", folder && *folder ? folder : "/tmp");
    if (n < 0 || (size_t)n >= sizeof(path)) {
        errno = ENAMETOOLONG;
        return -1;
    }
    const int fd = mkstemp(path);
    if (fd >= 0) {
        unlink(path);
        fcntl(fd, F_SETFD, FD_CLOEXEC);
    }
    return fd;
}

bool pl_system_keep_length(int fd)
{
    (void)fd;
    return true;
}

bool pl_system_keep_content(int fd)
{
    (void)fd;
    return true;
}

/* Where it fails, the memory stays taken. */
void pl_system_forget_content(int fd, size_t bytes)
{
    (void)bytes;
    const int failed = ftruncate(fd, 0);
    (void)failed;
}

static bool close_on_exec(int ends[2])
{
    return !fcntl(ends[0], F_SETFD, FD_CLOEXEC) && !fcntl(ends[1], F_SETFD, FD_CLOEXEC);
}

/* A stream keeps no bounds of records. They are of one length each way, and written and read whole,
 * one at a time. */
bool pl_system_channel(int ends[2])
{
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
        return false;
#ifdef SO_NOSIGPIPE
    for (int i = 0; i < 2; i++)
        setsockopt(ends[i], SOL_SOCKET, SO_NOSIGPIPE, &(int){1}, sizeof(int));
#endif
    return close_on_exec(ends);
}

bool pl_system_pipe(int ends[2])
{
    return !pipe(ends) && close_on_exec(ends);
}

void pl_system_close_range(int from, int below)
{
    const long most = PL_MIN(sysconf(_SC_OPEN_MAX), (long)below);
    for (; from < most; from++)
        close(from);
}

void pl_system_end_with_parent(void)
{
}

int pl_system_open_unnamed(int dir_fd, mode_t mode)
{
    (void)dir_fd;
    (void)mode;
    errno = EOPNOTSUPP;
    return -1;
}

bool pl_system_name(int fd, int dir_fd, const char *name)
{
    (void)fd;
    (void)dir_fd;
    (void)name;
    errno = EOPNOTSUPP;
    return false;
}

const int pl_system_directory = O_RDONLY | O_DIRECTORY | O_CLOEXEC;

struct timespec pl_system_written(const struct stat *st)
{
#ifdef __APPLE__
    return st->st_mtimespec;
#else
    return st->st_mtim;
#endif
}

struct timespec pl_system_changed(const struct stat *st)
{
#ifdef __APPLE__
    return st->st_ctimespec;
#else
    return st->st_ctim;
#endif
}

clockid_t pl_system_condition(pthread_cond_t *ret)
{
    pthread_cond_init(ret, NULL);
    return CLOCK_REALTIME;
}

bool pl_system_allow_tiles(void)
{
    return false;
}

int pl_system_processors(void)
{
    return (int)PL_MAX(sysconf(_SC_NPROCESSORS_ONLN), 1L);
}

size_t pl_system_program(char *ret, size_t bytes)
{
#ifdef __APPLE__
    uint32_t room = (uint32_t)bytes;
    return _NSGetExecutablePath(ret, &room) ? 0 : strlen(ret);
#else
    (void)ret;
    (void)bytes;
    return 0;
#endif
}

const char *pl_system_error(int number)
{
    return strerror(number);
}

const char *pl_system_signal(int number)
{
    return strsignal(number);
}
