/* SPDX-License-Identifier: BSD-2-Clause */
#include "preprocess/binarize/ink.h"

#include <string.h>

#include "preprocess/binarize/binarize.h"
#include "preprocess/binarize/binarize_tuning.def"

#define MAX_LETTER_PX 512

static platen_status find_bits(const struct pl_env *env, struct pl_page_image *page,
                               struct platen_error *err)
{
    if (page->image.bilevel)
        return pl_bits_from_image(env, &page->image, 127, &page->ink.bits, err);
    pl_auto_image gray = {0};
    platen_status s = pl_page_image_gray(env, page, &gray, err);
    return s ? s
             : pl_bits_sauvola(env, &gray, PL_LOCAL_WINDOW_PX, PL_SAUVOLA_K, &page->ink.bits, err);
}

platen_status pl_ink_of(const struct pl_env *env, struct pl_page_image *page,
                        const struct pl_ink **ret, struct platen_error *err)
{
    platen_status s = page->ink.bits.bytes.store ? PLATEN_OK : find_bits(env, page, err);
    if (!s && !page->ink.cs.bufs)
        s = pl_components_of_bits(env, &page->ink.bits, &page->ink.cs, err);
    *ret = &page->ink;
    return s;
}

platen_status pl_ink_becomes_page(const struct pl_env *env, struct pl_page_image *page,
                                  struct platen_error *err)
{
    pl_auto_image gray = {0}, out = {0};
    platen_status s = pl_page_image_gray(env, page, &gray, err);
    if (!s)
        s = pl_bits_to_image(env, &page->ink.bits, &out, err);
    if (s)
        return s;
    out.dpi_x = gray.dpi_x;
    out.dpi_y = gray.dpi_y;
    struct pl_ink ink = page->ink;
    page->ink = (struct pl_ink){0};
    pl_page_image_set_bilevel(page, &gray, &out);
    page->ink = ink;
    return PLATEN_OK;
}

/* Not a rule, a frame or a picture; words whose letters touch count as letters. */
static bool is_letter(const struct pl_component *c)
{
    int w = pl_rect_width(c->box), h = pl_rect_height(c->box);
    return h >= LETTER_MIN_PX && h < MAX_LETTER_PX && w <= LETTER_LONG * h &&
           h <= LETTER_LONG * w && (uint64_t)c->ink_px * LETTER_FILL >= (uint64_t)w * (uint64_t)h;
}

int pl_ink_letter_height(const struct pl_ink *ink)
{
    uint64_t weight[MAX_LETTER_PX] = {0}, total = 0, seen = 0;
    int side = PL_MAX(ink->bits.width, ink->bits.height);
    uint64_t most = (uint64_t)PL_MAX(side / LETTERS_PER_SIDE, TITLE_PX);
    for (size_t i = 0; i < ink->cs.n; i++) {
        uint64_t h = (uint64_t)pl_rect_height(ink->cs.comps[i].box);
        if (is_letter(&ink->cs.comps[i]) && h <= most) {
            weight[h] += h * h;
            total += h * h;
        }
    }
    int h = 0;
    while (total && (seen += weight[h]) * 2 < total)
        h++;
    return h;
}

/* The peak of the histogram of heights, smoothed by 1 2 1, and its centre of gravity. Specks are
 * left out by the height of the letters, which is weighted by area. */
double pl_ink_x_height(const struct pl_ink *ink, size_t *ret_letters)
{
    uint32_t count[MAX_LETTER_PX + 2] = {0};
    int letter = pl_ink_letter_height(ink), best = 0;
    uint32_t most = 0;
    *ret_letters = 0;
    for (size_t i = 0; i < ink->cs.n; i++) {
        const struct pl_component *c = &ink->cs.comps[i];
        int h = pl_rect_height(c->box), w = pl_rect_width(c->box);
        if (is_letter(c) && 100 * h >= LETTER_LOW_PERCENT * letter &&
            100 * h <= LETTER_HIGH_PERCENT * letter && w * LETTER_SLIM >= h) {
            count[h]++;
            ++*ret_letters;
        }
    }
    for (int h = LETTER_MIN_PX; h < MAX_LETTER_PX; h++) {
        uint32_t sum = count[h - 1] + 2 * count[h] + count[h + 1];
        if (sum > most) {
            most = sum;
            best = h;
        }
    }
    if (!best)
        return 0;
    double a = count[best - 1], b = count[best], c = count[best + 1];
    return best + (c - a) / (a + b + c);
}

