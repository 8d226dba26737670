/* SPDX-License-Identifier: BSD-2-Clause */
/* The helper that starts the programs which render pages, and the watchers of single pages. Nothing
 * here allocates: the process may have been forked from one with threads. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/inherited.h"
#include "base/landlock.h"
#include "base/sandbox.h"
#include "base/system.h"
#include "codec/render/renderer.h"

#define MAX_BYTES ((rlim_t)4 << 30) /* of addresses of the program */
#define MAX_FILES 64                /* open at once */

static void limit(int what, rlim_t most)
{
    struct rlimit l;
    if (getrlimit(what, &l))
        return;
    l.rlim_cur = l.rlim_max = PL_MIN(l.rlim_max, most);
    setrlimit(what, &l);
}

static void set_limits(const struct pl_render_order *o)
{
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, o->max_bytes);
    limit(RLIMIT_CPU, (rlim_t)o->time_ms / 1000 + 1);
    limit(RLIMIT_NOFILE, MAX_FILES);
    if (pl_sandbox_built()) /* a sanitizer's addresses are many */
        limit(RLIMIT_AS, MAX_BYTES);
}

/* The program can read and run what the system has, and its own folder; it can write nothing but
 * its picture, and reach no network. */
static bool enter_sandbox(const char *program)
{
    static const char *const open_to_all[] = {
        "/usr", "/lib", "/lib64", "/bin", "/etc", "/opt", "/nix", "/gnu", "/var/cache/fontconfig"};
    const int abi = pl_sandbox_built() ? pl_landlock_abi() : 0;
    char folder[PL_RENDERER_PATH];
    memcpy(folder, program, sizeof(folder));
    char *slash = strrchr(folder, '/');
    if (!abi)
        return true;
    if (slash)
        slash[1] = '\0';
    const int rules = pl_landlock_new(abi);
    bool good = rules >= 0 && pl_landlock_add(rules, abi, slash ? folder : ".", PL_LANDLOCK_RUN) &&
                pl_landlock_add(rules, abi, "/dev/null", PL_LANDLOCK_WRITE);
    for (size_t i = 0; good && i < PL_ARRAY_LEN(open_to_all); i++)
        good = pl_landlock_add(rules, abi, open_to_all[i], PL_LANDLOCK_RUN);
    return good && pl_landlock_enter(rules);
}

#define MAX_ARGUMENTS 16

static void add_arguments(const char *ret[MAX_ARGUMENTS], int *n, const char *const *from)
{
    while (*from)
        ret[(*n)++] = *from++;
}

/* Fills in what the program is called with; ret ends in NULL. */
static void make_arguments(const struct pl_render_kit *kit, const struct pl_render_order *o,
                           const char *ret[MAX_ARGUMENTS])
{
    static char program[PL_RENDERER_PATH], dpi[32], page[16], page_is[16 + 6];
    const char *const document = "/dev/fd/0";
    const char *const pdftoppm[] = {"-q", "-r", dpi, "-f", page, "-l", page, "-cropbox", NULL};
    const char *const mutool[] = {"draw", "-q", "-r", dpi, "-o", "-", "-F", NULL};
    int n = 0;
    memcpy(program, kit->programs[o->kind], sizeof(program));
    snprintf(dpi, sizeof(dpi), "%.8g", o->dpi);
    snprintf(page, sizeof(page), "%d", o->page);
    snprintf(page_is, sizeof(page_is), "-page=%d", o->page);
    ret[n++] = program;
    if (o->kind == PL_RENDER_DJVU) {
        ret[n++] = o->gray ? "-format=pgm" : "-format=ppm";
        ret[n++] = page_is;
    } else if (kit->mutool) {
        add_arguments(ret, &n, mutool);
        ret[n++] = o->gray ? "pgm" : "ppm";
    } else {
        add_arguments(ret, &n, pdftoppm);
        if (o->gray)
            ret[n++] = "-gray";
    }
    ret[n++] = document;
    if (o->kind == PL_RENDER_DJVU)
        ret[n++] = "-";
    else if (kit->mutool)
        ret[n++] = page;
    ret[n] = NULL;
}

