/* Nodes of floats as nodes of bytes. */
#include "nn/quant/convert.h"

#include <string.h>

static const struct pl_range *range_of(const struct pl_q_graph *q, const struct pl_ir_node *n,
                                       uint32_t i)
{
    return i < n->n_in && n->in[i] != PL_IR_NONE ? &q->ranges[n->in[i]] : NULL;
}

static bool is_floats(const struct pl_tensor *t)
{
    return t && t->type == PL_F32;
}

static int64_t list_at(const struct pl_ir_node *n, const char *name, uint32_t i, int64_t otherwise)
{
    const struct pl_attr *a = pl_ir_attr(n, name);
    return a && i < a->n ? a->v.ints[i] : otherwise;
}

static bool same_dims(const struct pl_range *a, const struct pl_range *b)
{
    return a->rank == b->rank && !memcmp(a->dims, b->dims, (size_t)a->rank * sizeof(*a->dims));
}

/* Pixels of [n, channels, ...]. */
static int64_t area_of(const struct pl_range *r)
{
    int64_t n = 1;
    for (int i = 2; i < r->rank; i++)
        n *= r->dims[i];
    return n;
}

static bool is_depthwise(const struct pl_tensor *w, int64_t groups)
{
    return groups > 1 && w->dims[1] == 1 && w->dims[0] == groups;
}

/* A convolution that the kernels cover: one or two axes, sums that are not too long. Groups beside
 * depthwise ones become zeros in the weights of all channels: worth it for few of them. */
static bool fits_conv(const struct pl_q_graph *q, const struct pl_ir_node *n)
{
    const struct pl_tensor *w = pl_q_const(q, n, 1), *b = pl_q_const(q, n, 2);
    const struct pl_range *x = range_of(q, n, 0), *z = range_of(q, n, 3);
    const int64_t groups = pl_ir_int(n, "group", 1);
    if (!pl_q_known(q, n->in[0]) || (z && !pl_q_known(q, n->in[3])))
        return false;
    if (!is_floats(w) || (w->rank != 3 && w->rank != 4) || x->rank != w->rank || groups < 1 ||
        x->dims[1] != w->dims[1] * groups || w->dims[0] % groups || area_of(x) < 2)
        return false;
    if (n->n_in > 2 && n->in[2] != PL_IR_NONE &&
        (!is_floats(b) || pl_tensor_count(b) != (size_t)w->dims[0]))
        return false;
    if (z && !same_dims(z, &q->ranges[n->out[0]]))
        return false;
    const bool flat = w->rank == 3;
    const int64_t kernel_h = flat ? 1 : w->dims[2], kernel_w = w->dims[w->rank - 1];
    const int64_t dilation_h = flat ? 1 : list_at(n, "dilations", 0, 1);
    const int64_t dilation_w = list_at(n, "dilations", flat ? 0 : 1, 1);
    if (is_depthwise(w, groups))
        return kernel_h <= PL_QPLANE_MAX_KERNEL && kernel_w <= PL_QPLANE_MAX_KERNEL &&
               dilation_h == 1 && dilation_w == 1;
    const int64_t stored = (int64_t)pl_q_stored((size_t)x->dims[1]);
    return groups <= 4 && (dilation_w == 1 || kernel_w == 1) && stored <= PL_QGEMM_MAX_K &&
           kernel_w <= PL_QGEMM_MAX_K &&
           kernel_h * ((kernel_w * stored + 3) / 4 * 4) <= PL_QGEMM_MAX_K;
}

static bool fits_transposed(const struct pl_q_graph *q, const struct pl_ir_node *n)
{
    const struct pl_tensor *w = pl_q_const(q, n, 1), *b = pl_q_const(q, n, 2);
    const struct pl_range *x = range_of(q, n, 0);
    if (!pl_q_known(q, n->in[0]) || !is_floats(w) || w->rank != 4 || x->rank != 4 ||
        x->dims[1] != w->dims[0] || pl_ir_int(n, "group", 1) != 1 ||
        pl_ir_attr(n, "output_shape") || strcmp(pl_ir_string(n, "auto_pad", "NOTSET"), "NOTSET") ||
        pl_q_stored((size_t)x->dims[1]) > PL_QGEMM_MAX_K || w->dims[2] > 64 || w->dims[3] > 64)
        return false;
    if (n->n_in > 2 && n->in[2] != PL_IR_NONE &&
        (!is_floats(b) || pl_tensor_count(b) != (size_t)w->dims[1]))
        return false;
    for (uint32_t i = 0; i < 4; i++)
        if (list_at(n, "pads", i, 0) || (i < 2 && (list_at(n, "strides", i, 1) != w->dims[2 + i] ||
                                                   list_at(n, "output_padding", i, 0))))
            return false;
    return true;
}

