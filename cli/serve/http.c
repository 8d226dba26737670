/* HTTP by libmicrohttpd in one thread, whose loop also takes what the job answers, deadlines and
 * signals. */
#include <errno.h>
#include <microhttpd.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/serve/serve.h"

#define IDLE_S 30u            /* a connection on which nothing moves is closed */
#define MOST_CONNECTIONS 960u /* of the 1024 descriptors that an fd_set has */
#define SPARE_CONNECTIONS 64  /* beside those that hold a picture: for /health and refusals */

/* One request and its answer. It lives until its connection and the job are both done with it. */
struct exchange {
    struct server *server;
    struct MHD_Connection *connection; /* NULL = gone */
    char *url;                         /* for the log */
    int64_t start_ms, asked_ms;

    /* the picture; an exchange with `holds` counts against the queue and is in server->holders */
    bool holds;
    struct exchange *next;
    char *body;
    size_t length, got;
    const char *format;
    char *name;
    int page;

    /* at the job */
    struct platen_request *request; /* NULL = not there */
    bool suspended, gone, late;
    struct exchange *next_answered;
    bool answered; /* under server->lock, as all that on_answer() writes */
    struct platen_answer answer;

    /* for the client; status 0 = not yet */
    unsigned status;
    const char *media_type;
    char *text;
    size_t text_bytes;
};

struct server {
    struct platen_job *job;
    struct listener *listener;
    const struct server_options *o;
    struct MHD_Daemon *daemon;
    struct metrics metrics;
    size_t open, holding, asked, most_holding;
    struct exchange *holders;
    pthread_mutex_t lock;
    struct exchange *answered;
    int wake, signals; /* file descriptors: the job answered; a signal came */
    bool draining;
};

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* ---- what is answered ---- */

static void set_answer(struct exchange *x, unsigned status, const char *media_type, char *text,
                       size_t n)
{
    free(x->text);
    x->status = text ? status : MHD_HTTP_INTERNAL_SERVER_ERROR;
    x->media_type = media_type;
    x->text = text;
    x->text_bytes = text ? n : 0;
}

/* {"status": 422, "error": "..."} */
__attribute__((format(printf, 3, 4))) static void refuse(struct exchange *x, unsigned status,
                                                         const char *fmt, ...)
{
    char reason[400], *text = NULL;
    size_t n = 0;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(reason, sizeof(reason), fmt, ap);
    va_end(ap);
    FILE *f = open_memstream(&text, &n);
    if (f) {
        fprintf(f, "{\"status\": %u, \"error\": ", status);
        print_json_string(f, reason);
        fputs("}\n", f);
        fclose(f);
    }
    set_answer(x, status, "application/json", text, n);
}

static enum MHD_Result respond(struct exchange *x)
{
    struct server *s = x->server;
    struct MHD_Response *r =
        MHD_create_response_from_buffer(x->text_bytes, x->text, MHD_RESPMEM_MUST_FREE);
    if (!r)
        return MHD_NO;
    x->text = NULL;
    if (x->media_type)
        MHD_add_response_header(r, MHD_HTTP_HEADER_CONTENT_TYPE, x->media_type);
    if (x->status == MHD_HTTP_METHOD_NOT_ALLOWED)
        MHD_add_response_header(r, MHD_HTTP_HEADER_ALLOW, x->format);
    if (x->status == MHD_HTTP_TOO_MANY_REQUESTS || x->status == MHD_HTTP_SERVICE_UNAVAILABLE)
        MHD_add_response_header(r, MHD_HTTP_HEADER_RETRY_AFTER, "1");
    if (s->draining)
        MHD_add_response_header(r, MHD_HTTP_HEADER_CONNECTION, "close");
    enum MHD_Result queued = MHD_queue_response(x->connection, x->status, r);
    MHD_destroy_response(r);
    s->metrics.requests[x->status]++;
    if (s->o->verbose)
        message("%s %u, %lld ms", x->url ? x->url : "", x->status,
                (long long)(now_ms() - x->start_ms));
    return queued;
}

static void answer_health(struct exchange *x)
{
    bool draining = x->server->draining;
    char *text = strdup(draining ? "{\"status\": \"draining\"}\n" : "{\"status\": \"ok\"}\n");
    set_answer(x, draining ? MHD_HTTP_SERVICE_UNAVAILABLE : MHD_HTTP_OK, "application/json", text,
               text ? strlen(text) : 0);
}

