/* SPDX-License-Identifier: BSD-2-Clause */
/* Preloaded into platen: what a power cut would leave is kept apart, and the process ends where a
 * test wants it to.
 *
 * POWERCUT_DISK names a directory, in which fsync() of a file copies its bytes to f<inode> and that
 * of a directory writes its entries to d<inode>, a line "INODE NAME" for each; what is new has
 * neither. POWERCUT_AT=n ends the process before the n-th call that changes something (0 = never).
 * With POWERCUT_NAMED the file system knows no files without a name. With POWERCUT_LEAP the clock
 * goes on by ten seconds whenever it is asked. tests/fault/powercut.py puts the disk together. */
#undef _FILE_OFFSET_BITS /* openat() and openat64() are both given here */
#undef _FORTIFY_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define CUT 99 /* exit status */

static atomic_long calls;

static void count_call(void)
{
    const char *at = getenv("POWERCUT_AT");
    if (at && atoi(at) > 0 && atomic_fetch_add(&calls, 1) + 1 == atoi(at))
        _exit(CUT);
}

int clock_gettime(clockid_t clock, struct timespec *ret)
{
    static atomic_long asked;
    int (*real)(clockid_t, struct timespec *) = dlsym(RTLD_NEXT, "clock_gettime");
    int status = real(clock, ret);
    if (!status && getenv("POWERCUT_LEAP"))
        ret->tv_sec += 10 * (atomic_fetch_add(&asked, 1) + 1);
    return status;
}

static FILE *open_kept(char kind, ino_t inode, const char *mode)
{
    char name[4096];
    snprintf(name, sizeof(name), "%s/%c%llu", getenv("POWERCUT_DISK"), kind,
             (unsigned long long)inode);
    FILE *f = fopen(name, mode);
    if (!f)
        abort();
    return f;
}

static void forget(int fd)
{
    struct stat st;
    if (!fstat(fd, &st) && S_ISREG(st.st_mode) && !st.st_size)
        fclose(open_kept('f', st.st_ino, "w"));
}

static void keep_entries(int fd, ino_t inode)
{
    struct stat st;
    DIR *d = fdopendir(dup(fd));
    FILE *f = open_kept('d', inode, "w");
    if (!d)
        abort();
    rewinddir(d);
    for (struct dirent *e; (e = readdir(d));)
        if (strcmp(e->d_name, ".") && strcmp(e->d_name, "..") &&
            !fstatat(fd, e->d_name, &st, AT_SYMLINK_NOFOLLOW))
            fprintf(f, "%llu %s\n", (unsigned long long)st.st_ino, e->d_name);
    closedir(d);
    fclose(f);
}

static void keep_bytes(int fd, ino_t inode)
{
    char path[40], buf[4096];
    size_t n;
    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd); /* fd itself is open for writing only */
    FILE *from = fopen(path, "r"), *to = open_kept('f', inode, "w");
    if (!from)
        abort();
    while ((n = fread(buf, 1, sizeof(buf), from)))
        fwrite(buf, 1, n, to);
    fclose(from);
    fclose(to);
}

int fsync(int fd)
{
    struct stat st;
    count_call();
    if (fstat(fd, &st))
        return -1;
    if (S_ISDIR(st.st_mode))
        keep_entries(fd, st.st_ino);
    else
        keep_bytes(fd, st.st_ino);
    return 0;
}

int fdatasync(int fd)
{
    return fsync(fd);
}

ssize_t write(int fd, const void *data, size_t n)
{
    count_call();
    ssize_t (*real)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
    return real(fd, data, n);
}

int linkat(int from_fd, const char *from, int to_fd, const char *to, int flags)
{
    count_call();
    int (*real)(int, const char *, int, const char *, int) = dlsym(RTLD_NEXT, "linkat");
    return real(from_fd, from, to_fd, to, flags);
}

/* What is replaced may still be on the disk: no new file gets its number. */
static void pin(int dir_fd, const char *name)
{
    struct stat st;
    char kept[4096];
    int (*real)(int, const char *, int, const char *, int) = dlsym(RTLD_NEXT, "linkat");
    if (fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW))
        return;
    snprintf(kept, sizeof(kept), "%s/p%llu", getenv("POWERCUT_DISK"),
             (unsigned long long)st.st_ino);
    if (real(dir_fd, name, AT_FDCWD, kept, 0) && errno != EEXIST)
        abort();
}

int renameat(int from_fd, const char *from, int to_fd, const char *to)
{
    count_call();
    pin(to_fd, to);
    int (*real)(int, const char *, int, const char *) = dlsym(RTLD_NEXT, "renameat");
    return real(from_fd, from, to_fd, to);
}

int mkdirat(int dir_fd, const char *path, mode_t mode)
{
    count_call();
    int (*real)(int, const char *, mode_t) = dlsym(RTLD_NEXT, "mkdirat");
    return real(dir_fd, path, mode);
}

static int open_any(int dir_fd, const char *path, int flags, mode_t mode)
{
    int (*real)(int, const char *, int, ...) = dlsym(RTLD_NEXT, "openat");
    if ((flags & O_TMPFILE) == O_TMPFILE && getenv("POWERCUT_NAMED")) {
        errno = EOPNOTSUPP;
        return -1;
    }
    if (flags & O_CREAT)
        count_call();
    int fd = real(dir_fd, path, flags, mode);
    if (fd >= 0 && ((flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE))
        forget(fd); /* its number may have been another file's */
    return fd;
}

int openat(int dir_fd, const char *path, int flags, ...)
{
    va_list ap;
    va_start(ap, flags);
    mode_t mode = va_arg(ap, mode_t);
    va_end(ap);
    return open_any(dir_fd, path, flags, mode);
}

int openat64(int dir_fd, const char *path, int flags, ...)
{
    va_list ap;
    va_start(ap, flags);
    mode_t mode = va_arg(ap, mode_t);
    va_end(ap);
    return open_any(dir_fd, path, flags, mode);
}
