/* SPDX-License-Identifier: BSD-2-Clause */
/* platen serve: pictures over HTTP to a job of requests, and its answers back. */
#ifndef PL_CLI_SERVE_SERVE_H
#define PL_CLI_SERVE_SERVE_H

#include <stdbool.h>
#include <stddef.h>
#include <signal.h>
#include <stdint.h>
#include <sys/types.h>

#include "cli/serve/metrics.h"
#include "platen.h"

struct listener {
    int fd;
    const char *path; /* of a Unix socket, or NULL */
    dev_t device;     /* of what was made there */
    ino_t inode;
    bool is_local;   /* on the loopback interface, or a Unix socket */
    char host[64];   /* of TCP, as a Host header has it */
    char shown[300]; /* "http://127.0.0.1:8080", "unix:/run/platen" */
};

/* Both print a message and return an exit status. Without `anywhere` only addresses of the loopback
 * interface are taken. */
int listen_tcp(const char *address, bool anywhere, struct listener *ret);
int listen_unix(const char *path, struct listener *ret);
/* Takes the name of its socket away, unless another server has it by now; closes nothing. */
void unlink_listener(const struct listener *l);

#define MOST_PIPELINES 16 /* that the operator may allow */

/* The pipeline that requests may always name: it leaves the page as it is, in its colours, for
 * pages of browsers that show what was read. */
#define PICTURE_NAME "picture"
#define PICTURE_SPEC "invert:never"

/* A pipeline that requests may name. */
struct named_pipeline {
    const char *name; /* as the operator wrote it */
    struct platen_pipeline *pipeline;
};

struct server_options {
    size_t queue;        /* requests that may wait beside those being read */
    size_t max_body;     /* bytes of a picture */
    int64_t deadline_ms; /* of a request, from its head */
    int64_t head_ms;     /* of a head, from when its connection came or had its last answer */
    const char *hosts;   /* further names of this server, parted by commas; or NULL */
    const char *origins; /* of foreign pages that may ask, parted by commas, or "*"; or NULL */
    const char *token;   /* that requests must bring; or NULL */
    int stages;          /* of the usual pipeline */
    struct named_pipeline pipelines[MOST_PIPELINES + 1]; /* the allowed ones, then PICTURE_NAME */
    size_t n_pipelines;
    const char *model;
    bool verbose; /* a line for each request */
};

/* The bytes that a token may have. */
enum { LEAST_TOKEN_BYTES = 16, MOST_TOKEN_BYTES = 256 };
/* Reads the first line of a file as a token. Prints a message and returns an exit status. */
int read_token(const char *path, char ret[static MOST_TOKEN_BYTES + 1]);

/* Whether requests can have such names (--allow-host) and origins (--allow-origin); NULL has none.
 * Print a message and return an exit status. */
int check_hosts(const char *list);
int check_origins(const char *list);

/* The signals that end a server: SIGINT, SIGTERM and SIGHUP, without those that are ignored. */
void ending_signals(sigset_t *ret);
/* Serves until one of them comes, which the caller blocks in all threads, and until what is in
 * flight then is answered; then closes the job. Returns an exit status. `job_ended` becomes
 * readable when the job does. */
int serve_http(struct platen_job *job, struct listener *listener, const struct server_options *o,
               int job_ended);

#endif