static bool fits_matmul(const struct pl_q_graph *q, const struct pl_ir_node *n)
{
    const struct pl_tensor *w = pl_q_const(q, n, 1), *b = pl_q_const(q, n, 2);
    const struct pl_range *x = range_of(q, n, 0);
    return pl_q_known(q, n->in[0]) && is_floats(w) && w->rank == 2 && x->rank >= 2 &&
           x->dims[x->rank - 1] == w->dims[0] &&
           pl_q_stored((size_t)w->dims[0]) <= PL_QGEMM_MAX_K &&
           (n->n_in < 3 || n->in[2] == PL_IR_NONE ||
            (is_floats(b) && pl_tensor_count(b) == (size_t)w->dims[1]));
}

/* Of one value of floats, and constants of one element. */
static bool is_unary(const struct pl_q_graph *q, const struct pl_ir_node *n)
{
    int values = 0;
    const bool binary = n->op->id == PL_OP_Add || n->op->id == PL_OP_Sub ||
                        n->op->id == PL_OP_Mul || n->op->id == PL_OP_Div;
    if ((n->op->run != pl_run_unary && n->op->id != PL_OP_Clip && !binary) || n->n_in > 4 ||
        n->n_out != 1)
        return false;
    for (uint32_t i = 0; i < n->n_in; i++) {
        const struct pl_tensor *t = pl_q_const(q, n, i);
        if (t && (!is_floats(t) || pl_tensor_count(t) != 1))
            return false;
        values += n->in[i] != PL_IR_NONE && !t;
        if (n->in[i] != PL_IR_NONE && !t && !same_dims(&q->ranges[n->in[i]], &q->ranges[n->out[0]]))
            return false;
    }
    return values == 1;
}

/* x times one factor for each picture and channel: which input is x, or -1. */
static int gated(const struct pl_q_graph *q, const struct pl_ir_node *n)
{
    const struct pl_range *a = range_of(q, n, 0), *b = range_of(q, n, 1);
    if (pl_q_const(q, n, 0) || pl_q_const(q, n, 1) || a->rank != b->rank || a->rank < 3 ||
        a->dims[0] != b->dims[0] || a->dims[1] != b->dims[1])
        return -1;
    return area_of(b) == 1 && area_of(a) > 1 ? 0 : area_of(a) == 1 && area_of(b) > 1 ? 1 : -1;
}

static bool fits_pool(const struct pl_q_graph *q, const struct pl_ir_node *n)
{
    const struct pl_range *x = range_of(q, n, 0);
    if ((x->rank != 3 && x->rank != 4) || n->n_out != 1)
        return false;
    for (uint32_t i = 0; i < 2; i++)
        if (list_at(n, "dilations", i, 1) != 1 || list_at(n, "kernel_shape", i, 1) > 256)
            return false;
    return true;
}

/* GlobalAveragePool, or the mean over all axes behind the channels that keeps them. */
static bool is_average(const struct pl_q_graph *q, const struct pl_ir_node *n)
{
    const struct pl_range *x = range_of(q, n, 0);
    const struct pl_tensor *list = pl_q_const(q, n, 1);
    const struct pl_attr *attr = pl_ir_attr(n, "axes");
    uint32_t seen = 0;
    if (x->rank < 3 || (list && list->type != PL_I64))
        return false;
    if (n->op->id == PL_OP_GlobalAveragePool)
        return true;
    const size_t count = list ? pl_tensor_count(list) : attr ? attr->n : 0;
    for (size_t i = 0; i < count; i++) {
        const int64_t axis = list ? ((const int64_t *)list->data)[i] : attr->v.ints[i];
        if (axis < -x->rank || axis >= x->rank)
            return false;
        seen |= 1u << (axis < 0 ? axis + x->rank : axis);
    }
    return pl_ir_int(n, "keepdims", 1) && seen == (1u << x->rank) - 4;
}

