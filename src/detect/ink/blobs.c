/* SPDX-License-Identifier: BSD-2-Clause */
/* Components of ink as blobs, and what each may be by its shape. */
#include <stdlib.h>

#include "detect/ink/ink_steps.h"
#include "detect/ink/ink_tuning.def"

/* Bytes that a blob and all that is made of it take at most. Measured on a page of nothing but
 * dots. */
#define BYTES_PER_BLOB 1500

/* Sorts the blobs by their left edges. It is a counting sort, since a noisy page has very many. */
bool pl_blobs_build(struct pl_survey *survey)
{
    size_t n = survey->comps.n;
    pl_env_claim_scratch(survey->env, (uint64_t)n * BYTES_PER_BLOB);
    uint32_t *first = PL_SURVEY_NEW(survey, uint32_t, (size_t)survey->width + 1);
    struct pl_blob *blobs = PL_SURVEY_NEW(survey, struct pl_blob, n);
    if (!first || !blobs)
        return false;
    for (size_t i = 0; i < n; i++)
        first[survey->comps.comps[i].box.x0 + 1]++;
    for (int x = 0; x < survey->width; x++)
        first[x + 1] += first[x];
    for (size_t i = 0; i < n; i++) {
        const struct pl_component *c = &survey->comps.comps[i];
        blobs[first[c->box.x0]++] = (struct pl_blob){.box = c->box,
                                                     .ink_px = c->ink_px,
                                                     .first_run = c->first_run,
                                                     .n_runs = c->n_runs,
                                                     .group = -1};
    }
    survey->blobs = blobs;
    survey->n_blobs = (uint32_t)n;
    return true;
}

/* Returns whether the blob is one stroke from end to end, level, upright or a little tilted. The
 * pixel rows of a stroke have one run or two each, while letters that touch each other have many.
 * `along` and `across` are the sides of its box. */
static bool is_stroke(const struct pl_blob *b, double along, double across, double size)
{
    double rows = pl_rect_height(b->box), runs = b->n_runs;
    return along >= STROKE_MIN_LENGTH * size && along > STROKE_MIN_ASPECT * across &&
           across < STROKE_MAX_WIDTH * size && b->ink_px / along < STROKE_MAX_INK * size &&
           runs < STROKE_MAX_RUNS * rows;
}

bool pl_blob_is_word(const struct pl_blob *b)
{
    double w = pl_rect_width(b->box), h = pl_rect_height(b->box), n = b->n_runs;
    return w >= WORD_MIN_ASPECT * h && w <= WORD_MAX_ASPECT * h && n >= WORD_STROKES * h &&
           n >= WORD_MIN_DENSE * w && n <= WORD_MAX_DENSE * w;
}

/* Returns what the blob is on a page whose glyphs are `size` px high, as far as its shape tells. */
static enum pl_blob_kind kind_of(const struct pl_blob *b, double size)
{
    double w = pl_rect_width(b->box), h = pl_rect_height(b->box);
    if (!(size > 0))
        return PL_BLOB_TEXT; /* there is no size to compare with */
    if (is_stroke(b, w, h, size) || is_stroke(b, h, w, size))
        return PL_BLOB_RULE;
    if (h > GRAPHIC_HEIGHT * size || (h > GRAPHIC_WIDE_HEIGHT * size && w > GRAPHIC_WIDTH * size))
        return PL_BLOB_GRAPHIC;
    if (PL_MAX(w, h) < SPECK_SIDE * size)
        return PL_BLOB_SPECK;
    return PL_BLOB_TEXT;
}

/* Returns whether two boxes are close to each other, on one foot and of like height, as letters of
 * a row are: a small one has little more than half of the height of one with an ascender. */
static bool are_beside(struct pl_rect a, struct pl_rect b)
{
    const double h = pl_rect_height(a), other = pl_rect_height(b);
    const int gap = PL_MAX(b.x0 - a.x1, a.x0 - b.x1);
    return abs(a.y1 - b.y1) <= LARGE_LEVEL * h && other >= LARGE_LOW * h &&
           h >= LARGE_LOW * other && gap <= LARGE_GAP * h && pl_rect_width(b) <= LARGE_WIDE * other;
}

bool pl_blob_is_large_letter(const struct pl_survey *survey, uint32_t i)
{
    const struct pl_rect r = survey->blobs[i].box;
    const double h = pl_rect_height(r), reach = (LARGE_WIDE + LARGE_GAP) * h / LARGE_LOW;
    uint32_t beside = 0, wide = 0;
    if (h < LARGE_LEAST * survey->size || h > GRAPHIC_HEIGHT * survey->size ||
        pl_rect_width(r) > LARGE_WIDE * h)
        return false;
    for (int step = -1; step <= 1; step += 2)
        for (int64_t k = (int64_t)i + step; k >= 0 && k < survey->n_blobs; k += step) {
            const struct pl_rect b = survey->blobs[k].box;
            if (b.x0 < r.x0 - reach || b.x0 > r.x1 + LARGE_GAP * h)
                break;
            if (!are_beside(r, b))
                continue;
            beside++;
            wide += pl_rect_width(b) >= LARGE_NARROW * pl_rect_height(b);
        }
    return beside > 1 && wide;
}

void pl_blobs_classify(struct pl_survey *survey)
{
    for (uint32_t i = 0; i < survey->n_blobs; i++) {
        enum pl_blob_kind kind = kind_of(&survey->blobs[i], survey->size);
        if (kind == PL_BLOB_RULE && pl_blob_is_large_letter(survey, i))
            kind = PL_BLOB_TEXT;
        survey->blobs[i].kind = (uint8_t)kind;
    }
}
