/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tests of pictures share: loading, and expectations in plain arithmetic. */
#ifndef IMAGE_FIXTURE_H
#define IMAGE_FIXTURE_H

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "codec/codec.h"
#include "tests/unit/env_fixture.h"

#define LIMIT 200000000u

static inline platen_status load(const void *data, size_t n, bool gray, struct pl_image *ret)
{
    struct pl_load_options opt = {.gray = gray, .max_pixels = LIMIT};
    /* exactly n bytes, so that a sanitizer sees every one read behind them */
    uint8_t *copy = malloc(n ? n : 1);
    memcpy(copy, data, n);
    err = (struct platen_error){0};
    platen_status s = pl_image_load(&env, copy, n, &opt, ret, &err);
    free(copy);
    return s;
}

static inline struct pl_image must_load(const void *data, size_t n, bool gray)
{
    struct pl_image im = {0};
    platen_status s = load(data, n, gray, &im);
    ck_assert_msg(s == PLATEN_OK, "%s", err.text);
    return im;
}

/* Refused with that status, with a text that has `part` in it, and nothing handed out. */
static inline void must_fail(const void *data, size_t n, platen_status want, const char *part)
{
    struct pl_image im = {0};
    ck_assert_int_eq(load(data, n, false, &im), want);
    ck_assert_msg(strstr(err.text, part), "'%s' lacks '%s'", err.text, part);
    ck_assert_ptr_null(im.store);
}

/* No prefix of data[0..n) is a picture. */
static inline void every_truncation_fails(const void *data, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        struct pl_image im = {0};
        platen_status s = load(data, k, k % 2, &im);
        ck_assert_msg(s == PLATEN_ERR_FORMAT, "%zu of %zu bytes: %s", k, n, err.text);
        ck_assert_ptr_null(im.store);
        ck_assert(err.text[0]);
    }
    struct pl_image im = must_load(data, n, false);
    pl_image_done(&im);
}

/* As load(), where the caller is told of flaws. */
static inline platen_status load_flawed(const void *data, size_t n, struct pl_image *ret,
                                        struct pl_flaw *ret_flaw)
{
    struct pl_load_options opt = {.max_pixels = LIMIT, .ret_flaw = ret_flaw};
    uint8_t *copy = malloc(n ? n : 1);
    memcpy(copy, data, n);
    *ret_flaw = (struct pl_flaw){.text = ""};
    platen_status s = pl_image_load(&env, copy, n, &opt, ret, &err);
    free(copy);
    return s;
}

/* What is told of a damaged picture is true of it: so many rows are those of the whole one, and the
 * others are white. Returns how many. */
static inline int rows_as_told(const struct pl_image *im, const struct pl_image *whole,
                               const struct pl_flaw *flaw)
{
    const char *counts = strrchr(flaw->text, ';');
    int rows, height, equal = 0, other = 0;
    ck_assert_msg(flaw->damaged && counts, "'%s'", flaw->text);
    ck_assert_int_eq(sscanf(counts, "; %d of %d rows were read", &rows, &height), 2);
    ck_assert(height == whole->height && im->width == whole->width && im->height == height);
    ck_assert_double_eq_tol(flaw->lost_share, 1 - rows / (double)height, 1e-9);
    for (int y = 0; y < height; y++) {
        const size_t bytes = (size_t)im->width * (size_t)im->format;
        const uint8_t *row = pl_image_row(im, y);
        const bool is_white = row[0] == 255 && !memcmp(row, row + 1, bytes - 1);
        const bool is_equal = !memcmp(row, pl_image_row(whole, y), bytes);
        equal += is_equal;
        other += !is_equal;
        ck_assert_msg(is_equal || is_white, "row %d: '%s'", y, flaw->text);
    }
    ck_assert_msg(equal >= rows && other <= height - rows, "%d, %s", equal, flaw->text);
    return rows;
}

/* Every prefix of data[0..n) is refused, or read as far as it goes: at least `least` of them. */
static inline void truncations_are_told(const void *data, size_t n, int least)
{
    struct pl_image whole = must_load(data, n, false);
    int read = 0;
    for (size_t k = 0; k < n; k++) {
        struct pl_image im = {0};
        struct pl_flaw flaw;
        platen_status s = load_flawed(data, k, &im, &flaw);
        ck_assert(s == PLATEN_OK || s == PLATEN_ERR_FORMAT);
        if (!s && flaw.damaged)
            read += rows_as_told(&im, &whole, &flaw) > 0;
        pl_image_done(&im);
    }
    ck_assert_int_ge(read, least);
    pl_image_done(&whole);
}

/* Each allocation fails in turn: out of memory, or a picture when it was one that can be missed. */
static inline void every_allocation_may_fail(const void *data, size_t n)
{
    for (int persistent = 0; persistent < 2; persistent++) {
        for (uint64_t k = 1;; k++) {
            struct pl_image im = {0};
            teardown(); /* an empty pool: its allocations count too */
            setup();
            uint64_t before = pl_mem_count();
            pl_mem_fail_at(k, persistent);
            platen_status s = load(data, n, false, &im);
            uint64_t used = pl_mem_count() - before;
            pl_mem_fail_at(0, false);
            ck_assert_msg(s == PLATEN_OK || s == PLATEN_ERR_NOMEM, "%s", err.text);
            pl_image_done(&im);
            if (used < k)
                break;
            ck_assert_uint_lt(k, 1000);
        }
    }
}

/* Each allocation of writing fails in turn: the picture is written, or memory is short. */
static inline void writing_survives(platen_status (*encode)(const struct pl_image *,
                                                            struct pl_str *, struct platen_error *),
                                    const struct pl_image *im)
{
    for (uint64_t k = 1;; k++) {
        struct pl_str file = {0};
        const uint64_t before = pl_mem_count();
        pl_mem_fail_at(k, false);
        const platen_status s = encode(im, &file, &err);
        const uint64_t used = pl_mem_count() - before;
        pl_mem_fail_at(0, false);
        pl_str_done(&file);
        ck_assert_int_eq(s, used < k ? PLATEN_OK : PLATEN_ERR_NOMEM);
        if (used < k)
            break;
    }
}

static inline const uint8_t *pixel(const struct pl_image *im, int x, int y)
{
    return pl_image_row(im, y) + x * (int)im->format;
}

/* v of 0..max as 0..255. */
static inline int to_255(double v, double max)
{
    return (int)lround(v * 255 / max);
}

static inline int over_white(int c, int a)
{
    return (int)lround(c * a / 255.0 + 255 - a);
}

/* BT.601 in the coefficients that kernels.def states. */
static inline int luma(int r, int g, int b)
{
    return (9798 * r + 19235 * g + 3735 * b + 16384) >> 15;
}

#endif
