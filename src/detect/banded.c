/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines of the ink in the bands where a network sees text: a band says which ink makes a line;
 * where a line lies exactly, its baseline and its words come from that ink, as in `lines`. A band
 * without ink of its own (light letters on a dark ground) is a line as it stands. */
#include "detect/banded.h"

#include <math.h>

#include "base/sets.h"
#include "detect/ink/ink_steps.h"
#include "detect/obstacles/obstacles.h"
#include "detect/strays/strays.h"
#include "detect/lines.h"
#include "detect/detect_tuning.def"
#include "detect/ink/ink_tuning.def"

/* The bands of a page, and what was found in its ink. */
struct banded {
    struct pl_found *found;
    const struct pl_text_bands *bands;
    double *nearness;    /* of each blob to the middle of its band: 0 to 1 */
    bool *has_ink;       /* each band, its own or what a nearer band has */
    struct pl_rows rows; /* of the bands */
};

/* Gives a blob to band i where it lies in it, and nearer to its middle than to that of the band
 * that has it so far. */
static void offer(struct banded *d, uint32_t blob, size_t i)
{
    struct pl_blob *b = &d->found->survey.blobs[blob];
    const struct pl_text_band *band = &d->bands->v[i];
    double x = 0.5 * (b->box.x0 + b->box.x1), y = 0.5 * (b->box.y0 + b->box.y1);
    if (b->kind == PL_BLOB_RULE || b->kind == PL_BLOB_CIRCLE ||
        pl_rect_height(b->box) > BAND_GLYPH * 2 * band->half + 2 || x < band->x0 || x > band->x1)
        return;
    double away = fabs(y - pl_text_band_middle(band, x)) / band->half;
    if (away > 1)
        return;
    d->has_ink[i] = true;
    if (b->group >= 0 && away >= d->nearness[blob])
        return;
    b->group = (int32_t)i;
    d->nearness[blob] = away;
}

/* Offers the blobs in the rows of band i. */
static void offer_row(struct banded *d, const struct pl_rows *rows, size_t i)
{
    double y0, y1;
    pl_text_band_span(&d->bands->v[i], &y0, &y1);
    const uint32_t end = rows->first[pl_rows_of(rows, y1) + 1];
    for (uint32_t k = rows->first[pl_rows_of(rows, y0)]; k < end; k++)
        offer(d, rows->item[k], i);
}

/* Sorts the bands by the heights of their left ends. Returns false when memory is short. */
static bool sort_bands(struct banded *d)
{
    struct pl_survey *survey = &d->found->survey;
    double *y = PL_SURVEY_NEW(survey, double, d->bands->n);
    if (!y)
        return false;
    for (size_t i = 0; i < d->bands->n; i++)
        y[i] = (double)d->bands->v[i].middle[0];
    return pl_rows_build(survey, y, (uint32_t)d->bands->n, PL_MAX(survey->size, MIN_CELL_PX),
                         &d->rows);
}

/* Returns whether the place (x, y) beside the band lies in its row, not far from it. */
static bool is_beside(const struct banded *d, const struct pl_text_band *b, double x, double y)
{
    double end = PL_CLAMP(x, b->x0, b->x1), size = d->found->survey.size;
    double middle = pl_text_band_middle(b, end) + d->found->survey.slope * (x - end);
    return fabs(x - end) <= ROW_REACH * size && fabs(y - middle) <= b->half;
}

/* Returns whether text is seen weakly where the blob is. */
static bool is_seen(const struct banded *d, const struct pl_blob *b)
{
    return pl_text_places_at(&d->bands->places, 0.5 * (b->box.x0 + b->box.x1),
                             0.5 * (b->box.y0 + b->box.y1));
}

/* Returns whether text is seen weakly at all blobs of the group. */
static bool group_is_seen(const struct banded *d, const struct pl_group *g)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < g->n; i++)
        n += is_seen(d, &d->found->survey.blobs[d->found->members[g->first + i]]);
    return n == g->n;
}

