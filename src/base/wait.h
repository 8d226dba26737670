/* SPDX-License-Identifier: BSD-2-Clause */
/* Opening, reading and writing that may last: pipes, devices, sockets. Another descriptor ends it.
 */
#ifndef PL_BASE_WAIT_H
#define PL_BASE_WAIT_H

#include <stddef.h>
#include <sys/types.h>

enum pl_wait { PL_WAIT_READY, PL_WAIT_TIME, PL_WAIT_WOKEN };

/* Until wake_fd can be read (-1 = none), which counts first, until `fd` has one of `events` (as of
 * poll()) or an error, or for wait_ms milliseconds (-1 = any time). */
enum pl_wait pl_wait_for(int fd, short events, int wake_fd, int wait_ms);

/* These fail with errno ECANCELED once wake_fd can be read; then, too, a write goes on while
 * somebody takes its bytes, and fails only when nobody did for PL_WAIT_WRITE_MS. */

/* openat() to read or to write what is there, close-on-exec; waits for the other side of a FIFO
 * where openat() would. A FIFO is then open with O_NONBLOCK. */
int pl_wait_open(int dir_fd, const char *path, int flags, int wake_fd);
ssize_t pl_wait_read(int fd, void *to, size_t n, int wake_fd);
/* Writes a part of p[0..n), as write() does. */
ssize_t pl_wait_write(int fd, const void *p, size_t n, int wake_fd);

#define PL_WAIT_WRITE_MS 1000

#endif
