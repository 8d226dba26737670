/* platen serve: pictures over HTTP to a job of requests, and its answers back. */
#ifndef PL_CLI_SERVE_SERVE_H
#define PL_CLI_SERVE_SERVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/serve/metrics.h"
#include "platen.h"

struct listener {
    int fd;
    const char *path; /* of a Unix socket, or NULL */
    char shown[300];  /* "http://127.0.0.1:8080", "unix:/run/platen" */
};

/* Both print a message and return an exit status. */
int listen_tcp(const char *address, struct listener *ret);
int listen_unix(const char *path, struct listener *ret);

struct server_options {
    size_t queue;        /* requests that may wait beside those being read */
    size_t max_body;     /* bytes of a picture */
    int64_t deadline_ms; /* of a request, from its head */
    int stages;          /* of the pipeline */
    const char *model;
    bool verbose; /* a line for each request */
};

/* Serves until SIGTERM or SIGINT, which the caller blocks in all threads, and until what is in
 * flight then is answered; then closes the job. Returns an exit status. `job_ended` becomes
 * readable when the job does. */
int serve_http(struct platen_job *job, struct listener *listener, const struct server_options *o,
               int job_ended);

#endif
