/* SPDX-License-Identifier: BSD-2-Clause */
/* The programs that render pages, seen from the process that asks for them. */
#include "codec/render/renderer.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/system.h"

#define PAGE_MS 60000    /* that a page may take */
#define HEAD_BYTES 4096u /* of a picture, beside its pixels */
#define POLL_MS 200      /* between checks of whether the page was canceled */

/* There is one helper for the whole process. */
static struct {
    int control; /* -1 = not running */
    pid_t helper;
    struct pl_render_kit kit;
    pthread_mutex_t ordering; /* of the control channel */
} renderer = {.control = -1, .ordering = PTHREAD_MUTEX_INITIALIZER};

/* The document whose page was asked for last, in a memory file that nobody can change: its pages
 * share it. */
static struct {
    int fd; /* -1 = none yet */
    const uint8_t *at;
    size_t n;
    pthread_mutex_t lock;
} document = {.fd = -1, .lock = PTHREAD_MUTEX_INITIALIZER};

bool pl_renderer_has(enum pl_render_kind kind)
{
    return renderer.control >= 0 && renderer.kit.programs[kind][0];
}

/* ---- the program ---- */

/* Puts the first file of that name that can be run into ret. */
static bool find_in_path(const char *name, char ret[PL_RENDERER_PATH])
{
    const char *path = getenv("PATH");
    const size_t length = strlen(name);
    if (strchr(name, '/'))
        return snprintf(ret, PL_RENDERER_PATH, "%s", name) < PL_RENDERER_PATH && !access(ret, X_OK);
    for (path = path ? path : ""; *path; path += strspn(path, ":")) {
        const size_t n = strcspn(path, ":");
        if (*path == '/' && n + length + 2 <= PL_RENDERER_PATH) {
            memcpy(ret, path, n);
            ret[n] = '/';
            memcpy(ret + n + 1, name, length + 1);
            if (!access(ret, X_OK))
                return true;
        }
        path += n;
    }
    return false;
}

static bool is_mutool(const char *program)
{
    const char *slash = strrchr(program, '/');
    return !strcmp(slash ? slash + 1 : program, "mutool");
}

/* Finds the programs. */
static platen_status choose_programs(const char *program, struct pl_render_kit *ret,
                                     struct platen_error *err)
{
    char *const pdf = ret->programs[PL_RENDER_PDF], *const djvu = ret->programs[PL_RENDER_DJVU];
    const bool any = !strcmp(program, "auto");
    bool found = find_in_path(any ? "pdftoppm" : program, pdf);
    if (!found && any)
        found = find_in_path("mutool", pdf);
    if (!found && !any)
        return pl_fail(err, PLATEN_ERR_ARG, "no program '%.200s' that renders pages", program);
    if (!found)
        pdf[0] = '\0';
    if (!find_in_path("ddjvu", djvu))
        djvu[0] = '\0';
    ret->mutool = found && is_mutool(pdf);
    return PLATEN_OK;
}

platen_status pl_renderer_start(const char *program, bool sandbox, struct platen_error *err)
{
    int pair[2];
    renderer.kit.sandbox = sandbox;
    platen_status s = choose_programs(program, &renderer.kit, err);
    if (s ||
        (!renderer.kit.programs[PL_RENDER_PDF][0] && !renderer.kit.programs[PL_RENDER_DJVU][0]))
        return s;
    if (!pl_system_channel(pair))
        return pl_fail_errno(err, PLATEN_ERR_INTERNAL, "unable to make a channel");
    renderer.helper = fork();
    if (!renderer.helper) {
        close(pair[0]);
        pl_renderer_helper(&renderer.kit, pair[1]);
    }
    close(pair[1]);
    if (renderer.helper > 0) {
        renderer.control = pair[0];
        return PLATEN_OK;
    }
    s = pl_fail_errno(err, PLATEN_ERR_INTERNAL, "unable to begin a process");
    close(pair[0]);
    return s;
}

static void forget_document(void)
{
    if (document.at)
        munmap((void *)(uintptr_t)document.at, document.n);
    if (document.fd >= 0)
        close(document.fd);
    document.at = NULL;
    document.fd = -1;
}

void pl_renderer_stop(void)
{
    if (renderer.control < 0)
        return;
    forget_document();
    shutdown(renderer.control, SHUT_RDWR); /* also for a helper that could not close this end */
    close(renderer.control);
    renderer.control = -1;
    while (waitpid(renderer.helper, NULL, 0) < 0 && errno == EINTR)
        continue;
}

/* ---- one page ---- */

struct rendering {
    const struct pl_source *src;
    const char *program;
    int fds[PL_RENDER_FDS]; /* -1 = none */
    int answer;             /* where it comes, or -1 */
};

static void close_fd(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static bool put_bytes(int fd, const uint8_t *data, size_t n)
{
    while (n) {
        ssize_t k = write(fd, data, PL_MIN(n, (size_t)1 << 30));
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0)
            return false;
        data += k;
        n -= (size_t)k;
    }
    return !lseek(fd, 0, SEEK_SET);
}

/* Copies the document into a memory file: what has only its bytes cannot name its file. */
static bool put_document(const uint8_t *data, size_t n)
{
    forget_document();
    document.fd = pl_system_file("document");
    if (document.fd < 0 || !put_bytes(document.fd, data, n) || !pl_system_keep_content(document.fd))
        return false;
    void *at = mmap(NULL, n, PROT_READ, MAP_PRIVATE, document.fd, 0);
    document.at = at == MAP_FAILED ? NULL : at;
    document.n = n;
    return document.at;
}

