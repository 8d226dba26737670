#include "nn/quant/pack.h"

#include <math.h>

#include "nn/op_quant.h"

#define MAX_WEIGHT 127
#define MAX_BIAS 0x1p29 /* beside the input's zero point times the weights, it stays below 2^30 */

struct pl_q_scale pl_q_scale_of(double lo, double hi)
{
    struct pl_q_scale s = {1, 0};
    if (hi - lo > 1e-20)
        s.scale = (float)((hi - lo) / 255);
    s.zero = (int32_t)PL_CLAMP(rint(-lo / (double)s.scale), 0, 255);
    return s;
}

uint8_t pl_q_byte(struct pl_q_scale s, double v)
{
    const double q = rint(v / (double)s.scale) + s.zero;
    return (uint8_t)(q >= 0 ? PL_MIN(q, 255.0) : 0);
}

/* Where weight (o, c, i, j) lies. */
static size_t place_of(const struct pl_q_weights *q, size_t o, size_t c, size_t i, size_t j)
{
    if (q->depthwise) {
        const size_t quads = (q->kernel_h + 3) / 4;
        return ((o / 16 * q->kernel_w + j) * quads + i / 4) * 64 + o % 16 * 4 + i % 4;
    }
    const size_t run = (q->kernel_w * q->stored + 3) / 4 * 4, all = q->kernel_h * run;
    const size_t k = i * run + j * q->stored + c;
    return o / 16 * all * 16 + k / 4 * 64 + o % 16 * 4 + k % 4;
}

static double largest(const float *w, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, fabs((double)w[i]));
    return most;
}

/* The step of weights of at most that size, such that the bias fits, too. */
static double step_of(const struct pl_q_weights *q, double most, double bias)
{
    const double step = fmax(most / MAX_WEIGHT, fabs(bias) / (double)q->x.scale / MAX_BIAS);
    return step > 1e-30 ? step : 1;
}

/* Output o: its row of weights, its bias and its multiplier. */
static void pack_output(const struct pl_q_weights *q, size_t o, double most,
                        struct pl_q_packed *ret)
{
    const size_t n = q->in * q->kernel_h * q->kernel_w, area = q->kernel_h * q->kernel_w;
    const float *w = q->w + o * n;
    const double bias = q->bias ? (double)q->bias[o] : 0;
    const double step = q->steps ? (double)q->steps[q->n_steps == 1 ? 0 : o]
                                 : step_of(q, q->per_tensor ? most : largest(w, n), bias);
    const size_t first = o / (q->out / q->groups) * q->in; /* channel of the group */
    int64_t sum = 0;
    for (size_t at = 0; at < n; at++) {
        const double v = rint((double)w[at] / step);
        const int8_t b = (int8_t)PL_CLAMP(v, q->steps ? -MAX_WEIGHT - 1 : -MAX_WEIGHT, MAX_WEIGHT);
        ret->weights[place_of(q, o, first + at / area, at / q->kernel_w % q->kernel_h,
                              at % q->kernel_w)] = b;
        sum += b;
    }
    ret->bias[o] =
        (int32_t)(rint(bias / ((double)q->x.scale * step)) - (double)q->x.zero * (double)sum);
    ret->scale[o] = (float)((double)q->x.scale * step / (double)q->y_scale);
}

bool pl_q_pack(const struct pl_q_weights *q, struct pl_arena *arena, struct pl_q_packed *ret)
{
    const size_t n_out = pl_q_stored(q->out);
    const size_t k = q->depthwise ? q->kernel_w * ((q->kernel_h + 3) / 4 * 4)
                                  : q->kernel_h * ((q->kernel_w * q->stored + 3) / 4 * 4);
    *ret = (struct pl_q_packed){.n_weights = n_out * k, .n_out = n_out};
    ret->weights = PL_NEW(arena, int8_t, ret->n_weights);
    ret->bias = PL_NEW(arena, int32_t, n_out);
    ret->scale = PL_NEW(arena, float, n_out);
    if (!ret->weights || !ret->bias || !ret->scale)
        return false;
    const double most = largest(q->w, q->out * q->in * q->kernel_h * q->kernel_w);
    for (size_t o = 0; o < n_out; o++)
        if (o < q->out)
            pack_output(q, o, most, ret);
        else
            ret->scale[o] = 1;
    return true;
}
