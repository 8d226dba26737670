/* SPDX-License-Identifier: BSD-2-Clause */
/* More contrast: the greys stretched to the whole range, or equalised in parts of the page with a
 * limit (CLAHE: K. Zuiderveld, Graphics Gems IV, 1994). */
#include "image/range.h"
#include "preprocess/ops.h"
#include "preprocess/clean/retone.h"

#define CLAHE_TILES 8 /* a side */

struct contrast_args {
    enum { STRETCH, CLAHE } method;
    double low, high, limit;
};

static const struct pl_param params[] = {
    {.name = "method",
     PL_PARAM(struct contrast_args, method),
     .choices = (const char *const[]){[STRETCH] = "stretch", [CLAHE] = "clahe", NULL},
     .help = "stretch: the darkest and the lightest quantile become black and white; clahe: 8 x 8 "
             "parts are equalised, without seams"},
    {.name = "low",
     PL_PARAM(struct contrast_args, low),
     .min = 0,
     .max = 49,
     .def = 0.5,
     .unit = "percent",
     .help = "stretch: so much of the page becomes black"},
    {.name = "high",
     PL_PARAM(struct contrast_args, high),
     .min = 0,
     .max = 49,
     .def = 5,
     .unit = "percent",
     .help = "stretch: so much of it becomes white"},
    {.name = "limit",
     PL_PARAM(struct contrast_args, limit),
     .min = 1,
     .max = 40,
     .def = 2,
     .help = "clahe: how steep the new greys may rise with the old ones"},
};

static uint64_t count_pixels(const uint32_t hist[256])
{
    uint64_t n = 0;
    for (int v = 0; v < 256; v++)
        n += hist[v];
    return n;
}

static void stretch(uint32_t hist[256], const void *args, uint8_t lut[256])
{
    const struct contrast_args *a = args;
    const uint64_t n = count_pixels(hist);
    int lo = pl_gray_rank(hist, (uint64_t)((double)n * a->low / 100));
    int hi = pl_gray_rank(hist, n - 1 - (uint64_t)((double)(n - 1) * a->high / 100));
    for (int v = 0; v < 256; v++) /* a flat page stays as it is */
        lut[v] = (uint8_t)(hi > lo ? PL_CLAMP((v - lo) * 255 / (hi - lo), 0, 255) : v);
}

/* The cumulative histogram, cut off at `limit` times its mean, what was cut spread evenly. */
static void equalise(uint32_t hist[256], const void *args, uint8_t lut[256])
{
    const struct contrast_args *a = args;
    const uint64_t n = count_pixels(hist);
    uint64_t cut = 0, sum = 0;
    uint32_t most = (uint32_t)PL_MAX(a->limit * (double)n / 256, 1.0);
    for (int v = 0; v < 256; v++)
        if (hist[v] > most) {
            cut += hist[v] - most;
            hist[v] = most;
        }
    for (int v = 0; v < 256; v++) {
        uint64_t below = sum * 256 + cut * (uint64_t)v;
        sum += hist[v];
        uint64_t upto = sum * 256 + cut * (uint64_t)(v + 1);
        lut[v] = (uint8_t)((below + upto) * 255 / (2 * 256 * n));
    }
}

static platen_status contrast_run(const struct pl_env *env, struct pl_page_image *page,
                                  const void *args, struct platen_error *err)
{
    const struct contrast_args *a = args;
    return a->method == CLAHE ? pl_page_retone(env, page, CLAHE_TILES, equalise, a, err)
                              : pl_page_retone(env, page, 1, stretch, a, err);
}

const struct pl_preprocess_op pl_op_contrast = {
    .info = {"contrast", "spreads the greys of the page (made grey)",
             PL_TAKES(params, struct contrast_args)},
    .run = contrast_run,
};
