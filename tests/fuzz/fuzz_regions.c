/* SPDX-License-Identifier: BSD-2-Clause */
/* Operations that find lines on pictures of rectangles and noise, of any shape down to one pixel
 * and up to long strips; and reading order of any lines. All ink is accounted for, no line is lost
 * or doubled, and the scalar kernels give the same as the best ones. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "detect/detect.h"
#include "detect/order/order.h"
#include "layout/steps.h"
#include "tests/fuzz/bytes.h"

#define DETECTOR PL_TEST_ROOT "/tests/data/model/maps.platen"
#define IMPORTED PL_TEST_ROOT "/tests/fuzz/corpus/network/text.platen"
#define MAX_PIXELS (1 << 16)
#define MAX_SIDE 16384
#define MAX_LINES 96
#define MAX_RULES 48

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static int next_pair(struct bytes *b)
{
    int high = next(b);
    return high << 8 | next(b);
}

static void fill(const struct pl_image *im, struct bytes *b)
{
    int x0 = next(b) * im->width / 256, y0 = next(b) * im->height / 256;
    int w = next(b) * im->width / 512 + 1, h = next(b) % 64 + 1;
    uint8_t v = next(b);
    for (int y = y0; y < PL_MIN(y0 + h, im->height); y++)
        memset(pl_image_row(im, y) + x0, im->bilevel ? (v & 128 ? 255 : 0) : v,
               (size_t)PL_MIN(w, im->width - x0));
}

/* Paper with noise, as much as a byte says, and rectangles. */
static bool draw(const struct pl_env *env, struct bytes *b, struct pl_image *ret)
{
    uint8_t kind = next(b), paper = kind & 1 ? 255 : next(b), share = next(b);
    int w = next_pair(b) % MAX_SIDE + 1;
    int h = next_pair(b) % PL_MIN(MAX_SIDE, MAX_PIXELS / w) + 1;
    if (kind & 2) {
        int side = w;
        w = h;
        h = side;
    }
    if (pl_image_init(env, w, h, PL_GRAY8, ret, NULL))
        return false;
    ret->bilevel = kind & 1;
    uint32_t noise = kind;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            noise = noise * 1664525 + 1013904223;
            bool spot = kind & 4 && (noise >> 24) < share;
            pl_image_row(ret, y)[x] = !spot ? paper : ret->bilevel ? 0 : (uint8_t)(noise >> 16);
        }
    while (b->n > 0)
        fill(ret, b);
    return true;
}

static uint64_t mix(uint64_t h, int64_t v)
{
    return (h ^ (uint64_t)v) * 1099511628211u;
}

static uint64_t mix_rect(uint64_t h, struct pl_rect r)
{
    return mix(mix(mix(mix(h, r.x0), r.y0), r.x1), r.y1);
}

/* `line` may have one of which binarisation left no glyph. */
static void check_line(const struct pl_line *l, bool may_be_bare)
{
    bool bare = !l->n_gaps && l->glyph_px <= 0;
    if (!isfinite(l->base_y) || !isfinite(l->slope) || pl_rect_empty(l->box))
        abort();
    if (bare ? !may_be_bare : !l->n_gaps || !(l->glyph_px > 0))
        abort();
    for (size_t g = 0; g < l->n_gaps; g++)
        if (pl_rect_empty(l->gaps[g]) || (g && l->gaps[g].x0 < l->gaps[g - 1].x0))
            abort();
}

static uint64_t check_regions(uint64_t h, const struct pl_regions *r, bool may_be_bare)
{
    if (r->ink_in_lines_px + r->rules_px + r->graphics_px + r->specks_px + r->unexplained_px !=
            r->ink_px ||
        r->n_unexplained > PL_MAX_UNEXPLAINED)
        abort();
    for (size_t b = 0; b < r->n_blocks; b++) {
        if (!r->blocks[b].n_lines)
            abort();
        for (size_t i = 0; i < r->blocks[b].n_lines; i++) {
            check_line(&r->blocks[b].lines[i], may_be_bare);
            h = mix_rect(h, r->blocks[b].lines[i].box);
        }
        h = mix_rect(h, r->blocks[b].box);
    }
    return mix(h, (int64_t)r->unexplained_px);
}

static struct pl_network *detector;
static struct pl_network *imported;

static bool open_net(const struct pl_detect_op *op, const struct pl_kernels *k, const void *args,
                     struct pl_detect_net *ret)
{
    if (op->open)
        return !op->open(imported, k, args, &ret->imported, NULL);
    return !pl_op_param_naming(&op->info, PL_NAMES_MODEL) ||
           !pl_detector_new(detector, k, &ret->own, NULL);
}

