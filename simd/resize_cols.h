/* SPDX-License-Identifier: BSD-2-Clause */
/* The horizontal filter on registers of 16 bytes: included by one file per ISA after
 *   v_weights, v_pair, v_sums   vectors of eight int16_t, two int64_t, four int32_t
 *   v_dot_to_4(p, w)            partial sums of four pixels times the first four of eight weights
 *   v_dot_8(acc, p, w)          adds those of eight
 *   v_finish4(dst, a, b, c, d)  the bytes of four outputs from their partial sums */
/* All taps of one output are read in groups of four or of eight; where the last group is not full,
 * its surplus pixels meet weights that `keep` made zero. */
struct groups {
    size_t taps, padded; /* padded: taps rounded up to whole groups */
    v_weights keep;      /* of the weights of the last group */
};

static struct groups make_groups(size_t taps)
{
    size_t size = taps <= 4 ? 4 : 8, padded = (taps + size - 1) / size * size;
    struct groups g = {.taps = taps, .padded = padded};
    for (size_t j = 0; j < taps - (padded - size); j++)
        g.keep[j] = -1;
    return g;
}

static inline v_sums dot_to_4(const struct groups *g, const uint8_t *p, const int16_t *w)
{
    int64_t four;
    memcpy(&four, w, sizeof(four));
    return v_dot_to_4(p, (v_weights)(v_pair){four, 0} & g->keep);
}

static inline v_sums dot_any(const struct groups *g, const uint8_t *p, const int16_t *w)
{
    v_sums acc = {0};
    v_weights v;
    size_t j = 0;
    for (; j + 8 < g->padded; j += 8) {
        memcpy(&v, w + j, sizeof(v));
        acc = v_dot_8(acc, p + j, v);
    }
    memcpy(&v, w + j, sizeof(v));
    return v_dot_8(acc, p + j, v & g->keep);
}

typedef v_sums dot_fn(const struct groups *g, const uint8_t *p, const int16_t *w);

static inline __attribute__((always_inline)) void four(uint8_t *dst, const uint8_t *src,
                                                       const int32_t *start, const int16_t *w,
                                                       const struct groups *g, dot_fn *dot)
{
    v_finish4(dst, dot(g, src + start[0], w), dot(g, src + start[1], w + g->taps),
              dot(g, src + start[2], w + 2 * g->taps), dot(g, src + start[3], w + 3 * g->taps));
}

static uint8_t plain(const uint8_t *p, const int16_t *w, size_t taps)
{
    int32_t acc = 8192;
    for (size_t j = 0; j < taps; j++)
        acc += p[j] * w[j];
    acc >>= 14;
    return (uint8_t)(acc < 0 ? 0 : acc > 255 ? 255 : acc);
}

/* Whether none of four starts lies beyond `last`. */
static inline bool starts_up_to(const int32_t *start, int32_t last)
{
    return start[0] <= last && start[1] <= last && start[2] <= last && start[3] <= last;
}

/* Groups reach behind the taps of an output, but never behind the pixels of the last output nor
 * behind the weights. */
static inline __attribute__((always_inline)) void columns(uint8_t *dst, const uint8_t *src,
                                                          const int32_t *start,
                                                          const int16_t *weights, size_t taps,
                                                          size_t n, dot_fn *dot)
{
    struct groups g = make_groups(taps);
    int64_t last = start[n - 1] + (int64_t)taps - (int64_t)g.padded;
    for (size_t i = 0; i < n; i += 4) {
        if ((i + 3) * taps + g.padded <= n * taps && starts_up_to(start + i, (int32_t)last))
            four(dst + i, src, start + i, weights + i * taps, &g, dot);
        else
            for (size_t u = i; u < n && u < i + 4; u++)
                dst[u] = plain(src + start[u], weights + u * taps, taps);
    }
}

static void resize_cols(uint8_t *dst, const uint8_t *src, const int32_t *start,
                        const int16_t *weights, size_t taps, size_t n)
{
    if (n && taps <= 4)
        columns(dst, src, start, weights, taps, n, dot_to_4);
    else if (n)
        columns(dst, src, start, weights, taps, n, dot_any);
}
