/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/progress.h"
#include "cli/run_output.h"
#include "cli/signals.h"
#include "cli/warnings.h"

static int add_shard(struct platen_job *job, const char *text)
{
    char head[24] = "";
    unsigned long long i, n;
    struct platen_error err;
    const char *slash = strchr(text, '/');
    if (slash && (size_t)(slash - text) < sizeof(head))
        memcpy(head, text, (size_t)(slash - text));
    if (!slash || !read_count(head, SIZE_MAX, &i) || !read_count(slash + 1, SIZE_MAX, &n))
        return fail_usage("--shard must be I/N, as 1/4, not '%s'", text);
    return platen_job_shard(job, i, n, &err) ? fail_usage("%s", err.text) : EXIT_DONE;
}

/* What the callbacks need. */
struct page_run {
    bool quiet, verbose, broken_pipe;
    struct progress progress;
    struct warnings warnings;
};

static platen_status write_stdout(void *ctx, const void *data, size_t n, struct platen_error *err)
{
    struct page_run *r = ctx;
    const char *p = data;
    while (n) {
        if (!may_write(STDOUT_FILENO)) {
            err->code = PLATEN_ERR_CANCELED;
            return PLATEN_ERR_CANCELED;
        }
        ssize_t k = write(STDOUT_FILENO, p, n < PIPE_BUF ? n : PIPE_BUF);
        if (k < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (k < 0) {
            r->broken_pipe = errno == EPIPE;
            err->code = PLATEN_ERR_IO;
            err->os_errno = errno;
            snprintf(err->text, sizeof(err->text), "unable to write standard output: %s",
                     strerror(errno));
            return PLATEN_ERR_IO;
        }
        p += k;
        n -= (size_t)k;
    }
    return PLATEN_OK;
}

static void clear_progress(struct page_run *r)
{
    if (r->progress.line_open && may_write(STDERR_FILENO))
        fputs("\r\033[K", stderr);
    r->progress.line_open = false;
}

static void on_failure(void *ctx, platen_status why, const char *text)
{
    (void)why;
    clear_progress(ctx);
    message("%s", text);
}

static void on_notice(void *ctx, const char *text)
{
    const struct page_run *r = ctx;
    if (!r->quiet)
        message("%s", text);
}

static void on_warning(void *ctx, const struct platen_warning *w)
{
    struct page_run *r = ctx;
    if (!r->verbose || r->quiet) {
        warnings_add(&r->warnings, w);
    } else {
        clear_progress(r);
        message("%s", w->text);
    }
}

static void say_warnings(const struct page_run *r)
{
    char text[WARNINGS_TEXT];
    if (r->quiet || !r->warnings.n)
        return;
    warnings_tell(&r->warnings, text);
    message("%s%s", text, r->warnings.n > 1 && r->warnings.differ ? "; -v tells each" : "");
}

static double clock_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void on_progress(void *ctx, const struct platen_progress *now)
{
    struct page_run *r = ctx;
    char text[PROGRESS_TEXT];
    if (!progress_due(&r->progress, now, clock_s(), text) || !may_write(STDERR_FILENO))
        return;
    if (r->progress.line)
        fprintf(stderr, "\r%s\033[K", text);
    else
        message("%s", text);
    fflush(stderr);
}

static int choose_progress(const struct arguments *a, const struct platen_options *o,
                           struct page_run *r)
{
    bool own_line = o->output_dir || o->output_file || !isatty(STDOUT_FILENO);
    struct progress_wish wish = {.when = a->value[OPTION_PROGRESS],
                                 .quiet = a->given[OPTION_QUIET],
                                 .verbose = a->given[OPTION_VERBOSE],
                                 .terminal = own_line && isatty(STDERR_FILENO)};
    r->quiet = wish.quiet;
    r->verbose = wish.verbose;
    if (!progress_start(&r->progress, &wish, clock_s()))
        return fail_usage("--progress must be %s, not '%s'", option_table[OPTION_PROGRESS].metavar,
                          wish.when);
    return EXIT_DONE;
}

static int add_inputs(const struct arguments *a, struct platen_job *job)
{
    struct platen_error err;
    for (int i = 0; i < a->n_operands; i++)
        if (platen_job_add(job, a->operands[i], &err))
            return fail_usage("%s", err.text);
    if (a->given[OPTION_FILES_FROM] &&
        platen_job_add_list(job, a->value[OPTION_FILES_FROM], a->given[OPTION_NUL], &err))
        return fail_usage("%s", err.text);
    return a->given[OPTION_SHARD] ? add_shard(job, a->value[OPTION_SHARD]) : EXIT_DONE;
}

static void say_what_runs(const struct arguments *a, const struct platen_pipeline *p,
                          const struct platen_summary *sum)
{
    struct platen_error err;
    char *text = NULL;
    if (platen_pipeline_print(p, &text, &err))
        return;
    message("pipeline: %s", text);
    message("kernels: %s, threads: %d, model: %s", sum->isa, sum->threads,
            sum->model[0] ? sum->model : "none");
    message("device: %s", sum->device);
    message("sandbox: %s", platen_sandbox_in_force());
    config_tell(a);
    platen_free(text);
}

static int exit_status(platen_status s, const struct platen_summary *sum, const struct page_run *r,
                       const struct platen_error *err)
{
    bool all = sum->done + sum->failed == sum->pages; /* not so after --fail-fast */
    if (s == PLATEN_OK && sum->failed && sum->pages > 1 && all)
        message("%zu of %zu pages failed", sum->failed, sum->pages);
    if (s == PLATEN_OK)
        return sum->failed ? EXIT_SOME_FAILED : EXIT_DONE;
    if (s == PLATEN_ERR_CANCELED) {
        message("interrupted; %zu of %zu pages are complete%s", sum->done, sum->pages,
                sum->resumable ? "; --resume goes on from here" : "");
        return EXIT_INTERRUPTED;
    }
    if (r->broken_pipe)
        return EXIT_DONE;
    message("%s", err->text);
    return s == PLATEN_ERR_IO ? EXIT_SOME_FAILED : EXIT_USAGE;
}

/* A share may be empty: others have the pages. */
static int say_nothing_read(const struct platen_summary *sum, const struct page_run *r)
{
    if (!sum->elsewhere)
        message("no pages to read");
    else if (!r->quiet)
        message("no pages in this share");
    return sum->elsewhere ? EXIT_DONE : EXIT_SOME_FAILED;
}

static int run_job(const struct arguments *a, const struct platen_pipeline *p,
                   const struct platen_options *o, struct platen_job *job, struct page_run *r)
{
    struct platen_error err;
    struct platen_summary sum = {.size = sizeof(sum)};
    int status = add_inputs(a, job);
    if (status)
        return status;
    status = enter_sandbox(a, job, NULL);
    if (status)
        return status;
    cancel_on_signals(job);
    platen_status s = platen_job_run(job, &sum, &err);
    forget_job();
    if (!may_write(STDERR_FILENO))
        return EXIT_INTERRUPTED; /* nobody takes what there is to say */
    clear_progress(r);
    say_warnings(r);
    if (!r->quiet && sum.passed_over)
        message("passed over %s%s", sum.passed_kinds,
                o->passed_over ? "" : "; --skipped FILE lists them");
    status = s || sum.pages ? exit_status(s, &sum, r, &err) : say_nothing_read(&sum, r);
    if (a->given[OPTION_VERBOSE])
        say_what_runs(a, p, &sum);
    if (a->given[OPTION_STATS])
        print_stats(&sum, a->value[OPTION_STATS]);
    return status;
}

static int run_pipeline(const struct arguments *a, const struct platen_pipeline *p)
{
    struct platen_options o;
    struct platen_error err;
    struct platen_job *job = NULL;
    struct page_run r = {0};
    platen_options_init(&o, sizeof(o));
    if (a->given[OPTION_FRAMES])
        o.frames = a->value[OPTION_FRAMES] ? a->value[OPTION_FRAMES] : "auto";
    o.ctx = &r;
    o.write = write_stdout;
    o.failure = on_failure;
    o.warning = on_warning;
    o.notice = on_notice;
    o.progress = on_progress;
    int status = read_job_options(a, &o);
    if (!status)
        status = choose_outputs(a, p, &o);
    if (!status)
        status = choose_progress(a, &o, &r);
    if (!status)
        status = begin_isolation(a, &o, PLATEN_ISOLATE_PDF);
    if (!status && platen_job_new(p, &o, &job, &err))
        status = fail_usage("%s", err.text);
    if (!status)
        status = run_job(a, p, &o, job, &r);
    platen_job_free(job);
    end_isolation();
    return status;
}

int cmd_run(const struct arguments *a)
{
    struct platen_pipeline *p = NULL;
    if (!a->n_operands && !a->given[OPTION_FILES_FROM])
        return fail_usage("no input; see 'platen help'");
    if (a->given[OPTION_NUL] && !a->given[OPTION_FILES_FROM])
        return fail_usage("-0 is about --files-from, which is not given");
    if (a->value[OPTION_STATS] && strcmp(a->value[OPTION_STATS], "json"))
        return fail_usage("--stats cannot be '%s'; see 'platen help'", a->value[OPTION_STATS]);
    if (!catch_signals())
        return fail_usage("unable to make an event: %s", strerror(errno));
    int status = get_pipeline(a, &p);
    if (!status)
        status = run_pipeline(a, p);
    platen_pipeline_free(p);
    return status;
}
