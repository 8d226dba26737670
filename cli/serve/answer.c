/* SPDX-License-Identifier: BSD-2-Clause */
/* What a client gets. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/serve/exchange.h"
#include "cli/served_files.h" /* made from start_page.html and openapi.json */

void set_answer(struct exchange *x, unsigned status, const char *media_type, char *text, size_t n)
{
    free(x->text);
    x->status = text ? status : MHD_HTTP_INTERNAL_SERVER_ERROR;
    x->media_type = media_type;
    x->text = text;
    x->text_bytes = text ? n : 0;
}

void refuse(struct exchange *x, unsigned status, const char *fmt, ...)
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

/* Tells what is wrong with pages that were read. */
#define WARNING_HEADER "Platen-Warning"

/* What a browser wants to know of an answer to a foreign page. */
static void add_origin(struct exchange *x, struct MHD_Response *r)
{
    if (!x->server->o->origins)
        return;
    MHD_add_response_header(r, MHD_HTTP_HEADER_VARY, "Origin");
    if (!x->origin)
        return;
    MHD_add_response_header(r, "Access-Control-Allow-Origin", x->origin);
    MHD_add_response_header(r, "Access-Control-Allow-Methods", "GET, HEAD, POST");
    MHD_add_response_header(r, "Access-Control-Allow-Headers", "Authorization, Content-Type");
    MHD_add_response_header(r, "Access-Control-Expose-Headers", WARNING_HEADER);
    MHD_add_response_header(r, "Access-Control-Max-Age", "600");
}

/* What the status calls for. */
static void add_headers(struct exchange *x, struct MHD_Response *r)
{
    if (x->media_type)
        MHD_add_response_header(r, MHD_HTTP_HEADER_CONTENT_TYPE, x->media_type);
    if (x->status == MHD_HTTP_METHOD_NOT_ALLOWED)
        MHD_add_response_header(r, MHD_HTTP_HEADER_ALLOW, x->format);
    if (x->status == MHD_HTTP_TOO_MANY_REQUESTS || x->status == MHD_HTTP_SERVICE_UNAVAILABLE)
        MHD_add_response_header(r, MHD_HTTP_HEADER_RETRY_AFTER, "1");
    if (x->status == MHD_HTTP_UNAUTHORIZED)
        MHD_add_response_header(r, MHD_HTTP_HEADER_WWW_AUTHENTICATE, "Bearer");
    if (x->server->draining || x->closes)
        MHD_add_response_header(r, MHD_HTTP_HEADER_CONNECTION, "close");
    if (x->warning && x->status == MHD_HTTP_OK)
        MHD_add_response_header(r, WARNING_HEADER, x->warning);
    MHD_add_response_header(r, "X-Content-Type-Options", "nosniff");
    add_origin(x, r);
}

enum MHD_Result respond(struct exchange *x)
{
    struct server *s = x->server;
    struct MHD_Response *r =
        MHD_create_response_from_buffer(x->text_bytes, x->text, MHD_RESPMEM_MUST_FREE);
    if (!r)
        return MHD_NO;
    x->text = NULL;
    add_headers(x, r);
    enum MHD_Result queued = MHD_queue_response(x->connection, x->status, r);
    MHD_destroy_response(r);
    x->responded = true;
    int64_t patience = patience_ms(s); /* at least what a head has: the answer may be long */
    x->until_ms = now_ms() + (patience > s->o->head_ms ? patience : s->o->head_ms);
    s->metrics.requests[x->status]++;
    if (s->o->verbose)
        message("%s %u, %lld ms", x->url ? x->url : "", x->status,
                (long long)(now_ms() - x->start_ms));
    return queued;
}

void answer_preflight(struct exchange *x)
{
    set_answer(x, MHD_HTTP_NO_CONTENT, NULL, strdup(""), 0);
}

/* A file of cli/serve that was compiled in. */
static void answer_file(struct exchange *x, const char *media_type, const unsigned char *bytes,
                        size_t n)
{
    char *text = malloc(n);
    if (text)
        memcpy(text, bytes, n);
    set_answer(x, MHD_HTTP_OK, media_type, text, n);
}

void answer_start_page(struct exchange *x)
{
    answer_file(x, "text/html; charset=utf-8", start_page, sizeof(start_page));
}

void answer_openapi(struct exchange *x)
{
    answer_file(x, "application/json", openapi, sizeof(openapi));
}

int64_t patience_ms(const struct server *s)
{
    return s->draining ? s->o->head_ms : s->o->deadline_ms;
}

void answer_health(struct exchange *x)
{
    bool draining = x->server->draining;
    char *text = strdup(draining ? "{\"status\": \"draining\"}\n" : "{\"status\": \"ok\"}\n");
    set_answer(x, draining ? MHD_HTTP_SERVICE_UNAVAILABLE : MHD_HTTP_OK, "application/json", text,
               text ? strlen(text) : 0);
}

void answer_metrics(struct exchange *x)
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
    platen_job_calls(s->job, &now.calls, &now.call_lines);
    if (f) {
        metrics_print(&s->metrics, &now, f);
        fclose(f);
    }
    set_answer(x, MHD_HTTP_OK, "text/plain; version=0.0.4; charset=utf-8", text, n);
}
