/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "preprocess/binarize/ink.h"
#include "preprocess/ops.h"

struct despeckle_args {
    int size_px;
};

static const struct pl_param params[] = {
    {.name = "size",
     PL_PARAM(struct despeckle_args, size_px),
     .min = 0,
     .max = 1000,
     .def = 0,
     .unit = "px",
     .help =
         "largest side of a speck (0: from the letters' height, and farther from letters more)"},
};

struct specks {
    const struct pl_components *ink;
    const struct pl_ink_map *map;
    const struct pl_image *faint; /* print, faint print too; empty where nobody asked for it */
    int size;                     /* 0: ask the map */
};

static bool is_speck(const struct specks *sp, const struct pl_component *c)
{
    struct pl_run first = sp->ink->runs[c->first_run];
    if (sp->faint->store && pl_image_row(sp->faint, first.y)[first.x0] == 0)
        return false; /* a piece of a letter that fades: fainter ink joins it to the rest */
    if (sp->size == 0)
        return pl_ink_is_speck(sp->map, c);
    return pl_rect_width(c->box) <= sp->size && pl_rect_height(c->box) <= sp->size;
}

/* Paints a speck with the brightest grey around it, and on a grey picture its soft edge too. */
static void erase(const struct pl_image *im, const struct pl_components *ink,
                  const struct pl_component *c)
{
    struct pl_rect page = {0, 0, im->width, im->height};
    struct pl_rect around = {c->box.x0 - 2, c->box.y0 - 2, c->box.x1 + 2, c->box.y1 + 2};
    around = pl_rect_intersect(around, page);
    uint8_t paper = 0;
    for (int y = around.y0; y < around.y1; y++)
        for (int x = around.x0; x < around.x1; x++)
            paper = PL_MAX(paper, pl_image_row(im, y)[x]);
    int grow = im->bilevel ? 0 : 1;
    for (uint32_t i = 0; i < c->n_runs; i++) {
        struct pl_run run = ink->runs[c->first_run + i];
        struct pl_rect r = {run.x0 - grow, run.y - grow, run.x1 + grow, run.y + 1 + grow};
        r = pl_rect_intersect(r, page);
        for (int y = r.y0; y < r.y1; y++)
            memset(pl_image_row(im, y) + r.x0, paper, (size_t)pl_rect_width(r));
    }
}

static void erase_all(const struct pl_image *im, const struct specks *sp)
{
    for (size_t i = 0; i < sp->ink->n; i++)
        if (is_speck(sp, &sp->ink->comps[i]))
            erase(im, sp->ink, &sp->ink->comps[i]);
}

static platen_status despeckle_run(const struct pl_env *env, struct pl_page_image *page,
                                   const void *args, struct platen_error *err)
{
    const struct despeckle_args *a = args;
    const struct pl_ink *ink;
    pl_auto_ink_map map = {0};
    pl_auto_image faint = {0};
    platen_status s = pl_page_make_gray(env, page, err);
    if (!s)
        s = pl_ink_of(env, page, &ink, err);
    if (!s)
        s = pl_ink_map_init(env, ink, &map, err);
    if (s)
        return s;
    struct specks sp = {&ink->cs, &map, &faint, a->size_px};
    size_t i = 0;
    while (i < ink->cs.n && !is_speck(&sp, &ink->cs.comps[i]))
        i++;
    if (i == ink->cs.n)
        return PLATEN_OK;
    if (sp.size == 0 && !page->image.bilevel)
        s = pl_ink_faint(env, &page->image, &faint, err);
    pl_auto_components cs = page->ink.cs; /* kept, while the pixels go that they were found in */
    page->ink.cs = (struct pl_components){0};
    sp.ink = &cs;
    if (!s)
        s = pl_page_own_pixels(env, page, err);
    if (s)
        return s;
    erase_all(&page->image, &sp);
    if (page->gray.store)
        erase_all(&page->gray, &sp);
    return PLATEN_OK;
}

const struct pl_preprocess_op pl_op_despeckle = {
    .info = {"despeckle", "erases ink too small for print (made grey); dots of letters stay",
             PL_TAKES(params, struct despeckle_args)},
    .run = despeckle_run,
};
