/* SPDX-License-Identifier: BSD-2-Clause */
#include "detect/ink/ink_rows.h"

#include <math.h>

#include "image/bits.h"
#include "image/range.h"
#include "detect/ink/ink_tuning.def"

struct row_run {
    int top, bottom;
};

struct profile {
    int *count; /* ink per row */
    int height;
    struct row_run *runs;
    int n_runs;
};

/* Fills the row of bits `keep` with the columns that may hold text: without the sides of a box.
 * Where very many columns would be sides, they are the text itself. */
static void keep_columns(const uint32_t *ink, const struct pl_bits *bits, uint8_t *keep)
{
    const double most = POST_SHARE * bits->height;
    int posts = 0;
    for (int x = 0; x < bits->width; x++)
        posts += ink[x] > most;
    const bool drop = posts < MAX_POSTS_SHARE * bits->width;
    for (int x = 0; x < bits->width; x++)
        if (!drop || ink[x] <= most)
            keep[x / 8] |= (uint8_t)(0x80u >> x % 8);
}

/* Makes of the bits of dark pixels those of the ink: what there is less of, dark or light, without
 * the sides of a box. */
static platen_status dark_to_ink(const struct pl_env *env, struct pl_arena *arena,
                                 const struct pl_bits *bits, struct platen_error *err)
{
    const size_t width = (size_t)bits->width, bytes = (width + 7) / 8;
    const uint32_t height = (uint32_t)bits->height;
    uint32_t *ink = PL_NEW(arena, uint32_t, width);
    uint8_t *keep = PL_NEW(arena, uint8_t, bytes);
    uint64_t dark = 0;
    if (!ink || !keep)
        return pl_fail_nomem(err, width * sizeof(*ink) + bytes, "ink columns");
    for (int y = 0; y < bits->height; y++)
        env->k->colsum_bits(ink, pl_bits_row(bits, y), width);
    for (size_t x = 0; x < width; x++)
        dark += ink[x];
    const bool light = 2 * dark > (uint64_t)width * height;
    for (size_t x = 0; light && x < width; x++)
        ink[x] = height - ink[x];
    keep_columns(ink, bits, keep);
    for (int y = 0; y < bits->height; y++) {
        uint8_t *row = pl_bits_row(bits, y);
        const uint8_t *both[] = {row, keep};
        if (light)
            env->k->invert_u8(row, row, bytes);
        env->k->and_u8(row, both, 2, bytes);
    }
    return PLATEN_OK;
}

/* Finds the ink of a picture: what lies on one side of the middle of the grey range. */
static platen_status find_ink(const struct pl_env *env, struct pl_arena *arena,
                              const struct pl_image *gray, struct pl_bits *ret,
                              struct platen_error *err)
{
    uint32_t hist[256] = {0};
    double lo, hi;
    size_t width = (size_t)gray->width, height = (size_t)gray->height;
    env->k->hist_u8(hist, gray->px, gray->stride_bytes, width, height);
    pl_gray_range(hist, width * height, &lo, &hi);
    const int twice_middle = (int)(lo + hi); /* 0 on a black picture: nothing is darker */
    if (twice_middle < 1)
        return pl_bits_blank(env, gray->width, gray->height, ret, err);
    platen_status s = pl_bits_from_image(env, gray, (uint8_t)((twice_middle - 1) / 2), ret, err);
    return s ? s : dark_to_ink(env, arena, ret, err);
}

/* Fills rows[] with the ink of every pixel row; rules and specks count as none. */
static void count_rows(const struct pl_env *env, const struct pl_bits *ink, int *rows)
{
    const int width = ink->width;
    for (int y = 0; y < ink->height; y++) {
        int n = (int)env->k->count_bits(pl_bits_row(ink, y), (size_t)width);
        bool counts = n <= ROW_RULE_SHARE * width && n >= fmax(1, MIN_ROW_SHARE * width);
        rows[y] = counts ? n : 0;
    }
}

/* Returns the box of the ink in the rows of r, of which one at least has ink. `any` is a row of
 * zeros. */
static struct pl_rect box_of_rows(const struct pl_env *env, const struct pl_bits *ink,
                                  struct row_run r, uint8_t *any)
{
    const size_t bytes = ((size_t)ink->width + 7) / 8;
    struct pl_rect box = {0, r.top, ink->width, r.bottom};
    for (int y = r.top; y < r.bottom; y++) {
        const uint8_t *both[] = {any, pl_bits_row(ink, y)};
        env->k->or_u8(any, both, 2, bytes);
    }
    while (!pl_bits_any_between(any, box.x0, box.x0 + 1))
        box.x0++;
    while (!pl_bits_any_between(any, box.x1 - 1, box.x1))
        box.x1--;
    return box;
}

