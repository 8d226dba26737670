/* Operation `line`: the whole picture is one text line, as a caller cut it. What its neighbours
 * left at the upper and lower edge and rules are set aside; everything level with the line's band
 * is kept. */
#include <math.h>

#include "detect/layout.h"
#include "detect/lines.h"

/* The group with most ink: the line itself, not what peeps in from its neighbours. */
static const struct pl_group *main_group(const struct pl_layout *l)
{
    const struct pl_group *best = NULL;
    uint64_t best_ink = 0;
    for (uint32_t i = 0; i < l->n_groups; i++) {
        const struct pl_group *g = &l->groups[i];
        uint64_t ink = 0;
        for (uint32_t j = 0; j < g->n; j++)
            ink += l->blobs[l->members[g->first + j]].ink_px;
        if (ink > best_ink) {
            best_ink = ink;
            best = g;
        }
    }
    return best;
}

/* Ink that crosses the band of the small letters is of the line. So are dots, accents and low
 * commas, but not what an edge of the picture has cut off. */
static bool belongs(const struct pl_layout *l, const struct pl_blob *b, const struct pl_fit *f)
{
    double base = pl_fit_y(f, 0.5 * (b->box.x0 + b->box.x1)), x = f->xheight;
    if (b->kind == PL_BLOB_RULE || (b->kind == PL_BLOB_GRAPHIC && b->box.y0 < base - 3 * x))
        return false;
    if (b->box.y1 > base - 0.8 * x && b->box.y0 < base - 0.1 * x)
        return true;
    if (b->box.y0 <= 0 || b->box.y1 >= l->height)
        return false;
    return b->box.y0 >= base - 2.2 * x && b->box.y1 <= base + 0.9 * x;
}

/* Puts everything of the line into one group; all that is no rule when there was no group. */
static bool collect(struct pl_layout *l)
{
    const struct pl_group *g = main_group(l);
    struct pl_fit f = g ? g->fit : (struct pl_fit){0};
    bool any = false;
    for (uint32_t i = 0; i < l->n_blobs; i++) {
        struct pl_blob *b = &l->blobs[i];
        bool in = g ? belongs(l, b, &f) : b->kind == PL_BLOB_TEXT;
        b->group = in ? 0 : -1;
        any |= in;
    }
    return pl_groups_rebuild(l, any) && pl_fit_groups(l);
}

static platen_status run(const struct pl_env *env, struct pl_arena *arena,
                         const struct pl_page_image *page, const struct pl_arg *args,
                         struct pl_regions *ret, struct platen_error *err)
{
    (void)args;
    struct pl_regions regions = {0};
    struct pl_layout l = {.env = env, .arena = arena, .min_height = 2};
    platen_status s = pl_layout_find(&l, &page->image, false, err);
    if (!s &&
        !(collect(&l) && pl_order_blocks(&l, false, &regions) && pl_leftover_account(&l, &regions)))
        s = pl_fail_nomem(err, l.n_blobs * sizeof(struct pl_blob), "a text line");
    pl_components_done(&l.comps);
    if (!s)
        *ret = regions;
    return s;
}

const struct pl_detect_op pl_detect_line = {
    .info = {.name = "line", .help = "take the whole picture as one text line"},
    .run = run,
};
