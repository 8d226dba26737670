/* SPDX-License-Identifier: BSD-2-Clause */
#include "host/host.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/map.h"
#include "base/system.h"

double pl_host_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int pl_host_affinity(void)
{
    return pl_system_processors();
}

/* Reads a small file as text without its final newline; false when it cannot be read. */
static bool read_text(const char *path, struct pl_str *ret)
{
    struct pl_map map;
    pl_str_reset(ret);
    if (pl_map_open(path, 1 << 20, &map, NULL))
        return false;
    size_t n = map.size;
    while (n && map.data[n - 1] == '\n')
        n--;
    pl_str_add(ret, (const char *)map.data, n);
    pl_map_close(&map);
    return !ret->failed;
}

static bool read_number(const char *dir, const char *file, double *ret)
{
    struct pl_str path = {0}, text = {0};
    pl_str_printf(&path, "%s/%s", dir, file);
    bool ok = !path.failed && read_text(path.s, &text) && pl_parse_double(text.s, text.len, ret);
    pl_str_done(&path);
    pl_str_done(&text);
    return ok;
}

/* "200000 100000" or "max 100000" of cpu.max; then the two files of version 1. */
static double quota_of(const char *dir)
{
    struct pl_str path = {0}, text = {0};
    double quota, period, share = 0;
    pl_str_printf(&path, "%s/cpu.max", dir);
    if (!path.failed && read_text(path.s, &text)) {
        const char *space = memchr(text.s, ' ', text.len);
        if (space && pl_parse_double(text.s, (size_t)(space - text.s), &quota) &&
            pl_parse_double(space + 1, strlen(space + 1), &period) && quota > 0 && period > 0)
            share = quota / period;
    } else if (read_number(dir, "cpu.cfs_quota_us", &quota) &&
               read_number(dir, "cpu.cfs_period_us", &period) && quota > 0 && period > 0) {
        share = quota / period;
    }
    pl_str_done(&path);
    pl_str_done(&text);
    return share;
}

/* A limit as one directory of a control group tells it; 0 = none. */
typedef double limit_fn(const char *dir);

/* The least limit of root + path and of every directory above it, down to root. */
static double least_on_path(limit_fn *limit_of, const char *root, const char *mount,
                            const char *path, size_t n)
{
    double least = 0;
    struct pl_str dir = {0};
    for (;;) {
        pl_str_reset(&dir);
        pl_str_printf(&dir, "%s%s%.*s", root, mount, (int)n, path);
        double limit = dir.failed ? 0 : limit_of(dir.s);
        if (limit > 0 && (least <= 0 || limit < least))
            least = limit;
        if (n == 0)
            break;
        while (n > 0 && path[n - 1] != '/')
            n--;
        n -= n > 0;
    }
    pl_str_done(&dir);
    return least;
}

/* Whether the comma-separated controllers s[0..n) contain `name`. */
static bool names_controller(const char *s, size_t n, const char *name)
{
    size_t k = strlen(name);
    for (size_t i = 0; i + k <= n; i++)
        if (!memcmp(s + i, name, k) && (i == 0 || s[i - 1] == ',') &&
            (i + k == n || s[i + k] == ','))
            return true;
    return false;
}

/* Lines of /proc/self/cgroup: "0::/path" (version 2), "4:cpu,cpuacct:/path" (version 1, mounted at
 * root/controller). */
static double cgroup_limit(limit_fn *limit_of, const char *controller, const char *proc,
                           const char *root)
{
    double least = 0;
    char mount[32];
    snprintf(mount, sizeof(mount), "/%s", controller);
    while (*proc) {
        size_t n = strcspn(proc, "\n");
        const char *a = memchr(proc, ':', n);
        const char *b = a ? memchr(a + 1, ':', n - (size_t)(a + 1 - proc)) : NULL;
        bool v2 = b && b == a + 1;
        bool v1 = b && names_controller(a + 1, (size_t)(b - a - 1), controller);
        if (v1 || v2) {
            double limit =
                least_on_path(limit_of, root, v1 ? mount : "", b + 1, n - (size_t)(b + 1 - proc));
            if (limit > 0 && (least <= 0 || limit < least))
                least = limit;
        }
        proc += n + (proc[n] == '\n');
    }
    return least;
}

