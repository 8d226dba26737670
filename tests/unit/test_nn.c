/* The runner: equal to the definition, on every ISA, in every batch. */
#include <check.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "nn/run.h"
#include "nn_reference.h"
#include "tests/unit/suite.h"

#define TINY PL_TEST_ROOT "/tests/data/model/tiny.platen"
#define LINE PL_TEST_ROOT "/tests/data/model/tiny.line"
#define MAPS PL_TEST_ROOT "/tests/data/model/maps.platen"
#define SHIPPED PL_TEST_ROOT "/models/eng.platen"
#define MAX_LINES 40

struct file {
    uint8_t *data;
    size_t n;
};

static struct file read_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    ck_assert_ptr_nonnull(f);
    struct file b = {malloc(4 << 20), 0};
    b.n = fread(b.data, 1, 4 << 20, f);
    fclose(f);
    return b;
}

static struct pl_model *open_model(const char *path)
{
    struct platen_error err;
    struct pl_model *m = NULL;
    ck_assert_msg(pl_model_open(path, &m, &err) == PLATEN_OK, "%s", err.text);
    return m;
}

static struct pl_runner *new_runner(const struct pl_model *m, struct pl_kernels *k, enum pl_isa isa)
{
    struct platen_error err;
    struct pl_runner *r = NULL;
    pl_kernels_init(k, isa);
    ck_assert_int_eq(pl_runner_new(m, k, &r, &err), PLATEN_OK);
    return r;
}

static uint32_t seed;

