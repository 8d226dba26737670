/* SPDX-License-Identifier: BSD-2-Clause */
#include "compile/quant/quant_pack.h"

#include <math.h>
#include <string.h>

#include "nn/op/quant/op_quant.h"
#include "simd/qgemm.h"

#define MAX_WEIGHT 127
/* Limited weights may have this many times the squared error of others: one bit, and some
 * (bench/runs/2026-11-28-engine-table.md). */
#define LIMITED_LOSS 4.5
#define MAX_SUM 0x1p30
#define MAX_BIAS 0x1p29 /* beside the input's zero point times the weights, it stays below 2^30 */

struct pl_q_scale pl_q_scale_of(double lo, double hi)
{
    struct pl_q_scale s = {1, 0};
    if (hi - lo > 1e-20)
        s.scale = (float)PL_MIN((hi - lo) / 255, 1e30); /* a larger scale is limited */
    s.zero = (int32_t)PL_CLAMP(rint(-lo / (double)s.scale), 0, 255);
    return s;
}

uint8_t pl_q_byte(struct pl_q_scale s, double v)
{
    const double q = rint(v / (double)s.scale) + s.zero;
    return (uint8_t)(q >= 0 ? PL_MIN(q, 255.0) : 0);
}

/* Returns how many bytes of a row of weights, as kernels read it, belong to one row of the
 * convolution's kernel, padded to a multiple of four. */
static size_t run_of(const struct pl_q_weights *q)
{
    return (q->kernel_w * q->stored + 3) / 4 * 4;
}

static size_t depth_of(const struct pl_q_weights *q)
{
    return q->flat        ? (q->kernel_w + 3) / 4 * 4
           : q->depthwise ? q->kernel_w * ((q->kernel_h + 3) / 4 * 4)
                          : q->kernel_h * run_of(q);
}

/* Returns the place of weight (c, i, j) among those of its output. */
static size_t place_of(const struct pl_q_weights *q, size_t c, size_t i, size_t j)
{
    return q->flat        ? j
           : q->depthwise ? j * ((q->kernel_h + 3) / 4 * 4) + i
                          : i * run_of(q) + j * q->stored + c;
}

static double largest(const float *w, size_t n)
{
    float most = 0;
    for (size_t i = 0; i < n; i++)
        most = fmaxf(most, fabsf(w[i]));
    return (double)most;
}

/* Returns the step for weights of at most that size, large enough for the bias to fit as well. */
static double step_of(const struct pl_q_weights *q, double most, double bias)
{
    const double step = fmax(most / MAX_WEIGHT, fabs(bias) / (double)q->x.scale / MAX_BIAS);
    return step > 1e-30 ? step : 1;
}

/* The weights of an output as they are to lie: in steps, and rounded. */
struct packed_row {
    double *exact;
    int16_t *rounded;
};

/* Of weights that meet in a 16-bit lane, those of one sign give way, a step at a time and where the
 * squared error grows least, until they come to PL_QGEMM_NARROW. */
static void limit_sign(const struct packed_row *row, const size_t *at, size_t n, int sign)
{
    int sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += PL_MAX(sign * row->rounded[at[i]], 0);
    for (; sum > PL_QGEMM_NARROW; sum--) {
        size_t best = n;
        double least = INFINITY;
        for (size_t i = 0; i < n; i++) {
            const double lost = sign * (row->exact[at[i]] - row->rounded[at[i]]);
            if (sign * row->rounded[at[i]] > 0 && (best == n || lost < least)) {
                best = i;
                least = lost;
            }
        }
        row->rounded[at[best]] = (int16_t)(row->rounded[at[best]] - sign);
    }
}

/* Makes a row narrow or paired (simd/qgemm.h): of every eight weights 0, 1, 4, 5 and 2, 3, 6, 7
 * meet, or of every four 0, 1 and 2, 3. */
static void limit_row(const struct packed_row *row, size_t runs, size_t run, size_t meet)
{
    for (size_t r = 0; r < runs; r++)
        for (size_t k = 0; k < run; k += 2 * meet)
            for (size_t first = r * run + k, lane = 0; lane < 4; lane += 2) {
                const size_t w = first + lane, at[4] = {w, w + 1, w + 4, w + 5};
                const size_t n = meet == 4 && k + 4 < run ? 4 : 2;
                limit_sign(row, at, n, 1);
                limit_sign(row, at, n, -1);
            }
}

/* Rounds the weights of output o to steps of that size, into a row; returns the sum of squared
 * errors. So many weights as `meet`, 2 or 4, are limited together; 0 = none are. */
static double round_output(const struct pl_q_weights *q, size_t o, double step, size_t meet,
                           const struct packed_row *row)
{
    const size_t n = q->in * q->kernel_h * q->kernel_w, area = q->kernel_h * q->kernel_w;
    const size_t first = q->depthwise ? 0 : o / (q->out / q->groups) * q->in; /* of the group */
    const float *w = q->w + o * n;
    const int least = q->steps ? -MAX_WEIGHT - 1 : -MAX_WEIGHT;
    double error = 0;
    memset(row->rounded, 0, depth_of(q) * sizeof(*row->rounded));
    memset(row->exact, 0, depth_of(q) * sizeof(*row->exact));
    for (size_t at = 0; at < n; at++) {
        const size_t place =
            place_of(q, first + at / area, at / q->kernel_w % q->kernel_h, at % q->kernel_w);
        const double v = rint((double)w[at] / step);
        row->exact[place] = (double)w[at] / step;
        row->rounded[place] = isnan(v) ? 0 : (int16_t)PL_CLAMP(v, least, MAX_WEIGHT);
    }
    if (meet)
        limit_row(row, q->kernel_h, run_of(q), meet);
    for (size_t at = 0; at < n; at++) {
        const size_t place =
            place_of(q, first + at / area, at / q->kernel_w % q->kernel_h, at % q->kernel_w);
        const double e = (double)w[at] - step * (double)row->rounded[place];
        error += e * e;
    }
    return error;
}

