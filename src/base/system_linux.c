/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/attr.h"
#include "base/system.h"

int pl_system_file(const char *name)
{
    return memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
}

bool pl_system_keep_length(int fd)
{
    return !fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK);
}

bool pl_system_keep_content(int fd)
{
    return !fcntl(fd, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE);
}

void pl_system_forget_content(int fd, size_t bytes)
{
    fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, (off_t)bytes);
}

bool pl_system_channel(int ends[2])
{
    return !socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends);
}

bool pl_system_pipe(int ends[2])
{
    return !pipe2(ends, O_CLOEXEC);
}

void pl_system_close_range(int from, int below)
{
    if (from >= below || !syscall(436 /* close_range */, from, below - 1, 0))
        return;
    const long most = PL_MIN(sysconf(_SC_OPEN_MAX), (long)below);
    for (; from < most; from++)
        close(from);
}

void pl_system_end_with_parent(void)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
}

/* The file gets its name by /proc. */
int pl_system_open_unnamed(int dir_fd, mode_t mode)
{
    if (!access("/proc/self/fd", F_OK))
        return openat(dir_fd, ".", O_WRONLY | O_TMPFILE | O_CLOEXEC, mode);
    errno = EOPNOTSUPP;
    return -1;
}

bool pl_system_name(int fd, int dir_fd, const char *name)
{
    char from[40];
    snprintf(from, sizeof(from), "/proc/self/fd/%d", fd);
    return !linkat(AT_FDCWD, from, dir_fd, name, AT_SYMLINK_FOLLOW);
}

const int pl_system_directory = O_PATH | O_DIRECTORY | O_CLOEXEC;

struct timespec pl_system_written(const struct stat *st)
{
    return st->st_mtim;
}

struct timespec pl_system_changed(const struct stat *st)
{
    return st->st_ctim;
}

clockid_t pl_system_condition(pthread_cond_t *ret)
{
    pthread_condattr_t attr;
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(ret, &attr);
    pthread_condattr_destroy(&attr);
    return CLOCK_MONOTONIC;
}

/* There is no room for tile data until it is asked for (x86/xstate in Linux's documentation). */
bool pl_system_allow_tiles(void)
{
#ifdef SYS_arch_prctl
    enum { REQUEST_PERMISSION = 0x1023, TILE_DATA = 18 };
    return !syscall(SYS_arch_prctl, REQUEST_PERMISSION, TILE_DATA);
#else
    return false;
#endif
}

int pl_system_processors(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof(set), &set) ? 1 : PL_MAX(CPU_COUNT(&set), 1);
}

size_t pl_system_program(char *ret, size_t bytes)
{
    const ssize_t n = readlink("/proc/self/exe", ret, bytes);
    if (n > 0)
        return (size_t)n < bytes ? (size_t)n : 0;
    /* where /proc is not mounted: the name by which it was started, which the kernel keeps */
    char name[PATH_MAX];
    const bool found = realpath((const char *)getauxval(AT_EXECFN), name) != NULL;
    const size_t length = found ? strlen(name) : 0;
    if (!length || length >= bytes)
        return 0;
    memcpy(ret, name, length);
    return length;
}

const char *pl_system_error(int number)
{
    return strerrordesc_np(number);
}

const char *pl_system_signal(int number)
{
    return sigdescr_np(number);
}
