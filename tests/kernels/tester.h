/* SPDX-License-Identifier: BSD-2-Clause */
/* Differential tester: every kernel of every level against the scalar body, on buffers that end at
 * an unmapped page, so that a byte outside the named range is a fault. */
#ifndef TESTS_KERNELS_TESTER_H
#define TESTS_KERNELS_TESTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "simd/kernels.h"

struct kt {
    const struct pl_kernels *ref, *k; /* the scalar table, and the one under test */
    uint64_t rng;
    long checks;
};

enum kt_side {
    KT_TAIL, /* the last byte is the last one before an unmapped page */
    KT_HEAD, /* the first byte is the first one after an unmapped page */
    KT_SIDES
};

#define KT_SLOTS 8
#define KT_SLOT_BYTES ((size_t)1 << 20)

/* n bytes in slot 0..KT_SLOTS-1, against the unmapped page of that side. */
void *kt_buf(int slot, size_t n, enum kt_side side);
uint32_t kt_random(struct kt *t);
/* How kt_fill() fills: at random, or with an extreme. */
enum kt_pattern { KT_RANDOM, KT_ZEROS, KT_ONES, KT_PATTERNS };
void kt_fill(struct kt *t, void *p, size_t n, enum kt_pattern pattern);
/* Says which kernel, level and numbers failed, and ends the test of this kernel. */
void kt_fail(struct kt *t, const char *fmt, ...) __attribute__((format(printf, 2, 3), noreturn));
/* Fails unless got[0..n) equals want[0..n); `what` and the two numbers name the case. */
void kt_equal(struct kt *t, const void *want, const void *got, size_t n, const char *what, size_t a,
              size_t b);

/* The i-th size of the list 0..67, 127..129, 1023; SIZE_MAX behind it. */
size_t kt_size(size_t i);

#define PL_KERNEL(name, ret, args) void pl_test_##name(struct kt *t);
#include "simd/kernels.def"
#undef PL_KERNEL

#endif
