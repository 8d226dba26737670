/* SPDX-License-Identifier: BSD-2-Clause */
/* Bodies of the softmax kernels, for rows and for columns: part of float_v.h, which names what they
 * need. */

#define PART 16 /* sums of a softmax */
#define PART_V (PART / LANES)

/* e(p[0..PART) * scale - most), of which the first n count. */
INLINE void softmax_step(float *p, size_t n, vf scale, vf most, vf part[PART_V])
{
    float some[PART] = {0};
    float *at = n < PART ? some : p;
    if (n < PART)
        memcpy(some, p, n * sizeof(*p));
#pragma GCC unroll 4
    for (size_t v = 0; v < PART_V; v++)
        vstore(at + v * LANES, math_exp_below(vload(at + v * LANES) * scale - most));
    if (n < PART) {
        memset(some + n, 0, (PART - n) * sizeof(*some));
        memcpy(p, some, n * sizeof(*p));
    }
#pragma GCC unroll 4
    for (size_t v = 0; v < PART_V; v++)
        part[v] += vload(at + v * LANES);
}

static float softmax_part(float *row, size_t n, float scale, float *top, float *sum)
{
    const vf mul = vset(scale);
    vf most = vset(*top), part[PART_V];
    float lane[PART], largest;
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        most = vmax(most, vload(row + i) * mul);
    vstore(lane, most);
    largest = lane[0];
    for (size_t k = 1; k < LANES; k++)
        largest = lane[k] > largest ? lane[k] : largest;
    for (; i < n; i++)
        largest = row[i] * scale > largest ? row[i] * scale : largest;
    largest += 0.0f;
    for (size_t v = 0; v < PART_V; v++)
        part[v] = vset(0.0f);
    for (i = 0; i < n; i += PART)
        softmax_step(row + i, n - i < PART ? n - i : PART, mul, vset(largest), part);
    for (size_t v = 0; v < PART_V; v++)
        vstore(lane + v * LANES, part[v]);
    for (size_t step = PART / 2; step; step /= 2)
        for (size_t k = 0; k < step; k++)
            lane[k] += lane[k + step];
    /* in vectors, as the scalar unit of a level may have no fused multiply-add of its own */
    float out[PART];
    const vf factor = math_exp_below(vset(*top) - vset(largest));
    vstore(out, vfma(vset(*sum), factor, vset(lane[0])));
    *sum = out[0];
    *top = largest;
    vstore(out, factor);
    return out[0];
}

/* Registers of columns side by side: one alone would wait for its sum. */
#define SOFTMAX_REGS 3

/* `regs` registers of columns with `last` columns each; both are constants where `last` is LANES.
 */
INLINE void softmax_registers(float *m, size_t step, size_t rows, size_t regs, size_t last,
                              float *top, float *sum, float *factor)
{
    vf most[SOFTMAX_REGS], part[SOFTMAX_REGS];
#pragma GCC unroll 3
    for (size_t v = 0; v < regs; v++) {
        most[v] = last == LANES ? vload(top + v * LANES) : vload_n(top, last);
        part[v] = vset(0.0f);
    }
    for (size_t r = 0; r < rows; r++)
#pragma GCC unroll 3
        for (size_t v = 0; v < regs; v++) {
            const float *at = m + r * step + v * LANES;
            most[v] = vmax(most[v], last == LANES ? vload(at) : vload_n(at, last));
        }
#pragma GCC unroll 3
    for (size_t v = 0; v < regs; v++)
        most[v] += vset(0.0f);
    for (size_t r = 0; r < rows; r++)
#pragma GCC unroll 3
        for (size_t v = 0; v < regs; v++) {
            float *at = m + r * step + v * LANES;
            const vf e = math_exp_below((last == LANES ? vload(at) : vload_n(at, last)) - most[v]);
            part[v] += e;
            if (last == LANES)
                vstore(at, e);
            else
                vstore_n(at, e, last);
        }
#pragma GCC unroll 3
    for (size_t v = 0; v < regs; v++) {
        const size_t at = v * LANES;
        const vf f = math_exp_below(vload_n(top + at, last) - most[v]);
        vstore_n(sum + at, vfma(vload_n(sum + at, last), f, part[v]), last);
        vstore_n(top + at, most[v], last);
        vstore_n(factor + at, f, last);
    }
}

static void softmax_columns(float *m, size_t step, size_t rows, size_t n, float *top, float *sum,
                            float *factor)
{
    size_t i = 0;
    for (; i + SOFTMAX_REGS * LANES <= n; i += SOFTMAX_REGS * LANES)
        softmax_registers(m + i, step, rows, SOFTMAX_REGS, LANES, top + i, sum + i, factor + i);
    for (; i + LANES <= n; i += LANES)
        softmax_registers(m + i, step, rows, 1, LANES, top + i, sum + i, factor + i);
    if (i < n)
        softmax_registers(m + i, step, rows, 1, n - i, top + i, sum + i, factor + i);
}
