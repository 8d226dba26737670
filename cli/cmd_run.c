/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/progress.h"
#include "cli/warnings.h"
#include "cli/signals.h"

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

/* ---- where the output goes ---- */

/* What stands under the names on which it depends how the output is written; 0 = nothing yet. */
struct run_places {
    mode_t output, input;
};

/* Finds what stands under a name. A failure is told: with a guess, output would go elsewhere. */
static int look_at(const char *path, mode_t *ret)
{
    struct stat st;
    *ret = 0;
    if (!stat(path, &st))
        *ret = st.st_mode;
    else if (errno != ENOENT && errno != ENOTDIR) {
        message("unable to read '%s': %s", path, strerror(errno));
        return EXIT_SOME_FAILED;
    }
    return EXIT_DONE;
}

static int look_at_places(const struct arguments *a, struct run_places *ret)
{
    const char *output = a->value[OPTION_OUTPUT];
    *ret = (struct run_places){0};
    const int status = output ? look_at(output, &ret->output) : EXIT_DONE;
    return status || a->n_operands != 1 ? status : look_at(a->operands[0], &ret->input);
}

/* Whether the path has the extension, in small or capital letters. */
static bool ends_in(const char *path, const char *extension)
{
    size_t n = strlen(path), k = strlen(extension);
    return n > k + 1 && path[n - k - 1] == '.' && !strcasecmp(path + n - k, extension);
}

/* Whether the path has one of the extensions, parted by blanks. */
static bool ends_in_any(const char *path, const char *extensions)
{
    char one[8] = "";
    for (int n = 0; sscanf(extensions, "%7s%n", one, &n) == 1; extensions += n)
        if (ends_in(path, one))
            return true;
    return false;
}

/* Other programs have the output's name behind that of the input: there it would be an input that
 * is missing, behind some that are read. What may be an input costs a message alone. */
static int look_at_last_operand(const struct arguments *a)
{
    const char *last = a->n_operands > 1 ? a->operands[a->n_operands - 1] : "";
    if (!access(last, F_OK))
        return EXIT_DONE;
    if (!strcmp(last, "stdout") || ends_in_any(last, "txt json hocr tsv html md csv"))
        return fail_usage("there is no '%s' to read; -o names what is written", last);
    if (a->n_operands == 2 && !a->given[OPTION_OUTPUT] && ends_in_any(last, "pdf png tif tiff"))
        message("there is no '%s' to read; if it is to be written, -o names it", last);
    return EXIT_DONE;
}

static bool find_format(const char *list, struct platen_format *ret)
{
    size_t n = strcspn(list, ",");
    for (size_t i = 0; platen_format_at(i, ret); i++)
        if (strlen(ret->name) == n && !memcmp(ret->name, list, n))
            return true;
    return false;
}

/* How long the ending is by which a name tells the format; 0 = it does not. */
static size_t ending_of(const char *path, const struct platen_format *f)
{
    static const char *const also[][2] = {
        {"tiff", "tiff"}, {"htm", "html"}, {"jsonl", "ndjson"}, {"markdown", "md"}};
    for (size_t i = 0; i < sizeof(also) / sizeof(*also); i++)
        if (!strcmp(f->name, also[i][1]) && ends_in(path, also[i][0]))
            return strlen(also[i][0]);
    return ends_in(path, f->extension) ? strlen(f->extension) : 0;
}

/* The format that the name tells: of several endings the longest, as layout.txt. */
static bool format_of_name(const char *path, struct platen_format *ret)
{
    struct platen_format f = {.size = sizeof(f)};
    size_t longest = 0;
    for (size_t i = 0; platen_format_at(i, &f); i++)
        if (ending_of(path, &f) > longest) {
            longest = ending_of(path, &f);
            *ret = f;
        }
    return longest;
}

/* What follows the first name of a list of formats; NULL = nothing does. */
static const char *behind_comma(const char *list)
{
    const char *comma = strchr(list, ',');
    return comma ? comma + 1 : NULL;
}

/* What the file of defaults asks for counts where the pipeline has its stages. */
static bool fits(const char *formats, const struct platen_pipeline *p)
{
    struct platen_format f = {.size = sizeof(f)};
    for (const char *list = formats; list; list = behind_comma(list))
        if (find_format(list, &f) && f.stages > platen_pipeline_stages(p))
            return false;
    return true;
}