double pl_host_cgroup_share(const char *proc, const char *root)
{
    return cgroup_limit(quota_of, "cpu", proc, root);
}

/* "max" is no number. Version 1 says "no limit" by a number beyond all memory. */
static double memory_of(const char *dir)
{
    double bytes, high;
    if (read_number(dir, "memory.max", &bytes))
        return read_number(dir, "memory.high", &high) ? PL_MIN(bytes, high) : bytes;
    if (read_number(dir, "memory.high", &high) || read_number(dir, "memory.limit_in_bytes", &high))
        return high;
    return 0;
}

double pl_host_cgroup_memory(const char *proc, const char *root)
{
    return cgroup_limit(memory_of, "memory", proc, root);
}

/* What `of` says of the control group of this process. */
static double of_this_process(double (*of)(const char *proc, const char *root))
{
    struct pl_str proc = {0};
    double limit = read_text("/proc/self/cgroup", &proc) ? of(proc.s, "/sys/fs/cgroup") : 0;
    pl_str_done(&proc);
    return limit;
}

double pl_host_share(void)
{
    return of_this_process(pl_host_cgroup_share);
}

uint64_t pl_host_memory_bytes(void)
{
    double limit = of_this_process(pl_host_cgroup_memory);
    double all = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    return (uint64_t)(limit > 0 && limit < all ? limit : all);
}

/* "32768K" */
static uint64_t read_cache_size(const char *dir)
{
    struct pl_str path = {0}, text = {0};
    uint64_t bytes = 0;
    pl_str_printf(&path, "%s/size", dir);
    if (!path.failed && read_text(path.s, &text)) {
        char *unit;
        bytes = strtoull(text.s, &unit, 10);
        bytes <<= *unit == 'K' ? 10 : *unit == 'M' ? 20 : 0;
    }
    pl_str_done(&path);
    pl_str_done(&text);
    return bytes;
}

static bool is_instruction_cache(const char *dir)
{
    struct pl_str path = {0}, text = {0};
    pl_str_printf(&path, "%s/type", dir);
    bool is = !path.failed && read_text(path.s, &text) && !strcmp(text.s, "Instruction");
    pl_str_done(&path);
    pl_str_done(&text);
    return is;
}

uint64_t pl_host_cache_bytes(const char *root, int level)
{
    char dir[256];
    double its_level;
    uint64_t bytes = 0;
    for (int i = 0; !bytes; i++) {
        snprintf(dir, sizeof(dir), "%s/cache/index%d", root, i);
        if (!read_number(dir, "level", &its_level))
            break;
        if ((int)its_level == level && !is_instruction_cache(dir))
            bytes = read_cache_size(dir);
    }
    return bytes;
}

uint64_t pl_host_peak_bytes(int status_fd)
{
    char status[4096];
    struct rusage usage;
    int fd = status_fd < 0 ? open("/proc/self/status", O_RDONLY | O_CLOEXEC) : status_fd;
    ssize_t n = fd < 0 ? 0 : pread(fd, status, sizeof(status) - 1, 0);
    if (fd >= 0 && status_fd < 0)
        close(fd);
    status[PL_MAX(n, 0)] = '\0';
    const char *line = strstr(status, "VmHWM:");
    uint64_t kib = line ? strtoull(line + 6, NULL, 10) : 0;
    if (!kib && !getrusage(RUSAGE_SELF, &usage))
        kib = (uint64_t)usage.ru_maxrss;
    return kib * 1024;
}

int platen_cores(void)
{
    int cores = pl_host_affinity();
    double share = pl_host_share();
    return share > 0 && share < cores ? PL_MAX((int)ceil(share), 1) : cores;
}

void pl_host_cpu_name(struct pl_str *ret)
{
    struct pl_str info = {0};
    const char *p = NULL;
    if (read_text("/proc/cpuinfo", &info) && (p = strstr(info.s, "model name")))
        p = strchr(p, ':');
    if (p)
        pl_str_add(ret, p + 2, strcspn(p + 2, "\n"));
    else
        pl_str_puts(ret, "unknown");
    pl_str_done(&info);
}
