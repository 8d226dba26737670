/* SPDX-License-Identifier: BSD-2-Clause */
#include "detect/sizes.h"

#include <math.h>
#include <string.h>

#include "detect/detect_tuning.def"
#include "detect/ink/ink_steps.h"
#include "detect/ink/ink_tuning.def"

/* What letters a blob may be, or several that touch. */
static enum pl_text_size size_of(const struct pl_survey *survey, const struct pl_blob *b)
{
    const int h = pl_rect_height(b->box);
    if (h >= survey->min_height && h <= SMALL_GLYPH * survey->size)
        return PL_TEXT_SMALL;
    return h >= LARGE_FROM * survey->size && h <= survey->max_height ? PL_TEXT_LARGE
                                                                     : PL_TEXT_USUAL;
}

static bool has_large_ink(const struct pl_survey *survey)
{
    for (uint32_t i = 0; i < survey->n_blobs; i++)
        if (survey->blobs[i].kind != PL_BLOB_RULE &&
            size_of(survey, &survey->blobs[i]) == PL_TEXT_LARGE)
            return true;
    return false;
}

/* Gives the part with rows of small glyphs, and their height, the mean by glyphs. Returns whether
 * there are enough of them. */
static bool find_small_rows(const struct pl_found *found, struct pl_rect *ret_part, double *ret_px)
{
    const struct pl_survey *survey = &found->survey;
    uint32_t glyphs = 0;
    double sum = 0;
    for (uint32_t i = 0; i < found->n_groups; i++) {
        const struct pl_group *g = &found->groups[i];
        if (g->n < SMALL_ROW || g->fit.size < survey->min_height ||
            g->fit.size > SMALL_SIZE * survey->size)
            continue;
        *ret_part = glyphs ? pl_rect_union(*ret_part, g->box) : g->box;
        glyphs += g->n;
        sum += g->n * g->fit.size;
    }
    *ret_px = glyphs ? sum / glyphs : 0;
    return glyphs >= SMALL_GLYPHS;
}

bool pl_sizes_wanted(const struct pl_found *found, enum pl_text_size size, struct pl_rect *ret_part,
                     double *ret_glyph_px)
{
    const struct pl_survey *survey = &found->survey;
    const struct pl_rect page = {0, 0, survey->width, survey->height};
    if (size == PL_TEXT_LARGE) {
        *ret_part = page;
        *ret_glyph_px = LARGE_LOOK * survey->size;
        return has_large_ink(survey);
    }
    if (!find_small_rows(found, ret_part, ret_glyph_px))
        return false;
    const int around = (int)ceil(NET_AROUND * *ret_glyph_px);
    *ret_part = pl_rect_intersect((struct pl_rect){ret_part->x0 - around, ret_part->y0 - around,
                                                   ret_part->x1 + around, ret_part->y1 + around},
                                  page);
    return true;
}

/* Whether a place lies in a band, and nearer to its middle than that share of its half height. */
static bool is_in(const struct pl_text_band *band, double x, double y, double share)
{
    return x > band->x0 && x < band->x1 &&
           fabs(y - pl_text_band_middle(band, x)) < share * band->half;
}

/* How many blobs of each size have their middles near that of a band: neighbouring rows reach into
 * a large one. */
struct band_blobs {
    uint32_t of[3]; /* enum pl_text_size */
};

/* The ink of a page, by rows. */
struct ink {
    const struct pl_survey *survey;
    struct pl_rows rows; /* of its blobs */
};

static struct band_blobs blobs_of(const struct ink *ink, const struct pl_text_band *band)
{
    const struct pl_survey *survey = ink->survey;
    const struct pl_rows *rows = &ink->rows;
    struct band_blobs ret = {{0, 0, 0}};
    double y0, y1;
    pl_text_band_span(band, &y0, &y1);
    const uint32_t end = rows->first[pl_rows_of(rows, y1) + 1];
    for (uint32_t k = rows->first[pl_rows_of(rows, y0)]; k < end; k++) {
        const struct pl_blob *b = &survey->blobs[rows->item[k]];
        if (b->kind != PL_BLOB_RULE &&
            is_in(band, 0.5 * (b->box.x0 + b->box.x1), 0.5 * (b->box.y0 + b->box.y1), SIZES_MIDDLE))
            ret.of[size_of(survey, b)]++;
    }
    return ret;
}

/* Whether a band is a line of letters of that size, or else of others. Rows of usual text, seen
 * from afar, may look like a title, and so do signatures and pictures. */
static bool is_line(const struct ink *ink, const struct pl_text_band *band, enum pl_text_size size,
                    bool of_size)
{
    const struct band_blobs n = blobs_of(ink, band);
    const uint32_t own = n.of[size],
                   others = n.of[PL_TEXT_USUAL] + n.of[PL_TEXT_LARGE] + n.of[PL_TEXT_SMALL] - own;
    return of_size ? own >= ROW_GLYPHS && own >= others : others >= ROW_GLYPHS && others > own;
}

/* Whether two bands share a place: in the middle of the columns that both have, the middle of one
 * lies in the other. */
static bool meet(const struct pl_text_band *a, const struct pl_text_band *b)
{
    const double x = 0.5 * (PL_MAX(a->x0, b->x0) + PL_MIN(a->x1, b->x1));
    const double y = pl_text_band_middle(a, x);
    return x > a->x0 && x < a->x1 && is_in(b, x, y, PL_MAX(1, a->half / b->half));
}

/* Puts a band of that size in the place of those that it meets, unless one of these is a line of
 * another size: then the new one is of its strokes, a bar code or a signature. */
static void put(const struct ink *ink, enum pl_text_size size, struct pl_text_bands *bands,
                const struct pl_text_band *band)
{
    size_t kept = 0;
    for (size_t i = 0; i < bands->n; i++)
        if (meet(&bands->v[i], band) && is_line(ink, &bands->v[i], size, false))
            return;
    for (size_t i = 0; i < bands->n; i++)
        if (!meet(&bands->v[i], band))
            bands->v[kept++] = bands->v[i];
    bands->v[kept] = *band;
    bands->n = kept + 1;
}

/* Sorts the blobs of a page into rows. Returns false when memory is short. */
static bool take_ink(struct pl_survey *survey, struct ink *ret)
{
    double *y = PL_SURVEY_NEW(survey, double, survey->n_blobs);
    ret->survey = survey;
    for (uint32_t i = 0; y && i < survey->n_blobs; i++)
        y[i] = 0.5 * (survey->blobs[i].box.y0 + survey->blobs[i].box.y1);
    return y &&
           pl_rows_build(survey, y, survey->n_blobs, PL_MAX(survey->size, MIN_CELL_PX), &ret->rows);
}

platen_status pl_sizes_take(struct pl_survey *survey, enum pl_text_size size,
                            const struct pl_text_bands *seen, struct pl_text_bands *bands,
                            struct platen_error *err)
{
    struct pl_text_band *v = PL_SURVEY_NEW(survey, struct pl_text_band, bands->n + seen->n);
    struct ink ink;
    if (!v || !take_ink(survey, &ink))
        return pl_survey_nomem(survey, err);
    if (bands->n)
        memcpy(v, bands->v, bands->n * sizeof(*v));
    bands->v = v;
    for (size_t i = 0; i < seen->n; i++)
        if (is_line(&ink, &seen->v[i], size, true))
            put(&ink, size, bands, &seen->v[i]);
    return PLATEN_OK;
}
