/* SPDX-License-Identifier: BSD-2-Clause */
/* Pictures at the job, and what comes back. */
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>

#include "cli/cli.h"
#include "cli/serve/exchange.h"
#include "cli/warnings.h"

/* One text for all warnings; NULL without any, or when memory is short. */
static char *sum_up_warnings(const struct platen_answer *a)
{
    struct warnings all = {0};
    char text[WARNINGS_TEXT];
    for (size_t i = 0; i < a->n_warnings; i++)
        warnings_add(&all, &a->warnings[i]);
    if (!all.n)
        return NULL;
    warnings_tell(&all, text);
    return strdup(text);
}

/* From a worker of the job, or from within platen_request_cancel(). */
static void on_answer(void *ctx, const struct platen_answer *a)
{
    struct exchange *x = ctx;
    struct server *s = x->server;
    char *text = malloc(a->data_bytes + 1), *warning = sum_up_warnings(a);
    if (text)
        memcpy(text, a->data, a->data_bytes);
    pthread_mutex_lock(&s->lock);
    x->answer = *a;
    x->answer.data = text;
    x->warning = warning;
    x->answered = true;
    x->next_answered = s->answered;
    s->answered = x;
    pthread_mutex_unlock(&s->lock);
    eventfd_write(s->wake, 1);
}

enum MHD_Result ask_job(struct exchange *x)
{
    struct server *s = x->server;
    struct platen_error err;
    struct platen_picture pic = {.size = sizeof(pic),
                                 .data = x->body,
                                 .data_bytes = x->got,
                                 .name = x->name,
                                 .pages = x->pages,
                                 .format = x->format,
                                 .pipeline = x->pipeline,
                                 .lang = x->lang,
                                 .lm = x->lm ? lm_value(x->lm) : NULL,
                                 .ctx = x,
                                 .answer = on_answer};
    x->asked_ms = now_ms();
    platen_status status = platen_job_ask(s->job, &pic, &x->request, &err);
    if (status) {
        const bool wrong = status == PLATEN_ERR_ARG || status == PLATEN_ERR_UNSUPPORTED;
        refuse(x, wrong ? MHD_HTTP_BAD_REQUEST : MHD_HTTP_SERVICE_UNAVAILABLE, "%s", err.text);
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

void resume_exchange(struct exchange *x)
{
    if (x->suspended)
        MHD_resume_connection(x->connection);
    x->suspended = false;
    x->until_ms = now_ms() + patience_ms(x->server);
}

void free_exchange(struct exchange *x)
{
    leave_queue(x);
    release_body(x);
    x->server->open--;
    free((void *)(uintptr_t)x->answer.data);
    free(x->warning);
    free(x->name);
    free(x->pages);
    free(x->lang);
    free(x->lm);
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
        refuse(x, http_status(a), "%.*s", (int)a->data_bytes, (const char *)a->data);
    } else {
        set_answer(x, MHD_HTTP_OK, x->media_type, (char *)(uintptr_t)a->data, a->data_bytes);
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
    leave_queue(x);
    release_body(x);
    if (!x->answer.status)
        metrics_answer(&s->metrics, &x->answer, (double)(now_ms() - x->asked_ms) * 1e-3);
    if (!x->connection) {
        free_exchange(x);
        return;
    }
    if (x->late && !x->status)
        refuse_late(x, x->answer.begun);
    if (!x->status)
        take_answer(x);
    resume_exchange(x);
}

void finish_answered(struct server *s)
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
void end_late(struct exchange *x)
{
    x->late = true;
    platen_request_cancel(x->server->job, x->request);
    if (is_answered(x))
        return;
    refuse_late(x, true);
    resume_exchange(x);
}
