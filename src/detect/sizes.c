/* SPDX-License-Identifier: BSD-2-Clause */
#include "detect/sizes.h"

#include <math.h>
#include <string.h>

#include "detect/detect_tuning.def"
#include "detect/ink/ink_steps.h"
#include "detect/ink/ink_tuning.def"
#include "detect/obstacles/obstacle_tuning.def"

/* The looks of one kind: number k is for letters SIZE_STEP times as large, or small, as those of
 * number k - 1. */
struct size_rows {
    double glyphs[PL_MAX_SIZE_LOOKS / 2];       /* in rows of each */
    double sum_px[PL_MAX_SIZE_LOOKS / 2];       /* of their heights */
    struct pl_rect part[PL_MAX_SIZE_LOOKS / 2]; /* with all of them */
    struct pl_rect sure[PL_MAX_SIZE_LOOKS / 2]; /* with those of SMALL_ROW glyphs; may be empty */
};

/* Returns the mean height of the blobs of a group. */
static double mean_height(const struct pl_found *found, const struct pl_group *g)
{
    double sum = 0;
    for (uint32_t i = 0; i < g->n; i++)
        sum += pl_rect_height(pl_group_blob(found, g, i)->box);
    return sum / g->n;
}

/* Counts the glyphs of rows with the look that each is for: those of look 0 are from `size` px to
 * SIZE_STEP times that, or, of small ones, down to that part of it. */
static void count_rows(const struct pl_found *rows, double size, bool large, struct size_rows *ret)
{
    for (uint32_t i = 0; i < rows->n_groups; i++) {
        const struct pl_group *g = &rows->groups[i];
        const double px = mean_height(rows, g), ratio = large ? px / size : size / px;
        if (g->n < ROW_GLYPHS || ratio < 1)
            continue;
        const int k = PL_MIN((int)(log(ratio) / log(SIZE_STEP)), PL_MAX_SIZE_LOOKS / 2 - 1);
        ret->part[k] = ret->glyphs[k] > 0 ? pl_rect_union(ret->part[k], g->box) : g->box;
        if (g->n >= SMALL_ROW)
            ret->sure[k] =
                pl_rect_empty(ret->sure[k]) ? g->box : pl_rect_union(ret->sure[k], g->box);
        ret->glyphs[k] += g->n;
        ret->sum_px[k] += g->n * px;
    }
}

/* Returns the rows of the page with a box and something around it, from side to side: words of few
 * letters beside a row are in no row. */
static struct pl_rect rows_around(const struct pl_survey *survey, struct pl_rect box,
                                  double glyph_px)
{
    const int more = (int)ceil(NET_AROUND * glyph_px);
    return (struct pl_rect){0, PL_MAX(box.y0 - more, 0), survey->width,
                            PL_MIN(box.y1 + more, survey->height)};
}

static bool has_large_ink(const struct pl_survey *survey)
{
    for (uint32_t i = 0; i < survey->n_blobs; i++) {
        const int h = pl_rect_height(survey->blobs[i].box);
        if (survey->blobs[i].kind != PL_BLOB_RULE && h >= LARGE_FROM * survey->size &&
            h <= survey->height)
            return true;
    }
    return false;
}

/* Adds the looks for large letters: the first wherever there is large ink, the others for rows of
 * it. */
static bool list_large(struct pl_found *found, struct pl_size_look *ret, size_t *n)
{
    const struct pl_survey *survey = &found->survey;
    const struct pl_rect page = {0, 0, survey->width, survey->height};
    struct size_rows looks = {0};
    struct pl_found rows;
    uint32_t *from;
    if (!has_large_ink(survey))
        return true;
    if (!pl_rows_between(found, LARGE_FROM * survey->size, survey->height, false, &rows, &from))
        return false;
    count_rows(&rows, LARGE_FROM * survey->size, true, &looks);
    ret[(*n)++] = (struct pl_size_look){page, LARGE_LOOK * survey->size, LARGE_FROM * survey->size,
                                        survey->height};
    for (int k = 1; k < PL_MAX_SIZE_LOOKS / 2; k++)
        if (looks.glyphs[k] > 0) {
            const double px = looks.sum_px[k] / looks.glyphs[k];
            ret[(*n)++] = (struct pl_size_look){page, px, px / SIZE_STEP, survey->height};
        }
    return true;
}

