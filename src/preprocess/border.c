/* Paper around the page, or the scanner's dark edges made paper. */
#include <string.h>

#include "preprocess/ink.h"
#include "preprocess/ops.h"

#define WHITE 255

static const char *const modes[] = {"add", "clear", NULL};

static const struct pl_param params[] = {
    {.name = "mode",
     .kind = PL_PARAM_CHOICE,
     .choices = modes,
     .help = "add: white paper around; clear: dark ink that runs along an edge becomes paper"},
    {.name = "size",
     .kind = PL_PARAM_INT,
     .min = 0,
     .max = 10000,
     .def = 10,
     .unit = "px",
     .help = "of the added paper, on each side"},
};

static platen_status frame(const struct pl_env *env, const struct pl_image *im, void *ctx,
                           struct pl_image *ret, struct platen_error *err)
{
    int size = *(const int *)ctx;
    size_t bytes = (size_t)im->format;
    platen_status s =
        pl_image_init(env, im->width + 2 * size, im->height + 2 * size, im->format, ret, err);
    if (s)
        return s;
    ret->bilevel = im->bilevel;
    ret->dpi_x = im->dpi_x;
    ret->dpi_y = im->dpi_y;
    for (int y = 0; y < ret->height; y++) {
        memset(pl_image_row(ret, y), WHITE, (size_t)ret->width * bytes);
        if (y >= size && y < size + im->height)
            memcpy(pl_image_row(ret, y) + (size_t)size * bytes, pl_image_row(im, y - size),
                   (size_t)im->width * bytes);
    }
    return PLATEN_OK;
}

static void paint(const struct pl_image *out, const struct pl_ink *ink,
                  const struct pl_component *c)
{
    size_t bytes = (size_t)out->format;
    for (uint32_t i = 0; i < c->n_runs; i++) {
        struct pl_run r = ink->cs.runs[c->first_run + i];
        memset(pl_image_row(out, r.y) + (size_t)r.x0 * bytes, WHITE, (size_t)(r.x1 - r.x0) * bytes);
    }
}

static platen_status without_shadows(const struct pl_env *env, const struct pl_image *im, void *ctx,
                                     struct pl_image *ret, struct platen_error *err)
{
    const struct pl_ink *ink = ctx;
    platen_status s = pl_page_copy_image(env, im, ret, err);
    for (size_t i = 0; !s && i < ink->cs.n; i++)
        if (pl_ink_is_edge_shadow(ink, &ink->cs.comps[i]))
            paint(ret, ink, &ink->cs.comps[i]);
    return s;
}

/* By Otsu's method, for dark areas. */
static platen_status dark_ink(const struct pl_env *env, const struct pl_page_image *page,
                              struct pl_ink *ret, struct platen_error *err)
{
    pl_auto_image gray = {0};
    platen_status s = PLATEN_OK;
    if (page->image.bilevel)
        ret->bilevel = pl_image_ref(&page->image);
    else
        s = pl_page_image_gray(env, page, &gray, err);
    if (gray.store)
        s = pl_binarize_otsu(env, &gray, &ret->bilevel, err);
    return s ? s : pl_components_find(env, &ret->bilevel, &ret->cs, err);
}

static platen_status clear(const struct pl_env *env, struct pl_page_image *page,
                           struct platen_error *err)
{
    pl_auto_ink ink = {0};
    platen_status s = dark_ink(env, page, &ink, err);
    size_t i = 0;
    while (i < ink.cs.n && !pl_ink_is_edge_shadow(&ink, &ink.cs.comps[i]))
        i++;
    if (s || i == ink.cs.n)
        return s;
    return pl_page_transform(env, page, without_shadows, &ink, &PL_AFFINE_IDENTITY, err);
}

static platen_status run(const struct pl_env *env, struct pl_page_image *page,
                         const struct pl_arg *args, struct platen_error *err)
{
    if (!strcmp(modes[(int)args[0].number], "clear"))
        return clear(env, page, err);
    int size = (int)args[1].number;
    struct pl_affine to_old = {1, 0, -size, 0, 1, -size};
    return pl_page_transform(env, page, frame, &size, &to_old, err);
}

const struct pl_preprocess_op pl_op_border = {
    .info = {"border", "adds white paper around the page, or clears dark scan edges", params,
             PL_ARRAY_LEN(params)},
    .color = true,
    .run = run,
};
