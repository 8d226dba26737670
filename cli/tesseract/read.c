/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/tesseract/read.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/tesseract/osd.h"
#include "cli/tesseract/streams.h"
#include "cli/tesseract/tell.h"

#define EXIT_FAILED 1 /* of everything: tesseract has no other */

/* tesseract takes sides of at most 32767 px. */
#define MAX_PIXELS (32767ull * 32767)

/* ---- the pipeline ---- */

/* Of page segmentation mode 0 to 13. */
static const char *const pipelines[] = {
    "gray,square,invert:auto,orient | lines | ctc",
    "@document",
    "gray,square,invert:auto,deskew",
    "@document",
    "gray,square,invert:auto,orient,deskew | lines:columns=single | ctc",
    "@document",
    "gray,square,invert:auto,orient,deskew | lines:columns=single | ctc",
    "@line",
    "@line",
    "@document",
    "@line",
    "@document",
    "@document",
    "@line",
};

#define CHARS_BYTES 4096

/* The bytes of the UTF-8 character at s. */
static size_t char_bytes(const char *s)
{
    size_t n = 1;
    while (((unsigned char)s[n] & 0xc0) == 0x80)
        n++;
    return n;
}

static bool has_char(const char *list, const char *c, size_t n)
{
    for (; list && *list; list += char_bytes(list))
        if (char_bytes(list) == n && !memcmp(list, c, n))
            return true;
    return false;
}

/* Appends the characters of `list` that are not in `without`. '^' first, and '-' between others,
 * would mean something: '-' comes first, and '^' last. */
static bool add_chars(const char *list, const char *without, char ret[CHARS_BYTES])
{
    size_t n = strlen(ret);
    if (n + strlen(list) + 1 > CHARS_BYTES) {
        message("a list of characters is longer than %d bytes", CHARS_BYTES - 2);
        return false;
    }
    if (has_char(list, "-", 1) && !has_char(without, "-", 1))
        ret[n++] = '-';
    for (size_t k; *list; list += k) {
        k = char_bytes(list);
        if (*list == '^' || *list == '-' || has_char(without, list, k))
            continue;
        memcpy(ret + n, list, k);
        n += k;
    }
    ret[n] = 0;
    return true;
}

/* The set of characters that the lists leave: "" = all of them. */
static bool choose_chars(const char *white, const char *black, char ret[CHARS_BYTES])
{
    const bool any_white = white && *white, any_black = black && *black;
    const char *list = any_white ? white : black, *without = any_white ? black : NULL;
    strcpy(ret, any_white || !any_black ? "" : "^");
    if (!any_white && !any_black)
        return true;
    if (!add_chars(list, without, ret))
        return false;
    if (has_char(list, "^", 1) && !has_char(without, "^", 1))
        strcat(ret, "^"); /* there is room: it was left out of the list */
    if (!*ret)
        message("no character of tessedit_char_whitelist is left");
    return *ret;
}

static bool set_parameter(struct platen_pipeline *p, const char *name, const char *value)
{
    struct platen_error err;
    if (!platen_pipeline_set(p, name, value, &err))
        return true;
    message("%s", err.text);
    return false;
}

static bool set_parameters(const struct tess_request *r, const char *languages,
                           struct platen_pipeline *p)
{
    char chars[CHARS_BYTES];
    if (platen_pipeline_stages(p) < 3)
        return true;
    return choose_chars(r->whitelist, r->blacklist, chars) &&
           (!*chars || set_parameter(p, "chars", chars)) &&
           (!*languages || set_parameter(p, "lang", languages)) &&
           (!r->words || set_parameter(p, "words", r->words));
}

