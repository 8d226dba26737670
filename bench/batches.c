/* What lines gain from being read together: lines a second of the network by the number of lines in
 * one call, beside one line at a time, with a check that every line's logits stay the same bytes.
 *
 *     cut PIPELINE PICTURE... | batches [-r ROUNDS] [-i ISA] MODEL.platen
 *
 * `cut` is train/cut, PIPELINE has two stages ("gray | line" for pictures of single lines). Built
 * on demand: meson compile -C BUILD bench/batches. Exit status 1 when a line differs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "nn/run.h"
#include "pipeline/host.h"
#include "recognize/strip.h"

#define MAX_ROUNDS 99

static const size_t sizes[] = {1, 2, 4, 8, 16, 64, 0}; /* lines of a call; 0 = all */
#define N_SIZES PL_ARRAY_LEN(sizes)

struct lines {
    struct pl_strip *v;
    size_t n;
    uint64_t *sums; /* of each line's logits, one line at a time */
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
static bool read_line(const struct pl_line_model *m, struct pl_strip *ret)
{
    int columns;
    if (scanf("%*d %*d %*d %*d %*d %d", &columns) != 1 || getchar() != '\n' || columns < 1)
        return false;
    int width = pl_strip_padded(m, columns);
    uint8_t *px = malloc((size_t)(m->height * width));
    if (!px)
        return false;
    memset(px, (int)m->input_zero, (size_t)(m->height * width));
    for (int y = 0; y < m->height; y++)
        if (fread(px + y * width + m->pad_left, 1, (size_t)columns, stdin) != (size_t)columns)
            return false;
    *ret = (struct pl_strip){.px = px, .stride_bytes = (size_t)width, .width = width};
    return true;
}

static bool read_lines(const struct pl_line_model *m, struct lines *ret)
{
    struct pl_strip line;
    size_t cap = 0;
    while (read_line(m, &line)) {
        if (ret->n == cap) {
            cap = PL_MAX(2 * cap, (size_t)256);
            ret->v = realloc(ret->v, cap * sizeof(*ret->v));
            if (!ret->v)
                return false;
        }
        ret->v[ret->n++] = line;
    }
    ret->sums = calloc(ret->n + 1, sizeof(*ret->sums));
    return ret->sums && ret->n;
}

/* FNV-1a */
static uint64_t sum_of(const struct pl_logits *l, size_t line)
{
    size_t a = l->first_step[line], b = l->first_step[line + 1];
    const uint8_t *p = (const uint8_t *)(l->values + a * l->n_classes);
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i < (b - a) * l->n_classes * sizeof(float); i++)
        h = (h ^ p[i]) * 1099511628211u;
    return h;
}

/* Processor seconds of one call, or a negative number. The first size makes the sums. */
static double run(struct pl_runner *r, struct lines *l, size_t from, size_t n, bool first,
                  bool *same)
{
    struct pl_logits logits;
    struct platen_error err;
    double start = seconds();
    if (pl_runner_run(r, l->v + from, n, &logits, &err))
        return -1e9;
    double used = seconds() - start;
    for (size_t i = 0; i < n; i++) {
        uint64_t sum = sum_of(&logits, i);
        if (first)
            l->sums[from + i] = sum;
        *same = *same && sum == l->sums[from + i];
    }
    return used;
}

static double run_all(struct pl_runner *r, struct lines *l, size_t size, bool *same)
{
    double used = 0;
    size_t n = size ? size : l->n;
    for (size_t i = 0; i < l->n; i += n)
        used += run(r, l, i, PL_MIN(n, l->n - i), size == 1, same);
    return used;
}

static int bench(struct pl_runner *r, struct lines *l, int rounds)
{
    double used[N_SIZES][MAX_ROUNDS], columns = 0;
    bool same = true;
    for (size_t i = 0; i < l->n; i++)
        columns += l->v[i].width;
    printf("%zu lines, %.0f columns each\nlines of a call   lines/s   ratio\n", l->n,
           columns / (double)l->n);
    for (int round = 0; round < rounds; round++)
        for (size_t k = 0; k < N_SIZES; k++)
            used[k][round] = run_all(r, l, sizes[k], &same);
    for (size_t k = 0; k < N_SIZES; k++) {
        qsort(used[k], (size_t)rounds, sizeof(double), compare_doubles);
        printf("%15zu %9.0f %7.2f\n", sizes[k] ? sizes[k] : l->n,
               (double)l->n / used[k][rounds / 2], used[0][rounds / 2] / used[k][rounds / 2]);
    }
    if (!same)
        puts("LINES DIFFER");
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
        else if (c != 'i' || pl_host_isa(optarg, &isa, &err))
            return 2;
    if (rounds < 1 || rounds > MAX_ROUNDS || optind + 1 != argc)
        return 2;
    struct pl_kernels k;
    struct pl_model *m = NULL;
    struct pl_runner *r = NULL;
    struct lines lines = {0};
    pl_kernels_init(&k, isa);
    if (pl_model_open(argv[optind], &m, &err) || !pl_model_line(m) ||
        pl_runner_new(m, &k, &r, &err)) {
        fprintf(stderr, "batches: %s\n", err.text);
        return 2;
    }
    return read_lines(pl_model_line(m), &lines) ? bench(r, &lines, rounds) : 2;
}