static bool is_dash(const struct pl_blob *b, double size)
{
    const double w = pl_rect_width(b->box), h = pl_rect_height(b->box);
    return w >= SIDE_DASH_ASPECT * h && w >= SIDE_DASH_MIN * size && w <= SIDE_DASH_MAX * size &&
           h <= SIDE_DASH_HEIGHT * size;
}

/* Returns whether the group stands between two dashes, as the number of a page does. */
static bool is_between_dashes(const struct banded *d, const struct pl_group *g)
{
    const uint32_t *member = d->found->members + g->first;
    const struct pl_blob *blobs = d->found->survey.blobs;
    return g->n >= ROW_GLYPHS && is_dash(&blobs[member[0]], g->fit.size) &&
           is_dash(&blobs[member[g->n - 1]], g->fit.size);
}

/* Returns whether the group is the number of a page between dashes. */
static bool is_page_number(const struct banded *d, const struct pl_group *g)
{
    return g->n <= NUMBER_GLYPHS + 2 && is_between_dashes(d, g);
}

/* Returns whether a group in no band is print all the same: as high as the text of the page, and
 * seen weakly, between dashes, or in the row of a band, as a lone letter in the cell of a table. */
static bool is_print(const struct banded *d, const struct pl_group *g)
{
    const struct pl_survey *survey = &d->found->survey;
    double x = 0.5 * (g->box.x0 + g->box.x1), y = 0.5 * (g->box.y0 + g->box.y1);
    double near = ROW_SLOPE * survey->size;
    if (!d->bands->n || g->fit.size < UNBANDED_LEAST * survey->size ||
        g->fit.size > UNBANDED_MOST * survey->size)
        return false;
    if (group_is_seen(d, g) || is_between_dashes(d, g))
        return true;
    uint32_t end = d->rows.first[pl_rows_of(&d->rows, y + near) + 1];
    for (uint32_t k = d->rows.first[pl_rows_of(&d->rows, y - near)]; k < end; k++)
        if (is_beside(d, &d->bands->v[d->rows.item[k]], x, y))
            return true;
    return false;
}

/* Moves *first..*end to the next blobs of the group, side by side, that no band has; both begin at
 * 0. Returns false where there are no more. */
static bool next_free(const struct banded *d, const struct pl_group *g, uint32_t *first,
                      uint32_t *end)
{
    const struct pl_blob *blobs = d->found->survey.blobs;
    const uint32_t *member = d->found->members + g->first;
    uint32_t i = *end;
    while (i < g->n && blobs[member[i]].group >= 0)
        i++;
    *first = i;
    while (i < g->n && blobs[member[i]].group < 0)
        i++;
    *end = i;
    return i > *first;
}

/* Gives the blobs first..end-1 of a group as a group of their own. */
static struct pl_group part_of(const struct banded *d, const struct pl_group *g, uint32_t first,
                               uint32_t end)
{
    const struct pl_blob *blobs = d->found->survey.blobs;
    const uint32_t *member = d->found->members + g->first;
    struct pl_group part = *g;
    part.first += first;
    part.n = end - first;
    part.box = blobs[member[first]].box;
    for (uint32_t i = first + 1; i < end; i++)
        part.box = pl_rect_union(part.box, blobs[member[i]].box);
    part.fit.size = pl_rect_height(part.box);
    return part;
}

/* Returns whether a part of a group of which bands have the rest may be a letter or a mark: one or
 * two blobs as high as the letters of the group. Pieces of rules are lower, dirt is higher. */
static bool may_be_glyph(const struct pl_group *g, const struct pl_group *part)
{
    return part->n < ROW_GLYPHS && part->fit.size >= UNBANDED_LEAST * g->fit.size &&
           part->fit.size <= UNBANDED_MOST * g->fit.size;
}

/* Gives what is print in no band, whole groups and parts of them, the numbers after those of the
 * bands. Returns how many numbers there are. */