static int choose_formats(const struct arguments *a, const struct run_places *at,
                          const struct platen_pipeline *p, const char **ret)
{
    struct platen_format f = {.size = sizeof(f)};
    const char *given = a->value[OPTION_FORMAT], *path = a->value[OPTION_OUTPUT];
    *ret = given && fits(given, p) ? given : platen_pipeline_format(p);
    if (given && !a->configured[OPTION_FORMAT]) {
        *ret = given;
    } else if (path && !S_ISDIR(at->output)) {
        const char *instead = instead_of_file(path);
        if (format_of_name(path, &f))
            *ret = f.name;
        else if (instead)
            return fail_usage("'%s' is of a kind that platen does not write: %s", path, instead);
    }
    return EXIT_DONE;
}

/* Whether one of the formats is one of `wanted`: lists parted by commas. */
static bool has_format(const char *formats, const char *wanted)
{
    for (const char *f = formats; f; f = behind_comma(f))
        for (const char *w = wanted; w; w = behind_comma(w))
            if (strcspn(f, ",") == strcspn(w, ",") && !strncmp(f, w, strcspn(w, ",")))
                return true;
    return false;
}

/* What an option asks for is in no output: it was meant for other formats, or beside another
 * option. What the file of defaults asks for counts where it can. */
static int look_for_idle_options(const struct arguments *a, const char *formats)
{
    static const struct {
        enum option_id id;
        const char *formats;    /* one of which it is about; or NULL */
        enum option_id another; /* else beside which it counts */
    } bound[] = {
        {OPTION_CLEAN_PDF, "pdf", 0},
        {OPTION_PDFA, "pdf", 0},
        {OPTION_PAGE_SIZE, "pdf", 0},
        {OPTION_MARGINS, "pdf", 0},
        {OPTION_ALIGN, NULL, OPTION_PAGE_SIZE},
        {OPTION_TIMES, "json,ndjson", 0},
        {OPTION_SLIM, "json,ndjson", 0},
        {OPTION_JOIN_LINES, "txt,md,html", 0},
        {OPTION_RETRY_FATAL, NULL, OPTION_RESUME},
        {OPTION_FRAME_CHANGE, NULL, OPTION_FRAMES},
    };
    for (size_t i = 0; i < sizeof(bound) / sizeof(*bound); i++) {
        const char *name = option_table[bound[i].id].name;
        if (!a->given[bound[i].id] || a->configured[bound[i].id])
            continue;
        if (bound[i].formats && !has_format(formats, bound[i].formats))
            return fail_usage("--%s is about format %s, and what is written is %s", name,
                              bound[i].formats, formats);
        if (!bound[i].formats && !a->given[bound[i].another])
            return fail_usage("--%s is about --%s, which is not given", name,
                              option_table[bound[i].another].name);
    }
    return EXIT_DONE;
}

/* PATH is a directory when it is one, ends in a slash, or several files must go there and it does
 * not look like a file of the format. */
static bool wants_directory(const struct arguments *a, const struct run_places *at,
                            const char *path, const char *formats)
{
    struct platen_format f = {.size = sizeof(f)};
    size_t n = strlen(path);
    const bool stream = at->output && !S_ISREG(at->output); /* a pipe or a device */
    if (strchr(formats, ',') || S_ISDIR(at->output) || (n && path[n - 1] == '/'))
        return true;
    if (stream || (find_format(formats, &f) && ending_of(path, &f)))
        return false;
    return a->given[OPTION_FILES_FROM] || a->n_operands != 1 || S_ISDIR(at->input);
}

/* Returns the name of a document without the ending of a format in which it is written, which it
 * gets in any case. */
static const char *without_ending(const char *name, const char *formats)
{
    static char stem[NAME_MAX + 1];
    struct platen_format f = {.size = sizeof(f)};
    for (const char *list = formats; list; list = behind_comma(list)) {
        const size_t n = find_format(list, &f) ? ending_of(name, &f) : 0;
        if (n && strlen(name) - n <= sizeof(stem)) {
            snprintf(stem, sizeof(stem), "%.*s", (int)(strlen(name) - n - 1), name);
            return stem;
        }
    }
    return name;
}

/* A stream is one document of all inputs as it is. */
static int choose_document(const struct arguments *a, struct platen_options *o)
{
    const char *name = a->value[OPTION_JOIN];
    if (name && !o->output_dir)
        return fail_usage("--join=%s names a document in an output directory", name);
    if (a->given[OPTION_JOIN] && o->output_dir)
        o->join = name ? without_ending(name, o->formats) : "all";
    return EXIT_DONE;
}

/* Whether the name ends like a file of the format, be it by the last part of its extension alone,
 * as .png of .overlay.png. */
static bool is_named_like(const char *path, const struct platen_format *f)
{
    const char *dot = strrchr(f->extension, '.');
    return ending_of(path, f) || (dot && ends_in(path, dot + 1));
}