static void answer_metrics(struct exchange *x)
{
    const struct server *s = x->server;
    size_t n = 0, waiting = platen_job_waiting(s->job);
    char *text = NULL;
    FILE *f = open_memstream(&text, &n);
    struct metrics_gauges now = {.waiting = waiting,
                                 .reading = s->asked > waiting ? s->asked - waiting : 0,
                                 .receiving = s->holding - s->asked,
                                 .queue = s->o->queue,
                                 .threads = platen_job_threads(s->job),
                                 .model = s->o->model};
    if (f) {
        metrics_print(&s->metrics, &now, f);
        fclose(f);
    }
    set_answer(x, MHD_HTTP_OK, "text/plain; version=0.0.4; charset=utf-8", text, n);
}

/* ---- the head of a request ---- */

static bool find_format(struct exchange *x, const char *name)
{
    struct platen_format f;
    for (size_t i = 0; platen_format_at(i, &f); i++)
        if (!strcmp(f.name, name)) {
            x->format = f.name;
            x->media_type = f.media_type;
            return f.stages <= x->server->o->stages;
        }
    return false;
}

static enum MHD_Result read_argument(void *ctx, enum MHD_ValueKind kind, const char *key,
                                     const char *value)
{
    struct exchange *x = ctx;
    unsigned long long page;
    (void)kind;
    if (!strcmp(key, "format")) {
        if (!value || !find_format(x, value))
            refuse(x, MHD_HTTP_BAD_REQUEST, "format '%.40s' is unknown, or not of this pipeline",
                   value ? value : "");
    } else if (!strcmp(key, "name")) {
        free(x->name);
        x->name = strdup(value ? value : "");
        if (!x->name || !*x->name)
            refuse(x, MHD_HTTP_BAD_REQUEST, "name is empty");
    } else if (!strcmp(key, "page")) {
        if (!value || !read_count(value, 1000000, &page))
            refuse(x, MHD_HTTP_BAD_REQUEST, "page must be a number from 1");
        else
            x->page = (int)page;
    } else {
        refuse(x, MHD_HTTP_BAD_REQUEST,
               "parameter '%.40s' is unknown; there are format, name, page", key);
    }
    return x->status ? MHD_NO : MHD_YES;
}

static const char *header(struct exchange *x, const char *name)
{
    return MHD_lookup_connection_value(x->connection, MHD_HEADER_KIND, name);
}

/* The length of the picture from the head, before any of it is held. */
static void read_length(struct exchange *x)
{
    const char *length = header(x, MHD_HTTP_HEADER_CONTENT_LENGTH);
    const char *type = header(x, MHD_HTTP_HEADER_CONTENT_TYPE);
    unsigned long long n;
    size_t most = x->server->o->max_body;
    if (type && !strncasecmp(type, "multipart/", 10))
        refuse(x, MHD_HTTP_UNSUPPORTED_MEDIA_TYPE, "the body must be the bytes of the picture");
    else if (header(x, MHD_HTTP_HEADER_TRANSFER_ENCODING))
        refuse(x, MHD_HTTP_LENGTH_REQUIRED, "a Content-Length is needed");
    else if (!length || !strcmp(length, "0"))
        refuse(x, MHD_HTTP_BAD_REQUEST, "no picture");
    else if (!read_count(length, UINT64_MAX, &n))
        refuse(x, MHD_HTTP_BAD_REQUEST, "the Content-Length is no number");
    else if (n > most)
        refuse(x, MHD_HTTP_CONTENT_TOO_LARGE, "%llu bytes long, more than the limit of %zu", n,
               most);
    else
        x->length = n;
}

static void hold(struct exchange *x)
{
    struct server *s = x->server;
    x->body = malloc(x->length);
    if (!x->body) {
        refuse(x, MHD_HTTP_SERVICE_UNAVAILABLE, "out of memory");
        return;
    }
    x->holds = true;
    x->next = s->holders;
    s->holders = x;
    s->holding++;
}

static void begin_page(struct exchange *x)
{
    struct server *s = x->server;
    static const char *const formats[] = {"png", "json", "txt"};
    find_format(x, formats[s->o->stages - 1]);
    MHD_get_connection_values(x->connection, MHD_GET_ARGUMENT_KIND, read_argument, x);
    if (!x->status)
        read_length(x);
    if (!x->status && s->holding >= s->most_holding)
        refuse(x, MHD_HTTP_TOO_MANY_REQUESTS, "%zu requests are in work or wait", s->holding);
    if (!x->status)
        hold(x);
}

static const struct route {
    const char *path, *methods; /* the second as Allow has it */
    void (*begin)(struct exchange *x);
} routes[] = {
    {"/v1/pages", "POST", begin_page},
    {"/health", "GET, HEAD", answer_health},
    {"/metrics", "GET, HEAD", answer_metrics},
};