static uint32_t keep_groups(const struct banded *d)
{
    struct pl_blob *blobs = d->found->survey.blobs;
    uint32_t n = (uint32_t)d->bands->n;
    for (uint32_t g = 0; g < d->found->n_groups; g++) {
        const struct pl_group *group = &d->found->groups[g];
        const uint32_t *member = d->found->members + group->first;
        for (uint32_t i = 0, end = 0; next_free(d, group, &i, &end);) {
            struct pl_group part = part_of(d, group, i, end);
            bool print = part.n == group->n ? is_print(d, group)
                                            : may_be_glyph(group, &part) &&
                                                  group_is_seen(d, &part) && is_print(d, &part);
            if (!print)
                continue;
            for (uint32_t k = i; k < end; k++)
                blobs[member[k]].group = (int32_t)n;
            n++;
        }
    }
    return n;
}

/* Returns whether band b goes on where band a ends, on its level. */
static bool follows(const struct pl_text_band *a, const struct pl_text_band *b)
{
    double overlap = PL_MIN(a->x1, b->x1) - PL_MAX(a->x0, b->x0), x = 0.5 * (a->x1 + b->x0);
    return 2 * overlap < PL_MIN(a->x1 - a->x0, b->x1 - b->x0) && a->x0 < b->x0 &&
           fabs(pl_text_band_middle(a, x) - pl_text_band_middle(b, x)) <
               0.5 * PL_MIN(a->half, b->half);
}

/* Joins the bands that part a word of a chained group, or the number of a page from its dashes; the
 * left one names them (base/sets.h). */
static void join_words(const struct banded *d, const struct pl_group *g, uint32_t *joined)
{
    const struct pl_blob *blobs = d->found->survey.blobs, *last = NULL;
    const double most = is_page_number(d, g) ? SIDE_DASH_GAP : USUAL_WORD_GAP;
    for (uint32_t i = 0; i < g->n; i++) {
        const struct pl_blob *b = &blobs[d->found->members[g->first + i]];
        if (b->group < 0)
            continue;
        if (last && last->group != b->group && b->box.x0 - last->box.x1 <= most * g->fit.size &&
            follows(&d->bands->v[last->group], &d->bands->v[b->group]))
            joined[pl_set_root(joined, (uint32_t)b->group)] =
                pl_set_root(joined, (uint32_t)last->group);
        if (!last || b->box.x1 > last->box.x1)
            last = b;
    }
}

/* Returns whether the part of a group from `first` to end-1 is a glyph of the word of blob `to`, in
 * the row of the band that has this; where text is seen weakly a space may part them. */
static bool is_of_word(const struct banded *d, const struct pl_group *g, uint32_t first,
                       uint32_t end, uint32_t to)
{
    const struct pl_blob *b = &d->found->survey.blobs[d->found->members[g->first + to]];
    struct pl_group part = part_of(d, g, first, end);
    double x = 0.5 * (part.box.x0 + part.box.x1), y = 0.5 * (part.box.y0 + part.box.y1);
    int gap = PL_MAX(part.box.x0 - b->box.x1, b->box.x0 - part.box.x1);
    double most = group_is_seen(d, &part) ? SPACE_GAP : USUAL_WORD_GAP;
    return may_be_glyph(g, &part) && gap <= most * g->fit.size &&
           is_beside(d, &d->bands->v[b->group], x, y);
}

/* Gives the blobs first..end-1 of a group, which are in no band, to the band of its blob `to`,
 * where they are several and seen weakly, a glyph of the same word, or a dash beside the number of
 * a page. A band of small print beside a large word has nothing of it. */