/* Adds the looks for small print: where there are rows of it, at the scale of their mean height. */
static bool list_small(struct pl_found *found, struct pl_size_look *ret, size_t *n)
{
    const struct pl_survey *survey = &found->survey;
    const double most_px = SMALL_GLYPH * survey->size;
    struct size_rows looks = {0};
    struct pl_found rows;
    uint32_t *from;
    double times = 1;
    if (!pl_rows_between(found, survey->min_height, most_px, false, &rows, &from))
        return false;
    count_rows(&rows, SMALL_SIZE * survey->size, false, &looks);
    for (int k = 0; k < PL_MAX_SIZE_LOOKS / 2; k++, times *= SIZE_STEP) {
        const double px = looks.sum_px[k] / PL_MAX(looks.glyphs[k], 1);
        const struct pl_rect part = looks.glyphs[k] >= SMALL_GLYPHS ? looks.part[k] : looks.sure[k];
        if (!pl_rect_empty(part))
            ret[(*n)++] = (struct pl_size_look){rows_around(survey, part, px), px,
                                                survey->min_height, most_px / times};
    }
    return true;
}

bool pl_sizes_list(struct pl_found *found, struct pl_size_look ret[PL_MAX_SIZE_LOOKS],
                   size_t *ret_n)
{
    *ret_n = 0;
    return list_large(found, ret, ret_n) && list_small(found, ret, ret_n);
}

/* Whether a place lies in a band, and nearer to its middle than that share of its half height. */
static bool is_in(const struct pl_text_band *band, double x, double y, double share)
{
    return x > band->x0 && x < band->x1 &&
           fabs(y - pl_text_band_middle(band, x)) < share * band->half;
}

/* The ink of a page, by rows, as a look sees it. */
struct ink {
    const struct pl_survey *survey;
    const struct pl_size_look *look;
    struct pl_rows rows; /* of its blobs */
};

/* The blobs that have their middles near that of a band, as neighbouring rows reach into a large
 * one: those that may be letters of the look, and others. */
struct band_blobs {
    uint32_t n[2];       /* others, own */
    uint32_t wide[2];    /* of these, that are wider than a bar */
    double x0[2], x1[2]; /* between which they lie */
};

static void add_blob(struct band_blobs *n, bool own, struct pl_rect box)
{
    n->x0[own] = n->n[own] ? PL_MIN(n->x0[own], box.x0) : box.x0;
    n->x1[own] = n->n[own] ? PL_MAX(n->x1[own], box.x1) : box.x1;
    n->n[own]++;
    n->wide[own] += pl_rect_width(box) >= LARGE_NARROW * pl_rect_height(box);
}

static struct band_blobs blobs_of(const struct ink *ink, const struct pl_text_band *band)
{
    const struct pl_survey *survey = ink->survey;
    const struct pl_rows *rows = &ink->rows;
    struct band_blobs ret = {{0}, {0}, {0}, {0}};
    double y0, y1;
    pl_text_band_span(band, &y0, &y1);
    const uint32_t end = rows->first[pl_rows_of(rows, y1) + 1];
    for (uint32_t k = rows->first[pl_rows_of(rows, y0)]; k < end; k++) {
        const struct pl_blob *b = &survey->blobs[rows->item[k]];
        const int h = pl_rect_height(b->box);
        if (b->kind != PL_BLOB_RULE && h >= survey->min_height &&
            is_in(band, 0.5 * (b->box.x0 + b->box.x1), 0.5 * (b->box.y0 + b->box.y1), SIZES_MIDDLE))
            add_blob(&ret, h >= ink->look->least_px && h <= ink->look->most_px, b->box);
    }
    return ret;
}

/* Whether blobs of a kind are the bars of a bar code. */
static bool are_bars(const struct band_blobs *n, bool own)
{
    return n->n[own] >= CODE_BARS && n->wide[own] < (1 - CODE_SHARE) * n->n[own];
}

