/* SPDX-License-Identifier: BSD-2-Clause */
/* Our decoders beside others: the same pixels, or both refuse. */
#ifndef TESTS_FUZZ_DIFF_CHECK_H
#define TESTS_FUZZ_DIFF_CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec/decode.h"

#define MAX_PIXELS ((uint64_t)1 << 18) /* a run stays short */

/* What the other decoder made of it. */
struct other {
    uint8_t *rgb; /* width * height * 3 bytes, alpha over white; NULL = it refuses */
    int width, height;
    int most;       /* that a sample may differ by */
    bool unlike;    /* pixels are known to differ: see the target */
    bool stricter;  /* it may refuse what ours takes: see the target */
    bool forgiving; /* it went on behind damage, or stopped before the end */
    char why[200];  /* it refuses */
};

static inline void differ(const char *what, const char *why)
{
    fprintf(stderr, "a difference: %s%s%s\n", what, *why ? ": " : "", why);
    abort();
}

static inline void compare_pixels(const struct pl_image *ours, const struct other *o)
{
    if (ours->width != o->width || ours->height != o->height)
        differ("size", "");
    int c = (int)ours->format;
    for (int y = 0; y < ours->height; y++)
        for (int x = 0; x < ours->width; x++)
            for (int i = 0; i < 3; i++) {
                int a = pl_image_row(ours, y)[x * c + i % c];
                int b = o->rgb[((size_t)y * (size_t)ours->width + (size_t)x) * 3 + (size_t)i];
                if (abs(a - b) <= o->most)
                    continue;
                char where[80];
                snprintf(where, sizeof(where), "x %d, y %d, sample %d: %d, other %d", x, y, i, a,
                         b);
                differ("pixels", where);
            }
}

/* Decodes data with ours, compares, and frees what the other one made. Ours may refuse what exceeds
 * a limit or is not supported. */
static inline void compare_decoders(pl_decode_fn *decode, const uint8_t *data, size_t n,
                                    struct other *o)
{
    static struct pl_kernels k; /* asked for once: the question takes longer than most decoders */
    static bool asked;
    if (!asked)
        pl_kernels_init(&k, pl_isa_best());
    asked = true;
    struct pl_env env = {.k = &k, .bufs = pl_bufpool_new()};
    struct pl_load_options opt = {.max_pixels = MAX_PIXELS, .page = 1};
    struct pl_source src = {.env = &env, .data = data, .n = n, .opt = &opt};
    struct pl_decoded d = {0};
    struct platen_error err = {0};
    platen_status s = env.bufs ? decode(&src, &d, &err) : PLATEN_ERR_NOMEM;
    if (!s && d.damage.why[0]) /* which pl_image_load() refuses where nobody is told */
        s = pl_fail(&err, PLATEN_ERR_FORMAT, "%s", d.damage.why);
    if (!s && !o->rgb && !o->stricter)
        differ("ours takes what the other one refuses", o->why);
    if (s == PLATEN_ERR_FORMAT && o->rgb && !o->forgiving)
        differ("ours refuses what the other one takes", err.text);
    if (!s && o->rgb && !o->unlike)
        compare_pixels(&d.image, o);
    pl_image_done(&d.image);
    pl_bufpool_free(env.bufs);
    free(o->rgb);
}

static inline uint8_t over_white(unsigned c, unsigned a)
{
    return (uint8_t)((c * a + 255u * (255u - a) + 127u) / 255u);
}

#endif