static bool allows(const char *methods, const char *method)
{
    const char *at = strstr(methods, method);
    size_t n = strlen(method);
    return at && (at == methods || at[-1] == ' ') && (!at[n] || at[n] == ',');
}

static void route(struct exchange *x, const char *url, const char *method)
{
    for (size_t i = 0; i < sizeof(routes) / sizeof(*routes); i++) {
        if (strcmp(routes[i].path, url))
            continue;
        if (!allows(routes[i].methods, method)) {
            refuse(x, MHD_HTTP_METHOD_NOT_ALLOWED, "%s takes %s", url, routes[i].methods);
            x->format = routes[i].methods;
        } else {
            routes[i].begin(x);
        }
        return;
    }
    refuse(x, MHD_HTTP_NOT_FOUND, "there is no '%.100s'; see /v1/pages, /health and /metrics", url);
}

/* A refusal waits for the body, which is thrown away, so that a client that does not listen before
 * it has written everything gets to know; but not for one that is too long, or that waits to be
 * told to go on. */
static bool responds_at_once(struct exchange *x)
{
    return x->status &&
           (x->status == MHD_HTTP_CONTENT_TOO_LARGE || x->status == MHD_HTTP_LENGTH_REQUIRED ||
            header(x, MHD_HTTP_HEADER_EXPECT));
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
        route(x, url, method);
    return responds_at_once(x) ? respond(x) : MHD_YES;
}

/* ---- the job ---- */

/* From a worker of the job, or from within platen_request_cancel(). */
static void on_answer(void *ctx, const struct platen_answer *a)
{
    struct exchange *x = ctx;
    struct server *s = x->server;
    char *text = malloc(a->size + 1);
    if (text)
        memcpy(text, a->data, a->size);
    pthread_mutex_lock(&s->lock);
    x->answer = *a;
    x->answer.data = text;
    x->answered = true;
    x->next_answered = s->answered;
    s->answered = x;
    pthread_mutex_unlock(&s->lock);
    eventfd_write(s->wake, 1);
}

static enum MHD_Result ask(struct exchange *x)
{
    struct server *s = x->server;
    struct platen_error err;
    struct platen_picture pic = {.size = sizeof(pic),
                                 .data = x->body,
                                 .data_bytes = x->length,
                                 .name = x->name,
                                 .page = x->page,
                                 .format = x->format,
                                 .ctx = x,
                                 .answer = on_answer};
    x->asked_ms = now_ms();
    platen_status status = platen_job_ask(s->job, &pic, &x->request, &err);
    if (status) {
        refuse(x, MHD_HTTP_SERVICE_UNAVAILABLE, "%s", err.text);
        return respond(x);
    }
    s->asked++;
    x->suspended = true;
    MHD_suspend_connection(x->connection);
    return MHD_YES;
}

static unsigned http_status(const struct platen_answer *a)
{
    switch (a->status) {
    case PLATEN_ERR_FORMAT:
        return a->known ? MHD_HTTP_UNPROCESSABLE_CONTENT : MHD_HTTP_UNSUPPORTED_MEDIA_TYPE;
    case PLATEN_ERR_UNSUPPORTED:
        return MHD_HTTP_UNSUPPORTED_MEDIA_TYPE;
    case PLATEN_ERR_LIMIT:
        return MHD_HTTP_CONTENT_TOO_LARGE;
    case PLATEN_ERR_ARG:
        return MHD_HTTP_BAD_REQUEST;
    case PLATEN_ERR_NOMEM:
        return MHD_HTTP_SERVICE_UNAVAILABLE;
    default:
        return MHD_HTTP_INTERNAL_SERVER_ERROR;
    }
}

static void resume(struct exchange *x)
{
    if (x->suspended)
        MHD_resume_connection(x->connection);
    x->suspended = false;
}

static void release(struct exchange *x)
{
    struct exchange **at = &x->server->holders;
    if (!x->holds)
        return;
    while (*at != x)
        at = &(*at)->next;
    *at = x->next;
    x->server->holding--;
    x->holds = false;
    free(x->body);
    x->body = NULL;
}

static void free_exchange(struct exchange *x)
{
    release(x);
    x->server->open--;
    free((void *)(uintptr_t)x->answer.data);
    free(x->name);
    free(x->text);
    free(x->url);
    free(x);
}

static void take_answer(struct exchange *x)
{
    const struct platen_answer *a = &x->answer;
    if (!a->data) {
        refuse(x, MHD_HTTP_SERVICE_UNAVAILABLE, "out of memory");
    } else if (a->status) {
        refuse(x, http_status(a), "%.*s", (int)a->size, (const char *)a->data);
    } else {
        set_answer(x, MHD_HTTP_OK, x->media_type, (char *)(uintptr_t)a->data, a->size);
        x->answer.data = NULL;
    }
}

