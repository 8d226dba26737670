/* SPDX-License-Identifier: BSD-2-Clause */
/* What the parts of the server share. All of it runs in one thread, but on_answer() in ask.c, which
 * a worker of the job calls. */
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
    int64_t start_ms;                  /* when its head was there, by now_ms() */
    int64_t asked_ms;                  /* when the job got the picture */
    int64_t until_ms;   /* when its body has to be there, and then when its answer has to be sent */
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
    bool answered; /* as all that on_answer() writes, guarded by server->lock */
    struct platen_answer answer;
    char *warning; /* about its pages; or NULL */

    /* the answer to the client */
    unsigned status; /* of HTTP; 0 = there is no answer yet */
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
    int64_t until_ms;   /* when its next head has to be there */
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

/* Makes this the answer. Takes over text[0..n), which malloc() made; NULL = memory was short, and
 * the answer says so. */
void set_answer(struct exchange *x, unsigned status, const char *media_type, char *text, size_t n);
/* Makes {"status": 422, "error": "..."} the answer. */
__attribute__((format(printf, 3, 4))) void refuse(struct exchange *x, unsigned status,
                                                  const char *fmt, ...);
/* Make the answer what these addresses have: /health, /metrics, / and /openapi.json. */
void answer_health(struct exchange *x);
void answer_metrics(struct exchange *x);
void answer_start_page(struct exchange *x);
void answer_openapi(struct exchange *x);
/* Makes the answer what a browser is told that asks whether a page of another site may ask. */
void answer_preflight(struct exchange *x);
/* Returns how long a body, or sending an answer, may take from now on. */
int64_t patience_ms(const struct server *s);
/* Queues the answer for sending, counts it and tells it in the log. */
enum MHD_Result respond(struct exchange *x);

/* ---- parameters.c: what a request says of itself ---- */

/* Returns the value of a header, or NULL where the head has none of that name. */
const char *request_header(struct exchange *x, const char *name);
/* Takes a parameter of the request, from its target or a form; the value may be NULL. Refuses a
 * parameter that there is not, one that comes twice, and a wrong value. */
void take_parameter(struct exchange *x, const char *key, const char *value);
/* Takes the parameters of the target. */
void read_parameters(struct exchange *x);
/* Called when all parameters have come: chooses the format, or refuses one that the pipeline does
 * not have. */
void settle_parameters(struct exchange *x);

/* ---- route.c: the head of a request ---- */

/* Refuses the request, answers it, or makes room for the picture that is to come. */
void route_request(struct exchange *x, const char *url, const char *method);

/* ---- body.c: the picture as it comes ---- */

/* Takes a place in the queue, for the time that the exchange has a picture. */
void enter_queue(struct exchange *x);
/* Gives the place to others, where there is one. */
void leave_queue(struct exchange *x);

/* Reads what the head says of the body, and makes room for it, or refuses it. */
void begin_body(struct exchange *x);
/* Adds data[0..n) to the picture or the form; drops it where the request was refused. */
void take_body(struct exchange *x, const char *data, size_t n);
/* Called when all of the body has come: refuses a form that is cut off, and what has no picture. */
void end_body(struct exchange *x);
/* Frees picture and form; there may be none. */
void release_body(struct exchange *x);

/* ---- token.c: who may ask ---- */

/* Refuses a request that does not bring the token that is needed, and returns false. */
bool check_token(struct exchange *x);

/* ---- ask.c: pictures at the job ---- */

/* Hands the picture to the job; the connection sleeps until resume_exchange(). */
enum MHD_Result ask_job(struct exchange *x);
/* Wakes the connection, to send the answer. */
void resume_exchange(struct exchange *x);
/* Takes what the job answered since the last call. */
void finish_answered(struct server *s);
/* Cancels and refuses a request at the job whose deadline has passed. */
void end_late(struct exchange *x);
/* Frees all that the exchange holds, and takes it from the queue; the job is done with it. */
void free_exchange(struct exchange *x);

/* ---- check.c: heads that are refused whatever they ask ---- */

/* Returns whether the first bytes of a connection, s[0..n), may begin a request. */
bool can_begin_request(const char *s, size_t n);
/* Refuses a head that is malformed, for another server, or of a page of another site, and returns
 * false. */
bool check_head(struct exchange *x);

/* ---- guests.c: connections ---- */

/* What libmicrohttpd may take of a head: its default. */
#define MOST_HEAD_BYTES 32768

/* Callbacks of libmicrohttpd, for a connection that comes or goes, and for a target before it is
 * read. */
void on_connection(void *cls, struct MHD_Connection *c, void **ctx,
                   enum MHD_ConnectionNotificationCode what);
void *on_target(void *cls, const char *target, struct MHD_Connection *c);
/* Called when something can be read from the connection `fd` that libmicrohttpd has not read yet:
 * ends it where that is no request. */
void look_at_first_bytes(struct server *s, int fd);
/* Called when the head of a request is there. Returns false where its connection is to end. */
bool begin_exchange(struct exchange *x, const char *version);
/* Called when the request is over for its connection. */
void end_exchange(struct exchange *x);
/* Ends a connection whose picture comes slowly, so that there is a place in the queue for this one.
 * Returns false where there is none. */
bool take_place_of_slow(struct exchange *x);
/* Returns when, by now_ms(), cut_overdue() has something to do next; INT64_MAX = never. */
int64_t next_overdue_ms(const struct server *s);
/* Ends the connections whose head, body or answer takes too long. */
void cut_overdue(struct server *s);
/* From now on a body, and sending an answer, may take as long as a head. */
void hurry_guests(struct server *s);

/* ---- loop.c: what happens in the thread of the server ---- */

/* Serves until the server is drained, or the job has ended, which makes `job_ended` readable.
 * Returns an exit status. */
int run_loop(struct server *s, int job_ended);
/* Takes nothing new from now on; what is in flight is answered. */
void drain_server(struct server *s);

#endif
