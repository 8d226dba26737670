/* SPDX-License-Identifier: BSD-2-Clause */
#include "simd/kernel_bench.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"

#define MAX_ROUNDS 15
#define MIN_SLICE_NS 1e6 /* of one kernel on one level in one round */

typedef size_t case_fn(const struct pl_kernels *k, const struct pl_bench_data *d);

static case_fn *const cases[PL_KERNEL_COUNT] = {
#define PL_KERNEL(name, ret, args) pl_bench_##name,
#include "simd/kernels.def"
#undef PL_KERNEL
};

struct bench_size {
    const char *name;
    size_t width, height;
    int rounds;
};

static const struct bench_size sizes[] = {
    {"L2", 2048, 32, MAX_ROUNDS},
    {"page", 2550, 3300, 5},
};

/* One level that has a body of its own. */
struct entrant {
    struct pl_kernels k;
    size_t repeats;
    double ns[MAX_ROUNDS], speedup[MAX_ROUNDS];
};

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *v, int n)
{
    qsort(v, (size_t)n, sizeof(*v), by_value);
    return v[n / 2];
}

/* ns per element of one slice. */
static double time_slice(const struct entrant *e, case_fn *run, const struct pl_bench_data *d)
{
    size_t elements = 0;
    double start = now_ns();
    for (size_t i = 0; i < e->repeats; i++)
        elements += run(&e->k, d);
    return (now_ns() - start) / (double)elements;
}

static void calibrate(struct entrant *e, case_fn *run, const struct pl_bench_data *d)
{
    e->repeats = 1;
    run(&e->k, d); /* maps the pages, fills the caches */
    double start = now_ns();
    run(&e->k, d);
    double once = now_ns() - start;
    e->repeats = once < MIN_SLICE_NS ? (size_t)(MIN_SLICE_NS / (once > 100 ? once : 100)) + 1 : 1;
}

static int find_entrants(enum pl_kernel_id id, struct entrant entrants[PL_ISA_COUNT])
{
    int n = 0;
    for (int isa = 0; isa < PL_ISA_COUNT; isa++) {
        if (!pl_isa_available((enum pl_isa)isa))
            continue;
        pl_kernels_init(&entrants[n].k, (enum pl_isa)isa);
        if (pl_kernel_body(&entrants[n].k, id) == (enum pl_isa)isa)
            n++;
    }
    return n;
}

/* The levels take turns within each round, so that what slows the machine slows all of them. */
static void bench_one(enum pl_kernel_id id, const struct bench_size *size,
                      const struct pl_bench_data *d, pl_bench_row_fn *fn, void *ctx)
{
    struct entrant entrants[PL_ISA_COUNT];
    int n = find_entrants(id, entrants);
    for (int i = 0; i < n; i++)
        calibrate(&entrants[i], cases[id], d);
    for (int round = 0; round < size->rounds; round++)
        for (int i = 0; i < n; i++) {
            entrants[i].ns[round] = time_slice(&entrants[i], cases[id], d);
            entrants[i].speedup[round] = entrants[0].ns[round] / entrants[i].ns[round];
        }
    for (int i = 0; i < n; i++) {
        struct pl_bench_row row = {.kernel = id,
                                   .isa = entrants[i].k.isa,
                                   .size = size->name,
                                   .speedup = median(entrants[i].speedup, size->rounds)};
        row.ns = median(entrants[i].ns, size->rounds); /* sorts: no round is looked up after this */
        fn(ctx, &row);
    }
}

/* As most scans are, clipped to white with some noise, four of five neighbours equal; in four rows
 * of ten every third run of seven pixels is ink. */
static void fill_page(uint8_t *px, float *reals, size_t width, size_t height)
{
    uint32_t rng = 1;
    for (size_t i = 0; i < width * height; i++) {
        bool ink = i / width % 10 < 4 && i / 7 % 3 == 0;
        for (size_t c = 0; c < 4; c++) {
            rng = rng * 1664525 + 1013904223;
            uint32_t noise = rng >> 28 < 14 ? 15 : rng >> 24 & 15;
            px[4 * i + c] = (uint8_t)((ink ? 40 : 240) + noise);
        }
        reals[i] = (float)px[4 * i];
    }
}

static void fill_sums(const uint8_t *px, size_t width, uint32_t *sum, uint32_t *sumsq)
{
    for (size_t y = 0; y < PL_BENCH_WINDOW; y++)
        for (size_t x = 0; x < width; x++) {
            uint32_t v = px[y * width + x];
            sum[x] += v;
            sumsq[x] += v * v;
        }
}

static bool wanted(const char *const *names, size_t n_names, const char *name)
{
    for (size_t i = 0; i < n_names; i++)
        if (!strcmp(names[i], name))
            return true;
    return n_names == 0;
}

static platen_status check_names(const char *const *names, size_t n_names, struct platen_error *err)
{
    for (size_t i = 0; i < n_names; i++) {
        bool known = false;
        for (int id = 0; id < PL_KERNEL_COUNT; id++)
            known = known || !strcmp(names[i], pl_kernel_name((enum pl_kernel_id)id));
        if (!known)
            return pl_fail(err, PLATEN_ERR_ARG, "there is no kernel '%s'", names[i]);
    }
    return PLATEN_OK;
}

platen_status pl_bench_kernels(const char *const *names, size_t n_names, pl_bench_row_fn *fn,
                               void *ctx, struct platen_error *err)
{
    platen_status s = check_names(names, n_names, err);
    if (s)
        return s;
    const struct bench_size *largest = &sizes[sizeof(sizes) / sizeof(sizes[0]) - 1];
    size_t bytes = largest->width * largest->height * 4;
    uint8_t *px = pl_alloc_aligned(bytes), *out = pl_alloc_aligned(bytes);
    float *reals = pl_alloc_aligned(bytes);
    uint32_t *sums = pl_alloc_zero(2 * largest->width, sizeof(*sums));
    if (px && out && reals && sums) {
        fill_page(px, reals, largest->width, largest->height);
        fill_sums(px, largest->width, sums, sums + largest->width);
        for (int id = 0; id < PL_KERNEL_COUNT; id++)
            for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
                struct pl_bench_data d = {sizes[i].width, sizes[i].height,       px, reals,
                                          sums,           sums + largest->width, out};
                if (wanted(names, n_names, pl_kernel_name((enum pl_kernel_id)id)))
                    bench_one((enum pl_kernel_id)id, &sizes[i], &d, fn, ctx);
            }
    } else {
        s = pl_fail_nomem(err, 3 * bytes, "the pictures of the bench");
    }
    pl_free(px);
    pl_free(out);
    pl_free(reals);
    pl_free(sums);
    return s;
}