/* Nearest pixels, by constant scales or sizes of four axes, the last two of which change. */
static bool fits_resize(const struct pl_q_graph *q, const struct pl_ir_node *n)
{
    const struct pl_range *x = range_of(q, n, 0), *y = &q->ranges[n->out[0]];
    const bool old = n->op->id == PL_OP_Upsample || q->g->opset < 11;
    const struct pl_tensor *list = pl_q_const(q, n, old ? 1 : 2);
    list = list && pl_tensor_count(list) ? list : pl_q_const(q, n, 3);
    return list && pl_tensor_count(list) == 4 && x->rank == 4 && x->dims[0] == y->dims[0] &&
           x->dims[1] == y->dims[1] && !pl_ir_attr(n, "axes") &&
           !strcmp(pl_ir_string(n, "mode", "nearest"), "nearest") &&
           strcmp(pl_ir_string(n, "coordinate_transformation_mode", ""), "tf_crop_and_resize") &&
           !strcmp(pl_ir_string(n, "keep_aspect_ratio_policy", "stretch"), "stretch") &&
           (list->type == PL_F32 || list->type == PL_I64);
}

enum pl_q_kind pl_q_classify(const struct pl_q_graph *q, const struct pl_ir_node *n)
{
    if (!n->n_in || n->in[0] == PL_IR_NONE || n->out[0] == PL_IR_NONE || !q->ranges[n->out[0]].rank)
        return PL_Q_FLOAT;
    if (is_unary(q, n))
        return PL_Q_UNARY;
    if (pl_q_const(q, n, 0) || !q->ranges[n->in[0]].rank)
        return PL_Q_FLOAT;
    switch (n->op->id) {
    case PL_OP_Conv:
    case PL_OP_FusedConv:
        return !pl_ir_attr(n, "activation") && fits_conv(q, n) ? PL_Q_CONV : PL_Q_FLOAT;
    case PL_OP_ConvTranspose:
        return fits_transposed(q, n) ? PL_Q_TRANSPOSED : PL_Q_FLOAT;
    case PL_OP_MatMul:
    case PL_OP_FusedMatMul:
        return !pl_ir_attr(n, "activation") && fits_matmul(q, n) ? PL_Q_MATMUL : PL_Q_FLOAT;
    case PL_OP_Add:
        return !pl_q_const(q, n, 1) && same_dims(range_of(q, n, 0), range_of(q, n, 1)) ? PL_Q_ADD
                                                                                       : PL_Q_FLOAT;
    case PL_OP_Mul:
        return gated(q, n) >= 0 ? PL_Q_GATE : PL_Q_FLOAT;
    case PL_OP_MaxPool:
    case PL_OP_AveragePool:
        return fits_pool(q, n) ? PL_Q_POOL : PL_Q_FLOAT;
    case PL_OP_GlobalAveragePool:
    case PL_OP_ReduceMean:
        return is_average(q, n) ? PL_Q_AVERAGE : PL_Q_FLOAT;
    case PL_OP_Concat:
        return q->ranges[n->in[0]].rank >= 3 && pl_ir_int(n, "axis", 0) == 1 ? PL_Q_CONCAT
                                                                             : PL_Q_FLOAT;
    case PL_OP_Resize:
    case PL_OP_Upsample:
        return fits_resize(q, n) ? PL_Q_RESIZE : PL_Q_FLOAT;
    default:
        return PL_Q_FLOAT;
    }
}

/* Packed matrices, biases and multipliers of a layer as its inputs 1 to 3. */
static platen_status add_packed(struct pl_q_graph *q, struct pl_q_node *m,
                                const struct pl_q_packed *p)
{
    uint32_t w, b, s;
    platen_status st =
        pl_q_new_const(q, m->n.name, "/weights", PL_I8, p->n_weights, p->weights, &w);
    st = st ? st : pl_q_new_const(q, m->n.name, "/bias", PL_I32, p->n_out, p->bias, &b);
    st = st ? st : pl_q_new_const(q, m->n.name, "/scale", PL_F32, p->n_out, p->scale, &s);
    if (st)
        return st;
    pl_q_in(m, w);
    pl_q_in(m, b);
    pl_q_in(m, s);
    return PLATEN_OK;
}

/* The layer's last inputs and attributes, and the layer itself: bytes with the table of the chain,
 * or floats. z is NULL or what is added. */
