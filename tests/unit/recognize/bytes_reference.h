/* SPDX-License-Identifier: BSD-2-Clause */
/* The operators on bytes of a network of convolutions, slow and straight from platen-model.5: it
 * shares no code with src/nn but what reads the file. Trusts the network. */
#ifndef TESTS_BYTES_REFERENCE_H
#define TESTS_BYTES_REFERENCE_H

#include <fenv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "nn/graph_file.h"
#include "nn/operators.h"

/* A value, [y][x][c]: bytes, or floats in f. */
struct ref_value {
    int h, w, c;
    uint8_t *q;
    float *f;
};

struct ref_node {
    const struct pl_ir_node *n;
    int kh, kw, sh, sw, top, left, bottom, right, x_zero, y_zero;
    bool planes;
    size_t k; /* bytes of an output's weights as stored */
    const int8_t *weights;
    const int32_t *bias;
    const float *scale;
};

static inline int ref_at(const struct pl_ir_node *n, const char *name, uint32_t i, int otherwise)
{
    const struct pl_attr *a = pl_ir_attr(n, name);
    return a && i < a->n ? (int)a->v.ints[i] : otherwise;
}

static inline struct ref_node ref_node(const struct pl_ir *g, const struct pl_ir_node *n,
                                       int channels)
{
    struct ref_node r = {.n = n,
                         .kh = ref_at(n, "kernel_shape", 0, 1),
                         .kw = ref_at(n, "kernel_shape", 1, 1),
                         .sh = ref_at(n, "strides", 0, 1),
                         .sw = ref_at(n, "strides", 1, 1),
                         .top = ref_at(n, "pads", 0, 0),
                         .left = ref_at(n, "pads", 1, 0),
                         .bottom = ref_at(n, "pads", 2, 0),
                         .right = ref_at(n, "pads", 3, 0),
                         .x_zero = (int)pl_ir_int(n, "x_zero", 0),
                         .y_zero = (int)pl_ir_int(n, "y_zero", 0),
                         .planes = n->op->id == PL_OP_QDepthwiseConv,
                         .weights = g->values[n->in[1]].t.data,
                         .bias = g->values[n->in[2]].t.data,
                         .scale = g->values[n->in[3]].t.data};
    size_t run = (size_t)r.kw * (size_t)(r.planes ? 1 : channels);
    r.k = (run + 3) / 4 * 4 * (size_t)r.kh;
    return r;
}

static inline int ref_pixel(const struct ref_value *v, int y, int x, int c, int zero)
{
    bool inside = y >= 0 && y < v->h && x >= 0 && x < v->w;
    return inside ? v->q[((size_t)y * (size_t)v->w + (size_t)x) * (size_t)v->c + (size_t)c] : zero;
}

static inline float ref_sum(const struct ref_node *r, const struct ref_value *x, int oy, int ox,
                            int o)
{
    int64_t acc = r->bias[o];
    for (int i = 0; i < r->kh; i++)
        for (int j = 0; j < r->kw; j++)
            for (int c = r->planes ? o : 0; c < (r->planes ? o + 1 : x->c); c++) {
                size_t at = (size_t)i * (r->k / (size_t)r->kh) +
                            (r->planes ? (size_t)j : (size_t)(j * x->c + c));
                int w = r->weights[(size_t)o / 16 * r->k * 16 + at / 4 * 64 + (size_t)o % 16 * 4 +
                                   at % 4];
                acc += w * ref_pixel(x, oy * r->sh - r->top + i, ox * r->sw - r->left + j, c,
                                     r->x_zero);
            }
    volatile float f = (float)acc;
    return f * r->scale[o];
}

static inline uint8_t ref_byte(float f, int zero)
{
    double lo = -zero, hi = 255 - zero;
    double v = (double)f > hi ? hi : (double)f < lo ? lo : (double)f;
    return (uint8_t)(nearbyint(v) + zero); /* FE_TONEAREST: ties to even */
}

static inline struct ref_value ref_product(const struct pl_ir *g, const struct pl_ir_node *n,
                                           const struct ref_value *v)
{
    const struct ref_value *x = &v[n->in[0]];
    const struct ref_value *res = n->n_in > 4 && n->in[4] != PL_IR_NONE ? &v[n->in[4]] : NULL;
    const struct ref_node r = ref_node(g, n, x->c);
    const bool floats = pl_ir_int(n, "to_float", 0);
    volatile float ratio = pl_ir_float(n, "residual_ratio", 0);
    const int channels = (int)pl_ir_int(n, "channels", 0);
    struct ref_value y = {.h = (x->h + r.top + r.bottom - r.kh) / r.sh + 1,
                          .w = (x->w + r.left + r.right - r.kw) / r.sw + 1,
                          .c = floats ? channels : (channels + 15) / 16 * 16};
    size_t count = (size_t)y.h * (size_t)y.w * (size_t)y.c, at = 0;
    y.f = floats ? calloc(count, sizeof(float)) : NULL;
    y.q = floats ? NULL : calloc(count, 1);
    for (int oy = 0; oy < y.h; oy++)
        for (int ox = 0; ox < y.w; ox++)
            for (int o = 0; o < y.c; o++, at++) {
                volatile float f = ref_sum(&r, x, oy, ox, o);
                if (res) {
                    volatile float a = (float)(ref_pixel(res, oy, ox, o, 0) -
                                               (int)pl_ir_int(n, "residual_zero", 0)) *
                                       ratio;
                    f = f + a;
                }
                if (floats)
                    y.f[at] = f;
                else
                    y.q[at] = ref_byte(f, r.y_zero);
            }
    return y;
}

/* What the network gives for a picture of bytes, [y][x][c] whatever its own order is; the caller
 * frees the floats. */
static inline struct ref_value ref_run(const struct pl_ir *g, const uint8_t *px, int h, int w)
{
    struct ref_value *v = calloc(g->n_values, sizeof(*v)), last = {0};
    for (size_t i = 0; i < g->n_nodes; i++) {
        const struct pl_ir_node *n = &g->nodes[i];
        struct ref_value *y = &v[n->out[0]];
        if (n->op->id == PL_OP_QuantizeLast) {
            *y = (struct ref_value){h, w, 1, malloc((size_t)(h * w)), NULL};
            memcpy(y->q, px, (size_t)(h * w));
        } else if (n->op->id == PL_OP_Squeeze) {
            *y = v[n->in[0]];
            v[n->in[0]].q = NULL;
        } else {
            *y = ref_product(g, n, v);
        }
        last = *y;
    }
    for (size_t i = 0; i < g->n_values; i++)
        free(v[i].q);
    free(v);
    return last;
}

#endif
