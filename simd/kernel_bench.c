/* SPDX-License-Identifier: BSD-2-Clause */
#include "simd/kernel_bench.h"

#include <string.h>

#include "base/mem.h"
#include "base/turns.h"
#include "simd/cpu.h"

/* plain_init.h (made by meson) lists PL_INIT(isa, LEVEL, family) for the scalar bodies that the
 * compiler made for an instruction set; a build without the option plain_kernels has none. */
#define PL_INIT(isa, level, family) void pl_##family##_init_plain_##isa(struct pl_kernels *k);
#include "simd/plain_init.h"
#undef PL_INIT

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
    {"L2", 2048, 32, PL_TURNS_MOST_ROUNDS},
    {"page", 2550, 3300, 5},
};

/* The bodies of one kernel: way i is that of k[i]. */
struct entrants {
    case_fn *run;
    const struct pl_bench_data *d;
    size_t n, elements;
    struct pl_kernels k[PL_TURNS_MOST_WAYS];
    int plain[PL_TURNS_MOST_WAYS]; /* of a level: its way as the compiler makes it; -1 = none */
};

/* The widest instruction set of a level for which there are plain bodies; scalar = none. */
static enum pl_isa plain_isa(enum pl_isa isa PL_UNUSED)
{
    enum pl_isa widest = PL_ISA_SCALAR;
#define PL_INIT(isa_, level, family)                                                               \
    if (pl_isa_contains(isa, PL_ISA_##level) && PL_ISA_##level > widest)                           \
        widest = PL_ISA_##level;
#include "simd/plain_init.h"
#undef PL_INIT
    return widest;
}

/* The scalar table with the bodies that the compiler made for `isa`. */
static void init_plain(struct pl_kernels *k, enum pl_isa isa PL_UNUSED)
{
    pl_kernels_init(k, PL_ISA_SCALAR);
#define PL_INIT(isa_, level, family)                                                               \
    if (isa == PL_ISA_##level)                                                                     \
        pl_##family##_init_plain_##isa_(k);
#include "simd/plain_init.h"
#undef PL_INIT
}

/* Adds the levels that have a body of their own, scalar first; returns how many there are. */
static size_t add_levels(struct entrants *e, enum pl_kernel_id id)
{
    e->n = 0;
    for (int isa = 0; isa < PL_ISA_COUNT; isa++) {
        if (!pl_isa_available((enum pl_isa)isa))
            continue;
        pl_kernels_init(&e->k[e->n], (enum pl_isa)isa);
        e->plain[e->n] = -1;
        if (pl_kernel_body(&e->k[e->n], id) == (enum pl_isa)isa)
            e->n++;
    }
    return e->n;
}

/* Adds what the compiler makes for these levels, one way for all that share it. */
static void add_plain(struct entrants *e, size_t levels)
{
    int way[PL_ISA_COUNT] = {0};
    for (size_t i = 1; i < levels; i++) {
        const enum pl_isa isa = plain_isa(e->k[i].isa);
        if (isa == PL_ISA_SCALAR)
            continue;
        if (!way[isa]) {
            way[isa] = (int)e->n;
            init_plain(&e->k[e->n++], isa);
        }
        e->plain[i] = way[isa];
    }
}

static platen_status run_entrant(void *ctx, size_t way, struct platen_error *err PL_UNUSED)
{
    struct entrants *e = ctx;
    e->elements = e->run(&e->k[way], e->d);
    return PLATEN_OK;
}

static platen_status bench_one(enum pl_kernel_id id, const struct bench_size *size,
                               const struct pl_bench_data *d, pl_bench_row_fn *fn, void *ctx,
                               struct platen_error *err)
{
    struct entrants e = {.run = cases[id], .d = d};
    const size_t levels = add_levels(&e, id);
    add_plain(&e, levels);
    struct pl_turns t = {.ways = e.n,
                         .rounds = size->rounds,
                         .clock = CLOCK_THREAD_CPUTIME_ID,
                         .least_ns = MIN_SLICE_NS};
    platen_status s = pl_turns_run(&t, run_entrant, &e, err);
    for (size_t i = 0; !s && i < levels; i++) {
        const struct pl_bench_row row = {
            .kernel = id,
            .isa = e.k[i].isa,
            .size = size->name,
            .ns = pl_turns_ns(&t, i) / (double)e.elements,
            .speedup = pl_turns_speedup(&t, 0, i),
            .by_hand = e.plain[i] < 0 ? 0 : pl_turns_speedup(&t, (size_t)e.plain[i], i)};
        fn(ctx, &row);
    }
    return s;
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
            for (size_t i = 0; !s && i < sizeof(sizes) / sizeof(sizes[0]); i++) {
                struct pl_bench_data d = {sizes[i].width, sizes[i].height,       px, reals,
                                          sums,           sums + largest->width, out};
                if (wanted(names, n_names, pl_kernel_name((enum pl_kernel_id)id)))
                    s = bench_one((enum pl_kernel_id)id, &sizes[i], &d, fn, ctx, err);
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