static uint32_t next_random(void)
{
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

/* Lines of random strokes and noise; the rows of a line are further apart than it is wide. */
struct lines {
    struct pl_strip strip[MAX_LINES];
    size_t n;
    uint8_t *px;
};

static void make_lines(struct lines *l, const int *widths, size_t n)
{
    size_t total = 0, at = 0;
    for (size_t i = 0; i < n; i++)
        total += (size_t)(widths[i] + 5) * 32;
    l->px = malloc(total);
    l->n = n;
    for (size_t i = 0; i < n; i++) {
        size_t stride = (size_t)widths[i] + 5;
        uint8_t *p = l->px + at;
        bool noise = next_random() % 4 == 0; /* the extremes of every layer */
        for (size_t j = 0; j < stride * 32; j++)
            p[j] = (uint8_t)(noise || j / stride % 3 ? next_random() : 48);
        l->strip[i] = (struct pl_strip){p, stride, widths[i]};
        at += stride * 32;
    }
}

static size_t steps_of(const struct lines *l, size_t i)
{
    return (size_t)l->strip[i].width / 4;
}

static void expect_logits(const struct pl_logits *got, size_t i, const float *want, size_t steps)
{
    const size_t *first = got->first_step;
    ck_assert_uint_eq(first[i + 1] - first[i], steps);
    ck_assert_mem_eq(got->values + first[i] * got->n_classes, want,
                     steps * got->n_classes * sizeof(float));
}

/* Runs all lines in one batch on `isa` and compares each with want[i]. */
static void check_batch(const char *path, enum pl_isa isa, const struct lines *l, float **want)
{
    struct pl_model *m = open_model(path);
    struct pl_kernels k;
    struct pl_runner *r = new_runner(m, &k, isa);
    struct pl_logits got;
    struct platen_error err;
    ck_assert_int_eq(pl_runner_run(r, l->strip, l->n, &got, &err), PLATEN_OK);
    ck_assert_uint_eq(got.n_lines, l->n);
    for (size_t i = 0; i < l->n; i++)
        expect_logits(&got, i, want[i], steps_of(l, i));
    pl_runner_free(r);
    pl_model_free(m);
}

/* Every ISA of this machine against the definition. */
static void check_definition(const char *path, const int *widths, size_t n)
{
    struct lines l;
    struct file f = read_file(path);
    float *want[MAX_LINES];
    make_lines(&l, widths, n);
    for (size_t i = 0; i < n; i++)
        want[i] = ref_run(f.data, l.strip[i].px, l.strip[i].stride_bytes, l.strip[i].width);
    for (unsigned isa = 0; isa < PL_ISA_COUNT; isa++)
        if (pl_isa_available((enum pl_isa)isa))
            check_batch(path, (enum pl_isa)isa, &l, want);
    for (size_t i = 0; i < n; i++)
        free(want[i]);
    free(l.px);
    free(f.data);
}

START_TEST(equals_the_definition)
{
    /* steps below, at and above every tile of the kernels, and more than one group of lines */
    static const int widths[] = {4,  8,   12, 16,  20,  24,  28,  32,  36,  40,   44, 48,
                                 52, 92,  96, 100, 104, 124, 128, 132, 380, 4,    60, 64,
                                 68, 252, 12, 516, 20,  4,   4,   8,   700, 1200, 16, 188};
    seed = 11;
    check_definition(TINY, widths, sizeof(widths) / sizeof(*widths));
}
END_TEST

START_TEST(shipped_model_equals_the_definition)
{
    static const int widths[] = {56, 24};
    seed = 12;
    check_definition(SHIPPED, widths, 2);
}
END_TEST

/* Tiles of a detector have rows of steps; their order in the batch is that of the tiles. */
START_TEST(maps_equal_the_definition)
{
    static const int widths[] = {8, 16, 24, 128, 8, 264, 40, 4000, 72};
    enum { N = sizeof(widths) / sizeof(*widths), ROWS = 4, CHANNELS = 3 };
    struct lines l;
    struct file f = read_file(MAPS);
    struct pl_model *m = open_model(MAPS);
    struct pl_logits got;
    struct platen_error err;
    seed = 17;
    make_lines(&l, widths, N);
    for (unsigned isa = 0; isa < PL_ISA_COUNT; isa++) {
        struct pl_kernels k;
        if (!pl_isa_available((enum pl_isa)isa))
            continue;
        struct pl_runner *r = new_runner(m, &k, (enum pl_isa)isa);
        ck_assert_int_eq(pl_runner_run(r, l.strip, N, &got, &err), PLATEN_OK);
        ck_assert_uint_eq(got.n_rows, ROWS);
        ck_assert_uint_eq(got.n_classes, CHANNELS);
        for (size_t i = 0; i < N; i++) {
            const struct pl_strip *s = &l.strip[i];
            float *want = ref_run(f.data, s->px, s->stride_bytes, s->width);
            size_t first = got.first_step[i], steps = got.first_step[i + 1] - first;
            ck_assert_uint_eq(steps, (size_t)s->width / 8);
            ck_assert_mem_eq(got.values + first * ROWS * CHANNELS, want,
                             steps * ROWS * CHANNELS * sizeof(float));
            free(want);
        }
        pl_runner_free(r);
    }
    free(l.px);
    free(f.data);
    pl_model_free(m);
}
END_TEST

/* Alone, in any order, in any company: the same bytes. */
START_TEST(batches_do_not_matter)
{
    static const int widths[] = {320, 64, 4, 800, 132, 320, 16, 2000, 28, 452};
    enum { N = sizeof(widths) / sizeof(*widths) };
    struct lines l;
    struct platen_error err;
    struct pl_kernels k;
    struct pl_logits got;
    float *want[N];
    seed = 13;
    make_lines(&l, widths, N);
    struct pl_model *m = open_model(SHIPPED);
    struct pl_runner *r = new_runner(m, &k, pl_isa_best());
    for (size_t i = 0; i < N; i++) {
        ck_assert_int_eq(pl_runner_run(r, &l.strip[i], 1, &got, &err), PLATEN_OK);
        size_t bytes = steps_of(&l, i) * got.n_classes * sizeof(float);
        want[i] = malloc(bytes);
        memcpy(want[i], got.values, bytes);
    }
    for (int round = 0; round < 12; round++) {
        struct pl_strip some[N];
        size_t which[N], n = 1 + next_random() % N;
        for (size_t i = 0; i < n; i++) {
            which[i] = next_random() % N;
            some[i] = l.strip[which[i]];
        }
        ck_assert_int_eq(pl_runner_run(r, some, n, &got, &err), PLATEN_OK);
        for (size_t i = 0; i < n; i++)
            expect_logits(&got, i, want[which[i]], steps_of(&l, which[i]));
    }
    for (size_t i = 0; i < N; i++)
        free(want[i]);
    free(l.px);
    pl_runner_free(r);
    pl_model_free(m);
}
END_TEST

START_TEST(every_isa_gives_the_same)
{
    static const int widths[] = {320, 640, 88};
    struct lines l;
    struct platen_error err;
    struct pl_kernels k;
    struct pl_logits got;
    float *want[3];
    seed = 14;
    make_lines(&l, widths, 3);
    struct pl_model *m = open_model(SHIPPED);
    struct pl_runner *r = new_runner(m, &k, PL_ISA_SCALAR);
    ck_assert_int_eq(pl_runner_run(r, l.strip, 3, &got, &err), PLATEN_OK);
    for (size_t i = 0; i < 3; i++) {
        size_t bytes = steps_of(&l, i) * got.n_classes * sizeof(float);
        want[i] = malloc(bytes);
        memcpy(want[i], got.values + got.first_step[i] * got.n_classes, bytes);
    }
    for (unsigned isa = 1; isa < PL_ISA_COUNT; isa++)
        if (pl_isa_available((enum pl_isa)isa))
            check_batch(SHIPPED, (enum pl_isa)isa, &l, want);
    for (size_t i = 0; i < 3; i++)
        free(want[i]);
    free(l.px);
    pl_runner_free(r);
    pl_model_free(m);
}
END_TEST

/* Against the floats that the network had before quantisation (make_tiny.py): the noise of int8 is
 * more than 25 dB below the logits. */
START_TEST(near_the_float_network)
{
    struct file f = read_file(LINE);
    enum { WIDTH = 96, STEPS = WIDTH / 4, CLASSES = 109 };
    ck_assert_uint_eq(f.n, 32 * WIDTH + STEPS * CLASSES * 4);
    struct pl_strip strip = {f.data, WIDTH, WIDTH};
    struct pl_model *m = open_model(TINY);
    struct pl_kernels k;
    struct pl_runner *r = new_runner(m, &k, pl_isa_best());
    struct pl_logits got;
    struct platen_error err;
    ck_assert_int_eq(pl_runner_run(r, &strip, 1, &got, &err), PLATEN_OK);
    double power = 0, noise = 0;
    for (size_t i = 0; i < STEPS * CLASSES; i++) {
        double want = (double)ref_f32(f.data + 32 * WIDTH + 4 * i);
        power += want * want;
        noise += ((double)got.values[i] - want) * ((double)got.values[i] - want);
    }
    ck_assert_double_gt(power, 1);
    ck_assert_double_gt(10 * log10(power / noise), 25);
    free(f.data);
    pl_runner_free(r);
    pl_model_free(m);
}
END_TEST

START_TEST(no_allocation_once_warm)
{
    static const int widths[] = {1200, 320, 320, 64, 640, 1600, 40};
    struct lines l;
    struct platen_error err;
    struct pl_kernels k;
    struct pl_logits got;
    seed = 15;
    make_lines(&l, widths, 7);
    struct pl_model *m = open_model(TINY);
    struct pl_runner *r = new_runner(m, &k, pl_isa_best());
    ck_assert_int_eq(pl_runner_run(r, l.strip, 7, &got, &err), PLATEN_OK);
    uint64_t before = pl_mem_count();
    for (size_t n = 7; n-- > 0;)
        ck_assert_int_eq(pl_runner_run(r, l.strip, n, &got, &err), PLATEN_OK);
    ck_assert_int_eq(pl_runner_run(r, l.strip, 7, &got, &err), PLATEN_OK);
    ck_assert_uint_eq(pl_mem_count(), before);
    free(l.px);
    pl_runner_free(r);
    pl_model_free(m);
}
END_TEST

START_TEST(limits_and_arguments)
{
    static uint8_t row[1 << 20];
    struct pl_model *m = open_model(TINY);
    struct pl_kernels k;
    struct pl_runner *r = new_runner(m, &k, PL_ISA_SCALAR);
    struct pl_logits got;
    struct platen_error err;
    static const int bad[] = {0, -4, 2, 321};
    for (size_t i = 0; i < 4; i++) {
        struct pl_strip s = {row, 0, bad[i]};
        ck_assert_int_eq(pl_runner_run(r, &s, 1, &got, &err), PLATEN_ERR_ARG);
    }
    struct pl_strip wide[2] = {{row, 0, 1 << 20}, {row, 0, 4}};
    ck_assert_int_eq(pl_runner_run(r, wide, 2, &got, &err), PLATEN_ERR_LIMIT);
    wide[0].width = 1 << 30;
    ck_assert_int_eq(pl_runner_run(r, wide, 1, &got, &err), PLATEN_ERR_LIMIT);
    ck_assert_int_eq(pl_runner_run(r, wide, 0, &got, &err), PLATEN_OK);
    ck_assert_uint_eq(got.n_lines, 0);
    ck_assert_uint_eq(got.first_step[0], 0);
    pl_runner_free(r);
    pl_model_free(m);
}
END_TEST

START_TEST(short_of_memory)
{
    static const int widths[] = {320, 64};
    struct lines l;
    struct platen_error err;
    struct pl_kernels k;
    struct pl_logits got;
    seed = 16;
    make_lines(&l, widths, 2);
    struct pl_model *m = open_model(TINY);
    pl_kernels_init(&k, PL_ISA_SCALAR);
    int failures = 0;
    for (uint64_t n = 1; n < 100; n++, failures++) {
        struct pl_runner *r = NULL;
        pl_mem_fail_at(n, false);
        platen_status s = pl_runner_new(m, &k, &r, &err);
        s = s ? s : pl_runner_run(r, l.strip, 2, &got, &err);
        pl_mem_fail_at(0, false);
        bool done = s == PLATEN_OK;
        if (r && !done) /* a runner survives its failure */
            ck_assert_int_eq(pl_runner_run(r, l.strip, 2, &got, &err), PLATEN_OK);
        pl_runner_free(r);
        if (done)
            break;
        ck_assert_int_eq(s, PLATEN_ERR_NOMEM);
    }
    ck_assert_int_gt(failures, 4);
    ck_assert_int_lt(failures, 20);
    free(l.px);
    pl_model_free(m);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("nn");
    tcase_set_timeout(c, 100);
    tcase_add_test(c, equals_the_definition);
    tcase_add_test(c, shipped_model_equals_the_definition);
    tcase_add_test(c, maps_equal_the_definition);
    tcase_add_test(c, batches_do_not_matter);
    tcase_add_test(c, every_isa_gives_the_same);
    tcase_add_test(c, near_the_float_network);
    tcase_add_test(c, no_allocation_once_warm);
    tcase_add_test(c, limits_and_arguments);
    tcase_add_test(c, short_of_memory);
    Suite *s = suite_create("nn");
    suite_add_tcase(s, c);
    return run_suite(s);
}
