/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"

#define SAME_SIGNAL_NS 1000000000
#define LAST_WRITE_MS 1000

static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
static _Atomic(struct platen_job *) running_job;
static atomic_bool has_run;
static atomic_llong first_ns;       /* when the first signal came; 0 = none did */
static int wake_ends[2] = {-1, -1}; /* of a pipe that can be read after it */

static void end_before_run(void)
{
    static const char text[] = "platen: interrupted; nothing was read\n";
    ssize_t n = write(STDERR_FILENO, text, sizeof(text) - 1);
    (void)n;
    _exit(EXIT_INTERRUPTED);
}

static bool is_first(void)
{
    struct timespec t;
    long long first = 0;
    clock_gettime(CLOCK_MONOTONIC, &t);
    const long long now = (long long)t.tv_sec * 1000000000 + t.tv_nsec;
    return atomic_compare_exchange_strong(&first_ns, &first, now) || now - first < SAME_SIGNAL_NS;
}

static void on_signal(int number)
{
    const int kept = errno;
    struct platen_job *job = atomic_load(&running_job);
    if (!job && !atomic_load(&has_run))
        end_before_run();
    if (!is_first() && number != SIGHUP)
        _exit(EXIT_INTERRUPTED);
    ssize_t n = write(wake_ends[1], "", 1);
    (void)n; /* it fails only when many have come */
    if (job)
        platen_job_cancel(job);
    errno = kept;
}

static bool takes_messages(void)
{
    return may_write(STDERR_FILENO);
}

static bool open_wake(void)
{
    bool good = !pipe(wake_ends);
    for (int i = 0; good && i < 2; i++)
        good =
            !fcntl(wake_ends[i], F_SETFD, FD_CLOEXEC) && !fcntl(wake_ends[i], F_SETFL, O_NONBLOCK);
    return good;
}

bool catch_signals(void)
{
    struct sigaction was, action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    const bool good = open_wake();
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
        if (!sigaction(numbers[i], NULL, &was) && was.sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, NULL);
    ask_before_messages(takes_messages);
    return good;
}

void cancel_on_signals(struct platen_job *job)
{
    atomic_store(&running_job, job);
}

void forget_job(void)
{
    atomic_store(&has_run, true);
    atomic_store(&running_job, NULL);
}

bool may_write(int fd)
{
    static atomic_bool stuck[STDERR_FILENO + 1];
    struct pollfd v[] = {{fd, POLLOUT, 0}, {wake_ends[0], POLLIN, 0}};
    int n;
    if (atomic_load(&stuck[fd]))
        return false;
    do
        n = poll(v, 2, -1);
    while (n < 0 && errno == EINTR);
    if (n < 0 || v[0].revents)
        return true;
    do
        n = poll(v, 1, LAST_WRITE_MS);
    while (n < 0 && errno == EINTR);
    atomic_store(&stuck[fd], !n);
    return n;
}
