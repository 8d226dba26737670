/* SPDX-License-Identifier: BSD-2-Clause */
/* Bullets: dots before the lines of a list. By itself such a dot says nothing to recognition, and a
 * network sees it as a line of its own, or not at all; so it joins the line that it stands before.
 */
#include <math.h>
#include <stdlib.h>

#include "detect/ink/ink_steps.h"
#include "detect/strays/strays.h"
#include "detect/strays/stray_tuning.def"

/* A dot that may be a bullet. */
struct bullet {
    uint32_t blob;
    int32_t row; /* the group that it stands before */
    bool sure;   /* it was seen as text */
};

/* Returns whether a blob is a disc or a square, as large as bullets are beside letters of `size`
 * px. */
static bool is_dot(const struct pl_blob *b, double size)
{
    const double w = pl_rect_width(b->box), h = pl_rect_height(b->box);
    return (b->kind == PL_BLOB_TEXT || b->kind == PL_BLOB_SPECK) &&
           PL_MIN(w, h) >= BULLET_MIN_SIDE * size && PL_MAX(w, h) <= BULLET_MAX_SIDE * size &&
           PL_MAX(w, h) <= BULLET_ASPECT * PL_MIN(w, h) + 1 && b->ink_px >= BULLET_INK * w * h;
}

/* Returns whether a dot is level with the small letters at the beginning of a row, and as large as
 * a bullet of the row. */
static bool is_level(const struct pl_blob *b, const struct pl_fit *f, double x)
{
    const double up = pl_fit_y(f, x) - 0.5 * (b->box.y0 + b->box.y1);
    return is_dot(b, f->size) && up >= BULLET_MIN_UP * f->xheight &&
           up <= BULLET_MAX_UP * f->xheight;
}

/* Returns whether a glyph, at least half as high as the letters of the row, stands level with a dot
 * between it and the row: the number of an order behind a letter in the margin. */
static bool is_glyph_between(const struct pl_found *found, const struct pl_blob *dot,
                             const struct pl_group *row)
{
    const int y = (dot->box.y0 + dot->box.y1) / 2;
    bool between = false;
    for (uint32_t i = 0; i < found->n_groups && !between; i++) {
        const struct pl_rect b = found->groups[i].box;
        between = b.x0 >= dot->box.x1 && b.x1 <= row->box.x0 && b.y0 <= y && b.y1 > y &&
                  2 * pl_rect_height(b) >= row->fit.size;
    }
    return between;
}

/* Returns the group that begins nearest to the right of a dot, level with it; -1 where there is
 * none, or a glyph between. */
static int32_t row_of(const struct pl_found *found, const struct pl_blob *b)
{
    int32_t ret = -1;
    for (uint32_t i = 0; i < found->n_groups; i++) {
        const struct pl_group *g = &found->groups[i];
        const double gap = g->box.x0 - b->box.x1;
        if (g->n >= 2 && gap >= 0 && gap <= BULLET_MAX_GAP * g->fit.size &&
            is_level(b, &g->fit, g->box.x0) && (ret < 0 || g->box.x0 < found->groups[ret].box.x0))
            ret = (int32_t)i;
    }
    return ret >= 0 && is_glyph_between(found, b, &found->groups[ret]) ? -1 : ret;
}

/* Returns whether a dot is the first glyph of a row of text, with a blank behind it. */
static bool begins_row(const struct pl_found *found, uint32_t blob)
{
    const struct pl_blob *b = &found->survey.blobs[blob];
    const struct pl_group *g = &found->groups[b->group];
    return g->n > 2 && found->members[g->first] == blob && is_level(b, &g->fit, b->box.x1) &&
           pl_group_blob(found, g, 1)->box.x0 - b->box.x1 >= BULLET_MIN_GAP * g->fit.size;
}

/* Lists the dots of a page that may be bullets, those too that stand in their rows. Returns how
 * many there are; `room` has one for each blob. */
static uint32_t list_bullets(const struct pl_found *found, struct bullet *room)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < found->survey.n_blobs; i++) {
        const struct pl_blob *b = &found->survey.blobs[i];
        if (!is_dot(b, found->survey.size))
            continue;
        const bool alone = b->group < 0 || found->groups[b->group].n == 1;
        const int32_t row = alone ? row_of(found, b) : begins_row(found, i) ? b->group : -1;
        if (row >= 0)
            room[n++] = (struct bullet){i, row, b->group >= 0};
    }
    return n;
}

/* Returns whether another dot, a sure one, is as large and stands below or above this one. */
static bool has_fellow(const struct pl_found *found, const struct bullet *bullets, uint32_t n,
                       uint32_t i)
{
    const struct pl_rect a = found->survey.blobs[bullets[i].blob].box;
    const double off = BULLET_ALIKE * found->groups[bullets[i].row].fit.size + 1;
    for (uint32_t k = 0; k < n; k++) {
        const struct pl_rect b = found->survey.blobs[bullets[k].blob].box;
        if (k != i && bullets[k].sure && abs(a.x0 - b.x0) <= off && abs(a.x1 - b.x1) <= off &&
            fabs((double)pl_rect_height(a) - pl_rect_height(b)) <= off)
            return true;
    }
    return false;
}

bool pl_bullets_join(struct pl_found *found)
{
    bool any = false;
    struct bullet *bullets = PL_SURVEY_NEW(&found->survey, struct bullet, found->survey.n_blobs);
    if (!bullets)
        return false;
    const uint32_t n = list_bullets(found, bullets);
    for (uint32_t i = 0; i < n; i++) {
        int32_t *group = &found->survey.blobs[bullets[i].blob].group;
        if (*group == bullets[i].row || !(bullets[i].sure || has_fellow(found, bullets, n, i)))
            continue;
        *group = bullets[i].row;
        any = true;
    }
    return !any || (pl_groups_rebuild(found, found->n_groups) && pl_fit_groups(found));
}