static struct platen_pipeline *make_pipeline(const struct tess_request *r)
{
    struct platen_error err;
    struct platen_pipeline *p = NULL;
    const char *text = pipelines[r->psm];
    char languages[TESS_MAX_LANGUAGES] = "";
    if (r->languages && !tess_languages_check(r->languages, languages))
        return NULL;
    if ((r->psm == 5 || r->psm == 9) && !r->quiet)
        message("page segmentation mode %d is read as mode 3", r->psm);
    if (platen_pipeline_parse(text, strlen(text), PLATEN_FORM_TEXT, &p, NULL, &err)) {
        message("%s", err.text);
        return NULL;
    }
    if (set_parameters(r, languages, p))
        return p;
    platen_pipeline_free(p);
    return NULL;
}

/* ---- the input ---- */

#ifdef HAS_TEE
/* Up to n bytes that come next from a pipe, and stay in it. */
static ssize_t peek_pipe(int fd, char *p, size_t n)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC))
        return -1;
    ssize_t k = tee(fd, ends[1], n, 0);
    k = k > 0 ? read(ends[0], p, (size_t)k) : k;
    close(ends[0]);
    close(ends[1]);
    return k;
}
#else
static ssize_t peek_pipe(int fd, char *p, size_t n)
{
    (void)fd, (void)p, (void)n;
    return -1;
}
#endif

/* Up to n bytes that come next, which are read again later. */
static ssize_t peek_stdin(char *p, size_t n)
{
    struct stat st;
    if (fstat(STDIN_FILENO, &st))
        return -1;
    if (S_ISREG(st.st_mode))
        return pread(STDIN_FILENO, p, n, lseek(STDIN_FILENO, 0, SEEK_CUR));
    return S_ISFIFO(st.st_mode) ? peek_pipe(STDIN_FILENO, p, n) : -1;
}

/* The same of a file. A pipe with a name loses its writer when it is opened and closed. */
static ssize_t peek_file(const char *path, char *p, size_t n)
{
    struct stat st;
    const bool is_file = !stat(path, &st) && S_ISREG(st.st_mode);
    const int fd = is_file ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
    const ssize_t k = fd < 0 ? -1 : pread(fd, p, n, 0);
    if (fd >= 0)
        close(fd);
    return k;
}

/* Whether the file, or standard input, is a list of pictures: its first line names a file. */
static bool is_list(const char *path)
{
    char line[4096];
    const ssize_t n = strcmp(path, "-") ? peek_file(path, line, sizeof(line) - 1)
                                        : peek_stdin(line, sizeof(line) - 1);
    if (n <= 0)
        return false;
    line[n] = 0;
    line[strcspn(line, "\r\n")] = 0;
    const char *name = line + utf8_mark(line);
    return *name && !access(name, R_OK);
}

/* platen would read all pages below it, which no caller of tesseract means. */
static platen_status refuse_directory(const char *path, struct platen_error *err)
{
    struct stat st;
    if (!strcmp(path, "-") || stat(path, &st) || !S_ISDIR(st.st_mode))
        return PLATEN_OK;
    err->code = PLATEN_ERR_IO;
    err->os_errno = EISDIR;
    snprintf(err->text, sizeof(err->text), "unable to read '%s': %s", path, strerror(EISDIR));
    return PLATEN_ERR_IO;
}

static platen_status add_input(struct platen_job *job, const char *path, struct platen_error *err)
{
    if (refuse_directory(path, err))
        return PLATEN_ERR_IO;
    return is_list(path) ? platen_job_add_list(job, path, false, err)
                         : platen_job_add(job, path, err);
}

/* ---- the run ---- */

/* Callers that know tesseract go on with an empty page where it says these three words, and give up
 * the document for any other error. */
static void on_failure(void *ctx, platen_status why, const char *text)
{
    (void)ctx;
    message("%s", text);
    if (why == PLATEN_ERR_LIMIT)
        message("Image too large");
}

static void on_warning(void *ctx, const struct platen_warning *w)
{
    (void)ctx;
    message("%s", w->text);
}

/* As many threads as OpenMP would give tesseract; 0 = as many as there are cores. */
static int read_thread_limit(void)
{
    const char *text = getenv("OMP_THREAD_LIMIT");
    const long n = text ? strtol(text, NULL, 10) : 0;
    return n < 1 ? 0 : n > PLATEN_MAX_THREADS ? PLATEN_MAX_THREADS : (int)n;
}