/* Chooses the step of an output. Where weights are limited it is the one with the least error, from
 * what the largest weight needs to twice that. */
static double choose_step(const struct pl_q_weights *q, size_t o, double most, size_t meet,
                          const struct packed_row *row)
{
    const size_t n = q->in * q->kernel_h * q->kernel_w;
    const double bias = q->bias ? (double)q->bias[o] : 0;
    const double least = q->steps
                             ? (double)q->steps[q->n_steps == 1 ? 0 : o]
                             : step_of(q, q->per_tensor ? most : largest(q->w + o * n, n), bias);
    double best = INFINITY, ret = least;
    for (int i = 0; meet && i <= 20; i++) {
        const double step = least * (1 + i / 20.0), error = round_output(q, o, step, meet, row);
        if (error < best) {
            best = error;
            ret = step;
        }
    }
    return ret;
}

/* Packs the weights, the bias and the multiplier of output o; returns the squared error of the
 * weights. */
static double pack_output(const struct pl_q_weights *q, size_t o, double most, size_t meet,
                          const struct packed_row *row, struct pl_q_packed *ret)
{
    const size_t depth = depth_of(q);
    const double step = choose_step(q, o, most, meet, row);
    const double error = round_output(q, o, step, meet, row);
    const double bias = q->bias ? (double)q->bias[o] : 0;
    int8_t *to = ret->weights + o / PL_QGEMM_BLOCK * depth * PL_QGEMM_BLOCK;
    int64_t sum = 0;
    for (size_t k = 0; k < depth; k++) {
        to[k / 4 * 4 * PL_QGEMM_BLOCK + o % PL_QGEMM_BLOCK * 4 + k % 4] = (int8_t)row->rounded[k];
        sum += row->rounded[k];
    }
    const double b = rint(bias / ((double)q->x.scale * step)) - (double)q->x.zero * (double)sum;
    ret->bias[o] = isnan(b) ? 0 : (int32_t)PL_CLAMP(b, -MAX_SUM, MAX_SUM);
    ret->scale[o] = (float)((double)q->x.scale * step / (double)q->y_scale);
    return error;
}

static double pack_outputs(const struct pl_q_weights *q, size_t meet, const struct packed_row *row,
                           struct pl_q_packed *ret)
{
    const double most = largest(q->w, q->out * q->in * q->kernel_h * q->kernel_w);
    double error = 0;
    for (size_t o = 0; o < q->out; o++)
        error += pack_output(q, o, most, meet, row, ret);
    return error;
}

bool pl_q_pack(const struct pl_q_weights *q, struct pl_arena *arena, struct pl_q_packed *ret)
{
    const size_t n_out = pl_q_stored(q->out), depth = depth_of(q);
    *ret = (struct pl_q_packed){.n_weights = n_out * depth, .n_out = n_out};
    ret->weights = PL_NEW(arena, int8_t, ret->n_weights);
    ret->bias = PL_NEW(arena, int32_t, n_out);
    ret->scale = PL_NEW(arena, float, n_out);
    const struct packed_row row = {PL_NEW(arena, double, depth), PL_NEW(arena, int16_t, depth)};
    if (!ret->weights || !ret->bias || !ret->scale || !row.exact || !row.rounded)
        return false;
    for (size_t o = q->out; o < n_out; o++)
        ret->scale[o] = 1;
    const double most = LIMITED_LOSS * pack_outputs(q, 0, &row, ret);
    if (q->narrow && pack_outputs(q, 4, &row, ret) > most && pack_outputs(q, 2, &row, ret) > most)
        pack_outputs(q, 0, &row, ret);
    ret->narrow = !q->depthwise && pl_qgemm_is_narrow(ret->weights, n_out, q->kernel_h, run_of(q));
    return true;
}

bool pl_q_packed_new(const struct pl_q_packed *p, size_t n, struct pl_arena *arena,
                     struct pl_q_packed *ret)
{
    *ret = (struct pl_q_packed){.n_weights = n * p->n_weights, .n_out = n * p->n_out};
    ret->weights = PL_NEW(arena, int8_t, ret->n_weights);
    ret->bias = PL_NEW(arena, int32_t, ret->n_out);
    ret->scale = PL_NEW(arena, float, ret->n_out);
    ret->narrow = true;
    return ret->weights && ret->bias && ret->scale;
}

void pl_q_packed_put(struct pl_q_packed *all, const struct pl_q_packed *p, size_t i)
{
    memcpy(all->weights + i * p->n_weights, p->weights, p->n_weights);
    memcpy(all->bias + i * p->n_out, p->bias, p->n_out * sizeof(*p->bias));
    memcpy(all->scale + i * p->n_out, p->scale, p->n_out * sizeof(*p->scale));
    all->narrow = all->narrow && p->narrow;
}
