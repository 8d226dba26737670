/* SPDX-License-Identifier: BSD-2-Clause */
/* Pages drawn glyph by glyph, at known places, and what was found on them. */
#ifndef DETECT_FIXTURE_H
#define DETECT_FIXTURE_H

#include <check.h>
#include <math.h>
#include <string.h>

#include "detect/detect.h"
#include "tests/unit/suite.h"

/* The glyphs are frames 2 px thick: x 14 px high, l 20 px, p 14 px and 6 px below the baseline. */
#define XHEIGHT 14
#define ASCENT 20
#define DESCENT 6
#define ADVANCE 14
#define WORD_SPACE 12

static struct pl_kernels kernels;

struct fixture {
    struct pl_env env;
    struct pl_arena arena;
    struct pl_page_image page;
    struct pl_regions regions;
    double tilt;         /* rows down per column */
    double bow;          /* rows down in the middle of the page, none at its sides */
    double spine, lower; /* rows down at the right side in the first row, and how many times that
                            in the last */
    int quarters;        /* what is drawn is turned clockwise by so many quarter turns */
};

static inline void setup(struct fixture *f, int w, int h)
{
    *f = (struct fixture){.env = {.k = &kernels, .bufs = pl_bufpool_new()}};
    pl_arena_init(&f->arena);
    ck_assert_int_eq(pl_image_init(&f->env, w, h, PL_GRAY8, &f->page.image, NULL), PLATEN_OK);
    f->page.image.bilevel = true;
    for (int y = 0; y < h; y++)
        memset(pl_image_row(&f->page.image, y), 255, (size_t)w);
}

static inline void teardown(struct fixture *f)
{
    pl_image_done(&f->page.image);
    pl_arena_done(&f->arena);
    pl_bufpool_free(f->env.bufs);
}

/* Returns how many rows down the spine takes what is drawn at (x, y). */
static inline double spine_at(const struct fixture *f, int x, int y)
{
    int w = f->page.image.width, h = f->page.image.height;
    return f->spine * exp((x - w) / (0.12 * w)) * (1 + (f->lower - 1) * y / h);
}

static inline void set_ink(struct fixture *f, int x, int y)
{
    int w = f->page.image.width, h = f->page.image.height;
    double side = 2.0 * x / w - 1;
    y += (int)floor(x * f->tilt + f->bow * (1 - side * side) + spine_at(f, x, y) + 0.5);
    for (int i = 0; i < f->quarters; i++) {
        int from = y;
        y = x;
        x = (i % 2 == f->quarters % 2 ? h : w) - 1 - from;
    }
    if (x >= 0 && y >= 0 && x < f->page.image.width && y < f->page.image.height)
        pl_image_row(&f->page.image, y)[x] = 0;
}

static inline void fill(struct fixture *f, int x0, int y0, int x1, int y1)
{
    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++)
            set_ink(f, x, y);
}

/* A stroke, 3 px thick, from row y0 to row y1 that leans by `lean` columns a row. */
static inline void stroke(struct fixture *f, int x, int y0, int y1, double lean)
{
    for (int y = y0; y < y1; y++)
        fill(f, x + (int)(lean * (y - y0)), y, x + (int)(lean * (y - y0)) + 3, y + 1);
}

static inline uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static inline void frame(struct fixture *f, int x0, int y0, int x1, int y1, int thick)
{
    fill(f, x0, y0, x1, y0 + thick);
    fill(f, x0, y1 - thick, x1, y1);
    fill(f, x0, y0, x0 + thick, y1);
    fill(f, x1 - thick, y0, x1, y1);
}

/* Draws letters x, l, p, i, '.', '-' and '(' and spaces, `k` times as large; returns the right end
 * of the last one. */
static inline int text(struct fixture *f, int x, int base, const char *s, int k)
{
    int end = x;
    for (; *s; s++) {
        int w = *s == 'l' || *s == 'i' ? 4 * k : *s == '.' ? 3 * k : 10 * k;
        if (*s == ' ') {
            x += WORD_SPACE * k - (ADVANCE - 10) * k;
            continue;
        }
        if (*s == 'x')
            frame(f, x, base - XHEIGHT * k, x + w, base, 2 * k);
        if (*s == 'l')
            fill(f, x, base - ASCENT * k, x + w, base);
        if (*s == 'p')
            frame(f, x, base - XHEIGHT * k, x + w, base + DESCENT * k, 2 * k);
        if (*s == 'i') {
            fill(f, x, base - XHEIGHT * k, x + w, base);
            fill(f, x, base - (XHEIGHT + 6) * k, x + w, base - (XHEIGHT + 3) * k);
        }
        if (*s == '.')
            fill(f, x, base - 3 * k, x + w, base);
        if (*s == '-')
            fill(f, x, base - 8 * k, x + w, base - 6 * k);
        end = x + w;
        x += w + (ADVANCE - 10) * k;
    }
    return end;
}

