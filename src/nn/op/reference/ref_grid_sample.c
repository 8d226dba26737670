/* SPDX-License-Identifier: BSD-2-Clause */
/* GridSample: pictures [n, c, h, w] read where a grid [n, rows, columns, 2] says, x before y, each
 * from -1 to 1; as networks straighten lines of text with. */
#include "nn/operators.h"

#include <math.h>
#include <string.h>

enum ref_sampling { NEAREST, LINEAR, CUBIC };
enum beyond { ZEROS, BORDER, REFLECTION };

struct ref_grid {
    enum ref_sampling kind;
    enum beyond beyond;
    bool align;
};

static platen_status read_grid(const struct pl_call *c, struct ref_grid *g)
{
    static const char *const kinds[] = {"nearest", "linear", "cubic", "bilinear", "bicubic"};
    static const char *const beyonds[] = {"zeros", "border", "reflection"};
    const char *mode = pl_ir_string(c->node, "mode", c->opset < 20 ? "bilinear" : "linear");
    const char *padding = pl_ir_string(c->node, "padding_mode", "zeros");
    const struct pl_tensor *x = pl_in(c, 0), *grid = pl_in(c, 1);
    size_t k = 0, p = 0;
    while (k < PL_ARRAY_LEN(kinds) && strcmp(kinds[k], mode))
        k++;
    while (p < PL_ARRAY_LEN(beyonds) && strcmp(beyonds[p], padding))
        p++;
    if (k == PL_ARRAY_LEN(kinds) || p == PL_ARRAY_LEN(beyonds))
        return pl_call_fail(c, PLATEN_ERR_UNSUPPORTED, "mode '%.20s', padding '%.20s'", mode,
                            padding);
    *g = (struct ref_grid){.kind = (enum ref_sampling)(k > CUBIC ? k - CUBIC : k),
                           .beyond = (enum beyond)p,
                           .align = pl_ir_int(c->node, "align_corners", 0) != 0};
    if (x->rank != 4 || grid->rank != 4)
        return pl_call_fail(c, PLATEN_ERR_UNSUPPORTED, "pictures of %d axes", x->rank - 2);
    if (grid->dims[0] != x->dims[0] || grid->dims[3] != 2)
        return pl_call_fail(c, PLATEN_ERR_FORMAT, "the grid does not fit");
    return PLATEN_OK;
}

platen_status pl_infer_grid_sample(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0), *grid = pl_in(c, 1);
    struct ref_grid g;
    platen_status s = read_grid(c, &g);
    return s ? s
             : pl_call_shape(c, 0, x->type, 4,
                             (int64_t[]){x->dims[0], x->dims[1], grid->dims[1], grid->dims[2]});
}

/* The place of a number of the grid on an axis of n pixels, between their centres. */
static double place_of(const struct ref_grid *g, double v, int64_t n)
{
    const double size = (double)n;
    return g->align ? (v + 1) / 2 * (size - 1) : ((v + 1) * size - 1) / 2;
}

/* Back into lo..hi, mirrored at both. */
static double reflect(double v, double lo, double hi)
{
    const double range = hi - lo;
    if (range <= 0)
        return lo;
    const double d = fmod(fabs(v - lo), 2 * range);
    return lo + (d > range ? 2 * range - d : d);
}

static double inside(const struct ref_grid *g, double v, int64_t n)
{
    const double last = (double)(n - 1);
    if (!isfinite(v))
        v = -1;
    if (g->beyond == REFLECTION)
        v = g->align ? reflect(v, 0, last) : reflect(v, -0.5, last + 0.5);
    return g->beyond == ZEROS ? v : PL_CLAMP(v, 0, last);
}

/* Pixels and weights of one axis around a place. */
struct ref_taps {
    int n;
    int64_t at[4]; /* -1: counts as 0 */
    double weight[4];
};

/* Keys' cubic, a = -0.75, at distances t + 1, t, 1 - t, 2 - t. */
static void cubic(double t, double w[4])
{
    const double a = -0.75, d[4] = {t + 1, t, 1 - t, 2 - t};
    for (int i = 0; i < 4; i++)
        w[i] = i == 1 || i == 2 ? ((a + 2) * d[i] - (a + 3)) * d[i] * d[i] + 1
                                : ((a * d[i] - 5 * a) * d[i] + 8 * a) * d[i] - 4 * a;
}

static struct ref_taps taps_of(const struct ref_grid *g, double v, int64_t n)
{
    struct ref_taps t = {.n = g->kind == NEAREST ? 1 : g->kind == LINEAR ? 2 : 4};
    const double place = g->kind == CUBIC ? (isfinite(v) ? v : -1) : inside(g, v, n);
    const double limited = PL_CLAMP(place, -4.0, (double)n + 4); /* far away is as far */
    const double first = g->kind == NEAREST ? rint(limited) : floor(limited);
    const double part = place > -4 && place < (double)n + 4 ? place - first : 0;
    if (g->kind == NEAREST)
        t.weight[0] = 1;
    else if (g->kind == CUBIC)
        cubic(part, t.weight);
    else
        memcpy(t.weight, (const double[]){1 - part, part}, 2 * sizeof(part));
    for (int i = 0; i < t.n; i++) {
        double at = first + i - (g->kind == CUBIC);
        if (g->kind == CUBIC) /* each pixel by itself */
            at = inside(g, at, n);
        t.at[i] = at < 0 || at > (double)(n - 1) ? -1 : (int64_t)at;
    }
    return t;
}

static float sample(const float *x, const struct ref_taps *h, const struct ref_taps *w,
                    int64_t width)
{
    double sum = 0;
    for (int i = 0; i < h->n; i++)
        for (int k = 0; k < w->n; k++)
            if (h->at[i] >= 0 && w->at[k] >= 0)
                sum += h->weight[i] * w->weight[k] * (double)x[h->at[i] * width + w->at[k]];
    return (float)sum;
}

static platen_status grid_sample_f32(struct pl_call *c)
{
    const struct pl_tensor *x = pl_in(c, 0), *grid = pl_in(c, 1);
    const size_t channels = (size_t)x->dims[1], plane = pl_tensor_span(x, 2, 4);
    const size_t out = pl_tensor_span(grid, 1, 3);
    struct ref_grid g;
    platen_status s = read_grid(c, &g);
    if (!s && (x->type != PL_F32 || grid->type != PL_F32))
        s = pl_call_unsupported_type(c, x->type);
    for (size_t i = 0; i < (size_t)x->dims[0] * out && !s && plane; i++) {
        const size_t n = i / out, at = i % out;
        const float *v = (const float *)grid->data + 2 * i;
        const struct ref_taps w = taps_of(&g, place_of(&g, (double)v[0], x->dims[3]), x->dims[3]);
        const struct ref_taps h = taps_of(&g, place_of(&g, (double)v[1], x->dims[2]), x->dims[2]);
        for (size_t k = 0; k < channels; k++)
            ((float *)pl_out(c, 0)->data)[(n * channels + k) * out + at] =
                sample((const float *)x->data + (n * channels + k) * plane, &h, &w, x->dims[3]);
    }
    return s;
}

platen_status pl_run_grid_sample(struct pl_call *c)
{
    return pl_call_as_f32(c, grid_sample_f32);
}
