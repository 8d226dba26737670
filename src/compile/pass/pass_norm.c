/* SPDX-License-Identifier: BSD-2-Clause */
/* y = s * conv(x) + t with numbers s and t of channels is a convolution: batch normalization, and
 * products with and sums of constants. New weights are computed in double. */
#include "compile/pass.h"

#include <math.h>
#include <string.h>

/* Scale and offset of each channel. */
struct affine {
    double *s, *t;
};

static size_t channels_of(const struct pl_ir_node *conv, const struct pl_tensor *w)
{
    return conv->op->id == PL_OP_Conv ? (size_t)w->dims[0]
                                      : (size_t)(w->dims[1] * pl_ir_int(conv, "group", 1));
}

static bool is_f32(const struct pl_tensor *t, size_t n)
{
    return t && t->type == PL_F32 && pl_tensor_count(t) == n;
}

static bool read_norm(const struct pl_rewrite *r, const struct pl_ir_node *n, size_t channels,
                      const struct affine *a)
{
    const double eps = (double)pl_ir_float(n, "epsilon", 1e-5f);
    const float *p[4];
    if (pl_ir_int(n, "training_mode", 0) || !pl_ir_int(n, "spatial", 1) || n->n_out > 1)
        return false;
    for (uint32_t i = 0; i < 4; i++) {
        if (!is_f32(pl_rw_in(r, n, i + 1), channels))
            return false;
        p[i] = pl_rw_in(r, n, i + 1)->data;
    }
    for (size_t c = 0; c < channels; c++) {
        a->s[c] = (double)p[0][c] / sqrt((double)p[3][c] + eps);
        a->t[c] = (double)p[1][c] - (double)p[2][c] * a->s[c];
    }
    return true;
}

/* Reads a sum, difference, product or quotient with a constant as scale and offset of channels; the
 * convolution is input `from`. */
static bool read_sum(const struct pl_rewrite *r, const struct pl_ir_node *n, uint32_t from,
                     int rank, size_t channels, const struct affine *a)
{
    const struct pl_tensor *t = pl_rw_in(r, n, 1 - from);
    const int id = n->op->id;
    if (!pl_rw_per_channel(t, rank, channels) || (from && (id == PL_OP_Sub || id == PL_OP_Div)))
        return false;
    for (size_t c = 0; c < channels; c++) {
        const double v = (double)((const float *)t->data)[pl_tensor_count(t) == 1 ? 0 : c];
        a->s[c] = id == PL_OP_Mul ? v : id == PL_OP_Div ? 1 / v : 1;
        a->t[c] = id == PL_OP_Add ? v : id == PL_OP_Sub ? -v : 0;
    }
    return true;
}

static platen_status new_weights(struct pl_rewrite *r, struct pl_ir_node *conv,
                                 const struct affine *a)
{
    const struct pl_tensor *w = pl_rw_in(r, conv, 1);
    const bool transposed = conv->op->id == PL_OP_ConvTranspose;
    const size_t n = pl_tensor_count(w), rows = (size_t)w->dims[0];
    const size_t per_row = rows ? n / rows : 0;
    const size_t groups = (size_t)pl_ir_int(conv, "group", 1);
    const size_t columns = (size_t)w->dims[1], taps = columns ? per_row / columns : 0;
    struct pl_tensor *ret;
    uint32_t value;
    platen_status s = pl_rw_new_const(r, r->g->values[conv->in[1]].name, w, &value, &ret);
    if (s)
        return s;
    w = pl_rw_in(r, conv, 1);
    for (size_t i = 0; i < n; i++) {
        const size_t row = i / per_row;
        const size_t c = transposed ? row / (rows / groups) * columns + i % per_row / taps : row;
        ((float *)ret->data)[i] = (float)((double)((const float *)w->data)[i] * a->s[c]);
    }
    return pl_rw_set_input(r, conv, 1, value);
}

static platen_status new_bias(struct pl_rewrite *r, struct pl_ir_node *conv, const char *name,
                              const struct affine *a, size_t channels)
{
    const struct pl_tensor *old = pl_rw_in(r, conv, 2);
    struct pl_tensor shape = {0}, *ret;
    uint32_t value;
    if (!pl_tensor_shape(&shape, PL_F32, 1, (int64_t[]){(int64_t)channels}))
        return PLATEN_ERR_INTERNAL;
    platen_status s = pl_rw_new_const(r, name, &shape, &value, &ret);
    if (s)
        return s;
    for (size_t c = 0; c < channels; c++) {
        const double b = old ? (double)((const float *)old->data)[c] : 0;
        ((float *)ret->data)[c] = (float)(b * a->s[c] + a->t[c]);
    }
    return pl_rw_set_input(r, conv, 2, value);
}

/* Returns the convolution with constant weights that n alone reads, through input `from`; or NULL.
 */
static struct pl_ir_node *conv_before(const struct pl_rewrite *r, const struct pl_ir_node *n,
                                      uint32_t from)
{
    struct pl_ir_node *conv = pl_rw_feeder(r, n, from);
    if (!conv || (conv->op->id != PL_OP_Conv && conv->op->id != PL_OP_ConvTranspose))
        return NULL;
    const struct pl_tensor *w = pl_rw_in(r, conv, 1);
    const int64_t groups = pl_ir_int(conv, "group", 1);
    if (!w || w->type != PL_F32 || w->rank < 3 || !pl_tensor_count(w) || groups < 1 ||
        groups > w->dims[0] || w->dims[0] % groups)
        return NULL;
    const bool biased = conv->n_in > 2 && conv->in[2] != PL_IR_NONE;
    return !biased || is_f32(pl_rw_in(r, conv, 2), channels_of(conv, w)) ? conv : NULL;
}

static platen_status try_node(struct pl_rewrite *r, struct pl_ir_node *n, uint32_t from)
{
    struct pl_ir_node *conv = conv_before(r, n, from);
    if (!conv)
        return PLATEN_OK;
    const struct pl_tensor *w = pl_rw_in(r, conv, 1);
    const size_t channels = channels_of(conv, w);
    const struct affine a = {PL_NEW(&r->scratch, double, channels),
                             PL_NEW(&r->scratch, double, channels)};
    if (!a.s || !a.t)
        return pl_fail_nomem(r->err, channels * sizeof(*a.s), "a graph");
    if (n->op->id == PL_OP_BatchNormalization ? !read_norm(r, n, channels, &a)
                                              : !read_sum(r, n, from, w->rank, channels, &a))
        return PLATEN_OK;
    platen_status s = new_weights(r, conv, &a);
    s = s ? s : new_bias(r, conv, n->name, &a, channels);
    if (!s)
        pl_rw_absorb(r, conv, n);
    return s;
}

platen_status pl_pass_norm(struct pl_rewrite *r)
{
    platen_status s = PLATEN_OK;
    for (size_t i = 0; i < r->g->n_nodes && !s; i++) {
        struct pl_ir_node *n = pl_rw_visit(r, i);
        if (!n)
            continue;
        switch (n->op->id) {
        case PL_OP_BatchNormalization:
            s = try_node(r, n, 0);
            break;
        case PL_OP_Add:
        case PL_OP_Sub:
        case PL_OP_Mul:
        case PL_OP_Div:
            s = try_node(r, n, 0);
            if (!s && n->op)
                s = try_node(r, n, 1);
            break;
        default:
            break;
        }
    }
    return s;
}
