/* SPDX-License-Identifier: BSD-2-Clause */
/* What a job may still do inside its sandbox, tried from there: in a process of its own, from the
 * main thread, from the threads of the job and from one made later. */
#include <check.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/landlock.h"
#include "base/sandbox.h"
#include "base/seccomp.h"
#include "platen.h"
#include "tests/unit/suite.h"

#define PAGES 24

static char dir[] = "/tmp/platen-sandbox-XXXXXX";
static int sockets[2]; /* made before */
static int inet_fd;

static const char *in_dir(const char *name)
{
    static __thread char paths[4][160];
    static __thread unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof(paths[0]), "%s/%s", dir, name);
    return path;
}

static void put(const char *name, const char *data, size_t n)
{
    int fd = open(in_dir(name), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    ck_assert(fd >= 0 && write(fd, data, n) == (ssize_t)n && !close(fd));
}

#ifdef __x86_64__
static bool has_i386_calls; /* that processes of 64 bits can make: not every kernel has them */

static long i386_getpid(void)
{
    long r = 20;
    __asm__ volatile("int $0x80" : "+a"(r) : : "memory", "r8", "r9", "r10", "r11");
    return r;
}

/* Where the kernel has no such calls, the process that tries one is ended by a signal. */
static void find_i386_calls(void)
{
    int status;
    const pid_t pid = fork();
    if (!pid)
        _exit(i386_getpid() != getpid());
    ck_assert(pid > 0 && waitpid(pid, &status, 0) == pid);
    has_i386_calls = WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
#endif

static void setup(void)
{
    static const char page[] = "P5 4 4 255\nabcdefghijklmnop";
    static const char *const dirs[] = {"in", "out", "other", "steps", "out/sub"};
    char name[32];
    strcpy(dir + sizeof(dir) - 7, "XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(dir));
    for (size_t i = 0; i < PL_ARRAY_LEN(dirs); i++)
        ck_assert(!mkdir(in_dir(dirs[i]), 0777));
    for (int i = 0; i < PAGES; i++) {
        snprintf(name, sizeof(name), "in/%d.pgm", i);
        put(name, page, sizeof(page) - 1);
    }
    put("other/old", "old", 3);
    put("other/page.pgm", page, sizeof(page) - 1);
    ck_assert(!symlink("../other/page.pgm", in_dir("in/link.pgm")));
    ck_assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, sockets));
    inet_fd = socket(AF_INET, SOCK_STREAM, 0);
    ck_assert_int_ge(inet_fd, 0);
#ifdef __x86_64__
    find_i386_calls();
#endif
}

static void teardown(void)
{
    char command[64];
    snprintf(command, sizeof(command), "rm -rf %s", dir);
    ck_assert_int_eq(system(command), 0);
}

/* errno of a call that returned r, and what it opened closed; 0 = it was done. */
static int errno_of(long r)
{
    return r < 0 ? errno : 0;
}

static int opened(const char *name, int flags)
{
    int fd = open(in_dir(name), flags, 0666), e = errno_of(fd);
    if (fd >= 0)
        close(fd);
    return e;
}

static int mapped(void)
{
    void *p = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? errno : 0;
}

static int protected(void)
{
    void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? -1 : errno_of(mprotect(p, 4096, PROT_READ | PROT_EXEC));
}

/* A child that comes into being ends at once. */
static int forked(long pid)
{
    if (!pid)
        _exit(0);
    return errno_of(pid);
}

static int connected(int fd)
{
    const struct sockaddr_un a = {.sun_family = AF_UNIX, .sun_path = "/tmp/x"};
    return errno_of(connect(fd, (const struct sockaddr *)&a, sizeof(a)));
}

static int executed(void)
{
    char *const words[] = {(char *)"true", NULL};
    return errno_of(execve("/bin/true", words, NULL));
}

/* Says what is not as it should be, for any thread of any process. */
static bool is(const char *what, int got, int want)
{
    if (got != want)
        fprintf(stderr, "# %s: %s, not %s\n", what,
                strerrorname_np(got) ? strerrorname_np(got) : "?",
                strerrorname_np(want) ? strerrorname_np(want) : "done");
    return got == want;
}

#define IS(call, want) good = is(#call, call, want) && good

static bool files_are_guarded(int abi)
{
    bool good = true;
    IS(opened("other/new", O_WRONLY | O_CREAT), EACCES);
    IS(opened("other/old", O_WRONLY), EACCES);
    IS(opened("other/old", O_RDONLY), EACCES);
    IS(opened("in/new", O_WRONLY | O_CREAT), EACCES);
    IS(opened("in/0.pgm", O_WRONLY), EACCES);
    IS(opened("in/0.pgm", O_RDONLY), 0);
    IS(opened("in/link.pgm", O_RDONLY), 0);
    IS(opened("out/mine", O_RDWR | O_CREAT), 0);
    IS(opened("out/mine", O_WRONLY | O_TRUNC), 0);
    IS(errno_of(unlink(in_dir("other/old"))), EACCES);
    IS(errno_of(mkdir(in_dir("other/dir"), 0777)), EACCES);
    IS(errno_of(symlink("x", in_dir("out/link"))), EACCES);
    IS(errno_of(mknod(in_dir("out/fifo"), S_IFIFO | 0666, 0)), EACCES);
    IS(errno_of(rename(in_dir("out/mine"), in_dir("in/mine"))), EACCES);
    IS(errno_of(rename(in_dir("out/mine"), in_dir("out/sub/mine"))), EXDEV);
    if (abi >= 3)
        IS(errno_of(truncate(in_dir("other/old"), 0)), EACCES);
    if (abi >= 6)
        IS(errno_of(kill(getppid(), 0)), EPERM);
    return good;
}

static bool calls_are_refused(void)
{
    bool good = true;
    struct winsize paper[1];
    IS(executed(), EPERM);
    IS(forked(fork()), EPERM);
    IS(forked(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)), EPERM);
    IS(forked(syscall(435, NULL, 0)), ENOSYS);
#ifdef SYS_fork
    IS(forked(syscall(SYS_fork)), EPERM);
#endif
    IS(errno_of(socket(AF_INET, SOCK_STREAM, 0)), EPERM);
    IS(errno_of(socket(AF_UNIX, SOCK_STREAM, 0)), EPERM);
    IS(connected(sockets[0]), EPERM);
    IS(connected(inet_fd), EPERM);
    IS(errno_of(listen(inet_fd, 1)), EPERM);
    IS(errno_of(ioctl(sockets[0], TIOCSTI, "x")), EPERM);
    IS(errno_of(ioctl(sockets[0], TIOCLINUX, "\3")), EPERM);
    IS(errno_of(ioctl(sockets[0], TIOCGWINSZ, paper)), ENOTTY);
    IS(mapped(), EPERM);
    IS(protected(), EPERM);
    IS(errno_of(ptrace(PTRACE_ATTACH, getppid(), NULL, NULL)), EPERM);
    IS(errno_of(syscall(SYS_process_vm_readv, getppid(), NULL, 0, NULL, 0, 0)), EPERM);
    IS(errno_of(mount("none", dir, "tmpfs", 0, NULL)), EPERM);
    IS(errno_of(syscall(SYS_bpf, 0, NULL, 0)), EPERM);
    IS(errno_of(syscall(SYS_userfaultfd, 0)), EPERM);
    IS(errno_of(syscall(425, 1, NULL)), EPERM);
    IS(errno_of(syscall(SYS_keyctl, 0, 0, 0, 0, 0)), EPERM);
    IS(errno_of(syscall(SYS_perf_event_open, NULL, 0, 0, -1, 0)), EPERM);
    IS(errno_of(unshare(CLONE_NEWUSER)), EPERM);
    IS(errno_of(setns(0, 0)), EPERM);
    IS(errno_of(personality(0xffffffff)), EPERM);
#ifdef __x86_64__
    IS(errno_of(syscall(0x40000000 | SYS_getpid)), EPERM);
    if (has_i386_calls)
        IS((int)-i386_getpid(), EPERM);
#endif
    return good;
}

