/* SPDX-License-Identifier: BSD-2-Clause */
/* A network under the stopwatch: runs it once for every line on standard input and answers with the
 * milliseconds of processor time.
 *
 *     engine MODEL INPUT.npy [ISA]
 *
 * The first line of the answer: milliseconds to open and map the file and to plan for the input,
 * then kilobytes of memory before and after the first run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "models/networks.h"
#include "onnx/npy.h"
#include "nn/session.h"

#define MAX_BYTES ((size_t)8 << 30)

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* The largest resident set so far; getrusage() would begin with that of the parent. */
static long peak_kb(void)
{
    char line[128];
    long kb = 0;
    FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof(line), f))
        if (!strncmp(line, "VmHWM:", 6))
            kb = strtol(line + 6, NULL, 10);
    if (f)
        fclose(f);
    return kb;
}

static void die(const struct platen_error *err)
{
    fprintf(stderr, "engine: %s\n", err->text);
    exit(1);
}

int main(int argc, char **argv)
{
    struct platen_error err;
    struct pl_network *n = NULL;
    struct pl_session *s = NULL;
    struct pl_map map;
    struct pl_tensor in;
    struct pl_kernels k;
    struct pl_str plan = {0};
    enum pl_isa isa = pl_isa_best();
    char line[16];
    if (argc < 3 || (argc > 3 && !pl_isa_parse(argv[3], &isa))) {
        fputs("usage: engine MODEL INPUT.npy [ISA]\n", stderr);
        return 2;
    }
    pl_kernels_init(&k, isa);
    if (pl_map_open(argv[2], PL_IR_MAX_FILE_BYTES, &map, &err) ||
        pl_npy_read(map.data, map.size, &in, &err))
        die(&err);
    const long before = peak_kb();
    const double t = now_ms();
    if (pl_network_load(argv[1], NULL, &n, &err) ||
        pl_session_new(&n->g, &k, MAX_BYTES, &s, &err) || pl_session_describe(s, &in, &plan, &err))
        die(&err);
    const double opened = now_ms() - t;
    if (pl_session_run(s, &in, &err))
        die(&err);
    printf("%.3f %ld %ld\n", opened, before, peak_kb());
    fflush(stdout);
    while (fgets(line, sizeof(line), stdin)) {
        const double from = now_ms();
        if (pl_session_run(s, &in, &err))
            die(&err);
        printf("%.4f\n", now_ms() - from);
        fflush(stdout);
    }
    pl_str_done(&plan);
    pl_session_free(s);
    pl_network_free(n);
    pl_map_close(&map);
    return 0;
}