static void init_options(const struct tess_request *r, struct platen_options *o)
{
    platen_options_init(o, sizeof(*o));
    o->threads = read_thread_limit();
    o->isa = getenv("PLATEN_ISA");
    o->models = getenv("PLATEN_MODELS");
    o->dpi = r->dpi;
    o->max_pixels = MAX_PIXELS;
    o->failure = on_failure;
    o->warning = r->quiet ? NULL : on_warning;
}

static int run_job(const struct tess_request *r, const struct platen_pipeline *p,
                   const struct platen_options *o)
{
    struct platen_error err;
    struct platen_summary sum = {.size = sizeof(sum)};
    struct platen_job *job = NULL;
    platen_status s = platen_job_new(p, o, &job, &err);
    s = s ? s : add_input(job, r->image, &err);
    s = s ? s : platen_sandbox_enter(job, PLATEN_SANDBOX_AUTO, NULL, &err);
    s = s ? s : platen_job_run(job, &sum, &err);
    platen_job_free(job);
    if (s)
        message("%s", err.text);
    else if (!sum.pages)
        message("no pages to read");
    const bool failed = s || sum.failed || sum.damaged || !sum.pages;
    if (failed)
        message("Error during processing.");
    return failed ? EXIT_FAILED : EXIT_DONE;
}

static int read_pages(const struct tess_request *r, const struct platen_pipeline *p,
                      struct platen_options *o)
{
    struct tess_streams streams;
    int status = EXIT_FAILED;
    if (tess_streams_open(&streams, r)) {
        o->formats = streams.formats;
        o->write_format = tess_streams_write;
        o->ctx = &streams;
        status = run_job(r, p, o);
    }
    return tess_streams_close(&streams, status != EXIT_DONE) ? status : EXIT_FAILED;
}

static int read_orientation(const struct tess_request *r, const struct platen_pipeline *p,
                            struct platen_options *o)
{
    struct tess_osd osd = {.fd = r->psm == 0 ? tess_open_osd(r) : STDOUT_FILENO};
    if (osd.fd < 0)
        return EXIT_FAILED;
    o->page = r->psm == 0 ? tess_osd_page : tess_skew_page;
    o->ctx = &osd;
    const int status = run_job(r, p, o);
    return tess_osd_end(&osd) ? status : EXIT_FAILED;
}

static void tell_idle(const struct tess_request *r)
{
    char text[512];
    size_t n = 0;
    for (size_t i = 0; i < r->n_idle && n < sizeof(text); i++)
        n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%.*s", i ? ", " : "",
                              (int)strcspn(r->idle[i], "="), r->idle[i]);
    if (n && !r->quiet)
        message("settings that change nothing here: %s", text);
}

/* tesseract reads the zones of NAME.uzn in the place of its own search for blocks, in all modes but
 * those that find columns. */
static void tell_zones(const struct tess_request *r)
{
    const char *slash = strrchr(r->image, '/'), *dot = strrchr(slash ? slash : r->image, '.');
    const size_t n = dot ? (size_t)(dot - r->image) : strlen(r->image);
    char path[PATH_MAX];
    if (r->psm >= 4 && !r->quiet &&
        (size_t)snprintf(path, sizeof(path), "%.*s.uzn", (int)n, r->image) < sizeof(path) &&
        !access(path, F_OK))
        message("zones are not read, but all of the picture: %s", path);
}

int tess_read(const struct tess_request *r)
{
    struct platen_options o;
    struct platen_pipeline *p = make_pipeline(r);
    char page[16];
    if (!p)
        return EXIT_FAILED;
    tell_idle(r);
    tell_zones(r);
    init_options(r, &o);
    snprintf(page, sizeof(page), "%d", r->page);
    o.pages = r->page ? page : NULL;
    const int status =
        r->psm == 0 || r->psm == 2 ? read_orientation(r, p, &o) : read_pages(r, p, &o);
    platen_pipeline_free(p);
    return status;
}
