/* SPDX-License-Identifier: BSD-2-Clause */
#include "detect/large.h"

#include <math.h>
#include <string.h>

#include "detect/detect_tuning.def"
#include "detect/ink/ink_tuning.def"

/* Whether a blob may be a large letter, or several that touch. */
static bool is_large_ink(const struct pl_survey *survey, const struct pl_blob *b)
{
    const int h = pl_rect_height(b->box);
    return b->kind != PL_BLOB_RULE && h >= LARGE_FROM * survey->size && h <= survey->max_height;
}

bool pl_has_large_ink(const struct pl_survey *survey)
{
    uint32_t i = 0;
    while (i < survey->n_blobs && !is_large_ink(survey, &survey->blobs[i]))
        i++;
    return i < survey->n_blobs;
}

/* Whether a place lies in a band, and nearer to its middle than that share of its half height. */
static bool is_in(const struct pl_text_band *band, double x, double y, double share)
{
    return x > band->x0 && x < band->x1 &&
           fabs(y - pl_text_band_middle(band, x)) < share * band->half;
}

/* The blobs whose middles lie near that of a band: neighbouring rows reach into a large one. */
struct band_blobs {
    uint32_t large, usual;
};

static struct band_blobs blobs_of(const struct pl_survey *survey, const struct pl_text_band *band)
{
    struct band_blobs ret = {0, 0};
    for (uint32_t i = 0; i < survey->n_blobs; i++) {
        const struct pl_blob *b = &survey->blobs[i];
        if (b->kind == PL_BLOB_RULE || !is_in(band, 0.5 * (b->box.x0 + b->box.x1),
                                              0.5 * (b->box.y0 + b->box.y1), LARGE_MIDDLE))
            continue;
        const bool large = is_large_ink(survey, b);
        ret.large += large;
        ret.usual += !large;
    }
    return ret;
}

/* Whether a band is a line of large letters: rows of usual text, seen from afar, may look like one,
 * and so do signatures and pictures. */
static bool is_large(const struct pl_survey *survey, const struct pl_text_band *band)
{
    const struct band_blobs n = blobs_of(survey, band);
    return n.large >= ROW_GLYPHS && n.large >= n.usual;
}

/* Whether a band is a line of usual text, and no piece of large letters. */
static bool is_usual(const struct pl_survey *survey, const struct pl_text_band *band)
{
    const struct band_blobs n = blobs_of(survey, band);
    return n.usual >= ROW_GLYPHS && n.usual > n.large;
}

/* Whether the middle of what two bands share of their length lies in the large one. */
static bool meets(const struct pl_text_band *band, const struct pl_text_band *large)
{
    const double x = 0.5 * (PL_MAX(band->x0, large->x0) + PL_MIN(band->x1, large->x1));
    return x > band->x0 && x < band->x1 && is_in(large, x, pl_text_band_middle(band, x), 1);
}

/* Puts a large band in the place of those that meet it, unless one of these is the same line, or of
 * usual text: then the large one is a picture, a bar code or a signature. */
static void put(const struct pl_survey *survey, struct pl_text_bands *bands,
                const struct pl_text_band *large)
{
    size_t kept = 0;
    for (size_t i = 0; i < bands->n; i++)
        if (meets(&bands->v[i], large) && is_usual(survey, &bands->v[i]))
            return;
    for (size_t i = 0; i < bands->n; i++)
        if (!meets(&bands->v[i], large))
            bands->v[kept++] = bands->v[i];
    bands->v[kept] = *large;
    bands->n = kept + 1;
}

platen_status pl_large_bands_take(const struct pl_survey *survey, const struct pl_text_bands *seen,
                                  struct pl_text_bands *bands, struct platen_error *err)
{
    const size_t n = bands->n + seen->n;
    struct pl_text_band *v = PL_NEW(survey->arena, struct pl_text_band, n);
    if (!v)
        return pl_fail_nomem(err, n * sizeof(*v), "bands of text");
    if (bands->n)
        memcpy(v, bands->v, bands->n * sizeof(*v));
    bands->v = v;
    for (size_t i = 0; i < seen->n; i++)
        if (is_large(survey, &seen->v[i]))
            put(survey, bands, &seen->v[i]);
    return PLATEN_OK;
}