static void mark_near(const struct pl_ink_map *m, struct pl_rect box)
{
    int reach = m->letter_px * NEAR_PERCENT / 100;
    size_t x0 = (size_t)PL_MAX(box.x0 - reach, 0) / (size_t)m->cell_px;
    size_t y0 = (size_t)PL_MAX(box.y0 - reach, 0) / (size_t)m->cell_px;
    size_t x1 = PL_MIN((size_t)(box.x1 + reach) / (size_t)m->cell_px + 1, m->width);
    size_t y1 = PL_MIN((size_t)(box.y1 + reach) / (size_t)m->cell_px + 1, m->height);
    for (size_t y = y0; y < y1; y++)
        memset(m->near + y * m->width + x0, 1, x1 - x0);
}

platen_status pl_ink_map_init(const struct pl_env *env, const struct pl_ink *ink,
                              struct pl_ink_map *ret, struct platen_error *err)
{
    struct pl_ink_map m = {.letter_px = pl_ink_letter_height(ink), .bufs = env->bufs};
    m.cell_px = PL_MAX(m.letter_px / NEAR_CELL, NEAR_CELL_PX);
    m.width = (size_t)(ink->bits.width / m.cell_px) + 1;
    m.height = (size_t)(ink->bits.height / m.cell_px) + 1;
    m.near = pl_bufpool_get(env->bufs, m.width * m.height);
    if (!m.near)
        return pl_fail_nomem(err, m.width * m.height, "the map of letters");
    memset(m.near, 0, m.width * m.height);
    for (size_t i = 0; i < ink->cs.n; i++) {
        const struct pl_component *c = &ink->cs.comps[i];
        int h = pl_rect_height(c->box);
        if (is_letter(c) && 100 * h >= LETTER_LOW_PERCENT * m.letter_px &&
            h <= NEAR_HIGHEST * m.letter_px)
            mark_near(&m, c->box);
    }
    *ret = m;
    return PLATEN_OK;
}

void pl_ink_map_done(struct pl_ink_map *m)
{
    if (m->near)
        pl_bufpool_put(m->bufs, m->near, m->width * m->height);
    *m = (struct pl_ink_map){0};
}

/* Whether the middle of a component lies near a letter. */
static bool is_near(const struct pl_ink_map *m, const struct pl_component *c)
{
    size_t x = (size_t)((c->box.x0 + c->box.x1) / 2 / m->cell_px);
    size_t y = (size_t)((c->box.y0 + c->box.y1) / 2 / m->cell_px);
    return m->near[y * m->width + x];
}

bool pl_ink_is_print(const struct pl_ink_map *m, const struct pl_component *c)
{
    int w = pl_rect_width(c->box), h = pl_rect_height(c->box);
    if (100 * h > LETTER_HIGH_PERCENT * m->letter_px || pl_ink_is_speck(m, c))
        return false;
    return 100 * h >= LETTER_LOW_PERCENT * m->letter_px ? is_letter(c)
                                                        : w <= m->letter_px && is_near(m, c);
}

bool pl_ink_is_speck(const struct pl_ink_map *m, const struct pl_component *c)
{
    int side = PL_MAX(pl_rect_width(c->box), pl_rect_height(c->box));
    if (side * SPECK_SHARE <= m->letter_px)
        return true;
    if (side > 1 && side * DOT_SHARE > m->letter_px)
        return false;
    return !is_near(m, c);
}

bool pl_ink_is_edge_shadow(const struct pl_ink *ink, const struct pl_component *c)
{
    const struct pl_bits *im = &ink->bits;
    bool side = c->box.x0 == 0 || c->box.x1 == im->width;
    bool end = c->box.y0 == 0 || c->box.y1 == im->height;
    if ((uint64_t)c->ink_px * 2 > (uint64_t)im->width * (uint64_t)im->height)
        return false;
    return (side && pl_rect_height(c->box) > im->height / SHADOW_SHARE) ||
           (end && pl_rect_width(c->box) > im->width / SHADOW_SHARE);
}
