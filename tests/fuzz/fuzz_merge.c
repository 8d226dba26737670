/* SPDX-License-Identifier: BSD-2-Clause */
/* What shards left, and a manifest behind the first NUL: whatever merges is written line by line as
 * it was read, and every page is counted once. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "platen.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

struct written {
    const char *shard;
    size_t n, lines;
};

static platen_status write_line(void *ctx, const void *data, size_t n, struct platen_error *err)
{
    struct written *w = ctx;
    (void)err;
    if (!n || n > w->n || ((const char *)data)[n - 1] != '\n' || !memmem(w->shard, w->n, data, n))
        abort();
    w->lines++;
    return PLATEN_OK;
}

/* A file without a name, and a name for it. */
static int make_file(const char *data, size_t n, char *ret_name, size_t name_bytes)
{
    int fd = memfd_create("shard", MFD_CLOEXEC);
    if (fd < 0 || (n && write(fd, data, n) != (ssize_t)n))
        abort();
    snprintf(ret_name, name_bytes, "/proc/self/fd/%d", fd);
    return fd;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    const char *text = (const char *)data, *nul = n ? memchr(text, '\0', n) : NULL;
    size_t bytes = nul ? (size_t)(nul - text) : n;
    char shard[32], manifest[32];
    const char *names[] = {shard};
    struct written w = {text, bytes, 0};
    struct platen_merge_options o = {.size = sizeof(o), .write = write_line, .ctx = &w};
    struct platen_merge_summary sum = {.size = sizeof(sum)};
    struct platen_error err = {0};
    int fd = make_file(text, bytes, shard, sizeof(shard)), listed = -1;
    if (nul) {
        listed = make_file(nul + 1, n - bytes - 1, manifest, sizeof(manifest));
        o.manifest = manifest;
    }
    if (platen_merge(names, 1, &o, &sum, &err)) {
        if (!err.text[0])
            abort();
    } else if (w.lines != sum.done + sum.failed) {
        abort();
    }
    close(fd);
    if (listed >= 0)
        close(listed);
    return 0;
}
