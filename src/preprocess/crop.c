#include "preprocess/binarize.h"
#include "preprocess/ops.h"

#define WINDOW_PX 41
#define STRENGTH 0.3

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
    SIDE("margin", "with no other parameter: the ink's box and this margin stays"),
};

static platen_status view(const struct pl_env *env, const struct pl_image *im, void *ctx,
                          struct pl_image *ret, struct platen_error *err)
{
    (void)env;
    (void)err;
    *ret = pl_image_view(im, *(const struct pl_rect *)ctx);
    return PLATEN_OK;
}

static platen_status ink_box(const struct pl_env *env, const struct pl_page_image *page,
                             struct pl_rect *ret, struct platen_error *err)
{
    pl_auto_image gray = {0}, ink = {0};
    platen_status s = pl_page_image_gray(env, page, &gray, err);
    if (!s && page->image.bilevel)
        ink = pl_image_ref(&page->image);
    else if (!s)
        s = pl_binarize_sauvola(env, &gray, WINDOW_PX, STRENGTH, &ink, err);
    if (s)
        return s;
    *ret = (struct pl_rect){ink.width, ink.height, 0, 0};
    for (int y = 0; y < ink.height; y++) {
        const uint8_t *row = pl_image_row(&ink, y);
        for (int x = 0; x < ink.width; x++)
            if (!row[x])
                *ret = (struct pl_rect){PL_MIN(ret->x0, x), PL_MIN(ret->y0, y),
                                        PL_MAX(ret->x1, x + 1), y + 1};
    }
    return PLATEN_OK;
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
        platen_status s = ink_box(env, page, &r, err);
        if (s || pl_rect_empty(r)) /* a blank page stays whole */
            return s;
        r = (struct pl_rect){r.x0 - margin, r.y0 - margin, r.x1 + margin, r.y1 + margin};
    }
    r = pl_rect_intersect(r, (struct pl_rect){0, 0, w, h});
    if (pl_rect_empty(r))
        return pl_fail(err, PLATEN_ERR_ARG, "crop lies outside the page of %d x %d pixels", w, h);
    struct pl_affine to_old = {1, 0, r.x0, 0, 1, r.y0};
    return pl_page_transform(env, page, view, &r, &to_old, err);
}

const struct pl_preprocess_op pl_op_crop = {
    .info = {"crop", "keeps a part of the page: the given one, or the box of all ink", params,
             PL_ARRAY_LEN(params)},
    .color = true,
    .run = run,
};
