/* Operation `line`: the whole picture is one text line, as a caller cut it. Its rows come from the
 * profile of the ink, so that it is found whatever its letters are made of (dots, broken strokes,
 * smudges); what its neighbours left at the edges and rules are set aside. */
#include "detect/ink_rows.h"
#include "detect/layout.h"
#include "detect/lines.h"

/* Ink that has its middle in the rows of the line and is not much higher than they are. */
static bool belongs(const struct pl_blob *b, struct pl_rect ink)
{
    int twice_middle = b->box.y0 + b->box.y1;
    return b->kind != PL_BLOB_RULE && twice_middle >= 2 * ink.y0 && twice_middle <= 2 * ink.y1 &&
           pl_rect_height(b->box) <= 1.5 * pl_rect_height(ink) + 2;
}

/* Puts everything of the line into one group. */
static bool collect(struct pl_layout *l, struct pl_rect ink)
{
    bool any = false;
    for (uint32_t i = 0; i < l->n_blobs; i++) {
        bool in = belongs(&l->blobs[i], ink);
        l->blobs[i].group = in ? 0 : -1;
        any |= in;
    }
    return pl_groups_rebuild(l, any) && pl_fit_groups(l);
}

/* Lets the line fill its rows. A baseline that the glyphs do not tell is the lowest row. */
static void fit_to_ink(struct pl_line *line, struct pl_rect ink)
{
    double height = pl_rect_height(ink), middle = 0.5 * pl_rect_width(line->box);
    double base = line->base_y + line->slope * middle;
    if (!(base > ink.y0 + 0.5 * height && base <= ink.y1))
        base = ink.y1;
    line->box = pl_rect_union(line->box, ink);
    line->base_y = base;
    line->slope = 0;
    line->ascent_px = base - ink.y0;
    line->descent_px = ink.y1 - base;
    line->xheight_px = PL_CLAMP(line->xheight_px, 0.3 * line->ascent_px, line->ascent_px);
}

/* The block of the line, also where binarisation left no component of it. */
static bool set_line(struct pl_layout *l, struct pl_rect ink, struct pl_regions *ret)
{
    if (pl_rect_empty(ink))
        return true;
    if (!ret->n_blocks) {
        ret->blocks = PL_LAYOUT_NEW(l, struct pl_block, 1);
        struct pl_line *line = PL_LAYOUT_NEW(l, struct pl_line, 1);
        if (!ret->blocks || !line)
            return false;
        ret->n_blocks = 1;
        ret->blocks[0] = (struct pl_block){.lines = line, .n_lines = 1};
    }
    fit_to_ink(&ret->blocks[0].lines[0], ink);
    ret->blocks[0].box = ret->blocks[0].lines[0].box;
    return true;
}

static platen_status find(struct pl_layout *l, const struct pl_page_image *page,
                          struct pl_regions *ret, struct platen_error *err)
{
    pl_auto_image gray = {0};
    struct pl_rect ink;
    platen_status s =
        pl_image_to_gray(l->env, page->gray.px ? &page->gray : &page->image, &gray, err);
    s = s ? s : pl_ink_rows(l->env, l->arena, &gray, &ink, err);
    s = s ? s : pl_layout_find(l, &page->image, false, err);
    if (s)
        return s;
    if (!collect(l, ink) || !pl_order_blocks(l, false, ret) || !set_line(l, ink, ret) ||
        !pl_leftover_account(l, ret))
        return pl_fail_nomem(err, l->n_blobs * sizeof(struct pl_blob), "a text line");
    return PLATEN_OK;
}

static platen_status run(const struct pl_env *env, struct pl_arena *arena,
                         const struct pl_page_image *page, const struct pl_arg *args,
                         struct pl_regions *ret, struct platen_error *err)
{
    (void)args;
    struct pl_regions regions = {0};
    struct pl_layout l = {
        .env = env, .arena = arena, .min_height = 2, .max_height = page->image.height};
    platen_status s = find(&l, page, &regions, err);
    pl_components_done(&l.comps);
    if (!s)
        *ret = regions;
    return s;
}

const struct pl_detect_op pl_detect_line = {
    .info = {.name = "line", .help = "take the whole picture as one text line"},
    .run = run,
};