static platen_status finish_layer(struct pl_q_graph *q, struct pl_q_node *m,
                                  const struct pl_q_value *x, const struct pl_q_value *z,
                                  const struct pl_q_chain *c, struct pl_q_value y, bool to_float)
{
    const struct pl_q_scale s = c->has_table ? c->s : y.s;
    uint32_t out = c->to, table;
    platen_status st = PLATEN_OK;
    pl_q_set_int(m, "channels", (int64_t)y.channels);
    pl_q_set_int(m, "x_zero", x->s.zero);
    if (z) {
        pl_q_in(m, z->value);
        pl_q_set_int(m, "residual_zero", z->s.zero);
        pl_q_set_float(m, "residual_ratio", z->s.scale / s.scale);
    } else if (c->has_table) {
        pl_q_in(m, PL_IR_NONE);
    }
    if (c->has_table) {
        st = pl_q_new_const(q, m->n.name, "/table", PL_U8, 256, c->table, &table);
        pl_q_in(m, st ? PL_IR_NONE : table);
    }
    if (to_float) {
        pl_q_set_int(m, "to_float", 1);
        pl_q_set_int(m, "y_zero", 0);
        q->has_floats[out] = true;
        return st ? st : pl_q_add(q, m, out);
    }
    if (c->has_table)
        pl_q_set_int(m, "t_zero", s.zero);
    pl_q_set_result(m, y.s);
    st = st ? st : pl_q_new_bytes(q, c->to, y, &out);
    return st ? st : pl_q_add(q, m, out);
}

static platen_status nomem(struct pl_q_graph *q)
{
    return pl_fail_nomem(q->err, 0, "packed weights");
}

static platen_status make_conv(struct pl_q_graph *q, const struct pl_ir_node *n, bool *ret_made)
{
    const struct pl_tensor *w = pl_q_const(q, n, 1), *b = pl_q_const(q, n, 2);
    const int64_t groups = pl_ir_int(n, "group", 1);
    const bool planes = is_depthwise(w, groups), flat = w->rank == 3;
    struct pl_q_value x, z, y = {.channels_first = true, .channels = (size_t)w->dims[0]};
    struct pl_q_chain chain;
    struct pl_q_packed packed;
    struct pl_q_node m;
    const bool sum = n->n_in > 3 && n->in[3] != PL_IR_NONE;
    platen_status s = pl_q_follow(q, n->out[0], &chain);
    const bool known = pl_q_known(q, chain.to);
    *ret_made = known || (!planes && !sum);
    if (s || !*ret_made)
        return s;
    s = pl_q_bytes_of(q, n->in[0], true, !planes, &x);
    s = s ? s : sum ? pl_q_bytes_of(q, n->in[3], true, false, &z) : PLATEN_OK;
    if (s)
        return s;
    const bool to_float = !planes && !sum && (!known || !pl_q_wanted(q, chain.to));
    y.stored = pl_q_stored(y.channels);
    y.s = pl_q_scale_for(q, chain.to);
    struct pl_q_weights weights = {.w = w->data,
                                   .bias = b ? b->data : NULL,
                                   .out = y.channels,
                                   .in = (size_t)w->dims[1],
                                   .groups = planes ? y.channels : (size_t)groups,
                                   .kernel_h = flat ? 1 : (size_t)w->dims[2],
                                   .kernel_w = (size_t)w->dims[w->rank - 1],
                                   .stored = x.stored,
                                   .depthwise = planes,
                                   .per_tensor = q->o->per_tensor,
                                   .x = x.s,
                                   .y_scale = to_float          ? 1
                                              : chain.has_table ? chain.s.scale
                                                                : y.s.scale};
    pl_q_take_steps(q, n, &weights);
    if (!pl_q_pack(&weights, &q->scratch, &packed))
        return nomem(q);
    pl_q_begin(&m, n->name, planes ? PL_OP_QDepthwiseConv : PL_OP_QConv);
    pl_q_in(&m, x.value);
    s = add_packed(q, &m, &packed);
    pl_arena_reset(&q->scratch);
    pl_q_copy(&m, n, "auto_pad");
    pl_q_copy(&m, n, "dilations");
    pl_q_copy(&m, n, "pads");
    pl_q_copy(&m, n, "strides");
    struct pl_attr *shape = &m.attrs[m.n.n_attrs++];
    int64_t *list = PL_NEW(&q->g->arena, int64_t, 2);
    if (!list)
        return nomem(q);
    memcpy(list, w->dims + 2, (flat ? 1 : 2) * sizeof(*list));
    *shape = (struct pl_attr){.name = "kernel_shape", .kind = PL_ATTR_INTS, .n = flat ? 1 : 2};
    shape->v.ints = list;
    return s ? s : finish_layer(q, &m, &x, sum ? &z : NULL, &chain, y, to_float);
}

/* The matrix of tap k: w[channel][output][tap] as [output][channel]. */
static void take_tap(float *dst, const struct pl_tensor *w, size_t k)
{
    const size_t in = (size_t)w->dims[0], out = (size_t)w->dims[1];
    const size_t taps = (size_t)(w->dims[2] * w->dims[3]);
    for (size_t o = 0; o < out; o++)
        for (size_t c = 0; c < in; c++)
            dst[o * in + c] = ((const float *)w->data)[(c * out + o) * taps + k];
}

