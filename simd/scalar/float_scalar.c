/* SPDX-License-Identifier: BSD-2-Clause */
/* The law of the float kernels. */
#include <math.h>

#include "base/half.h"
#include "simd/fma.h"
#include "simd/kernels.h"

typedef float vf __attribute__((vector_size(4)));
typedef int32_t vi __attribute__((vector_size(4)));

static inline vf vset(float x)
{
    return (vf){x};
}

static inline vf vfma(vf a, vf b, vf c)
{
    return (vf){pl_fma(a[0], b[0], c[0])};
}

/* As the instructions do it: the second where they are equal or have no order. */
static inline vf vmin(vf a, vf b)
{
    return a[0] < b[0] ? a : b;
}

static inline vf vmax(vf a, vf b)
{
    return a[0] > b[0] ? a : b;
}

static inline vf vsel(vi mask, vf a, vf b)
{
    return mask[0] ? a : b;
}

#include "simd/float_math.h"

static void sgemm_run(const struct pl_sgemm *g)
{
    for (size_t i = 0; i < g->m; i++) {
        const float *a = g->a + i / PL_SGEMM_ROWS * g->k * PL_SGEMM_ROWS + i % PL_SGEMM_ROWS;
        float *c = g->c + i * g->c_step;
        for (size_t j = 0; j < g->n; j++) {
            float sum = g->row_bias ? g->row_bias[i] : g->col_bias ? g->col_bias[j] : 0;
            for (size_t l = 0; l < g->k; l++) {
                const size_t at = g->b_at ? g->b_at[l] : l * g->b_step;
                sum = pl_fma(a[l * PL_SGEMM_ROWS], g->b[at + j], sum);
            }
            c[j] = sum;
        }
    }
}

static void sgemm(const struct pl_sgemm *g)
{
    pl_sgemm_each_run(g, sgemm_run);
}

static void axpy_f32(float *dst, const float *src, size_t n, float a)
{
    for (size_t i = 0; i < n; i++)
        dst[i] = pl_fma(a, src[i], dst[i]);
}

static void axpy_f16(float *dst, const uint16_t *src, size_t n, float a)
{
    for (size_t i = 0; i < n; i++)
        dst[i] = pl_fma(a, pl_f16_to_f32(src[i]), dst[i]);
}

static void axpy_u8(float *dst, const uint8_t *src, size_t n, float a, float b)
{
    for (size_t i = 0; i < n; i++)
        dst[i] = pl_fma(a, (float)src[i], dst[i] + b);
}

static void sdw(float *dst, const struct pl_sdw *d)
{
    for (size_t y = 0; y < d->height; y++)
        for (size_t x = 0; x < d->width; x++) {
            const float *src = d->src + y * d->row_step + x;
            float sum = d->bias;
            for (size_t t = 0; t < d->n_taps; t++)
                sum = pl_fma(d->weights[t], src[d->tap[t]], sum);
            dst[y * d->width + x] = sum;
        }
}

static void winograd_in(float *dst, size_t step, const float *src, size_t part, size_t width,
                        size_t n)
{
    for (size_t i = 0; i < n; i++, dst++, src++) {
        vf d[6], t[6][6], p[6];
        for (size_t c = 0; c < 6; c++) {
            for (size_t r = 0; r < 6; r++)
                d[r] = vset(src[(r % 4 * 6 + c) * part + r / 4 * width]);
            math_tile_in(t[c], d);
        }
        for (size_t a = 0; a < 6; a++) {
            for (size_t c = 0; c < 6; c++)
                d[c] = t[c][a];
            math_tile_in(p, d);
            for (size_t b = 0; b < 6; b++)
                dst[(6 * a + b) * step] = p[b][0];
        }
    }
}

static void winograd_out(float *dst, size_t dst_step, size_t rows, size_t width, const float *src,
                         size_t step, float bias)
{
    for (size_t i = 0; i < width; i += 4, src++) {
        vf m[6], t[6][4], y[4];
        for (size_t b = 0; b < 6; b++) {
            for (size_t a = 0; a < 6; a++)
                m[a] = vset(src[(6 * a + b) * step]);
            math_tile_out(t[b], m);
        }
        for (size_t r = 0; r < rows; r++) {
            for (size_t b = 0; b < 6; b++)
                m[b] = t[b][r];
            math_tile_out(y, m);
            for (size_t c = 0; c < 4 && i + c < width; c++)
                dst[r * dst_step + i + c] = y[c][0] + bias;
        }
    }
}

static void max_taps_f32(float *dst, const float *src, size_t n, size_t stride, size_t taps,
                         size_t step)
{
    for (size_t i = 0; i < n; i++, src += stride) {
        float largest = -INFINITY;
        for (size_t t = 0; t < taps; t++)
            largest = src[t * step] > largest || isnan(src[t * step]) ? src[t * step] : largest;
        dst[i] = largest;
    }
}

