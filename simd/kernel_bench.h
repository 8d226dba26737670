/* SPDX-License-Identifier: BSD-2-Clause */
/* Times the body of every kernel on every level of this machine against the scalar one, and against
 * what the compiler makes of that. */
#ifndef PL_SIMD_BENCH_H
#define PL_SIMD_BENCH_H

#include "base/status.h"
#include "simd/kernels.h"

struct pl_bench_row {
    enum pl_kernel_id kernel;
    enum pl_isa isa;  /* the level whose body ran; levels that inherit their body have no row */
    const char *size; /* "L2": 2048x32 pixels; "page": 2550x3300 */
    double ns;        /* processor time per element, the median of the rounds */
    double speedup;   /* times faster than scalar: the median of the ratios within each round */
    /* Times faster than the scalar source as the compiler makes it at -O3, for the widest of the
     * instruction sets of plain_init.h that the level has; 0 where there is none. */
    double by_hand;
};

typedef void pl_bench_row_fn(void *ctx, const struct pl_bench_row *row);

/* Calls `fn` for each row: kernels as in kernels.def, sizes, levels rising from scalar. An element
 * is a value written, or a value read by the kernels that only sum up. n_names = 0: all kernels.
 * PLATEN_ERR_ARG for a name that is no kernel, before anything runs; PLATEN_ERR_NOMEM. Takes about
 * 120 MB and 30 seconds. */
platen_status pl_bench_kernels(const char *const *names, size_t n_names, pl_bench_row_fn *fn,
                               void *ctx, struct platen_error *err);

/* What a case works on: pictures of width * height pixels. */
struct pl_bench_data {
    size_t width, height;
    const uint8_t *px;           /* 4 bytes a pixel, as a scan has them */
    const float *reals;          /* 1 a pixel, 0..255 */
    const uint32_t *sum, *sumsq; /* of PL_BENCH_WINDOW rows of px, `width` each */
    void *out;                   /* room for 4 bytes a pixel, 64-byte aligned */
};

#define PL_BENCH_WINDOW 31

/* Returns how many pixels a picture has. */
static inline size_t pl_bench_area(const struct pl_bench_data *d)
{
    return d->width * d->height;
}

/* The cases, one for each kernel: a missing one does not link. Each runs the kernel once over the
 * whole picture, by rows where the kernel knows rows, and returns the number of elements. */
#define PL_KERNEL(name, ret, args)                                                                 \
    size_t pl_bench_##name(const struct pl_kernels *k, const struct pl_bench_data *d);
#include "simd/kernels.def"
#undef PL_KERNEL

#endif