/* All taps' matrices behind each other, and their biases and multipliers. */
static platen_status pack_taps(struct pl_q_graph *q, struct pl_q_weights *w,
                               const struct pl_tensor *t, struct pl_q_packed *all)
{
    const size_t taps = (size_t)(t->dims[2] * t->dims[3]);
    float *matrix = PL_NEW(&q->scratch, float, w->out * w->in);
    struct pl_q_packed p;
    for (size_t k = 0; k < taps && matrix; k++) {
        take_tap(matrix, t, k);
        w->w = matrix;
        if (!pl_q_pack(w, &q->scratch, &p))
            return nomem(q);
        if (!k) {
            all->weights = PL_NEW(&q->scratch, int8_t, taps * p.n_weights);
            all->bias = PL_NEW(&q->scratch, int32_t, taps * p.n_out);
            all->scale = PL_NEW(&q->scratch, float, taps *p.n_out);
            all->n_weights = taps * p.n_weights;
            all->n_out = taps * p.n_out;
        }
        if (!all->weights || !all->bias || !all->scale)
            return nomem(q);
        memcpy(all->weights + k * p.n_weights, p.weights, p.n_weights);
        memcpy(all->bias + k * p.n_out, p.bias, p.n_out * sizeof(*p.bias));
        memcpy(all->scale + k * p.n_out, p.scale, p.n_out * sizeof(*p.scale));
    }
    return matrix ? PLATEN_OK : nomem(q);
}

static platen_status make_transposed(struct pl_q_graph *q, const struct pl_ir_node *n)
{
    const struct pl_tensor *w = pl_q_const(q, n, 1), *b = pl_q_const(q, n, 2);
    struct pl_q_value x, y = {.channels_first = true, .channels = (size_t)w->dims[1]};
    struct pl_q_chain chain;
    struct pl_q_packed packed;
    struct pl_q_node m;
    platen_status s = pl_q_bytes_of(q, n->in[0], true, false, &x);
    s = s ? s : pl_q_follow(q, n->out[0], &chain);
    if (s)
        return s;
    const bool to_float = !pl_q_known(q, chain.to) || !pl_q_wanted(q, chain.to);
    y.stored = pl_q_stored(y.channels);
    y.s = pl_q_scale_for(q, chain.to);
    struct pl_q_weights weights = {.bias = b ? b->data : NULL,
                                   .out = y.channels,
                                   .in = (size_t)w->dims[0],
                                   .groups = 1,
                                   .kernel_h = 1,
                                   .kernel_w = 1,
                                   .stored = x.stored,
                                   .per_tensor = q->o->per_tensor,
                                   .x = x.s,
                                   .y_scale = to_float          ? 1
                                              : chain.has_table ? chain.s.scale
                                                                : y.s.scale};
    s = pack_taps(q, &weights, w, &packed);
    if (s)
        return s;
    pl_q_begin(&m, n->name, PL_OP_QConvTranspose);
    pl_q_in(&m, x.value);
    s = add_packed(q, &m, &packed);
    pl_arena_reset(&q->scratch);
    struct pl_attr *shape = &m.attrs[m.n.n_attrs++];
    int64_t *list = PL_NEW(&q->g->arena, int64_t, 2);
    if (!list)
        return nomem(q);
    memcpy(list, w->dims + 2, 2 * sizeof(*list));
    *shape = (struct pl_attr){.name = "kernel_shape", .kind = PL_ATTR_INTS, .n = 2};
    shape->v.ints = list;
    return s ? s : finish_layer(q, &m, &x, NULL, &chain, y, to_float);
}

/* The matrix [in][out] as [out][in]. */
static const float *turned(struct pl_q_graph *q, const struct pl_tensor *w)
{
    const size_t in = (size_t)w->dims[0], out = (size_t)w->dims[1];
    float *t = PL_NEW(&q->scratch, float, in *out);
    for (size_t i = 0; t && i < in * out; i++)
        t[i % out * in + i / out] = ((const float *)w->data)[i];
    return t;
}

