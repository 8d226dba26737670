/* SPDX-License-Identifier: BSD-2-Clause */
/* The program behind `platen serve`. It stands apart from platen because libmicrohttpd brings
 * libraries that no other command should load. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/serve/serve.h"

static int read_server_options(const struct arguments *a, struct server_options *ret)
{
    static char token[MOST_TOKEN_BYTES + 1];
    unsigned long long queue = 16, deadline_ms = 60000, head_ms = 10000, body = 64 << 20;
    int status = read_option_number(a, OPTION_QUEUE, &queue);
    if (!status)
        status = read_option_number(a, OPTION_DEADLINE, &deadline_ms);
    if (!status)
        status = read_option_number(a, OPTION_HEAD, &head_ms);
    if (!status)
        status = read_option_number(a, OPTION_MAX_BODY, &body);
    if (!status && a->given[OPTION_TOKEN])
        status = read_token(a->value[OPTION_TOKEN], token);
    if (!status)
        status = check_hosts(a->value[OPTION_ALLOW_HOST]);
    if (!status)
        status = check_origins(a->value[OPTION_ALLOW_ORIGIN]);
    ret->token = *token ? token : NULL;
    ret->queue = queue;
    ret->deadline_ms = (int64_t)deadline_ms;
    ret->head_ms = (int64_t)head_ms;
    ret->hosts = a->value[OPTION_ALLOW_HOST];
    ret->origins = a->value[OPTION_ALLOW_ORIGIN];
    ret->max_body = body;
    ret->verbose = a->given[OPTION_VERBOSE];
    return status;
}

static int listen_where(const struct arguments *a, struct listener *ret)
{
    if (a->given[OPTION_LISTEN] && a->given[OPTION_SOCKET])
        return fail_usage("--listen and --socket exclude each other");
    if (a->given[OPTION_SOCKET])
        return listen_unix(a->value[OPTION_SOCKET], ret);
    return listen_tcp(a->given[OPTION_LISTEN] ? a->value[OPTION_LISTEN] : "127.0.0.1:8080",
                      a->given[OPTION_TOKEN] || a->given[OPTION_PROXIED], ret);
}

/* The job in its thread: that thread is one of those that read. */
struct runner {
    struct platen_job *job;
    struct platen_summary sum;
    struct platen_error err;
    platen_status status;
    int ended; /* readable when it did */
};

static void *run_job(void *ctx)
{
    struct runner *r = ctx;
    r->status = platen_job_run(r->job, &r->sum, &r->err);
    eventfd_write(r->ended, 1);
    return NULL;
}

static int serve(struct runner *r, struct listener *l, const struct server_options *o)
{
    pthread_t thread;
    if (r->ended < 0 || pthread_create(&thread, NULL, run_job, r))
        return fail_usage("unable to create a thread");
    int status = serve_http(r->job, l, o, r->ended);
    platen_job_close(r->job);
    pthread_join(thread, NULL);
    if (r->status)
        return fail_usage("%s", r->err.text);
    if (o->verbose)
        message("%zu pages read, %zu failed", r->sum.done, r->sum.failed);
    return status;
}

static int serve_job(const struct arguments *a, struct platen_job *job, struct server_options *o)
{
    struct runner r = {
        .job = job, .sum = {.size = sizeof(r.sum)}, .ended = eventfd(0, EFD_CLOEXEC)};
    struct listener l = {.fd = -1};
    int status = read_server_options(a, o);
    if (!status)
        status = listen_where(a, &l);
    metrics_open();
    if (!status)
        status = enter_sandbox(a, job, l.path);
    if (!status)
        status = serve(&r, &l, o);
    if (r.ended >= 0)
        close(r.ended);
    return status;
}

static void say_notice(void *ctx, const char *text)
{
    (void)ctx;
    message("%s", text);
}

