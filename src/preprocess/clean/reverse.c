/* SPDX-License-Identifier: BSD-2-Clause */
/* Dark areas are found on a coarse grid, and in each of them rows of light letters. Where the
 * page's threshold sees no rows in a dark area, another one parts its greys; where these are two
 * grounds, as of a table with a black head and grey rows, the darker one is searched by itself. */
#include "preprocess/clean/reverse.h"

#include <string.h>

#include "image/components.h"
#include "preprocess/binarize/binarize.h"
#include "preprocess/clean/clean_tuning.def"
#include "preprocess/clean/polarity.h"
#include "preprocess/clean/reverse_rows.h"

#define EFFORT 4 /* dark areas may overlap: together at most this many pages of pixels */

#define TINT_STEP 4 /* every fourth row tells whether there are tints */

/* Counts in sum[0..n) the pixels of a row that are lighter than `level`. */
static void add_paper(uint8_t *restrict sum, const uint8_t *restrict row, size_t n, uint8_t level)
{
    for (size_t i = 0; i < n; i++)
        sum[i] = (uint8_t)(sum[i] + (row[i] > level));
}

/* Coarse picture: a byte for a cell, 0 where most of it is darker than `level`, or as dark; every
 * second row decides. */
static platen_status dark_cells(const struct pl_env *env, const struct pl_image *gray,
                                uint8_t level, int cell, struct pl_image *ret,
                                struct platen_error *err)
{
    int w = gray->width / cell, h = gray->height / cell;
    const size_t n = (size_t)w * (size_t)cell;
    platen_status s = pl_image_init(env, w, h, PL_GRAY8, ret, err);
    uint8_t *sum = s ? NULL : pl_bufpool_get(env->bufs, n);
    if (!sum)
        return s ? s : pl_fail(err, PLATEN_ERR_NOMEM, "out of memory");
    uint32_t paper_above = (uint32_t)(255 * (1 - REVERSE_DARK) * cell * ((cell + 1) / 2));
    for (int y = 0; y < h; y++) {
        memset(sum, 0, n);
        for (int i = 0; i < cell; i += 2)
            add_paper(sum, pl_image_row(gray, y * cell + i), n, level);
        for (int x = 0; x < w; x++) {
            uint32_t paper = 0;
            for (int i = 0; i < cell; i++)
                paper += sum[x * cell + i];
            pl_image_row(ret, y)[x] = 255 * paper > paper_above ? 255 : 0;
        }
    }
    ret->bilevel = true;
    pl_bufpool_put(env->bufs, sum, n);
    return PLATEN_OK;
}

static int64_t px_of(struct pl_rect r)
{
    return (int64_t)pl_rect_width(r) * pl_rect_height(r);
}

/* Whether the box holds nearly all of each other one that it meets, and is larger than these
 * together: it is the same dark place then, better seen. */
static bool holds_others(const struct pl_reverse *r, struct pl_rect b)
{
    int64_t px = 0;
    for (size_t i = 0; i < r->n; i++) {
        const struct pl_rect common = pl_rect_intersect(r->box[i], b);
        if (pl_rect_empty(common))
            continue;
        if ((double)px_of(common) < REVERSE_SOLID * (double)px_of(r->box[i]))
            return false;
        px += px_of(r->box[i]);
    }
    return px_of(b) > px;
}

/* Adds the box in the place of smaller ones; or it is left out where it meets others, or there is
 * no place. */
static void add_box(struct pl_reverse *r, struct pl_rect b)
{
    size_t kept = 0;
    if (!holds_others(r, b))
        return;
    for (size_t i = 0; i < r->n; i++)
        if (pl_rect_empty(pl_rect_intersect(r->box[i], b)))
            r->box[kept++] = r->box[i];
    r->n = kept;
    if (r->n < PL_REVERSE_MAX)
        r->box[r->n++] = b;
}

/* What a dark area is made of, beside what is lighter than the page's level. */
enum inside {
    ONE_GREY,    /* or little ink */
    DIM_LETTERS, /* the page's level takes some of them for ink */
    TWO_GROUNDS, /* the lighter one is no letters: it is too much */
};

/* Tells that, and gives the level that parts the two. */
static enum inside look_inside(const struct pl_env *env, const struct pl_image *gray, uint8_t level,
                               uint8_t *ret)
{
    uint32_t hist[256] = {0};
    uint64_t all = 0, light = 0;
    env->k->hist_u8(hist, gray->px, gray->stride_bytes, (size_t)gray->width, (size_t)gray->height);
    memset(hist + level + 1, 0, (255 - (size_t)level) * sizeof(*hist));
    struct pl_otsu o = pl_otsu_of(hist);
    for (int v = 0; v < 256; v++) {
        all += hist[v];
        light += v > o.level ? hist[v] : 0;
    }
    *ret = o.level;
    if ((double)all < REVERSE_DARK * gray->width * (double)gray->height ||
        o.light - o.dark < REVERSE_CONTRAST)
        return ONE_GREY;
    return (double)light <= REVERSE_LIGHT * (double)all ? DIM_LETTERS : TWO_GROUNDS;
}

/* Where areas are looked for. */
enum place {
    ON_PAPER,
    AMONG_TINTS, /* what is darker than paper, and light to the page's level */
    ON_DARK,     /* the darker parts of a dark area */
};

