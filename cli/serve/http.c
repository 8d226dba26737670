/* SPDX-License-Identifier: BSD-2-Clause */
/* HTTP by libmicrohttpd in one thread: its callbacks, and the server from start to end. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/select.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/serve/exchange.h"

#define IDLE_S 30u           /* a connection on which nothing moves is closed */
#define SPARE_CONNECTIONS 64 /* beside those that hold a picture: for /health and refusals */
#define LEAST_CONNECTIONS 32 /* below which it would be no server */
#define CUT_CONNECTIONS 8    /* that libmicrohttpd has not cleaned up yet while others come */
#define OTHER_DESCRIPTORS 16 /* that libraries open now and then */

/* A refusal waits for the body, which is thrown away, so that a client that does not listen before
 * it has written everything gets to know; but not for one that is too long, or that waits to be
 * told to go on. */
static bool responds_at_once(struct exchange *x)
{
    return x->status &&
           (x->closes || x->status == MHD_HTTP_CONTENT_TOO_LARGE ||
            x->status == MHD_HTTP_LENGTH_REQUIRED || request_header(x, MHD_HTTP_HEADER_EXPECT));
}

/* What a terminal can show of it. */
static void note_url(struct exchange *x, const char *method, const char *url)
{
    if (asprintf(&x->url, "%s %s", method, url) < 0)
        x->url = NULL;
    for (char *c = x->url; c && *c; c++)
        if ((unsigned char)*c < 0x20 || (unsigned char)*c > 0x7e)
            *c = '?';
}

static enum MHD_Result begin_request(struct server *s, struct MHD_Connection *c, const char *url,
                                     const char *method, const char *version, void **ctx)
{
    struct exchange *x = calloc(1, sizeof(*x));
    if (!x)
        return MHD_NO;
    *ctx = x;
    s->open++;
    x->server = s;
    x->connection = c;
    x->start_ms = now_ms();
    x->until_ms = x->start_ms + patience_ms(s);
    x->is_1_0 = !strcmp(version, MHD_HTTP_VERSION_1_0);
    if (!begin_exchange(x, version))
        return MHD_NO;
    if (s->o->verbose)
        note_url(x, method, url);
    if (!check_head(x))
        return responds_at_once(x) ? respond(x) : MHD_YES;
    if (s->draining && strcmp(url, "/health"))
        refuse(x, MHD_HTTP_SERVICE_UNAVAILABLE, "this server is about to end");
    else
        route_request(x, url, method);
    return responds_at_once(x) ? respond(x) : MHD_YES;
}

/* Called for the head, for pieces of the body, for its end, and after a resume. */
static enum MHD_Result on_request(void *cls, struct MHD_Connection *c, const char *url,
                                  const char *method, const char *version, const char *data,
                                  size_t *n, void **ctx)
{
    struct exchange *x = *ctx;
    if (!x)
        return begin_request(cls, c, url, method, version, ctx);
    if (*n) {
        take_body(x, data, *n);
        *n = 0;
        return MHD_YES;
    }
    if (x->gone)
        return MHD_NO;
    if (!x->status)
        end_body(x);
    return x->status ? respond(x) : ask_job(x);
}

static void on_completed(void *cls, struct MHD_Connection *c, void **ctx,
                         enum MHD_RequestTerminationCode code)
{
    struct server *s = cls;
    struct exchange *x = *ctx;
    (void)c;
    if (!x)
        return;
    *ctx = NULL;
    x->connection = NULL;
    end_exchange(x);
    s->metrics.dropped += code != MHD_REQUEST_TERMINATED_COMPLETED_OK;
    if (x->request)
        platen_request_cancel(s->job, x->request);
    else
        free_exchange(x);
}

/* libmicrohttpd waits with select(), which knows FD_SETSIZE descriptors. */
static size_t free_descriptors(void)
{
    struct rlimit limit;
    size_t n = 0;
    int most = FD_SETSIZE;
    if (!getrlimit(RLIMIT_NOFILE, &limit) && limit.rlim_cur < FD_SETSIZE)
        most = (int)limit.rlim_cur;
    for (int fd = 0; fd < most; fd++)
        n += fcntl(fd, F_GETFD) < 0;
    return n;
}

/* A queue that is longer than there are descriptors is cut. */
static bool allot_connections(struct server *s)
{
    size_t others = OTHER_DESCRIPTORS + CUT_CONNECTIONS, n = free_descriptors();
    size_t most = n > others ? n - others : 0, wanted = s->most_holding + SPARE_CONNECTIONS;
    s->most_guests = wanted < most ? wanted : most;
    if (s->most_guests >= LEAST_CONNECTIONS) {
        most = s->most_guests - LEAST_CONNECTIONS / 2;
        s->most_holding = s->most_holding < most ? s->most_holding : most;
        return true;
    }
    message("unable to serve: of the descriptors below %d %zu are free, %zu are needed", FD_SETSIZE,
            n, LEAST_CONNECTIONS + others);
    return false;
}

static struct MHD_Daemon *start(struct server *s)
{
    return MHD_start_daemon(
        MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, on_request, s, MHD_OPTION_LISTEN_SOCKET,
        s->listener->fd, MHD_OPTION_CONNECTION_TIMEOUT, IDLE_S, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)s->most_guests + CUT_CONNECTIONS, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)MOST_HEAD_BYTES, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_NOTIFY_CONNECTION,
        on_connection, s, MHD_OPTION_URI_LOG_CALLBACK, on_target, s, MHD_OPTION_NOTIFY_COMPLETED,
        on_completed, s, MHD_OPTION_END);
}

void ending_signals(sigset_t *ret)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction was;
    sigemptyset(ret);
    for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
        if (!sigaction(numbers[i], NULL, &was) && was.sa_handler != SIG_IGN)
            sigaddset(ret, numbers[i]);
}

static int open_signals(void)
{
    sigset_t set;
    ending_signals(&set);
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static int run_server(struct server *s, int job_ended)
{
    if (s->wake < 0 || s->signals < 0)
        return fail_usage("unable to make an event: %s", strerror(errno));
    if (!allot_connections(s))
        return EXIT_USAGE;
    s->daemon = start(s);
    if (!s->daemon)
        return fail_usage("unable to serve on %s", s->listener->shown);
    printf("listening on %s\n", s->listener->shown);
    fflush(stdout);
    int status = run_loop(s, job_ended);
    if (!s->draining)
        drain_server(s);
    MHD_stop_daemon(s->daemon);
    return status;
}

int serve_http(struct platen_job *job, struct listener *listener, const struct server_options *o,
               int job_ended)
{
    struct server s = {.job = job,
                       .listener = listener,
                       .o = o,
                       .most_holding = o->queue + (size_t)platen_job_threads(job),
                       .wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK),
                       .signals = open_signals()};
    pthread_mutex_init(&s.lock, NULL);
    int status = run_server(&s, job_ended);
    pthread_mutex_destroy(&s.lock);
    if (s.wake >= 0)
        close(s.wake);
    if (s.signals >= 0)
        close(s.signals);
    return status;
}
