/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tests of stage one share: synthetic pages, the run of an operation. */
#ifndef PREPROCESS_FIXTURE_H
#define PREPROCESS_FIXTURE_H

#include <check.h>
#include <math.h>
#include <string.h>

#include "preprocess/ops.h"
#include "tests/unit/env_fixture.h"

static inline struct pl_page_image blank_page(int w, int h, uint8_t paper)
{
    struct pl_page_image p = {.to_input = PL_AFFINE_IDENTITY};
    ck_assert_int_eq(pl_image_init(&env, w, h, PL_GRAY8, &p.image, &err), PLATEN_OK);
    for (int y = 0; y < h; y++)
        memset(pl_image_row(&p.image, y), paper, (size_t)w);
    return p;
}

static inline void fill(const struct pl_image *im, int x0, int y0, int x1, int y1, uint8_t v)
{
    for (int y = y0; y < y1; y++)
        memset(pl_image_row(im, y) + x0, v, (size_t)(x1 - x0));
}

/* A parameter and its value. */
struct given {
    const char *name;
    double value;
};

/* Runs one operation with defaults, but for n parameters. */
static inline platen_status run_op_with(struct pl_page_image *p, const char *name, size_t n,
                                        const struct given *given)
{
    const struct pl_op_info *op = pl_operation_find(pl_preprocess_ops, name, strlen(name));
    _Alignas(double) char args[128];
    size_t found = 0;
    ck_assert_ptr_nonnull(op);
    ck_assert_uint_le(op->args_size, sizeof(args));
    pl_args_init(op, args);
    for (size_t i = 0; i < op->n_params; i++)
        for (size_t k = 0; k < n; k++)
            if (!strcmp(op->params[i].name, given[k].name)) {
                pl_arg_set_number(&op->params[i], args, given[k].value);
                found++;
            }
    ck_assert_uint_eq(found, n);
    return pl_preprocess_op_of(op)->run(&env, p, args, &err);
}

/* Runs one operation with defaults, but for one parameter by name (NULL: none). */
static inline platen_status run_op(struct pl_page_image *p, const char *name, const char *param,
                                   double v)
{
    return run_op_with(p, name, param ? 1 : 0, &(struct given){param, v});
}

/* Lines of block letters, turned counter-clockwise by deg about the page's middle. */
static inline struct pl_page_image text_page(int w, int h, double deg)
{
    struct pl_page_image p = blank_page(w, h, 240);
    double c = cos(deg * M_PI / 180), s = sin(deg * M_PI / 180);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            double dx = x + .5 - w / 2.0, dy = y + .5 - h / 2.0;
            double u = c * dx - s * dy + w / 2.0, v = s * dx + c * dy + h / 2.0;
            int line = (int)floor(v / 40), column = (int)floor(u / 18);
            double iu = u - column * 18, iv = v - line * 40;
            bool inside = u > 80 && u < w - 80 && v > 80 && v < h - 80;
            bool word_gap = (column * 7 + line * 3) % 11 < 2;
            bool tall = (column * 5 + line) % 4 == 0;
            if (inside && !word_gap && iu < 12 && iv > (tall ? 8 : 16) && iv < 30)
                pl_image_row(&p.image, y)[x] = 20;
        }
    return p;
}

/* Letters H, 14 x 20 pixels each 22, strokes of 4 pixels. */
static inline void write_h(const struct pl_image *im, int x, int y, int n, uint8_t ink)
{
    for (int i = 0; i < n; i++, x += 22) {
        fill(im, x, y, x + 4, y + 20, ink);
        fill(im, x + 10, y, x + 14, y + 20, ink);
        fill(im, x + 4, y + 8, x + 10, y + 12, ink);
    }
}

/* A page of dark lines, with a dark box of light letters at (100, 200) to (500, 240). */
static inline struct pl_page_image page_with_box(void)
{
    struct pl_page_image p = blank_page(700, 600, 240);
    for (int y = 40; y < 560; y += 40)
        write_h(&p.image, 60, y, y == 200 ? 0 : 25, 20);
    fill(&p.image, 100, 200, 500, 240, 20);
    write_h(&p.image, 180, 210, 10, 240);
    return p;
}

#endif