static platen_status make_matmul(struct pl_q_graph *q, const struct pl_ir_node *n)
{
    const struct pl_tensor *w = pl_q_const(q, n, 1), *b = pl_q_const(q, n, 2);
    struct pl_q_value x, y = {.channels = (size_t)w->dims[1]};
    struct pl_q_chain chain;
    struct pl_q_packed packed;
    struct pl_q_node m;
    platen_status s = pl_q_bytes_of(q, n->in[0], false, false, &x);
    s = s ? s : pl_q_follow(q, n->out[0], &chain);
    if (s)
        return s;
    const bool to_float = !pl_q_known(q, chain.to) || !pl_q_wanted(q, chain.to);
    y.stored = pl_q_stored(y.channels);
    y.s = pl_q_scale_for(q, chain.to);
    struct pl_q_weights weights = {.w = turned(q, w),
                                   .bias = b ? b->data : NULL,
                                   .out = y.channels,
                                   .in = (size_t)w->dims[0],
                                   .groups = 1,
                                   .kernel_h = 1,
                                   .kernel_w = 1,
                                   .stored = x.stored,
                                   .per_tensor = q->o->per_tensor,
                                   .x = x.s,
                                   .y_scale = to_float          ? 1
                                              : chain.has_table ? chain.s.scale
                                                                : y.s.scale};
    if (weights.w)
        pl_q_take_steps(q, n, &weights);
    if (!weights.w || !pl_q_pack(&weights, &q->scratch, &packed))
        return nomem(q);
    pl_q_begin(&m, n->name, PL_OP_QGemm);
    pl_q_in(&m, x.value);
    s = add_packed(q, &m, &packed);
    pl_arena_reset(&q->scratch);
    return s ? s : finish_layer(q, &m, &x, NULL, &chain, y, to_float);
}

/* Bytes through a table to another scale. */
static platen_status add_table(struct pl_q_graph *q, const char *name, uint32_t from,
                               const uint8_t table[256], uint32_t of, struct pl_q_value y,
                               uint32_t *ret)
{
    struct pl_q_node m;
    uint32_t t;
    pl_q_begin(&m, name, PL_OP_QTable);
    platen_status s = pl_q_new_const(q, name, "/table", PL_U8, 256, table, &t);
    s = s ? s : pl_q_new_bytes(q, of, y, ret);
    if (s)
        return s;
    pl_q_in(&m, from);
    pl_q_in(&m, t);
    pl_q_set_result(&m, y.s);
    return pl_q_add(q, &m, *ret);
}

static platen_status make_unary(struct pl_q_graph *q, const struct pl_ir_node *n, bool *ret_made)
{
    struct pl_q_chain c;
    uint32_t out;
    platen_status s = pl_q_follow_node(q, (uint32_t)(n - q->g->nodes), &c);
    *ret_made = !s && c.n;
    if (s || !c.n)
        return s;
    struct pl_q_value y = q->bytes[c.from];
    y.s = pl_q_scale_for(q, c.to);
    return add_table(q, n->name, q->bytes[c.from].value, c.table, c.to, y, &out);
}

/* Both are bytes of the same layout, one of them at least from before. */
static platen_status make_sum(struct pl_q_graph *q, const struct pl_ir_node *n, bool *ret_made)
{
    const struct pl_q_value *one = &q->bytes[n->in[0]], *two = &q->bytes[n->in[1]];
    const struct pl_q_value *have = one->value != PL_IR_NONE ? one : two;
    struct pl_q_value a, b, y;
    struct pl_q_node m;
    uint32_t out;
    *ret_made = have->value != PL_IR_NONE && pl_q_wanted(q, n->out[0]) &&
                pl_q_known(q, n->out[0]) && pl_q_known(q, n->in[0]) && pl_q_known(q, n->in[1]);
    if (!*ret_made)
        return PLATEN_OK;
    const bool first = have->channels_first;
    platen_status s = pl_q_bytes_of(q, n->in[0], first, false, &a);
    s = s ? s : pl_q_bytes_of(q, n->in[1], first, false, &b);
    y = a;
    y.s = pl_q_scale_for(q, n->out[0]);
    s = s ? s : pl_q_new_bytes(q, n->out[0], y, &out);
    if (s)
        return s;
    pl_q_begin(&m, n->name, PL_OP_QAdd);
    pl_q_in(&m, a.value);
    pl_q_in(&m, b.value);
    pl_q_set_int(&m, "a_zero", a.s.zero);
    pl_q_set_float(&m, "a_ratio", a.s.scale / y.s.scale);
    pl_q_set_int(&m, "b_zero", b.s.zero);
    pl_q_set_float(&m, "b_ratio", b.s.scale / y.s.scale);
    pl_q_set_result(&m, y.s);
    return pl_q_add(q, &m, out);
}

