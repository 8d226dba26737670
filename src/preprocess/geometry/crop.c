/* SPDX-License-Identifier: BSD-2-Clause */
#include "preprocess/binarize/ink.h"
#include "preprocess/ops.h"

#define SIDE(member, help_)                                                                        \
    {                                                                                              \
        .name = #member, PL_PARAM(struct crop_args, member), .min = 0, .max = 1000000, .def = 0,   \
        .unit = "px", .help = help_                                                                \
    }

struct crop_args {
    int x, y, width, height, margin;
};

static const struct pl_param params[] = {
    SIDE(x, "left edge of what stays"),
    SIDE(y, "top edge of what stays"),
    SIDE(width, "its width (0: up to the right edge)"),
    SIDE(height, "its height (0: up to the bottom edge)"),
    SIDE(margin, "around the content, where no other parameter is given"),
};

/* The box of all ink but specks and dark scan edges; empty on a blank page. */
static platen_status content_box(const struct pl_env *env, struct pl_page_image *page,
                                 struct pl_rect *ret, struct platen_error *err)
{
    const struct pl_ink *ink;
    pl_auto_ink_map map = {0};
    struct pl_rect box = {0};
    platen_status s = pl_ink_of(env, page, &ink, err);
    if (!s)
        s = pl_ink_map_init(env, ink, &map, err);
    for (size_t i = 0; !s && i < ink->cs.n; i++) {
        const struct pl_component *c = &ink->cs.comps[i];
        if (!pl_ink_is_speck(&map, c) && !pl_ink_is_edge_shadow(ink, c))
            box = pl_rect_union(box, c->box);
    }
    if (!s)
        *ret = box;
    return s;
}

static platen_status crop_run(const struct pl_env *env, struct pl_page_image *page,
                              const void *args, struct platen_error *err)
{
    const struct crop_args *a = args;
    int w = page->image.width, h = page->image.height, margin = a->margin;
    struct pl_rect r = {a->x, a->y, w, h};
    if (a->width > 0)
        r.x1 = r.x0 + a->width;
    if (a->height > 0)
        r.y1 = r.y0 + a->height;
    if (r.x0 == 0 && r.y0 == 0 && r.x1 == w && r.y1 == h) {
        platen_status s = content_box(env, page, &r, err);
        if (s || pl_rect_empty(r)) /* a blank page stays whole */
            return s;
        r = (struct pl_rect){r.x0 - margin, r.y0 - margin, r.x1 + margin, r.y1 + margin};
    }
    r = pl_rect_intersect(r, (struct pl_rect){0, 0, w, h});
    if (pl_rect_empty(r))
        return pl_fail(err, PLATEN_ERR_ARG, "what it keeps lies outside the page of %d x %d pixels",
                       w, h);
    return pl_page_crop(env, page, r, err);
}

const struct pl_preprocess_op pl_op_crop = {
    .info = {"crop",
             "keeps a part of the page: the given one, or the box of its content (no specks or "
             "dark edges)",
             PL_TAKES(params, struct crop_args)},
    .color = true,
    .run = crop_run,
};
