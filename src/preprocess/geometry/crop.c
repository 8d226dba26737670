#include "preprocess/binarize/ink.h"
#include "preprocess/ops.h"

#define SIDE(name_, help_)                                                                         \
    {                                                                                              \
        .name = name_, .kind = PL_PARAM_INT, .min = 0, .max = 1000000, .def = 0, .unit = "px",     \
        .help = help_                                                                              \
    }

static const struct pl_param params[] = {
    SIDE("x", "left edge of what stays"),
    SIDE("y", "top edge of what stays"),
    SIDE("width", "its width (0: up to the right edge)"),
    SIDE("height", "its height (0: up to the bottom edge)"),
    SIDE("margin", "around the content, where no other parameter is given"),
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

static platen_status run(const struct pl_env *env, struct pl_page_image *page,
                         const struct pl_arg *args, struct platen_error *err)
{
    int w = page->image.width, h = page->image.height, margin = (int)args[4].number;
    struct pl_rect r = {(int)args[0].number, (int)args[1].number, w, h};
    if (args[2].number > 0)
        r.x1 = r.x0 + (int)args[2].number;
    if (args[3].number > 0)
        r.y1 = r.y0 + (int)args[3].number;
    if (r.x0 == 0 && r.y0 == 0 && r.x1 == w && r.y1 == h) {
        platen_status s = content_box(env, page, &r, err);
        if (s || pl_rect_empty(r)) /* a blank page stays whole */
            return s;
        r = (struct pl_rect){r.x0 - margin, r.y0 - margin, r.x1 + margin, r.y1 + margin};
    }
    r = pl_rect_intersect(r, (struct pl_rect){0, 0, w, h});
    if (pl_rect_empty(r))
        return pl_fail(err, PLATEN_ERR_ARG, "crop lies outside the page of %d x %d pixels", w, h);
    return pl_page_crop(env, page, r, err);
}

const struct pl_preprocess_op pl_op_crop = {
    .info = {"crop",
             "keeps a part of the page: the given one, or the box of its content (no specks or "
             "dark edges)",
             params, PL_ARRAY_LEN(params)},
    .color = true,
    .run = run,
};
