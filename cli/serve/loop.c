/* SPDX-License-Identifier: BSD-2-Clause */
/* The loop of the server's thread: connections, answers of the job, deadlines and signals. */
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/serve/exchange.h"

/* What the loop waits for. libmicrohttpd's own epoll is edge-triggered and misses the end of a
 * connection that comes with its last bytes, so its descriptors are taken as sets, and polled with
 * all others: `fds` are the fixed ones, then those of libmicrohttpd, then the connections of
 * pictures that are at the job, which libmicrohttpd does not look at, and whose clients may leave.
 */
enum { FD_WAKE, FD_SIGNAL, FD_JOB, FIXED_FDS };

/* timeout(1) and terminals send each signal twice. */
#define SAME_SIGNAL_MS 1000

struct watch {
    struct pollfd *fds;
    size_t http_end, end;
};

static int fd_of(struct exchange *x)
{
    return MHD_get_connection_info(x->connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
}

/* Milliseconds until something is due; -1 = never. */
static int timeout_ms(struct server *s)
{
    MHD_UNSIGNED_LONG_LONG http;
    int64_t least = INT32_MAX, now = now_ms();
    bool any = MHD_get_timeout(s->daemon, &http) == MHD_YES;
    if (any && http < INT32_MAX)
        least = (int64_t)http;
    int64_t overdue = next_overdue_ms(s);
    if (overdue < INT64_MAX) {
        least = overdue - now < least ? overdue - now : least;
        any = true;
    }
    for (struct exchange *x = s->holders; x; x = x->next)
        if (x->suspended) {
            int64_t left = x->start_ms + s->o->deadline_ms - now;
            least = left < least ? left : least;
            any = true;
        }
    return !any ? -1 : least < 0 ? 0 : (int)least;
}

static short events_of(int fd, const fd_set *reads, const fd_set *writes)
{
    return (short)((FD_ISSET(fd, reads) ? POLLIN : 0) | (FD_ISSET(fd, writes) ? POLLOUT : 0));
}

static void watch_http(struct server *s, struct watch *w)
{
    fd_set reads, writes, excepts;
    int most = -1;
    FD_ZERO(&reads);
    FD_ZERO(&writes);
    FD_ZERO(&excepts);
    MHD_get_fdset(s->daemon, &reads, &writes, &excepts, &most);
    w->http_end = FIXED_FDS;
    for (int fd = 0; fd <= most; fd++) {
        short events = events_of(fd, &reads, &writes);
        if (events)
            w->fds[w->http_end++] = (struct pollfd){.fd = fd, .events = events};
    }
}

static void run_http(struct server *s, const struct watch *w)
{
    fd_set reads, writes, excepts;
    for (const struct pollfd *p = w->fds + FIXED_FDS; p < w->fds + w->http_end; p++)
        if (p->revents & POLLIN)
            look_at_first_bytes(s, p->fd);
    FD_ZERO(&reads);
    FD_ZERO(&writes);
    FD_ZERO(&excepts);
    for (const struct pollfd *p = w->fds + FIXED_FDS; p < w->fds + w->http_end; p++) {
        short events = p->revents & (POLLERR | POLLHUP) ? p->events : p->revents;
        if (events & POLLIN)
            FD_SET(p->fd, &reads);
        if (events & POLLOUT)
            FD_SET(p->fd, &writes);
    }
    MHD_run_from_select(s->daemon, &reads, &writes, &excepts);
}

/* Waits for the first of all that can happen. */
static void wait_for(struct server *s, struct watch *w)
{
    /* A Unix socket tells a client that sends no more from one that is gone. */
    const short end = s->listener->path ? 0 : POLLRDHUP;
    watch_http(s, w);
    w->end = w->http_end;
    for (struct exchange *x = s->holders; x; x = x->next)
        if (x->suspended)
            w->fds[w->end++] =
                (struct pollfd){.fd = fd_of(x), .events = x->sends_no_more ? 0 : end};
    if (poll(w->fds, w->end, timeout_ms(s)) < 0)
        for (size_t i = 0; i < w->end; i++)
            w->fds[i].revents = 0;
}

/* By TCP a client that only says that it sends no more looks like one that is gone. Any client of
 * HTTP/1.1 passes over this line; the machine of one that is gone takes back the connection. */
static bool has_left(struct exchange *x, const struct pollfd *fd)
{
    static const char line[] = "HTTP/1.1 100 Continue\r\n\r\n";
    if (fd->revents != POLLRDHUP || x->is_1_0)
        return fd->revents;
    x->sends_no_more = true;
    return send(fd->fd, line, strlen(line), MSG_DONTWAIT | MSG_NOSIGNAL) < 0;
}

/* In the order of wait_for(), before anything else changes the list. */
static void end_gone_and_late(struct server *s, const struct watch *w)
{
    int64_t now = now_ms();
    const struct pollfd *fd = w->fds + w->http_end;
    for (struct exchange *x = s->holders; x; x = x->next) {
        if (!x->suspended)
            continue;
        if (has_left(x, fd++)) {
            x->gone = true;
            resume_exchange(x);
        } else if (now - x->start_ms >= s->o->deadline_ms) {
            end_late(x);
        }
    }
}

/* The first signal: nothing new is taken, what is in flight is answered. */
void drain_server(struct server *s)
{
    s->draining = true;
    s->signal_ms = now_ms();
    hurry_guests(s);
    unlink_listener(s->listener); /* while nobody takes it for stale */
    MHD_socket fd = MHD_quiesce_daemon(s->daemon);
    if (fd != MHD_INVALID_SOCKET)
        close(fd);
    s->listener->fd = -1;
}

static void take_signal(struct server *s)
{
    struct signalfd_siginfo info;
    if (read(s->signals, &info, sizeof(info)) < 0)
        return;
    if (!s->draining)
        drain_server(s);
    else if (now_ms() - s->signal_ms >= SAME_SIGNAL_MS && info.ssi_signo != SIGHUP)
        _exit(EXIT_INTERRUPTED);
}

static void loop(struct server *s, struct watch *w)
{
    while (!s->draining || s->open) {
        wait_for(s, w);
        end_gone_and_late(s, w);
        cut_overdue(s);
        if (w->fds[FD_SIGNAL].revents)
            take_signal(s);
        if (w->fds[FD_WAKE].revents || w->fds[FD_JOB].revents)
            finish_answered(s);
        if (w->fds[FD_JOB].revents)
            break; /* it could not begin */
        run_http(s, w);
    }
}

int run_loop(struct server *s, int job_ended)
{
    struct watch w = {calloc(FIXED_FDS + FD_SETSIZE + s->most_holding, sizeof(struct pollfd)), 0,
                      0};
    if (!w.fds)
        return fail_usage("out of memory");
    w.fds[FD_WAKE] = (struct pollfd){.fd = s->wake, .events = POLLIN};
    w.fds[FD_SIGNAL] = (struct pollfd){.fd = s->signals, .events = POLLIN};
    w.fds[FD_JOB] = (struct pollfd){.fd = job_ended, .events = POLLIN};
    loop(s, &w);
    free(w.fds);
    return EXIT_DONE;
}