static uint64_t run_op(enum pl_isa isa, struct bytes b)
{
    const struct pl_detect_op *op = pl_detect_op_of(pl_detect_ops[next(&b) % 4]);
    struct pl_kernels k;
    struct pl_env env = {.k = &k, .bufs = pl_bufpool_new()};
    struct pl_page_image page = {.to_input = PL_AFFINE_IDENTITY};
    struct pl_regions regions = {0};
    _Alignas(double) char args[128];
    struct pl_arena arena;
    struct pl_detect_net net = {0};
    uint64_t h = 1469598103934665603u;
    pl_kernels_init(&k, isa);
    pl_arena_init(&arena);
    if (op->info.args_size > sizeof(args))
        abort();
    pl_args_init(&op->info, args);
    if (env.bufs && draw(&env, &b, &page.image) && open_net(op, &k, args, &net))
        if (!op->run(&net, &env, &arena, &page, args, &regions, NULL))
            h = check_regions(h, &regions, !strcmp(op->info.name, "line"));
    pl_detector_free(net.own);
    pl_db_net_free(net.imported);
    pl_arena_done(&arena);
    pl_page_image_done(&page);
    pl_bufpool_free(env.bufs);
    return h;
}

/* A line of up to eight words. */
static struct pl_line make_line(struct bytes *b, struct pl_rect *gaps, int unit)
{
    int x = next(b) * unit, y = next(b) * unit, h = next(b) % 32 + 1;
    struct pl_line l = {.quarters = next(b) % 8 ? 0 : 1, .gaps = gaps, .n_gaps = next(b) % 8 + 1};
    for (size_t i = 0; i < l.n_gaps; i++) {
        int w = next(b) + 1;
        gaps[i] = (struct pl_rect){x, y, x + w, y + h};
        x += w + next(b);
    }
    l.box = (struct pl_rect){gaps[0].x0, y, gaps[l.n_gaps - 1].x1, y + h};
    l.glyph_px = h;
    l.base_y = y + h;
    l.slope = (next(b) - 128) / 1024.0;
    l.n_words = next(b) % 2; /* for the second order */
    return l;
}

static void check_order(const struct pl_regions *r, size_t n_words)
{
    size_t seen = 0;
    for (size_t i = 0; i < r->n_unread; i++) {
        check_line(&r->unread[i], false);
        seen += r->unread[i].n_gaps;
    }
    for (size_t b = 0; b < r->n_blocks; b++)
        for (size_t i = 0; i < r->blocks[b].n_lines; i++) {
            check_line(&r->blocks[b].lines[i], false);
            seen += r->blocks[b].lines[i].n_gaps;
        }
    if (seen != n_words)
        abort();
}

/* Rules, level and upright in turns, and the tables and blocks that they make of the lines. */
static void find_tables(struct bytes *b, struct pl_arena *arena, int unit, size_t n_words,
                        struct pl_regions *r)
{
    struct pl_rule rules[MAX_RULES];
    r->rules = rules;
    r->n_rules = next(b) % MAX_RULES;
    for (size_t i = 0; i < r->n_rules; i++) {
        const int x = next(b) * unit, y = next(b) * unit, length = (next(b) + 1) * unit;
        rules[i].upright = i % 2;
        rules[i].box = i % 2 ? (struct pl_rect){x, y, x + 1, y + length}
                             : (struct pl_rect){x, y, x + length, y + 1};
    }
    if (pl_tables_ruled(arena, r))
        check_order(r, n_words);
    if (pl_blocks_name(arena, r))
        check_order(r, n_words);
}

static void order_lines(struct bytes b)
{
    struct pl_line lines[MAX_LINES];
    struct pl_rect gaps[MAX_LINES][8];
    struct pl_word word = {.text = "x", .n_chars = 1};
    const struct bytes start = b; /* rules are made of the same bytes as lines */
    struct pl_arena arena;
    int unit = 1 << next(&b) % 16;
    struct pl_regions r = {.width = 1 << 24, .height = 1 << 24, .glyph_px = next(&b) % 32 + 1};
    uint32_t n = 0;
    size_t n_words = 0;
    r.slope = (next(&b) - 128) / 1024.0;
    for (; n < MAX_LINES && b.n > 0; n++) {
        lines[n] = make_line(&b, gaps[n], unit);
        lines[n].words = lines[n].n_words ? &word : NULL;
        n_words += lines[n].n_gaps;
    }
    pl_arena_init(&arena);
    if (n && pl_order_lines(&arena, lines, n, &r)) {
        check_order(&r, n_words);
        struct bytes rules = start;
        if (pl_unread_part(&arena, &r)) {
            check_order(&r, n_words);
            find_tables(&rules, &arena, unit, n_words, &r);
        }
    }
    pl_arena_done(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct bytes b = {data, n};
    if (!detector &&
        (pl_network_open(DETECTOR, &detector, NULL) || pl_network_open(IMPORTED, &imported, NULL)))
        abort();
    if (next(&b) % 2)
        order_lines(b);
    else if (run_op(PL_ISA_SCALAR, b) != run_op(pl_isa_best(), b))
        abort();
    return 0;
}