static platen_status search_page(const struct pl_env *env, const struct pl_image *gray,
                                 uint8_t level, enum place place, int cell, struct pl_reverse *ret,
                                 struct platen_error *err);

/* Boxes of one dark area, each by the level that shows more of it. */
static platen_status search_dark(const struct pl_env *env, const struct pl_image *gray,
                                 struct pl_rect area, uint8_t level, enum place place, int cell,
                                 struct pl_reverse *ret, struct platen_error *err)
{
    pl_auto_image part = pl_image_view(gray, area);
    struct pl_reverse inner = {.n = 0};
    uint8_t between = level;
    ret->n = 0;
    platen_status s = pl_reverse_rows(env, &part, level, REVERSE_LETTER * cell, ret, err);
    const enum inside inside = s ? ONE_GREY : look_inside(env, &part, level, &between);
    if (inside == DIM_LETTERS)
        s = pl_reverse_rows(env, &part, between, REVERSE_LETTER * cell, &inner, err);
    else if (inside == TWO_GROUNDS && place != ON_DARK)
        s = search_page(env, &part, between, ON_DARK, cell, &inner, err);
    for (size_t i = 0; i < inner.n; i++)
        add_box(ret, inner.box[i]);
    for (size_t i = 0; i < ret->n; i++) {
        struct pl_rect *b = &ret->box[i];
        *b = (struct pl_rect){b->x0 + area.x0, b->y0 + area.y0, b->x1 + area.x0, b->y1 + area.y0};
    }
    return s;
}

/* Whether most print in a part of the picture is lighter than what is around it. */
static bool has_light_print(const struct pl_env *env, const struct pl_image *gray,
                            struct pl_rect box)
{
    pl_auto_image part = pl_image_view(gray, box);
    return pl_polarity(env, &part).vote > 0;
}

/* Searches the dark areas of the grid, those that are large enough for letters. Elsewhere than on
 * paper most print in them must be light: in the shadow of a fold the paper between dark letters
 * may look like letters. */
static platen_status search_areas(const struct pl_env *env, const struct pl_image *gray,
                                  uint8_t level, enum place place, int cell,
                                  const struct pl_components *dark, struct pl_reverse *ret,
                                  struct platen_error *err)
{
    int64_t effort = (int64_t)EFFORT * gray->width * gray->height;
    for (size_t i = 0; i < dark->n && effort > 0; i++) {
        struct pl_rect c = dark->comps[i].box;
        if (pl_rect_height(c) < 3 || pl_rect_width(c) < 4)
            continue;
        struct pl_rect area = {PL_MAX((c.x0 - 1) * cell, 0), PL_MAX((c.y0 - 1) * cell, 0),
                               PL_MIN((c.x1 + 1) * cell, gray->width),
                               PL_MIN((c.y1 + 1) * cell, gray->height)};
        if (place != ON_PAPER && !has_light_print(env, gray, area))
            continue;
        effort -= (int64_t)pl_rect_width(area) * pl_rect_height(area);
        struct pl_reverse found;
        platen_status s = search_dark(env, gray, area, level, place, cell, &found, err);
        if (s)
            return s;
        for (size_t k = 0; k < found.n; k++)
            add_box(ret, found.box[k]);
    }
    return PLATEN_OK;
}

/* What parts paper from boxes of a tint that the page's level takes for light, as yellow ones;
 * false where all that is light is of a kind. */
static bool tint_level(const struct pl_env *env, const struct pl_image *gray, uint8_t level,
                       uint8_t *ret)
{
    uint32_t hist[256] = {0};
    env->k->hist_u8(hist, gray->px, TINT_STEP * gray->stride_bytes, (size_t)gray->width,
                    (size_t)(gray->height / TINT_STEP));
    memset(hist, 0, ((size_t)level + 1) * sizeof(*hist));
    struct pl_otsu o = pl_otsu_of(hist);
    *ret = o.level;
    return o.level > level && o.light - o.dark >= REVERSE_CONTRAST;
}

/* Adds the boxes in what is darker than `level`; `place` as in search_areas(). */
static platen_status search_page(const struct pl_env *env, const struct pl_image *gray,
                                 uint8_t level, enum place place, int cell, struct pl_reverse *ret,
                                 struct platen_error *err)
{
    pl_auto_image cells = {0};
    pl_auto_components dark = {0};
    platen_status s = dark_cells(env, gray, level, cell, &cells, err);
    if (!s)
        s = pl_components_find(env, &cells, &dark, err);
    return s ? s : search_areas(env, gray, level, place, cell, &dark, ret, err);
}

platen_status pl_reverse_find(const struct pl_env *env, const struct pl_image *gray,
                              struct pl_reverse *ret, struct platen_error *err)
{
    int cell = PL_MIN(gray->width, gray->height) / REVERSE_GRID;
    cell = PL_MIN(PL_MAX(cell, REVERSE_MIN_CELL_PX), REVERSE_MAX_CELL_PX);
    ret->n = 0;
    if (PL_MIN(gray->width, gray->height) < 4 * cell)
        return PLATEN_OK;
    uint8_t level = gray->bilevel ? 0 : pl_otsu_find(env, gray).level, tint;
    platen_status s = search_page(env, gray, level, ON_PAPER, cell, ret, err);
    if (!s && !gray->bilevel && tint_level(env, gray, level, &tint))
        s = search_page(env, gray, tint, AMONG_TINTS, cell, ret, err);
    return s;
}