static void act_f32(float *dst, const float *src, const float *z, size_t n,
                    const struct pl_act_use *use)
{
    for (size_t i = 0; i < n; i++) {
        const float x = z ? src[i] + z[i] : src[i];
        dst[i] = math_act(use->act, vset(x), vset(use->a), vset(use->b))[0];
        if (use->scaled)
            dst[i] = dst[i] * use->factor + use->offset;
    }
}

static float softmax_part(float *row, size_t n, float scale, float *top, float *sum)
{
    vf most = vset(*top), part[16] = {{0}};
    for (size_t i = 0; i < n; i++)
        most = vmax(most, vset(row[i] * scale));
    most += vset(0.0f);
    for (size_t i = 0; i < n; i++) {
        const vf e = math_exp_below(vset(row[i] * scale) - most);
        part[i % 16] += e;
        row[i] = e[0];
    }
    for (size_t step = 8; step; step /= 2)
        for (size_t i = 0; i < step; i++)
            part[i] += part[i + step];
    const vf factor = math_exp_below(vset(*top) - most);
    *sum = vfma(vset(*sum), factor, part[0])[0];
    *top = most[0];
    return factor[0];
}

static void softmax_columns(float *m, size_t step, size_t rows, size_t n, float *top, float *sum,
                            float *factor)
{
    for (size_t i = 0; i < n; i++) {
        vf most = vset(top[i]), part = vset(0.0f);
        for (size_t r = 0; r < rows; r++)
            most = vmax(most, vset(m[r * step + i]));
        most += vset(0.0f);
        for (size_t r = 0; r < rows; r++) {
            const vf e = math_exp_below(vset(m[r * step + i]) - most);
            part += e;
            m[r * step + i] = e[0];
        }
        const vf f = math_exp_below(vset(top[i]) - most);
        sum[i] = vfma(vset(sum[i]), f, part)[0];
        top[i] = most[0];
        factor[i] = f[0];
    }
}

/* The law of moments_f32 for what it sums: distances, or their squares. */
static double mean_of(const float *x, size_t n, double middle, bool squares)
{
    double part[8] = {0};
    for (size_t i = 0; i < n; i++) {
        const double d = (double)x[i] - middle;
        part[i % 8] += squares ? d * d : d;
    }
    return (((part[0] + part[1]) + (part[2] + part[3])) +
            ((part[4] + part[5]) + (part[6] + part[7]))) /
           (double)n;
}

static void moments_f32(double *mean, double *variance, const float *x, size_t n)
{
    *mean = mean_of(x, n, 0, false);
    *variance = mean_of(x, n, *mean, true);
}

static void normalize_f32(float *dst, const float *src, size_t n, double mean, double inv,
                          const float *scale, const float *bias)
{
    for (size_t i = 0; i < n; i++) {
        const float y = (float)(((double)src[i] - mean) * inv) * scale[i];
        dst[i] = bias ? y + bias[i] : y;
    }
}

static void lstm_cell(float *h, float *c, const float *x, const float *r, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        const vf i = math_sigmoid(vset(x[k] + r[k]));
        const vf o = math_sigmoid(vset(x[n + k] + r[n + k]));
        const vf f = math_sigmoid(vset(x[2 * n + k] + r[2 * n + k]));
        const vf g = math_tanh(vset(x[3 * n + k] + r[3 * n + k]));
        const vf cell = vfma(f, vset(c[k]), i * g);
        c[k] = cell[0];
        h[k] = (o * math_tanh(cell))[0];
    }
}

static void gru_cell(float *h, const float *x, const float *r, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        const vf z = math_sigmoid(vset(x[k] + r[k]));
        const vf reset = math_sigmoid(vset(x[n + k] + r[n + k]));
        const vf t = math_tanh(vfma(reset, vset(r[2 * n + k]), vset(x[2 * n + k])));
        h[k] = vfma(z, vset(h[k]) - t, t)[0];
    }
}

void pl_float_init_scalar(struct pl_kernels *k);
void pl_float_init_scalar(struct pl_kernels *k)
{
    k->sgemm = sgemm;
    k->axpy_f32 = axpy_f32;
    k->axpy_f16 = axpy_f16;
    k->axpy_u8 = axpy_u8;
    k->sdw = sdw;
    k->winograd_in = winograd_in;
    k->winograd_out = winograd_out;
    k->max_taps_f32 = max_taps_f32;
    k->act_f32 = act_f32;
    k->softmax_part = softmax_part;
    k->softmax_columns = softmax_columns;
    k->moments_f32 = moments_f32;
    k->normalize_f32 = normalize_f32;
    k->lstm_cell = lstm_cell;
    k->gru_cell = gru_cell;
}