/* A name that tells a format is none of a directory, and what a document or a picture is called is
 * none of a text. */
static int check_name(const struct run_places *at, const char *path, const char *formats)
{
    struct platen_format named = {.size = sizeof(named)}, asked = {.size = sizeof(asked)};
    if (S_ISDIR(at->output) || !format_of_name(path, &named))
        return EXIT_DONE;
    if (strchr(formats, ','))
        return fail_usage("several formats need a directory, and '%s' is named like a file of one",
                          path);
    if (find_format(formats, &asked) && strcmp(asked.name, named.name) != 0 &&
        (asked.binary || named.binary) && !is_named_like(path, &asked))
        return fail_usage("'%s' is named like %s, and format %s is asked for", path, named.name,
                          asked.name);
    return EXIT_DONE;
}

static int choose_output(const struct arguments *a, const struct run_places *at,
                         struct platen_options *o)
{
    const char *path = a->given[OPTION_OUTPUT] ? a->value[OPTION_OUTPUT] : "-";
    struct platen_format f = {.size = sizeof(f)};
    if (!*path)
        return fail_usage("--output needs a name");
    if (check_name(at, path, o->formats))
        return EXIT_USAGE;
    if (!strcmp(path, "-")) {
        if (find_format(o->formats, &f) && f.binary && isatty(STDOUT_FILENO))
            return fail_usage("format '%s' is not for a terminal; name a file with -o", f.name);
    } else if (wants_directory(a, at, path, o->formats)) {
        o->output_dir = path;
    } else {
        o->output_file = path;
    }
    return choose_document(a, o);
}

/* Whether one of the formats is read again where it lies in a directory of inputs. */
static bool makes_inputs(const char *formats)
{
    struct platen_format f = {.size = sizeof(f)};
    for (const char *list = formats; list; list = behind_comma(list))
        if (find_format(list, &f) && f.binary)
            return true;
    return false;
}

/* PDFs and pictures that are written where the inputs lie are inputs of the next run. */
static void tell_of_mixing(const struct arguments *a, const struct platen_options *o)
{
    struct stat output, input;
    if (!o->output_dir || a->given[OPTION_QUIET] || !makes_inputs(o->formats) ||
        stat(o->output_dir, &output))
        return;
    for (int i = 0; i < a->n_operands; i++)
        if (!stat(a->operands[i], &input) && input.st_dev == output.st_dev &&
            input.st_ino == output.st_ino)
            message("'%s' is read and written: the next run there reads what this one writes",
                    a->operands[i]);
}

/* ---- the run ---- */

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
    message("%s", text);
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
    struct run_places at;
    platen_options_init(&o, sizeof(o));
    int status = look_at_places(a, &at);
    if (!status)
        status = choose_formats(a, &at, p, &o.formats);
    o.steps_dir = a->value[OPTION_STEPS_OUT];
    o.durable = a->given[OPTION_DURABLE];
    o.pipeline_file = a->value[OPTION_PIPELINE_FILE];
    o.manifest = a->value[OPTION_MANIFEST];
    o.pages = a->value[OPTION_PAGES];
    o.all_files = a->given[OPTION_ALL_FILES];
    o.tar = a->given[OPTION_TAR];
    if (a->given[OPTION_FRAMES])
        o.frames = a->value[OPTION_FRAMES] ? a->value[OPTION_FRAMES] : "auto";
    o.passed_over = a->value[OPTION_SKIPPED];
    o.resume = a->given[OPTION_RESUME];
    o.retry_fatal = a->given[OPTION_RETRY_FATAL];
    o.fail_fast = a->given[OPTION_FAIL_FAST];
    o.unordered = a->given[OPTION_UNORDERED];
    o.times = a->given[OPTION_TIMES];
    o.slim = a->given[OPTION_SLIM];
    o.clean_pdf = a->given[OPTION_CLEAN_PDF];
    o.pdfa = a->given[OPTION_PDFA];
    o.page_size = a->value[OPTION_PAGE_SIZE];
    o.margins = a->value[OPTION_MARGINS];
    o.align = a->value[OPTION_ALIGN];
    o.join_lines = a->given[OPTION_JOIN_LINES];
    o.ctx = &r;
    o.write = write_stdout;
    o.failure = on_failure;
    o.warning = on_warning;
    o.notice = on_notice;
    o.progress = on_progress;
    if (!status)
        status = look_at_last_operand(a);
    if (!status)
        status = read_job_options(a, &o);
    if (!status && !o.manifest)
        status = look_for_idle_options(a, o.formats);
    if (!status)
        status = choose_output(a, &at, &o);
    if (!status)
        tell_of_mixing(a, &o);
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
