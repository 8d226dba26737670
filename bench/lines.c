/* Lines a second of a line recognizer's network, one line at a time.
 *
 *     cut PIPELINE PICTURE... | lines [-r ROUNDS] [-i ISA] MODEL.platen
 *
 * `cut` is train/cut, PIPELINE has two stages ("gray | line" for pictures of single lines). Built
 * on demand: meson compile -C BUILD bench/lines. The sum is one of all scores: it must not depend
 * on the ISA. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "nn/pass.h"
#include "nn/session.h"
#include "pipeline/host.h"
#include "pipeline/networks.h"
#include "recognize/strip.h"

#define MAX_ROUNDS 99

static const struct pl_line_model model = {.height = 32,
                                           .stride = 4,
                                           .pad_left = 8,
                                           .pad_right = 8,
                                           .input_scale = 1 / 160.0f,
                                           .input_zero = 48};

struct lines {
    struct pl_tensor *v;
    size_t n;
    double columns;
};

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* One line as cut writes it, with blank columns at its sides; false at the end. */
static bool read_line(const struct pl_line_model *m, struct pl_tensor *ret)
{
    int columns;
    if (scanf("%*d %*d %*d %*d %*d %d", &columns) != 1 || getchar() != '\n' || columns < 1)
        return false;
    int width = pl_strip_padded(m, columns);
    float *px = calloc((size_t)(m->height * width), sizeof(*px));
    uint8_t *row = malloc((size_t)columns);
    if (!px || !row)
        return false;
    for (int y = 0; y < m->height; y++) {
        if (fread(row, 1, (size_t)columns, stdin) != (size_t)columns)
            return false;
        for (int x = 0; x < columns; x++)
            px[y * width + m->pad_left + x] = (float)(row[x] - m->input_zero) * m->input_scale;
    }
    free(row);
    if (!pl_tensor_shape(ret, PL_F32, 4, (int64_t[]){1, 1, m->height, width}))
        return false;
    ret->data = px;
    return true;
}

static bool read_lines(const struct pl_line_model *m, struct lines *ret)
{
    struct pl_tensor line;
    size_t cap = 0;
    while (read_line(m, &line)) {
        if (ret->n == cap) {
            cap = PL_MAX(2 * cap, (size_t)256);
            ret->v = realloc(ret->v, cap * sizeof(*ret->v));
            if (!ret->v)
                return false;
        }
        ret->v[ret->n++] = line;
        ret->columns += (double)line.dims[3];
    }
    return ret->n;
}

/* FNV-1a */
static uint64_t sum_of(const struct pl_tensor *t, uint64_t h)
{
    const uint8_t *p = t->data;
    for (size_t i = 0; i < pl_tensor_bytes(t); i++)
        h = (h ^ p[i]) * 1099511628211u;
    return h;
}

/* Processor seconds of all lines, or a negative number. */
static double run_all(struct pl_session *s, const struct lines *l, uint64_t *sum)
{
    struct platen_error err;
    double used = 0;
    for (size_t i = 0; i < l->n; i++) {
        double start = seconds();
        if (pl_session_run(s, &l->v[i], &err))
            return -1;
        used += seconds() - start;
        *sum = sum_of(pl_session_output(s, 0), *sum);
    }
    return used;
}

static int bench(struct pl_session *s, const struct lines *l, int rounds)
{
    double used[MAX_ROUNDS];
    uint64_t sum = 0;
    for (int round = 0; round < rounds; round++) {
        sum = 14695981039346656037u;
        used[round] = run_all(s, l, &sum);
        if (used[round] < 0)
            return 1;
    }
    qsort(used, (size_t)rounds, sizeof(double), compare_doubles);
    printf("%zu lines, %.0f columns each: %.0f lines a second, at best %.0f; sum %016llx\n", l->n,
           l->columns / (double)l->n, (double)l->n / used[rounds / 2], (double)l->n / used[0],
           (unsigned long long)sum);
    return 0;
}

int main(int argc, char **argv)
{
    int rounds = 5, c;
    enum pl_isa isa = pl_isa_best();
    struct platen_error err = {0};
    while ((c = getopt(argc, argv, "r:i:")) != -1)
        if (c == 'r')
            rounds = atoi(optarg);
        else if (c != 'i' || pl_host_isa(optarg, &isa, &err))
            return 2;
    if (rounds < 1 || rounds > MAX_ROUNDS || optind + 1 != argc)
        return 2;
    struct pl_kernels k;
    struct pl_network *n = NULL;
    struct pl_session *s = NULL;
    struct lines lines = {0};
    pl_kernels_init(&k, isa);
    if (pl_network_load(argv[optind], PL_PASS_ALL, NULL, &n, &err) ||
        pl_session_new(&n->g, &k, (size_t)1 << 28, &s, &err)) {
        fprintf(stderr, "lines: %s\n", err.text);
        return 2;
    }
    return read_lines(&model, &lines) ? bench(s, &lines, rounds) : 2;
}
