/* SPDX-License-Identifier: BSD-2-Clause */
/* Ruled lines taken off the page, and the letters that they cross or touch left whole. A rule is a
 * run of ink far longer than any stroke of a letter, and thin. In each of its columns the ink above
 * and below decides: on both sides, a letter crosses and stays; on one, a letter touches, and the
 * rule goes up to it. Upright rules are the same on the transposed page. */
#include <string.h>

#include "preprocess/binarize/ink.h"
#include "preprocess/ops.h"
#include "preprocess/clean/clean_tuning.def"

#define INK 0
#define PAPER 255

struct unrule_args {
    int length_px;
    enum { BOTH, HORIZONTAL, VERTICAL } direction;
};

static const struct pl_param params[] = {
    {.name = "length",
     PL_PARAM(struct unrule_args, length_px),
     .min = 0,
     .max = 100000,
     .def = 0,
     .unit = "px",
     .help = "shortest rule (0: five heights of a letter)"},
    {.name = "direction",
     PL_PARAM(struct unrule_args, direction),
     .choices =
         (const char *const[]){
             [BOTH] = "both", [HORIZONTAL] = "horizontal", [VERTICAL] = "vertical", NULL},
     .help = "of the rules that go"},
};

struct rules {
    const struct pl_image *ink;
    struct pl_image runs;  /* ink where the page has a long run */
    struct pl_image erase; /* ink where a rule is to go */
    int length, thick;
    bool found; /* something to erase */
};

static void mark_runs(const struct rules *r)
{
    for (int y = 0; y < r->ink->height; y++) {
        const uint8_t *row = pl_image_row(r->ink, y);
        uint8_t *out = pl_image_row(&r->runs, y);
        int width = r->ink->width;
        memset(out, PAPER, (size_t)width);
        for (int x = 0; x < width;) {
            const uint8_t *ink = memchr(row + x, INK, (size_t)(width - x));
            if (!ink)
                break;
            int x0 = (int)(ink - row);
            const uint8_t *paper = memchr(ink, PAPER, (size_t)(width - x0));
            x = paper ? (int)(paper - row) : width;
            if (x - x0 >= r->length)
                memset(out + x0, INK, (size_t)(x - x0));
        }
    }
}

/* The rows of ink around row y of a column, not more than `most` further on each side. */
static void extent(const struct pl_image *ink, int x, int y0, int y1, int most, int *ret_y0,
                   int *ret_y1)
{
    int up = y0, down = y1;
    while (up > 0 && y0 - up <= most && pl_image_row(ink, up - 1)[x] == INK)
        up--;
    while (down < ink->height && down - y1 <= most && pl_image_row(ink, down)[x] == INK)
        down++;
    *ret_y0 = up;
    *ret_y1 = down;
}

/* A column of a rule whose long runs are rows y0..y1-1: says what of it goes, and whether it is
 * plain rule. One more pixel goes on free sides: the soft edge of the rule in a grey picture. */
static bool column(const struct rules *r, int x, int y0, int y1, int *ret_y0, int *ret_y1)
{
    int up, down;
    extent(r->ink, x, y0, y1, r->thick, &up, &down);
    bool above = y0 - up > r->thick / 2, below = y1 - down < -(r->thick / 2);
    *ret_y0 = above ? y0 : PL_MAX(up - 1, 0);
    *ret_y1 = below ? y1 : PL_MIN(down + 1, r->ink->height);
    if (above && below)
        *ret_y1 = *ret_y0;
    return !above && !below && down - up <= r->thick;
}

/* The top and the bottom of a component of long runs in each column come from its runs. */
static void find_columns(const struct pl_components *cs, const struct pl_component *c, int32_t *top,
                         int32_t *bottom)
{
    for (int x = c->box.x0; x < c->box.x1; x++)
        top[x] = -1;
    for (uint32_t i = 0; i < c->n_runs; i++) {
        struct pl_run run = cs->runs[c->first_run + i];
        for (int x = run.x0; x < run.x1; x++) {
            if (top[x] < 0)
                top[x] = run.y;
            bottom[x] = run.y + 1;
        }
    }
}

static void erase_rule(struct rules *r, const struct pl_components *cs,
                       const struct pl_component *c, int32_t *top, int32_t *bottom)
{
    int plain = 0, y0, y1;
    find_columns(cs, c, top, bottom);
    for (int x = c->box.x0; x < c->box.x1; x++)
        plain += top[x] >= 0 && column(r, x, top[x], bottom[x], &y0, &y1);
    if (plain * UNRULE_PLAIN <
        pl_rect_width(c->box)) /* a bar, a picture, or a row of joined letters */
        return;
    r->found = true;
    for (int x = c->box.x0; x < c->box.x1; x++) {
        if (top[x] < 0)
            continue;
        column(r, x, top[x], bottom[x], &y0, &y1);
        for (int y = y0; y < y1; y++)
            pl_image_row(&r->erase, y)[x] = INK;
    }
}