/* The document is standard input, the picture standard output. */
static _Noreturn void run_program(const struct pl_render_kit *kit, const struct pl_render_order *o,
                                  const int *fds)
{
    static char path[] = "PATH=/usr/local/bin:/usr/bin:/bin", locale[] = "LC_ALL=C.UTF-8";
    char *const environment[] = {path, locale, NULL};
    const char *arguments[MAX_ARGUMENTS];
    const int null = open("/dev/null", O_WRONLY);
    make_arguments(kit, o, arguments);
    setsid();
    pl_system_end_with_parent();
    if (null < 0 || dup2(fds[PL_RENDER_DOCUMENT], 0) < 0 || dup2(fds[PL_RENDER_PICTURE], 1) < 0 ||
        dup2(null, 2) < 0)
        _exit(EXIT_FAILURE);
    pl_system_close_range(3, INT_MAX);
    set_limits(o);
    if (kit->sandbox && !enter_sandbox(kit->programs[o->kind]))
        _exit(EXIT_FAILURE);
    execve(arguments[0], (char *const *)(uintptr_t)arguments, environment);
    _exit(EXIT_FAILURE);
}

static int child_ended[2]; /* a pipe of the watcher */

static void on_child(int number)
{
    const int kept = errno;
    const ssize_t n = write(child_ended[1], "", 1);
    (void)number;
    (void)n;
    errno = kept;
}

/* Waits for the end of the program, of its time, or of the wish for its picture. */
static enum pl_render_end watch(pid_t pid, const struct pl_render_order *o, int answer)
{
    int status = 0;
    struct pollfd fds[] = {{child_ended[0], POLLIN, 0}, {answer, 0, 0}};
    int n;
    while ((n = poll(fds, 2, o->time_ms)) < 0 && errno == EINTR)
        continue;
    const bool ended = n > 0 && fds[0].revents;
    if (!ended)
        kill(pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    kill(-pid, SIGKILL); /* what it may have started */
    if (!ended)
        return n ? PL_RENDER_NOT_RUN : PL_RENDER_LATE;
    return WIFEXITED(status) && !WEXITSTATUS(status) ? PL_RENDER_DONE : PL_RENDER_FAILED;
}

static _Noreturn void render(const struct pl_render_kit *kit, const struct pl_render_order *o,
                             const int *fds)
{
    pid_t pid = -1;
    if (pl_system_pipe(child_ended)) {
        signal(SIGCHLD, on_child);
        pid = fork();
    }
    if (!pid)
        run_program(kit, o, fds);
    const unsigned char end =
        (unsigned char)(pid < 0 ? PL_RENDER_NOT_RUN : watch(pid, o, fds[PL_RENDER_ANSWER]));
    _exit(write(fds[PL_RENDER_ANSWER], &end, 1) == 1 ? EXIT_SUCCESS : EXIT_FAILURE);
}

static bool receive(int control, struct pl_render_order *ret, int *ret_fds)
{
    struct iovec io = {ret, sizeof(*ret)};
    union {
        char bytes[CMSG_SPACE(PL_RENDER_FDS * sizeof(int))];
        struct cmsghdr align;
    } room;
    struct msghdr m = {.msg_iov = &io,
                       .msg_iovlen = 1,
                       .msg_control = room.bytes,
                       .msg_controllen = sizeof(room.bytes)};
    ssize_t n;
    while ((n = recvmsg(control, &m, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR)
        continue;
    struct cmsghdr *c = n == (ssize_t)sizeof(*ret) ? CMSG_FIRSTHDR(&m) : NULL;
    if (!c || c->cmsg_type != SCM_RIGHTS || c->cmsg_len != CMSG_LEN(PL_RENDER_FDS * sizeof(int)))
        return false;
    memcpy(ret_fds, CMSG_DATA(c), PL_RENDER_FDS * sizeof(int));
    return true;
}

/* A terminal's signals are for the process that has the pages; it ends this one by leaving. */
static void settle_signals(void)
{
    static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGCHLD};
    for (size_t i = 0; i < PL_ARRAY_LEN(ignored); i++)
        signal(ignored[i], SIG_IGN);
}

_Noreturn void pl_renderer_helper(const struct pl_render_kit *kit, int control)
{
    struct pl_render_order o;
    int fds[PL_RENDER_FDS];
    settle_signals();
    pl_close_all_but(&control, 1);
    while (receive(control, &o, fds)) {
        if (!fork()) {
            close(control);
            render(kit, &o, fds);
        }
        for (int i = 0; i < PL_RENDER_FDS; i++)
            close(fds[i]);
    }
    _exit(EXIT_SUCCESS);
}
