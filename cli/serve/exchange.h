/* SPDX-License-Identifier: BSD-2-Clause */
/* Between the parts of the server, all of one thread but on_answer() in ask.c. */
#ifndef PL_CLI_SERVE_EXCHANGE_H
#define PL_CLI_SERVE_EXCHANGE_H

#include <microhttpd.h>
#include <pthread.h>
#include <time.h>

#include "cli/serve/serve.h"

/* One request and its answer. It lives until its connection and the job are both done with it. */
struct exchange {
    struct server *server;
    struct MHD_Connection *connection; /* NULL = gone */
    struct guest *guest;               /* or NULL */
    char *url;                         /* for the log */
    int64_t start_ms, asked_ms;
    int64_t until_ms;   /* of its body; then of its answer */
    bool hides_nul;     /* its target has a zero byte */
    bool is_1_0;        /* of HTTP/1.0, which knows no answers before the answer */
    bool closes;        /* the connection ends with the answer */
    const char *origin; /* of a foreign page that may ask, as its browser tells it; or NULL */
    bool responded;     /* the answer is on its way */

    /* the picture; an exchange with `holds` counts against the queue and is in server->holders */
    bool holds;
    struct exchange *next;
    char *body;
    size_t got, room;  /* bytes that came, and that there is memory for */
    struct form *form; /* NULL = the body is the picture */
    const char *format;
    const struct platen_pipeline *pipeline; /* NULL = the usual one */
    char *name, *pages, *lang, *lm;         /* or NULL */

    /* at the job */
    struct platen_request *request; /* NULL = not there */
    bool suspended, gone, late;
    bool sends_no_more; /* its client closed that side, and was there still */
    struct exchange *next_answered;
    bool answered; /* under server->lock, as all that on_answer() writes */
    struct platen_answer answer;

    /* for the client; status 0 = not yet */
    unsigned status;
    const char *media_type;
    char *text;
    size_t text_bytes;
};

/* A connection. They stand in the order of their arrival or last answer. */
struct guest {
    struct guest *next;
    struct exchange *exchange; /* NULL = it has sent no whole head */
    int fd;
    uint64_t sender;
    int64_t until_ms;   /* of its next head */
    const char *target; /* as libmicrohttpd had it, for the address alone */
    size_t target_bytes;
    bool has_nul, cut;
    bool has_sent; /* its first bytes were looked at */
};

struct server {
    struct platen_job *job;
    struct listener *listener;
    const struct server_options *o;
    struct MHD_Daemon *daemon;
    struct metrics metrics;
    size_t open, holding, asked, most_holding;
    struct exchange *holders;
    struct guest *guests;
    size_t n_guests, most_guests; /* without those that are cut */
    pthread_mutex_t lock;
    struct exchange *answered;
    int wake, signals; /* file descriptors: the job answered; a signal came */
    bool draining;
    int64_t signal_ms; /* when it began to drain */
};

/* Milliseconds of the monotonic clock. */
static inline int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* ---- answer.c: what a client gets ---- */

/* Takes the text; NULL = memory was short. */
void set_answer(struct exchange *x, unsigned status, const char *media_type, char *text, size_t n);
/* {"status": 422, "error": "..."} */
__attribute__((format(printf, 3, 4))) void refuse(struct exchange *x, unsigned status,
                                                  const char *fmt, ...);
void answer_health(struct exchange *x);
void answer_metrics(struct exchange *x);
void answer_start_page(struct exchange *x);
void answer_openapi(struct exchange *x);
/* The answer to a browser that asks whether a foreign page may ask. */
void answer_preflight(struct exchange *x);
/* How long a body, or the way of an answer, may take from now on. */
int64_t patience_ms(const struct server *s);
/* Sends it. */
enum MHD_Result respond(struct exchange *x);

/* ---- parameters.c: what a request says of itself ---- */

/* NULL = it is not there. */
const char *request_header(struct exchange *x, const char *name);
/* A parameter of the request, from its target or a form; the value may be NULL. Refuses what is
 * wrong. */
void take_parameter(struct exchange *x, const char *key, const char *value);
/* Takes those of the target. */
void read_parameters(struct exchange *x);
/* All parameters have come: chooses the format, or refuses one that the pipeline does not have. */
void settle_parameters(struct exchange *x);

/* ---- route.c: the head of a request ---- */

/* Refuses or answers, or makes room for the picture that is to come. */
void route_request(struct exchange *x, const char *url, const char *method);
/* ---- body.c: the picture as it comes ---- */

/* Reads what the head says of the body, and makes room for it, or refuses it. */
void begin_body(struct exchange *x);
void take_body(struct exchange *x, const char *data, size_t n);
/* All has come: refuses what is no picture. */
void end_body(struct exchange *x);
void release_body(struct exchange *x);

/* ---- token.c: who may ask ---- */

/* false: it is refused, for it does not bring the token that is needed. */
bool check_token(struct exchange *x);

/* ---- ask.c: pictures at the job ---- */

/* Hands the picture over; the connection sleeps until resume_exchange(). */
enum MHD_Result ask_job(struct exchange *x);
void resume_exchange(struct exchange *x);
/* What the job answered since the last call. */
void finish_answered(struct server *s);
/* The deadline has passed. */
void end_late(struct exchange *x);
void free_exchange(struct exchange *x);

/* ---- check.c: heads that are refused whatever they ask ---- */

/* False when these first bytes of a connection can not begin a request. */
bool can_begin_request(const char *s, size_t n);
/* false: it is refused. */
bool check_head(struct exchange *x);

/* ---- guests.c: connections ---- */

/* What libmicrohttpd may take of a head: its default. */
#define MOST_HEAD_BYTES 32768

/* Callbacks of libmicrohttpd: a connection comes or goes; a target is there, before it is read. */
void on_connection(void *cls, struct MHD_Connection *c, void **ctx,
                   enum MHD_ConnectionNotificationCode what);
void *on_target(void *cls, const char *target, struct MHD_Connection *c);
/* Something can be read from the connection `fd`, and libmicrohttpd has not read it yet. */
void look_at_first_bytes(struct server *s, int fd);
/* The head of a request is there; false: its connection is to end. */
bool begin_exchange(struct exchange *x, const char *version);
/* The request is over for its connection. */
void end_exchange(struct exchange *x);
/* When the next one is; INT64_MAX = none. */
int64_t next_overdue_ms(const struct server *s);
/* Ends those whose head, body or answer takes too long. */
void cut_overdue(struct server *s);
/* From now on a body, and the way of an answer, may take as long as a head. */
void hurry_guests(struct server *s);

/* ---- loop.c: what happens in the thread of the server ---- */

/* Until the server is drained, or the job has ended. Returns an exit status. */
int run_loop(struct server *s, int job_ended);
/* Nothing new is taken, what is in flight is answered. */
void drain_server(struct server *s);

#endif