static void rescue(struct banded *d, const struct pl_group *g, uint32_t first, uint32_t end,
                   uint32_t to)
{
    struct pl_blob *blobs = d->found->survey.blobs;
    const uint32_t *member = d->found->members + g->first;
    uint32_t seen = 0;
    if (2 * d->bands->v[blobs[member[to]].group].half < UNBANDED_LEAST * g->fit.size)
        return;
    for (uint32_t i = first; i < end; i++)
        seen += is_seen(d, &blobs[member[i]]);
    if (!(seen >= ROW_GLYPHS && 2 * seen > end - first) && !is_page_number(d, g) &&
        !is_of_word(d, g, first, end, to))
        return;
    for (uint32_t i = first; i < end; i++)
        blobs[member[i]].group = blobs[member[to]].group;
}

/* Gives the blobs of a group that no band has to those that its other blobs are in. */
static void rescue_in(struct banded *d, const struct pl_group *g)
{
    for (uint32_t i = 0, end = 0; next_free(d, g, &i, &end);)
        if (end - i < g->n)
            rescue(d, g, i, end, i ? i - 1 : end);
}

/* Where the chained groups say that bands go on, they become one or get more ink. Returns false
 * when memory is short. */
static bool follow_groups(struct banded *d)
{
    struct pl_survey *survey = &d->found->survey;
    uint32_t *joined = PL_SURVEY_NEW(survey, uint32_t, d->bands->n);
    if (!joined)
        return false;
    for (size_t i = 0; i < d->bands->n; i++)
        joined[i] = (uint32_t)i;
    for (uint32_t g = 0; g < d->found->n_groups; g++) {
        join_words(d, &d->found->groups[g], joined);
        rescue_in(d, &d->found->groups[g]);
    }
    for (uint32_t i = 0; i < survey->n_blobs; i++)
        if (survey->blobs[i].group >= 0)
            survey->blobs[i].group = (int32_t)pl_set_root(joined, (uint32_t)survey->blobs[i].group);
    return true;
}

/* Returns whether the blob is smaller both ways than any mark of print of that height. */
static bool is_dirt(const struct pl_blob *b, double height)
{
    return PL_MAX(pl_rect_width(b->box), pl_rect_height(b->box)) < DIRT_SIDE * height;
}

/* Returns whether the page is strewn with dirt, which is told where no text is seen. */
static bool is_strewn(const struct pl_survey *survey)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < survey->n_blobs; k++)
        n += survey->blobs[k].group < 0 && is_dirt(&survey->blobs[k], survey->size);
    return n * survey->size * survey->size >= DIRT_STREWN * survey->width * survey->height;
}

/* Takes the dirt of a page that is strewn with it from the bands: it would widen lines across
 * narrow gutters and fill the gaps between words. (Where print is faint its pieces are as small.)
 */
static void drop_dirt(struct banded *d)
{
    struct pl_survey *survey = &d->found->survey;
    if (!is_strewn(survey))
        return;
    for (uint32_t k = 0; k < survey->n_blobs; k++) {
        struct pl_blob *b = &survey->blobs[k];
        if (b->group >= 0 && is_dirt(b, 2 * d->bands->v[b->group].half))
            b->group = -1;
    }
}

/* Gives marks above and below letters, of chained groups, to the bands of these letters. */
static void join_diacritics(struct pl_found *found)
{
    for (uint32_t k = 0; k < found->n_groups; k++) {
        const struct pl_group *g = &found->groups[k];
        for (uint32_t i = 0; i < g->n; i++) {
            struct pl_blob *b = &found->survey.blobs[found->members[g->first + i]];
            const struct pl_blob *letter = b->group < 0 ? pl_diacritic_letter(found, g, i) : NULL;
            b->group = letter ? letter->group : b->group;
        }
    }
}

/* Makes a group of the blobs of each band, in the place of the groups that were chained. Returns
 * false when memory is short. */
