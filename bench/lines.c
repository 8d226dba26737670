/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines a second of a network that reads lines: as many at a time as it takes, and at most 16, 4
 * and 1.
 *
 *     cut PIPELINE PICTURE... | lines [-r ROUNDS] [-i ISA] MODEL.platen
 *
 * `cut` is train/cut, PIPELINE has two stages ("gray | line" for pictures of single lines). Built
 * on demand: meson compile -C BUILD bench/lines. The sum is one of all scores: it must not depend
 * on the ISA. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/figures.h"
#include "host/host.h"
#include "models/networks.h"
#include "recognize/line_net.h"
#include "simd/cpu.h"
#include "recognize/strip.h"

#define MAX_ROUNDS 99

struct line {
    uint8_t *px;
    int width;
};

struct lines {
    struct line *v;
    size_t n;
    double columns;
};

/* One line as cut writes it, with blank columns at its sides; false at the end. */
static bool read_line(const struct pl_line_model *m, struct line *ret)
{
    int columns;
    if (scanf("%*d %*d %*d %*d %*d %d", &columns) != 1 || getchar() != '\n' || columns < 1)
        return false;
    ret->width = pl_strip_padded(m, columns);
    ret->px = malloc((size_t)(m->height * ret->width));
    if (!ret->px)
        return false;
    memset(ret->px, (int)m->input_zero, (size_t)(m->height * ret->width));
    for (int y = 0; y < m->height; y++)
        if (fread(ret->px + y * ret->width + m->pad_left, 1, (size_t)columns, stdin) !=
            (size_t)columns)
            return false;
    return true;
}

static bool read_lines(const struct pl_line_model *m, struct lines *ret)
{
    struct line line;
    size_t cap = 0;
    while (read_line(m, &line)) {
        if (ret->n == cap) {
            cap = PL_MAX(2 * cap, (size_t)256);
            ret->v = realloc(ret->v, cap * sizeof(*ret->v));
            if (!ret->v)
                return false;
        }
        ret->v[ret->n++] = line;
        ret->columns += line.width;
    }
    return ret->n;
}

/* FNV-1a */
static uint64_t sum_of(const struct pl_line_scores *l, size_t n_classes, uint64_t h)
{
    const uint8_t *p = (const uint8_t *)l->values;
    const size_t n = l->steps * n_classes * sizeof(float);
    for (size_t i = 0; i < n; i++)
        h = (h ^ p[i]) * 1099511628211u;
    return h;
}

/* Processor seconds of all lines, at most so many at a time, or a negative number. */
static double run_all(struct pl_line_net *net, const struct pl_line_model *m, const struct lines *l,
                      size_t most, uint64_t *sum)
{
    struct platen_error err;
    double used = 0;
    for (size_t i = 0, n; i < l->n; i += n) {
        double start = cpu_seconds();
        for (n = 0; i + n < l->n && n < most && pl_line_net_fits(net, l->v[i + n].width); n++) {
            const struct line *v = &l->v[i + n];
            memcpy(pl_line_net_add(net, v->width), v->px, (size_t)(v->width * m->height));
        }
        if (pl_line_net_run(net, &err))
            return -1;
        used += cpu_seconds() - start;
        for (size_t k = 0; k < n; k++) {
            const struct pl_line_scores scores = pl_line_net_scores(net, k);
            *sum = sum_of(&scores, m->n_classes, *sum);
        }
    }
    return used;
}

static int bench(struct pl_line_net *net, const struct pl_line_model *m, const struct lines *l,
                 int rounds)
{
    static const size_t most[] = {PL_LINE_MAX_STRIPS, 16, 4, 1};
    enum { WAYS = PL_ARRAY_LEN(most) };
    double used[WAYS][MAX_ROUNDS];
    uint64_t sum[WAYS] = {0};
    bool same = true;
    for (int round = 0; round < rounds; round++)
        for (int k = 0; k < WAYS; k++) {
            sum[k] = 14695981039346656037u;
            used[k][round] = run_all(net, m, l, most[k], &sum[k]);
            if (used[k][round] < 0)
                return 1;
        }
    printf("%zu lines, %.0f columns each; lines a second, at best:\n", l->n,
           l->columns / (double)l->n);
    for (int k = 0; k < WAYS; k++) {
        sort_figures(used[k], rounds);
        same = same && sum[k] == sum[0];
        printf("at most %2zu %7.0f %7.0f  sum %016llx\n", most[k],
               (double)l->n / used[k][rounds / 2], (double)l->n / used[k][0],
               (unsigned long long)sum[k]);
    }
    return !same;
}

int main(int argc, char **argv)
{
    int rounds = 5, c;
    enum pl_isa isa = pl_isa_best();
    struct platen_error err = {0};
    while ((c = getopt(argc, argv, "r:i:")) != -1)
        if (c == 'r')
            rounds = atoi(optarg);
        else if (c != 'i' || pl_isa_choose(optarg, &isa, &err))
            return 2;
    if (rounds < 1 || rounds > MAX_ROUNDS || optind + 1 != argc)
        return 2;
    struct pl_kernels k;
    struct pl_network *n = NULL;
    struct pl_line_model m = {0};
    struct pl_line_net *net = NULL;
    struct lines lines = {0};
    pl_kernels_init(&k, isa);
    if (pl_network_load(argv[optind], NULL, &n, &err) || pl_line_model_read(n, &m, &err) ||
        pl_line_net_new(n, &m, &k, NULL, &net, &err)) {
        fprintf(stderr, "lines: %s\n", err.text);
        return 2;
    }
    return read_lines(&m, &lines) ? bench(net, &m, &lines, rounds) : 2;
}