static int run_server(const struct arguments *a, const struct platen_pipeline *p,
                      struct server_options *server)
{
    const struct platen_pipeline *further[MOST_PIPELINES + 1];
    struct platen_options o;
    struct platen_error err;
    struct platen_job *job = NULL;
    platen_options_init(&o, sizeof(o));
    o.requests = true;
    o.notice = say_notice;
    for (size_t i = 0; i < server->n_pipelines; i++)
        further[i] = server->pipelines[i].pipeline;
    o.pipelines = further;
    o.n_pipelines = server->n_pipelines;
    int status = read_job_options(a, &o);
    if (!status)
        status = begin_isolation(a, &o, PLATEN_ISOLATE_ALL);
    if (!status && platen_job_new(p, &o, &job, &err))
        status = fail_usage("%s", err.text);
    const char *model = o.model ? o.model : "eng"; /* the first of the usual ones */
    server->stages = platen_pipeline_stages(p);
    server->model = server->stages > 2 ? model : "";
    if (!status)
        status = serve_job(a, job, server);
    platen_job_free(job);
    end_isolation();
    return status;
}

static int add_pipeline(const struct arguments *a, const char *name, const char *spec,
                        struct server_options *ret)
{
    struct named_pipeline *p = &ret->pipelines[ret->n_pipelines++];
    p->name = name;
    return get_further_pipeline(a, spec, &p->pipeline);
}

/* The pipelines of --allow-pipeline, which get the operator's parameters where they have a place
 * for them. The list is changed. */
static int read_pipelines(const struct arguments *a, char *list, struct server_options *ret)
{
    int status = EXIT_DONE;
    for (char *at = list, *name; !status && (name = strtok_r(at, ";", &at));) {
        name += strspn(name, " ");
        for (size_t n = strlen(name); n && name[n - 1] == ' '; n--)
            name[n - 1] = '\0';
        if (ret->n_pipelines == MOST_PIPELINES)
            return fail_usage("--allow-pipeline takes %d pipelines", MOST_PIPELINES);
        status = add_pipeline(a, name, name, ret);
    }
    return status;
}

static int serve_pipeline(const struct arguments *a, const struct platen_pipeline *p)
{
    struct server_options server = {.stages = 0};
    char *list = a->given[OPTION_ALLOW_PIPELINE] ? strdup(a->value[OPTION_ALLOW_PIPELINE]) : NULL;
    int status = EXIT_DONE;
    if (a->given[OPTION_ALLOW_PIPELINE])
        status = list ? read_pipelines(a, list, &server) : fail_usage("out of memory");
    if (!status)
        status = add_pipeline(a, PICTURE_NAME, PICTURE_SPEC, &server);
    if (!status)
        status = run_server(a, p, &server);
    for (size_t i = 0; i < server.n_pipelines; i++)
        platen_pipeline_free(server.pipelines[i].pipeline);
    free(list);
    return status;
}

/* Signals are read by the thread that serves. */
static void block_signals(void)
{
    sigset_t set;
    signal(SIGPIPE, SIG_IGN);
    ending_signals(&set);
    sigprocmask(SIG_BLOCK, &set, NULL);
}

int main(int argc, char **argv)
{
    struct arguments a;
    struct platen_pipeline *p = NULL;
    hold_standard_descriptors();
    keep_pictures_out_of_heaps();
    block_signals();
    if (!arguments_parse(&a, IN_SERVE, argc - 1, argv + 1) || a.n_operands)
        return fail_usage("see 'platen help serve'");
    if (a.given[OPTION_HELP] || a.given[OPTION_VERSION]) {
        printf("platen-serve %s, which 'platen serve' runs: see 'platen help serve'\n",
               platen_version());
        return EXIT_DONE;
    }
    int status = config_apply(&a, IN_SERVE) ? get_pipeline(&a, &p) : EXIT_USAGE;
    if (a.given[OPTION_VERBOSE] || status == EXIT_USAGE)
        config_tell(&a);
    if (!status)
        status = serve_pipeline(&a, p);
    platen_pipeline_free(p);
    return status;
}
