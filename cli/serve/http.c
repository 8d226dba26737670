/* HTTP by libmicrohttpd in one thread: its callbacks, and the server from start to end. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/serve/exchange.h"

#define IDLE_S 30u            /* a connection on which nothing moves is closed */
#define MOST_CONNECTIONS 960u /* of the 1024 descriptors that an fd_set has */
#define SPARE_CONNECTIONS 64  /* beside those that hold a picture: for /health and refusals */

int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* A refusal waits for the body, which is thrown away, so that a client that does not listen before
 * it has written everything gets to know; but not for one that is too long, or that waits to be
 * told to go on. */
static bool responds_at_once(struct exchange *x)
{
    return x->status &&
           (x->status == MHD_HTTP_CONTENT_TOO_LARGE || x->status == MHD_HTTP_LENGTH_REQUIRED ||
            request_header(x, MHD_HTTP_HEADER_EXPECT));
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

static enum MHD_Result begin(struct server *s, struct MHD_Connection *c, const char *url,
                             const char *method, void **ctx)
{
    struct exchange *x = calloc(1, sizeof(*x));
    if (!x)
        return MHD_NO;
    *ctx = x;
    s->open++;
    x->server = s;
    x->connection = c;
    x->start_ms = now_ms();
    if (s->o->verbose)
        note_url(x, method, url);
    if (s->draining && strcmp(url, "/health"))
        refuse(x, MHD_HTTP_SERVICE_UNAVAILABLE, "this server is about to end");
    else
        route_request(x, url, method);
    return responds_at_once(x) ? respond(x) : MHD_YES;
}

static enum MHD_Result take_body(struct exchange *x, const char *data, size_t *n)
{
    if (now_ms() - x->start_ms > x->server->o->deadline_ms)
        return MHD_NO;
    if (!x->status) {
        if (*n > x->length - x->got)
            return MHD_NO;
        memcpy(x->body + x->got, data, *n);
        x->got += *n;
    }
    *n = 0;
    return MHD_YES;
}

/* Called for the head, for pieces of the body, for its end, and after a resume. */
static enum MHD_Result on_request(void *cls, struct MHD_Connection *c, const char *url,
                                  const char *method, const char *version, const char *data,
                                  size_t *n, void **ctx)
{
    struct exchange *x = *ctx;
    (void)version;
    if (!x)
        return begin(cls, c, url, method, ctx);
    if (*n)
        return take_body(x, data, n);
    if (x->gone)
        return MHD_NO;
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
    s->metrics.dropped += code != MHD_REQUEST_TERMINATED_COMPLETED_OK;
    if (x->request)
        platen_request_cancel(s->job, x->request);
    else
        free_exchange(x);
}

static struct MHD_Daemon *start(struct server *s)
{
    size_t wanted = s->most_holding + SPARE_CONNECTIONS;
    unsigned connections = wanted < MOST_CONNECTIONS ? (unsigned)wanted : MOST_CONNECTIONS;
    return MHD_start_daemon(MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, on_request, s,
                            MHD_OPTION_LISTEN_SOCKET, s->listener->fd,
                            MHD_OPTION_CONNECTION_TIMEOUT, IDLE_S, MHD_OPTION_CONNECTION_LIMIT,
                            connections, MHD_OPTION_STRICT_FOR_CLIENT, 1,
                            MHD_OPTION_NOTIFY_COMPLETED, on_completed, s, MHD_OPTION_END);
}

static int open_signals(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static int run_server(struct server *s, int job_ended)
{
    if (s->wake < 0 || s->signals < 0)
        return fail_usage("unable to make an event: %s", strerror(errno));
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