/* Returns the ink of the fullest of rows [top, bottom). */
static int fullest(const struct profile *p, int top, int bottom)
{
    int best = 0;
    for (int y = top; y < bottom; y++)
        best = PL_MAX(best, p->count[y]);
    return best;
}

/* Returns the row with the least ink of [top, bottom); of several the first, or with from_below the
 * last. */
static int emptiest(const struct profile *p, int top, int bottom, bool from_below)
{
    int best = from_below ? bottom - 1 : top;
    for (int i = 0; i < bottom - top; i++) {
        int y = from_below ? bottom - 1 - i : top + i;
        best = p->count[y] < p->count[best] ? y : best;
    }
    return best;
}

/* Adds the run [top, bottom). Where it reaches an edge of the picture, what the edge has left of a
 * neighbouring line becomes a run of its own. */
static void add_run(struct profile *p, int top, int bottom)
{
    double part = PART_SHARE * fullest(p, top, bottom);
    int reach = (int)(EDGE_REACH * (bottom - top));
    struct row_run *r = &p->runs[p->n_runs];
    *r = (struct row_run){top, bottom};
    if (top == 0 && reach) {
        int row = emptiest(p, 0, reach, false);
        if (row && p->count[row] < part && part < fullest(p, 0, row)) {
            *r++ = (struct row_run){0, row};
            *r = (struct row_run){row, bottom};
        }
    }
    if (bottom == p->height && reach) {
        int row = emptiest(p, bottom - reach, bottom, true);
        if (row < bottom - 1 && p->count[row] < part && part < fullest(p, row, bottom)) {
            r->bottom = row + 1;
            *++r = (struct row_run){row + 1, bottom};
        }
    }
    p->n_runs = (int)(r - p->runs) + 1;
}

static void find_runs(struct profile *p)
{
    for (int y = 0; y < p->height; y++) {
        int top = y;
        while (y < p->height && p->count[y])
            y++;
        if (y > top)
            add_run(p, top, y);
    }
}

/* Returns the number of the run with the most ink. */
static int heaviest(const struct profile *p)
{
    int best = 0;
    int64_t most = -1;
    for (int i = 0; i < p->n_runs; i++) {
        int64_t sum = 0;
        for (int y = p->runs[i].top; y < p->runs[i].bottom; y++)
            sum += p->count[y];
        if (sum > most) {
            most = sum;
            best = i;
        }
    }
    return best;
}

/* Returns the heaviest run, and with it the runs that are close and not cut by an edge. */
static struct row_run join_runs(const struct profile *p)
{
    int k = heaviest(p);
    struct row_run r = p->runs[k];
    double gap = fmax(1, JOIN_ROWS_GAP * (r.bottom - r.top));
    for (int i = k - 1; i >= 0 && r.top - p->runs[i].bottom <= gap && p->runs[i].top > 0; i--)
        r.top = p->runs[i].top;
    for (int i = k + 1; i < p->n_runs; i++) {
        if (p->runs[i].top - r.bottom > gap || p->runs[i].bottom == p->height)
            break;
        r.bottom = p->runs[i].bottom;
    }
    return r;
}

platen_status pl_ink_rows(const struct pl_env *env, struct pl_arena *arena,
                          const struct pl_image *gray, struct pl_rect *ret,
                          struct platen_error *err)
{
    const size_t height = (size_t)gray->height, bytes = ((size_t)gray->width + 7) / 8;
    struct profile p = {.count = PL_NEW(arena, int, height),
                        .height = gray->height,
                        .runs = PL_NEW(arena, struct row_run, height / 2 + 3)};
    uint8_t *any = PL_NEW(arena, uint8_t, bytes);
    if (!p.count || !p.runs || !any)
        return pl_fail_nomem(err, 2 * height * sizeof(int) + bytes, "ink rows");
    pl_auto_bits ink = {0};
    platen_status s = find_ink(env, arena, gray, &ink, err);
    if (s)
        return s;
    count_rows(env, &ink, p.count);
    find_runs(&p);
    *ret = p.n_runs ? box_of_rows(env, &ink, join_runs(&p), any) : (struct pl_rect){0};
    return PLATEN_OK;
}