static platen_status make_gate(struct pl_q_graph *q, const struct pl_ir_node *n, bool *ret_made)
{
    const uint32_t at = (uint32_t)gated(q, n), x = n->in[at], gate = n->in[1 - at];
    struct pl_q_value v, y;
    struct pl_q_node m;
    uint32_t out;
    *ret_made = q->bytes[x].value != PL_IR_NONE && q->bytes[x].channels_first && pl_q_known(q, x) &&
                pl_q_known(q, n->out[0]);
    if (!*ret_made)
        return PLATEN_OK;
    platen_status s = pl_q_bytes_of(q, x, true, false, &v);
    s = s ? s : pl_q_floats(q, gate);
    y = v;
    y.s = pl_q_scale_for(q, n->out[0]);
    s = s ? s : pl_q_new_bytes(q, n->out[0], y, &out);
    if (s)
        return s;
    pl_q_begin(&m, n->name, PL_OP_QScale);
    pl_q_in(&m, v.value);
    pl_q_in(&m, gate);
    pl_q_set_int(&m, "channels", (int64_t)v.channels);
    pl_q_set_int(&m, "x_zero", v.s.zero);
    pl_q_set_float(&m, "ratio", v.s.scale / y.s.scale);
    pl_q_set_result(&m, y.s);
    return pl_q_add(q, &m, out);
}

static platen_status make_pool(struct pl_q_graph *q, const struct pl_ir_node *n, bool *ret_made)
{
    static const char *const names[] = {"auto_pad", "ceil_mode", "kernel_shape", "pads", "strides"};
    const struct pl_q_value y = q->bytes[n->in[0]];
    const bool max = n->op->id == PL_OP_MaxPool;
    struct pl_q_node m;
    uint32_t out;
    *ret_made = y.value != PL_IR_NONE && y.channels_first && pl_q_wanted(q, n->out[0]);
    if (!*ret_made)
        return PLATEN_OK;
    platen_status s = pl_q_new_bytes(q, n->out[0], y, &out);
    if (s)
        return s;
    pl_q_begin(&m, n->name, max ? PL_OP_QMaxPool : PL_OP_QAveragePool);
    pl_q_in(&m, y.value);
    for (size_t i = 0; i < PL_ARRAY_LEN(names); i++)
        pl_q_copy(&m, n, names[i]);
    if (!max)
        pl_q_copy(&m, n, "count_include_pad");
    pl_q_set_result(&m, y.s);
    return pl_q_add(q, &m, out);
}

static platen_status make_average(struct pl_q_graph *q, const struct pl_ir_node *n, bool *ret_made)
{
    const struct pl_q_value *x = &q->bytes[n->in[0]];
    struct pl_q_node m;
    *ret_made = x->value != PL_IR_NONE && x->channels_first;
    if (!*ret_made)
        return PLATEN_OK;
    pl_q_begin(&m, n->name, PL_OP_QGlobalAverage);
    pl_q_in(&m, x->value);
    pl_q_set_int(&m, "channels", (int64_t)x->channels);
    pl_q_set_float(&m, "x_scale", x->s.scale);
    pl_q_set_int(&m, "x_zero", x->s.zero);
    q->has_floats[n->out[0]] = true;
    return pl_q_add(q, &m, n->out[0]);
}

/* Input i of a Concat in the scale of the whole. */
static platen_status same_scale(struct pl_q_graph *q, const struct pl_ir_node *n, uint32_t i,
                                struct pl_q_scale s, struct pl_q_value *ret)
{
    uint8_t table[256];
    uint32_t out;
    platen_status st = pl_q_bytes_of(q, n->in[i], true, false, ret);
    if (st || (ret->s.scale == s.scale && ret->s.zero == s.zero))
        return st;
    for (int k = 0; k < 256; k++)
        table[k] = pl_q_byte(s, (double)(k - ret->s.zero) * (double)ret->s.scale);
    const struct pl_q_value before = *ret;
    ret->s = s;
    st = add_table(q, q->g->values[n->in[i]].name, before.value, table, n->in[i], *ret, &out);
    q->bytes[n->in[i]] = before; /* others read it as it was */
    ret->value = out;
    return st;
}

