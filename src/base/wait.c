/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/wait.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io_fault.h"

enum pl_wait pl_wait_for(int fd, short events, int wake_fd, int wait_ms)
{
    struct pollfd v[] = {{fd, events, 0}, {wake_fd, POLLIN, 0}};
    int n;
    do
        n = poll(v, 2, wait_ms);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return PL_WAIT_READY; /* the call that follows may tell why */
    return v[1].revents ? PL_WAIT_WOKEN : n ? PL_WAIT_READY : PL_WAIT_TIME;
}

static int cancel(void)
{
    errno = ECANCELED;
    return -1;
}

static bool is_fifo(int dir_fd, const char *path)
{
    struct stat st;
    return !fstatat(dir_fd, path, &st, 0) && S_ISFIFO(st.st_mode);
}

/* Nothing tells when a reader comes, so it is asked for. */
#define READER_MS 20

int pl_wait_open(int dir_fd, const char *path, int flags, int wake_fd)
{
    flags |= O_CLOEXEC | O_NOCTTY;
    for (;;) {
        int fd = pl_io_fails() ? -1 : openat(dir_fd, path, flags | O_NONBLOCK);
        if (fd >= 0)
            return fd;
        if (errno == EWOULDBLOCK) /* somebody holds a lease, and is asked to give it up */
            return openat(dir_fd, path, flags);
        if (errno == ENXIO && is_fifo(dir_fd, path)) {
            if (pl_wait_for(-1, 0, wake_fd, READER_MS) == PL_WAIT_WOKEN)
                return cancel();
        } else if (errno != EINTR) {
            return -1;
        }
    }
}

/* A FIFO that nobody has opened for writing yet has no end: poll() waits for its first writer. */
ssize_t pl_wait_read(int fd, void *to, size_t n, int wake_fd)
{
    for (;;) {
        if (pl_wait_for(fd, POLLIN, wake_fd, -1) == PL_WAIT_WOKEN)
            return cancel();
        ssize_t k = pl_io_fails() ? -1 : read(fd, to, n);
        if (k >= 0 || (errno != EINTR && errno != EAGAIN))
            return k;
    }
}

/* poll() promises room for PIPE_BUF bytes and no more; the descriptor may be one that blocks. */
ssize_t pl_wait_write(int fd, const void *p, size_t n, int wake_fd)
{
    for (;;) {
        enum pl_wait w = pl_wait_for(fd, POLLOUT, wake_fd, -1);
        if (w == PL_WAIT_WOKEN)
            w = pl_wait_for(fd, POLLOUT, -1, PL_WAIT_WRITE_MS);
        if (w == PL_WAIT_TIME)
            return cancel();
        ssize_t k = pl_io_fails() ? -1 : write(fd, p, n < PIPE_BUF ? n : PIPE_BUF);
        if (k >= 0 || (errno != EINTR && errno != EAGAIN))
            return k;
    }
}
