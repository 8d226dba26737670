/* SPDX-License-Identifier: BSD-2-Clause */
/* The bench of platen's kernels beside other libraries: each library runs what it has of
 * bench/kernels/cases.def on the same pictures. */
#ifndef BENCH_KERNELS_PEERS_H
#define BENCH_KERNELS_PEERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum peer_case {
#define PEER_CASE(name, read, written, cache) CASE_##name,
#include "cases.def"
#undef PEER_CASE
    CASE_COUNT
};

/* One picture in all the forms that the cases start from, rows without gaps. */
struct peer_data {
    int width, height;
    uint8_t *gray, *rgb, *rgba;
    uint8_t *bilevel, *inverse; /* ink is 0, ink is 255 */
    uint8_t *bits;              /* packed bits, 1 is ink, rows of (width + 7) / 8 bytes */
    uint8_t *out;               /* the result; room for 4 bytes a pixel */
};

/* What a run left: `n` bytes in out that other libraries must agree with, or one number (n = 0);
 * nothing to compare where both are 0. */
struct peer_result {
    size_t n;
    long number;
};

struct peer {
    const char *name;
    /* Called once for each picture, outside the timing; NULL when nothing is to be done. */
    void (*prepare)(const struct peer_data *d);
    /* False when it has nothing for this case. */
    bool (*run)(enum peer_case c, const struct peer_data *d, struct peer_result *ret);
};

/* platen with the best level of this machine, with plain C, and the others. */
extern const struct peer peer_platen, peer_scalar, peer_opencv, peer_leptonica, peer_vips;

/* Ends the program with a message: a bench has nobody to tell it to. */
void peer_fail(const char *what) __attribute__((noreturn));

#ifdef __cplusplus
}
#endif

#endif
