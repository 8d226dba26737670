/* SPDX-License-Identifier: BSD-2-Clause */
/* Preloaded into platen: every wait for a condition returns after a moment, whether somebody
 * signalled or not, as POSIX allows (a spurious wakeup) and as the kernel may end a futex. Each
 * such return adds a byte to the file that WAKES names, which is opened before the program shuts
 * its sandbox. */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static int told = -1;

__attribute__((constructor)) static void open_told(void)
{
    const char *path = getenv("WAKES");
    told = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
}

int pthread_cond_wait(pthread_cond_t *restrict cond, pthread_mutex_t *restrict lock)
{
    const struct timespec moment = {.tv_nsec = 100000};
    (void)cond;
    if (write(told, "", 1) != 1)
        abort();
    pthread_mutex_unlock(lock);
    nanosleep(&moment, NULL);
    return pthread_mutex_lock(lock);
}
