/* SPDX-License-Identifier: BSD-2-Clause */
/* Pictures of packed bits (simd/kernels.def): eight pixels a byte, 1 is ink. */
#ifndef PL_IMAGE_BITS_H
#define PL_IMAGE_BITS_H

#include "image/image.h"

struct pl_bits {
    struct pl_image bytes; /* rows of (width + 7) / 8 bytes; the bits behind the width are zeros */
    int width, height;     /* pixels */
};

/* Columns x0..x1-1 of row y. */
struct pl_run {
    int32_t x0, x1, y;
};

/* Frees its bits when they leave scope: pl_auto_bits b = {0}; */
#define pl_auto_bits __attribute__((cleanup(pl_bits_done))) struct pl_bits

/* Bits of undefined value. width and height are at least 1. PLATEN_ERR_NOMEM, PLATEN_ERR_LIMIT. */
PL_MUST_USE platen_status pl_bits_init(const struct pl_env *env, int width, int height,
                                       struct pl_bits *ret, struct platen_error *err);
/* The same of zeros. */
PL_MUST_USE platen_status pl_bits_blank(const struct pl_env *env, int width, int height,
                                        struct pl_bits *ret, struct platen_error *err);
/* The pixels of im (PL_GRAY8) that are at most t; 127 for a bilevel picture. */
PL_MUST_USE platen_status pl_bits_from_image(const struct pl_env *env, const struct pl_image *im,
                                             uint8_t t, struct pl_bits *ret,
                                             struct platen_error *err);
/* A bilevel picture: ink 0, paper 255. */
PL_MUST_USE platen_status pl_bits_to_image(const struct pl_env *env, const struct pl_bits *bits,
                                           struct pl_image *ret, struct platen_error *err);
/* The runs of ink of a row of so many bytes: how many there are, and these from left to right,
 * which are returned in number. */
size_t pl_bits_count_runs(const uint8_t *row, size_t bytes);
size_t pl_bits_runs(const uint8_t *row, size_t bytes, int y, struct pl_run *out);
/* Ink among the pixels x0..x1-1 of a row; x0 < x1. */
uint32_t pl_bits_count(const uint8_t *row, int x0, int x1);
/* Returns whether there is any among them. */
bool pl_bits_any_between(const uint8_t *row, int x0, int x1);
/* Copies the pixels x0..x1-1 of a row to the same places of another. */
void pl_bits_copy(uint8_t *dst, const uint8_t *src, int x0, int x1);
/* Returns whether there is any ink. */
bool pl_bits_any(const struct pl_bits *bits);
/* Each changes its first picture by a second one of the same size: it adds the ink of that, keeps
 * only the ink that is in both, or takes away the ink that is in both. */
void pl_bits_add(const struct pl_bits *to, const struct pl_bits *more);
void pl_bits_keep(const struct pl_bits *from, const struct pl_bits *these);
void pl_bits_drop(const struct pl_bits *from, const struct pl_bits *less);
/* Gives the share back and empties *bits; empty bits are fine. */
void pl_bits_done(struct pl_bits *bits);

static inline uint8_t *pl_bits_row(const struct pl_bits *bits, int y)
{
    return pl_image_row(&bits->bytes, y);
}

static inline bool pl_bits_ink(const struct pl_bits *bits, int x, int y)
{
    return pl_bits_row(bits, y)[x / 8] << x % 8 & 0x80;
}

static inline void pl_bits_set(const struct pl_bits *bits, int x, int y)
{
    pl_bits_row(bits, y)[x / 8] |= (uint8_t)(0x80u >> x % 8);
}

static inline void pl_bits_erase(const struct pl_bits *bits, int x, int y)
{
    pl_bits_row(bits, y)[x / 8] &= (uint8_t) ~(0x80u >> x % 8);
}

#endif
