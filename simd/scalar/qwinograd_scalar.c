/* SPDX-License-Identifier: BSD-2-Clause */
/* The law of the convolutions of 3 x 3 on bytes in tiles. */
#include "simd/kernels.h"

#include "simd/scalar/requant_scalar.h"

enum { OUT = PL_QWINOGRAD_OUT, SIDE = PL_QWINOGRAD_SIDE, POINTS = PL_QWINOGRAD_POINTS };

static const int32_t to_points[SIDE][SIDE] = {{4, 0, -5, 0, 1, 0},  {0, -4, -4, 1, 1, 0},
                                              {0, 4, -4, -1, 1, 0}, {0, -2, -1, 2, 1, 0},
                                              {0, 2, -1, -2, 1, 0}, {0, 4, 0, -5, 0, 1}};
static const int32_t to_outputs[OUT][SIDE] = {
    {1, 1, 1, 1, 1, 0}, {0, 1, -1, 2, -2, 0}, {0, 1, 1, 4, 4, 0}, {0, 1, -1, 8, -8, 8}};

static void qwinograd_in(int16_t *dst, size_t point_step, const uint8_t *src, size_t row, size_t n,
                         size_t channels)
{
    for (size_t p = 0; p < POINTS; p++)
        for (size_t i = 0; i < n * channels; i++) {
            const uint8_t *d = src + i / channels * OUT * channels + i % channels;
            int32_t sum = 0;
            for (size_t r = 0; r < SIDE; r++)
                for (size_t c = 0; c < SIDE; c++)
                    sum +=
                        to_points[p / SIDE][r] * to_points[p % SIDE][c] * d[r * row + c * channels];
            dst[p * point_step + i] = (int16_t)sum;
        }
}

static void qwinograd_mul(int32_t *dst, const struct pl_qwinograd_mul *m)
{
    for (size_t p = 0; p < POINTS; p++)
        for (size_t i = 0; i < m->n * PL_QGEMM_BLOCK; i++) {
            const int16_t *x = m->tiles + p * m->point_step + i / PL_QGEMM_BLOCK * m->channels;
            const int16_t *w = m->weights + p * PL_QGEMM_BLOCK * m->inputs + i % PL_QGEMM_BLOCK * 2;
            uint32_t sum = 0;
            for (size_t k = 0; k < m->inputs; k++)
                sum += (uint32_t)(x[k] * w[k / 2 * 2 * PL_QGEMM_BLOCK + k % 2]);
            dst[p * m->n * PL_QGEMM_BLOCK + i] = (int32_t)sum;
        }
}

/* Returns the sum of output (r, c) of a tile and channel, whose points begin at m. */
static int32_t output_of(const struct pl_qwinograd_out *o, const int32_t *m, size_t r, size_t c)
{
    uint32_t sum = 0;
    for (size_t p = 0; p < POINTS; p++)
        sum += (uint32_t)(to_outputs[r][p / SIDE] * to_outputs[c][p % SIDE]) *
               (uint32_t)m[p * o->point_step];
    return (int32_t)(sum * PL_QWINOGRAD_NINTH) >> 6;
}

static void qwinograd_out(uint8_t *dst, const struct pl_qwinograd_out *o,
                          const struct pl_requant *q)
{
    for (size_t r = 0; r < o->rows; r++)
        for (size_t i = 0; i < o->width * PL_QGEMM_BLOCK; i++) {
            const size_t x = i / PL_QGEMM_BLOCK, c = i % PL_QGEMM_BLOCK;
            const int32_t sum = output_of(o, o->sums + x / OUT * PL_QGEMM_BLOCK + c, r, x % OUT);
            struct pl_requant row = *q;
            row.residual = q->residual ? q->residual + r * o->row_step : NULL;
            dst[r * o->row_step + x * o->px_step + c] =
                requantize(o->bias[c] + sum, o->scale[c], &row, x, c);
        }
}

void pl_qwinograd_init_scalar(struct pl_kernels *k);
void pl_qwinograd_init_scalar(struct pl_kernels *k)
{
    k->qwinograd_in = qwinograd_in;
    k->qwinograd_mul = qwinograd_mul;
    k->qwinograd_out = qwinograd_out;
}