/* Gives the line of letters of the look that a band is, or else of other letters. Rows of usual
 * text, seen from afar, may look like a title, and so do signatures and pictures. Where letters of
 * both kinds stand beside each other it is the part of the band with those that are asked for.
 * Returns false where there is none. */
static bool line_in(const struct ink *ink, const struct pl_text_band *band, bool own,
                    struct pl_text_band *ret)
{
    struct band_blobs n = blobs_of(ink, band);
    *ret = *band;
    if (n.n[own] < ROW_GLYPHS || are_bars(&n, own))
        return false;
    if (n.n[own] >= n.n[!own] + !own)
        return true;
    ret->x0 = PL_MAX(band->x0, n.x0[own]);
    ret->x1 = PL_MIN(band->x1, n.x1[own]);
    n = blobs_of(ink, ret);
    return n.wide[own] >= ROW_GLYPHS && n.n[own] > n.n[!own];
}

/* Whether two bands share a place: in the middle of the columns that both have, the middle of one
 * lies in that share of the other. What bands reach beyond their letters is no such column. */
static bool meet(const struct pl_text_band *a, const struct pl_text_band *b, double share)
{
    const double x0 = PL_MAX(a->x0, b->x0), x1 = PL_MIN(a->x1, b->x1), x = 0.5 * (x0 + x1);
    const double narrower = PL_MIN(a->x1 - a->x0, b->x1 - b->x0), beside = PL_MAX(a->half, b->half);
    return x1 - x0 > PL_MIN(0.5 * narrower, beside) &&
           is_in(b, x, pl_text_band_middle(a, x), share * PL_MAX(1, a->half / b->half));
}

/* Puts a band of the look in the place of those that it meets. Of these, lines of other letters
 * stay, or the part of the band that they are; where one has the middle of the new band, this is of
 * its strokes, a bar code or a signature, and goes. */
static void put(const struct ink *ink, struct pl_text_bands *bands, const struct pl_text_band *band)
{
    struct pl_text_band other;
    size_t kept = 0;
    for (size_t i = 0; i < bands->n; i++)
        if (meet(&bands->v[i], band, 1) && line_in(ink, &bands->v[i], false, &other) &&
            meet(&other, band, SIZES_MIDDLE))
            return;
    for (size_t i = 0; i < bands->n; i++) {
        if (!meet(&bands->v[i], band, 1))
            bands->v[kept++] = bands->v[i];
        else if (line_in(ink, &bands->v[i], false, &other))
            bands->v[kept++] = other;
    }
    bands->v[kept] = *band;
    bands->n = kept + 1;
}

/* Sorts the blobs of a page into rows. Returns false when memory is short. */
static bool take_ink(struct pl_survey *survey, struct ink *ret)
{
    double *y = PL_SURVEY_NEW(survey, double, survey->n_blobs);
    for (uint32_t i = 0; y && i < survey->n_blobs; i++)
        y[i] = 0.5 * (survey->blobs[i].box.y0 + survey->blobs[i].box.y1);
    return y &&
           pl_rows_build(survey, y, survey->n_blobs, PL_MAX(survey->size, MIN_CELL_PX), &ret->rows);
}

platen_status pl_sizes_take(struct pl_survey *survey, const struct pl_size_look *look,
                            const struct pl_text_bands *seen, struct pl_text_bands *bands,
                            struct platen_error *err)
{
    struct pl_text_band *v = PL_SURVEY_NEW(survey, struct pl_text_band, bands->n + seen->n);
    struct ink ink = {.survey = survey, .look = look};
    if (!v || !take_ink(survey, &ink))
        return pl_survey_nomem(survey, err);
    if (bands->n)
        memcpy(v, bands->v, bands->n * sizeof(*v));
    bands->v = v;
    for (size_t i = 0; i < seen->n; i++) {
        struct pl_text_band own;
        if (line_in(&ink, &seen->v[i], true, &own))
            put(&ink, bands, &own);
    }
    return PLATEN_OK;
}
