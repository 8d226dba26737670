/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "cli/cli.h"

void hold_standard_descriptors(void)
{
    for (int fd = 0; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF)
            continue;
        /* open() takes the lowest free number, which is fd. Where the null device is missing any
         * directory will do. */
        int mode = fd == STDIN_FILENO ? O_WRONLY : O_RDONLY;
        if (open("/dev/null", mode) < 0 && open("/", O_RDONLY | O_DIRECTORY) < 0)
            _exit(EXIT_USAGE);
    }
}
