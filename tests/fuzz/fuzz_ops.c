/* SPDX-License-Identifier: BSD-2-Clause */
/* Chains of operations with any arguments on a picture, which is mostly small, as time goes with
 * its pixels: the page stays well-formed, and the scalar kernels give the same bytes as the best
 * ones. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "op/op.h"
#include "tests/fuzz/bytes.h"

#define MAX_SIDE 48
#define LARGE 6 /* times as long as a small picture, at most */
#define MAX_OPS 6
/* Of a picture that another operation is still tried on. */
#define MAX_PIXELS (1 << 13)
#define MAX_LARGE_PIXELS (1 << 17)
#define MAX_LENGTH 60 /* of a parameter in px */
#define MAX_ARGS_BYTES 128

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static bool is_large(uint8_t kind)
{
    return kind >> 4 == 5 || kind >> 4 == 6;
}

/* Whether a large picture is white there: around its marks, each in a cell of its own, and in the
 * gutter between its halves. */
static bool is_blank(uint8_t kind, int x, int y, int cell, int width)
{
    bool mark = x % (2 * cell) < cell && y % (2 * cell) < cell;
    return kind >> 4 == 5 && (!mark || abs(2 * x - width) < width / 6);
}

/* Half of the sides are below a quarter of the longest. */
static int side(uint8_t byte)
{
    int v = byte % MAX_SIDE;
    return v * v / (MAX_SIDE - 1) + 1;
}

/* How many times as long a picture's sides are: LARGE for one in eight of the large kinds, which
 * are one in eight, and less for the rest of these. */
static int scale_of(uint8_t kind, uint8_t size)
{
    return !is_large(kind) ? 1 : size >> 5 == 7 ? LARGE : (size >> 6) + 1;
}

/* A picture of blocks and noise: the bytes say which. */
static bool draw(const struct pl_env *env, struct bytes *b, struct pl_image *ret)
{
    uint8_t kind = next(b), seed = next(b), size = next(b);
    enum pl_format format = kind & 1 ? PL_RGB8 : PL_GRAY8;
    int cell = size % 32 + 1, scale = scale_of(kind, size);
    int w = side(next(b)) * scale, h = side(next(b)) * scale;
    if (pl_image_init(env, w, h, format, ret, NULL))
        return false;
    ret->bilevel = format == PL_GRAY8 && kind & 2;
    ret->dpi_x = ret->dpi_y = kind & 4 ? 1200 : 0;
    uint32_t noise = seed;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w * (int)format; x++) {
            noise = noise * 1664525 + 1013904223;
            uint32_t v = (uint32_t)(x / cell * seed + y / cell * 77) ^ (kind & 8 ? noise >> 24 : 0);
            if (is_blank(kind, x / (int)format, y, cell, w))
                v = 255;
            pl_image_row(ret, y)[x] = (uint8_t)(ret->bilevel ? (v & 4 ? 255 : 0) : v);
        }
    return true;
}

static double value(const struct pl_param *p, uint8_t byte)
{
    double max = p->kind == PL_PARAM_CHOICE ? 0 : p->max;
    while (p->kind == PL_PARAM_CHOICE && p->choices[(int)max + 1])
        max++;
    if (p->unit && !strcmp(p->unit, "px"))
        max = fmin(max, MAX_LENGTH);
    double v = p->min + (max - p->min) * byte / 255;
    return byte == 128 ? p->def : p->kind == PL_PARAM_NUMBER ? v : floor(v + 0.5);
}

static void check_image(const struct pl_image *im)
{
    if (im->width < 1 || im->height < 1 || !im->px)
        abort();
    for (int y = 0; im->bilevel && y < im->height; y++)
        for (int x = 0; x < im->width; x++)
            if (pl_image_row(im, y)[x] != 0 && pl_image_row(im, y)[x] != 255)
                abort();
}

static void check_page(const struct pl_page_image *p)
{
    check_image(&p->image);
    if (p->gray.store) {
        check_image(&p->gray);
        if (p->gray.width != p->image.width || p->gray.height != p->image.height)
            abort();
    }
    struct pl_point at = pl_affine_apply(&p->to_input, 1, 1);
    if (!isfinite(at.x) || !isfinite(at.y) || !isfinite(p->angle_deg))
        abort();
}

static uint64_t hash_image(uint64_t h, const struct pl_image *im)
{
    for (int y = 0; y < im->height; y++)
        for (int x = 0; x < im->width * (int)im->format; x++)
            h = (h ^ pl_image_row(im, y)[x]) * 1099511628211u;
    return h;
}

static uint64_t run_chain(enum pl_isa isa, const uint8_t *data, size_t n)
{
    struct bytes b = {data, n};
    struct pl_kernels k;
    struct pl_env env = {.k = &k, .bufs = pl_bufpool_new()};
    struct pl_page_image page = {.to_input = PL_AFFINE_IDENTITY};
    uint64_t h = 1469598103934665603u;
    bool large = n > 2 && scale_of(data[0], data[2]) == LARGE;
    int64_t most_pixels = large ? MAX_LARGE_PIXELS : MAX_PIXELS;
    pl_kernels_init(&k, isa);
    bool ok = env.bufs && draw(&env, &b, &page.image);
    for (int i = 0; ok && i < MAX_OPS && b.n > 0; i++) {
        size_t count = 0;
        while (pl_preprocess_ops[count])
            count++;
        const struct pl_op_info *op = pl_preprocess_ops[next(&b) % count];
        _Alignas(double) char args[MAX_ARGS_BYTES] = {0};
        if (op->args_size > sizeof(args))
            abort();
        for (size_t j = 0; j < op->n_params; j++)
            pl_arg_set_number(&op->params[j], args, value(&op->params[j], next(&b)));
        ok = pl_preprocess_op_of(op)->run(&env, &page, args, NULL) == PLATEN_OK;
        check_page(&page); /* after a failure too: the page is as it was */
        h = hash_image(hash_image(h, &page.image), &page.gray);
        ok = ok && (int64_t)page.image.width * page.image.height <= most_pixels;
    }
    pl_page_image_done(&page);
    pl_bufpool_free(env.bufs);
    return h;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    if (run_chain(PL_ISA_SCALAR, data, n) != run_chain(pl_isa_best(), data, n))
        abort();
    return 0;
}
