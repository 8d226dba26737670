/* SPDX-License-Identifier: BSD-2-Clause */
/* main() of a fuzz target where there is no libFuzzer: runs it on every file named and on every
 * file of every folder named, then on those files cut short and with single bytes changed. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_BYTES ((size_t)1 << 22)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* An exact copy each time, so that a sanitizer sees every byte read beyond the end. */
static void try_copy(const uint8_t *data, size_t n, size_t at, uint8_t flip)
{
    uint8_t *p = malloc(n ? n : 1);
    if (!p)
        abort();
    memcpy(p, data, n);
    if (at < n)
        p[at] ^= flip;
    LLVMFuzzerTestOneInput(p, n);
    free(p);
}

static int replay_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    uint8_t *data = malloc(MAX_BYTES);
    if (!f || !data) {
        perror(path);
        return 1;
    }
    size_t n = fread(data, 1, MAX_BYTES, f);
    fclose(f);
    try_copy(data, n, n, 0);
    for (size_t i = 0; i < 64; i++)
        try_copy(data, n * i / 64, n, 0);
    for (size_t i = 0; i < 256; i++)
        try_copy(data, n, n * i / 256 + i % 7, (uint8_t)(1u << (i % 8)));
    free(data);
    return 0;
}

static int replay(const char *path)
{
    struct stat st;
    if (stat(path, &st) || !S_ISDIR(st.st_mode))
        return replay_file(path);
    DIR *d = opendir(path);
    int failed = !d;
    for (struct dirent *e; d && (e = readdir(d));) {
        char name[4096];
        if (e->d_name[0] == '.')
            continue;
        snprintf(name, sizeof(name), "%s/%s", path, e->d_name);
        failed |= replay_file(name);
    }
    if (d)
        closedir(d);
    return failed;
}

int main(int argc, char **argv)
{
    int failed = argc < 2;
    for (int i = 1; i < argc; i++)
        failed |= replay(argv[i]);
    return failed;
}
