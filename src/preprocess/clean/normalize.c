/* SPDX-License-Identifier: BSD-2-Clause */
/* Greys of a given range, or of a given mean and deviation, for the whole page or part by part. */
#include <math.h>

#include "preprocess/ops.h"
#include "preprocess/clean/retone.h"

struct normalize_args {
    enum { RANGE, MOMENTS } method;
    double low, high, mean, deviation, gain;
    int tiles;
};

#define GREY(name_, def_, help_)                                                                   \
    {                                                                                              \
        .name = #name_, PL_PARAM(struct normalize_args, name_), .min = 0, .max = 255,              \
        .def = (def_), .help = help_                                                               \
    }

static const struct pl_param params[] = {
    {.name = "method",
     PL_PARAM(struct normalize_args, method),
     .choices = (const char *const[]){[RANGE] = "range", [MOMENTS] = "moments", NULL},
     .help = "range: the darkest and the lightest grey become `low` and `high`; moments: the greys "
             "get `mean` and `deviation`"},
    GREY(low, 0, "range: what the darkest grey becomes"),
    GREY(high, 255, "range: what the lightest grey becomes"),
    GREY(mean, 220, "moments: the mean of the new greys; those of printed pages have about 220"),
    GREY(deviation, 50, "moments: their standard deviation"),
    {.name = "gain",
     PL_PARAM(struct normalize_args, gain),
     .min = 1,
     .max = 255,
     .def = 4,
     .help = "how many times as far apart greys may get at most: noise of blank paper stays faint"},
    {.name = "tiles",
     PL_PARAM(struct normalize_args, tiles),
     .min = 1,
     .max = PL_RETONE_MAX_TILES,
     .def = 1,
     .help = "parts along each side that are normalized on their own, without seams"},
};

/* Grey v becomes to + (v - from) * slope. */
struct grey_line {
    double from, to, slope;
};

static struct grey_line line_of_range(const uint32_t hist[256], const struct normalize_args *a)
{
    int lo = 0, hi = 255;
    while (!hist[lo])
        lo++;
    while (!hist[hi])
        hi--;
    const double most = a->high < a->low ? -a->gain : a->gain;
    const double slope = hi > lo ? (a->high - a->low) / (hi - lo) : most;
    return (struct grey_line){hi, a->high, fabs(slope) < a->gain ? slope : most};
}

static struct grey_line line_of_moments(const uint32_t hist[256], const struct normalize_args *a)
{
    double n = 0, sum = 0, squares = 0;
    for (int v = 0; v < 256; v++)
        n += hist[v];
    for (int v = 0; v < 256; v++)
        sum += (double)v * hist[v];
    const double mean = sum / n;
    for (int v = 0; v < 256; v++)
        squares += (v - mean) * (v - mean) * hist[v];
    const double deviation = sqrt(squares / n);
    const bool is_flat = deviation * a->gain <= a->deviation;
    return (struct grey_line){mean, a->mean, is_flat ? a->gain : a->deviation / deviation};
}

static void normalize(uint32_t hist[256], const void *args, uint8_t lut[256])
{
    const struct normalize_args *a = args;
    const struct grey_line l =
        a->method == RANGE ? line_of_range(hist, a) : line_of_moments(hist, a);
    for (int v = 0; v < 256; v++)
        lut[v] = (uint8_t)PL_CLAMP(floor(l.to + (v - l.from) * l.slope + 0.5), 0.0, 255.0);
}

static platen_status normalize_run(const struct pl_env *env, struct pl_page_image *page,
                                   const void *args, struct platen_error *err)
{
    const struct normalize_args *a = args;
    return pl_page_retone(env, page, a->tiles, normalize, a, err);
}

const struct pl_preprocess_op pl_op_normalize = {
    .info = {"normalize", "gives the greys of the page (made grey) a range, or mean and deviation",
             PL_TAKES(params, struct normalize_args)},
    .run = normalize_run,
};
