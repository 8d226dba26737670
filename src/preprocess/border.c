/* Paper around the page, or the scanner's dark edges made paper. */
#include <string.h>

#include "image/components.h"
#include "preprocess/binarize.h"
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

/* Ink that touches an edge and runs along it for a fifth of that edge, or fills the corner. */
static bool is_edge_shadow(const struct pl_component *c, const struct pl_image *im)
{
    int w = pl_rect_width(c->box), h = pl_rect_height(c->box);
    bool side = c->box.x0 == 0 || c->box.x1 == im->width;
    bool end = c->box.y0 == 0 || c->box.y1 == im->height;
    return (side && h > im->height / 5) || (end && w > im->width / 5);
}

static void paint(const struct pl_image *out, const struct pl_components *cs,
                  const struct pl_component *c)
{
    size_t bytes = (size_t)out->format;
    for (uint32_t i = 0; i < c->n_runs; i++) {
        struct pl_run r = cs->runs[c->first_run + i];
        memset(pl_image_row(out, r.y) + (size_t)r.x0 * bytes, WHITE, (size_t)(r.x1 - r.x0) * bytes);
    }
}

struct shadows {
    const struct pl_components *cs;
};

static platen_status without_shadows(const struct pl_env *env, const struct pl_image *im, void *ctx,
                                     struct pl_image *ret, struct platen_error *err)
{
    const struct shadows *sh = ctx;
    int none = 0;
    platen_status s = frame(env, im, &none, ret, err);
    for (size_t i = 0; !s && i < sh->cs->n; i++)
        if (is_edge_shadow(&sh->cs->comps[i], im))
            paint(ret, sh->cs, &sh->cs->comps[i]);
    return s;
}

static platen_status clear(const struct pl_env *env, struct pl_page_image *page,
                           struct platen_error *err)
{
    pl_auto_image gray = {0}, ink = {0};
    pl_auto_components cs = {0};
    platen_status s = pl_page_image_gray(env, page, &gray, err);
    if (!s && page->image.bilevel)
        ink = pl_image_ref(&page->image);
    else if (!s)
        s = pl_binarize_otsu(env, &gray, &ink, err);
    if (!s)
        s = pl_components_find(env, &ink, &cs, err);
    if (s)
        return s;
    struct shadows sh = {&cs};
    return pl_page_transform(env, page, without_shadows, &sh, &PL_AFFINE_IDENTITY, err);
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
