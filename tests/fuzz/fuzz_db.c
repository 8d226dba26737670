/* SPDX-License-Identifier: BSD-2-Clause */
/* Boxes of any map of text: NaN, infinities and all shapes of its parts included. Each is finite
 * and not empty, lies where its part does, and is scored as the places inside say. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "detect/net/db_boxes.h"
#include "tests/fuzz/bytes.h"

#define MAX_SIDE 128

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* A place is what one byte says, or a float of four. */
static float next_place(struct bytes *b)
{
    uint8_t v = next(b);
    float f;
    if (v < 255)
        return (float)v / 128;
    uint8_t raw[4] = {next(b), next(b), next(b), next(b)};
    memcpy(&f, raw, sizeof(f));
    return f;
}

static void check(const struct pl_text_box *b, const struct pl_db_map *m)
{
    double w = m->width * m->scale_x, h = m->height * m->scale_y;
    if (!isfinite(b->length) || !isfinite(b->height) || !(b->length > 0) || !(b->height > 0))
        abort();
    if (!(fabs(b->ux * b->ux + b->uy * b->uy - 1) < 1e-9) || !(b->ux > 0.7))
        abort();
    if (!(b->middle.x > 0 && b->middle.x < w && b->middle.y > 0 && b->middle.y < h))
        abort();
    struct pl_rect r = pl_text_box_bounds(b, (int)ceil(w), (int)ceil(h));
    struct pl_point at = pl_text_box_at(b, b->middle.x, b->middle.y);
    if (pl_rect_empty(r) || fabs(at.x) > 1e-9 || fabs(at.y) > 1e-9)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static float text[MAX_SIDE * MAX_SIDE];
    struct bytes b = {data, n};
    struct pl_kernels k;
    struct pl_env env = {.k = &k, .bufs = pl_bufpool_new()};
    struct pl_arena arena;
    struct pl_text_box *boxes;
    size_t n_boxes;
    struct pl_db_map m = {text, next(&b) % MAX_SIDE + 1, next(&b) % MAX_SIDE + 1,
                          (next(&b) + 1) / 32.0, (next(&b) + 1) / 32.0};
    struct pl_db_rules rules = {next(&b) / 256.0, next(&b) / 256.0, next(&b) / 32.0};
    for (int i = 0; i < m.width * m.height; i++)
        text[i] = next_place(&b);
    pl_kernels_init(&k, PL_ISA_SCALAR);
    pl_arena_init(&arena);
    if (env.bufs && !pl_db_boxes_find(&env, &arena, &m, &rules, &boxes, &n_boxes, NULL))
        for (size_t i = 0; i < n_boxes; i++)
            check(&boxes[i], &m);
    pl_arena_done(&arena);
    pl_bufpool_free(env.bufs);
    return 0;
}