static void *try_all(void *ctx)
{
    int abi = pl_sandbox_landlock();
    bool good = files_are_guarded(abi);
    good = calls_are_refused() && good;
    *(bool *)ctx = good;
    return NULL;
}

static void on_page(void *ctx, const struct platen_progress *now)
{
    bool good;
    (void)now;
    try_all(&good);
    *(bool *)ctx = *(bool *)ctx && good;
}

static void on_failure(void *ctx, platen_status why, const char *message)
{
    (void)why;
    *(bool *)ctx = false;
    fprintf(stderr, "# %s\n", message);
}

static bool later_thread(void)
{
    pthread_t thread;
    bool good = false;
    return !pthread_create(&thread, NULL, try_all, &good) && !pthread_join(thread, NULL) && good;
}

enum { RAN_WELL = 0, RAN_BADLY = 1 };

/* In a process of its own: its exit status. */
static int run_job(int threads)
{
    bool good = true, here = false;
    struct platen_options o;
    struct platen_pipeline *p;
    struct platen_job *job;
    struct platen_summary sum = {.size = sizeof(sum)};
    struct platen_error err;
    platen_options_init(&o, sizeof(o));
    o.threads = threads;
    o.formats = "pnm,png";
    o.output_dir = strdup(in_dir("out")); /* for as long as the process */
    o.steps_dir = strdup(in_dir("made/steps"));
    o.ctx = &good;
    o.unordered = true;
    o.progress = on_page;
    o.failure = on_failure;
    if (platen_pipeline_parse("gray", 4, PLATEN_FORM_TEXT, &p, NULL, &err) ||
        platen_job_new(p, &o, &job, &err) || platen_job_add(job, in_dir("in"), &err))
        return RAN_BADLY;
    platen_status s = platen_sandbox_enter(job, PLATEN_SANDBOX_REQUIRE, in_dir("out/x"), &err);
    if (s || !strstr(platen_sandbox_in_force(), "seccomp"))
        return RAN_BADLY;
    s = platen_job_run(job, &sum, &err);
    try_all(&here);
    if (s || sum.done != PAGES + 1)
        fprintf(stderr, "# status %d, %zu pages, %s\n", s, sum.done, s ? err.text : "");
    return s || sum.done != PAGES + 1 || !good || !here || !later_thread();
}