/* A descriptor of the document; -1 = it cannot be made. */
static int open_document(const uint8_t *data, size_t n)
{
    pthread_mutex_lock(&document.lock);
    const bool there = document.at && document.n == n && !memcmp(document.at, data, n);
    const int fd = there || put_document(data, n) ? fcntl(document.fd, F_DUPFD_CLOEXEC, 0) : -1;
    pthread_mutex_unlock(&document.lock);
    return fd;
}

static platen_status open_files(struct rendering *r, struct platen_error *err)
{
    int ends[2];
    r->fds[PL_RENDER_PICTURE] = pl_system_file("picture");
    if (r->fds[PL_RENDER_PICTURE] < 0 || !pl_system_pipe(ends))
        return pl_fail_errno(err, PLATEN_ERR_INTERNAL, "unable to render the page");
    r->answer = ends[0];
    r->fds[PL_RENDER_ANSWER] = ends[1];
    r->fds[PL_RENDER_DOCUMENT] = open_document(r->src->data, r->src->n);
    return r->fds[PL_RENDER_DOCUMENT] >= 0
               ? PLATEN_OK
               : pl_fail_nomem(err, r->src->n, "a document that is rendered");
}

static bool send_order(struct rendering *r, const struct pl_render_order *o)
{
    struct iovec io = {(void *)(uintptr_t)o, sizeof(*o)};
    union {
        char bytes[CMSG_SPACE(sizeof(r->fds))];
        struct cmsghdr align;
    } room = {{0}};
    struct msghdr m = {.msg_iov = &io,
                       .msg_iovlen = 1,
                       .msg_control = room.bytes,
                       .msg_controllen = sizeof(room.bytes)};
    *CMSG_FIRSTHDR(&m) = (struct cmsghdr){
        .cmsg_len = CMSG_LEN(sizeof(r->fds)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
    memcpy(CMSG_DATA(CMSG_FIRSTHDR(&m)), r->fds, sizeof(r->fds));
    pthread_mutex_lock(&renderer.ordering);
    const bool sent = sendmsg(renderer.control, &m, MSG_NOSIGNAL) == (ssize_t)sizeof(*o);
    pthread_mutex_unlock(&renderer.ordering);
    return sent;
}

/* Waits for the watcher's answer. The watcher keeps the time, and ends the program when nobody
 * listens any more. */
static platen_status wait_for_answer(struct rendering *r, struct platen_error *err)
{
    struct pollfd fd = {r->answer, POLLIN, 0};
    unsigned char end = PL_RENDER_NOT_RUN;
    while (poll(&fd, 1, POLL_MS) <= 0) {
        platen_status s = pl_env_check(r->src->env, err);
        if (s)
            return s;
    }
    if (read(r->answer, &end, 1) != 1)
        end = PL_RENDER_NOT_RUN;
    switch (end) {
    case PL_RENDER_DONE:
        return PLATEN_OK;
    case PL_RENDER_LATE:
        return pl_fail(err, PLATEN_ERR_LIMIT, "%s took longer than %d s for the drawn page",
                       r->program, PAGE_MS / 1000);
    case PL_RENDER_FAILED:
        return pl_fail(err, PLATEN_ERR_FORMAT, "%s makes no picture of the drawn page", r->program);
    default:
        return pl_fail(err, PLATEN_ERR_INTERNAL, "unable to run %s for the drawn page", r->program);
    }
}

/* Decodes what the program wrote, as a picture from a stranger. */
static platen_status take_picture(struct rendering *r, struct pl_image *ret,
                                  struct platen_error *err)
{
    const int fd = r->fds[PL_RENDER_PICTURE];
    const off_t n = lseek(fd, 0, SEEK_END);
    struct pl_decoded d = {0};
    void *at = n > 0 ? mmap(NULL, (size_t)n, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    if (at == MAP_FAILED)
        return pl_fail(err, PLATEN_ERR_FORMAT, "%s makes no picture of the drawn page", r->program);
    struct pl_load_options opt = *r->src->opt;
    opt.page = 0;
    opt.mapped = false;
    const struct pl_source src = {.env = r->src->env, .data = at, .n = (size_t)n, .opt = &opt};
    platen_status s = pl_pnm_decode(&src, &d, err);
    munmap(at, (size_t)n);
    if (s)
        return pl_fail_prefix(err, s, "the picture of the drawn page: ");
    *ret = d.image;
    return PLATEN_OK;
}

platen_status pl_renderer_load(enum pl_render_kind kind, const struct pl_source *src, double dpi,
                               struct pl_image *ret, struct platen_error *err)
{
    struct rendering r = {
        .src = src, .program = renderer.kit.programs[kind], .fds = {-1, -1, -1}, .answer = -1};
    const struct pl_render_order order = {.kind = kind,
                                          .page = PL_MAX(src->opt->page, 1),
                                          .dpi = dpi,
                                          .gray = src->opt->gray,
                                          .max_bytes = 3 * src->opt->max_pixels + HEAD_BYTES,
                                          .time_ms = PAGE_MS};
    platen_status s = open_files(&r, err);
    if (!s && !send_order(&r, &order))
        s = pl_fail(err, PLATEN_ERR_INTERNAL, "the helper that renders pages is gone");
    close_fd(&r.fds[PL_RENDER_ANSWER]); /* so that the pipe ends with its watcher */
    s = s ? s : wait_for_answer(&r, err);
    s = s ? s : take_picture(&r, ret, err);
    close_fd(&r.answer);
    close_fd(&r.fds[PL_RENDER_DOCUMENT]);
    close_fd(&r.fds[PL_RENDER_PICTURE]);
    return s;
}