static void refuse_late(struct exchange *x, bool begun)
{
    long long ms = (long long)x->server->o->deadline_ms;
    if (begun)
        refuse(x, MHD_HTTP_GATEWAY_TIMEOUT, "not done within %lld ms", ms);
    else
        refuse(x, MHD_HTTP_SERVICE_UNAVAILABLE, "not begun within %lld ms", ms);
}

static void finish(struct exchange *x)
{
    struct server *s = x->server;
    platen_request_free(x->request);
    x->request = NULL;
    s->asked--;
    release(x);
    if (!x->answer.status)
        metrics_page(&s->metrics, x->answer.ms, x->answer.lines,
                     (double)(now_ms() - x->asked_ms) * 1e-3);
    if (!x->connection) {
        free_exchange(x);
        return;
    }
    if (x->late && !x->status)
        refuse_late(x, x->answer.begun);
    if (!x->status)
        take_answer(x);
    resume(x);
}

static void finish_answered(struct server *s)
{
    eventfd_t n;
    eventfd_read(s->wake, &n);
    pthread_mutex_lock(&s->lock);
    struct exchange *x = s->answered;
    s->answered = NULL;
    pthread_mutex_unlock(&s->lock);
    for (struct exchange *next; x; x = next) {
        next = x->next_answered;
        finish(x);
    }
}

static bool is_answered(struct exchange *x)
{
    pthread_mutex_lock(&x->server->lock);
    bool answered = x->answered;
    pthread_mutex_unlock(&x->server->lock);
    return answered;
}

/* What nobody had begun is answered by the cancel; what is being read is answered here, while its
 * worker ends it. */
static void end_late(struct exchange *x)
{
    x->late = true;
    platen_request_cancel(x->server->job, x->request);
    if (is_answered(x))
        return;
    refuse_late(x, true);
    resume(x);
}

/* ---- libmicrohttpd's callbacks ---- */

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
    return x->status ? respond(x) : ask(x);
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

/* ---- the loop ---- */

/* What the loop waits for. libmicrohttpd's own epoll is edge-triggered and misses the end of a
 * connection that comes with its last bytes, so its descriptors are taken as sets, and polled with
 * all others: `fds` are the fixed ones, then those of libmicrohttpd, then the connections of
 * pictures that are at the job, which libmicrohttpd does not look at, and whose clients may leave.
 */
enum { FD_WAKE, FD_SIGNAL, FD_JOB, FIXED_FDS };

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
    watch_http(s, w);
    w->end = w->http_end;
    for (struct exchange *x = s->holders; x; x = x->next)
        if (x->suspended)
            w->fds[w->end++] = (struct pollfd){.fd = fd_of(x), .events = POLLRDHUP};
    if (poll(w->fds, w->end, timeout_ms(s)) < 0)
        for (size_t i = 0; i < w->end; i++)
            w->fds[i].revents = 0;
}

/* In the order of wait_for(), before anything else changes the list. */
static void end_gone_and_late(struct server *s, const struct watch *w)
{
    int64_t now = now_ms();
    const struct pollfd *fd = w->fds + w->http_end;
    for (struct exchange *x = s->holders; x; x = x->next) {
        if (!x->suspended)
            continue;
        if ((fd++)->revents) {
            x->gone = true;
            resume(x);
        } else if (now - x->start_ms >= s->o->deadline_ms) {
            end_late(x);
        }
    }
}

/* The first signal: nothing new is taken, what is in flight is answered. */
static void drain(struct server *s)
{
    s->draining = true;
    MHD_socket fd = MHD_quiesce_daemon(s->daemon);
    if (fd != MHD_INVALID_SOCKET)
        close(fd);
    s->listener->fd = -1;
    if (s->listener->path)
        unlink(s->listener->path);
}

static void take_signal(struct server *s)
{
    struct signalfd_siginfo info;
    if (read(s->signals, &info, sizeof(info)) < 0)
        return;
    if (s->draining)
        _exit(EXIT_INTERRUPTED);
    drain(s);
}

static void loop(struct server *s, struct watch *w)
{
    while (!s->draining || s->open) {
        wait_for(s, w);
        end_gone_and_late(s, w);
        if (w->fds[FD_SIGNAL].revents)
            take_signal(s);
        if (w->fds[FD_WAKE].revents || w->fds[FD_JOB].revents)
            finish_answered(s);
        if (w->fds[FD_JOB].revents)
            break; /* it could not begin */
        run_http(s, w);
    }
}

static int watch(struct server *s, int job_ended)
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
    int status = watch(s, job_ended);
    if (!s->draining)
        drain(s);
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