static int in_child(int (*fn)(int), int arg)
{
    int status;
    pid_t pid = fork();
    if (!pid)
        _exit(fn(arg));
    ck_assert(pid > 0 && waitpid(pid, &status, 0) == pid);
    ck_assert_msg(WIFEXITED(status), "signal %d", WTERMSIG(status));
    return WEXITSTATUS(status);
}

static void check_job(int threads)
{
    ck_assert_msg(in_child(run_job, threads) == RAN_WELL, "see above");
}

START_TEST(one_thread)
{
    check_job(1);
}
END_TEST

START_TEST(seven_threads)
{
    check_job(7);
}
END_TEST

/* Rules as older kernels know them. */
static int run_level(int abi)
{
    bool good = true;
    int rules = pl_landlock_new(abi);
    if (rules < 0 || !pl_landlock_add(rules, abi, in_dir("in"), PL_LANDLOCK_READ) ||
        !pl_landlock_add(rules, abi, in_dir("other/page.pgm"), PL_LANDLOCK_READ) ||
        !pl_landlock_add(rules, abi, in_dir("out"), PL_LANDLOCK_WRITE) ||
        !pl_landlock_add(rules, abi, in_dir("steps"), PL_LANDLOCK_REMOVE) ||
        !pl_landlock_add(rules, abi, in_dir("missing"), PL_LANDLOCK_READ) ||
        !pl_landlock_enter(rules))
        return RAN_BADLY;
    IS(opened("steps/new", O_WRONLY | O_CREAT), EACCES);
    return !files_are_guarded(abi) || !good;
}

START_TEST(every_level)
{
    for (int abi = 1; abi <= pl_landlock_abi(); abi++)
        ck_assert_msg(in_child(run_level, abi) == RAN_WELL, "level %d", abi);
}
END_TEST

/* auto: nothing is said, and what cannot be had is left out; off leaves all as it was */
static int run_off(int ignored)
{
    bool good = true;
    (void)ignored;
    struct platen_error err;
    if (platen_sandbox_enter(NULL, PLATEN_SANDBOX_OFF, NULL, &err) ||
        strcmp(platen_sandbox_in_force(), "off"))
        return RAN_BADLY;
    IS(opened("other/new", O_WRONLY | O_CREAT), 0);
    return !good;
}

START_TEST(off)
{
    ck_assert_int_eq(in_child(run_off, 0), RAN_WELL);
}
END_TEST

/* A refusal by the sandbox is told from one by modes, which root does not see. */
static int run_explain(int ignored)
{
    struct pl_sandbox sb;
    struct platen_error err = {.code = PLATEN_ERR_IO, .os_errno = EACCES, .text = "modes"};
    (void)ignored;
    if (pl_sandbox_explain(&err, in_dir("other/old"), R_OK) != PLATEN_ERR_IO ||
        strcmp(err.text, "modes"))
        return RAN_BADLY;
    if (pl_sandbox_begin(&sb, true, &err) || pl_sandbox_enter(&sb, &err))
        return RAN_BADLY;
    err = (struct platen_error){.code = PLATEN_ERR_IO, .os_errno = EACCES};
    pl_sandbox_done(&sb);
    if (pl_sandbox_explain(&err, in_dir("other/old"), R_OK) != PLATEN_ERR_IO ||
        !strstr(err.text, "sandbox"))
        return RAN_BADLY;
    err = (struct platen_error){.code = PLATEN_ERR_IO, .os_errno = EACCES};
    pl_sandbox_explain(&err, in_dir("other/a/b/c"), W_OK);
    if (!strstr(err.text, "sandbox"))
        return RAN_BADLY;
    err = (struct platen_error){.code = PLATEN_ERR_IO, .os_errno = EACCES, .text = "missing"};
    pl_sandbox_explain(&err, in_dir("other/nobody"), R_OK);
    return strcmp(err.text, "missing") != 0;
}

START_TEST(explained)
{
    ck_assert_int_ne(in_child(run_explain, 0), RAN_BADLY);
}
END_TEST

int main(void)
{
    if (!pl_landlock_abi() || !pl_seccomp_available()) {
        puts("1..0 # SKIP the system has no Landlock, or filters no system calls (qemu does not)");
        return EXIT_SUCCESS;
    }
    Suite *s = suite_create("sandbox");
    TCase *t = tcase_create("sandbox");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_set_timeout(t, 60);
    tcase_add_test(t, one_thread);
    tcase_add_test(t, seven_threads);
    tcase_add_test(t, every_level);
    tcase_add_test(t, off);
    tcase_add_test(t, explained);
    suite_add_tcase(s, t);
    return run_suite(s);
}
