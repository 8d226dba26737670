/* Specks: components much smaller than the letters, which are the median of what is not a speck. */
#include <string.h>

#include "image/components.h"
#include "preprocess/binarize.h"
#include "preprocess/ops.h"

#define WINDOW_PX 41
#define STRENGTH 0.3
#define MAX_HEIGHT 512       /* of a component that counts as a letter */
#define LETTERS_PER_SPECK 10 /* a full stop is about a fifth of a letter's height */

static const struct pl_param params[] = {
    {.name = "size",
     .kind = PL_PARAM_INT,
     .min = 0,
     .max = 1000,
     .def = 0,
     .unit = "px",
     .help = "largest side of a speck (0: a tenth of the letters' height)"},
};

/* Ink-weighted median height of the components: specks are many but hold little ink. */
static int letter_height(const struct pl_components *cs)
{
    uint64_t ink[MAX_HEIGHT] = {0}, total = 0, seen = 0;
    for (size_t i = 0; i < cs->n; i++) {
        int h = pl_rect_height(cs->comps[i].box);
        if (h < MAX_HEIGHT) {
            ink[h] += cs->comps[i].ink_px;
            total += cs->comps[i].ink_px;
        }
    }
    int h = 0;
    while (h < MAX_HEIGHT - 1 && (seen += ink[h]) * 2 < total)
        h++;
    return h;
}

static bool is_speck(const struct pl_component *c, int size)
{
    return pl_rect_width(c->box) <= size && pl_rect_height(c->box) <= size;
}

struct specks {
    const struct pl_components *cs;
    int size;
};

static platen_status erase(const struct pl_env *env, const struct pl_image *im, void *ctx,
                           struct pl_image *ret, struct platen_error *err)
{
    const struct specks *sp = ctx;
    platen_status s = pl_image_init(env, im->width, im->height, im->format, ret, err);
    if (s)
        return s;
    ret->bilevel = im->bilevel;
    ret->dpi_x = im->dpi_x;
    ret->dpi_y = im->dpi_y;
    for (int y = 0; y < im->height; y++)
        memcpy(pl_image_row(ret, y), pl_image_row(im, y), (size_t)im->width);
    for (size_t i = 0; i < sp->cs->n; i++) {
        const struct pl_component *c = &sp->cs->comps[i];
        for (uint32_t j = 0; is_speck(c, sp->size) && j < c->n_runs; j++) {
            struct pl_run r = sp->cs->runs[c->first_run + j];
            memset(pl_image_row(ret, r.y) + r.x0, 255, (size_t)(r.x1 - r.x0));
        }
    }
    return PLATEN_OK;
}

static platen_status run(const struct pl_env *env, struct pl_page_image *page,
                         const struct pl_arg *args, struct platen_error *err)
{
    pl_auto_image ink = {0};
    pl_auto_components cs = {0};
    platen_status s = pl_page_make_gray(env, page, err);
    if (!s && page->image.bilevel)
        ink = pl_image_ref(&page->image);
    else if (!s)
        s = pl_binarize_sauvola(env, &page->image, WINDOW_PX, STRENGTH, &ink, err);
    if (!s)
        s = pl_components_find(env, &ink, &cs, err);
    if (s)
        return s;
    struct specks sp = {&cs, (int)args[0].number};
    if (sp.size == 0)
        sp.size = PL_MAX(letter_height(&cs) / LETTERS_PER_SPECK, 1);
    return pl_page_transform(env, page, erase, &sp, &PL_AFFINE_IDENTITY, err);
}

const struct pl_preprocess_op pl_op_despeckle = {
    .info = {"despeckle", "erases ink much smaller than the letters (made grey)", params,
             PL_ARRAY_LEN(params)},
    .run = run,
};
