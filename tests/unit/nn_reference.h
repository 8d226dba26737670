/* A second reader and runner of model files, slow and straight from platen-model.5: it shares no
 * code with src/nn. Trusts the file. */
#ifndef TESTS_NN_REFERENCE_H
#define TESTS_NN_REFERENCE_H

#include <fenv.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../model_bytes.h"

/* Values of one line, [y][x][c]: bytes, or logits in f. */
struct ref_tensor {
    int h, w, c, zero;
    float scale;
    uint8_t *q;
    float *f;
};

struct ref_node {
    int op, relu, in, out, res, kh, kw, sh, sw, pt, px;
    const uint8_t *data;
    size_t channels, run, k; /* channels and bytes as stored */
};

static inline const uint8_t *ref_section(const uint8_t *file, int i)
{
    return file + get_le(file + 64 + 32 * i + 8, 8);
}

static inline int ref_nodes(const uint8_t *file)
{
    return (int)(get_le(file + 64 + 32 * 3 + 16, 8) / 96);
}

static inline float ref_f32(const uint8_t *p)
{
    float f;
    memcpy(&f, p, 4);
    return f;
}

static inline struct ref_node ref_node(const uint8_t *file, int i)
{
    const uint8_t *r = ref_section(file, 3) + 96 * i, *t = ref_section(file, 2);
    uint64_t res = get_le(r + 12, 4);
    struct ref_node n = {.op = (int)get_le(r, 2),
                         .relu = (int)get_le(r + 2, 2),
                         .in = (int)get_le(r + 4, 4),
                         .out = (int)get_le(r + 8, 4),
                         .res = res == UINT32_MAX ? -1 : (int)res,
                         .kh = (int)get_le(r + 16, 2),
                         .kw = (int)get_le(r + 18, 2),
                         .sh = (int)get_le(r + 20, 2),
                         .sw = (int)get_le(r + 22, 2),
                         .pt = (int)get_le(r + 24, 2),
                         .px = (int)get_le(r + 28, 2),
                         .data = ref_section(file, 4) + get_le(r + 32, 8)};
    size_t ic = n.op == 1 ? get_le(t + 16 * n.in + 8, 4) : 1;
    n.channels = (get_le(t + 16 * n.out + 8, 4) + 15) / 16 * 16;
    n.run = ((size_t)n.kw * ic + 3) / 4 * 4;
    n.k = n.run * (size_t)n.kh;
    return n;
}

/* Weight of output channel o, kernel row i, position p in the run of that row. */
static inline int ref_weight(const struct ref_node *n, size_t o, size_t i, size_t p)
{
    size_t k = i * n->run + p;
    return (int8_t)n->data[o / 16 * n->k * 16 + k / 4 * 64 + o % 16 * 4 + k % 4];
}

static inline int ref_pixel(const struct ref_tensor *t, int y, int x, int c)
{
    bool inside = y >= 0 && y < t->h && x >= 0 && x < t->w;
    return inside ? t->q[((size_t)y * (size_t)t->w + (size_t)x) * (size_t)t->c + (size_t)c]
                  : t->zero;
}

static inline int64_t ref_sum(const struct ref_node *n, const struct ref_tensor *in, int y, int x,
                              int o)
{
    int64_t acc = (int32_t)get_le(n->data + n->channels * n->k + 4 * (size_t)o, 4);
    for (int i = 0; i < n->kh; i++)
        for (int j = 0; j < n->kw; j++) {
            int sy = y * n->sh - n->pt + i, sx = x * n->sw - n->px + j;
            if (n->op == 2) {
                acc += ref_pixel(in, sy, sx, o) * ref_weight(n, (size_t)o, 0, (size_t)j);
                continue;
            }
            for (int c = 0; c < in->c; c++)
                acc += ref_pixel(in, sy, sx, c) *
                       ref_weight(n, (size_t)o, (size_t)i, (size_t)(j * in->c + c));
        }
    return acc;
}

static inline void ref_value(const struct ref_node *n, struct ref_tensor *t, int y, int x, int o)
{
    struct ref_tensor *out = &t[n->out];
    size_t at = ((size_t)y * (size_t)out->w + (size_t)x) * (size_t)out->c + (size_t)o;
    float scale = ref_f32(n->data + n->channels * n->k + 4 * n->channels + 4 * (size_t)o);
    volatile float f = (float)ref_sum(n, &t[n->in], y, x, o);
    f = f * scale;
    if (out->f) {
        out->f[at] = f;
        return;
    }
    if (n->res >= 0) {
        volatile float ratio = t[n->res].scale / out->scale;
        volatile float r = (float)(ref_pixel(&t[n->res], y, x, o) - t[n->res].zero) * ratio;
        f = f + r;
    }
    double lo = n->relu ? 0 : -out->zero, hi = 255 - out->zero;
    double v = (double)f > hi ? hi : (double)f < lo ? lo : (double)f;
    out->q[at] = (uint8_t)(nearbyint(v) + out->zero); /* FE_TONEAREST: ties to even */
}

static inline struct ref_tensor ref_tensor(const uint8_t *file, int i, int width)
{
    const uint8_t *r = ref_section(file, 2) + 16 * i;
    struct ref_tensor t = {(int)get_le(r + 2, 2),
                           width / (int)get_le(r + 4, 2),
                           (int)get_le(r + 8, 4),
                           r[1],
                           ref_f32(r + 12),
                           NULL,
                           NULL};
    size_t n = (size_t)t.h * (size_t)t.w * (size_t)t.c;
    if (r[0] == 2)
        t.f = calloc(n, sizeof(float));
    else
        t.q = calloc(n, 1);
    return t;
}

/* Logits of one strip, (width / stride) x classes; the caller frees them. */
static inline float *ref_run(const uint8_t *file, const uint8_t *px, size_t stride_bytes, int width)
{
    int n = ref_nodes(file);
    struct ref_tensor *t = calloc((size_t)n + 1, sizeof(*t));
    for (int i = 0; i <= n; i++)
        t[i] = ref_tensor(file, i, width);
    for (int y = 0; y < t[0].h; y++)
        memcpy(t[0].q + y * width, px + (size_t)y * stride_bytes, (size_t)width);
    for (int i = 0; i < n; i++) {
        struct ref_node node = ref_node(file, i);
        const struct ref_tensor *out = &t[node.out];
        for (int y = 0; y < out->h; y++)
            for (int x = 0; x < out->w; x++)
                for (int o = 0; o < out->c; o++)
                    ref_value(&node, t, y, x, o);
    }
    float *logits = t[n].f;
    for (int i = 0; i < n; i++)
        free(t[i].q);
    free(t);
    return logits;
}

#endif