static platen_status make_concat(struct pl_q_graph *q, const struct pl_ir_node *n, bool *ret_made)
{
    struct pl_q_value x, y = {.s = pl_q_scale_for(q, n->out[0]), .channels_first = true};
    struct pl_q_node m;
    platen_status s = PLATEN_OK;
    uint32_t out, ready = 0;
    for (uint32_t i = 0; i < n->n_in; i++)
        ready += n->in[i] != PL_IR_NONE && !pl_q_const(q, n, i) &&
                 q->bytes[n->in[i]].value != PL_IR_NONE && q->bytes[n->in[i]].channels_first;
    *ret_made = n->n_in <= PL_ARRAY_LEN(m.in) && ready == n->n_in && pl_q_wanted(q, n->out[0]) &&
                pl_q_known(q, n->out[0]);
    if (!*ret_made)
        return PLATEN_OK;
    int64_t *list = PL_NEW(&q->g->arena, int64_t, n->n_in);
    if (!list)
        return nomem(q);
    pl_q_begin(&m, n->name, PL_OP_QConcat);
    for (uint32_t i = 0; i < n->n_in && !s; i++) {
        s = same_scale(q, n, i, y.s, &x);
        pl_q_in(&m, x.value);
        list[i] = (int64_t)x.channels;
        y.channels += x.channels;
    }
    y.stored = pl_q_stored(y.channels);
    struct pl_attr *a = &m.attrs[m.n.n_attrs++];
    *a = (struct pl_attr){.name = "channels", .kind = PL_ATTR_INTS, .n = n->n_in};
    a->v.ints = list;
    pl_q_set_result(&m, y.s);
    s = s ? s : pl_q_new_bytes(q, n->out[0], y, &out);
    return s ? s : pl_q_add(q, &m, out);
}

/* The operator itself, its scales or sizes for channels that come last. */
static platen_status make_resize(struct pl_q_graph *q, const struct pl_ir_node *n, bool *ret_made)
{
    static const char *const names[] = {"coordinate_transformation_mode", "mode", "nearest_mode"};
    const struct pl_q_value y = q->bytes[n->in[0]];
    const bool old = n->op->id == PL_OP_Upsample || q->g->opset < 11;
    const struct pl_tensor *list = pl_q_const(q, n, old ? 1 : 2);
    struct pl_q_node m;
    int64_t sizes[4];
    float scales[4];
    uint32_t out, value;
    *ret_made = y.value != PL_IR_NONE && y.channels_first && y.stored % 16 == 0;
    if (!*ret_made)
        return PLATEN_OK;
    const bool by_scale = list && pl_tensor_count(list);
    list = by_scale ? list : pl_q_const(q, n, 3);
    static const int from[] = {0, 2, 3, 1};
    for (int i = 0; i < 4; i++) {
        scales[i] = (float)pl_tensor_f64(list, (size_t)from[i]);
        sizes[i] = pl_tensor_i64(list, (size_t)from[i]);
    }
    sizes[3] = (int64_t)y.stored;
    platen_status s = by_scale ? pl_q_new_const(q, n->name, "/scales", PL_F32, 4, scales, &value)
                               : pl_q_new_const(q, n->name, "/sizes", PL_I64, 4, sizes, &value);
    s = s ? s : pl_q_new_bytes(q, n->out[0], y, &out);
    if (s)
        return s;
    pl_q_begin(&m, n->name, n->op->id);
    pl_q_in(&m, y.value);
    for (int i = 1; !old && i < (by_scale ? 2 : 3); i++)
        pl_q_in(&m, PL_IR_NONE);
    pl_q_in(&m, value);
    for (size_t i = 0; i < PL_ARRAY_LEN(names); i++)
        pl_q_copy(&m, n, names[i]);
    return pl_q_add(q, &m, out);
}

platen_status pl_q_make(struct pl_q_graph *q, const struct pl_ir_node *n, enum pl_q_kind kind,
                        bool *ret_made)
{
    *ret_made = true;
    switch (kind) {
    case PL_Q_CONV:
        return make_conv(q, n, ret_made);
    case PL_Q_TRANSPOSED:
        return make_transposed(q, n);
    case PL_Q_MATMUL:
        return make_matmul(q, n);
    case PL_Q_UNARY:
        return make_unary(q, n, ret_made);
    case PL_Q_ADD:
        return make_sum(q, n, ret_made);
    case PL_Q_GATE:
        return make_gate(q, n, ret_made);
    case PL_Q_POOL:
        return make_pool(q, n, ret_made);
    case PL_Q_AVERAGE:
        return make_average(q, n, ret_made);
    case PL_Q_CONCAT:
        return make_concat(q, n, ret_made);
    case PL_Q_RESIZE:
        return make_resize(q, n, ret_made);
    default:
        *ret_made = false;
        return PLATEN_OK;
    }
}
