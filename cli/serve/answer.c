/* SPDX-License-Identifier: BSD-2-Clause */
/* What a client gets. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/serve/exchange.h"

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

enum MHD_Result respond(struct exchange *x)
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
    if (s->draining || x->closes)
        MHD_add_response_header(r, MHD_HTTP_HEADER_CONNECTION, "close");
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
