/* SPDX-License-Identifier: BSD-2-Clause */
#include "files/frames/frame_change.h"

#include <stdlib.h>

#include "files/frames/frame_tuning.def"
#include "image/resample.h"

#define MOST 255 /* difference of two levels */
#define BINS (2 * MOST + 1)

platen_status pl_frame_places(const struct pl_env *env, const struct pl_image *frame,
                              struct pl_image *ret, struct platen_error *err)
{
    return pl_resample(env, frame, PL_MAX(frame->width / FRAME_PLACE_PX, 1),
                       PL_MAX(frame->height / FRAME_PLACE_PX, 1), ret, err);
}

/* Counts the differences b - a + MOST of all places. */
static void count_differences(const struct pl_image *a, const struct pl_image *b, size_t *bins)
{
    for (int y = 0; y < a->height; y++) {
        const uint8_t *from = pl_image_row(a, y), *to = pl_image_row(b, y);
        for (int x = 0; x < a->width; x++)
            bins[MOST + to[x] - from[x]]++;
    }
}

/* Returns the bin of the middle one of all that are counted. */
static int median(const size_t *bins, size_t n)
{
    int i = 0;
    for (size_t below = bins[0]; 2 * below < n; below += bins[i])
        i++;
    return i;
}

size_t pl_frame_places_changed(const struct pl_image *a, const struct pl_image *b)
{
    size_t bins[BINS] = {0}, far[BINS] = {0}, changed = 0;
    const size_t n = (size_t)b->width * (size_t)b->height;
    if (a->width != b->width || a->height != b->height)
        return n;
    count_differences(a, b, bins);
    const int usual = median(bins, n);
    for (int i = 0; i < BINS; i++)
        far[abs(i - usual)] += bins[i];
    const double noise = FRAME_NOISE * median(far, n);
    const double bound = PL_CLAMP(noise, FRAME_LEAST_LEVELS, FRAME_MOST_LEVELS);
    for (int i = 0; i < BINS; i++)
        changed += i > bound ? far[i] : 0;
    return changed;
}