/* Marks the horizontal rules of r->ink in r->erase. */
static platen_status find_horizontal(const struct pl_env *env, struct rules *r,
                                     struct platen_error *err)
{
    pl_auto_components cs = {0};
    size_t n = (size_t)r->ink->width, bytes = 2 * n * sizeof(int32_t);
    mark_runs(r);
    platen_status s = pl_components_find(env, &r->runs, &cs, err);
    if (s)
        return s;
    int32_t *columns = pl_bufpool_get(env->bufs, bytes);
    if (!columns)
        return pl_fail_nomem(err, bytes, "the columns of a rule");
    for (size_t i = 0; i < cs.n; i++)
        erase_rule(r, &cs, &cs.comps[i], columns, columns + n);
    pl_bufpool_put(env->bufs, columns, bytes);
    return PLATEN_OK;
}

/* An empty picture where there are none. */
static platen_status find_rules(const struct pl_env *env, const struct pl_image *ink, int length,
                                int thick, struct pl_image *ret, struct platen_error *err)
{
    struct rules r = {.ink = ink, .length = length, .thick = thick};
    platen_status s = pl_bilevel_init(env, ink, &r.runs, err);
    if (!s)
        s = pl_bilevel_init(env, ink, &r.erase, err);
    for (int y = 0; !s && y < ink->height; y++)
        memset(pl_image_row(&r.erase, y), PAPER, (size_t)ink->width);
    if (!s)
        s = find_horizontal(env, &r, err);
    pl_image_done(&r.runs);
    if (s || !r.found)
        pl_image_done(&r.erase);
    else
        *ret = r.erase;
    return s;
}

/* The brightest pixel a rule's width away: paper, wherever there is some. */
static uint8_t paper_near(const struct pl_image *im, int x, int y, int far)
{
    int x0 = PL_MAX(x - far, 0), x1 = PL_MIN(x + far, im->width - 1);
    int y0 = PL_MAX(y - far, 0), y1 = PL_MIN(y + far, im->height - 1);
    uint8_t a = PL_MAX(pl_image_row(im, y0)[x], pl_image_row(im, y1)[x]);
    uint8_t b = PL_MAX(pl_image_row(im, y)[x0], pl_image_row(im, y)[x1]);
    return PL_MAX(a, b);
}

struct erasure {
    const struct pl_image *mask[2]; /* empty pictures say nothing */
    int far;
};

static platen_status erase(const struct pl_env *env, const struct pl_image *im, void *ctx,
                           struct pl_image *ret, struct platen_error *err)
{
    const struct erasure *e = ctx;
    platen_status s = pl_page_copy_image(env, im, ret, err);
    for (int i = 0; !s && i < 2; i++)
        for (int y = 0; e->mask[i]->store && y < im->height; y++) {
            const uint8_t *mask = pl_image_row(e->mask[i], y), *at = mask, *end = mask + im->width;
            while ((at = memchr(at, INK, (size_t)(end - at)))) {
                int x = (int)(at++ - mask);
                pl_image_row(ret, y)[x] = im->bilevel ? PAPER : paper_near(im, x, y, e->far);
            }
        }
    return s;
}

static platen_status find_vertical(const struct pl_env *env, const struct pl_image *ink, int length,
                                   int thick, struct pl_image *ret, struct platen_error *err)
{
    pl_auto_image across = {0}, found = {0};
    platen_status s = pl_image_transpose(env, ink, &across, err);
    if (!s)
        s = find_rules(env, &across, length, thick, &found, err);
    return s || !found.store ? s : pl_image_transpose(env, &found, ret, err);
}

static platen_status unrule_run(const struct pl_env *env, struct pl_page_image *page,
                                const void *args, struct platen_error *err)
{
    const struct unrule_args *a = args;
    const struct pl_ink *ink;
    pl_auto_image bilevel = {0}, level = {0}, upright = {0};
    platen_status s = pl_page_make_gray(env, page, err);
    if (!s)
        s = pl_ink_of(env, page, &ink, err);
    if (!s)
        s = pl_bits_to_image(env, &ink->bits, &bilevel, err);
    if (s)
        return s;
    int letter = pl_ink_letter_height(ink), thick = PL_MAX(letter / UNRULE_THICK, UNRULE_THICK_PX);
    int length = a->length_px;
    if (length == 0)
        length = PL_MAX(UNRULE_LENGTH * letter, UNRULE_LENGTH_PX);
    if (a->direction != VERTICAL)
        s = find_rules(env, &bilevel, length, thick, &level, err);
    if (!s && a->direction != HORIZONTAL)
        s = find_vertical(env, &bilevel, length, thick, &upright, err);
    if (s || (!level.store && !upright.store))
        return s;
    struct erasure e = {{&level, &upright}, thick + UNRULE_BESIDE_PX};
    return pl_page_transform(env, page, erase, &e, &PL_AFFINE_IDENTITY, err);
}

const struct pl_preprocess_op pl_op_unrule = {
    .info = {"unrule", "takes ruled lines off the page (made grey); letters that they cross stay",
             PL_TAKES(params, struct unrule_args)},
    .px_bytes = 10,
    .run = unrule_run,
};