static bool assign(struct banded *d)
{
    struct pl_survey *survey = &d->found->survey;
    double *y = PL_SURVEY_NEW(survey, double, survey->n_blobs);
    struct pl_rows rows;
    d->nearness = PL_SURVEY_NEW(survey, double, survey->n_blobs);
    d->has_ink = PL_SURVEY_NEW(survey, bool, d->bands->n);
    if (!y || !d->nearness || !d->has_ink)
        return false;
    for (uint32_t i = 0; i < survey->n_blobs; i++) {
        survey->blobs[i].group = -1;
        y[i] = 0.5 * (survey->blobs[i].box.y0 + survey->blobs[i].box.y1);
    }
    if (!pl_rows_build(survey, y, survey->n_blobs, PL_MAX(survey->size, MIN_CELL_PX), &rows))
        return false;
    for (size_t i = 0; i < d->bands->n; i++)
        offer_row(d, &rows, i);
    if (!follow_groups(d))
        return false;
    drop_dirt(d);
    join_diacritics(d->found);
    return sort_bands(d) && pl_groups_rebuild(d->found, keep_groups(d)) && pl_fit_groups(d->found);
}

/* Gives the box of a band inside the page. */
static struct pl_rect bounds(const struct pl_text_band *b, const struct pl_survey *survey)
{
    double left = pl_text_band_middle(b, b->x0), right = pl_text_band_middle(b, b->x1);
    struct pl_rect r = {(int)floor(b->x0), (int)floor(PL_MIN(left, right) - b->half),
                        (int)ceil(b->x1), (int)ceil(PL_MAX(left, right) + b->half)};
    r.x0 = PL_CLAMP(r.x0, 0, survey->width);
    r.x1 = PL_CLAMP(r.x1, 0, survey->width);
    r.y0 = PL_CLAMP(r.y0, 0, survey->height);
    r.y1 = PL_CLAMP(r.y1, 0, survey->height);
    return r;
}

/* Makes a line of a band without ink, its baseline by the usual shares of its height. Returns false
 * when memory is short. */
static bool bare_line(struct pl_survey *survey, const struct pl_text_band *b, struct pl_line *ret)
{
    struct pl_rect r = bounds(b, survey);
    struct pl_rect *gap = PL_SURVEY_NEW(survey, struct pl_rect, 1);
    if (!gap)
        return false;
    *gap = r;
    double left = pl_text_band_middle(b, b->x0), right = pl_text_band_middle(b, b->x1);
    double slope = (right - left) / (b->x1 - b->x0), height = 2 * b->half;
    *ret = (struct pl_line){.box = r,
                            .base_y = left + slope * (r.x0 - b->x0) + (0.5 - BAND_DESCENT) * height,
                            .slope = slope,
                            .ascent_px = BAND_ASCENT * height,
                            .descent_px = BAND_DESCENT * height,
                            .xheight_px = BAND_XHEIGHT * height,
                            .glyph_px = BAND_ASCENT * height,
                            .gaps = gap,
                            .n_gaps = 1};
    return true;
}

/* Adds the bands without ink to found->others. Returns false when memory is short. */
static bool add_bare_lines(struct banded *d)
{
    struct pl_found *found = d->found;
    struct pl_survey *survey = &found->survey;
    if (!pl_others_reserve(found, d->bands->n))
        return false;
    for (size_t i = 0; i < d->bands->n; i++) {
        const struct pl_text_band *b = &d->bands->v[i];
        if (d->has_ink[i] || 2 * b->half < survey->min_height || pl_rect_empty(bounds(b, survey)))
            continue;
        if (!bare_line(survey, b, &found->others[found->n_others++]))
            return false;
    }
    return true;
}

platen_status pl_banded_lines(struct pl_found *found, const struct pl_text_bands *bands,
                              bool columns, struct pl_regions *ret, struct platen_error *err)
{
    struct banded d = {.found = found, .bands = bands};
    platen_status s = pl_rules_list(&found->survey, ret, err);
    if (!s && !(assign(&d) && pl_bullets_join(found) && pl_turned_find(found) &&
                add_bare_lines(&d) && pl_lines_emit(found, columns, ret)))
        s = pl_survey_nomem(&found->survey, err);
    return s ? s : pl_leftover_account(found, ret, err);
}