/* Runs the operation and checks that every ink pixel is in exactly one class, and one line. */
static inline void detect_with(struct fixture *f, const char *name, enum pl_columns columns)
{
    struct platen_error err = {0};
    struct pl_lines_args args = {.min_height_px = 4, .columns = columns};
    const struct pl_op_info *op = pl_operation_find(pl_detect_ops, name, strlen(name));
    ck_assert_ptr_nonnull(op);
    ck_assert_int_eq(
        pl_detect_op_of(op)->run(NULL, &f->env, &f->arena, &f->page, &args, &f->regions, &err),
        PLATEN_OK);
    const struct pl_regions *r = &f->regions;
    uint64_t ink = 0, in_lines = 0;
    for (size_t b = 0; b < r->n_blocks; b++)
        for (size_t i = 0; i < r->blocks[b].n_lines; i++)
            in_lines += r->blocks[b].lines[i].ink_px;
    ck_assert_uint_eq(in_lines, r->ink_in_lines_px);
    for (int y = 0; y < f->page.image.height; y++)
        for (int x = 0; x < f->page.image.width; x++)
            ink += pl_image_row(&f->page.image, y)[x] == 0;
    if (f->page.image.bilevel)
        ck_assert_uint_eq(r->ink_px, ink);
    ck_assert_uint_eq(r->ink_in_lines_px + r->rules_px + r->graphics_px + r->specks_px +
                          r->unexplained_px,
                      r->ink_px);
    ck_assert_uint_le(r->n_unexplained, PL_MAX_UNEXPLAINED);
}

static inline void detect(struct fixture *f)
{
    detect_with(f, "lines", 0);
}

static inline size_t count_lines(const struct fixture *f)
{
    size_t n = 0;
    for (size_t i = 0; i < f->regions.n_blocks; i++)
        n += f->regions.blocks[i].n_lines;
    return n;
}

/* Runs the operation, which must find so many lines. */
static inline void detect_lines(struct fixture *f, size_t n)
{
    detect(f);
    ck_assert_uint_eq(count_lines(f), n);
}

/* Line number i in reading order. */
static inline const struct pl_line *line_at(const struct fixture *f, size_t i)
{
    for (size_t b = 0; b < f->regions.n_blocks; b++) {
        if (i < f->regions.blocks[b].n_lines)
            return &f->regions.blocks[b].lines[i];
        i -= f->regions.blocks[b].n_lines;
    }
    ck_abort_msg("there is no such line");
}

static inline void assert_box(struct pl_rect r, int x0, int y0, int x1, int y1)
{
    ck_assert_msg(r.x0 == x0 && r.y0 == y0 && r.x1 == x1 && r.y1 == y1,
                  "box %d %d %d %d, not %d %d %d %d", r.x0, r.y0, r.x1, r.y1, x0, y0, x1, y1);
}

static inline void assert_at(const struct fixture *f, size_t i, int x0, int base)
{
    const struct pl_line *l = line_at(f, i);
    ck_assert_msg(l->box.x0 == x0 && fabs(l->base_y - base) < 0.01,
                  "line %zu at %d, %.1f, not %d, %d", i, l->box.x0, l->base_y, x0, base);
}

static inline const struct pl_line *line_of(const struct fixture *f, int x0, int base)
{
    for (size_t i = 0; i < count_lines(f); i++)
        if (line_at(f, i)->box.x0 == x0 && fabs(line_at(f, i)->base_y - base) < 1)
            return line_at(f, i);
    ck_abort_msg("there is no such line");
}

/* Draws n rows of `s` from (x, base) on, `pitch` px apart; returns their right end. */
static inline int text_rows(struct fixture *f, int x, int base, int pitch, int n, const char *s)
{
    int end = x;
    for (int i = 0; i < n; i++)
        end = text(f, x, base + pitch * i, s, 1);
    return end;
}

/* Draws a paragraph: n rows of `s`, 36 px apart. */
static inline void paragraph(struct fixture *f, int x, int base, const char *s, int n)
{
    text_rows(f, x, base, 36, n, s);
}

/* The shared main() of these suites. */
static inline int run_detect_suite(const char *name, TCase *tc)
{
    pl_kernels_init(&kernels, PL_ISA_SCALAR);
    Suite *s = suite_create(name);
    suite_add_tcase(s, tc);
    return run_suite(s);
}

#endif
