/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/signals.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"

#define SAME_SIGNAL_NS 1000000000
#define LAST_WRITE_MS 1000

static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
static _Atomic(struct platen_job *) running_job;
static atomic_bool has_run;
static atomic_llong first_ns; /* when the first signal came; 0 = none did */
static int wake_fd = -1;      /* can be read after it */

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
    ssize_t n = write(wake_fd, &(uint64_t){1}, sizeof(uint64_t));
    (void)n; /* it fails only when it is set already */
    if (job)
        platen_job_cancel(job);
    errno = kept;
}

static bool takes_messages(void)
{
    return may_write(STDERR_FILENO);
}

bool catch_signals(void)
{
    struct sigaction was, action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
        if (!sigaction(numbers[i], NULL, &was) && was.sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, NULL);
    ask_before_messages(takes_messages);
    return wake_fd >= 0;
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
    struct pollfd v[] = {{fd, POLLOUT, 0}, {wake_fd, POLLIN, 0}};
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
